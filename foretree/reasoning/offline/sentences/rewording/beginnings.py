"""Beginning of a request, said after it: "wash the plate and the bowl, *start with the bowl*"."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from foretree.reasoning.instruction_errors import NotUnderstoodError
from foretree.reasoning.offline.lexicon import (
    DEFINITE,
    UNIVERSAL,
    phrases,
    skip_fillers,
    tokens_of,
    word_set,
)

#: One of these is in each such instruction.
_SIGN = re.compile(r"\b(?:begin|beginning|start|starting) (?:off |out )?(?:with|from)\b|\bfirst\b", re.I)
_BEGINNING = phrases(
    """
    begin with, beginning with, start with, starting with, start off with, starting off with, start out with,
    starting out with, begin from, beginning from, start from, starting from
    """
)
_LED_BY = word_set("but and please just only do take")
_STOPS = word_set(", . ; : ?")
_LISTING = word_set(", and")
_DETERMINERS = DEFINITE | UNIVERSAL | {"both"}
_SEVERAL = UNIVERSAL | {"both", "everything"}
_PLACING = word_set("in into on onto to under inside from with at off")

Words = Sequence[str]


def with_beginnings_told(text: str, verbs: Collection[str]) -> str:
    """Return an instruction with what it begins with as a request of its own, before the others.

    Args:
        text: the instruction.
        verbs: the words that commands begin with.

    Raises:
        NotUnderstoodError: it is not clear what is to be done with what it begins with.
    """
    if not _SIGN.search(text):
        return text
    tokens = tokens_of(text, marks=True)
    for at in range(2, len(tokens)):
        joined = tokens[at - 1] in _STOPS
        begins = _BEGINNING.longest(tokens, at)
        if not (joined or begins):
            continue
        end = next((i for i in range(at, len(tokens)) if tokens[i] in _STOPS), len(tokens))
        stop = at - (joined or tokens[at - 1] in ("and", "but"))
        told = _first_thing(tokens[at:end])
        begin = _deed_before(tokens, stop, verbs)
        if told is None or begin is None:
            continue
        thing, surely = told
        in_order = _in_order(tokens[begin:stop], thing)
        if in_order is not None:
            return " ".join((*tokens[:begin], *in_order, *tokens[end:]))
        if surely:
            raise NotUnderstoodError(
                f'What is done first ("{" ".join(tokens[at:end])}") is not understood. Say it in order: '
                '"first wash the bowl, then wash the plate".'
            )
    return text


def _first_thing(clause: Words) -> tuple[Words, bool] | None:
    """Return the thing that a clause says to begin with, and whether it can say nothing else."""
    at = 0
    while at < len(clause) and clause[at] in _LED_BY:
        at += 1
    length = _BEGINNING.longest(clause, at)
    thing = clause[at + length :]
    first = thing[-1:] == ["first"]
    thing = thing[:-1] if first else thing
    if not thing or not (first or length) or (length and thing[0] not in _DETERMINERS):
        return None  # "start with washing the plate" has a verb of its own
    return thing, bool(length)


def _deed_before(tokens: Words, end: int, verbs: Collection[str]) -> int | None:
    """Return where the request begins that ends at a position; None if it is none."""
    begin = next((i + 1 for i in range(end - 1, -1, -1) if tokens[i] in _STOPS - {","}), 0)
    begin = skip_fillers(tokens, begin)
    return begin if begin < end and tokens[begin] in verbs else None


def _in_order(deed: Words, thing: Words) -> list[str] | None:
    """Return a request with one of its things first; None if it is not about that thing."""
    start = next((i for i in range(1, len(deed)) if deed[i] in {*_DETERMINERS, *_SEVERAL}), len(deed))
    stop = next((i for i in range(start, len(deed)) if deed[i] in _PLACING), len(deed))
    if start == len(deed) or sum(word in _PLACING for word in deed[stop:]) > 1:
        return None
    verb, rest = deed[:start], deed[stop:]
    things = _listed(deed[start:stop])
    others = [one for one in things if _bare(one) != _bare(thing)]
    if len(things) == 1 and things[0][0] in _SEVERAL and others and thing[0] in DEFINITE:
        others = things
    elif len(others) != len(things) - 1 or not others:
        return None
    named = next((one for one in things if one not in others), thing)
    last = [word for one in others for word in ("and", *one)][1:]
    return ["first", *verb, *named, *rest, ",", "then", *verb, *last, *rest]


def _listed(words: Words) -> list[list[str]]:
    """Return the things of a list."""
    things: list[list[str]] = [[]]
    for word in words:
        if word not in _LISTING:
            things[-1].append(word)
        elif things[-1]:
            things.append([])
    return [one for one in things if one]


def _bare(thing: Words) -> Words:
    """Return a thing without its determiners."""
    return [word for word in thing if word not in _DETERMINERS]
