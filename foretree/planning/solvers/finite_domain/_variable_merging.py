"""Join variables that together take few values: whether a spoon is laden, and with what.

``laden``, ``has_soil`` and ``has_cereal`` of a spoon are three variables of two values each, but only three
of the eight combinations ever occur. As one variable, it can be seen in its values alone that cereal in the
spoon is good for nothing, and projections that keep it have few states. The plans stay what they are: each
state that can be reached is the same, written otherwise. An operator that asks for one of the joined
variables only becomes several, one for each value of the others that goes with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TypeAlias

from foretree.planning.solvers.finite_domain.task import FiniteDomainTask, SasEffect, SasOperator

#: Of a thing of which more combinations can be reached, nothing is joined.
_MOST_COMBINATIONS = 200

#: Values of several variables.
_Combination: TypeAlias = "tuple[int, ...]"


@dataclass(frozen=True, slots=True)
class _Cluster:
    """Variables, and the combinations of their values that can be reached."""

    variables: tuple[int, ...]
    combinations: tuple[_Combination, ...]

    def of(self, variables: tuple[int, ...]) -> _Cluster:
        """The same for some of the variables."""
        places = [self.variables.index(variable) for variable in variables]
        found = {tuple(values[place] for place in places) for values in self.combinations}
        return _Cluster(variables, tuple(sorted(found)))

    def cases(self, before: Mapping[int, int]) -> Iterator[_Combination]:
        """The combinations in which an operator can be made."""
        wanted = [before.get(variable) for variable in self.variables]
        for values in self.combinations:
            if all(want in (None, value) for want, value in zip(wanted, values, strict=True)):
                yield values

    def result(self, values: _Combination, after: Mapping[int, int]) -> _Combination:
        """Return the combination that an operator makes of another one."""
        return tuple(after.get(v, value) for v, value in zip(self.variables, values, strict=True))


def with_joined_variables(task: FiniteDomainTask) -> FiniteDomainTask:
    """*task*, which has no conditional effects, with variables joined that are about the same thing."""
    about: dict[tuple[str, ...], list[int]] = {}
    for variable, thing in enumerate(task.about):
        if thing is not None and variable not in task.goal:
            about.setdefault(thing, []).append(variable)
    joined = task
    for variables in about.values():
        if len(variables) > 1 and (whole := _reachable(task, variables)) is not None:
            for cluster in _clusters(whole):
                joined = _join(joined, cluster)
    return joined


def _reachable(task: FiniteDomainTask, variables: Sequence[int]) -> _Cluster | None:
    """The combinations that can be reached when only these variables count; None if there are many."""
    steps: dict[tuple[tuple[int | None, int | None], ...], None] = {}
    for operator in task.operators:
        after = operator.after
        if any(variable in after for variable in variables):
            step = tuple((operator.before.get(variable), after.get(variable)) for variable in variables)
            steps[step] = None
    start = tuple(task.init[variable] for variable in variables)
    found = {start: None}
    todo = [start]
    while todo:
        values = todo.pop()
        for step in steps:
            if all(needed in (None, value) for (needed, _), value in zip(step, values, strict=True)):
                new = tuple(
                    value if end is None else end for (_, end), value in zip(step, values, strict=True)
                )
                if new not in found:
                    if len(found) == _MOST_COMBINATIONS:
                        return None
                    found[new] = None
                    todo.append(new)
    return _Cluster(tuple(variables), tuple(found))


def _clusters(whole: _Cluster) -> list[_Cluster]:
    """The variables to join: those that take fewer values together than one after the other."""
    of = cache(whole.of)  # most pairs come up again when one has been joined
    clusters = [of((variable,)) for variable in whole.variables]
    while True:
        smaller = [
            (place, number, both)
            for number, one in enumerate(clusters)
            for place, other in enumerate(clusters[:number])
            if len((both := of((*other.variables, *one.variables))).combinations)
            < len(one.combinations) + len(other.combinations)
        ]
        if not smaller:
            return [cluster for cluster in clusters if len(cluster.variables) > 1]
        place, number, both = min(smaller, key=lambda pair: len(pair[2].combinations))
        clusters[place] = both
        del clusters[number]


def _join(task: FiniteDomainTask, cluster: _Cluster) -> FiniteDomainTask:
    """*task* with the first of the variables standing for all; the others keep one value and no part."""
    first = cluster.variables[0]
    numbers = {values: number for number, values in enumerate(cluster.combinations)}
    operators: list[SasOperator] = []
    for operator in task.operators:
        after = operator.after
        if not any(variable in operator.before or variable in after for variable in cluster.variables):
            operators.append(operator)
            continue
        before = {v: value for v, value in operator.before.items() if v not in cluster.variables}
        changes = tuple(change for change in operator.changes if change.variable not in cluster.variables)
        for values in cluster.cases(operator.before):
            result = cluster.result(values, after)
            if result not in numbers:
                # What the operator asks of the thing's other variables never goes with these values.
                continue
            change = () if result == values else (SasEffect(first, numbers[result]),)
            if changes or change:
                operators.append(
                    operator._replace(before={**before, first: numbers[values]}, changes=(*changes, *change))
                )
    names = list(task.values)
    init = list(task.init)
    for variable in cluster.variables:
        names[variable], init[variable] = ("joined",), 0
    names[first] = tuple(
        ", ".join(task.values[v][value] for v, value in zip(cluster.variables, values, strict=True))
        for values in cluster.combinations
    )
    init[first] = numbers[tuple(task.init[variable] for variable in cluster.variables)]
    return replace(task, values=tuple(names), groups=(), init=tuple(init), operators=tuple(operators))
