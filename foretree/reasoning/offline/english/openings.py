"""Words with which requests and wishes are opened: "be so kind as to", "any chance you could"."""

from __future__ import annotations

import re
from dataclasses import replace

from foretree.reasoning.offline.english._clause import EnglishClause, Role
from foretree.reasoning.offline.english._clause_words import (
    AS_IT_IS,
    BOTHER,
    COMING,
    DATED,
    ENDED,
    GOING_AND,
    IDLE,
    IDLY,
    KINDNESS,
    LEAVING,
    MISTAKEN,
    NO_MATTER,
    OVER,
    PARTLY,
    PERSONS,
    PLEASANT,
    SETTING_OFF,
    THIRSTY,
    TOPICS,
    Words,
)
from foretree.reasoning.offline.english.complements.searching import sought
from foretree.reasoning.offline.english.groups import noun_groups
from foretree.reasoning.offline.english.words import OBJECT_PRONOUNS, Sentence
from foretree.reasoning.offline.lexicon import BE, SPEAKER, WANT

#: Beginnings of what somebody tells of how it is with them, without "I am".
_ELLIPTICAL = tuple(
    tuple(words.split())
    for words in re.split(
        r",\s+",
        """running late, running behind, running out, feeling, freezing, starving, sweating, melting,
        dying for, dying of, heading out, heading off, heading home, heading to, leaving in, leaving now,
        leaving soon, leaving for, going out, off to, off out, late for, late again, in a hurry, in a rush,
        in need of,
        about to, expecting, craving, still waiting, back home, home late, done with, finished with, sick of,
        tired of, bored of, bored with, so tired, so cold, so hot, so hungry, so thirsty, very tired,
        very hungry""",
    )
)

#: What a thing becomes where it is left, and how far.
_MADE_SO = frozenset({"hot", "warm", "heated", "cold", "cool", "chilled", "clean"})
_THOROUGHLY = frozenset(
    {"nice", "and", "really", "very", "piping", "good", "properly", "ice", "all", "quite"}
)
#: Verbs of how a thing stands.
_FACING = frozenset({"face", "point", "lean", "lie", "hang", "stand", "touch", "look", "open", "sit"})
#: Words by which a past tells what was done.
_PAST = frozenset({"already", "yesterday", "earlier", "last", "ago", "before", "never", "again", "just"})


def opened_deed(verb: str, rest: Words) -> Words:
    """Return the deed that words of kindness open: "be so kind as to", "go ahead and"."""
    if verb == "feel" and rest[:2] == ("free", "to"):
        return rest[2:]
    if verb in GOING_AND and rest[:1] == ("and",):
        return rest[1:]
    if verb in ("go", "come") and rest[:2] in (("ahead", "and"), ("on", "and"), ("over", "and")):
        return rest[2:]
    if verb in ("be", "do", "make") and rest:
        if rest[0] in ("sure", "certain") and rest[1:2] == ("to",):
            return rest[2:]
        if verb == "make" and rest[0] in ("a", "an", "me", "us") and rest[1:2] != ("happy",):
            return ()  # "make me a sandwich and a coffee"
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


def with_subject(words: Words) -> Words:
    """Return the words with what is left out before "would be great if", "great if", "running late"."""
    if any(words[: len(one)] == one for one in _ELLIPTICAL):
        return ("i", "am", *words)
    opened = words[:2] == ("would", "be") and len(words) > 3
    if opened and words[2] in PLEASANT | {"really", "very", "so"}:
        return ("it", *words)
    bare = words[:1] and words[0] in PLEASANT and words[1:2] == ("if",)
    return ("it", "would", "be", *words) if bare else words


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


def deed_within(clause: EnglishClause) -> Words:
    """Return the deed that a clause within one asks for: "you could open it", "it might be possible to"."""
    if clause.mood != "declarative" or clause.denied:
        return ()
    if clause.subject == ("you",):
        return (clause.verb, *clause.rest) if clause.verb else ()
    impersonal = clause.subject in (("it",), ("there",))
    return possible_deed(clause.rest, clause.modal) if impersonal else ()


def longed_for(clause: EnglishClause) -> Words | None:
    """Return the thing that a person would like to have: "I could do with a towel", "I'm after the salt"."""
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
    plans = form == "ing" or not {"about", "going"}.isdisjoint(clause.words)
    if verb in ("have", "take") and clause.modal == "will" and not plans:
        return rest  # "we will be having soup", "I'm about to have breakfast" only tell
    return None


def is_awaited(clause: EnglishClause) -> bool:
    """Return whether a person tells what is awaited: "I'm expecting guests"."""
    return clause.verb == "expect" and clause.group is not None and clause.group.form == "ing"


def lacks_something(clause: EnglishClause, subject: Sentence) -> bool:
    """Return whether a clause says what should be done with a thing: "the plate could do with a wash".

    Args:
        clause: the clause.
        subject: the words of its subject.
    """
    seems = clause.rest and THIRSTY.issuperset(clause.rest) and clause.verb in ("be", "look", "seem")
    if seems or clause.verb in THIRSTY:
        people = any("person" in subject.lexicon.parts_of_speech(word) for word in subject.words)
        return not (people or clause.denied) and any(word in subject.nouns for word in subject.words)
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


def says_nothing(sentence: Sentence) -> bool:
    """Return whether words without a verb say nothing: "no more and no less", "quickly"."""
    words = sentence.words
    if (
        words[0] in ("sorry", "apologies", "thanks")
        and words[1:2]
        and words[1] in ("to", "for", "about", "if", "again")
    ):
        return True  # "sorry to bother you again"
    if DATED & {*words}:
        return False  # "tomorrow morning": what is said is done at once
    referring = len(words) == 2 and words[0] == "with" and words[1] in ("it", "that", "this", "them", "those")
    return (
        referring
        or (words[0] == "no" and NO_MATTER.issuperset(words[1:]))
        or all(sentence.has(at, "adv", "intj") for at in range(len(words)))
    )


def is_over(clause: EnglishClause) -> bool:
    """Return whether a clause says that what was asked for is done: "once that's done"."""
    words = frozenset(clause.words)
    marked = clause.marker in ("when", "once", "after", "because") and clause.subject not in (("i",), ("we",))
    return marked and not clause.denied and words <= OVER and not ENDED.isdisjoint(words)


def awaited_state(clause: EnglishClause) -> Words:
    """Return the wish in a clause that says how long a thing is left: "until it is nice and hot"."""
    if clause.marker not in ("until", "till") or clause.verb != "be" or clause.denied or not clause.rest:
        return ()
    made = clause.rest[-1] in _MADE_SO and _THOROUGHLY.issuperset(clause.rest[:-1])
    return (WANT, "it", BE, clause.rest[-1]) if made and clause.subject == ("it",) else ()


def is_precaution(clause: EnglishClause) -> bool:
    """Return whether a clause behind a request says what it is to be ready for: "in case I spill it"."""
    if (
        clause.marker != "in case"
        or clause.mood != "declarative"
        or clause.verb in ("be", "have", "find", "see")
    ):
        return False
    return clause.subject == ("it",) or PERSONS.issuperset(clause.subject)


def affirmed(clause: EnglishClause) -> EnglishClause:
    """Return a clause without its denial."""
    return clause if clause.group is None else replace(clause, group=replace(clause.group, denied=False))


def is_limiting(clause: EnglishClause) -> bool:
    """Return whether a clause says how far a deed shall go: "so that only one is left", "until half full"."""
    words = frozenset(clause.words)
    match clause.marker:
        case "so that":
            return not LEAVING.isdisjoint(words) or _places_thing(clause)
        case "until" | "till":
            return not PARTLY.isdisjoint(words)
        case "while" | "whilst":
            return clause.mood != "declarative"
    return False


def _places_thing(clause: EnglishClause) -> bool:
    """Return whether a clause tells how a thing shall stand: "so that *it faces the wall*"."""
    group = clause.group
    if group is None or group.modal or group.denied or group.form not in ("s", "base"):
        return False
    own = clause.subject[:1] in (("its",), ("their",))
    return own or (clause.subject in (("it",), ("they",)) and group.verb in _FACING)


def begun_deed(sentence: Sentence) -> Words | None:
    """Return what a list of deeds goes on with: "by opening it", "up with the plate"; None if nothing."""
    words = sentence.words
    at = 1 if words[:1] in (("up",), ("off",), ("out",), ("on",)) else 0
    if words[at : at + 1] not in (("by",), ("with",)):
        return None
    if sentence.base(at + 1, "ing"):
        return words[at + 1 :]
    return words[at + 1 :] if sentence.word(at) == "with" and sentence.has(at + 1, "det") else None


def topic(sentence: Sentence) -> Words:
    """Return the thing that is named before it is told what shall be done: "as for the mug"."""
    words = sentence.words
    begin = next((len(one) for one in TOPICS if words[: len(one)] == one), 0)
    return words[begin:] if begin and sentence.has(begin, "det", "pron") else ()


def topic_role(named: Words) -> Role:
    """Return the role of what is named first; with a state it is a wish: "as for the mug, in the sink"."""
    if "," not in named[:-1]:
        return Role("topic", named)
    at = named.index(",")
    return Role("request", (WANT, *named[:at], BE, *named[at + 1 :]))


def deed_done(clause: EnglishClause, sentence: Sentence) -> Words:
    """Return the deed of a clause that says when: "you have washed it" is "wash it".

    Args:
        clause: the clause.
        sentence: its words without the one who does it.
    """
    if clause.group is not None and clause.verb:
        return (clause.verb, *clause.rest)
    return (sentence.base(0, "ing") or sentence.word(0), *sentence.words[1:])


def is_counted(sentence: Sentence) -> bool:
    """Return whether words begin with a number: "at least two"."""
    return sentence.word(0) == "at" and sentence.word(1) in ("least", "most")


def is_courteous(clause: EnglishClause) -> bool:
    """Return whether a condition is none: "if you have a minute", "if it's not too much bother"."""
    said = frozenset(clause.words)
    if clause.subject == ("it",) and not said.isdisjoint(BOTHER):
        return True
    to_hearer = clause.subject == ("you",) or not clause.subject or len(clause.words) < 3
    mistaken = clause.subject in (("i",), ("we",)) and not said.isdisjoint(MISTAKEN)
    return mistaken or (to_hearer and not said.isdisjoint(KINDNESS))


def stays_as_it_is(verb: str, rest: Words) -> bool:
    """Return whether a thing shall stay as it is: "leave it there", "keep it that way"."""
    spoken_of = rest[:1] and rest[0] in OBJECT_PRONOUNS
    return verb in ("leave", "keep") and bool(spoken_of) and AS_IT_IS.issuperset(rest[1:])


def is_bare_state(clause: EnglishClause, sentence: Sentence) -> bool:
    """Return whether a thing without an article is told to be somehow, as in a list: "drawer shut"."""
    group = clause.group
    past = group is not None and group.form == "past" and not group.modal and not clause.rest
    named = bool(clause.subject) and clause.subject[-1] in sentence.nouns
    return past and named and sentence.has(0, "noun") and not sentence.has(0, "det", "pron")


#: How long nobody means to wait.
_MOMENTS = tuple(
    (number, time)
    for number in ("a", "one")
    for time in ("moment", "second", "sec", "minute", "bit", "while")
)


def asks_for_no_deed(verb: str, rest: Words) -> bool:
    """Return whether no deed is asked for: "wait for me", "run" before "and get it"."""
    if verb in SETTING_OFF and not rest:
        return True
    if verb == "wait" and rest[:1] == ("for",):
        # What comes after waiting for the postman must not be done at once.
        return not SPEAKER.isdisjoint(rest[1:2]) or rest[1:] in _MOMENTS
    return verb == "be" or (verb in IDLE and IDLY.issuperset(rest[:1]) and not sought((verb, *rest)))


def looks_at_thing(sentence: Sentence) -> bool:
    """Return whether words ask to look at a thing that they name: "look at the vase", not "look at that"."""
    words = sentence.words
    pointed = len(words) == 3 and words[2] in (*OBJECT_PRONOUNS, "that", "this", "those", "these")
    return words[:2] == ("look", "at") and not pointed and names_things(replace(sentence, words=words[2:]))


def is_told_to_do(clause: EnglishClause) -> bool:
    """Return whether "you" do something; in a list of deeds "and you set it running" is no past."""
    form = clause.group.form if clause.group is not None and not clause.denied else ""
    if form == "past" and clause.verb in clause.words and _PAST.isdisjoint(clause.words):
        form = "base"  # "you cut" may be either
    listed = form == "past" and clause.joint in ("and", "then") and clause.verb in clause.words
    return form == "base" or (listed and _PAST.isdisjoint(clause.words))
