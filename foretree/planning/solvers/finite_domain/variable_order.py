"""The order of a task's variables and operators: which of equally promising states comes first.

Searches that take the first plan they come to are sensitive to it: the same task in another order may take a
thousand times as long. So variables that others depend on come before these, as in the causal graph (Helmert,
"The Fast Downward planning system", 2006), and operators are in the order of their names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from heapq import heapify, heappop, heappush

from foretree.planning.solvers.finite_domain.task import FiniteDomainTask, SasOperator

#: For each variable, those that depend on it, and through how many operators.
_Dependents = Sequence[Mapping[int, int]]
#: A goal is achieved last: it counts as if so many more operators led to it.
_GOAL_WEIGHT = 100_000


def arranged(task: FiniteDomainTask, name_of: Callable[[SasOperator], tuple[str, ...]]) -> FiniteDomainTask:
    """*task* with variables in the order of the causal graph, and operators in that of their names."""
    ordered = task.over(_causal_order(task), [range(len(names)) for names in task.values])
    return replace(
        ordered,
        goal=dict(sorted(ordered.goal.items())),
        operators=tuple(map(_ordered, sorted(ordered.operators, key=name_of))),
    )


def _ordered(operator: SasOperator) -> SasOperator:
    changes = (change._replace(tests=tuple(sorted(change.tests))) for change in operator.changes)
    return operator._replace(
        before=dict(sorted(operator.before.items())),
        changes=tuple(sorted(changes, key=lambda change: change.variable)),
    )


def _causal_order(task: FiniteDomainTask) -> list[int]:
    """The variables; those that depend on each other in a circle are cut apart where few operators object."""
    dependents = _dependents(task)
    start = sorted(range(len(task.values)), key=lambda v: (len(task.values[v]) == 2, task.values[v]))
    order: list[int] = []
    for component in _components(start, dependents):
        order += _untangled(component, dependents, task.goal) if len(component) > 1 else component
    return order


def _dependents(task: FiniteDomainTask) -> _Dependents:
    found: list[dict[int, int]] = [{} for _ in task.values]
    for operator in task.operators:
        before = list(operator.before)
        for change in operator.changes:
            target = change.variable
            for source in (*before, *(variable for variable, _ in change.tests)):
                if source != target:
                    found[source][target] = found[source].get(target, 0) + 1
    return found


def _components(variables: Iterable[int], dependents: _Dependents) -> list[list[int]]:
    """The circles of variables that depend on each other, each before those that depend on it.

    Found in one walk (Gabow, "Path-based depth-first search", 2000): what leads back to a variable on the
    path is in one circle with all that has come after it.
    """
    found: list[list[int]] = []
    index: dict[int, int] = {}
    #: Those on the way here; those in no circle as yet; the first of each circle as far as it is known.
    path: list[int] = []
    open_: list[int] = []
    firsts: list[int] = []
    left: set[int] = set()
    todo = [*variables][::-1]
    while todo:
        node = todo[-1]
        if node not in index:
            index[node] = len(index)
            for stack in (path, open_, firsts):
                stack.append(node)
            todo += sorted(dependents[node], reverse=True)
            continue
        todo.pop()
        if path and path[-1] == node:
            path.pop()
            if firsts[-1] == node:
                firsts.pop()
                cut = open_.index(node)
                component, open_[cut:] = open_[cut:], []
                left.update(component)
                found.append(component)
        elif node not in left:
            while index[firsts[-1]] > index[node]:
                firsts.pop()
    return found[::-1]


def _untangled(component: Sequence[int], dependents: _Dependents, goal: Mapping[int, int]) -> Iterator[int]:
    """Of a circle always the variable that the rest of it influences least."""
    inside = set(component)
    weight = dict.fromkeys(component, 0)
    for source in component:
        for target, operators in dependents[source].items():
            if target in inside:
                weight[target] += operators + (_GOAL_WEIGHT if target in goal else 0)
    waiting = [(weight[variable], number, variable) for number, variable in enumerate(component)]
    heapify(waiting)
    count = len(waiting)
    while inside:
        least, _, variable = heappop(waiting)
        if variable not in inside or least != weight[variable]:
            continue
        inside.discard(variable)
        yield variable
        for target, operators in dependents[variable].items():
            if target in inside:
                weight[target] -= operators
                count += 1
                heappush(waiting, (weight[target], count, target))
