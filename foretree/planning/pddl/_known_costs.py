"""Actions whose cost has no value, which cannot be done.

Fast Downward's translator leaves them out. Here the operators get one more condition that never changes: the
cost is known.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from itertools import product

from foretree.planning.pddl.syntax import And, Literal, Operator, Problem
from foretree.planning.semantics.evaluation import conjuncts
from foretree.world_model.beliefs.facts import Atom


def with_known_costs(problem: Problem) -> Problem:
    """*problem* without the actions whose cost has no value; itself, if there are none."""
    domain, init = problem.domain, set(problem.init)
    operators = domain.operators
    if all(operator.cost.function is None for operator in operators.values()):
        return problem
    changing = {effect.literal.atom[0] for operator in operators.values() for effect in operator.effects}
    changing |= {axiom.predicate for axiom in domain.axioms}
    lacking = [operator for operator in operators.values() if _may_lack(operator, problem, changing)]
    if not lacking:
        return problem
    predicates, changed = dict(domain.predicates), dict(operators)
    for operator in lacking:
        function = operator.cost.function
        assert function is not None
        name = _name(function[0], domain.predicates)
        predicates[name] = domain.functions[function[0]]
        known = Literal((name, *function[1:]))
        changed[operator.name] = replace(
            operator, precondition=And((*conjuncts(operator.precondition), known))
        )
        init |= {(name, *atom[1:]) for atom in problem.functions if atom[0] == function[0]}
    return replace(
        problem, domain=replace(domain, predicates=predicates, operators=changed), init=frozenset(init)
    )


def _name(function: str, taken: Collection[str]) -> str:
    name = f"known-{function}"
    while name in taken:
        name += "-"
    return name


def _may_lack(operator: Operator, problem: Problem, changing: Collection[str]) -> bool:
    """True if some action of *operator* that may be possible has no cost."""
    function = operator.cost.function
    if function is None:
        return False
    valued = {atom[1:] for atom in problem.functions if atom[0] == function[0]}
    types = {parameter.name: parameter.type for parameter in operator.parameters}
    never_changing = (
        part.atom
        for part in conjuncts(operator.precondition)
        if isinstance(part, Literal) and part.positive and part.atom[0] not in changing
    )
    if any(_covers(needed, function, valued, problem) for needed in never_changing):
        return False
    members = [
        problem.of_type(types[term]) if term in types else (term,) for term in dict.fromkeys(function[1:])
    ]
    places = list(dict.fromkeys(function[1:]))
    return any(
        tuple(values[places.index(term)] for term in function[1:]) not in valued
        for values in product(*members)
    )


def _covers(needed: Atom, function: Atom, valued: Collection[Atom], problem: Problem) -> bool:
    """True if a condition that never changes holds only where the cost has a value."""
    if not set(function[1:]) <= set(needed[1:]):
        return False
    columns = [needed.index(term, 1) for term in function[1:]]
    return all(
        tuple(atom[column] for column in columns) in valued for atom in problem.init if atom[0] == needed[0]
    )
