"""Manners and degrees of a deed: "keep the cup upright", "carefully", "*almost* close it", "open it *a bit*".

Nothing here keeps track of how a thing is held on the way, so that is refused. A deed is done, or it is not:
what shall be done in part is refused as well. What hurries or slows the robot changes nothing about what is
done: it is left out, and said to be.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from foretree.reasoning.instruction_errors import NotUnderstoodError
from foretree.reasoning.offline.grammar.verb_forms import base_form
from foretree.reasoning.offline.lexicon import COPULA, SPEAKER, opening, phrases, skip_fillers, word_set

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

#: They say that a deed is done in part, before its verb or behind what it is done to.
_IN_PART = phrases(
    """
    almost, almost completely, almost entirely, almost fully, nearly, very nearly, mostly, largely, partly,
    partially, in part, partway, part way, part-way, halfway, half way, half-way, midway, incompletely,
    somewhat, slightly, very slightly, just slightly, ever so slightly, practically, virtually, just about,
    to some extent, up to a point, not quite, not completely, not fully, not entirely, not wholly,
    not totally, not all the way, half of the way, part of the way, some of the way, most of the way
    """
)
#: The same behind what the deed is done to; elsewhere they measure other things: "a bit of bread".
_MEASURES = phrases(
    """
    a bit, just a bit, only a bit, a little bit, just a little bit, only a little bit, a wee bit, a tiny bit,
    a little, just a little, only a little, a tad, just a tad, a touch, just a touch, a smidge, a smidgen,
    a fraction, a crack, just a crack, a notch, an inch, a few inches, by half, by a quarter, by a third
    """
)
#: Deeds that are measured so. To wash or to warm "a bit" is only said modestly.
_MEASURED = word_set(
    """
    open close shut fill refill pull push slide turn fold unfold slice cut chop empty swing prop draw raise
    lower lift tilt
    """
)
#: A deed may follow each, and each ends what is said of one.
_JOINTS = word_set(", . ; : ? and then but so")
_BEFORE_DEEDS = _JOINTS | word_set("please you to just only mind also")
_HEDGES = word_set("only just even maybe perhaps though although however")
#: What shall be so is said with one of these; "dinner is nearly ready" only tells.
_WISHING = word_set("be want like need leave keep make have get prefer")
#: What a thing may be in part.
_STATES = word_set("open opened closed shut full filled empty emptied folded sliced cut ajar")
_DEGREES = (_IN_PART, _MEASURES)


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


def degree_asked(tokens: Sequence[str], verbs: Collection[str]) -> str:
    """Return the words by which an instruction asks for a deed to be done in part; empty if none do.

    Args:
        tokens: the words.
        verbs: the words that commands begin with.
    """
    if not any(word in degrees.by_first for degrees in _DEGREES for word in tokens):
        return ""
    deed, begin = -1, 0
    for at, word in enumerate(tokens):
        if word in _JOINTS:
            begin = at + 1
            continue
        if at == skip_fillers(tokens, begin) and word in verbs:
            deed = at
        in_part = opening(tokens, _IN_PART, at)
        after = at + (in_part or opening(tokens, _MEASURES, at))
        if after == at:
            continue
        measured = bool(in_part) or (deed >= 0 and tokens[deed] in _MEASURED)
        before_deed = in_part and _is_before_deed(tokens, at, after, verbs)
        if (
            before_deed
            or _is_of_state(tokens, begin, at, after)
            or (measured and deed >= 0 and _is_behind(tokens, max(deed, begin), at, after))
        ):
            return " ".join(tokens[at:after])
    return ""


def refuse_degree(tokens: Sequence[str], verbs: Collection[str]) -> None:
    """Check that no deed is to be done in part.

    Raises:
        NotUnderstoodError: one is.
    """
    if degree := degree_asked(tokens, verbs):
        raise NotUnderstoodError(
            f'I do a thing wholly or not at all, so "{degree}" cannot be kept to, and nothing is done. '
            "Say it without that if it may be done wholly."
        )


def _is_before_deed(tokens: Sequence[str], at: int, after: int, verbs: Collection[str]) -> bool:
    """Return whether a degree is that of the deed behind it: "could you *partly* close it"."""
    begins = at == 0 or tokens[at - 1] in _BEFORE_DEEDS
    return begins and after + 1 < len(tokens) and bool(base_form(tokens[after], verbs))


def _is_of_state(tokens: Sequence[str], begin: int, at: int, after: int) -> bool:
    """Return whether a degree is that of what shall be so: "the door should be *slightly* open"."""
    told = {*tokens[after : after + 1]} & _STATES and not _WISHING.isdisjoint(tokens[begin:at])
    return bool(told) and (tokens[at - 1] == "be" or tokens[at - 1] not in COPULA)


def _is_behind(tokens: Sequence[str], begin: int, at: int, after: int) -> bool:
    """Return whether a degree stands behind what a deed is done to, or apart: ", but only *a bit*"."""
    ends = after == len(tokens) or tokens[after] in (*_JOINTS, "with")
    apart = tokens[begin - 1] in _JOINTS and begin > 0 and _HEDGES.issuperset(tokens[begin:at])
    return ends and (apart or (at > begin + 1 and tokens[at - 1] not in SPEAKER))
