"""Compiling and grounding change neither whether a problem can be solved nor what its best plan costs."""

from __future__ import annotations

import heapq
from itertools import count

from hypothesis import HealthCheck, assume, event, given, settings
from random_tasks import carrying, cheapest, problems

from foretree.planning.compilation import compile_away
from foretree.planning.grounding import Grounding, ground, simplify
from foretree.planning.semantics import validate
from foretree.planning.syntax import Problem

_MOST_STATES = 20_000


def solve(problem: Problem) -> tuple[int, list] | None:
    """Compile, ground and search the way a solver would, in the plainest way."""
    compiled = compile_away(problem)
    grounding = simplify(ground(compiled.problem))
    found = _search(grounding)
    if found is None:
        return None
    cost, steps = found
    return cost, list(compiled.restore(steps))


def _search(grounding: Grounding):
    if not grounding.solvable:
        return None

    def holds(literals, state):
        return all((atom in state) == positive for atom, positive in literals)

    order = count()
    frontier = [(0, next(order), grounding.init, ())]
    best = {grounding.init: 0}
    while frontier:
        cost, _, state, steps = heapq.heappop(frontier)
        if cost > best[state]:
            continue
        if holds(grounding.goal, state):
            return cost, steps
        assume(len(best) < _MOST_STATES)
        for operator in grounding.operators:
            if not holds(operator.precondition, state):
                continue
            fired = [e.literal for e in operator.effects if holds(e.condition, state)]
            after = state - {a for a, positive in fired if not positive} | {
                a for a, positive in fired if positive
            }
            price = cost + operator.cost
            if price < best.get(after, price + 1):
                best[after] = price
                frontier_item = (price, next(order), after, (*steps, (operator.name, operator.arguments)))
                heapq.heappush(frontier, frontier_item)
    return None


def check(problem: Problem) -> None:
    expected = cheapest(problem)
    event("solvable" if expected else "trivial" if expected == 0 else "unsolvable")
    found = solve(problem)
    if expected is None:
        assert found is None
    else:
        assert found is not None
        cost, steps = found
        assert cost == expected
        assert validate(problem, steps).ok


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(problems())
def test_any_problem_keeps_its_best_cost(problem: Problem) -> None:
    check(problem)


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(carrying())
def test_dropping_excursions_keeps_the_best_cost(problem: Problem) -> None:
    check(problem)
