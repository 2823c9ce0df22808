"""Wishes for a state, put plainly: "the mug should be on the table" is "want the mug be on the table"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from foretree.reasoning.offline.english._clause_words import Words
from foretree.reasoning.offline.english._role_words import KEPT, OBLIGING, STAYING
from foretree.reasoning.offline.english.clauses import EnglishClause
from foretree.reasoning.offline.english.groups import noun_groups
from foretree.reasoning.offline.english.words import Sentence
from foretree.reasoning.offline.lexicon import BE, WANT

#: Subjects of which nothing shall be so, with what stands for all of them.
_NONE: dict[str, Words] = {
    "no": ("every",),
    "nothing": ("everything",),
    "none": ("all",),
    "neither": ("all",),
}
_BETTER = frozenset({"better", "nicer", "best", "nice"})
#: Verbs of which the passive says no more than where something is.
_PLACING = frozenset({"leave", "keep", "find", "locate"})
_WITHIN = (("in", "it"), ("inside",), ("inside", "it"), ("in", "them"), ("on", "it"))
_POSTURES = frozenset({"standing", "lying", "sitting", "waiting", "hanging", "resting"})
_POSED = frozenset((word,) for word in _POSTURES)
_RESTING = frozenset({"stand", "lie", "sit", "hang", "rest"})


def is_wish(clause: EnglishClause) -> bool:
    """Return whether a clause says that something shall be so: "should be", "goes on", "looks better on"."""
    group = clause.group
    assert group is not None
    if not clause.rest and not group.passive:
        return False
    if group.modal in OBLIGING:
        return not group.perfect
    if group.modal == "can":
        return (group.verb in ("go", "come") or group.passive) and not group.denied
    if group.modal in ("would", "might", "could"):
        return group.verb in ("be", "look", "go", "fit") and not _BETTER.isdisjoint(clause.rest)
    return not group.modal and group.verb in ("go", "belong") and group.form in ("s", "base")


def state_words(clause: EnglishClause, sentence: Sentence) -> Words:
    """Return the plain words of the wish that a clause be so.

    Args:
        clause: the clause.
        sentence: the words after its verb.
    """
    group = clause.group
    assert group is not None
    subject, rest = clause.subject, clause.rest
    denied = ("not",) if group.denied else ()
    if subject == ("there",):
        return _existence(sentence, denied)
    if subject[:1] and subject[0] in _NONE and not denied:
        subject, denied = (*_NONE[subject[0]], *subject[1:]), ("not",)
    if group.passive and group.verb in _PLACING:
        return (WANT, *subject, BE, *denied, *rest)
    if group.passive:
        participle = clause.words[len(clause.words) - len(rest) - 1]
        return (WANT, *subject, BE, *denied, participle, *rest)
    if group.verb == "have" and (held := _held(rest)):
        return (WANT, *subject, BE, *denied, "full", "of", *held)
    if group.verb in ("go", "come") and not denied and {"from", "out"} & {*rest}:
        return ("move", *subject, *rest)
    if group.verb in STAYING:
        kept = ("kept",) if group.verb in KEPT and not denied else ()
        rest = tuple(word for word in rest if word not in _BETTER | {"up", "back"})
        return (WANT, *subject, BE, *denied, *kept, *rest)
    return (WANT, *clause.words)


def condition_words(clause: EnglishClause) -> Words:
    """Return the plain words of a condition: "it has water in it" is "it is full of water"."""
    group = clause.group
    if group is not None and group.verb in ("have", "contain", "hold") and not group.modal:
        held = _held(clause.rest) or (clause.rest if group.verb == "contain" else ())
        if held:
            denied = ("not",) if group.denied else ()
            return (*clause.subject, "is", *denied, "full", "of", *held)
    resting = group is not None and group.form == "ing" and group.verb in _RESTING
    if group is not None and (resting or clause.rest[:1] in _POSED):
        denied = ("not",) if group.denied else ()
        return (*clause.subject, "is", *denied, *clause.rest[clause.rest[:1] in _POSED :])
    return clause.words


def with_inverted_conditions(clauses: Sequence[EnglishClause]) -> Iterator[EnglishClause]:
    """Yield clauses with "if" for what stands in front: "should the towel be dry, fold it"."""
    for clause, following in zip(clauses, (*clauses, None)[1:], strict=True):
        group = clause.group
        asks = following is not None and following.mood == "imperative" and following.joint != "and"
        if not asks or clause.mood != "question" or group is None or clause.words[:1] != ("should",):
            yield clause
            continue
        at = len(clause.words) - len(clause.rest)
        said = (group.verb,) if group.verb != "be" and not group.passive else ()
        told = clause.words[at - 1 : at] if group.passive or group.form == "ing" else said
        denied = ("not",) if group.denied else ()
        copula = ("is",) if told != said or not said else ()
        words = (*clause.subject, *copula, *denied, *told, *clause.rest)
        yield replace(clause, mood="declarative", marker="if", words=words)


def with_copula(sentence: Sentence) -> Words:
    """Return the words of "a mug to be clean" as "a mug be clean"."""
    words = sentence.words
    for at in range(1, len(words)):
        if words[at] in _POSTURES:
            return (*words[:at], BE, *words[at + 1 :])
        if words[at] == "to" and sentence.word(at + 1) in STAYING:
            return (*words[:at], BE, *words[at + 2 + (words[at + 1 : at + 3] == ("end", "up")) :])
    return words


def _held(rest: Words) -> Words:
    """Return what is in a thing: "water in it"."""
    within = next((one for one in _WITHIN if rest[-len(one) :] == one), None)
    return () if within is None else tuple(w for w in rest[: -len(within)] if w not in ("some", "any"))


def _existence(sentence: Sentence, denied: Words) -> Words:
    """Return the wish that something be there: "there should be a mug on the table"."""
    rest = sentence.words
    if rest[:1] == ("no",):
        rest, denied = ("every", *rest[1:]), ("not",)
    end = next((end for end in noun_groups(sentence, 0) if end < len(rest)), len(rest))
    waiting = 1 if end < len(rest) and sentence.has(end, "ing") else 0
    return (WANT, *rest[:end], BE, *denied, *rest[end + waiting :])
