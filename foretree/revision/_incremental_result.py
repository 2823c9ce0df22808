"""Results that are worked on whenever they are asked for, as much at a time as fits into a tick."""

from __future__ import annotations

from typing import Generic, TypeVar

from foretree.incremental import IncrementalTask, IncrementBudget, Increments

T = TypeVar("T")

#: So many pieces of work fit into a tick: all, for most plans of a hundred actions.
PIECES = 120


class IncrementalResult(Generic[T]):
    """A result that is worked on whenever it is asked for.

    Args:
        pieces: what is to be carried out.
        size: about how many actions it is about.
    """

    def __init__(self, pieces: Increments[T], size: int) -> None:
        self._work = IncrementalTask(pieces, size)
        self._allowance = IncrementBudget(PIECES)
        self._is_through = False
        self._error: Exception | None = None

    @property
    def is_through(self) -> bool:
        """Return whether there is a result, or never will be."""
        return self._is_through

    @property
    def has_failed(self) -> bool:
        """Return whether it raised an error."""
        return self._error is not None

    def go_on(self) -> bool:
        """Do as much as fits into a tick; whether it is through."""
        if not self._is_through:
            try:
                self._is_through = self._work.go_on(self._allowance)
            except Exception as error:  # it is raised where the result is asked for, as other revisers' are
                self._is_through, self._error = True, error
            self._allowance.renew()
        return self._is_through

    def result(self) -> T:
        """Return the result, once there is one; before, all that is left is done at once.

        Raises:
            Exception: what it raised.
        """
        if self._error is not None:
            raise self._error
        return self._work.finish()
