"""A clause of an English sentence: what it shares with the one before, and its role in an instruction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from foretree.reasoning.offline.english._clause_words import (
    DESIRES,
    ENSURING,
    PLEASANT,
    SHARING,
    Words,
)
from foretree.reasoning.offline.english.groups import VerbGroup
from foretree.reasoning.offline.english.words import DETERMINERS, OBJECT_PRONOUNS

Mood: TypeAlias = Literal["imperative", "declarative", "question", "fragment"]

_DEFINITE = (("the",), ("my",), ("that",))
#: Their participles are what a command begins with: "it can be folded and *put* in the wardrobe".
_AS_PARTICIPLES = frozenset({"put", "set", "cut", "shut", "spread", "hung", "laid"})


@dataclass(frozen=True)
class EnglishClause:
    """A clause.

    Attributes:
        mood: whether it asks for a deed, tells, asks a question, or has no verb.
        words: its words, without what joins it to the one before.
        joint: the word that joins it; empty if none does.
        marker: the conjunction that makes a condition, a reason or a moment of it; empty if there is none.
        subject: the words of its subject.
        group: its verb.
        rest: the words after the verb.
        wished: whether the clause before opened the wish that it is part of.
        begin: the position in its sentence, joint and conjunction included.
        end: the position after it.
    """

    mood: Mood
    words: Words
    joint: str = ""
    marker: str = ""
    subject: Words = ()
    group: VerbGroup | None = None
    rest: Words = ()
    wished: bool = False
    begin: int = 0
    end: int = 0

    @property
    def verb(self) -> str:
        """The base form of its verb; empty if it has none."""
        return self.group.verb if self.group is not None else ""

    @property
    def modal(self) -> str:
        """Its modal verb; empty if it has none."""
        return self.group.modal if self.group is not None else ""

    @property
    def plain_group(self) -> VerbGroup:
        """Its verb without a modal."""
        assert self.group is not None
        return replace(self.group, modal="")

    @property
    def denied(self) -> bool:
        """True if it is negated."""
        return self.group is not None and self.group.denied


#: What a clause is said for. A *topic* only names a thing: "as for the mug". What is *unread* changes what
#: shall be done in a way that is not understood; an *offer* is a request that may be a remark as well: "you
#: can use both hands".
RoleKind: TypeAlias = Literal[
    "request", "offer", "prohibition", "needless", "condition", "otherwise", "order", "question", "remark",
    "nothing", "adjunct", "topic", "unread", "search",
]  # fmt: skip


@dataclass(frozen=True)
class Role:
    """The part of one clause in an instruction.

    Attributes:
        kind: what it is said for.
        words: what is to be read, put plainly.
        said: the words of the clause.
        holds: of a condition, whether it must hold.
        awaits: of a condition, whether it may be waited for: "when it is clean".
        comes_first: of an order, whether it must be done before the rest.
        refers: whether it may only say what is so: "there should be a towel on the rack".
        bare: whether it is no clause: "the lamp on, please".
    """

    kind: RoleKind
    words: Words = ()
    said: Words = ()
    holds: bool = True
    awaits: bool = False
    comes_first: bool = False
    refers: bool = False
    bare: bool = False


def going_on(clause: EnglishClause, before: EnglishClause) -> EnglishClause:
    """Return the clause with what it shares with the one before.

    "The blanket should be folded and *stay* there", "make sure it is off and *the door is shut*".
    """
    group = clause.group
    if group is None or clause.joint not in ("and", "then", "but", ",") or clause.marker:
        return clause
    stays = clause.mood == "imperative" and clause.verb in SHARING
    told = before.mood == "declarative" and before.subject not in (("you",), ("i",), ("we",))
    if told and clause.mood == "declarative" and not clause.subject:
        return replace(clause, subject=before.subject)
    if (
        told
        and before.modal
        and before.plain_group.passive
        and clause.mood == "imperative"
        and clause.verb in _AS_PARTICIPLES
        and not _begins_thing(clause.rest)
    ):
        done = replace(group, modal=before.modal, denied=before.denied, passive=True, form="participle")
        return replace(clause, mood="declarative", subject=before.subject, group=done)
    obliged = before.modal in ("must", "shall", "should") and clause.subject[:1] in (
        ("the",),
        ("my",),
        ("that",),
    )
    if obliged and group.form == "past" and not group.modal:
        return replace(clause, group=replace(group, modal="should", passive=True))
    if stays and told and before.modal:
        return replace(
            clause, mood="declarative", subject=before.subject, group=replace(group, modal=before.modal)
        )
    if _opens_wish(before) and clause.mood == "declarative" and not clause.modal:
        return _wished_too(clause)
    return clause


def _begins_thing(words: Words) -> bool:
    return bool(words) and words[0] in DETERMINERS | OBJECT_PRONOUNS


def _opens_wish(clause: EnglishClause) -> bool:
    """Return whether a clause wishes something to be so, and the next one may go on with it."""
    if clause.wished or (clause.mood == "imperative" and clause.verb in ENSURING):
        return True
    told = {"if", "that"}.isdisjoint(clause.rest)
    speaks = clause.subject in (("i",), ("we",)) and clause.verb in DESIRES
    return not told and (speaks or (clause.subject == ("it",) and not PLEASANT.isdisjoint(clause.rest)))


def _wished_too(clause: EnglishClause) -> EnglishClause:
    """Return a clause as part of the wish before it: "…, and *that the lamp is off*"."""
    named = clause.subject[:1] == ("that",) and len(clause.subject) > 1
    supposed = not {"was", "were"}.isdisjoint(clause.words)
    told = clause.subject in (("i",), ("we",), ("you",))
    if told or not (named or supposed or clause.joint == "and"):
        return clause
    if named:
        clause = replace(clause, subject=clause.subject[1:], words=clause.words[1:])
    return wished(clause)


def wished(clause: EnglishClause) -> EnglishClause:
    """Return what a clause tells as a wish: "in the end *the lamp is off*"."""
    group = clause.group
    if group is None or clause.mood != "declarative" or group.modal:
        return clause
    return replace(clause, group=replace(group, modal="should"), wished=True)


def with_wishes_in_a_row(clauses: Sequence[EnglishClause]) -> list[EnglishClause]:
    """Return the clauses; in a row that ends with "and", all are wished that the first one opens the wish of.

    "Make sure the television is off, *the lamp is on*, and the door is shut".
    """
    found = [*clauses]
    for begin, clause in enumerate(found):
        end = begin + 1
        while end < len(found) and _goes_on_telling(found[end]) and found[end - 1].joint != "and":
            end += 1
        if _opens_wish(clause) and end > begin + 1 and found[end - 1].joint == "and":
            found[begin + 1 : end] = map(wished, found[begin + 1 : end])
    return found


def _goes_on_telling(clause: EnglishClause) -> bool:
    told = clause.mood == "declarative" and not clause.marker and not clause.modal
    return told and clause.joint in (",", "and") and clause.subject not in (("i",), ("we",), ("you",))


def with_shares(clauses: Sequence[EnglishClause]) -> list[EnglishClause]:
    """Return the clauses without what the speaker will do: "I'll take the mug, you take the plate"."""
    shared = any(clause.subject == ("you",) and not clause.modal for clause in clauses)
    own = (
        clause.subject in (("i",), ("we",)) and clause.modal == "will" and clause.verb != "have"
        for clause in clauses
    )
    return [clause for clause, is_own in zip(clauses, own, strict=True) if not (shared and is_own)]
