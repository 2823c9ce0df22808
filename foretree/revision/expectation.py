"""Expectations: what must hold for an action to make sense, and how a belief measures up to it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Literal as OneOf
from typing import TypeAlias

from foretree.planning.pddl.syntax import And, Formula, Literal, Not, Or, atoms_of, show
from foretree.planning.semantics.evaluation import Objects, conjuncts, evaluate, negate
from foretree.world_model.beliefs.belief import Snapshot
from foretree.world_model.beliefs.facts import (
    BY_CLASS,
    CONNECTED,
    HAND_FREE,
    HOLDING,
    ROBOT_AT,
    Atom,
    Fact,
    Truth,
)

#: The four kinds of guards, outermost first.
GuardName: TypeAlias = OneOf["presence", "appearance", "attribute", "relationship"]
GUARD_NAMES: tuple[GuardName, ...] = ("presence", "appearance", "attribute", "relationship")


class ExpectationStatus(Enum):
    """State of an expectation: it holds, it is broken, or one has to look."""

    HOLDS = "holds"
    BROKEN = "broken"
    UNSURE = "unsure"


@dataclass(frozen=True, slots=True)
class Expectation:
    """A condition that a guard checks.

    Attributes:
        guard: whose business it is.
        action: the id of the action that needs it.
        formula: what must hold; ground.
        purpose: whether it says that the action is *not yet superfluous* rather than that it is possible.
            Not knowing is no reason to hold back from such an action once one has looked.
    """

    guard: GuardName
    action: str
    formula: Formula
    purpose: bool = False

    def __str__(self) -> str:
        return describe(self.formula, self.purpose)


@dataclass(frozen=True, slots=True)
class Assessment:
    """An expectation measured against a belief: the verdict, and the facts that decide it."""

    verdict: ExpectationStatus
    facts: tuple[Fact, ...]


def assess(
    expectation: Expectation, beliefs: Snapshot, objects: Objects, now: float, certainty: float
) -> Assessment:
    """Assess *expectation* against a belief.

    It is *unsure* when what it hinges on is unknown, older than its shelf life, or believed with less than
    *certainty*. A purpose is content with what is believed, however old; and what is so because of what a
    thing is does not grow old, and is as certain as that. That a thing is not somewhere since it is elsewhere
    is sure enough as well: there are too many things to look after all of them.
    """
    truth = evaluate(expectation.formula, beliefs.truth, objects)
    facts = tuple(_deciding(expectation.formula, beliefs, truth, objects))
    if truth is Truth.UNKNOWN:
        return Assessment(ExpectationStatus.UNSURE, facts)
    if not expectation.purpose:
        for fact in facts:
            if fact.source == BY_CLASS and fact.truth is not Truth.UNKNOWN:
                continue
            group = beliefs.vocabulary[fact.atom[0]].group
            if truth is Truth.TRUE and fact.truth is Truth.FALSE and group is not None:
                continue
            if fact.confidence < certainty or beliefs.vocabulary.is_stale(fact, now):
                return Assessment(ExpectationStatus.UNSURE, facts)
    return Assessment(ExpectationStatus.HOLDS if truth is Truth.TRUE else ExpectationStatus.BROKEN, facts)


def _deciding(formula: Formula, beliefs: Snapshot, truth: Truth, objects: Objects) -> Iterable[Fact]:
    """Facts that make *formula* what it is: no others need to be known to come to the same conclusion."""
    if isinstance(formula, Literal):
        yield beliefs.evidence(formula.atom)
    elif isinstance(formula, Not):
        yield from _deciding(formula.part, beliefs, ~truth, objects)
    elif hasattr(formula, "parts"):
        # A true disjunction stands on one true part, a false conjunction on one false part; everything else
        # stands on all parts of the same value.
        alike = [part for part in formula.parts if evaluate(part, beliefs.truth, objects) is truth]
        one_is_enough = isinstance(formula, Or) == (truth is Truth.TRUE)
        for part in alike[:1] if one_is_enough and truth is not Truth.UNKNOWN else alike:
            yield from _deciding(part, beliefs, truth, objects)
    else:
        for atom in atoms_of(formula):
            if not any(term.startswith("?") for term in atom):
                yield beliefs.evidence(atom)


def describe(formula: Formula, purpose: bool = False) -> str:
    """*formula* as a person would say it, as far as its shape allows; a *purpose* is what is not so yet."""
    if purpose and isinstance(formula, Not):
        return f"not yet: {describe(formula.part)}"
    return " and ".join(say(part) for part in conjuncts(formula)) or "nothing"


def say(formula: Formula) -> str:
    """One part of a formula in words: ``mango1 on table2``, ``fridge1 not open``."""
    if isinstance(formula, Literal):
        return say_atom(formula.atom, formula.positive)
    if isinstance(formula, Not) and isinstance(formula.part, (Literal, And, Or, Not)):
        return say(negate(formula.part))
    if isinstance(formula, Or):
        return " or ".join(say(part) for part in formula.parts)
    if hasattr(formula, "parts"):
        return "(" + " and ".join(say(part) for part in formula.parts) + ")"
    return show(formula)


def say_atom(atom: Atom, positive: bool = True) -> str:
    """An atom in words: ``mango1 is on table2``, ``robot1 is not at sink1``."""
    name, *arguments = atom
    words = name.split("_")
    negation = "" if positive else "not "
    if name == "class" and len(arguments) == 2:
        article = "an" if arguments[1][0] in "aeiou" else "a"
        return f"{arguments[0]} is {negation}{article} {arguments[1]}"
    if not arguments:
        return f"{negation}{' '.join(words)}"
    if name == CONNECTED and len(arguments) == 2:
        return f"the way {arguments[0]} – {arguments[1]} is {'free' if positive else 'blocked'}"
    spoken = _BODY.get((name, len(arguments)))
    if spoken is not None:
        return spoken.format(*arguments, negation=negation)
    # robot_at says of robot1 that it is at a place, not that it is robot at it.
    if len(words) > 1 and words[0] in arguments[0]:
        del words[0]
    if words[0] == "has" or re.fullmatch(r"[a-z]+[^aius]s", words[0]):  # a verb already: p1 lies at lyon
        return " ".join([*(["not so:"] if negation else []), arguments[0], *words, *arguments[1:]])
    if (len(arguments) > 1 and words[-1].endswith("ed")) or words == ["given"]:
        words.append("to")
    return " ".join([arguments[0], "is", *(["not"] if negation else []), *words, *arguments[1:]])


#: What is said of a robot's own body, by predicate and number of arguments.
_BODY = {
    (ROBOT_AT, 2): "{0} is {negation}at {1}",
    (HAND_FREE, 2): "{0}'s {1} is {negation}free",
    (HOLDING, 3): "{0} is {negation}holding {2} in {1}",
}


def say_facts(facts: Iterable[Fact]) -> str:
    """Return what is believed, in words."""
    told = (
        f"unknown whether {say_atom(fact.atom)}"
        if fact.truth is Truth.UNKNOWN
        else say_atom(fact.atom, fact.truth is Truth.TRUE)
        for fact in facts
    )
    return ", ".join(dict.fromkeys(told)) or "nothing known"
