"""The planner-based reviser: a new plan to the same goal from the corrected belief."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import replace
from functools import partial
from math import ceil
from typing import Protocol

from foretree.clock import Clock, Deferred
from foretree.planning.plan import Action, cost_of
from foretree.planning.problems import make_problem
from foretree.planning.solvers.base import Solution
from foretree.planning.syntax import Problem
from foretree.revision.putting_back import put_back
from foretree.revision.revision import NoRevisionError, Revision, Situation
from foretree.revision.rules import explain
from foretree.revision.task import Submit


class Planner(Protocol):
    """Finds plans elsewhere: in a worker process, say."""

    def submit(
        self, problem: Problem, enough: int | None = None, *, explain: bool = True
    ) -> Future[Solution]:
        """Begin to plan; no further than until it is proved that no plan is cheaper than *enough*, and not
        saying why there is none unless that is to be *explained*."""
        ...

    def learn(self, problem: Problem, solution: Solution) -> None:
        """Take note of what came of a problem."""
        ...


class Replan:
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
        planner: Planner,
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

    def propose(self, situation: Situation) -> Deferred[Revision]:
        """A new plan, when it is there."""
        task = situation.task
        problem = make_problem(
            task.domain, situation.beliefs, situation.goal, functions=task.functions
        ).problem
        state = problem.init
        for action in situation.running:
            state = task.advance(state, task.ground(action))
        problem = replace(problem, init=state)

        def finish(solution: Solution) -> Revision:
            self._on_solution(solution)
            self._planner.learn(problem, solution)
            if solution.status != "solved":
                raise NoRevisionError(
                    f"{solution.status}: {solution.why}" if solution.why else solution.status
                )
            actions = put_back(with_ids(solution.steps, situation), situation)
            why = explain(situation.discrepancies, situation.remaining, actions)
            return Revision(
                tuple(actions),
                why,
                self.name,
                situation.beliefs.version,
                lower_bound=solution.cost if solution.optimal else solution.lower_bound,
            )

        submit: Submit = self._planner.submit
        if self._worthwhile:
            enough = ceil((1 - self._worthwhile) * cost_of(situation.remaining))
            submit = partial(self._planner.submit, enough=enough)
        answer = task.solve(problem, submit)
        return Deferred(answer, self._clock, self._latency, finish)


def with_ids(steps: Sequence[tuple[str, tuple[str, ...]]], situation: Situation) -> list[Action]:
    """*steps* as actions; those that were in the old plan already keep their ids, in order."""
    left = list(situation.remaining)
    actions: list[Action] = []
    for skill, arguments in steps:
        cost = situation.task.ground(Action("", skill, arguments)).cost
        known = next((a for a in left if a.skill == skill and a.arguments == arguments), None)
        if known is not None:
            # What was passed over on the way to a match cannot be matched later: ids keep their order.
            del left[: left.index(known) + 1]
        actions.append(Action(known.id if known else "", skill, arguments, cost))
    return actions
