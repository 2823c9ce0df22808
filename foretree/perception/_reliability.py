"""How far eyes can be relied on, by how well something is in view: learned in practice homes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reliability:
    """How far eyes can be relied on.

    Attributes:
        near: what is nearer than this (metres) is well in view.
        far: what is farther than this is badly in view.
        hidden: of what less than this share is visible is badly in view, however near it is.
        found: how often things are detected that are well, fairly, and badly in view.
        read: how often a picture shows a state as it is, likewise.
        rests: how often a thing rests where it seems to, likewise.
    """

    near: float = 1.0
    far: float = 3.0
    hidden: float = 1 / 3
    found: tuple[float, float, float] = (0.98, 0.92, 0.80)
    read: tuple[float, float, float] = (0.96, 0.90, 0.80)
    rests: tuple[float, float, float] = (0.94, 0.93, 0.87)

    def grade(self, distance: float, visible: float) -> int:
        """0 for what is well in view, 1 for what is fairly, 2 for what is badly in view."""
        if distance > self.far or visible < self.hidden:
            return 2
        return 0 if distance < self.near else 1
