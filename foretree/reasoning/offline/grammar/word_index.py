"""An index of what can be in a sentence only if some of its words are."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Generic, TypeVar

Item = TypeVar("Item")


class WordIndex(Generic[Item]):
    """Items, each with sets of words of which a sentence must have one each.

    Args:
        items: the items with their sets.
    """

    def __init__(self, items: Iterable[tuple[Item, Sequence[frozenset[str]]]]) -> None:
        self._items = tuple(items)
        self._anywhere: list[int] = []
        self._by_word: dict[str, list[int]] = {}
        common: dict[str, int] = {}
        for _, needed in self._items:
            for word in frozenset[str]().union(*needed):
                common[word] = common.get(word, 0) + 1
        for number, (_, needed) in enumerate(self._items):
            if not needed:
                self._anywhere.append(number)
                continue
            rarest = min(needed, key=lambda words: sum(common[word] for word in words))
            for word in rarest:
                self._by_word.setdefault(word, []).append(number)

    def among(self, said: Collection[str]) -> tuple[Item, ...]:
        """The items that can be in a sentence of the words *said*, in order."""
        said = frozenset(said)
        likely = {number for word in said for number in self._by_word.get(word, ())}
        found = (self._items[number] for number in sorted((*self._anywhere, *likely)))
        return tuple(item for item, needed in found if not any(said.isdisjoint(words) for words in needed))
