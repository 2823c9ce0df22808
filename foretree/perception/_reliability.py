"""Reliability of eyes by how well something is in view: learned in homes of the seen layout families."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from foretree.schema import Strict

_Likely = Annotated[float, Field(ge=0.5, le=1)]


class Grades(Strict):
    """Probabilities for what is well, fairly and badly in view."""

    well: _Likely
    fairly: _Likely
    badly: _Likely

    def of(self, grade: int) -> float:
        """The probability for a grade, as :meth:`Reliability.grade` tells it."""
        return (self.well, self.fairly, self.badly)[grade]


class Reliability(Strict):
    """Reliability of eyes.

    Attributes:
        near: what is nearer than this (metres) is well in view.
        far: what is farther than this is badly in view.
        hidden: of what less than this share is visible is badly in view, at any distance.
        found: how often objects are detected.
        read: how often a picture shows a state as it is.
        rests: how often an object rests where it seems to.
    """

    near: Annotated[float, Field(ge=0)]
    far: Annotated[float, Field(ge=0)]
    hidden: Annotated[float, Field(ge=0, le=1)]
    found: Grades
    read: Grades
    rests: Grades

    def grade(self, distance: float, visible: float) -> int:
        """0 for what is well in view, 1 for what is fairly, 2 for what is badly in view."""
        if distance > self.far or visible < self.hidden:
            return 2
        return 0 if distance < self.near else 1
