"""Work that is counted instead of timed, so that a limit strikes at the same place on every machine."""

from __future__ import annotations


class TooMuchWorkError(Exception):
    """A computation takes more steps than are allowed."""


class WorkLimit:
    """A number of steps that may be taken, each of them a few lookups; None for no limit."""

    __slots__ = ("_left",)

    def __init__(self, most: int | None = None) -> None:
        self._left: float = float("inf") if most is None else most

    @property
    def is_spent(self) -> bool:
        """True if more steps were taken than are allowed."""
        return self._left < 0

    def use(self, steps: int = 1) -> None:
        """Take some steps, be they allowed or not."""
        self._left -= steps

    def spend(self, steps: int = 1) -> None:
        """Take some steps.

        Raises:
            TooMuchWorkError: there are not as many left.
        """
        self._left -= steps
        if self._left < 0:
            raise TooMuchWorkError
