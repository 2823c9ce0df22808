"""The cheapest plan of a small task, without any other program.

Most of what an agent asks for is small: to walk to the next corner, to open a drawer that it stands before.
To start a search for that, and to have it read the task, takes many times as long as to go through the few
states that there are (Dijkstra's algorithm). Where there are more, that is soon noticed and left to others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import heappop, heappush
from typing import TypeAlias

from foretree.planning.grounding.work_limit import TooMuchWorkError, Work
from foretree.planning.solvers.fast_downward.binary import Found
from foretree.planning.solvers.finite_domain.task import FiniteDomainTask, Move

_State: TypeAlias = tuple[int, ...]
#: So many moves are looked at before a task is not small. That takes as long as to start another program.
_MOST_WORK = 8_000


def search_small(task: FiniteDomainTask, expansions: int | None = None) -> Found | None:
    """The cheapest plan, or the proof that there is none; None if that takes longer than it is worth.

    Args:
        expansions: as many states are expanded at most.
    """
    work = Work(_MOST_WORK)
    after: dict[_State, tuple[_State, int] | None] = {task.init: None}
    costs = {task.init: 0}
    queue = [(0, 0, task.init)]
    moves = _by_condition(task)
    done: set[_State] = set()
    number = 0
    while queue:
        cost, _, state = heappop(queue)
        if state in done:
            continue
        if all(state[variable] == value for variable, value in task.goal.items()):
            return Found("solved", _way(after, state), len(done), lower_bound=cost, proved=True, cost=cost)
        if expansions is not None and len(done) >= expansions:
            return None
        done.add(state)
        try:
            for move in _applicable(moves, state, work):
                following = _carry_out(move, state)
                price = cost + move.cost
                if price < costs.get(following, price + 1):
                    number += 1
                    costs[following] = price
                    after[following] = state, move.number
                    heappush(queue, (price, number, following))
        except TooMuchWorkError:
            return None
    return Found("unsolvable", (), len(done))


def _by_condition(task: FiniteDomainTask) -> list[dict[int, list[Move]]]:
    """For each variable and value, the moves that need it; each move is found by one of its conditions.

    Moves without any are found by all values of the first variable.
    """
    found: list[dict[int, list[Move]]] = [{} for _ in task.init]
    for move in task.moves:
        if move.before:
            # Of what it needs, that which fewest moves need so far tells most.
            variable, value = min(move.before.items(), key=lambda pair: len(found[pair[0]].get(pair[1], ())))
            found[variable].setdefault(value, []).append(move)
        else:
            for value in range(len(task.values[0])):
                found[0].setdefault(value, []).append(move)
    return found


def _applicable(moves: Sequence[dict[int, list[Move]]], state: _State, work: Work) -> Iterator[Move]:
    for needing, value in zip(moves, state, strict=True):
        candidates = needing.get(value, ())
        work.spend(len(candidates) + 1)
        for move in candidates:
            if all(state[variable] == wanted for variable, wanted in move.before.items()):
                yield move


def _carry_out(move: Move, state: _State) -> _State:
    after = list(state)
    for change in move.changes:
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
