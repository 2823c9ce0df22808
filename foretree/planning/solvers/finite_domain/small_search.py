"""The cheapest plan of a small task, without any other program.

Most of what an agent asks for is small: to walk to the next corner, to open a drawer that it stands before.
To start a search for that, and to have it read the task, takes many times as long as to go through the few
states that there are (Dijkstra's algorithm). Where there are more, that is soon noticed and left to others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import heappop, heappush
from typing import TypeAlias

from foretree.planning.solvers.finite_domain.task import FiniteDomainTask, SasOperator, SearchResult
from foretree.planning.work_limit import TooMuchWorkError, WorkLimit

_State: TypeAlias = tuple[int, ...]
#: So many operators are looked at before a task is not small. That takes as long as to start another program.
_MOST_WORK = 8_000


def search_small(task: FiniteDomainTask, expansions: int | None = None) -> SearchResult | None:
    """The cheapest plan, or the proof that there is none; None if that takes longer than it is worth.

    Args:
        expansions: as many states are expanded at most.
    """
    work = WorkLimit(_MOST_WORK)
    after: dict[_State, tuple[_State, int] | None] = {task.init: None}
    costs = {task.init: 0}
    queue = [(0, 0, task.init)]
    operators = _by_condition(task)
    done: set[_State] = set()
    number = 0
    while queue:
        cost, _, state = heappop(queue)
        if state in done:
            continue
        if all(state[variable] == value for variable, value in task.goal.items()):
            return SearchResult(
                "solved", _way(after, state), len(done), lower_bound=cost, proved=True, cost=cost
            )
        if expansions is not None and len(done) >= expansions:
            return None
        done.add(state)
        try:
            for operator in _applicable(operators, state, work):
                following = _carry_out(operator, state)
                price = cost + operator.cost
                if price < costs.get(following, price + 1):
                    number += 1
                    costs[following] = price
                    after[following] = state, operator.number
                    heappush(queue, (price, number, following))
        except TooMuchWorkError:
            return None
    return SearchResult("unsolvable", (), len(done))


def _by_condition(task: FiniteDomainTask) -> list[dict[int, list[SasOperator]]]:
    """Operators by variable and value that they need; each stands under one of its conditions only.

    Operators without any are found by all values of the first variable.
    """
    found: list[dict[int, list[SasOperator]]] = [{} for _ in task.init]
    for operator in task.operators:
        if operator.before:
            # Of what it needs, that which fewest operators need so far tells most.
            variable, value = min(
                operator.before.items(), key=lambda pair: len(found[pair[0]].get(pair[1], ()))
            )
            found[variable].setdefault(value, []).append(operator)
        else:
            for value in range(len(task.values[0])):
                found[0].setdefault(value, []).append(operator)
    return found


def _applicable(
    operators: Sequence[dict[int, list[SasOperator]]], state: _State, work: WorkLimit
) -> Iterator[SasOperator]:
    for needing, value in zip(operators, state, strict=True):
        candidates = needing.get(value, ())
        work.spend(len(candidates) + 1)
        for operator in candidates:
            if all(state[variable] == wanted for variable, wanted in operator.before.items()):
                yield operator


def _carry_out(operator: SasOperator, state: _State) -> _State:
    after = list(state)
    for change in operator.changes:
        if all(state[variable] == value for variable, value in change.tests):
            after[change.variable] = change.value
    return tuple(after)


def _way(after: dict[_State, tuple[_State, int] | None], state: _State) -> tuple[int, ...]:
    """The numbers of the operators that lead to *state*."""
    way: list[int] = []
    while (before := after[state]) is not None:
        state, number = before
        way.append(number)
    return tuple(reversed(way))
