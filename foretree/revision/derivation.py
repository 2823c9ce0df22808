"""Derivation of expectations from an action's own preconditions and from what the plan wants of it.

No task writes its own checks. A precondition goes to the guard for its kind; what the rest of the plan needs
from the action gives its purpose, and an action whose purpose is fulfilled already is not needed.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from foretree.planning.pddl.syntax import (
    FALSE,
    TRUE,
    And,
    Domain,
    Formula,
    Literal,
    Not,
    Or,
    atoms_of,
    substitute_atom,
)
from foretree.planning.plan import Action
from foretree.planning.semantics.actions import GroundAction
from foretree.planning.semantics.evaluation import Oracle, conjuncts, negate
from foretree.planning.semantics.operator_index import index_of, unify
from foretree.revision.expectation import GUARD_NAMES, Expectation, GuardName
from foretree.world_model.beliefs.facts import Atom, Kind, Truth, Vocabulary

#: Which guard checks a precondition of each kind.
GUARD_OF_KIND: Mapping[Kind, GuardName] = {
    "place": "presence",
    "robot": "presence",
    "class": "appearance",
    "attribute": "attribute",
    "relation": "relationship",
}
#: Which guard checks whether what an action would bring about is so already.
GUARD_OF_PURPOSE: Mapping[Kind, GuardName] = {"attribute": "attribute", "place": "relationship"}


class ChangeableFacts:
    """The facts that the actions of a domain can change at all.

    An action that static facts rule out changes nothing: a sink cannot be shut.
    """

    def __init__(self, domain: Domain) -> None:
        self._index = index_of(domain)
        self._conditions: dict[tuple[str, tuple[str, ...]], tuple[GroundAction, Formula]] = {}

    def __contains__(self, predicate: str) -> bool:
        return predicate in self._index.fluents

    def condition(self, ground: GroundAction, truth: Oracle, vocabulary: Vocabulary) -> Formula:
        """Return what can fail of the precondition of *ground*. Worked out once, until the objects change."""
        key = (ground.name, ground.arguments)
        known = self._conditions.get(key)
        if known is None or known[0] is not ground:
            condition = without_static(ground.precondition, truth, self, vocabulary)
            known = self._conditions[key] = (ground, condition)
        return known[1]

    def possible(self, atom: Atom, truth: Oracle) -> bool:
        """Return whether some action may make *atom* true or false, as far as static facts go."""
        for positive in (True, False):
            for operator, effect in self._index.achievers(atom[0], positive):
                binding = unify(effect.literal.atom, atom)
                if binding is not None and not any(
                    _is_false(part, binding, truth)
                    for part in self._index.parts(operator).static
                    if all(term in binding for term in part.atom[1:])
                ):
                    return True
        return False


def _is_false(literal: Literal, binding: Mapping[str, str], truth: Oracle) -> bool:
    return truth(substitute_atom(literal.atom, binding)) is (Truth.FALSE if literal.positive else Truth.TRUE)


def guard_of(formula: Formula, vocabulary: Vocabulary) -> GuardName:
    """Return the guard of a precondition. One that spans kinds is checked as a whole, by the outermost."""
    guards = {GUARD_OF_KIND[vocabulary[atom[0]].kind] for atom in atoms_of(formula)}
    return min(guards, key=GUARD_NAMES.index, default="presence")


def guard_of_goal(atom: Atom, vocabulary: Vocabulary) -> GuardName:
    """Return the guard that makes sure that *atom* is as the goal wants it."""
    kind = vocabulary[atom[0]].kind
    return GUARD_OF_PURPOSE.get(kind, GUARD_OF_KIND[kind])


def without_static(
    formula: Formula, truth: Oracle, changes: ChangeableFacts, vocabulary: Vocabulary
) -> Formula:
    """*formula* without what never changes: a lamp that has no door needs no look at its door."""
    if isinstance(formula, Literal):
        name = formula.atom[0]
        # What no action changes may still be changed by others, if it is to be seen at all.
        may_change = changes.possible(formula.atom, truth) if name in changes else vocabulary[name].observable
        if may_change:
            return formula
        return TRUE if (truth(formula.atom) is Truth.TRUE) == formula.positive else FALSE
    if isinstance(formula, (And, Or)):
        kind = type(formula)
        neutral, deciding = (TRUE, FALSE) if kind is And else (FALSE, TRUE)
        parts = tuple(without_static(part, truth, changes, vocabulary) for part in formula.parts)
        if deciding in parts:
            return deciding
        left = tuple(part for part in parts if part != neutral)
        return left[0] if len(left) == 1 else kind(left)
    if isinstance(formula, Not):
        # Down to the literals, where it can be seen what never changes: two objects are not equal for good.
        pushed = negate(formula.part)
        return formula if isinstance(pushed, Not) else without_static(pushed, truth, changes, vocabulary)
    return formula


def derive_expectations(
    action: Action,
    ground: GroundAction,
    products: Collection[Literal],
    classes: Mapping[str, str],
    vocabulary: Vocabulary,
    changes: ChangeableFacts,
    truth: Oracle,
) -> dict[GuardName, tuple[Expectation, ...]]:
    """Return the expectations of each guard of *action*; guards with nothing to check are left out.

    Args:
        action: the action.
        ground: the same, grounded.
        products: what the rest of the plan or the goal needs from it.
        classes: the class that the plan takes each entity for.
        vocabulary: the predicates' kinds.
        changes: what can change at all.
        truth: what is believed; asked only about what never changes.
    """
    found: dict[GuardName, list[Expectation]] = {}

    def expect(guard: GuardName, formula: Formula, *, purpose: bool = False) -> None:
        found.setdefault(guard, []).append(Expectation(guard, action.id, formula, purpose))

    if ground.precondition == FALSE:  # whatever is believed: a constraint forbids it, say
        expect("presence", FALSE)
    for part in conjuncts(changes.condition(ground, truth, vocabulary)):
        if part not in (TRUE, FALSE):
            expect(guard_of(part, vocabulary), part)
    for name in dict.fromkeys(action.arguments):
        if name in classes:
            expect("appearance", Literal(("class", name, classes[name])))
    for kind, guard in GUARD_OF_PURPOSE.items():
        wanted = [
            effect.literal
            for effect in ground.effects
            if effect.condition == TRUE
            and effect.literal in products
            and vocabulary[effect.literal.atom[0]].kind == kind
            # A place that something leaves is no purpose: it is where it goes that counts.
            and (kind != "place" or effect.literal.positive)
        ]
        if wanted:
            expect(guard, Not(And(tuple(wanted))), purpose=True)
    return {guard: tuple(found[guard]) for guard in GUARD_NAMES if guard in found}
