"""Planning tasks over variables with finitely many values, as searches read them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

#: For some variables, by number, one of their values.
Partial = Mapping[int, int]


class Change(NamedTuple):
    """A variable takes a value, if all the *tests* held before."""

    variable: int
    value: int
    tests: tuple[tuple[int, int], ...] = ()


class Move(NamedTuple):
    """An operator: what it needs, what it changes, and what it costs.

    Attributes:
        number: that of the ground operator it stands for. Several moves may stand for the same one.
    """

    number: int
    before: Partial
    changes: tuple[Change, ...]
    cost: int

    @property
    def after(self) -> dict[int, int]:
        """What its unconditional changes lead to."""
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
    moves: tuple[Move, ...]

    @property
    def conditional(self) -> bool:
        """Whether some change depends on more than what its move needs."""
        return any(change.tests for move in self.moves for change in move.changes)

    @cached_property
    def text(self) -> str:
        """The task in Fast Downward's format (version 3); a move is named by its number."""
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
        yield from ("end_goal", str(len(self.moves)))
        for move in self.moves:
            changed = {change.variable for change in move.changes}
            prevail = [f"{var} {value}" for var, value in move.before.items() if var not in changed]
            yield from ("begin_operator", str(move.number), str(len(prevail)), *prevail)
            yield str(len(move.changes))
            for change in move.changes:
                tests = [f"{variable} {value}" for variable, value in change.tests]
                before = move.before.get(change.variable, -1)
                yield " ".join([str(len(tests)), *tests, f"{change.variable} {before} {change.value}"])
            yield from (str(move.cost), "end_operator")
        yield from ("0", "")
