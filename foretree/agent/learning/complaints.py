"""Complaints: what people have said is wrong with single things, and what follows for goals and beliefs.

A broken mug is no mug to be filled: that a thing has lost an affordance is believed, so that no plan relies
on it. Where any of several things would do, one without complaints is meant. Who names a thing gets it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from foretree.planning.pddl.syntax import (
    And,
    Count,
    Domain,
    Equal,
    Exists,
    Forall,
    Formula,
    Not,
    Or,
    Typed,
    constants_of,
    rebuild,
)
from foretree.planning.semantics.evaluation import conjunction, disjunction
from foretree.reasoning.instruction_errors import InstructionError
from foretree.world_model.beliefs.facts import BY_CLASS, BY_WORD, Atom, Truth

if TYPE_CHECKING:
    from foretree.agent.context import AgentContext


class UnfitError(Exception):
    """Only things would do that people complain of.

    Attributes:
        names: of these things.
    """

    def __init__(self, names: Collection[str]) -> None:
        super().__init__(*sorted(names))
        self.names = tuple(sorted(names))


def believe_words(context: AgentContext) -> None:
    """Believe that things have the static traits that people say they have, and no others.

    Where people say nothing of a trait any more, it is as the class has it.
    """
    if context.success is None:
        return
    belief, domain, ontology = context.belief, context.catalogue.domain, context.catalogue.ontology
    affordances = context.success.experience.affordances
    predicates = {
        predicate: affordance
        for predicate, parameters in domain.predicates.items()
        if len(parameters) == 1 and (affordance := affordances.mapping.of_predicate(predicate))
    }
    now = context.clock.now()
    for name in sorted(affordances.known_objects()):
        thing = belief.entity(name)
        if thing is None:
            continue
        by_class = ontology.affordance_atoms(name, thing.best_class)
        for predicate, affordance in predicates.items():
            atom = (predicate, name)
            word, fact = affordances.word_on(name, affordance), belief.fact(atom)
            if word is not None:
                belief.tell(atom, word, time=now, source=BY_WORD)
            elif fact is not None and fact.source == BY_WORD:
                belief.retract([atom])
                if atom in by_class:
                    belief.tell(atom, time=now, source=BY_CLASS)


def denied_traits(context: AgentContext) -> dict[str, tuple[Atom, ...]]:
    """The static traits that things of their class have and they lack by what people say, by thing."""
    belief, ontology = context.belief, context.catalogue.ontology
    found: dict[str, tuple[Atom, ...]] = {}
    for name in complaints(context):
        by_class = ontology.affordance_atoms(name, belief.entities()[name].best_class)
        lost = tuple(atom for atom in by_class if belief.truth(atom) is Truth.FALSE)
        if lost:
            found[name] = lost
    return found


def complaints(context: AgentContext) -> dict[str, str]:
    """Complaints of people about things ("is broken"), by name; things without any are left out."""
    if context.success is None:
        return {}
    affordances = context.success.experience.affordances
    things = map(context.belief.entity, sorted(affordances.known_objects()))
    return {
        thing.name: said for thing in things if thing is not None and (said := affordances.complaint(thing))
    }


def say_complaints(about: Mapping[str, str]) -> str:
    """Return a sentence with complaints; empty if there are none."""
    said = " and ".join(f"{name} {what}" for name, what in about.items())
    return f"You said that {said}." if said else ""


def fit_goal(context: AgentContext, goal: Formula, instruction: str) -> tuple[Formula, dict[str, str]]:
    """*goal* with things without complaints where it leaves open which, and the complaints that matter.

    Raises:
        InstructionError: only things would do that people complain of, and that are not named.
    """
    about = complaints(context)
    if not about:
        return goal, {}
    entities = context.belief.entities()
    classes = {name: entities[name].best_class for name in about}
    try:
        fit = without_complaints(goal, about, classes, context.catalogue.domain)
    except UnfitError as error:
        if any(name in instruction.lower() for name in error.names):
            return goal, {}
        told = say_complaints({name: about[name] for name in error.names})
        raise InstructionError(
            f"{told} I know of nothing else that would do. Name what I shall take all the same."
        ) from None
    if fit == goal:
        return goal, {}
    # What a choice leaves out is no longer named, and what a variable may not stand for is.
    avoided = constants_of(goal) ^ constants_of(fit)
    return fit, {name: about[name] for name in about if name in avoided}


def without_complaints(
    goal: Formula, unfit: Collection[str], classes: Mapping[str, str], domain: Domain
) -> Formula:
    """*goal* with things that are not *unfit* where it leaves open which.

    Things that it names, and all of a kind, are left as they are.

    Args:
        goal: what is to be reached.
        unfit: names of things that people complain of.
        classes: the class of each thing.
        domain: knows which class is of which type.

    Raises:
        UnfitError: only unfit things would do.
    """

    def others(variable: Typed) -> list[Formula]:
        return [
            Not(Equal(variable.name, name))
            for name in sorted(unfit)
            if domain.is_a(classes.get(name, ""), variable.type)
        ]

    def change(formula: Formula) -> Formula:
        if isinstance(formula, Exists):
            unlike = [one for variable in formula.variables for one in others(variable)]
            return Exists(formula.variables, conjunction(change(formula.body), *unlike))
        if isinstance(formula, Count) and formula.at_least and formula.at_most is None:
            return replace(formula, body=conjunction(formula.body, *others(formula.variable)))
        if isinstance(formula, Or):
            return disjunction(map(change, _without_unfit(formula, unfit)))
        return rebuild(formula, change) if isinstance(formula, (And, Forall)) else formula

    return change(goal)


def _without_unfit(choice: Or, unfit: Collection[str]) -> tuple[Formula, ...]:
    """The parts of a choice that no unfit thing tells from the others."""
    named = [constants_of(part) for part in choice.parts]
    telling = set(unfit).difference(frozenset.intersection(*named) if named else ())
    sound = tuple(p for p, names in zip(choice.parts, named, strict=True) if telling.isdisjoint(names))
    if named and not sound:
        raise UnfitError(frozenset().union(*named) & telling)
    return sound
