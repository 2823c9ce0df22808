"""Moments of the way: "before you leave the kitchen", "once you are in the hall", "on your way out".

The words are left out where requests are read. What they say stays with the words of the request that they
belong to, as the order does that "then" says: see :mod:`foretree.reasoning.offline.sentences.sequence`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Literal as Choice

from foretree.reasoning.instruction_errors import NotUnderstoodError
from foretree.reasoning.offline.lexicon import Phrase, Phrases, opening, trimmed
from foretree.reasoning.offline.phrases.words.rooms import RoomPart, RoomPhrases
from foretree.reasoning.offline.phrases.words.scene_words import scene_words
from foretree.reasoning.offline.sentences.sequence import PlacedWord, in_sequence
from foretree.reasoning.reasoner import Situation

#: What the robot does at a moment; ``back`` is to come to where it has been before.
Passing = Choice["leaves", "has left", "has come", "comes back"]


def _said(openings: str, verbs: str) -> Iterator[Phrase]:
    """Yield the words of each opening with each verb; lists are separated by commas."""
    for first, verb in product(openings.split(","), verbs.split(",")):
        said = f"{' '.join(first.split())} {' '.join(verb.split())}"
        for short in dict.fromkeys(
            (said, said.replace("you are", "you're"), said.replace("you have", "you've"))
        ):
            yield tuple(short.split())


_OUT = (
    "leave, exit, depart from, depart, go out of, get out of, walk out of, come out of, step out of, "
    "move out of"
)
_LEAVING = (
    "leaving, exiting, departing from, departing, going out of, getting out of, walking out of, "
    "stepping out of"
)
_IN = (
    "are in, are inside, get to, get into, get in, come to, come into, come in, reach, enter, arrive in, "
    "arrive at, arrive, go into, walk into, step into, make it to"
)
_BEEN_IN = (
    "are in, are inside, have reached, have entered, have arrived in, have arrived at, have got to, "
    "have got into, have gone into, reach, enter, get to, get into, arrive in, arrive at, go into, come into"
)
_COMING_IN = "entering, reaching, getting to, getting into, arriving in, arriving at, going into, coming into"
_BACK = (
    "come back, are back, get back, return, have come back, have returned, have got back, go back, "
    "coming back, returning, getting back"
)

_MARKERS: dict[Passing, tuple[Phrase, ...]] = {
    "leaves": (
        *_said("before you, just before you, right before you, as you, when you, while you", _OUT),
        *_said("before, just before, prior to, when, while, on, upon", _LEAVING),
        *_said("on your way, on the way", "out of, out from"),
        *_said("on your way, on the way", "out"),
    ),
    "has left": (
        *_said(
            "after you, once you, as soon as you, after you have, once you have, as soon as you have", _OUT
        ),
        *_said("after you have, once you have, as soon as you have", "left, exited, gone out of, got out of"),
        *_said("once you are, as soon as you are, when you are", "out of, outside, outside of"),
        *_said("after, after having", "leaving, exiting, left, exited, going out of, getting out of"),
    ),
    "has come": (
        *_said("once you, as soon as you, when you", _IN),
        *_said("after you, once you, as soon as you", _BEEN_IN),
        *_said("after, when, on, upon, once", _COMING_IN),
        *_said("once, when, as soon as", "in, inside"),
        *_said("on arrival, upon arrival, on your arrival, upon your arrival", "in, at"),
    ),
    "comes back": (
        *_said("after you, once you, as soon as you, when you, before you", _BACK),
        *_said(
            "after, when, on, upon, before, once, as soon as", "coming back, returning, getting back, back"
        ),
        *_said("on your way, on the way", "back"),
        *_said("on, upon, after", "your return"),
    ),
}
_PHRASES = {passing: Phrases(phrases) for passing, phrases in _MARKERS.items()}
_JOINTS = frozenset({",", "and", "but", "so", "then"})
_STOPS = frozenset({".", ";", ":"})
#: The room where the robot is.
_HERE = Phrases(
    tuple(words.split()) for words in ("the room", "this room", "that room", "here", "this place")
)
_HOME = Phrases(
    tuple(words.split())
    for words in (
        "the house", "the home", "home", "the flat", "the apartment", "the building", "the place",
        "this house",
        "this flat", "my house", "my flat", "my apartment", "our house", "our flat",
    )
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class MomentOfWay:
    """A moment of the robot's way, at or after which something is to be done, or before it.

    Attributes:
        passing: what the robot does at it.
        said: the words.
        room: the room that it is about; None where none is named.
        home: whether it is the home as a whole that is left.
    """

    passing: Passing
    said: str
    room: RoomPart | None = None
    home: bool = False


def placed_words(tokens: Sequence[str], situation: Situation, verbs: Collection[str]) -> list[str]:
    """Return the words of an instruction, each with what is said of when the request is to be carried out.

    Raises:
        NotUnderstoodError: it is not clear what is to be done at a moment.
    """
    words = with_moments(tokens, scene_words(situation).rooms, verbs)
    return in_sequence(words, situation.ontology.words_of_names)


def moments_of(words: Iterable[str]) -> dict[MomentOfWay, None]:
    """Return the moments that words are said for, in order."""
    found = (word.moment for word in words if isinstance(word, PlacedWord))
    return {moment: None for moment in found if isinstance(moment, MomentOfWay)}


def with_moments(tokens: Sequence[str], rooms: RoomPhrases, verbs: Collection[str]) -> list[str]:
    """Return the words of an instruction without its moments, each with the one that it is said for.

    Args:
        tokens: the words.
        rooms: the rooms that are known.
        verbs: the words that commands begin with.

    Raises:
        NotUnderstoodError: it is not clear what is to be done at a moment.
    """
    if not any(word in _BEGINNINGS for word in tokens):
        return [*tokens]
    found: list[str] = []
    for sentence in _steps(tokens):
        found += _placed(sentence, rooms, verbs)
    return found


_BEGINNINGS = {phrase[0] for phrases in _PHRASES.values() for phrase in phrases}


def _steps(tokens: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield the words up to each full stop and from each "then" on."""
    begin = 0
    for at, word in enumerate(tokens):
        if word in _STOPS or (word == "then" and at > begin and tokens[at - 1] not in (",", "and", "by")):
            end = at + (word in _STOPS)
            yield tuple(tokens[begin:end])
            begin = end
        elif word == "then" and at > begin and tokens[at - 1] in (",", "and"):
            yield tuple(tokens[begin : at - 1])
            begin = at - 1
    yield tuple(tokens[begin:])


def _placed(words: tuple[str, ...], rooms: RoomPhrases, verbs: Collection[str]) -> tuple[str, ...]:
    """Return the words of one step without its moment."""
    for at in range(len(words)):
        read = _moment_at(words, at, rooms, verbs)
        if read is None:
            continue
        moment, end = read
        before, after = words[:at], words[end:]
        said_first = not trimmed(before) or before[-1] in _JOINTS
        rest = _placed(after, rooms, verbs)
        if said_first and _says(rest):
            if moments_of(rest):
                raise _unclear(moment)
            comma = rest[:1] == (",",)
            return (*before, *_marked(rest[comma:], moment))
        if _says(rest) and rest[0] not in (",", "and", "but"):
            raise _unclear(moment)
        if not _says(before) or moments_of(before):
            raise _unclear(moment)
        return (*_marked(_without_comma(before), moment), *rest)
    return words


def _says(words: Sequence[str]) -> bool:
    return any(word not in _JOINTS and word not in _STOPS for word in words)


def _without_comma(words: tuple[str, ...]) -> tuple[str, ...]:
    return words[:-1] if words[-1:] == (",",) else words


def _marked(words: Sequence[str], moment: MomentOfWay) -> Iterator[str]:
    return (word if word in _STOPS else PlacedWord(word, None, moment) for word in words)


def _unclear(moment: MomentOfWay) -> NotUnderstoodError:
    return NotUnderstoodError(
        f'What is to be done "{moment.said}" is not clear. Say each in a sentence of its own: '
        '"before you leave the kitchen, close the fridge".'
    )


def _moment_at(
    words: tuple[str, ...], at: int, rooms: RoomPhrases, verbs: Collection[str]
) -> tuple[MomentOfWay, int] | None:
    """Return the moment that begins at a position, and its end; None if none does."""
    if words[at] not in _BEGINNINGS:
        return None
    for passing, phrases in _PHRASES.items():
        for phrase in phrases.at(words, at):
            end = at + len(phrase)
            place = _room_at(words, end, passing, rooms)
            if place is not None:
                room, stop, home = place
            elif passing in ("leaves", "comes back") and phrase[-1] not in ("of", "from"):
                room, stop, home = None, end, False
            else:
                continue
            if _ends(words, stop, verbs):
                return MomentOfWay(passing, " ".join(words[at:stop]), room, home), stop
    return None


def _room_at(
    words: tuple[str, ...], at: int, passing: Passing, rooms: RoomPhrases
) -> tuple[RoomPart | None, int, bool] | None:
    """Return the room that is named at a position, where its name ends, and whether the home is meant."""
    if passing == "comes back":
        at += words[at : at + 1] in (("to",), ("in",), ("into",), ("from",))
    if length := opening(words, _HERE, at):
        return None, at + length, False
    if length := opening(words, _HOME, at):
        return None, at + length, True
    found = next(rooms.at(words, at), None)
    return None if found is None else (*found, False)


def _ends(words: tuple[str, ...], at: int, verbs: Collection[str]) -> bool:
    """Return whether nothing else is said of a moment that ends at a position."""
    return at >= len(words) or words[at] in (
        *_JOINTS,
        *_STOPS,
        *verbs,
        "please",
        "do",
        "make",
        "always",
        "never",
    )
