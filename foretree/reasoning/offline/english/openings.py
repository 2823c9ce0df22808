"""Words with which requests and wishes are opened: "be so kind as to", "any chance you could"."""

from __future__ import annotations

from foretree.reasoning.offline.english._clause_words import Words
from foretree.reasoning.offline.english._role_words import COMING
from foretree.reasoning.offline.english.clauses import EnglishClause
from foretree.reasoning.offline.english.groups import noun_groups
from foretree.reasoning.offline.english.words import Sentence


def opened_deed(verb: str, rest: Words) -> Words:
    """Return the deed that words of kindness open: "be so kind as to", "go ahead and"."""
    if verb == "feel" and rest[:2] == ("free", "to"):
        return rest[2:]
    if verb in ("go", "come") and rest[:1] == ("and",):
        return rest[1:]
    if verb in ("go", "come") and rest[:2] in (("ahead", "and"), ("on", "and"), ("over", "and")):
        return rest[2:]
    if verb in ("be", "do", "make") and rest:
        if rest[0] in ("sure", "certain") and rest[1:2] == ("to",):
            return rest[2:]
        for at, word in enumerate(rest[:7]):
            if word in ("and", "to") and rest[0] in ("so", "a", "an", "me", "us", "kind", "good", "sure"):
                return rest[at + 1 :]
    return ()


def ensured_state(verb: str, rest: Words) -> Words:
    """Return what may be a clause of what shall be so: "make sure (that) the lamp is off"."""
    if verb == "make":
        if rest[:1] not in (("sure",), ("certain",)):
            return ()
        rest = rest[1:]
    elif verb == "see" and rest[:2] == ("to", "it"):
        rest = rest[2:]
    elif verb == "see" and rest[:1] != ("that",):
        return ()
    return rest[rest[:1] == ("that",) :]


def possible_deed(rest: Words, modal: str) -> Words:
    """Return the deed in "any chance you could", "possible (for you) to", "a lot of trouble to"."""
    for at, word in enumerate(rest[:7]):
        if word in ("to", "of") and "for" not in rest[at:] and at + 1 < len(rest):
            kind = modal == "would" or not {"possible", "chance", "way", "ok", "okay"}.isdisjoint(rest[:at])
            if word == "of" and "chance" not in rest[:at]:
                continue
            return rest[at + 1 :] if kind else ()
        if word == "you" and rest[at + 1 : at + 2] and "chance" in rest[:at]:
            return rest[at + 2 :]
        if rest[at : at + 3] == ("for", "you", "to") and at:
            return rest[at + 3 :]
    return ()


def longed_for(clause: EnglishClause) -> Words | None:
    """Return what somebody would like to have: "I could do with a towel", "I'm after the salt"."""
    verb, rest = clause.verb, clause.rest
    form = clause.group.form if clause.group is not None else ""
    if verb == "do" and rest[:1] == ("with",) and clause.modal == "could":
        return rest[1:]
    if verb in ("use", "murder", "demolish", "manage") and clause.modal == "could":
        return rest
    if verb == "kill" and rest[:1] == ("for",) and clause.modal in ("could", "would"):
        return rest[1:]
    if verb in ("look", "search", "die", "long") and rest[:1] == ("for",) and form == "ing":
        return rest[1:]
    if verb == "be" and rest[:1] == ("after",):
        return rest[1:]
    if verb == "be" and rest[:4] == ("in", "the", "mood", "for"):
        return rest[4:]
    if verb in ("have", "get") and clause.modal == "would" and rest[:1] != ("to",):
        return rest
    if verb in ("have", "take", "get") and clause.modal == "will":
        return rest
    return None


def lacks_something(clause: EnglishClause) -> bool:
    """Return whether a clause says what should be done with a thing: "the plate could do with a wash"."""
    if clause.modal == "could":
        return clause.verb in ("do", "use")
    return clause.verb in ("need", "want", "require", "deserve") and bool(clause.rest)


def comes_somewhere(clause: EnglishClause, rest: Sentence) -> bool:
    """Return whether a clause tells where a thing is to come: "the shoe comes to me"."""
    group = clause.group
    assert group is not None
    plain = not group.modal and group.form in ("s", "base") and not group.denied
    return plain and group.verb == "come" and rest.has(0, "prep", "part")


def names_things(sentence: Sentence) -> bool:
    """Return whether words name things, and nothing is said of these."""
    words = sentence.words
    marks = (at for at, word in enumerate(words) if word in ("where", "as", "alone", "be"))
    end = next(marks, len(words))
    return bool(end) and end in noun_groups(sentence, 0)


def put_to_speaker(words: Words) -> Words:
    """Return the words with "to me" for "over here", after what brings something or goes somewhere."""
    if not words or words[0] not in COMING:
        return words
    for place in (("over", "here"), ("here",)):
        length = len(place)
        for at in range(1, len(words) - length + 1):
            if words[at : at + length] == place:
                rest = (*words[:at], *words[at + length :])
                return rest if words[at + length : at + length + 2] == ("to", "me") else (*rest, "to", "me")
    return words
