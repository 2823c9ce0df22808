"""Rows of names by predicate, found by what is known of them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import cache
from operator import itemgetter
from typing import TypeAlias

Row: TypeAlias = "tuple[str, ...]"


def _nothing(_: Sequence[str | None]) -> Hashable:
    return None


@cache
def picker(places: tuple[int, ...]) -> Callable[[Sequence[str | None]], Hashable]:
    """Return a function that picks the values at *places*, as a key of :meth:`Relations.index`."""
    return itemgetter(*places) if places else _nothing


class Relations:
    """Rows by predicate, with an index for every set of columns that was ever asked for."""

    def __init__(self) -> None:
        self._rows: dict[str, list[Row]] = {}
        self._indices: dict[str, dict[tuple[int, ...], dict[Hashable, list[Row]]]] = {}

    def add(self, name: str, row: Row) -> None:
        """Take in one row more; the indices that were asked for have it from now on."""
        self._rows.setdefault(name, []).append(row)
        for columns, index in self._indices.get(name, {}).items():
            index.setdefault(picker(columns)(row), []).append(row)

    def agreeing(self, name: str, known: Sequence[str | None]) -> Sequence[Row]:
        """Return the rows of *name* that have the *known* values; None stands for any."""
        columns = tuple(column for column, value in enumerate(known) if value is not None)
        return self.index(name, columns).get(picker(columns)(known), ())

    def size(self, name: str) -> int:
        """Return the number of rows of *name*."""
        return len(self._rows.get(name, ()))

    def index(self, name: str, columns: tuple[int, ...]) -> Mapping[Hashable, list[Row]]:
        """The rows of *name* by their values in *columns*, in the order in which they were added."""
        indices = self._indices.setdefault(name, {})
        found = indices.get(columns)
        if found is None:
            found = indices[columns] = {}
            pick = picker(columns)
            for row in self._rows.get(name, ()):
                found.setdefault(pick(row), []).append(row)
        return found
