"""Clauses of a sentence: each with its mood, its subject and its verb, whatever its words are.

A clause asks for something, states a condition, or tells something besides.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from foretree.reasoning.offline.english._clause import EnglishClause, Mood, going_on, wished
from foretree.reasoning.offline.english._clause_words import (
    BECOMING,
    DESIRES,
    ENSURING,
    GOING_AND,
    JOINTS,
    LISTING,
    MARKERS,
    OPEN,
    ORDINALS,
    PREPOSITIONAL,
    SEQUENCES,
    WELCOMING,
    WISHING,
    WONDERING,
    Words,
)
from foretree.reasoning.offline.english.adjuncts import is_placed_thing
from foretree.reasoning.offline.english.complements.words import MOVING, STAYING
from foretree.reasoning.offline.english.groups import VerbGroup, noun_groups, verb_group
from foretree.reasoning.offline.english.words import OBJECT_PRONOUNS, SUBJECT_PRONOUNS, Sentence

#: Verbs that come first in questions.
_ASKING = frozenset({"is", "are", "has", "have", "am"})
#: What is told to be so in the end shall be so.
_IN_THE_END = (("in", "the", "end"), ("at", "the", "end"), ("by", "the", "end"))
#: What stands right after them belongs to them: "before one of the kids *gets hold* of it".
_WITH_OBJECT = frozenset({"be", "get", "have", "take", "lose", "catch", "make"})
#: So many words a subject may have.
_LONGEST_SUBJECT = 16


@dataclass(frozen=True)
class _Head:
    """The beginning of a clause: up to its verb."""

    mood: Mood
    end: int
    subject: tuple[int, int] = (0, 0)
    group: VerbGroup | None = None


class ClauseFinder:
    """Finds the clauses of one sentence."""

    def __init__(self, sentence: Sentence) -> None:
        self._sentence = sentence
        self._length = len(sentence.words)
        self._heads: dict[int, _Head | None] = {}

    def clauses(self) -> Iterator[EnglishClause]:
        """Yield the clauses in order."""
        at = 0
        before: EnglishClause | None = None
        while True:
            start = at
            joint, at = self._joined(at)
            if at >= self._length:
                return
            marker, begin = self._marked(at)
            first, begin = begin, self._numbered(begin)
            head = self._head(begin) or _Head("fragment", begin)
            loose = bool(marker) or (head.mood == "fragment" and self._sentence.has(begin, "prep"))
            end = self._end(max(head.end, begin + 1), loose, head)
            found = replace(self._clause(joint, marker, begin, head, end), begin=start, end=end)
            if before is not None:
                found = going_on(found, before)
            if self._sentence.words[first : first + 3] in _IN_THE_END and first < begin:
                found = wished(found)
            yield found
            before = found
            at = end

    def _clause(self, joint: str, marker: str, begin: int, head: _Head, end: int) -> EnglishClause:
        words = self._sentence.words
        rest = words[head.end : end]
        return EnglishClause(
            head.mood,
            words[begin:end],
            joint,
            marker,
            words[slice(*head.subject)],
            head.group,
            rest,
        )

    # -- between clauses ---------------------------------------------------------------------------
    def _joined(self, at: int) -> tuple[str, int]:
        """Return what joins a clause to the one before, and the position after it."""
        joint = ""
        while at < self._length and self._sentence.word(at) in JOINTS:
            if self._long_marker(at) is not None:
                break
            if joint in ("", ",", "and"):
                joint = self._sentence.word(at)
            at += 1
        return joint, at

    def _long_marker(self, at: int) -> tuple[Words, str] | None:
        words = self._sentence.words
        found = next((one for one in MARKERS if words[at : at + len(one[0])] == one[0]), None)
        loose = found is not None and found[0] in (("the", "moment"), ("in", "time", "for"))
        return None if found is None or (loose and not self._is_clause(at + len(found[0]))) else found

    def _marked(self, at: int) -> tuple[str, int]:
        """Return the conjunction at a position, and the position after it."""
        long = self._long_marker(at)
        if long is not None:
            return long[1], at + len(long[0])
        word = self._sentence.word(at)
        of = word == "because" and self._sentence.word(at + 1) == "of"
        if not of and (self._sentence.has(at, "sub") or word in ("as", "like")):
            if word in ("as", "like") and not self._is_clause(at + 1):
                return "", at
            if word in PREPOSITIONAL and not (self._is_clause(at + 1) or self._is_deed(at + 1)):
                return "", at
            if word == "once" and not self._is_clause(at + 1):
                return "", at
            if word == "after" and self._sentence.word(at + 1) in ("that", "this") and self._ordered(at + 2):
                return "", at
            return word, at + 1
        return "", at

    def _is_clause(self, at: int) -> bool:
        return self._declared(at) is not None

    def _is_deed(self, at: int) -> bool:
        """Return whether a verb in "-ing" stands at a position: "after washing it"."""
        return bool(self._sentence.base(at, "ing")) or self._sentence.word(at) == "having"

    def _numbered(self, at: int) -> int:
        """Return the position after a number in a list of deeds: "second wash it", "last of all open it"."""
        words = self._sentence.words
        for one in SEQUENCES:
            after = at + len(one) + (self._sentence.word(at + len(one)) == ",")
            if words[at : at + len(one)] == one and self._head(after):
                return after
        while self._sentence.word(at) in ORDINALS | {"just", "please", "also"}:
            if self._head(at + 1) is None or self._sentence.has(at + 1, "num"):
                break
            at += 1
        return at

    def _end(self, at: int, loose: bool, head: _Head) -> int:
        """Return the end of the clause whose verb ends at a position.

        Args:
            at: the position.
            loose: whether the next clause may follow without a comma: "if it is open close it".
            head: the beginning of the clause.
        """
        while at < self._length:
            word = self._sentence.word(at)
            group = head.group
            predicate = at == head.end and group is not None and (group.verb in _WITH_OBJECT or group.passive)
            if loose and not predicate and self._follows(at):
                return at
            if word == "and" and at == head.end and group is not None and group.verb in GOING_AND:
                at += 1  # "could you go and get it"
                continue
            if word in ("if", "when") and _would_welcome(head, self._sentence, word):
                at += 1
                continue
            joined = word in JOINTS or self._long_marker(at) is not None
            if word == "," and self._sentence.word(at + 1) == "so" and self._sentence.has(at + 2, "det"):
                return at  # "…, so my coat, please"
            if word == "," and self._is_called(at + 1, head):
                return at
            after = self._joined(at)[1]
            if joined and self._begins(after, comma=word == ",") and not self._goes_on(after, head):
                return at
            if (self._sentence.has(at, "sub") or word in PREPOSITIONAL) and self._begins(at, marked=True):
                return at
            at += 1
        return self._length

    def _is_called(self, at: int, head: _Head) -> bool:
        """Return whether a thing is called for after what is told of none: "I'm off, my coat!"."""
        sentence = self._sentence
        told = head.mood == "declarative" and head.group is not None and head.group.verb not in DESIRES
        told = told and sentence.word(head.subject[1] - 1) not in sentence.nouns
        alone = sentence.words[-1] in sentence.nouns and self._length in noun_groups(sentence, at)
        between = sentence.words[head.end : at - 1]
        called = alone or is_placed_thing(sentence, at)
        return told and called and not any(word == "," or word in sentence.nouns for word in between)

    def _goes_on(self, at: int, head: _Head) -> bool:
        """Return whether what looks like a clause is one of several things wished to be somehow.

        "I need the fork and the spoon *laid* on the table", "I'd be glad if the fork and the mug *shone*".
        """
        if "if" in self._sentence.words[head.end : at]:
            supposed = self._sentence.words.index("if", head.end, at)
            if not self._has_verb(supposed + 1, at):
                return True
        if head.group is None or not (
            head.group.verb in WISHING or (head.group.passive and head.group.modal)
        ):
            return False
        following = self._declared(at)
        group = following.group if following is not None else None
        if head.group.verb == "make" and self._sentence.has(head.end, "noun"):
            return False  # "I make salad, so you cut the tomato"
        obliged = head.group.passive and head.group.modal in ("should", "must", "shall")
        if obliged and group is not None and self._sentence.word(at) in ("the", "my", "that"):
            return False  # "the mug should be washed, the lamp switched off"
        ensured = head.group.verb in ENSURING
        if ensured and group is not None and not self._has_verb(head.end, at):
            return True
        return (
            group is not None
            and group.form == "past"
            and not group.modal
            and bool(self._sentence.base(group.end - 1, "participle"))
        )

    def _has_verb(self, start: int, end: int) -> bool:
        """Return whether a finite verb stands between two positions."""
        return any(verb_group(self._sentence, at, start) is not None for at in range(start, end))

    def _follows(self, at: int) -> bool:
        """Return whether a clause follows at a position without anything between."""
        sentence = self._sentence
        before = sentence.word(at - 1)
        if before in OPEN or sentence.has(at - 1, "det", "modal", "num") or self._is_described(at):
            return False
        begin = self._numbered(at)
        head = self._ordered(begin)
        if head is not None:
            return sentence.word(begin) in sentence.verbs
        told = self._declared(at)
        if told is None or told.group is None:
            return False
        obliging = sentence.has(at, "det") and told.group.modal in ("must", "shall", "should")
        return obliging or sentence.word(at) in ("there", "i")

    def _is_described(self, at: int) -> bool:
        """Return whether a word stands before the noun that it describes: "the *open* drawer"."""
        sentence = self._sentence
        return sentence.has(at - 1, "adj", "prep") and sentence.has(at, "noun") and at > 1

    def _begins(self, at: int, marked: bool = False, comma: bool = False) -> bool:
        """Return whether a clause begins at a position."""
        if at >= self._length:
            return True
        marker, begin = self._marked(at)
        if marker:
            return self._head(begin) is not None or self._is_deed(begin) or not marked
        if comma and self._sentence.word(at) in ("which", "who", "where", "what"):
            return False  # "the book, which is on the table"
        return not marked and self._head(self._numbered(at)) is not None

    # -- heads -------------------------------------------------------------------------------------
    def _head(self, at: int) -> _Head | None:
        if at not in self._heads:
            self._heads[at] = None  # while it is being found
            self._heads[at] = (
                self._inverted(at) or self._declared(at) or self._ordered(at) or self._shared(at)
            )
        return self._heads[at]

    def _ordered(self, at: int) -> _Head | None:
        """Return the beginning of an imperative: "wash", "don't open", "let us go"."""
        sentence = self._sentence
        start, denied = at, False
        if sentence.word(at) == "do" and sentence.word(at + 1) == "not":
            at, denied = at + 2, True
        elif sentence.word(at) == "never":
            at, denied = at + 1, True
        elif sentence.word(at) == "to" and sentence.word(at - 1) in JOINTS:
            at += 1
        elif sentence.word(at) == "let" and sentence.word(at + 1) == "us":
            at += 2
        elif sentence.word(at) == "do" and sentence.base(at + 1, "base"):
            at += 1
        while sentence.has(at, "adv") and not sentence.has(at, "verb", "noun", "prep"):
            at += 1
        verb = sentence.base(at, "base")
        if sentence.word(at) in ("be", "have", "do"):
            verb = sentence.word(at)
        if not verb or not (denied or self._may_order(at)):
            return None
        return _Head("imperative", at + 1, (start, start), VerbGroup(start, at + 1, verb, denied=denied))

    def _shared(self, at: int) -> _Head | None:
        """Return the beginning of a clause with the subject of the one before: "and goes in the sink"."""
        verb = self._sentence.base(at, "s")
        if verb not in BECOMING or self._sentence.word(at - 1) not in JOINTS:
            return None
        group = verb_group(self._sentence, at, at)
        return None if group is None else _Head("declarative", group.end, (at, at), group)

    def _may_order(self, at: int) -> bool:
        """Return whether the verb at a position orders a deed, and does not name a thing."""
        sentence, word = self._sentence, self._sentence.word(at)
        known = word in sentence.verbs
        if word == "mind" and sentence.base(at + 1, "ing"):
            return True  # "mind fetching it?"
        if sentence.has(at + 1, "det", "pron", "num") or sentence.word(at + 1) in OBJECT_PRONOUNS:
            return True
        if word in LISTING and {"by", "with"} & {*sentence.words[at + 1 : at + 3]}:
            return True
        is_thing = word in sentence.nouns
        if not is_thing and word in STAYING | MOVING and sentence.has(at + 1, "prep", "part"):
            return True
        plain = sentence.has(at, "verb") and not sentence.has(at, "noun")
        if not is_thing and plain and sentence.has(at + 1, "part"):
            return True
        if is_thing or not (known or not sentence.has(at, "noun", "adj", "adv", "prep")):
            return False
        return at + 1 >= self._length or not sentence.has(at + 1, "be", "modal", "have")

    def _declared(self, at: int) -> _Head | None:
        """Return the beginning of a clause that tells something: a subject and a finite verb."""
        sentence = self._sentence
        if sentence.words[at : at + 1] in (("today",), ("tonight",)) and sentence.has(at + 1, "pron", "det"):
            at += 1  # "today I make salad"
        for end in noun_groups(sentence, at):
            after = self._described(at, end)
            group = verb_group(sentence, after, at)
            mere = end == at + 1 and sentence.has(at, "det") and sentence.word(end) in sentence.nouns
            if group is not None and not (mere and group.form == "base" and not group.modal):
                return _Head("declarative", group.end, (at, after), group)
        return None

    def _described(self, start: int, at: int) -> int:
        """Return the end of a subject that has a noun group up to *at*, with what describes it after that."""
        sentence = self._sentence
        while at - start < _LONGEST_SUBJECT and at < self._length:
            if verb_group(sentence, at, start) is not None and not sentence.has(at, "rel"):
                return at
            following = self._further(at)
            if following is None or following <= at:
                return at
            at = following
        return at

    def _further(self, at: int) -> int | None:
        """Return the end of one description after a noun group: "in the box", "that is dirty", "I used"."""
        sentence = self._sentence
        if sentence.word(at) in ("and", "or"):
            return next(noun_groups(sentence, at + 1), None)
        if sentence.word(at) == "to" and sentence.has(at + 1, "verb", "be", "have"):
            return None
        if sentence.has(at, "rel") or sentence.word(at) in ("what",):
            group = verb_group(sentence, at + 1, at)
            if group is not None:
                return self._filled(group.end)
            return self._relative(at + 1)
        if sentence.has(at, "prep") or sentence.has(at, "participle", "ing", "part"):
            ends = [*noun_groups(sentence, at + 1)]
            told = (end for end in ends if verb_group(sentence, end, at) is not None)
            # "On the table needs" is no place, if there may be a verb.
            return next(told, ends[0] if ends else at + 1)
        if sentence.word(at) in SUBJECT_PRONOUNS or sentence.has(at, "det"):
            return self._relative(at)
        if sentence.has(at, "adv") and not sentence.has(at, "noun"):
            return at + 1
        return None

    def _relative(self, at: int) -> int | None:
        """Return the end of a relative clause without a pronoun: "I used yesterday"."""
        end = next(noun_groups(self._sentence, at), None)
        group = verb_group(self._sentence, end, at) if end is not None else None
        return None if group is None else self._filled(group.end)

    def _filled(self, at: int) -> int:
        """Return the end of what follows the verb of a relative clause, up to the next finite verb."""
        sentence = self._sentence
        while at < self._length:
            if sentence.has(at, "comma", "and", "sub") or verb_group(sentence, at, None) is not None:
                return at
            end = next(noun_groups(sentence, at), None)
            at = end if end is not None else at + 1
        return at

    def _inverted(self, at: int) -> _Head | None:
        """Return the beginning of a question: "could you", "is the mug", "where"."""
        sentence = self._sentence
        if sentence.word(at) in ("what", "all") and sentence.word(at + 1) in ("i", "we"):
            return _Head("question", at + 1)
        if sentence.word(at) in ("what", "where", "who", "which", "why", "how", "whose", "when"):
            following = at + 1
            if sentence.has(following, "be", "modal", "do", "have") or sentence.word(at) in ("why", "how"):
                return _Head("question", following)
            return None
        if not sentence.has(at, "modal", "do") and sentence.word(at) not in _ASKING:
            return None
        if sentence.word(at) == "have" and sentence.has(at + 1, "det"):
            return None
        after = at + 1 + (sentence.word(at + 1) == "not")
        end = next(noun_groups(sentence, after), None)
        if sentence.word(after) in SUBJECT_PRONOUNS:
            end = after + 1
        if end is None:
            return None
        group = self._asked(at, after, end)
        return None if group is None else _Head("question", group.end, (after, end), group)

    def _asked(self, at: int, subject: int, end: int) -> VerbGroup | None:
        """Return the verb of a question whose subject ends at a position."""
        sentence = self._sentence
        first = sentence.word(at)
        while sentence.has(end, "adv") and not sentence.has(end, "verb", "prep", "noun"):
            end += 1
        denied = sentence.word(at + 1) == "not" or sentence.word(end) == "not"
        end += sentence.word(end) == "not"
        if sentence.has(at, "modal", "do"):
            verb = sentence.base(end, "base")
            if sentence.word(end) in ("be", "have", "do"):
                verb = sentence.word(end)
            if not verb:
                tag = end >= self._length and sentence.has(at, "modal")
                return VerbGroup(at, end, "", first, denied) if tag else None
            return VerbGroup(at, end + 1, verb, first if sentence.has(at, "modal") else "", denied)
        if first in ("has", "have"):
            verb = sentence.base(end, "participle")
            return VerbGroup(at, end + 1, verb, "", denied, perfect=True) if verb else None
        if sentence.words[end : end + 2] == ("able", "to") and (verb := sentence.base(end + 2, "base")):
            return VerbGroup(at, end + 3, verb, "can", denied)
        return VerbGroup(at, end, "be", "", denied)


def _would_welcome(head: _Head, sentence: Sentence, word: str) -> bool:
    """Return whether a clause tells a wish: "I'd be glad *if you folded it*"."""
    group = head.group
    if word == "when":
        pleased = sentence.word(head.end) == "it"
        return (
            pleased
            and group is not None
            and group.verb in ("hate", "like", "love", "mind", "dislike", "know")
        )
    if group is not None and group.verb in WONDERING:
        return True
    welcomes = group is not None and group.modal == "would" and group.verb in WELCOMING
    return welcomes and sentence.words[slice(*head.subject)] in (("i",), ("we",), ("it",), ("that",))
