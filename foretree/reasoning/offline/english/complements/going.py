"""Requests to go or to be somewhere, put plainly: "make your way through to the hall" is "go to the hall"."""

from __future__ import annotations

from foretree.reasoning.offline.english._clause_words import Words
from foretree.reasoning.offline.english.complements.words import (
    COMING_WITH,
    DIRECTIONS,
    INTO_ROOMS,
    NEARBY,
    STAYING,
    TRAVELLING,
    VISITING,
    part_end,
    skipped,
)
from foretree.reasoning.offline.english.groups import noun_groups
from foretree.reasoning.offline.english.words import Sentence

_REFLEXIVE = ("yourself", "yourselves")
#: After verbs of being somewhere.
_IDLY = frozenset(["around", "out", "there", "here", "put", "still", "about", "up", "on"])
_OTHERS = frozenset(["me", "us", "him", "her", "them"])


def going(sentence: Sentence) -> Words | None:
    """Return "go to" with the place for a request to go or to wait there."""
    words = sentence.words
    verb = words[0]
    if verb in ("go", "come", "run") and len(words) > 2 and words[1] in STAYING | {"go"}:
        return words[1:]
    if verb in ("make", "find", "work", "wend") and words[1:3] == ("your", "way"):
        return _gone(sentence, 3)
    if words[1:2] and words[1] in _REFLEXIVE:
        return _gone(sentence, 2)
    if verb in VISITING and next(noun_groups(sentence, 1), 0) == len(words):
        return ("go", "to", *words[1:])
    if verb in ("follow", "join", "accompany", "meet") and words[1:2] in (("me",), ("us",)):
        return _gone(sentence, 2)
    if verb in STAYING:
        return _stayed(sentence)
    if verb in TRAVELLING:
        return _gone(sentence, 1)
    return None


def coming_with(sentence: Sentence) -> Words | None:
    """Return "bring me" with the thing that shall be brought along: "come back to me with it"."""
    words = sentence.words
    if words[0] not in COMING_WITH or "with" not in words:
        return None
    at = words.index("with")
    before = words[1:at]
    homeward = not {"back", "here", "me", "return"}.isdisjoint((words[0], *before)) or words[0] == "come"
    known = all(word in DIRECTIONS | {"to", "me", "us", "here", "right", "again"} for word in before)
    end = next(noun_groups(sentence, at + 1), None)
    if not homeward or not known or end is None or words[at + 1] in ("me", "us"):
        return None
    return ("bring", "me", *words[at + 1 :])


def _stayed(sentence: Sentence) -> Words | None:
    at = 1
    while (
        sentence.word(at) in _IDLY and sentence.word(at + 1) not in ("of",) and at + 1 < len(sentence.words)
    ):
        if sentence.word(at) in ("in", "on") and sentence.has(at + 1, "det"):
            break
        at += 1
    if sentence.word(at) == "for" and sentence.word(at + 1) in _OTHERS:
        at += 2
    if at >= len(sentence.words):
        return None
    return _gone(sentence, at)


def _gone(sentence: Sentence, at: int) -> Words | None:
    """Return "go to" with the place that the words from *at* on name."""
    words = sentence.words
    at = skipped(sentence, at)
    word = sentence.word(at)
    if word == "for" and words[0] not in ("head", "make"):
        return None
    if word not in INTO_ROOMS | NEARBY:
        return None
    after = at + 1 + (word in ("next", "close") and sentence.word(at + 1) == "to")
    after += word == "inside" and sentence.word(at + 1) == "of"
    found = part_end(sentence, after)
    after = found[0] if found else after
    if next(noun_groups(sentence, after), None) is None:
        return None
    place = words[after:]
    plain = ("go", "to", *place) if word in INTO_ROOMS else ("go", "by", *place)
    return plain if plain != words else None
