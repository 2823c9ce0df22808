"""Closing doors, left out of a problem wherever no door has to be closed.

A closed door is never a help in getting somewhere, so only a goal that asks for one, or a condition of an
operator, is a reason to close any. Without the operators that do, a problem has fewer actions and a smaller
map, and plans are found as fast as if no door could be closed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from foretree.planning._domain_cache import per_domain
from foretree.planning.pddl.syntax import (
    Count,
    Domain,
    Formula,
    Literal,
    Operator,
    Problem,
    literals_of,
    types_of,
    variables_in,
    walk,
)
from foretree.world_model.beliefs.facts import CONNECTED, HAS_DOOR


def without_idle_closers(problem: Problem) -> Problem:
    """*problem* without the operators that close doors, unless its goal or an operator may want one closed.

    Its domain has to have a navigation.
    """
    domain = problem.domain
    states = _closed_states(domain)
    if not states or _is_wanted(domain):
        return problem
    types = {**types_of(variables_in(problem.goal)), **types_of(domain.constants), **problem.objects}
    if any(_is_of_a_door(literal, types, domain) for literal in _negated(problem.goal, states)):
        return problem
    return replace(problem, domain=_without_closers(domain))


@per_domain
def _closed_states(domain: Domain) -> frozenset[str]:
    """Effects of closing on a door, as atoms that are no longer true; nothing if none can be closed."""
    return frozenset(
        effect.literal.atom[0]
        for operator in domain.operators.values()
        if _is_closer(operator)
        for effect in operator.effects
        if not effect.literal.positive
    )


@per_domain
def _is_wanted(domain: Domain) -> bool:
    """Return whether an operator or an axiom may need a door closed, or it is remembered that one was."""
    states = _closed_states(domain)
    closers = [operator for operator in domain.operators.values() if _is_closer(operator)]
    if any(effect.literal.positive for operator in closers for effect in operator.effects):
        return True
    conditions = [
        (types_of(operator.parameters), condition)
        for operator in domain.operators.values()
        if not _is_closer(operator) and not _changes(operator, True)
        for condition in operator.conditions
    ]
    conditions += [(types_of(axiom.parameters), axiom.body) for axiom in domain.axioms]
    constants = types_of(domain.constants)
    return any(
        _is_of_a_door(literal, {**constants, **types, **types_of(variables_in(condition))}, domain)
        for types, condition in conditions
        for literal in _negated(condition, states)
    )


@per_domain
def _without_closers(domain: Domain) -> Domain:
    kept = {name: operator for name, operator in domain.operators.items() if not _is_closer(operator)}
    return replace(domain, operators=kept)


def _is_closer(operator: Operator) -> bool:
    return _changes(operator, False)


def _changes(operator: Operator, positive: bool) -> bool:
    """Return whether it connects nodes, or disconnects them."""
    literals = (effect.literal for effect in operator.effects)
    return any(one.positive is positive and one.atom[0] == CONNECTED for one in literals)


def _negated(formula: Formula, states: frozenset[str]) -> Iterator[Literal]:
    """The literals of *formula* with one of *states* that may have to be false: within a count, any."""
    counted = [
        literal for part in walk(formula) if isinstance(part, Count) for literal in literals_of(part.body)
    ]
    for literal in (*literals_of(formula), *counted):
        if literal.atom[0] in states and (not literal.positive or literal in counted):
            yield literal


def _is_of_a_door(literal: Literal, types: Mapping[str, str], domain: Domain) -> bool:
    """Return whether *literal* may be about a door, or about the map."""
    if literal.atom[0] == CONNECTED:
        return True
    door = domain.predicates[HAS_DOOR][0].type
    kinds = (types.get(term, "object") for term in literal.atom[1:])
    return any(domain.is_a(kind, door) or domain.is_a(door, kind) for kind in kinds)
