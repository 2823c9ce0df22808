"""Excursions: effects that only return to where an operator before has left.

See :mod:`foretree.planning.grounding._operator_relevance` for the conditions A to D, and why such effects
matter less.
"""

from __future__ import annotations

from collections.abc import Mapping

from foretree.planning.grounding.mutex_groups import is_balanced, subject_of
from foretree.planning.pddl.syntax import TRUE, Effect, Literal, Problem
from foretree.planning.semantics.operator_index import OperatorIndex, OperatorParts
from foretree.world_model.beliefs.facts import Atom


def find_returns(problem: Problem, index: OperatorIndex) -> dict[tuple[str, Literal], Atom]:
    """For each operator and effect that is a mere return, the precondition that it returns from."""
    found: dict[tuple[str, Literal], Atom] = {}
    for p in index.fluents:
        starts: dict[tuple[str, Literal], Atom] = {}
        places: dict[str, tuple[int, ...]] = {}
        for operator, effect in index.achievers(p, True):
            source = _source(index.parts(operator), effect)
            if source is None or places.setdefault(source[0], at := _places(effect, source)) != at:
                break
            starts[operator.name, effect.literal] = source
        else:
            if _alternate(problem, index, p, places):
                found |= starts
    return found


def _source(parts: OperatorParts, effect: Effect) -> Atom | None:
    """Return the atom that an operator needs and deletes and that has all arguments of the one it adds."""
    p = effect.literal.atom
    fitting = (q for q in parts.consumed if q[0] != p[0] and set(p[1:]) <= set(q[1:]))
    return next(fitting, None) if effect.condition == TRUE else None


def _places(effect: Effect, source: Atom) -> tuple[int, ...]:
    """Return the places of the added atom's arguments among those of the source."""
    return tuple(source[1:].index(term) for term in effect.literal.atom[1:])


def _alternate(problem: Problem, index: OperatorIndex, p: str, places: Mapping[str, tuple[int, ...]]) -> bool:
    """Return whether ``p`` and its ``q`` (the keys of *places*) satisfy the conditions A to D."""
    kind = {p: tuple(range(len(problem.domain.predicates[p]))), **places}
    operators = problem.domain.operators.values()
    if not all(is_balanced(index.parts(operator), kind) for operator in operators):
        return False
    for q, at in places.items():
        for operator, effect in index.achievers(q, True):
            arguments = effect.literal.atom[1:]
            if (p, *(arguments[place] for place in at)) not in index.parts(operator).consumed:
                return False
    for operator, effect in index.achievers(p, False):
        if effect.condition != TRUE or ~effect.literal not in index.parts(operator).literals:
            return False
    things = [subject_of(atom, kind) for atom in problem.init if atom[0] in kind]
    return len(things) == len(set(things))
