"""Problems in which what a goal asks for is not so yet, whatever has been seen: a baseline to compare with.

An agent that takes every mug for dirty where a clean one is asked for plans to wash it, and sees no states.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

from foretree.planning.pddl.syntax import Formula, Problem, literals_of
from foretree.planning.semantics.operator_index import index_of


def with_opposite_states(problem: Problem, states: Collection[str]) -> Problem:
    """*problem* with the opposite of each state that its goal asks for, of all objects.

    What no operator brings about stays as it is: there would be no plan.

    Args:
        problem: made from what is believed.
        states: the predicates that are states of things.
    """
    init = set(problem.init)
    for predicate, positive in sorted(set(_asked(problem.goal, states))):
        if not index_of(problem.domain).achievers(predicate, positive):
            continue
        if positive:
            init = {atom for atom in init if atom[0] != predicate}
        else:
            of = problem.domain.predicates[predicate][0].type
            init.update(
                (predicate, name) for name, kind in problem.objects.items() if problem.domain.is_a(kind, of)
            )
    return replace(problem, init=frozenset(init))


def _asked(goal: Formula, states: Collection[str]) -> Iterator[tuple[str, bool]]:
    for literal in literals_of(goal):
        if literal.atom[0] in states and len(literal.atom) == 2:
            yield literal.atom[0], literal.positive
