"""Other complements, put plainly: results, portions, instruments, deeds as nouns."""

from __future__ import annotations

from foretree.reasoning.offline.english._clause_words import Words
from foretree.reasoning.offline.english.complements.words import (
    BODY,
    DEGREES,
    DRAWING,
    MAKING,
    PORTIONS,
    POURING,
    SIDES,
    SWITCHING,
    deeds,
    opening_end,
    positions,
    states,
)
from foretree.reasoning.offline.english.groups import noun_groups, told_groups
from foretree.reasoning.offline.english.words import Sentence
from foretree.reasoning.offline.lexicon import BE, WANT

_HEATING = {"hot": "heat", "warm": "heat", "cold": "cool", "cool": "cool", "chilled": "cool"}
_SOME = frozenset(["a", "an", "some", "more", "another", "the", "little", "good", "tiny", "wee"])
_OWN = frozenset(["your", "one", "a", "the", "either", "both", "of", "own", "free", "other", "two"])
_THERE = frozenset(["there", "in", "over", "here", "for", "me", "us"])
_AFTER_DEEDS = frozenset(("", *["with", "using", "in", "under", "up", "down", "over"]))
#: Verbs after "let me".
_HAVING = ("have", "get", "borrow", "take", "hold")
#: "Make it *go* quiet".
_TURNING = frozenset({"go", "fall", "become", "get", "turn", "be"})


def made(sentence: Sentence) -> Words | None:
    """Return the wish for a state that something shall be made to have: "make the bread hot"."""
    words = sentence.words
    if words[0] not in MAKING:
        return None
    for end in told_groups(sentence, 1):
        at = end
        while sentence.word(at) in DEGREES:
            at += 1
        rest = words[at + (sentence.word(at) in _TURNING and bool(words[at + 1 :])) :]
        if rest[:2] == ("up", "and") and rest[2:] in (("run",), ("running",), ("go",), ("going",)):
            return ("turn", "on", *words[1:end])
        if not rest or rest[0] not in states():
            continue
        if len(rest) == 1:
            return (WANT, *words[1:end], BE, rest[0])
        if rest[1] == "in" and rest[0] in _HEATING:
            return (_HEATING[rest[0]], *words[1:end], *rest[1:])
    return None


def let(sentence: Sentence) -> Words | None:
    """Return the deed that a person or thing shall be let do: "let me have it", "let it cool down"."""
    words = sentence.words
    if words[0] not in ("let", WANT) or len(words) < 3:
        return None
    for end in noun_groups(sentence, 1):
        verb = sentence.word(end)
        if words[1:end] in (("me",), ("us",)):
            return ("bring", "me", *words[end + 1 :]) if verb in _HAVING and words[end + 1 :] else None
        if verb in ("cool", "chill", "warm", "run") and sentence.base(end, "base") == verb:
            after = end + 1 + (sentence.word(end + 1) in ("down", "up", "off"))
            return (verb, *words[1:end], *words[after:])
    return None


def poured(sentence: Sentence) -> Words | None:
    """Return "pour some" for a portion of what can be poured: "put a drop of water in the vase"."""
    words = sentence.words
    if words[0] not in POURING:
        return None
    at = 1
    while sentence.word(at) in (
        "a",
        "an",
        "some",
        "more",
        "another",
        "the",
        "little",
        "good",
        "tiny",
        "wee",
    ) or (sentence.has(at, "adj") and sentence.word(at + 1) in PORTIONS):
        at += 1
    if sentence.word(at) in PORTIONS and sentence.word(at + 1) == "of":
        at += 2
    elif (
        sentence.word(at) in ("bit", "little")
        or "the" in words[1:at]
        or sentence.has(at, "pron", "num")
        or words[0] == "pour"
        or set(words[1:at]) & {"a", "an", "another"}
    ):
        return None
    at += sentence.word(at) in ("the", "that", "this", "my")
    while sentence.has(at, "adj") and sentence.has(at + 1, "noun"):
        at += 1
    end = at + 1
    if not sentence.has(at, "noun") or sentence.word(end) not in ("in", "into", "to", "inside"):
        return None
    return ("pour", "some", words[at], "into", *words[end + 1 :])


def by_hand(sentence: Sentence) -> Words | None:
    """Return the words without the part of the body that a deed is done with; a named hand stays."""
    words = sentence.words
    for at in positions(sentence, "with", "using", "in", "into", "by"):
        end = at + 1
        while sentence.word(end) in (
            "your",
            "one",
            "a",
            "the",
            "either",
            "both",
            "of",
            "own",
            "free",
            "other",
            "two",
        ):
            end += 1
        if sentence.word(end) in SIDES and end > at + 1:
            if not sentence.has(end + 1, "noun") and sentence.word(end + 1) != "of":
                return (*words[: end + 1], "hand", *words[end + 1 :])
            continue
        if sentence.word(end) in BODY and end > at + 1:
            return (*words[:at], *words[end + 1 :])
    return None


def in_each_hand(sentence: Sentence) -> Words | None:
    """Return the words with what is for either hand: "a mug in each hand", "in one hand … in the other"."""
    words = sentence.words
    each = next((at for at in positions(sentence, "in", "with") if words[at + 1 : at + 2] == ("each",)), None)
    if each is not None and words[1:2] in (("a",), ("one",), ("an",)):
        end = each + 2
        while sentence.word(end) in _OWN:
            end += 1
        if words[end:] in (("hand",), ("hands",)):
            held = (words[0], "a", *words[2:each])
            return (*held, "in", "your", "left", "hand", "and", *held, "in", "your", "right", "hand")
    one = next(
        (at for at in positions(sentence, "in", "with") if words[at + 1 : at + 3] == ("one", "hand")), 0
    )
    other = ("the", "other")
    last = len(words) - 1 if words[-1] == "hand" else len(words)
    if one and sentence.word(one + 3) == "and" and words[last - 2 : last] == other and one + 4 < last - 3:
        return (*words[:one], *words[one + 3 : last - 3])
    return None


def given(sentence: Sentence) -> Words | None:
    """Return a deed said as a noun without adjectives: "give it a *jolly good* scrub"."""
    words = sentence.words
    if words[0] not in ("give", "have"):
        return None
    for at in positions(sentence, "a", "an", "another", "some", "the"):
        end = at + 1
        while sentence.has(end, "adj", "adv") and sentence.word(end) not in deeds():
            end += 1
        two = f"{sentence.word(end)}-{sentence.word(end + 1)}"
        length = 2 if two in deeds() else 1
        noun = two if length == 2 else sentence.word(end)
        following = sentence.word(end + length)
        if (
            at > 1
            and noun in deeds()
            and following in ("", "with", "using", "in", "under", "up", "down", "over")
        ):
            rest = words[end + length + (following in ("up", "down", "over")) :]
            plain = ("give", *words[1:at], "a", noun, *rest)
            return plain if plain != words else None
    return None


def switched(sentence: Sentence) -> Words | None:
    """Return the words with "on" or "off" behind where the thing is: "put the light on in the hall"."""
    words = sentence.words
    if words[0] not in SWITCHING:
        return None
    for end in noun_groups(sentence, 1):
        if sentence.word(end) not in ("on", "off"):
            continue
        rest = words[end + 1 :]
        if (
            rest
            and {*rest} <= {"there", "in", "over", "here", "for", "me", "us"}
            and rest[-1] in ("there", "here", "me", "us")
        ):
            return words[: end + 1]
        if rest[:1] in (("in",), ("by",), ("next",), ("beside",), ("near",)) and len(rest) > 1:
            return ("turn", words[end], *words[1:end], *rest)
    return None


def pulled_to(sentence: Sentence) -> Words | None:
    """Return "close" for "pull the door to"."""
    words = sentence.words
    return ("close", *words[1:-1]) if words[0] in DRAWING and words[-1] == "to" and len(words) > 2 else None


def opened(sentence: Sentence) -> Words | None:
    """Return the words without how far something shall be open: "open *a crack*"."""
    for at in range(2, len(sentence.words)):
        end = opening_end(sentence, at)
        if end is not None:
            return (*sentence.words[:at], *sentence.words[end:])
    return None


def by_doing(sentence: Sentence) -> Words | None:
    """Return the deed by which another is done: "free the sink up *by moving the sponge*"."""
    words = sentence.words
    for at in positions(sentence, "by"):
        verb = sentence.base(at + 1, "ing")
        if verb in sentence.verbs and not sentence.has(at + 1, "noun"):
            return (verb, *words[at + 2 :])
    return None


def taking_tool(sentence: Sentence) -> Words | None:
    """Return the deed that something shall be taken for: "use the knife to cut the bread"."""
    used = _used(sentence)
    return None if used is None else ("take", *used[0], "and", *used[1], "with", "it")


def with_tool(sentence: Sentence) -> Words | None:
    """Return the deed with what it is to be done with: "use your left hand to take the mug"."""
    used = _used(sentence)
    return None if used is None else (*used[1], "with", *used[0])


def _used(sentence: Sentence) -> tuple[Words, Words] | None:
    """Return what shall be used, and for what deed; None if nothing shall."""
    words = sentence.words
    end = next(noun_groups(sentence, 1), 0)
    if words[0] != "use" or sentence.word(end) != "to" or not sentence.base(end + 1, "base"):
        return None
    return words[1:end], words[end + 1 :]


def intensive(sentence: Sentence) -> Words | None:
    """Return the words without a pronoun of stress: "give the table *itself* a wipe"."""
    words = sentence.words
    for at in positions(sentence, "itself", "themselves"):
        if at > 1 and sentence.has(at - 1, "noun"):
            return (*words[:at], *words[at + 1 :])
    return None
