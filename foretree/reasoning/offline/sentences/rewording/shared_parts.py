"""Parts that are said once for several deeds or things: "shut down and close the laptop"."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from foretree.reasoning.offline.lexicon import (
    BE,
    CONNECTIVES,
    DEFINITE,
    WANT,
    Phrase,
    skip_fillers,
    tokens_of,
)

_PRONOUNS = ("it", "them")
_LONGEST = 4
_PLACING = frozenset({"in", "into", "on", "onto", "to", "under"})
#: "Go and open it" has one object.
_GOING = frozenset({"go", "come", "run", "pop", "nip", "head", "hop", "walk", "try"})


def with_objects_repeated(text: str, openings: Collection[Phrase]) -> str:
    """Return an instruction with the thing that several deeds are for said of each: "shut down and close it".

    Args:
        text: the instruction.
        openings: the phrases that commands begin with.
    """
    text = _with_switches_repeated(text)
    tokens = tokens_of(text, marks=True)
    for at in range(len(tokens)):
        begins = tokens[at] not in _GOING and (
            at == 0 or tokens[at - 1] in CONNECTIVES or skip_fillers(tokens, 0) == at
        )
        for end in _ends(tokens, at, openings) if begins else ():
            if tokens[end : end + 1] != ["and"]:
                continue
            for start in _ends(tokens, end + 1, openings):
                if start < len(tokens) and (tokens[start] in DEFINITE or tokens[start] in _PRONOUNS):
                    stop = _object_end(tokens, start)
                    return " ".join((*tokens[:end], *tokens[start:stop], *tokens[end:]))
    return text


#: "Turn the lamp on, and then off again".
_SWITCHED = re.compile(
    r"\b(turn|switch|flip|flick|click|put|power) (the [\w ]+?|it|\w+) (on|off)\b,? (?:and )?(?:then )?"
    r"(?:back )?(on|off)( again)?\b",
    re.I,
)


def _with_switches_repeated(text: str) -> str:
    """Return an instruction with the verb repeated for a thing that is switched twice: "on and off"."""
    return _SWITCHED.sub(
        lambda said: (
            said[0]
            if said[3].lower() == said[4].lower()
            else f"{said[1]} {said[2]} {said[3]}, then {said[1]} {said[2]} {said[4]} again"
        ),
        text,
    )


def _ends(tokens: Sequence[str], at: int, openings: Collection[Phrase]) -> Iterator[int]:
    """Yield the ends of the openings at a position, longer ones first."""
    for end in range(min(at + _LONGEST, len(tokens)), at, -1):
        if tuple(tokens[at:end]) in openings:
            yield end


def _object_end(tokens: Sequence[str], start: int) -> int:
    return next((at for at in range(start, len(tokens)) if tokens[at] in CONNECTIVES), len(tokens))


def wishes_for_each(words: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Return the wishes that each of several things be so: "want the window and the fridge be closed".

    There are none where the words name one thing, or things without articles of their own.
    """
    if WANT not in words[:1] or BE not in words:
        return ()
    be = list(words).index(BE)
    parts = [at for at in range(1, be) if words[at] in ("and", ",")]
    starts = [1, *(at + 1 for at in parts if words[at + 1] != "and")]
    if len(starts) < 2 or not all(words[at] in DEFINITE for at in starts):
        return ()
    ends = [*(min(at for at in parts if at >= start) for start in starts[:-1]), be]
    things = (words[start:end] for start, end in zip(starts, ends, strict=True))
    return tuple((WANT, *thing, *words[be:]) for thing in things)


def with_verb_repeated(words: Sequence[str], before: Sequence[str]) -> tuple[str, ...]:
    """Return "in the sink" with what is said before another place: "put it in the cupboard, otherwise …"."""
    places = [at for at, word in enumerate(before) if word in _PLACING]
    return (*before[: places[-1]], *words) if places and words[0] in _PLACING else tuple(words)
