"""How long planning takes, part by part, what the solver does included."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from foretree.planning.pddl.syntax import Problem
from foretree.planning.solvers.base import ImprovingSolver, Limits, Mode, Solution, Solver


class Stopwatch:
    """Seconds since it was made, and how they are spent.

    Attributes:
        parts: seconds of each part.
    """

    def __init__(self) -> None:
        self.parts: dict[str, float] = {}
        self._begun = time.perf_counter()

    def elapsed(self) -> float:
        """Seconds since it was made."""
        return time.perf_counter() - self._begun

    def add(self, part: str, seconds: float) -> None:
        """Count seconds as those of a part."""
        self.parts[part] = self.parts.get(part, 0.0) + seconds

    @contextmanager
    def part(self, name: str) -> Iterator[None]:
        """Count what happens inside as a part, apart from what other parts inside it count as theirs."""
        begun, inside = time.perf_counter(), sum(self.parts.values())
        yield
        spent = time.perf_counter() - begun - (sum(self.parts.values()) - inside)
        self.add(name, spent)


def solved(solver: Solver, problem: Problem, mode: Mode, seconds: float, watch: Stopwatch) -> Solution:
    """What the solver finds in so many seconds; the parts of its work are counted."""
    begun = watch.elapsed()
    found = solver.solve(problem, mode, Limits(seconds=seconds))
    told = {part: found.seconds.get(part, 0.0) for part in ("translate", "search")}
    for part, spent in told.items():
        watch.add(part, spent)
    # What remains is the way to the solver's process and back.
    watch.add("transfer", max(0.0, watch.elapsed() - begun - sum(told.values())))
    return found


def improved(solver: ImprovingSolver, problem: Problem, first: Solution, seconds: float) -> Solution:
    """The cheapest plan that the solver finds in so many seconds; *first* if that is too little for any."""
    best = solver.improve(problem, Limits(seconds=max(0.0, seconds))).result()
    return best if best.status == "solved" else replace(first, seconds=best.seconds, why=best.why)
