"""What all reports have in common: whether all of it was run and ended as it must, and what it took."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Protocol

from foretree.regression.reports.remarks import interruption


class Sound(Protocol):
    """An episode of any kind."""

    @property
    def sound(self) -> bool:
        """Whether it ended as every episode must, whatever it came to."""
        ...


class Results(Protocol):
    """What an outline is made of."""

    what: ClassVar[str]

    @property
    def name(self) -> str:
        """The suite's name."""
        ...

    @property
    def seed(self) -> int:
        """What the episodes' seeds were made from."""
        ...

    @property
    def episodes(self) -> Sequence[Sound]:
        """In the order of the suite, however they were run."""
        ...

    @property
    def wall(self) -> float:
        """Seconds that it took."""
        ...

    @property
    def processor(self) -> float:
        """Seconds of processors that it took, planners included."""
        ...

    @property
    def missing(self) -> int:
        """How many more episodes were to be run when somebody interrupted it."""
        ...

    @property
    def complete(self) -> bool:
        """Whether all of it was run."""
        ...

    @property
    def ok(self) -> bool:
        """Whether everything ended as it must."""
        ...


class Outline:
    """Mixed into a report.

    Attributes:
        what: what its episodes are called.
    """

    what: ClassVar[str] = "episodes"

    @property
    def complete(self: Results) -> bool:
        """Whether all episodes were run; nobody interrupted it."""
        return not self.missing

    @property
    def interruption(self: Results) -> str:
        """How many of all episodes were run, if somebody interrupted it."""
        return interruption(len(self.episodes), self.missing, self.what)

    @property
    def ok(self: Results) -> bool:
        """Whether every episode ended as it must. Not reaching a goal is no reason to say no."""
        return all(episode.sound for episode in self.episodes)

    def outline(self: Results) -> dict[str, Any]:
        """What is said first of all in JSON."""
        return {
            "suite": self.name,
            "seed": self.seed,
            "ok": self.ok,
            "complete": self.complete,
            "missing": self.missing,
            "wall": round(self.wall, 3),
            "processor": round(self.processor, 3),
        }
