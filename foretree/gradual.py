"""Long computations that are carried out a bounded amount at a time.

What takes long is written as a generator that yields after each small piece of it. How many pieces are
carried out at a time is counted, not timed, so the same seed gives the same run.
"""

from __future__ import annotations

import gc
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import Generic, TypeAlias, TypeVar

T = TypeVar("T")

#: What is about fewer actions is no burden to the garbage collector.
_LARGE = 1000
#: A threshold that is never reached.
_NEVER = 1 << 30

#: A computation in pieces.
Pieces: TypeAlias = Generator[None, None, T]


def at_once(pieces: Pieces[T]) -> T:
    """Carry out a computation to its end."""
    while True:
        try:
            next(pieces)
        except StopIteration as end:
            result: T = end.value
            return result


def heavy(pieces: int) -> Pieces[None]:
    """Count what follows, and cannot be taken apart, as so many pieces: little else fits into its tick."""
    for _ in range(pieces):
        yield


class _FullCollections:
    """Full garbage collections, put off as long as somebody holds them."""

    def __init__(self) -> None:
        self._holders = 0
        self._threshold = gc.get_threshold()

    def hold(self) -> None:
        if not self._holders:
            self._threshold = gc.get_threshold()
            gc.set_threshold(*self._threshold[:2], _NEVER)
        self._holders += 1

    def release(self) -> None:
        self._holders -= 1
        if not self._holders:
            gc.set_threshold(*self._threshold)


_full_collections = _FullCollections()


@contextmanager
def uncollected(size: int) -> Iterator[None]:
    """While the body makes what is there to stay, do without garbage collections, if that is much.

    Afterwards it counts as old: that it is no garbage needs no looking through.

    Args:
        size: about how many actions it is.
    """
    if size < _LARGE or not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        if not gc.get_freeze_count():
            gc.freeze()
            gc.unfreeze()
        gc.enable()


class Allowance:
    """How many pieces may still be carried out, of all that is gone on with in one tick.

    Args:
        most: how many there are in each tick.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self.left = most

    def renew(self) -> None:
        """Begin another tick."""
        self.left = self._most


class Gradual(Generic[T]):
    """A computation that is gone on with until it has a result.

    To look through a plan of ten thousand actions, of which nothing is garbage, takes the collector longer
    than all that is computed. So until a large computation is through, full collections are put off.

    Args:
        pieces: what is to be carried out.
        size: about how many actions it is.
    """

    def __init__(self, pieces: Pieces[T], size: int = 0) -> None:
        self._pieces = pieces
        self._result: list[T] = []
        self._holds = size >= _LARGE
        if self._holds:
            _full_collections.hold()

    def go_on(self, allowance: Allowance) -> bool:
        """Carry out as many pieces as are allowed; whether there is a result."""
        while not self._result and allowance.left > 0:
            allowance.left -= 1
            try:
                next(self._pieces)
            except StopIteration as end:
                self._result.append(end.value)
                self._release()
        return bool(self._result)

    def finish(self) -> T:
        """Carry out all that is left."""
        if not self._result:
            self._result.append(at_once(self._pieces))
            self._release()
        return self._result[0]

    @property
    def result(self) -> T:
        """What came of it, once it is through."""
        return self._result[0]

    def _release(self) -> None:
        if self._holds:
            self._holds = False
            _full_collections.release()

    def __del__(self) -> None:
        self._release()  # it was given up
