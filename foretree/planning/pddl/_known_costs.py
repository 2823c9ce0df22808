"""Actions whose cost has no value, which cannot be done.

Fast Downward's translator leaves them out. Here the operators get one more condition that never changes: the
cost is known.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from foretree.planning.pddl.syntax import And, Literal, Operator, Problem, substitute_atom
from foretree.planning.semantics.evaluation import bindings, conjuncts
from foretree.planning.semantics.operator_index import index_of
from foretree.world_model.beliefs.facts import Atom


def with_known_costs(problem: Problem) -> Problem:
    """*problem* without the actions whose cost has no value; itself, if there are none."""
    domain, init = problem.domain, set(problem.init)
    predicates, operators = dict(domain.predicates), dict(domain.operators)
    for operator in domain.operators.values():
        function = operator.cost.function
        if function is None or not _may_lack(operator, function, problem):
            continue
        name = _name(function[0], domain.predicates)
        predicates[name] = domain.functions[function[0]]
        known = And((*conjuncts(operator.precondition), Literal((name, *function[1:]))))
        operators[operator.name] = replace(operator, precondition=known)
        init |= {(name, *atom[1:]) for atom in problem.functions if atom[0] == function[0]}
    if operators == domain.operators:
        return problem
    return replace(
        problem, domain=replace(domain, predicates=predicates, operators=operators), init=frozenset(init)
    )


def _name(function: str, taken: Collection[str]) -> str:
    name = f"known-{function}"
    while name in taken:
        name += "-"
    return name


def _may_lack(operator: Operator, function: Atom, problem: Problem) -> bool:
    """True if some action of *operator* that may be possible has no cost, as *function* has no value."""
    derived = {axiom.predicate for axiom in problem.domain.axioms}
    static = index_of(problem.domain).parts(operator).static
    if any(
        _covers(part.atom, function, problem)
        for part in static
        if part.positive and part.atom[0] not in derived
    ):
        return False
    named = [parameter for parameter in operator.parameters if parameter.name in function[1:]]
    return any(
        substitute_atom(function, binding) not in problem.functions for binding in bindings(named, problem)
    )


def _covers(needed: Atom, function: Atom, problem: Problem) -> bool:
    """True if a condition that never changes holds only where the cost has a value."""
    return set(function[1:]) <= set(needed[1:]) and all(
        substitute_atom(function, dict(zip(needed, atom, strict=True))) in problem.functions
        for atom in problem.init
        if atom[0] == needed[0]
    )
