"""Phrases for rooms: "the kitchen", "office 605", "605"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from foretree.reasoning.offline.lexicon import AND, Phrase, Phrases, after_any, starts_with
from foretree.reasoning.reasoner import Situation

#: Other names for kinds of rooms.
_ROOMS: dict[str, tuple[Phrase, ...]] = {
    "living": (
        ("living", "room"),
        ("lounge",),
        ("sitting", "room"),
        ("front", "room"),
        ("parlour",),
        ("sitting", "area"),
        ("family", "room"),
        ("drawing", "room"),
        ("day", "room"),
        ("tv", "room"),
        ("living", "space"),
        ("main", "room"),
    ),
    "bathroom": (
        ("bath",),
        ("bath", "room"),
        ("restroom",),
        ("washroom",),
        ("toilet",),
        ("loo",),
        ("lavatory",),
        ("wc",),
        ("shower", "room"),
        ("powder", "room"),
    ),
    "bedroom": (("bed", "room"), ("sleeping", "room"), ("bedchamber",), ("sleeping", "quarters")),
    "kitchen": (("kitchenette",), ("cooking", "area"), ("galley",)),
    "kitchenette": (("kitchen",), ("kitchen", "area"), ("kitchen", "corner"), ("cooking", "area")),
    "hall": (
        ("hallway",),
        ("corridor",),
        ("entrance",),
        ("entrance", "hall"),
        ("entryway",),
        ("foyer",),
        ("vestibule",),
        ("lobby",),
        ("passage",),
        ("front", "hall"),
    ),
    "study": (("office",), ("home", "office"), ("workroom",), ("work", "room"), ("den",), ("library",)),
}
#: A number with so many digits is the number of a room, without further words.
_LONG_NUMBER = 3


@dataclass(frozen=True, slots=True)
class RoomPart:
    """A room, or a part of one that was made of several.

    Attributes:
        room: the room.
        number: the number of the part; empty for all of it.
        also: further rooms that were listed with it: "602 and 603".
    """

    room: str
    number: str = ""
    also: tuple[RoomPart, ...] = ()

    def has(self, name: str) -> bool:
        """Return whether a thing of the room is in this part, by the number in its name."""
        return not self.number or re.sub(r"^\D+", "", name) == self.number


class RoomPhrases:
    """The rooms of a situation, by what they are called."""

    def __init__(self, situation: Situation) -> None:
        parts = {
            words: part for room in sorted({*situation.rooms.values()}) for words, part in _parts_of(room)
        }
        self._parts = dict(sorted(parts.items(), key=lambda one: -len(one[0])))
        self._words = Phrases(self._parts)

    def __bool__(self) -> bool:
        return bool(self._parts)

    def __iter__(self) -> Iterator[Phrase]:
        return iter(self._parts)

    def at(self, tokens: Sequence[str], at: int) -> Iterator[tuple[RoomPart, int]]:
        """Yield the rooms that the words from *at* on name, with where the words end."""
        at += starts_with(tokens, at, ("the",))
        for words in self._words.at(tokens, at):
            yield self._parts[words], at + len(words)

    def listed_at(self, tokens: Sequence[str], at: int) -> Iterator[tuple[RoomPart, int]]:
        """Yield the rooms, or lists of rooms, at a position, longer ones first: "602, 603 and 604"."""
        for part, end in self.at(tokens, at):
            after = after_any(tokens, end, AND)
            for more, stop in self.listed_at(tokens, after) if after is not None else ():
                yield replace(part, also=(replace(more, also=()), *more.also)), stop
            yield part, end

    def is_numbered(self, tokens: Sequence[str], at: int) -> bool:
        """Return whether a bare number at a position is that of a room, and counts nothing."""
        return tokens[at : at + 1] != [] and tokens[at].isdecimal() and (tokens[at],) in self._parts


def _parts_of(name: str) -> Iterator[tuple[Phrase, RoomPart]]:
    """The phrases for a room: ``office605`` is *office 605*, ``office601_602`` also *office 601*."""
    whole = RoomPart(name)
    words = tuple(name.lower().replace("_", " ").split())
    yield words, whole
    if len(words) == 1 and not words[0].endswith("room"):
        yield (*words, "room"), whole
        yield (*words, "area"), whole
    if words[-1] == "room":
        yield words[:-1], whole
    for other in _ROOMS.get(words[0], ()):
        yield other, whole
    numbered = re.fullmatch(r"([^\W\d]+?)_?(\d+(?:_\d+)*)", name.lower())
    if numbered is not None:
        noun, numbers = tuple(numbered[1].replace("_", " ").split()), numbered[2].split("_")
        yield (*noun, *numbers), whole
        for number in numbers:
            part = RoomPart(name, number) if len(numbers) > 1 else whole
            for said in (*noun, f"{noun[-1]}s", "room", "rooms", "number"):
                yield (said, number), part
            if len(number) >= _LONG_NUMBER:
                yield (number,), part


def door_of(room: RoomPart, named: Mapping[str, str]) -> str | None:
    """Return the door that has the name of a room, or its number.

    Args:
        room: the room.
        named: the names of entities, by how they are said.
    """
    said = room.room.lower().replace("_", "")
    number = room.number or said.lstrip("abcdefghijklmnopqrstuvwxyz")
    names = (f"{said}door", f"{said.removesuffix('room')}door", *([f"door{number}"] if number else ()))
    return next((named[name] for name in names if name in named), None)
