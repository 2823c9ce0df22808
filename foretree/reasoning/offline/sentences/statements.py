"""Statements: the parts of an instruction that are read one by one.

A statement is a request, with the condition under which it shall be carried out, what shall be done
otherwise, and what it forbids: "if the fridge is open, close it, but don't touch the milk".
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from foretree.reasoning.offline.grammar.verb_forms import base_form
from foretree.reasoning.offline.lexicon import Phrase, skip_fillers, starts_with

#: The words of a statement or of a part of it.
Words = tuple[str, ...]


def _phrases(text: str) -> tuple[Phrase, ...]:
    phrases = (tuple(phrase.split()) for phrase in text.split(","))
    return tuple(sorted(phrases, key=lambda phrase: (-len(phrase), phrase)))


_IF = _phrases(
    "if, in case, whenever, when, provided that, provided, as long as, assuming that, assuming, should"
)
_UNLESS = _phrases("unless, except if, except when")
_ELSE = _phrases(
    "otherwise, or else, else, if not, if it is not, if they are not, if it isn't, in any other case"
)
_IF_SO = _phrases("if so, if yes, if it is, if they are, in that case, then")
_BEFORE = _phrases("before you, before, prior to")
_AFTER = _phrases(
    """
    after you have, after you've, after you, after having, after, once you have, once you've, once,
    as soon as you have, as soon as
    """
)
_WITHOUT = _phrases("without, while not, whilst not, not")
_NEVER = _phrases(
    """
    don't ever, do not ever, don't, dont, do not, never, you must not, you mustn't, you should not,
    you shouldn't, you may not, you can't, you cannot, must not, mustn't, you are not to, avoid, refrain from,
    be careful not to, take care not to, make sure not to, make sure you don't, try not to,
    please don't, under no circumstances
    """
)
_MARKERS = (_IF, _UNLESS, _ELSE, _IF_SO, _BEFORE, _AFTER, _WITHOUT, _NEVER)
_JOINTS = frozenset({"and", "but", ",", "while", "then"})


@dataclass(frozen=True, slots=True)
class Statement:
    """A part of an instruction that is read by itself.

    Attributes:
        words: the request.
        condition: the words of what must hold; empty where it is carried out in any case.
        holds: whether the condition must hold, or must not.
        otherwise: the request for the other case.
        prohibitions: the words of what must not be done, each beginning with the verb.
        condition_first: whether the condition is said before the request.
        other: a request or state that must come before or after it.
        other_comes_first: whether it must come before.
        other_said_first: whether it is said before.
    """

    words: Words
    condition: Words = ()
    holds: bool = True
    otherwise: Words = ()
    prohibitions: tuple[Words, ...] = ()
    condition_first: bool = True
    other: Words = ()
    other_comes_first: bool = False
    other_said_first: bool = False


def statements_of(tokens: Sequence[str], verbs: Collection[str]) -> list[Statement]:
    """Return the statements of an instruction.

    Args:
        tokens: its words.
        verbs: the words that commands begin with.
    """
    found: list[Statement] = []
    for sentence in _sentences(tokens):
        found = _Sentence(sentence, verbs).added_to(found)
    return found


def _sentences(tokens: Sequence[str]) -> Iterator[Words]:
    """The words between full stops and semicolons."""
    begin = 0
    for at, word in enumerate((*tokens, ".")):
        if word in (".", ";"):
            if begin < at:
                yield tuple(tokens[begin:at])
            begin = at + 1


class _Sentence:
    """The words of one sentence, taken apart."""

    def __init__(self, words: Words, verbs: Collection[str]) -> None:
        start = skip_fillers(words, 0)
        while start < len(words) and words[start] in ("and", "but", "so", ","):
            start = skip_fillers(words, start + 1)
        marked = any(_opening(words[start:], markers) for markers in _MARKERS)
        self._words = words[start:] if marked else words
        self._verbs = verbs

    def added_to(self, before: list[Statement]) -> list[Statement]:
        """Return the statements *before* with those of the sentence, which may complete the last one."""
        words = self._words
        otherwise = _opening(words, _ELSE)
        if otherwise and before and before[-1].condition and not before[-1].otherwise:
            return [*before[:-1], replace(before[-1], otherwise=_trimmed(words[otherwise:]))]
        if before and _is_question(before[-1].words):
            if so := _opening(words, _IF_SO):
                request = replace(self._rest(_trimmed(words[so:])), condition=before[-1].words)
                return [*before[:-1], request]
            if otherwise:
                request = replace(
                    self._rest(_trimmed(words[otherwise:])), condition=before[-1].words, holds=False
                )
                return [*before[:-1], request]
        return [*before, self._in_order()]

    def _in_order(self) -> Statement:
        """The requests of the sentence, with the order in which they are to be carried out."""
        words = self._words
        for markers, comes_first in ((_AFTER, True), (_BEFORE, False)):
            at = next((i for i in range(len(words) - 2) if _opening(words[i:], markers)), None)
            if at is None:
                continue
            end = at + _opening(words[at:], markers)
            if at:
                return self._with_other(words[:at], words[end:], comes_first, said_first=False)
            comma = self._end_of_condition(words, end)
            if comma is not None:
                return self._with_other(words[comma:], words[end:comma], comes_first, said_first=True)
        return self._conditional(words)

    def _with_other(self, main: Words, other: Words, comes_first: bool, said_first: bool) -> Statement:
        statement = self._conditional(_trimmed(main))
        return replace(
            statement, other=_trimmed(other), other_comes_first=comes_first, other_said_first=said_first
        )

    # -- conditions --------------------------------------------------------------------------------
    def _conditional(self, words: Words) -> Statement:
        for markers, holds in ((_UNLESS, False), (_IF, True)):
            at = next((i for i in range(len(words)) if _is_marker(words, i, markers)), None)
            if at is None:
                continue
            end = at + _opening(words[at:], markers)
            if at:
                condition, _, other = _split(words[end:], _ELSE)
                made = self._made(_trimmed(words[:at]), condition, holds, other)
                return replace(made, condition_first=False)
            comma = self._end_of_condition(words, end)
            if comma is None:
                continue
            request, _, other = _split(words[comma:], _ELSE)
            return self._made(_trimmed(request), words[end:comma], holds, other)
        return self._rest(words)

    def _made(self, request: Words, condition: Words, holds: bool, otherwise: Words) -> Statement:
        return replace(
            self._rest(request),
            condition=_trimmed(condition),
            holds=holds,
            otherwise=_trimmed(otherwise),
        )

    def _end_of_condition(self, words: Words, start: int) -> int | None:
        """The position after a condition: at a comma, at "then", or where a command begins."""
        marked = next((i for i in range(start + 1, len(words)) if words[i] in (",", "then")), None)
        if marked is not None:
            return marked
        begins = (i for i in range(len(words) - 1, start + 2, -1) if words[i] in (*self._verbs, "please"))
        return next((i for i in begins if words[i - 1] not in ("the", "a", "is", "are", "not")), None)

    # -- prohibitions ------------------------------------------------------------------------------
    def _rest(self, words: Words) -> Statement:
        prohibitions: list[Words] = []
        at = 0
        while at < len(words):
            end, verb = self._prohibits(words, at)
            if not verb:
                at += 1
                continue
            stop = next(
                (i for i in range(end, len(words)) if words[i] in (",", "but", "just", "only")), len(words)
            )
            stop = self._until_next_command(words, end, stop)
            prohibitions.append((verb, *words[end:stop]))
            words = (
                *_trimmed(words[:at]),
                *((",",) if at and stop < len(words) else ()),
                *_trimmed(words[stop:]),
            )
            at = 0
        return Statement(_trimmed(words), prohibitions=tuple(prohibitions))

    def _until_next_command(self, words: Words, start: int, stop: int) -> int:
        """The end of a prohibition: "don't open the drawer and bring me a spoon" ends before "bring"."""
        ands = (i for i in range(start, stop - 1) if words[i] == "and" and words[i + 1] in self._verbs)
        return next(ands, stop)

    def _prohibits(self, words: Words, at: int) -> tuple[int, str]:
        """The position after the verb of a prohibition that begins at *at*, and the verb; empty if none."""
        begins = at == 0 or words[at - 1] in (*_JOINTS, "please")
        for markers, anywhere in ((_WITHOUT, True), (_NEVER, False)):
            length = _opening(words[at:], markers)
            if not length or not (anywhere or begins):
                continue
            after = at + length
            word = words[after] if after < len(words) else ""
            verb = base_form(word, (*self._verbs, "touch", "use", "leave", "forget"))
            if markers is _WITHOUT and verb == word:
                verb = ""  # "not open" is a state
            if verb and verb != "forget":
                return after + 1, verb
        return at, ""


def _is_marker(words: Words, at: int, markers: tuple[Phrase, ...]) -> bool:
    """True if one of *markers* stands at a position; "should" opens a condition only at the beginning."""
    length = _opening(words[at:], markers)
    if not length or at + length == len(words):
        return False
    return words[at] != "should" or at == 0


def _split(words: Words, markers: tuple[Phrase, ...]) -> tuple[Words, Words, Words]:
    """The words before, of and after the first of *markers*."""
    for at in range(len(words)):
        if length := _opening(words[at:], markers):
            return _trimmed(words[:at]), words[at : at + length], _trimmed(words[at + length :])
    return words, (), ()


def _opening(words: Sequence[str], markers: tuple[Phrase, ...]) -> int:
    """The number of words of the longest of *markers* that *words* begin with; 0 if there is none."""
    return next((len(marker) for marker in markers if starts_with(words, 0, marker)), 0)


def _is_question(words: Words) -> bool:
    return len(words) > 2 and words[0] in ("is", "are", "isn't", "aren't")


def _trimmed(words: Words) -> Words:
    """The words without connectives at either end."""
    begin, end = 0, len(words)
    while begin < end and words[begin] in (",", "and", "but", "then", "so"):
        begin += 1
    while end > begin and words[end - 1] in (",", "and", "but", "then"):
        end -= 1
    return words[begin:end]
