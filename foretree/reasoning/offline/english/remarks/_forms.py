"""Forms of remarks: clauses that ask for nothing, whatever their words mean."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache
from itertools import pairwise

from foretree.reasoning.offline.english._clause import EnglishClause
from foretree.reasoning.offline.english._clause_words import (
    BECOMING,
    DATED,
    DESIRES,
    ENJOYING,
    LIKING,
    PLEASANT,
    Words,
)
from foretree.reasoning.offline.english.clauses import ClauseFinder
from foretree.reasoning.offline.english.embedded import is_hearer
from foretree.reasoning.offline.english.groups import noun_groups
from foretree.reasoning.offline.english.lexicon.lexicon_file import english_words
from foretree.reasoning.offline.english.openings import is_limiting
from foretree.reasoning.offline.english.roles import RoleFinder
from foretree.reasoning.offline.english.words import OBJECT_PRONOUNS, Sentence
from foretree.reasoning.offline.lexicon import word_set
from foretree.reasoning.offline.word_lists import word_lists

_SPEAKERS = (("i",), ("we",))
_PEOPLE = word_set("i we he she they who everyone everybody someone somebody people")
_IMPERSONAL = word_set("it that this everything things")
#: They tell one thing from others, so that what is said may limit what is meant.
_PICKING = word_set(
    """one ones other others another same former latter either neither both each else which whichever mine
    hers ours theirs yours instead except unless if otherwise only but still"""
)
#: Of these, those that a person may say of their own doings: "I only want to use it tomorrow".
_OF_DOINGS = word_set("only still both else which")
_NOBODY = word_set("no nobody nothing none neither nor")
#: What somebody cannot have, so that not every thing will do.
_DIETS = word_set("allergic allergy intolerant vegan vegetarian diet")
#: A clause behind a request that one of these opens may be an exception to it.
_CONTRASTS = word_set("but although though whereas yet however")
#: Conjunctions of reasons, and of what goes on at the same time.
REASONS = word_set("because since as although though while whilst lest whereas")
#: Verbs of how a thing strikes people.
_SEEMING = word_set("feel look seem smell sound")
_NICER = word_set("nicer better prettier cosier")
#: They may stand for the one who is asked: "somebody should wash it".
_ANYBODY = word_set("somebody someone one everyone everybody who people")
_PRESENCE = word_set("here home back awake asleep")
#: Verbs by which the hearer is thanked: "you're a star".
_THANKING = word_set("be do know look mean save make help")
_DEGREES = word_set("so much a bit little really very more less all rather quite too just as lot far that")
#: Verbs that the hearer may be told of: "you won't believe it".
_SUPPOSING = word_set("believe think imagine guess wonder suppose")
#: What is not to be told or felt is no deed here: "don't laugh", "don't tell my wife".
_SAYING = word_set("laugh judge ask tell blame mention shout scream cry complain panic fret stress argue get")
#: What is praised: "nice job".
_JOBS = word_set("job work going news weather morning evening day luck grief one thing idea")
_LONGEST_OPENING = 5
_MOMENTS = word_set(
    "in on at after before during this that last every each most yesterday today by until since"
)
_OPENINGS = frozenset(
    {
        ("that", "way"),
        ("this", "way"),
        ("thank", "goodness"),
        ("thank", "god"),
        ("thank", "heavens"),
        ("good", "thing"),
    }
)
_KNOWERS = word_set("who god heaven goodness lord nobody")
_MUSING = word_set("idea clue wonder doubt surprise")


class RemarkForms:
    """Tells remarks from what asks for something, by their form.

    Args:
        verbs: the words that commands begin with.
        nouns: the words that name things here.
    """

    def __init__(self, verbs: Collection[str], nouns: Collection[str]) -> None:
        self._verbs = verbs
        self._nouns = nouns
        self._lexicon = english_words()
        self._roles = RoleFinder(self.clauses, self.sentence)

    # -- what a clause is ---------------------------------------------------------------------------
    def is_remark(
        self, clause: EnglishClause, said: Words, before: Sequence[EnglishClause], asked: bool
    ) -> bool:
        """Return whether a clause asks for nothing, whatever its words mean.

        Args:
            clause: the clause.
            said: its words, with what joins it to the clause before.
            before: the clauses of its sentence before it.
            asked: whether a request comes before it.
        """
        if clause.words[:1] in (("otherwise",), ("else",)) or (clause.joint == "or" and asked):
            return self._threatens(clause.words[clause.words[0] in ("otherwise", "else") :])
        if clause.mood in ("fragment", "question") or clause.words[:2] in _OPENINGS:
            return not clause.marker and (self._muses(clause.words) or self._opens(clause, asked))
        if clause.mood == "imperative" and clause.denied:
            wrong = clause.verb != "get" or clause.rest[-1:] in (("wrong",), ("up",), ("angry",), ("mad",))
            return clause.verb in _SAYING and wrong and not self.names(clause.rest)
        if clause.mood != "declarative" or clause.group is None or clause.wished:
            return False
        if asked and _CONTRASTS & {clause.joint, clause.marker, *clause.words}:
            return False
        if self._runs_on(clause) or _DIETS & {*clause.words}:
            return False
        if clause.joint in ("or", "nor") or (before and before[-1].marker == "if"):
            return False
        if clause.marker:
            return self._is_reason(clause, said, asked)
        return self._tells(clause, asked)

    def _threatens(self, words: Words) -> bool:
        """Return whether it is told what comes of it if a request is not met: "or I'll be late"."""
        found = self.clauses(words)
        tells = len(found) == 1 and found[0].mood == "declarative" and found[0].modal in ("will", "would")
        return tells and self._is_human(found[0].subject) and not self.names(words) and not found[0].marker

    def _opens(self, clause: EnglishClause, asked: bool) -> bool:
        """Return whether something is told behind what opens it: "this morning I burnt my hand".

        What opens it is a moment, an adverb or a word of relief; who "can't move" is the speaker.
        """
        words = clause.words
        elliptical = words[0] in ("got", "been", "had", "was") or words[:2] in (
            ("can", "not"),
            ("could", "not"),
        )
        told = [("i", *words)] if elliptical else []
        told.extend(
            words[at:] for at in range(1, min(len(words) - 1, _LONGEST_OPENING + 1)) if self._open(words[:at])
        )
        for said in told:
            inner = self.clauses(said)
            tells = len(inner) == 1 and inner[0].mood == "declarative" and not inner[0].marker
            if tells and self.is_remark(inner[0], inner[0].words, (), asked):
                return True
        return False

    def _open(self, words: Words) -> bool:
        """Return whether words may open what is told: "after work", "luckily", "thank goodness"."""
        sentence = self.sentence(words)
        if words in _OPENINGS:
            return True
        if len(words) == 1:
            return sentence.has(0, "adv") and not sentence.has(0, "noun", "verb", "not")
        timed = words[0] in _MOMENTS and not self.names(words)
        if not timed or (words[0] in ("before", "after", "until") and len(words) > 3):
            return False
        return len(words) in noun_groups(sentence, 1 if sentence.has(0, "prep", "sub") else 0)

    def _is_reason(self, clause: EnglishClause, said: Words, asked: bool) -> bool:
        """Return whether a clause with a conjunction says why something is to be done, or meanwhile."""
        human = self._is_human(clause.subject)
        if ("in", "case") in pairwise(said):
            # "In case somebody rings, open the fridge" states a condition.
            return asked and human and not clause.denied and not self.names(clause.rest)
        if clause.marker == "so that":
            return human and not is_limiting(clause) and not _picks(clause, human)
        if clause.marker in ("because", "since"):
            return clause.subject != ("you",)
        if clause.marker in REASONS:
            return (human or clause.marker != "while") and self._tells(clause, False)
        return False

    def _tells(self, clause: EnglishClause, asked: bool) -> bool:
        """Return whether a clause that stands by itself tells something, and wishes for nothing."""
        human = self._is_human(clause.subject)
        if _NOBODY & {*clause.subject} or _picks(clause, human):
            return False
        if clause.denied and (self.names(clause.rest) or clause.verb in DESIRES | LIKING | {"eat", "drink"}):
            return clause.verb in DESIRES and clause.rest[:1] == ("to",) and not self.names(clause.rest)
        if clause.subject == ("you",) and clause.modal and clause.verb in _SUPPOSING:
            return not self.names(clause.rest)  # "you must think I'm lazy"
        if clause.subject == ("you",):
            thanks = clause.verb in _THANKING and not clause.modal
            return thanks and not self.names(clause.rest) and self._only_tells(clause)
        if self._is_mood(clause) or self._is_surmise(clause) or self._is_own_affair(clause):
            return True
        if not human and self._stays(clause):
            return False
        if clause.subject in _SPEAKERS and clause.verb in DESIRES and clause.rest[:1] == ("to",):
            return self._intends(clause.rest[1:], asked)
        return self._only_tells(clause)

    def _only_tells(self, clause: EnglishClause) -> bool:
        """Return whether the grammar finds no request in a clause."""
        return all(role.kind == "remark" for role in self._roles.roles(clause))

    def _muses(self, words: Words) -> bool:
        """Return whether words only muse: "no idea where he has put it", "who knows why", "what a day"."""
        if words[:1] == ("no",) and _MUSING & {*words[1:2]}:
            return True
        if words[1:2] == ("knows",) and words[0] in _KNOWERS:
            return True
        if self.names(words) or "please" in words:
            return False
        if words[:2] in (("too", "tired"), ("too", "busy"), ("so", "much"), ("so", "little"), ("so", "many")):
            return True
        if words[0] == "poor" and len(words) == 2 and self._is_human(words[1:]):
            return True
        return self._exclaims(words)

    def _exclaims(self, words: Words) -> bool:
        """Return whether people or times are called out: "what a day", "guests tonight"."""
        sentence, parts = self.sentence(words), self._lexicon.parts_of_speech
        begin = 2 if words[:2] in (("what", "a"), ("such", "a")) else 0
        end = next(noun_groups(sentence, begin), None)
        if end is None or words[begin] in ("my", "your") or sentence.has(begin, "pron"):
            return False
        head = parts(words[end - 1])
        if "time" in head and DATED.isdisjoint(words):
            return begin > 0 or sentence.has(0, "adj")
        if words[0] in PLEASANT and words[1] in _JOBS:
            return True
        guests = ("person" in head and words[end - 1].endswith("s")) or words[end - 1] == "kids"
        later = all(
            "time" in parts(word) or word in DATED or sentence.has(at, "num", "prep")
            for at, word in enumerate(words)
            if at >= end
        )
        return guests and later

    def _is_mood(self, clause: EnglishClause) -> bool:
        """Return whether it is told how all shall strike people: "it should look romantic"."""
        rest, wants = clause.rest, clause.subject in _SPEAKERS and clause.verb in ("want", "need", "like")
        if wants:
            if rest[1:2] != ("to",) or rest[0] not in _IMPERSONAL or len(rest) < 4 or clause.denied:
                return False
            verb, rest = rest[2], rest[3:]
        elif clause.subject[:1] and clause.subject[0] in _IMPERSONAL and len(clause.subject) == 1:
            verb = clause.verb
            if clause.modal not in ("should", "must", "shall", "would", "will"):
                return False
        else:
            return False
        if clause.modal == "would" and verb in ("make", "mean", "save", "help") and not wants:
            return {"if", "to", "that"}.isdisjoint(rest) and not self.names(rest)
        if verb not in _SEEMING or self.names(rest):
            return False
        begin = next((at for at, word in enumerate(rest) if word not in _DEGREES), len(rest))
        told = rest[begin : begin + 1]
        if not told or {*rest[: begin + 1]} & _states():
            return False
        parts = self._lexicon.parts_of_speech(told[0])
        return "adjective" in parts or not parts or told[0] in _NICER

    def _is_surmise(self, clause: EnglishClause) -> bool:
        """Return whether it is guessed how something is: "it must be getting damp", "it must have rained"."""
        group = clause.group
        assert group is not None
        if group.modal != "must" or "must" not in clause.words or clause.subject == ("you",) or clause.denied:
            return False
        now = ("by", "now") in pairwise(clause.rest)
        return group.form == "ing" or (group.perfect and "by" not in clause.rest) or now

    def _is_own_affair(self, clause: EnglishClause) -> bool:
        """Return whether it is told what people will do, have to do, think of or wish each other.

        "My sister should be here any minute", "we must hurry", "the landlord wants to inspect everything".
        """
        verb, rest, modal = clause.verb, clause.rest, clause.modal
        group = clause.group
        assert group is not None
        if (
            is_hearer(clause)
            or not self._is_human(clause.subject)
            or clause.denied
            or self.names(rest)
            or "you" in rest[1:]
        ):
            return False
        if modal in ("must", "should") and clause.subject[-1] not in _ANYBODY:
            here = verb == "be" and bool(_PRESENCE & {*clause.words})
            return here or not (group.passive or group.perfect or verb in ("", "be", "have", "get", "see"))
        if clause.subject in _SPEAKERS and modal == "will" and verb in LIKING:
            return True  # "and I'll love you forever"
        if verb in DESIRES and not modal and rest in (("me",), ("us",), ("him",), ("her",)):
            return True  # "they need me"
        if verb == "think" and group.form in ("ing", "past") and rest[:1] in (("about",), ("of",)):
            return True
        wished = self.clauses(rest) if verb == "wish" and not modal else []
        return len(wished) == 1 and self._is_human(wished[0].subject)

    def _intends(self, deed: Words, asked: bool) -> bool:
        """Return whether a speaker tells of a deed of their own: "I want to impress her"."""
        verb = deed[:1]
        if not verb or verb[0] in ("have", "be", "get", "ask", "trouble") or "you" in deed:
            return False
        if verb[0] in ("see", "watch", "hear", "know"):
            return not self.names(deed)
        if verb[0] in ENJOYING:
            pronoun = deed[1:2] and deed[1] in OBJECT_PRONOUNS
            return bool(pronoun) and not self.names(deed) and (asked or bool(DATED & {*deed}))
        return True

    def _stays(self, clause: EnglishClause) -> bool:
        """Return whether it is told where a thing stays or goes, which may be a wish: "the lid stays on"."""
        group = clause.group
        assert group is not None
        plain = group.form in ("s", "base") and not group.modal and not group.perfect
        return plain and group.verb in BECOMING - {"be"}

    def leads_in(self, clause: EnglishClause) -> bool:
        """Return whether words lead to what is told next: "according to my sister", "being pregnant"."""
        sentence = self.sentence(clause.words)
        leads = clause.mood == "fragment" and not clause.marker and not self.names(clause.words)
        limits = _PICKING | _NOBODY | {"without", "not", "never"}
        opens = sentence.has(0, "prep", "ing") or clause.words[0] in ("being", "having", "according", "to")
        return leads and opens and limits.isdisjoint(clause.words)

    def is_name(self, clause: EnglishClause) -> bool:
        """Return whether a clause only names a thing: "the plate"."""
        return clause.mood == "fragment" and len(clause.words) in noun_groups(self.sentence(clause.words), 0)

    # -- what words are -----------------------------------------------------------------------------
    def _is_human(self, subject: Words) -> bool:
        """Return whether a subject is a person, or belongs to one: "my cleaning lady", "Tom"."""
        if not subject:
            return False
        if subject[0] in _PEOPLE:
            return True
        head = subject[-1]
        if head in self._nouns or _NOBODY & {*subject} or head in _IMPERSONAL:
            return False
        owned = subject[0] in ("my", "our", "his", "her", "their") and len(subject) > 1
        named = len(subject) == 1 and not self._lexicon.parts_of_speech(head) and head.isalpha()
        return owned or named or "person" in self._lexicon.parts_of_speech(head)

    def names(self, words: Words) -> bool:
        """Return whether words name a thing that may be here."""
        return any(word in self._nouns for word in words)

    def of_people_or_time(self, word: str) -> bool:
        return not {"person", "time"}.isdisjoint(self._lexicon.parts_of_speech(word))

    def _runs_on(self, clause: EnglishClause) -> bool:
        """Return whether something may be asked for within a clause: "Mum is coming, keys on the table"."""
        sentence = self.sentence(clause.words)
        for at, word in enumerate(clause.words):
            if word == ",":
                return True
            if word in ("and", "then", "plus", "so") and not sentence.has(
                at + 1,
                "det",
                "pron",
                "adj",
                "adv",
                "past",
                "participle",
                "ing",
                "have",
                "be",
                "modal",
                "prep",
            ):
                return True
        return False

    def clauses(self, words: Words) -> list[EnglishClause]:
        return [*ClauseFinder(self.sentence(words)).clauses()]

    def sentence(self, words: Words) -> Sentence:
        return Sentence(tuple(words), self._lexicon, self._verbs, self._nouns)

    def adds(self, said: Words) -> bool:
        """Return whether words behind a comma welcome what is asked for, or muse about it."""
        if said[0] == "otherwise":
            return self._threatens(said[1:])
        if said[0] == "who" or said[1] == "knows":
            return said[1] == "knows" and said[0] in _KNOWERS
        welcomes = said[:2] in (("which", "would"), ("which", "will")) and {*said[2:4]} & _THANKING
        return bool(welcomes) and not self.names(said)


@cache
def _states() -> frozenset[str]:
    """The words for how things may be made to be."""
    listed = word_lists("adjectives")
    return frozenset(one for state, said in listed.items() for one in (state, *said))


def _picks(clause: EnglishClause, human: bool) -> bool:
    """Return whether a clause may tell which thing is meant, or limit what is asked for."""
    words = {*clause.words}
    if "without" in words:
        return not human or clause.modal != "would"
    if ("rather", "than") in pairwise(clause.words):
        return True
    return bool(words & (_PICKING - _OF_DOINGS if human else _PICKING))
