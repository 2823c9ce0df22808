"""The protocol of solvers, and their answers."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeAlias

from foretree.errors import ForetreeError
from foretree.planning.pddl.syntax import PlanStep, Problem

#: ``optimal``: a plan of least cost, proved. ``good``: a plan of low cost where a quick search finds one,
#: else the first plan, or a cheaper one if that takes little more work. ``fair``: the same, but never a plan
#: that was found without looking at its cost. ``satisficing``: the first plan found, by the search that copes
#: with the hardest problems and looks at no cost, unless the goal leaves a choice, such as "three mugs".
Mode: TypeAlias = Literal["optimal", "good", "fair", "satisficing"]
#: What came out. *Unsolvable* is a proof that there is no plan; *out-of-limits* says nothing about it, and
#: neither does *out-of-memory*: the search had no more memory, or the system killed what planned.
Status: TypeAlias = Literal["solved", "unsolvable", "out-of-limits", "out-of-memory"]
#: Even a problem without limits ends, by the clock.
SAFETY_SECONDS = 300.0
#: The answers that leave open whether there is a plan.
UNDECIDED: frozenset[Status] = frozenset({"out-of-limits", "out-of-memory"})


class SolverError(ForetreeError):
    """A solver is not there, or broke, or cannot take this kind of problem."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of the work on a problem.

    Attributes:
        expansions: how many states may be expanded. The same problem gives the same answer on every
            machine, so this is the limit for simulations.
        soon: how many states may be expanded to find a cheaper plan than the first; without it, as many as
            make about an eighth of the work that the first one took. With 0, the task is one that others
            wrote: unless a quick search finds a plan, the first one is searched for as Fast Downward does.
        seconds: how long it may take. It depends on the machine; None leaves only a generous safety net.
        actions: how many actions, each with its arguments, may be looked at before the search. Where there
            are more, there is none. For Fast Downward.
        enough: an optimal plan is looked for until it is proved that none is cheaper than this. For Fast
            Downward.
        explain: whether it is said why a problem has no plan, which may take longer than to find that out.
            For Fast Downward.
    """

    expansions: int | None = None
    soon: int | None = None
    seconds: float | None = None
    actions: int | None = None
    enough: int | None = None
    explain: bool = True


@dataclass(frozen=True)
class Solution:
    """A solver's answer.

    Attributes:
        steps: the plan: actions of the problem's own domain, with their arguments.
        cost: the sum of the actions' costs.
        optimal: whether no plan is cheaper.
        expanded: how many states were expanded.
        seconds: how long the parts of the work took, by wall clock: ``translate`` (compiling, grounding,
            writing), ``search``, ``total`` (with waiting for the solver to be free, and transfer).
        why: for a person: why there is no plan, or which limit was reached.
        lower_bound: no plan is cheaper than this; 0 where nothing is known. The search for an optimal plan
            knows one even where it ran out of limits.
        timed: whether a limit of time had a part in it, so that it could be another one on another machine.
    """

    status: Status
    steps: tuple[PlanStep, ...] = ()
    cost: int = 0
    optimal: bool = False
    expanded: int = 0
    seconds: Mapping[str, float] = field(default_factory=dict)
    why: str = ""
    lower_bound: int = 0
    timed: bool = False


class Solver(Protocol):
    """Finds plans."""

    def solve(self, problem: Problem, mode: Mode = "optimal", limits: Limits = Limits()) -> Solution:
        """Find a plan for *problem*.

        Raises:
            SolverError: the solver broke, or cannot take this kind of problem.
        """
        ...


class ImprovingSolver(Solver, Protocol):
    """Finds plans, and better ones."""

    def improve(
        self,
        problem: Problem,
        limits: Limits = Limits(),
        on_better: Callable[[Solution], None] | None = None,
    ) -> Future[Solution]:
        """Start finding the best plan for *problem* that there is time for.

        Args:
            problem: what is to be planned.
            limits: when to make do with what was found.
            on_better: called with each plan that is better than those before.

        Raises:
            SolverError: the solver is closed.
        """
        ...


def seconds_since(start: float, translated: float | None = None) -> dict[str, float]:
    """Return the parts of the time since *start*, for :class:`Solution`; searching began at *translated*."""
    now = time.monotonic()
    middle = now if translated is None else translated
    return {"translate": middle - start, "search": now - middle, "total": now - start}
