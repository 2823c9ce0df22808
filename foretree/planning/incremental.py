"""Long computations that are carried out a bounded amount at a time.

What takes long is written as a generator that says before each piece of it how much that is: as how many
small pieces it counts. How many are carried out at a time is counted, not timed, so the same seed gives the
same run.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, MutableMapping, Sized
from typing import Any, Generic, TypeAlias, TypeVar

from foretree.garbage import gc_paused

S = TypeVar("S")
T = TypeVar("T")

#: So many parts of something are freed as one piece of work.
_FREED_AT_A_TIME = 100

#: Pieces are small: where there are many of them, so many are carried out in a row.
BATCH = 8

#: A computation in pieces; it yields as how many the next one counts.
Increments: TypeAlias = Generator[int, None, T]


def run_to_end(pieces: Increments[T]) -> T:
    """Carry out a computation to its end."""
    while True:
        try:
            next(pieces)
        except StopIteration as end:
            result: T = end.value
            return result


def weighted(pieces: int) -> Increments[None]:
    """Count what follows, and cannot be taken apart, as so many pieces, so that little else fits its tick."""
    if pieces > 0:
        yield pieces


def map_gradually(function: Callable[[S], T], items: Iterable[S], at_a_time: int) -> Increments[list[T]]:
    """Return *function* of each item; so many items count as one increment."""
    mapped = []
    for number, item in enumerate(items):
        if (number + 1) % (BATCH * at_a_time) == 0:
            yield BATCH
        mapped.append(function(item))
    return mapped


def clear_gradually(parts: MutableMapping[str, Any]) -> Increments[None]:
    """Empty a mapping that is no longer needed part by part: to free all that it holds takes long."""
    while parts:
        _, part = parts.popitem()
        if isinstance(part, Sized):
            yield from weighted(len(part) // _FREED_AT_A_TIME)
        del part


class IncrementBudget:
    """The pieces that may still be carried out in one tick, of all computations together.

    What counts as more than is left is on account of the ticks that follow.

    Args:
        most: how many there are in each tick.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self.left = most

    def renew(self) -> None:
        """Begin another tick."""
        self.left = min(self.left, 0) + self._most


class IncrementalTask(Generic[T]):
    """A computation that is carried on, some pieces at a time, until it has a result.

    Args:
        pieces: what is to be carried out.
        size: about how many actions it is about.
    """

    def __init__(self, pieces: Increments[T], size: int = 0) -> None:
        self._pieces = pieces
        self._size = size
        self._result: list[T] = []

    def go_on(self, allowance: IncrementBudget) -> bool:
        """Carry out as many pieces as are allowed, and tell whether there is a result."""
        if not self._result and allowance.left > 0:
            with gc_paused(self._size):
                self._carry_out(allowance)
        return bool(self._result)

    def _carry_out(self, allowance: IncrementBudget) -> None:
        pieces = self._pieces
        while allowance.left > 0:
            try:
                allowance.left -= next(pieces)
            except StopIteration as end:
                allowance.left -= 1
                self._result.append(end.value)
                return

    def finish(self) -> T:
        """Carry out all that is left."""
        if not self._result:
            with gc_paused(self._size):
                self._result.append(run_to_end(self._pieces))
        return self._result[0]

    @property
    def result(self) -> T:
        """The result, once there is one."""
        return self._result[0]
