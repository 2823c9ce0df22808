"""Numbered furniture: "the second kitchen table", "kitchen tables 1 and 2", "table 1 of the kitchen"."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from foretree.reasoning.offline.lexicon import AND, DEFINITE, NUMBERS, ORDINALS, after_any
from foretree.reasoning.offline.phrases.descriptions import NounPhrase
from foretree.reasoning.offline.phrases.known_things import known_things
from foretree.reasoning.offline.phrases.words.scene_words import SceneWords
from foretree.reasoning.reasoner import Situation
from foretree.world_model.ontology import Naming

#: Said between a noun and its number: "kitchen table number 2".
_NUMBER = ("number", "no", "nr")
#: There are no more of a kind in a list: longer numbers are those of rooms.
_MOST = 20
Nouns = Callable[[int], Iterable["tuple[Naming, int]"]]


class NumberReader:
    """Reads furniture of which the map gives the numbers.

    Args:
        tokens: the words.
        situation: where they are said.
        scene: the words for what is there.
        nouns: reads the nouns at a position.
    """

    def __init__(self, tokens: Sequence[str], situation: Situation, scene: SceneWords, nouns: Nouns) -> None:
        self._tokens = tokens
        self._things = known_things(situation)
        self._scene = scene
        self._nouns = nouns

    def at(self, start: int) -> Iterator[tuple[NounPhrase, int]]:
        """Yield the phrases at a position for furniture with numbers, longer ones first."""
        at = start + (self._word(start) in DEFINITE)
        for numbers, names, end in (*self._behind(at), *self._before(at)):
            text = " ".join(self._tokens[start:end])
            found = [NounPhrase(text, "name", name=name) for name in names]
            if len(found) == len(numbers):
                yield replace(found[0], also=tuple(found[1:]), plural=len(found) > 1), end

    def _behind(self, at: int) -> Iterator[tuple[list[int], list[str], int]]:
        """Yield the furniture whose numbers follow the noun: "tables 1 and 2", "table 1 of the kitchen"."""
        for naming, end in self._nouns(at):
            plain = end
            end += self._word(end) in _NUMBER
            numbers, stop = self._listed(end, self._cardinal)
            if numbers and self._word(stop) in ("of", "in"):
                for room, after in self._scene.rooms.at(self._tokens, stop + 1):
                    yield numbers, self._of_room(naming.class_name, numbers, room.room), after
            if numbers and not (stop == plain + 1 and self._word(plain).isdecimal()):
                yield numbers, self._named(naming.class_name, numbers), stop

    def _before(self, at: int) -> Iterator[tuple[list[int], list[str], int]]:
        """Yield the furniture whose numbers come before the noun: "the first two tables"."""
        numbers, end = self._listed(at, self._ordinal)
        count = NUMBERS.get(self._word(end), 0)
        if numbers == [1] and count > 1:
            numbers, end = list(range(1, count + 1)), end + 1
        for naming, stop in self._nouns(end) if numbers else ():
            yield numbers, self._named(naming.class_name, numbers), stop

    def _listed(self, at: int, number_of: Callable[[str], int]) -> tuple[list[int], int]:
        """Return the numbers in a list at a position, and the position after them."""
        numbers = [number_of(self._word(at))]
        while number := numbers[-1]:
            at += 1
            after = after_any(self._tokens, at, AND)
            if after is None:
                return numbers, at
            after += self._word(after) in DEFINITE
            if not 0 < (number := number_of(self._word(after))) <= _MOST:
                return numbers, at
            numbers.append(number)
            at = after
        return [], at

    @staticmethod
    def _cardinal(word: str) -> int:
        number = int(word) if word.isdecimal() else NUMBERS.get(word, 0)
        return number if number <= _MOST else 0

    @staticmethod
    def _ordinal(word: str) -> int:
        return ORDINALS.get(word, 0)

    def _named(self, class_name: str, numbers: Sequence[int]) -> list[str]:
        """Return the furniture of a class that has these numbers."""
        names = (f"{class_name}{number}" for number in numbers)
        return [name for name in names if self._is_furniture(name, class_name)]

    def _of_room(self, class_name: str, numbers: Sequence[int], room: str) -> list[str]:
        """Return the furniture of a kind that has these numbers in a room, where only one kind has."""
        kinds = (class_name, f"{room}_{class_name}", *self._things.compounds_of(class_name))
        for kind in kinds:
            names = self._named(kind, numbers)
            if names and all(self._things.room_of(name) == room for name in names):
                return names
        return []

    def _is_furniture(self, name: str, class_name: str) -> bool:
        kind = self._scene.kinds.get(name)
        return kind == class_name and self._things.are_fixed((name,))

    def _word(self, at: int) -> str:
        return self._tokens[at] if at < len(self._tokens) else ""
