"""Values made of a situation, of which the latest are kept: each clause needs them anew."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

Value = TypeVar("Value")

#: An instruction is read in several situations by turns: with further nouns, with descriptions put as nouns.
_MOST_KEPT = 6


class Latest(Generic[Value]):
    """The values made last, each found again by the objects, not only equal ones, of which it was made."""

    def __init__(self) -> None:
        self._kept: list[tuple[tuple[object, ...], Value]] = []

    def of(self, parts: tuple[object, ...], make: Callable[[], Value]) -> Value:
        """Return the value that is kept for *parts*, else make it."""
        for at, (known, value) in enumerate(self._kept):
            if all(one is other for one, other in zip(known, parts, strict=True)):
                if at:
                    self._kept.insert(0, self._kept.pop(at))
                return value
        value = make()
        self._kept[:] = [(parts, value), *self._kept[: _MOST_KEPT - 1]]
        return value
