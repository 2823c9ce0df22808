"""A purpose of things, and all that are known."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Purpose:
    """A purpose that things have.

    Attributes:
        name: the purpose, in words.
        made: names of the classes that are made for it.
        serves: names of the classes that will do for it, the best first.
        words: words that speak of the need for it.
    """

    name: str
    made: tuple[str, ...]
    serves: tuple[str, ...] = ()
    words: tuple[str, ...] = ()

    def rank(self, names: frozenset[str]) -> int | None:
        """Return how well a class of some names will do, 0 for the best; None if it will not."""
        if not names.isdisjoint(self.made):
            return 0
        return next((at for at, name in enumerate(self.serves, start=1) if name in names), None)


@dataclass(frozen=True)
class Purposes:
    """All purposes that are known.

    Attributes:
        purposes: the purposes.
        alone: names of classes that nothing takes the place of.
    """

    purposes: tuple[Purpose, ...]
    alone: frozenset[str]
