"""Operators that a problem has no objects for, to be left out.

Where a problem is about a mango and a fridge, nothing can be poured, stirred or cut. Operators for that would
be compiled and looked at over and over before it is found that no object fits them, and in a small problem
over a large domain that is most of the work.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache

from foretree.planning.pddl.syntax import Problem
from foretree.planning.semantics.operator_index import OperatorParts, index_of


def without_unusable_operators(problem: Problem) -> Problem:
    """*problem* without the operators that can never be used for want of objects.

    An object fits a parameter if it is of its type, and is for good what the precondition asks of it alone.
    No plan contains an operator that has a parameter which nothing fits, so all plans stay what they are.
    """
    domain = problem.domain
    index = index_of(domain)
    said: dict[str, set[str]] = {}
    for atom in problem.init:
        if len(atom) == 2 and atom[0] not in index.fluents:
            said.setdefault(atom[0], set()).add(atom[1])
    of_type = cache(lambda name: frozenset(problem.of_type(name)))
    operators = {
        name: operator
        for name, operator in domain.operators.items()
        if _is_usable(index.parts(operator), of_type, said)
    }
    return replace(problem, domain=replace(domain, operators=operators))


def _is_usable(
    parts: OperatorParts, of_type: Callable[[str], frozenset[str]], said: Mapping[str, set[str]]
) -> bool:
    """Return whether an object fits each parameter."""
    fitting = {parameter.name: of_type(parameter.type) for parameter in parts.operator.parameters}
    for part in parts.static:
        if len(part.atom) == 2 and part.atom[1] in fitting:
            predicate, term = part.atom
            those = said.get(predicate, set())
            fitting[term] = fitting[term] & those if part.positive else fitting[term] - those
    return all(fitting.values())
