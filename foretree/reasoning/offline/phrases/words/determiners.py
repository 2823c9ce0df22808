"""Determiners: the words by which a noun phrase picks its things, and how many."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from foretree.reasoning.offline import lexicon
from foretree.reasoning.offline.lexicon import Phrase, after_any, phrases
from foretree.reasoning.offline.phrases.descriptions import FURTHER, ReferenceKind

_AT_LEAST = phrases(
    "at least, no fewer than, no less than, not fewer than, not less than, a minimum of, minimum"
)
_AT_MOST = phrases("at most, no more than, not more than, up to, a maximum of, maximum, at the most")
_MORE_THAN = phrases("more than, over")
_EXACTLY = phrases("exactly, precisely, only, just")
#: Numbers of more than one word, or that "of" may follow.
_AMOUNTS: tuple[tuple[Phrase, int], ...] = (
    (("half", "a", "dozen"), 6),
    (("a", "dozen"), 12),
    (("a", "couple", "of"), 2),
    (("a", "couple"), 2),
    (("couple", "of"), 2),
    (("a", "pair", "of"), 2),
    (("a", "couple", "more"), 2),
    (("a", "duo", "of"), 2),
    (("a", "trio", "of"), 3),
    (("a", "lot", "of"), 2),
    (("lots", "of"), 2),
    (("plenty", "of"), 2),
    (("loads", "of"), 2),
    (("a", "number", "of"), 2),
    (("a", "handful", "of"), 2),
    (("a", "bunch", "of"), 2),
    (("a", "selection", "of"), 2),
    (("one", "or", "two"), 1),
    (("two", "or", "three"), 2),
    (("a", "few"), 2),
)
_EACH = phrases(
    """
    the whole lot of, the whole bunch of, the entire set of, the lot of, absolutely all, literally all,
    absolutely every, literally every, all and any, any and all, each individual, every individual,
    every single one of, every last one of, every single, every last, every one of, each and every one of,
    each and every, each single, each one of, each of, all of, all
    """
)
_REST = phrases("the rest of, the remainder of, the remaining, all the other, all other, all remaining")
_SOME_OF = phrases("some, several")
_ANY_OF = phrases(
    """
    any old, any random, whichever one of, whichever of, whichever, any one of, any of, any one, any,
    either one of, either of, either
    """
)
#: They say no more than that there is one: "the only mug".
_SKIPPED = frozenset({"other", "only", "single", "very"})
_PAIR = phrases("pair of, couple of, two of, brace of")
_HALF = phrases("half of, half")
_ALL_BUT = phrases("all but, all except, all save, all bar, all except for")


@dataclass(frozen=True, slots=True)
class Determiner:
    """Meaning of the words before a description: how its things are picked.

    Attributes:
        picks: the kind of reference; None if no word says it.
        end: where the description begins.
        number: how many.
        at_most: the greatest number, where there is one.
        exact: whether there are no more than the number.
        other: whether what was spoken of before is left out.
        share: whether half of them are meant, or all but some.
        without: how many are left out, of a share.
        here: whether the speaker points at them.
        counts: whether a number or the like may stand without a noun: "put two on the table".
    """

    picks: ReferenceKind | None
    end: int
    number: int = 1
    at_most: int | None = None
    exact: bool = False
    other: bool = False
    share: bool = False
    without: int = 0
    here: bool = False
    counts: bool = False


def determiners(tokens: Sequence[str], start: int) -> Iterator[Determiner]:
    """Yield what the words from *start* on may be as a determiner, longer ones first."""
    reader = _Determiners(tokens)
    found = (*reader.bounded(start), *reader.quantified(start), *reader.definite(start))
    yield from found or (Determiner(None, start),)


def of_several(found: Determiner, said: Sequence[str]) -> bool:
    """Return whether the words of a determiner are for several things: "both", "one of the"."""
    return (found.exact and said[:1] == [lexicon.BOTH]) or (found.counts and said[-2:] == ["of", "the"])


def of_one(found: Determiner) -> Determiner:
    """The determiner of a pair that is one thing: "a pair of scissors", "two pairs of scissors"."""
    return replace(found, picks="a" if found.picks == "some" else found.picks, number=1)


def after_number_left_out(tokens: Sequence[str], at: int) -> int | None:
    """Return the end of words that say how many of all are left out: "but one"; None if there are none."""
    ends = (after_any(tokens, at, said) for said in (lexicon.EXCEPT, lexicon.EXCEPT_OF_ALL))
    return next((end + 1 for end in ends if end and {*tokens[end : end + 1]} & {*lexicon.NUMBERS}), None)


class _Determiners:
    def __init__(self, tokens: Sequence[str]) -> None:
        self._tokens = tokens

    def _word(self, at: int) -> str:
        return self._tokens[at] if at < len(self._tokens) else ""

    def _after_of_the(self, at: int) -> int:
        """The position after "of the"; of "the two pillows", too, where it is one of them that is meant."""
        if self._word(at) == "of" and self._word(at + 1) in lexicon.DEFINITE:
            return at + 2 + bool(self._number(at + 2) and self._word(at + 2) != "one")
        at += self._word(at) == "of"
        return at + (self._word(at) in lexicon.DEFINITE)

    def _number(self, at: int) -> int:
        """The number at a position; 0 if there is none."""
        word = self._word(at)
        return int(word) if word.isdecimal() and len(word) < 4 else lexicon.NUMBERS.get(word, 0)

    def _amount(self, at: int) -> tuple[int, int] | None:
        """The number that the words at a position say, and the position after them."""
        for words, number in _AMOUNTS:
            if lexicon.starts_with(self._tokens, at, words):
                return number, at + len(words)
        number = self._number(at)
        return (number, at + 1) if number else None

    # -- kinds -------------------------------------------------------------------------------------
    def bounded(self, start: int) -> Iterator[Determiner]:
        """At least two, at most two, exactly two; two; two or more; two more."""
        kinds = ((_AT_LEAST, "least"), (_AT_MOST, "most"), (_EXACTLY, "exactly"))
        if (more := after_any(self._tokens, start, _MORE_THAN)) is not None and self._number(more):
            number = self._number(more) + 1
            yield Determiner("some", self._after_of_the(more + 1), number, counts=True)
            return
        kind, at = next(
            ((kind, end) for said, kind in kinds if (end := after_any(self._tokens, start, said))),
            ("", start),
        )
        amount = self._amount(at)
        if amount is None:
            return
        number, at = amount
        if not kind and lexicon.starts_with(self._tokens, at, ("or", "more")):
            kind, at = "least", at + 2
        other = self._word(at) in ("more", "other", *FURTHER)
        at = self._after_of_the(at + other)
        plain = Determiner("some" if number > 1 else "a", at, number, other=other, counts=True)
        match kind:
            case "most":
                yield replace(plain, picks="some", number=0, at_most=number)
            case "exactly":
                yield replace(plain, picks="some", at_most=number)
            case _:
                yield plain

    def quantified(self, start: int) -> Iterator[Determiner]:
        """All, both, half, any, some, another, the rest of."""
        word, tokens = self._word(start), self._tokens
        if (at := after_any(tokens, start, _REST)) is not None:
            yield Determiner("all", self._after_of_the(at), 2, other=True)
        if (left := after_any(tokens, start, _ALL_BUT)) is not None and (number := self._number(left)):
            yield Determiner("some", self._after_of_the(left + 1), 0, share=True, without=number)
        if (at := after_any(tokens, start, _EACH)) is not None or word in lexicon.UNIVERSAL:
            at = self._after_of_the(at or start + 1)
            if number := self._number(at):
                yield Determiner("some", self._after_of_the(at + 1), number, exact=True)
            yield Determiner("all", at, 2)
        elif word == lexicon.BOTH:
            yield Determiner("some", self._after_of_the(start + 1), 2, exact=True)
        elif (at := after_any(tokens, start, _HALF)) is not None and word != self._word(at):
            yield Determiner("some", self._after_of_the(at), 0, share=True)
        elif (at := after_any(tokens, start, _ANY_OF)) is not None:
            if amount := self._amount(at):
                number, end = amount
                yield Determiner("some" if number > 1 else "a", self._after_of_the(end), number)
            yield Determiner("a", self._after_of_the(at))
        elif word == "another":
            number = self._number(start + 1)
            kind: ReferenceKind = "some" if number > 1 else "a"
            yield Determiner(kind, start + 1 + (number > 1), max(number, 1), other=True, counts=True)
        elif word in lexicon.INDEFINITE:
            if self._word(start + 1) in FURTHER:
                yield Determiner("a", start + 2, other=True)
            yield Determiner("a", start + 1)
        elif (at := after_any(tokens, start, _SOME_OF)) is not None:
            yield Determiner("some", self._after_of_the(at), 2)

    def definite(self, start: int) -> Iterator[Determiner]:
        """The, the two, the other, the only, this."""
        word = self._word(start)
        if word not in lexicon.DEFINITE:
            return
        at, number, other = start + 1, 0, False
        here = word in lexicon.POINTING
        plain = Determiner("the", at, here=here)
        if (pair := after_any(self._tokens, at, _PAIR)) is not None:
            yield Determiner("some", self._after_of_the(pair), 2, exact=True, here=here)
        while (following := self._word(at)) in _SKIPPED or self._number(at):
            other = other or following == "other"
            number = max(number, self._number(at))
            at += 1
        if at > plain.end:
            kind: ReferenceKind = "some" if number > 1 else "the"
            yield Determiner(kind, at, max(number, 1), exact=number > 1, other=other, here=here, counts=True)
        yield plain
