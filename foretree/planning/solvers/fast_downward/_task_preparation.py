"""From a problem to a task that can be searched: compiled and grounded here, or by the translator.

Our own grounding comes first. Where it takes too much work, or where a condition cannot be compiled into a
size one can work with, Fast Downward's translator takes over. Which of them it is depends on counted work
alone.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import cached_property

from foretree.planning.grounding.capacity_proofs import find_capacity_conflict
from foretree.planning.grounding.compilation import CompilationError, compile_away
from foretree.planning.grounding.grounding import TooManyActionsError, ground
from foretree.planning.grounding.mutex_proofs import explain_cyclic_goal
from foretree.planning.grounding.relaxed_reachability import without_unusable_operators
from foretree.planning.grounding.simplification import simplify
from foretree.planning.grounding.unsolvability import explain_unreachable, explain_unsolvable
from foretree.planning.pddl.syntax import Domain, Problem
from foretree.planning.semantics.axioms import without_axioms
from foretree.planning.solvers.base import SAFETY_SECONDS, Solution, SolverError, seconds_since
from foretree.planning.solvers.fast_downward._search_task import GroundedTask, SearchTask
from foretree.planning.solvers.fast_downward._translator import (
    TranslatedTask,
    can_translate,
    find_translator,
    translate,
)
from foretree.planning.solvers.fast_downward._worker_messages import SolveRequest, StageEntered
from foretree.planning.work_limit import TooMuchWorkError, WorkLimit

#: So many steps are taken for grounding before the translator takes over, and so many where it cannot.
_OWN_WORK, MOST_WORK = 3_000_000, 60_000_000
#: The same where some action takes several operators: that is where grounding explodes.
_JUDGED_WORK = 20_000
#: The same for a task that others wrote: grounding with more takes longer than to start the translator. Where
#: actions take several operators, even a quick search gets lost in what it has begun, if there is much of it.
_FOREIGN_WORK, _FOREIGN_JUDGED_WORK = 15_000, 1_500
#: So many steps are taken to find out why what others wrote has no plan.
_WHY_WORK = 60_000

_TRANSLATORS_WHY = (
    "Even if nothing were ever undone, the goal could not be reached (so says Fast Downward's translator, "
    "which gives no reason)."
)


@dataclass(frozen=True)
class Surroundings:
    """The worker process as the work on a request sees it.

    Attributes:
        watched: while its body computes, ``TooLateError`` is raised after a deadline (by
            ``time.monotonic``), and an exception of its own if the answer is not wanted any more.
        requests: a file descriptor; whenever it can be read, *interrupted* is asked.
        interrupted: whether the answer is not wanted any more.
        send: sends a message to the parent.
    """

    watched: Callable[[float], AbstractContextManager[None]]
    requests: int
    interrupted: Callable[[], bool]
    send: Callable[[object], None]


class TaskPreparation:
    """The work on a request until there is a task that a search reads.

    Attributes:
        deadline: when to give up, by ``time.monotonic``.
        stage: the stage that the work is in.
        translated_at: when the task was ready to be searched.
        foreign: whether the task is one of others where any plan will do: Fast Downward's own way should find
            one.
    """

    def __init__(self, job: SolveRequest, around: Surroundings) -> None:
        self.job, self.problem, self.limits = job, job.problem, job.limits
        self.around = around
        self.stage = ""
        self.translated_at: float | None = None
        self._start = time.monotonic()
        self.deadline = self._start + (SAFETY_SECONDS if job.limits.seconds is None else job.limits.seconds)
        self.foreign = job.limits.soon == 0 and job.mode != "optimal"
        self._stated = _as_stated(job.problem)

    def enter(self, stage: str) -> None:
        """Report a new stage."""
        if stage != self.stage:
            self.stage = stage
            self.around.send(StageEntered(self.job.id, stage))

    def watched(self) -> AbstractContextManager[None]:
        """While the body computes, look at the clock, and whether the answer is still wanted."""
        return self.around.watched(self.deadline)

    def seconds(self) -> dict[str, float]:
        """Return how long the parts of the work took."""
        return seconds_since(self._start, self.translated_at)

    def task(self) -> SearchTask | Solution:
        """Return the task to search; or the answer, if no search is needed."""
        try:
            return self._own_or_translated()
        except SolverError as refused:
            self.translatable = False
            try:
                with self.watched():
                    return self._grounded()
            except CompilationError:
                raise refused from None

    def _own_or_translated(self) -> SearchTask | Solution:
        if self._stated.domain.axioms and self.translatable and self.job.mode != "optimal":
            # A search that knows axioms need not carry what they say through all conditions.
            return self.translated
        try:
            with self.watched():
                return self._grounded()
        except (TooMuchWorkError, CompilationError):
            if not self.translatable:
                raise
        return self.translated

    def _grounded(self) -> SearchTask | Solution:
        problem, most = self.problem, self.limits.actions
        own = self.translatable
        self.enter("compiling")
        most_work = MOST_WORK if not own else _FOREIGN_WORK if self.foreign else _OWN_WORK
        compiled = compile_away(without_unusable_operators(without_axioms(problem)), WorkLimit(most_work))
        why_not = explain_cyclic_goal(compiled.problem)
        if why_not is not None:
            return Solution("unsolvable", seconds=self.seconds(), why=why_not)
        self.enter("grounding")
        if own and compiled.begins:
            most_work = _FOREIGN_JUDGED_WORK if self.foreign else _JUDGED_WORK
        grounding = ground(compiled.problem, most=most, work=WorkLimit(most_work))
        if grounding.holds_initially():
            return Solution("solved", optimal=True, seconds=self.seconds())
        # Where no part of the goal leaves a choice, grounding finds two that exclude each other.
        if not grounding.solvable or (compiled.judgements and find_capacity_conflict(compiled)):
            why = ""
            if self.limits.explain:
                why = explain_unsolvable(without_axioms(problem), most=most, work=self.why_work)
            return Solution("unsolvable", seconds=self.seconds(), why=why)
        return GroundedTask.of(compiled, simplify(grounding))

    @cached_property
    def translatable(self) -> bool:
        """True if the translator may be asked; to be set to False once it did not take the problem."""
        return find_translator(self.job.binary) is not None and can_translate(self._stated)

    @cached_property
    def translated(self) -> TranslatedTask | Solution:
        """The task that the translator makes; or the answer that there is no plan.

        Raises:
            SolverError: it does not take the problem.
        """
        self.enter("translating")
        around = self.around
        found = translate(self.job.binary, self._stated, self.deadline, around.requests, around.interrupted)
        if found.text:
            return found
        why = self._why_unreachable() or _TRANSLATORS_WHY if self.limits.explain else ""
        return Solution("unsolvable", seconds=self.seconds(), why=why)

    @property
    def why_work(self) -> WorkLimit:
        """Work for finding out why there is no plan."""
        return WorkLimit(_WHY_WORK if self.foreign else MOST_WORK)

    def _why_unreachable(self) -> str | None:
        """The reason for what the translator has found out, if little work tells."""
        try:
            with self.watched():
                return explain_unreachable(
                    without_axioms(self.problem), self.limits.actions, WorkLimit(_WHY_WORK)
                )
        except (CompilationError, TooManyActionsError, TooMuchWorkError):
            return None


def _as_stated(problem: Problem) -> Problem:
    """*problem* with all its axioms, if its domain still has the operators that it was stated with."""
    domain, stated = problem.domain, problem.domain.stated
    if stated is None or _heads(domain) != _heads(stated.domain):
        return problem
    goal = stated.goal if problem.goal == stated.unfolded else problem.goal
    return replace(problem, domain=stated.domain, goal=goal)


def _heads(domain: Domain) -> dict[str, tuple[object, ...]]:
    return {name: (operator.parameters, operator.cost) for name, operator in domain.operators.items()}
