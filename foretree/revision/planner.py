"""The planner-based reviser: a new plan to the same goal from the corrected belief."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import replace
from functools import partial
from math import ceil
from typing import Protocol, TypeAlias

from foretree.clock import Clock, Deferred
from foretree.planning.constraints.constraints import Constraint, show_constraint
from foretree.planning.incremental import Increments, weighted
from foretree.planning.pddl.syntax import PlanStep, Problem
from foretree.planning.plan import Action, cost_of
from foretree.planning.solvers.base import Solution
from foretree.planning.task.problems import make_problem_gradually
from foretree.revision.plan_task import Submit
from foretree.revision.put_back import put_back_gradually
from foretree.revision.revision import (
    IncrementalResult,
    NoRevisionError,
    PendingRevision,
    Revision,
    RevisionRequest,
    explain,
)

#: A problem, and its solution when it is there.
_Asked: TypeAlias = tuple[Problem, Deferred[Solution]]

#: So many actions are looked at, and so many atoms copied, as one piece of work.
_AT_A_TIME, _ATOMS_AT_A_TIME = 16, 400


class AsyncPlanner(Protocol):
    """Finds plans elsewhere: in a worker process, say."""

    def submit(
        self, problem: Problem, enough: int | None = None, *, explain: bool = True
    ) -> Future[Solution]:
        """Begin to plan; no further than until it is proved that no plan is cheaper than *enough*, and not
        saying why there is none unless that is to be *explained*."""

    def learn(self, problem: Problem, solution: Solution) -> None:
        """Take note of what came of a problem."""


class PlannerReviser:
    """Plans again from the world as it is believed, with what is running taken as done.

    Args:
        planner: does the planning, elsewhere.
        clock: decides when the answer counts as arrived.
        latency: how long planning takes on a simulated clock.
        time_out: when to give up.
        on_solution: is told about every solution (for the record).
        worthwhile: by which share a plan has to be cheaper than the rest that there is; 0 if any will do.
    """

    name = "planner"

    def __init__(
        self,
        planner: AsyncPlanner,
        clock: Clock,
        latency: float = 0.2,
        time_out: float = 30.0,
        on_solution: Callable[[Solution], None] = lambda solution: None,
        worthwhile: float = 0.0,
    ) -> None:
        self.time_out = time_out
        self._planner = planner
        self._clock = clock
        self._latency = latency
        self._on_solution = on_solution
        self._worthwhile = worthwhile

    def propose(self, request: RevisionRequest) -> PendingRevision:
        """A new plan, when it is there."""
        size = len(request.remaining)
        asking = IncrementalResult(self._asking(request), size)
        asking.go_on()  # most are asked at once
        return _NewPlan(asking, IncrementalResult(self._revising(request, asking), size))

    def _asking(self, request: RevisionRequest) -> Increments[_Asked]:
        """Ask for a plan."""
        task = request.task
        made = yield from make_problem_gradually(
            task.domain, request.beliefs, request.goal, functions=task.functions
        )
        problem = made.problem
        state = problem.init
        for action in request.running:
            yield from weighted(len(state) // _ATOMS_AT_A_TIME)
            state = task.advance(state, task.ground(action))
        yield from weighted(len(state) // _ATOMS_AT_A_TIME)
        problem = replace(problem, init=state)
        submit: Submit = self._planner.submit
        if self._worthwhile:
            enough = ceil((1 - self._worthwhile) * cost_of(request.remaining))
            submit = partial(self._planner.submit, enough=enough)
        return (problem, Deferred(task.solve(problem, submit), self._clock, self._latency))

    def _revising(self, request: RevisionRequest, asking: IncrementalResult[_Asked]) -> Increments[Revision]:
        """Make a revision of the answer."""
        problem, answer = asking.result()
        solution = answer.result()
        self._on_solution(solution)
        self._planner.learn(problem, solution)
        if solution.status != "solved":
            raise NoRevisionError(_why_not(solution, request.task.constrained.constraints))
        actions = yield from with_ids_gradually(solution.steps, request)
        actions = yield from put_back_gradually(actions, request)
        yield from weighted(len(actions) // 40)
        return Revision(
            tuple(actions),
            explain(request, actions),
            self.name,
            request.beliefs.version,
            lower_bound=solution.cost if solution.optimal else solution.lower_bound,
        )


def _why_not(solution: Solution, constraints: Sequence[Constraint]) -> str:
    """Return why there is no new plan."""
    said = f"{solution.status}: {solution.why}" if solution.why else solution.status
    if solution.status != "unsolvable" or not constraints:
        return said
    return f"{said.rstrip('.')}, if it is to keep {' and '.join(map(show_constraint, constraints))}"


class _NewPlan:
    """A new plan on its way: it is asked for, waited for, and put into the place of the old one.

    Args:
        asking: asks for it.
        revising: makes a revision of the answer, once that is there.
    """

    def __init__(self, asking: IncrementalResult[_Asked], revising: IncrementalResult[Revision]) -> None:
        self._asking = asking
        self._revising = revising

    def ready(self) -> bool:
        """Return whether there is a result (or an error); if not, do as much as fits into a tick."""
        if not self._asking.go_on():
            return False
        is_answered = self._asking.error is not None or self._asking.result()[1].ready()
        return is_answered and self._revising.go_on()

    def result(self) -> Revision:
        """The revision; only call it once :meth:`ready` said so."""
        return self._revising.result()

    def cancel(self) -> None:
        """Forget the plan; a search that has not begun does not begin."""
        if self._asking.is_through and self._asking.error is None:
            self._asking.result()[1].cancel()


def with_ids_gradually(steps: Sequence[PlanStep], request: RevisionRequest) -> Increments[list[Action]]:
    """*steps* as actions; those that were in the old plan already keep their ids, in order."""
    places: dict[PlanStep, list[int]] = {}
    for place, action in enumerate(request.remaining):
        if place % _AT_A_TIME == 0:
            yield 1
        places.setdefault((action.skill, action.arguments), []).append(place)
    actions: list[Action] = []
    next_place = 0
    for number, (skill, arguments) in enumerate(steps):
        if number % _AT_A_TIME == 0:
            yield 1
        cost = request.task.ground(Action("", skill, arguments)).cost
        found = places.get((skill, arguments), ())
        known = bisect_left(found, next_place)
        name = ""
        if known < len(found):
            # What was passed over on the way to a match cannot be matched later: ids keep their order.
            next_place = found[known] + 1
            name = request.remaining[found[known]].id
        actions.append(Action(name, skill, arguments, cost))
    return actions
