"""Requests within clauses that report them, point to them or welcome them: "Dad says to", "all I want is"."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

from foretree.reasoning.offline.english._clause import EnglishClause
from foretree.reasoning.offline.english._clause_words import (
    ASKING,
    DESIRES,
    OPINIONS,
    PLEASANT,
    RELAYING,
    SAYING,
    Words,
)
from foretree.reasoning.offline.english.groups import noun_groups
from foretree.reasoning.offline.english.words import Sentence

#: They stand for the one who is asked, before a modal verb.
_HEARERS = frozenset(
    {("the", "robot"), ("robot",), ("our", "robot"), ("my", "robot"), ("someone",), ("somebody",), ("one",)}
)
_SPEAKERS = (("me",), ("us",))
#: What "to have" and its like go on with is a thing wished for, or to be somehow.
_HAVING = frozenset({"have", "see", "get"})
_SOMEBODY = frozenset({"someone", "somebody"})
_ANY = frozenset({"a", "an", "some", "any", "no"})
_SUBJECTS = (("i",), ("we",))


class Embedded(NamedTuple):
    """Words within a clause, and what they are: a deed, a clause, or what is wished for.

    Attributes:
        kind: ``deed``, ``not`` (a deed that shall not be done), ``clause``, ``wish`` (a clause that shall be
            so) or ``thing`` (a thing, that may be told to be somehow).
        words: they.
    """

    kind: Literal["deed", "not", "clause", "wish", "thing"]
    words: Words


def is_hearer(clause: EnglishClause) -> bool:
    """Return whether the subject of a clause stands for the one who is asked: "the robot should"."""
    return clause.subject == ("you",) or (clause.subject in _HEARERS and bool(clause.modal))


def embedded(clause: EnglishClause, sentence: Callable[[Words], Sentence]) -> Embedded | None:
    """Return the request in a clause of which the subject is neither the speaker nor the one who is asked."""
    found = welcomed(clause) if clause.subject in (("it",), ("that",), ("this",)) else None
    found = (
        found or reported(clause, sentence(clause.rest)) or served_somewhere(clause, sentence(clause.subject))
    )
    return found or pointed_out(clause.words, sentence(clause.words))


def reported(clause: EnglishClause, sentence: Sentence) -> Embedded | None:
    """Return the request that a clause reports: "Dad says to", "the boss wants you to".

    Args:
        clause: the clause, of which the subject is neither the speaker nor the one who is asked.
        sentence: the words after its verb.
    """
    verb, rest = clause.verb, sentence.words
    if verb not in SAYING | ASKING | DESIRES | OPINIONS or clause.modal in ("will", "might", "may"):
        return None
    relayed = rest[:1] in _SPEAKERS and rest[1:2] == ("to",) and rest[2:3] and rest[2] in RELAYING
    if relayed and rest[3:5] == ("you", "to"):
        rest = rest[3:]
    for opening in (("you", "to"), ("for", "you", "to"), ("you", "not", "to")):
        if rest[: len(opening)] == opening:
            denied = "not" in opening or clause.denied
            return Embedded("not" if denied else "deed", rest[len(opening) :])
    if clause.denied:
        return None
    if verb in ("say", "suggest") and rest[:1] == ("to",):
        return Embedded("deed", rest[1:])
    if verb in ("say", "ask") and rest[:2] == ("not", "to"):
        return Embedded("not", rest[2:])
    if verb in ("ask", "love", "like", "prefer", "want") and rest[:1] == ("to",):
        return Embedded("thing", rest[2:]) if rest[1:2] and rest[1] in _HAVING else None
    if rest[:1] in (("that",), ("if",), ("whether",)) or rest[:1] == ("you",):
        told = rest[rest[0] != "you" :]
        modal = sentence.has(len(rest) - len(told) + 1, "modal") or told[1:2] in (("had",), ("ought",))
        modal = modal or told[1:3] in (("are", "to"), ("have", "to"), ("need", "to"))
        return Embedded("clause", told) if told[:1] == ("you",) and modal else None
    return None


def pointed_out(words: Words, sentence: Sentence) -> Embedded | None:
    """Return the request in "what I want is the lamp on", "all I ask is that you close it"."""
    begin = _pointing(words)
    if begin is None or not {"is", "are"} & {*words[begin:]}:
        return None
    at = next(i for i in range(begin, len(words)) if words[i] in ("is", "are"))
    said = [base for i in range(begin, at) if (base := sentence.base(i, "base", "ing")) and base != "be"]
    if not said or said[0] not in DESIRES | {"ask"}:
        return None
    rest = words[at + 1 :]
    while rest[:1] == (",",):
        rest = rest[1:]
    for opening in (("for", "you", "to"), ("you", "to")):
        if rest[: len(opening)] == opening:
            return Embedded("deed", rest[len(opening) :])
    if rest[:1] == ("that",):
        return Embedded("wish", rest[1:])
    return Embedded("thing", rest[rest[:1] == ("for",) :])


def _pointing(words: Words) -> int | None:
    """Return the position after "what I", "all that I", "the only thing I"."""
    for length in (1, 2, 3, 4):
        if words[length : length + 1] in _SUBJECTS:
            opening = {*words[:length]}
            if opening & {"what", "all", "thing", "things", "everything"}:
                return length + 1
    return None


def welcomed(clause: EnglishClause) -> Embedded | None:
    """Return the request in "it would be nice if …", "it is important that …", "it is time to …"."""
    rest = clause.rest
    if clause.verb not in ("be", "help", "make") or not (
        PLEASANT & {*rest[:3]} or clause.verb in ("help", "make") or "time" in rest[:2]
    ):
        return None
    for at, word in enumerate(rest[:6]):
        if word in ("if", "that"):
            return Embedded("clause", rest[at + 1 :])
        if word == "to" and at:
            having = rest[at + 1 : at + 2] and rest[at + 1] in _HAVING
            return Embedded("thing", rest[at + 2 :]) if having else Embedded("deed", rest[at + 1 :])
        if word == "for" and rest[at + 1 : at + 3] == ("you", "to"):
            return Embedded("deed", rest[at + 3 :])
    return None


def is_supposed(clause: EnglishClause, wished: bool) -> bool:
    """Return whether a clause supposes what would be welcome: "if the fork were on the table"."""
    supposed = wished and (not {"was", "were", "is", "are"}.isdisjoint(clause.words) or bool(clause.modal))
    return supposed or (clause.group is not None and clause.group.form in ("past", "s"))


def served_somewhere(clause: EnglishClause, subject: Sentence) -> Embedded | None:
    """Return the request for what people in a place would like: "somebody in the study asked for a coffee".

    How much several people are to have is not told.

    Args:
        clause: the clause.
        subject: the words of its subject.
    """
    words, rest = clause.subject, clause.rest
    person = next((at for at, word in enumerate(words) if word in ("in", "at")), 0)
    somebody = person == 1 and words[0] in _SOMEBODY
    if not person or clause.denied or subject.has(0, "num") or person + 1 == len(words):
        return None
    if "person" not in subject.lexicon.parts_of_speech(words[person - 1]) and not somebody:
        return None
    ordered = clause.verb in ("order", "request") or (clause.verb == "ask" and rest[:1] == ("for",))
    wants = clause.verb in ("want", "need") or (clause.verb in DESIRES and clause.modal == "would")
    thing = rest[clause.verb == "ask" :]
    if not (ordered or wants) or not thing or thing[0] in ("to", "you", "that"):
        return None
    return Embedded("deed", ("bring", *thing, "to", *words[person + 1 :]))


def wished_by_another(clause: EnglishClause, sentence: Sentence) -> Words | None:
    """Return the state that another person wants a thing in: "Dad would like the plate left on the counter".

    Args:
        clause: the clause.
        sentence: the words after its verb.
    """
    wants = clause.verb in ("want", "need") or (clause.verb in DESIRES and clause.modal == "would")
    if not wants or clause.denied or not sentence.has(0, "det") or sentence.word(0) in _ANY:
        return None
    end = next(noun_groups(sentence, 0), len(sentence.words))
    # "The lamp needs the bulb in the drawer" tells where the bulb is, not where it is wanted.
    told = sentence.has(end, "prep") and any(word in sentence.nouns for word in clause.subject)
    return sentence.words if end < len(sentence.words) and not told else None
