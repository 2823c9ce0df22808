"""Words of order: "first wash the plate, then put it away", "switch on the lamp afterwards".

The words themselves are left out where requests are read. What they say stays with the words around them:
each is a :class:`PlacedWord`, which knows the step of the instruction that it belongs to.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from foretree.reasoning.offline.lexicon import DEFINITE, INDEFINITE, Phrases, opening, phrases, word_set

#: What follows one of these, or ends with it, comes after what was said before it.
_THEN = phrases(
    """
    at the very end,
    then, only then, after that, after this, after which, afterwards, afterward, following that, subsequently,
    thereafter, thereupon, next, next up, next thing, finally, lastly, last of all, last thing,
    secondly, thirdly, fourthly, second, third, fourth, fifth, sixth, second of all, third of all,
    last but not least, with that done, that done, when that is done, when that's done, once that is done,
    once that's done, after that is done, after that's done, when you are done, when you're done, when done,
    once done, once you are done, once you're done, after you are done, after you're done, when finished,
    when you have finished, when you've finished, once you have finished, once you've finished,
    when you are finished, when you're finished, to finish, to finish off, to finish up
    """
)
#: What follows one of these, or ends with it, comes before the rest of its step.
_FIRST = phrases(
    """
    first, first of all, first off, first thing, first up, firstly, first and foremost, to start with,
    to begin with, for starters, for a start, before anything else, before everything else, before all else,
    before you do anything else
    """
)
#: The same, before what is to come first.
_BEFORE_THAT = phrases(
    """
    before that, before this, beforehand, prior to that, before doing that, before doing so,
    before you do that, before you do so, ahead of that
    """
)
#: With one of these a deed goes on: "but before that put *the* cloth there".
_OBJECTS = DEFINITE | INDEFINITE | word_set("it them me us on off up down out all both every each some")
_STOPS = frozenset({".", ";", ":", "?"})
_JOINTS = frozenset({",", "and", "but", "so", "please"}) | _STOPS
_DETERMINERS = DEFINITE | INDEFINITE
#: In a sentence that opens with one, the first "then" opens what is to be done in that case.
_CONDITIONS = word_set("if when whenever unless once after provided assuming")
#: Together with these, "then" is a moment: "now and then", "by then".
_MOMENTS = word_set("by until till since from back now")


class Step(NamedTuple):
    """A place in the order in which an instruction says that things are to be done; earlier ones are less.

    Attributes:
        number: the number of words of order before it.
        rest: whether it is not what is said to come first in it.
    """

    number: int
    rest: bool = True


class PlacedWord(str):
    """A word of an instruction, with the step that it is part of and the moment that it is said for."""

    __slots__ = ("moment", "step")
    step: Step | None
    moment: object

    def __new__(cls, word: str, step: Step | None, moment: object = None) -> PlacedWord:
        placed = super().__new__(cls, word)
        placed.step = step
        placed.moment = moment
        return placed


def in_sequence(tokens: Sequence[str], nouns: Collection[str]) -> list[str]:
    """Return the words of an instruction, each with its step; as they are where no word of order is said.

    Args:
        tokens: the words.
        nouns: words for things here, which "first" and its like may belong to.
    """
    tokens = _with_first(tokens)
    parts = [*_parts(tokens, nouns)]
    if len({step for _, step in parts}) < 2:
        return [*tokens]
    return [PlacedWord(word, step, getattr(word, "moment", None)) for words, step in parts for word in words]


def _with_first(tokens: Sequence[str]) -> Sequence[str]:
    """Return the words with "first" for "before that": "wash it, but *before that* open the window"."""
    for at in range(1, len(tokens)):
        end = at + opening(tokens, _BEFORE_THAT, at)
        after = end + (tokens[end : end + 1] == [","])
        if end > at and tokens[at - 1] in _JOINTS and {*tokens[after + 1 : after + 2]} & _OBJECTS:
            return [*tokens[:at], "first", *_with_first([*tokens[after:]])]
    return tokens


def step_of(words: Iterable[str]) -> Step | None:
    """Return the step that words of one request are part of; None if that is not known."""
    placed = (word.step for word in words if isinstance(word, PlacedWord))
    steps = [step for step in placed if step is not None]
    first = [step for step in steps if not step.rest]
    return max(first or steps, default=None)


def _parts(tokens: Sequence[str], nouns: Collection[str]) -> Iterator[tuple[Sequence[str], Step]]:
    """Yield the words from one joint or "then" to the next, with their steps."""
    number = 0
    leads = alone = False
    for begin, end in pairwise(_bounds(tokens)):
        part = _trimmed(tokens[begin:end])
        goes_on = leads and alone  # "First, wash it"
        leads, alone = _is_marked(part, _FIRST, nouns), len(part) == opening(part, _FIRST)
        if _is_marked(part, _THEN, nouns) and not _opens_consequence(tokens, begin):
            number += 1
        yield tokens[begin:end], Step(number, rest=not (leads or goes_on))


def _bounds(tokens: Sequence[str]) -> Iterator[int]:
    """Yield the positions where parts begin, and the end."""
    yield 0
    for at in range(1, len(tokens)):
        if (tokens[at - 1] in _JOINTS and tokens[at] not in _JOINTS) or (
            tokens[at] == "then" and {*tokens[max(at - 2, 0) : at]}.isdisjoint(_MOMENTS | {"only"})
        ):
            yield at
    yield len(tokens)


def _trimmed(part: Sequence[str]) -> Sequence[str]:
    """Return a part without the joints at its end."""
    end = len(part)
    while end and part[end - 1] in _JOINTS:
        end -= 1
    return part[:end]


def _is_marked(part: Sequence[str], markers: Phrases, nouns: Collection[str]) -> bool:
    """Return whether a part begins or ends with one of *markers*."""
    length = opening(part, markers)
    if length:
        # "First drawer" is a thing, but "first water the plants" is not.
        thing = {*part[length : length + 1]} & {*nouns} and _DETERMINERS.isdisjoint(
            part[length + 1 : length + 2]
        )
        return not thing and part[length : length + 1] not in (["to"], ["of"])
    ends = (at for at in range(1, len(part)) if opening(part, markers, at) == len(part) - at)
    at = next(ends, None)
    return at is not None and part[at - 1] not in _DETERMINERS


def _opens_consequence(tokens: Sequence[str], at: int) -> bool:
    """Return whether "then" at a position only says what is to be done under a condition."""
    begin = next((i + 1 for i in range(at - 1, -1, -1) if tokens[i] in _STOPS), 0)
    conditions = [i for i in range(begin, at) if tokens[i] in _CONDITIONS]
    return bool(conditions) and "," not in tokens[conditions[-1] : at - 1]
