"""Corrections within an instruction: "bring me the fork, sorry, I meant the spoon"."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from foretree.reasoning.instruction_errors import NotUnderstoodError
from foretree.reasoning.offline.lexicon import opening, phrases, tokens_of, word_set

#: What announces that something is said anew.
_MARKERS = phrases(
    """
    i mean, i meant, i mean to say, i meant to say, or rather, scratch that, strike that, no wait, wait no,
    no sorry, sorry no, actually no, no actually, on second thought, on second thoughts, correction,
    make that, no make that
    """
)
#: They do so between commas, before a thing or a place: "the fork, *sorry*, the spoon".
_SOFT = phrases("no, nope, sorry, oh sorry, wait, oh wait, hang on, hold on, actually, oops, whoops, rather")
#: What is said besides, not anew: "actually, the spoon *too*".
_MORE = frozenset({"too", "also", "well"})
#: Words that stand before and after these.
_AROUND = word_set(", ah er erm hang no nope oh on oops sorry um wait whoops")
#: A pronoun, and what it stands for: "put it, *the knife I mean*, in the drawer".
_NAMED_LATER = re.compile(
    r"\b(?:it|them|that|this|those|these),\s+(?P<thing>(?:the|my|our|this|that|those|these) [\w ]+?),?"
    r" (?:i mean|i meant|that is|that's what i mean)\b,?",
    re.IGNORECASE,
)
_STOPS = frozenset({".", ";", "?"})
_DETERMINERS = word_set("the a an my your this that these those our both all")
_PREPOSITIONS = word_set("in into inside on onto to under beside behind by from next at over with")
_PRONOUNS = frozenset({"it", "them"})
_BEFORE_VERBS = frozenset({",", "and", "then", "but", "please", "you", "to", "just", "oh", "so"})
_FINITE = frozenset({"is", "are", "was", "were", "has", "have", "should", "it's", "that's", "not"})


def with_corrections(instruction: str, verbs: Collection[str]) -> str:
    """Return an instruction with its corrections made.

    Args:
        instruction: what was said.
        verbs: the words that commands begin with.

    Raises:
        NotUnderstoodError: what a correction is put for cannot be told.
    """
    instruction = _NAMED_LATER.sub(r"\g<thing>", instruction)
    tokens = tokens_of(instruction, marks=True)
    for at in range(1, len(tokens)):
        end = _marked(tokens, at)
        if end is not None:
            begin = at
            while begin > 1 and tokens[begin - 1] in _AROUND:
                begin -= 1
            made = _corrected(tokens, begin, end, verbs)
            return instruction if made is None else with_corrections(" ".join(made), verbs)
    return instruction


def _marked(tokens: Sequence[str], at: int) -> int | None:
    """Return the position after a word of correction and those that go with it; None if there is none."""
    plain = [token for token in tokens[at : at + 6] if token != ","]
    length = opening(plain, _MARKERS)
    denied = tokens[at] == "no" and tokens[at - 1] in (",", *_STOPS) and tokens[at + 1 : at + 2] == [","]
    soft = opening(tokens, _SOFT, at) if tokens[at - 1] == "," else 0
    if tokens[at] == "," or not (length or denied or soft) or tokens[at - 1] in ("what", "not", "which"):
        return None
    end = at
    for _ in range(length or soft or 1):
        end += 1 + (tokens[end : end + 1] == [","])
    while end < len(tokens) and tokens[end] in _AROUND and tokens[end] not in _PREPOSITIONS:
        end += 1
    again = _marked(tokens, end) if end < len(tokens) else None  # "no, sorry, I mean"
    mended = tokens[end : end + 1] and tokens[end] in _DETERMINERS | _PREPOSITIONS
    if not (length or denied or again or mended):
        return None
    return again or end


def _corrected(tokens: list[str], begin: int, end: int, verbs: Collection[str]) -> list[str] | None:
    """Return the words with what is said anew in place of what it is put for; None if nothing is."""
    after = next((at for at in range(end, len(tokens)) if _ends(tokens, at, verbs)), len(tokens))
    said = tokens[end:after]
    if said and said[-1] in _MORE:
        return None
    stop = begin - 1 if tokens[begin - 1] in _STOPS else begin
    start = next((at + 1 for at in range(stop - 1, -1, -1) if tokens[at] in _STOPS), 0)
    clause = next((at for at in range(stop - 1, start - 1, -1) if _orders(tokens, at, start, verbs)), start)
    if not said or not _FINITE.isdisjoint(said) or said[0] in ("i", "we", "you", "it", "there", "they"):
        return None
    wrong = tokens[clause:stop]
    if said[0] in verbs and said[0] not in _DETERMINERS:
        return [*tokens[:clause], *_with_thing(said, wrong), *tokens[after:]]
    if said[0] in _PREPOSITIONS:
        places = [at for at, word in enumerate(wrong) if word in _PREPOSITIONS and at]
        keep = places[-1] if places else len(wrong)
        return [*tokens[:clause], *wrong[:keep], *said, *tokens[after:]]
    things = [at for at, word in enumerate(wrong) if word in _DETERMINERS]
    # "Put the fork and the plate, no, the bowl, …": what was just said is put right if the request goes on.
    goes_on = after < len(tokens) and tokens[after] not in _STOPS and not _is_new(tokens, after + 1, verbs)
    if said[0] not in _DETERMINERS or not things or (len(things) > 1 and not goes_on):
        raise NotUnderstoodError(
            f'I cannot tell what "{" ".join(said)}" is said in place of. Say the whole request anew.'
        )
    rest = next((at for at in range(things[-1], len(wrong)) if wrong[at] in _PREPOSITIONS), len(wrong))
    return [*tokens[:clause], *wrong[: things[-1]], *said, *wrong[rest:], *tokens[after:]]


def _ends(tokens: Sequence[str], at: int, verbs: Collection[str]) -> bool:
    """Return whether what is said anew ends at a position."""
    if tokens[at] in (",", *_STOPS):
        return True
    return tokens[at] in ("and", "then") and (tokens[at + 1 : at + 2] or [""])[0] in verbs


def _is_new(tokens: Sequence[str], at: int, verbs: Collection[str]) -> bool:
    """Return whether another request begins at a position, or nothing does."""
    while at < len(tokens) and tokens[at] in _BEFORE_VERBS:
        at += 1
    return at >= len(tokens) or tokens[at] in verbs


def _orders(tokens: Sequence[str], at: int, start: int, verbs: Collection[str]) -> bool:
    """Return whether a command begins at a position."""
    return tokens[at] in verbs and (at == start or tokens[at - 1] in _BEFORE_VERBS)


def _with_thing(said: Sequence[str], wrong: Sequence[str]) -> list[str]:
    """Return the request that is said anew, with the thing of the wrong one for a pronoun."""
    begin = next((at for at, word in enumerate(wrong) if word in _DETERMINERS), None)
    at = next((at for at, word in enumerate(said) if word in _PRONOUNS), None)
    if begin is None or at is None or not _PRONOUNS.isdisjoint(wrong[:begin]):
        return [*said]  # "put it on the counter, no, bring it to me": it is the same thing
    end = next((i for i in range(begin, len(wrong)) if wrong[i] in _PREPOSITIONS), len(wrong))
    return [*said[:at], *wrong[begin:end], *said[at + 1 :]]
