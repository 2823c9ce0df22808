"""Statements: the parts of an instruction that are read one by one.

A statement is a request, with the condition under which it shall be carried out, what shall be done
otherwise, and what it forbids: "if the fridge is open, close it, but don't touch the milk".
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from foretree.reasoning.instruction_errors import NotUnderstoodError
from foretree.reasoning.offline.lexicon import Phrases, opening, phrases, sentences_of, skip_fillers, trimmed
from foretree.reasoning.offline.sentences.prohibitions import NEVER, WITHOUT, Words, without_prohibitions

_IF = phrases(
    "if, in case, whenever, when, provided that, provided, as long as, assuming that, assuming, should"
)
_UNLESS = phrases("unless, except if, except when")
_ELSE = phrases(
    "otherwise, or else, else, if not, if it is not, if they are not, if it isn't, in any other case"
)
#: After these, "if" opens a wish: "I'd love it if".
_WISHED = frozenset(
    {"nice", "good", "great", "lovely", "happy", "grateful", "glad", "better", "best", "kind"}
)
_PLEASED = frozenset({("love", "it"), ("like", "it"), ("appreciate", "it"), ("prefer", "it")})
_ANYWAY = phrases(
    "in any case, in either case, either way, anyway, regardless, whatever happens, no matter what"
)
_IF_SO = phrases("if so, if yes, if it is, if they are, in that case, then")
_BEFORE = phrases("before you, before, prior to")
#: What comes before, or after, all of these is done in any case.
_ALL_ELSE = (("anything", "else"), ("everything", "else"))
_AFTER = phrases(
    """
    after you have, after you've, after you, after having, after, once you have, once you've, once,
    as soon as you have, as soon as
    """
)
_MARKERS = (_IF, _UNLESS, _ELSE, _IF_SO, _BEFORE, _AFTER, WITHOUT, NEVER)


@dataclass(frozen=True, slots=True)
class Statement:
    """A part of an instruction that is read by itself.

    Attributes:
        words: the request.
        condition: the words of what must hold; empty where it is carried out in any case.
        holds: whether the condition must hold, or must not.
        awaits: whether it may be waited for: "put it away when it is clean".
        otherwise: the request for the other case.
        prohibitions: the words of what must not be done, each beginning with the verb.
        condition_first: whether the condition is said before the request.
        other: a request or state that must come before or after it.
        other_comes_first: whether it must come before.
        other_said_first: whether it is said before.
        besides: a request that the sentence goes on with, whatever the condition.
        shorter: the request without what says nothing about the goal, to be read where it is not understood.
        mentioned: what is told besides; the request may go back to things in it.
        sought: what is to be looked for, and is gone back to in what follows.
        optional: whether it may be no request: "you can use both hands".
        belief: whether it may only say what is so: "there should be a towel on the rack".
        bare: whether it is no clause, and does not stand alone: "the cloth" is no request to bring it.
    """

    words: Words
    condition: Words = ()
    holds: bool = True
    awaits: bool = False
    otherwise: Words = ()
    prohibitions: tuple[Words, ...] = ()
    condition_first: bool = True
    other: Words = ()
    other_comes_first: bool = False
    besides: Words = ()
    other_said_first: bool = False
    shorter: tuple[Words, ...] = ()
    mentioned: Words = ()
    sought: Words = ()
    optional: bool = False
    belief: bool = False
    bare: bool = False


def statements_of(tokens: Sequence[str], verbs: Collection[str]) -> list[Statement]:
    """Return the statements of an instruction.

    Args:
        tokens: its words.
        verbs: the words that commands begin with.
    """
    found: list[Statement] = []
    for sentence, _ in sentences_of(tokens, (".", ";")):
        for part in _cases(sentence):
            found = _Sentence(part, verbs).added_to(found)
    return found


def _cases(words: Words) -> Iterator[Words]:
    """Yield the parts of a sentence that have a condition of their own: "open it, and if …"."""
    begin = 0
    for at in range(1, len(words)):
        joint = at - 1 - (words[at - 1] == ",")
        joined = joint > begin and words[joint] in ("and", "but", "then")
        once = (
            words[at] in ("once", "after") and "," in words[at + 2 :]
        )  # "…, and once it is clean, put it away"
        once = once and words[at + 1 : at + 2] not in (("that",), ("this",), ("which",))
        if not joined or not (once or any(opening(words, markers, at) for markers in (_IF, _UNLESS))):
            continue
        marked = any(opening(words, markers, begin) for markers in (_IF, _UNLESS))
        if not marked or "," in words[begin : joint - 1]:
            yield trimmed(words[begin:joint])
            begin = at
    yield words[begin:]


class _Sentence:
    """The words of one sentence, taken apart."""

    def __init__(self, words: Words, verbs: Collection[str]) -> None:
        start = skip_fillers(words, 0)
        while start < len(words) and words[start] in ("and", "but", "so", ","):
            start = skip_fillers(words, start + 1)
        marked = any(opening(words[start:], markers) for markers in _MARKERS)
        self._words = words[start:] if marked else words
        self._verbs = verbs

    def added_to(self, before: list[Statement]) -> list[Statement]:
        """Return the statements *before* with those of the sentence, which may complete the last one."""
        words = self._words
        otherwise = opening(words, _ELSE)
        if otherwise and before and before[-1].condition and not before[-1].otherwise:
            return [*before[:-1], replace(before[-1], otherwise=trimmed(words[otherwise:]))]
        if before and _is_question(before[-1].words):
            if so := opening(words, _IF_SO):
                request = replace(self._rest(trimmed(words[so:])), condition=before[-1].words)
                return [*before[:-1], request]
            if otherwise:
                request = replace(
                    self._rest(trimmed(words[otherwise:])), condition=before[-1].words, holds=False
                )
                return [*before[:-1], request]
        statement = self._in_order()
        more = [Statement(statement.besides)] if statement.besides else []
        return [*before, replace(statement, besides=()), *more]

    def _in_order(self) -> Statement:
        """The requests of the sentence, with the order in which they are to be carried out."""
        words = self._words
        for markers, comes_first in ((_AFTER, True), (_BEFORE, False)):
            at = next((i for i in range(len(words) - 2) if self._orders(words, i, markers)), None)
            if at is None:
                continue
            end = at + opening(words, markers, at)
            if at:
                return self._with_other(words[:at], words[end:], comes_first, said_first=False)
            comma = self._end_of_condition(words, end)
            if comma is not None:
                return self._with_other(words[comma:], words[end:comma], comes_first, said_first=True)
        return self._conditional(words)

    def _orders(self, words: Words, at: int, markers: Phrases) -> bool:
        """True if one of *markers* stands at a position; "and after put it there" only goes on."""
        length = opening(words, markers, at)
        then = words[at + 1] in ("that", "this") and words[at + 2] in (",", *self._verbs)
        return bool(length) and (length > 1 or not (then or words[at + 1] in self._verbs))

    def _with_other(self, main: Words, other: Words, comes_first: bool, said_first: bool) -> Statement:
        statement = self._conditional(trimmed(main))
        if trimmed(other) in _ALL_ELSE:
            return statement
        return replace(
            statement, other=trimmed(other), other_comes_first=comes_first, other_said_first=said_first
        )

    # -- conditions --------------------------------------------------------------------------------
    def _conditional(self, words: Words) -> Statement:
        for markers, holds in ((_UNLESS, False), (_IF, True)):
            at = next((i for i in range(len(words)) if _is_marker(words, i, markers)), None)
            if at is None:
                continue
            end = at + opening(words, markers, at)
            if at and words[at - 1] == "or":
                said = " ".join(words[at:])
                raise NotUnderstoodError(
                    f'What is chosen "{said}" is not understood. Say it as a case of its own.'
                )
            if at:
                condition, mark, other = _split(words[end:], _ELSE)
                stop = condition.index(",") if "," in condition else len(condition)
                made = self._made(trimmed(words[:at]), condition[:stop], holds, other)
                after = () if mark else trimmed(condition[stop:])
                return replace(made, awaits=words[at] == "when", condition_first=False, besides=after)
            comma = self._end_of_condition(words, end)
            if comma is None:
                continue
            request, _, other = _split(words[comma:], _ELSE)
            scope, mark, besides = _split(other or request, _ANYWAY)
            if mark and not besides:  # "close it and bring me the milk in any case"
                joint = max((i for i, word in enumerate(scope) if word in ("and", ",", "but")), default=0)
                scope, besides = trimmed(scope[:joint]), trimmed(scope[joint:])
            made = self._made(
                trimmed(request if other else scope), words[end:comma], holds, scope if other else ()
            )
            return replace(made, awaits=words[at] == "when", besides=besides if mark else ())
        return self._rest(words)

    def _made(self, request: Words, condition: Words, holds: bool, otherwise: Words) -> Statement:
        return replace(
            self._rest(request),
            condition=trimmed(condition),
            holds=holds,
            otherwise=trimmed(otherwise),
        )

    def _end_of_condition(self, words: Words, start: int) -> int | None:
        """The position after a condition: at a comma, at "then", or where a command begins."""
        marked = next((i for i in range(start + 1, len(words)) if words[i] in (",", "then")), None)
        if marked is not None and not opening(words, _ELSE, marked + 1):
            return marked
        words = words[:marked]
        begins = (i for i in range(len(words) - 1, start + 2, -1) if words[i] in (*self._verbs, "please"))
        return next((i for i in begins if words[i - 1] not in ("the", "a", "is", "are", "not")), None)

    def _rest(self, words: Words) -> Statement:
        request, prohibitions = without_prohibitions(words, self._verbs)
        return Statement(request, prohibitions=prohibitions)


def _is_marker(words: Words, at: int, markers: Phrases) -> bool:
    """True if one of *markers* stands at a position.

    "Should" opens a condition only at the beginning; "it would be nice if" opens a wish.
    """
    length = opening(words, markers, at)
    wished = at > 1 and (words[at - 1] in _WISHED or (words[at - 2], words[at - 1]) in _PLEASED)
    if not length or at + length == len(words) or wished:
        return False
    return words[at] != "should" or at == 0


def _split(words: Words, markers: Phrases) -> tuple[Words, Words, Words]:
    """The words before, of and after the first of *markers*."""
    for at in range(len(words)):
        if length := opening(words, markers, at):
            return trimmed(words[:at]), words[at : at + length], trimmed(words[at + length :])
    return words, (), ()


def _is_question(words: Words) -> bool:
    return len(words) > 2 and words[0] in ("is", "are", "isn't", "aren't")
