"""Planning tasks over variables with finitely many values, as searches read them, and what these find."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from foretree.planning.solvers.base import Status

#: For some variables, by number, one of their values.
Partial = Mapping[int, int]


class SasEffect(NamedTuple):
    """A variable takes a value, if all the *tests* held before."""

    variable: int
    value: int
    tests: tuple[tuple[int, int], ...] = ()


class SasOperator(NamedTuple):
    """An operator: what it needs, what it changes, and what it costs.

    Attributes:
        number: that of the ground operator it stands for. Several operators may stand for the same one.
    """

    number: int
    before: Partial
    changes: tuple[SasEffect, ...]
    cost: int

    @property
    def after(self) -> dict[int, int]:
        """The values that its unconditional changes lead to."""
        return {change.variable: change.value for change in self.changes if not change.tests}


@dataclass(frozen=True)
class FiniteDomainTask:
    """A planning task.

    Attributes:
        values: of each variable, what its values mean.
        about: of each variable, the things that its atom is about; None if it is no single atom's.
        groups: pairs of a variable and a value, of which at most one holds at any time.
    """

    values: tuple[tuple[str, ...], ...]
    about: tuple[tuple[str, ...] | None, ...]
    groups: tuple[tuple[tuple[int, int], ...], ...]
    init: tuple[int, ...]
    goal: Partial
    operators: tuple[SasOperator, ...]

    @property
    def conditional(self) -> bool:
        """True if some change depends on more than what its operator needs."""
        return any(change.tests for operator in self.operators for change in operator.changes)

    def over(self, variables: Sequence[int], values: Sequence[Sequence[int]]) -> FiniteDomainTask:
        """The task over some of its variables, numbered in this order, with some of their values.

        Args:
            variables: those that are kept.
            values: for each variable of this task, the values that it can have.
        """
        places = {variable: number for number, variable in enumerate(variables)}
        numbers = {variable: {value: n for n, value in enumerate(values[variable])} for variable in variables}

        def renumbered(partial: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
            return ((places[v], numbers[v][value]) for v, value in partial if v in places)

        return FiniteDomainTask(
            tuple(
                tuple(self.values[variable][value] for value in values[variable]) for variable in variables
            ),
            tuple(self.about[variable] for variable in variables),
            tuple(tuple(renumbered(group)) for group in self.groups),
            tuple(numbers[variable][self.init[variable]] for variable in variables),
            dict(renumbered(self.goal.items())),
            tuple(
                operator._replace(
                    before=dict(renumbered(operator.before.items())),
                    changes=tuple(
                        SasEffect(places[v], numbers[v][value], tuple(renumbered(tests)))
                        for v, value, tests in operator.changes
                        if v in places
                    ),
                )
                for operator in self.operators
            ),
        )

    @cached_property
    def text(self) -> str:
        """The task in Fast Downward's format (version 3); an operator is named by its number."""
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        yield from ("begin_version", "3", "end_version", "begin_metric", "1", "end_metric")
        yield str(len(self.values))
        for number, names in enumerate(self.values):
            yield from ("begin_variable", f"var{number}", "-1", str(len(names)), *names, "end_variable")
        yield str(len(self.groups))
        for group in self.groups:
            yield from ("begin_mutex_group", str(len(group)))
            yield from (f"{variable} {value}" for variable, value in group)
            yield "end_mutex_group"
        yield from ("begin_state", *map(str, self.init), "end_state", "begin_goal", str(len(self.goal)))
        yield from (f"{variable} {value}" for variable, value in self.goal.items())
        yield from ("end_goal", str(len(self.operators)))
        for operator in self.operators:
            changed = {change.variable for change in operator.changes}
            prevail = [f"{var} {value}" for var, value in operator.before.items() if var not in changed]
            yield from ("begin_operator", str(operator.number), str(len(prevail)), *prevail)
            yield str(len(operator.changes))
            for change in operator.changes:
                tests = [f"{variable} {value}" for variable, value in change.tests]
                before = operator.before.get(change.variable, -1)
                yield " ".join([str(len(tests)), *tests, f"{change.variable} {before} {change.value}"])
            yield from (str(operator.cost), "end_operator")
        yield from ("0", "")


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The end of a search.

    Attributes:
        operators: the numbers of those in the plan.
        expanded: how many states were.
        why: which limit was reached.
        evaluated: how many states were looked at by a heuristic.
        branching: how many states followed from each, on average, rounded up.
        cost: of the plan, as the search adds it up.
        lower_bound: no plan is cheaper; only a search that proves its plans optimal knows one.
        proved: whether that is what the plan costs.
    """

    status: Status
    operators: tuple[int, ...]
    expanded: int
    why: str = ""
    lower_bound: int = 0
    proved: bool = False
    evaluated: int = 0
    branching: int = 1
    cost: int = 0
