"""Manners of doing something: "keep the cup upright", "don't spill", "carefully".

Nothing here keeps track of how a thing is held on the way, so that is refused. What hurries or slows the
robot changes nothing about what is done: it is left out, and said to be.
"""

from __future__ import annotations

from collections.abc import Sequence

from foretree.reasoning.instruction_errors import NotUnderstoodError
from foretree.reasoning.offline.lexicon import opening, phrases, word_set

#: How a thing is held or moved.
_HELD = phrases(
    """
    upright, horizontal, horizontally, vertical, vertically, steady, balanced, upside down, upside-down,
    right way up, the right way up, right side up, face up, face down, on its side, level, tilted, straight up
    """
)
#: What nobody can see coming: it is forbidden in vain.
_MISHAPS = word_set(
    """
    spill spilling shake shaking tilt tilting tip tipping splash splashing slosh sloshing scratch scratching
    break breaking drop dropping bump bumping jolt jolting rattle rattling smash smashing damage damaging
    wake waking disturb disturbing stumble stumbling slip slipping crush crushing squash squashing
    """
)
_NOISE = phrases("a mess, any mess, mess, noise, any noise, a noise, a sound, any sound")
_DENYING = phrases(
    """
    without, do not, don't, dont, never, not to, avoid, you don't, you do not, must not, mustn't, should not,
    shouldn't, may not, not
    """
)
_MAKING = frozenset({"make", "making"})
_COPULAS = word_set("is are was were be been being isn't aren't looks seems stands lies stood standing lying")
_NAMED = word_set("the a an this that my your one")
_PLACING = word_set("in into on onto to under")
_ENDS = word_set(", . ; and but")
#: Adverbs that change nothing here.
_PACE = phrases(
    """
    carefully, very carefully, very gently, very slowly, very quickly, gently,
    cautiously, slowly, quickly, swiftly, promptly, safely, fast, quietly,
    softly, with care, with caution, with great care, in a hurry, hurry, hurry up, delicately, briskly,
    rapidly, speedily, be careful, be gentle, be quick, quick, smoothly, silently, neatly
    """
)


def manner_asked(tokens: Sequence[str]) -> str | None:
    """Return the words by which an instruction says how a thing is to be held or moved; None if none do."""
    for at in range(len(tokens)):
        before = tokens[at - 1] if at else ""
        if (length := opening(tokens, _HELD, at)) and _is_manner(tokens, at, length, before):
            return " ".join(tokens[at : at + length])
        if length := opening(tokens, _DENYING, at):
            after = at + length
            mishap = tokens[after : after + 1]
            noise = {*mishap} & _MAKING and opening(tokens, _NOISE, after + 1)
            if ({*mishap} & _MISHAPS and not _is_put(tokens, after + 1)) or noise:
                return " ".join(tokens[at : after + 1 + (noise or 0)])
    return None


def _is_manner(tokens: Sequence[str], at: int, length: int, before: str) -> bool:
    """Return whether words for how a thing is held stand apart, and tell of nothing that is so."""
    end = at + length
    ends = end == len(tokens) or tokens[end] in (
        ",",
        ".",
        ";",
        "and",
        "while",
        "on",
        "in",
        "to",
        "when",
        "as",
        "at",
    )
    return ends and before not in _NAMED and _COPULAS.isdisjoint(tokens[max(at - 2, 0) : at])


def _is_put(tokens: Sequence[str], at: int) -> bool:
    """Return whether a place follows: "don't drop it into the sink" is about where it is put."""
    end = next((i for i in range(at, len(tokens)) if tokens[i] in _ENDS), len(tokens))
    return not _PLACING.isdisjoint(tokens[at:end])


def refuse_manner(tokens: Sequence[str]) -> None:
    """Check that an instruction does not say how a thing is to be held or moved.

    Raises:
        NotUnderstoodError: it does.
    """
    if (manner := manner_asked(tokens)) is not None:
        raise NotUnderstoodError(refusal(manner))


def refusal(manner: str) -> str:
    """Return the sentence by which a manner is refused."""
    return (
        f'What becomes of things on the way ("{manner}") cannot be watched, so I cannot promise it, and '
        "nothing is done. Say it without that if it need not be so."
    )


def pace_left_out(tokens: Sequence[str]) -> str:
    """Return the sentence that says which adverbs change nothing; empty if there are none."""
    found: list[str] = []
    at = 0
    while at < len(tokens):
        length = opening(tokens, _PACE, at)
        if length:
            found.append(" ".join(tokens[at : at + length]))
        at += length or 1
    said = " and ".join(f'"{words}"' for words in dict.fromkeys(found))
    return f"{said} changes nothing about how it is done" if said else ""
