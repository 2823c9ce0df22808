"""Requests to put something somewhere, put plainly: "get it up off the floor onto the shelf"."""

from __future__ import annotations

from foretree.reasoning.offline.english._clause_words import Words
from foretree.reasoning.offline.english.complements.words import (
    AT_PLACES,
    AT_SPEAKER,
    BESIDE_ONLY,
    COVERING,
    DATIVE,
    DISPLACING,
    FLOORS,
    HITHER,
    MOVING,
    POSTURES,
    RESULTING,
    SOURCES,
    SWITCHING,
    TO_PLACES,
    owned_part_end,
    part_end,
    positions,
    purpose_end,
    skipped,
    states,
)
from foretree.reasoning.offline.english.groups import noun_groups
from foretree.reasoning.offline.english.words import BE, Sentence
from foretree.reasoning.offline.lexicon import word_set
from foretree.reasoning.offline.word_lists import word_lists

#: Parts that are on a thing even if something is "in" them.
_ON_TOP = frozenset({"middle", "center", "centre", "corner", "corners"})
_SIDES = frozenset(
    {"left", "right", "left-hand", "right-hand", "leftmost", "rightmost", "far", "near", "other"}
)
_BEHIND_DIRECTIONS = AT_PLACES | {"off", "out"}

#: Verbs of giving some stuff to a thing.
_DOSING = word_set("put add pour tip scoop shovel spoon ladle")


def directed(sentence: Sentence) -> Words | None:
    """Return the words without directions before a place: "hang it *back up* on the rack"."""
    words = sentence.words
    if words[0] in ("keep", "stay", "hold") and "away" in words:
        return None  # "keep it away from the sink"
    for at in range(1, len(words)):
        end = skipped(sentence, at)
        following = sentence.word(end)
        if end == at or following not in _BEHIND_DIRECTIONS or sentence.has(at - 1, "det", "adj"):
            continue
        path = following in ("to", "into", "onto", "from", "towards", "off", "out")
        switches = words[0] in SWITCHING and words[at] in ("off", "out", "up") and not path
        if switches and (words[0] != "put" or following == "in"):
            continue  # "put the light out in the hall"
        return (*words[:at], *words[end:])
    return None


def postured(sentence: Sentence) -> Words | None:
    """Return the words without how a thing lies where it is left: "leave it *standing* on the counter"."""
    words = sentence.words
    if words[0] not in RESULTING:
        return None
    for at in positions(sentence, *POSTURES):
        end = skipped(sentence, at + 1)
        end += sentence.word(end) in ("ready", "there", "out")
        following = sentence.word(end)
        after_thing = at > 1 and (
            sentence.has(at - 1, "noun", "pron", "part") or words[at - 1] in ("be", *BE)
        )
        if not after_thing or not (following in AT_PLACES or following in states()):
            continue
        hangs = words[at] == "hanging" and following in ("on", "from", "over", "onto")
        if hangs and words[0] in ("leave", "keep", "have", "get"):
            return ("hang", *words[1:at], *words[end:])
        return None if hangs else (*words[:at], *words[end:])
    return None


def displaced(sentence: Sentence) -> Words | None:
    """Return "move" for taking something from one place to another: "off the desk *onto* the bed"."""
    words = sentence.words
    if words[0] not in DISPLACING:
        return None
    for at in positions(sentence, *SOURCES):
        begin = at + 1 + (sentence.word(at + 1) in ("of", "from", "under", "underneath", "below"))
        end = next(noun_groups(sentence, begin), None)
        if end is None:
            continue
        after = end + (sentence.word(end) in ("and", ","))
        after += sentence.word(after) == "and"
        there = skipped(sentence, after)
        if sentence.word(there) in TO_PLACES:
            plain = ("move", *words[1:end], *words[there:])
            return plain if plain != words else None
    return None


def from_floor(sentence: Sentence) -> Words | None:
    """Return the words without "off the floor", where things lie that are on nothing."""
    words = sentence.words
    for at in positions(sentence, "off", "from"):
        if sentence.word(at + 1) == "the" and sentence.word(at + 2) in FLOORS:
            begin = at - (words[at - 1] in ("up", "out") and at > 1)
            end = at + 3
            joined = words[end : end + 1] == ("and",) and sentence.word(end + 1) in TO_PLACES
            verb = "put" if sentence.word(end + joined) in TO_PLACES else words[0]
            return (verb, *words[1:begin], *words[end + joined :])
    return None


def moved(sentence: Sentence) -> Words | None:
    """Return "put" for another verb of moving something somewhere: "kick it under the bed"."""
    words = sentence.words
    end = next(noun_groups(sentence, 1), 0)
    if words[0] in MOVING and sentence.word(end) in (*TO_PLACES, "from"):
        return ("move" if "to" in words else "put", *words[1:])
    puts = words[0] in word_lists("verbs")["put"] and words[0] != "move"
    return ("move", *words[1:]) if puts and end and sentence.word(end) == "to" else None


def covering(sentence: Sentence) -> Words | None:
    """Return "put on" for what is laid over something, or left at it."""
    words = sentence.words
    if words[0] not in COVERING:
        return None
    thrown = words[0] in ("throw", "toss", "fling", "sling", "chuck", "drop")
    for at in positions(sentence, "over", *(() if thrown else ("across", "along", "atop", "at", "upon"))):
        if next(noun_groups(sentence, 1), 0) == at and next(noun_groups(sentence, at + 1), None):
            return ("put", *words[1:at], "on", *words[at + 1 :])
    return None


def of_parts(sentence: Sentence) -> Words | None:
    """Return the words with the whole for a part: "on *the arm of* the sofa", "on the sofa's *left side*"."""
    words = sentence.words
    for at in positions(sentence, "on", "onto", "in", "into", "at", "to"):
        found = part_end(sentence, at + 1)
        if found is not None:
            end, inside = found
            whole: Words = ()
            beside = "side" in words[at:end] and (words[at] == "to" or sentence.word(end + 1) in BESIDE_ONLY)
            if beside and _SIDES & {*words[at:end]}:
                continue  # "on the left side of the sink" is not in it
        else:
            owner = at + 1 + (sentence.word(at + 1) == "the")
            found = owned_part_end(sentence, owner + 1) if sentence.word(owner).endswith("'s") else None
            if found is None:
                continue
            end, inside = found
            whole = (*words[at + 1 : owner], words[owner].removesuffix("'s"))
        there = "in" if inside else words[at]
        if words[at] == "at" or (words[at] == "in" and _ON_TOP & {*words[at:end]}):
            there = "on" if words[0] != "go" else words[at]
        return (*words[:at], there, *whole, *words[end:])
    return None


def for_itself(sentence: Sentence) -> Words | None:
    """Return the words without what a thing does by itself: "put it in the sink *to soak*"."""
    words = sentence.words
    for at in positions(sentence, "to"):
        end = purpose_end(sentence, at)
        if end is not None and (end == len(words) or sentence.word(skipped(sentence, end)) in AT_PLACES):
            return (*words[:at], *words[end:])
    return None


def to_speaker(sentence: Sentence) -> Words | None:
    """Return "bring me" for "pass it along", "leave it with me"."""
    words = sentence.words
    end = next(noun_groups(sentence, 1), 0)
    if not end or words[1] in ("me", "us"):
        return None
    rest = words[end:]
    if words[0] == "leave" and rest in (("with", "me"), ("with", "us"), ("for", "me", "here")):
        return ("bring", "me", *words[1:end])
    if rest[:1] in (("in",), ("into",), ("to",), ("within",), ("on",), ("at",)) and rest[1:] in AT_SPEAKER:
        return ("bring", "me", *words[1:end])
    if words[0] in DATIVE and rest and all(word in HITHER for word in rest):
        return ("bring", "me", *words[1:end])
    return None


def sourced(sentence: Sentence) -> Words | None:
    """Return the words without where stuff comes from: "put soil *from the bag* into the pot".

    Of a thing that is told by where it is, another one is never taken.
    """
    words = sentence.words
    stuff = words[1:2] == ("some",) or not sentence.has(1, "det", "pron", "num")
    begin = next(
        (at for at in range(2, len(words)) if words[at] == "from" or words[at : at + 2] == ("out", "of")), 0
    )
    end = next((at for at in range(begin + 2, len(words)) if words[at] in ("into", "in", "onto")), 0)
    return (*words[:begin], *words[end:]) if words[0] in _DOSING and stuff and begin and end else None
