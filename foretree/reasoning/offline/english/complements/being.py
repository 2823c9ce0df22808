"""Requests for how and where something shall be at once, put plainly: "it should lie folded on the sofa"."""

from __future__ import annotations

from foretree.reasoning.offline.english._clause_words import THIRSTY, Words
from foretree.reasoning.offline.english.complements.words import RESULTING, states
from foretree.reasoning.offline.english.groups import noun_groups, told_groups
from foretree.reasoning.offline.english.words import Sentence
from foretree.reasoning.offline.lexicon import BE, WANT, word_set
from foretree.reasoning.offline.word_lists import word_lists

_PLACES = word_set("on in inside at under underneath beneath below beside next by near upon")
#: Deeds that are done in a place, where what they are done to need not stay.
_WORK = word_set("chill clean cool heat microwave refrigerate rinse scrub warm wash")
#: What is said of a thing before what it shall be given.
_LACKING = (
    *((verb,) for verb in ("needs", "need", "wants", "want", "requires", "require", "lacks", "lack")),
    ("could", "use"),
    ("could", "do", "with"),
)
_SEEMING = word_set("is are look looks seem seems")
_SMOOTHLY = word_set("neatly nicely properly carefully up off again back down")
#: What is taken out of what has things in it, or off what has things on it.
_EMPTYING = word_set("clear empty unload unpack")
_ONTO = word_set("on onto in into to")


def in_a_state(sentence: Sentence) -> Words | None:
    """Return the two wishes for a state and a place: "want the blanket be folded *on the sofa*"."""
    words = sentence.words
    if words[0] != WANT and words[0] not in RESULTING:
        return None
    for at in range(2, len(words) - 1):
        base = sentence.base(at, "participle")
        done = base in sentence.verbs and base not in word_lists("verbs")["put"]
        if not done and words[at] not in states():
            continue
        place = at + 1
        while sentence.word(place) in _SMOOTHLY:
            place += 1
        subject = words[1 : at - (words[at - 1] == BE)]
        if sentence.word(place) not in _PLACES or not _names(sentence, 1, 1 + len(subject)):
            continue
        if base in _WORK and base in sentence.verbs:
            return (base, *subject, *words[place:])
        return (WANT, *subject, BE, words[at], "and", WANT, "it", BE, *words[place:])
    return None


def lacking(sentence: Sentence) -> Words | None:
    """Return the request to give a thing what it lacks: "the bowl needs milk", "the plant is thirsty"."""
    words = sentence.words
    for at in told_groups(sentence, 0):
        told = words[at + (sentence.word(at) in _SEEMING) :]
        if told and THIRSTY.issuperset(told):
            return ("give", *words[:at], "water")
        lacks = next((one for one in _LACKING if words[at : at + len(one)] == one), None)
        if lacks is None:
            continue
        what = words[at + len(lacks) :]
        if what and what[0] != "to" and not sentence.base(at + len(lacks), "ing"):
            return ("give", *words[:at], *what)
    return None


def with_speaker(sentence: Sentence) -> Words | None:
    """Return "bring me" for what shall be where the speaker is: "want my phone be over here with me"."""
    words = sentence.words
    if words[0] != WANT or BE not in words[2:]:
        return None
    at = words.index(BE, 2)
    here = [word for word in words[at + 1 :] if word not in ("over", "right", "back", "up", "down")]
    near = here in (["here"], ["with", "me"], ["here", "with", "me"], ["by", "me"], ["with", "us"])
    return ("bring", "me", *words[1:at]) if near else None


def emptied_in(sentence: Sentence) -> Words | None:
    """Return the request to move what is in a thing: "empty the drawer onto the counter"."""
    return _emptied(sentence, "in")


def emptied_on(sentence: Sentence) -> Words | None:
    """Return the request to move what is on a thing: "clear the table into the sink"."""
    return _emptied(sentence, "on")


def _emptied(sentence: Sentence, inside: str) -> Words | None:
    words = sentence.words
    begin = 1 + (sentence.word(1) == "out")
    end = next(noun_groups(sentence, begin), 0)
    if words[0] not in _EMPTYING or not end:
        return None
    there = end + (sentence.word(end) == "out")
    if sentence.word(there) not in _ONTO or there + 1 >= len(words):
        return None
    return ("put", "everything", inside, *words[begin:end], *words[there:])


def _names(sentence: Sentence, start: int, end: int) -> bool:
    """Return whether the words between two positions name a thing."""
    return end > start and (end in noun_groups(sentence, start) or sentence.has(end - 1, "noun", "pron"))
