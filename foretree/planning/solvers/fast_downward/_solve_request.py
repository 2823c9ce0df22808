"""From a request to its answer: what the worker does for one problem.

A task that others wrote is either small enough for a quick search on our own grounding, or goes to the
translator before the first search that has no end: then it is lost nowhere where Fast Downward is not, and
takes little longer than there.
"""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial

from foretree.planning.grounding.compilation import CompilationError, Compiled, compile_away
from foretree.planning.grounding.grounding import TooManyActionsError, ground
from foretree.planning.grounding.relaxed_reachability import without_unusable_operators
from foretree.planning.grounding.simplification import simplify
from foretree.planning.grounding.unsolvability import explain_unsolvable
from foretree.planning.pddl.syntax import Formula, Problem
from foretree.planning.semantics.actions import step_cost
from foretree.planning.semantics.axioms import without_axioms
from foretree.planning.solvers.base import (
    UNDECIDED,
    Mode,
    Solution,
    SolverError,
)
from foretree.planning.solvers.fast_downward._limit_messages import explain_limit
from foretree.planning.solvers.fast_downward._search_binary import TooLateError, search
from foretree.planning.solvers.fast_downward._search_configurations import Kind, configurations
from foretree.planning.solvers.fast_downward._search_task import GroundedTask, SearchTask
from foretree.planning.solvers.fast_downward._task_preparation import Surroundings, TaskPreparation
from foretree.planning.solvers.fast_downward._translator import (
    TranslatorLimitError,
)
from foretree.planning.solvers.fast_downward._worker_messages import (
    BetterSolution,
    SolveRequest,
)
from foretree.planning.solvers.finite_domain.small_search import search_small
from foretree.planning.solvers.finite_domain.task import SearchResult
from foretree.planning.task.instance_choice import InstanceChoice, find_instance_choice
from foretree.planning.work_limit import TooMuchWorkError, WorkLimit

#: Nor does a quick search there expand more states; nor is there one that could expand fewer than the least.
_FOREIGN_QUICK, _FOREIGN_LEAST = 600, 60
#: The part of the time that is kept for finding a good plan where none is proved to be the best one.
_RESERVED = 0.2
#: How far to search for the proof that a good plan is the best: so many states times the number of operators,
#: since each state costs the more, the more of these there are. Where that is only a few states, not at all.
_EXACT_WORK, _EXACT_LEAST = 30_000, 20
#: Nor more than this part of a quick search.
_EXACT_SHARE = 4
#: After a good plan, a thriftier one is looked for among so many times the states that the good one took.
_THRIFTY = 2
#: The search for a cheaper plan evaluates about one state for so many of the search for the first one.
_AGAIN = 8
#: Where it could expand fewer states than this part of the operators, to read the task takes longer.
_AGAIN_SHARE = 16
#: How far to search for a cheaper plan where the goal leaves a choice, in states times operators: the first
#: plan knows costs there, and a cheaper one may take a walk through thousands of choices.
_CHOOSING_WORK, _CHOOSING_LEAST = 2_000_000, 20
#: To start a search counts as so many steps of finding out why there is no plan.
_WHY_SEARCH = 10_000
#: How much work to choose among many things before the search, so often, and how far to search each time for
#: a cheaper plan than the first.
_CHOICE_WORK, _CHOICES, _CHOSEN_SOON = 1_000_000, 2, 1000
#: How far to search when finding out which parts of an impossible goal exclude each other.
_WHY_EXPANSIONS = 5_000

_SEARCHED_WHY = "Everything that can be reached was looked at, and the goal is not among it."


def solve(job: SolveRequest, around: Surroundings) -> Solution:
    """Answer a request.

    Raises:
        ForetreeError: the problem cannot be compiled, or the binary broke.
    """
    return _Solving(job, around).solve()


class _Solving(TaskPreparation):
    #: Whether a clock had a part in what was found, or a search was killed.
    _timed = False

    def solve(self) -> Solution:
        try:
            chosen = self._chosen()
            if chosen is not None:
                return chosen
            task = self.task()
            if isinstance(task, Solution):
                return task
            self.translated_at = time.monotonic()
            if self.job.improve:
                return self._improve(task)
            at_once = self._search_small(task)
            if at_once is not None:
                return self._solution(self.job.mode, task, at_once)
            if self.job.mode == "optimal":
                task = self._reduced(task)
            return self._solution(self.job.mode, *self._find(task))
        except TooLateError:
            return self._out("time", timed=True)
        except TranslatorLimitError as error:
            return self._out(str(error), timed=True)
        except TooManyActionsError:
            return self._out("actions")
        except TooMuchWorkError:
            return self._out("work")

    def _chosen(self) -> Solution | None:
        """A plan with things that are chosen before the search, where a goal asks for some of many."""
        count = find_instance_choice(self.problem)
        if count is None or self.job.improve or self.job.mode == "optimal":
            return None
        self.enter("choosing")
        try:
            with self.watched():
                choice = InstanceChoice(self.problem, count, WorkLimit(_CHOICE_WORK), self.limits.actions)
        except (CompilationError, TooManyActionsError, TooMuchWorkError):
            return None
        soon = _least(self.limits.soon or None, _CHOSEN_SOON)
        best: Solution | None = None
        tried: list[Formula] = []
        while (fewer := choice.problem()) is not None and fewer.goal not in tried:
            tried.append(fewer.goal)
            limits = replace(self.limits, soon=soon, explain=False)
            other = _Solving(replace(self.job, problem=fewer, limits=limits), self.around)
            other.deadline = self.deadline
            found = other.solve()
            if found.status != "solved":
                break
            if best is None or found.cost < best.cost:
                best = found
            if len(tried) == _CHOICES:
                break
            with self.watched():
                choice.learn(found.steps)
        if best is None:
            return None
        return replace(best, optimal=False, lower_bound=0, seconds=self.seconds())

    # -- searching -----------------------------------------------------------------------------------------

    def _search_small(self, task: SearchTask) -> SearchResult | None:
        """The result for a small task, where cost matters at all."""
        if self.job.mode == "satisficing" or not isinstance(task, GroundedTask):
            return None
        self.enter("searching")
        with self.watched():
            return search_small(task.task, self.limits.expansions)

    def _reduced(self, task: SearchTask) -> SearchTask:
        """A smaller task with the same least cost, where it is of our own grounding."""
        self.enter("reducing")
        with self.watched():
            return task.reduced() if isinstance(task, GroundedTask) else task

    def _find(self, task: SearchTask) -> tuple[SearchTask, SearchResult]:
        """Search for a plan as good as is asked for.

        What a good plan takes is not known before, and the search for it may get lost. So it begins with
        little work. If that does not do, there is a first plan before anything else, and then as much work
        again for a cheaper one as that took.
        """
        limits, mode = self.limits, self.job.mode
        quick = 0
        if mode in ("good", "fair"):
            quick = _least(
                task.quickly() if isinstance(task, GroundedTask) else 0,
                limits.expansions,
                limits.soon or None,
            )
            if self.foreign and self.translatable:
                quick = min(quick, _FOREIGN_QUICK) if quick >= _FOREIGN_LEAST else 0
            if mode == "fair" and limits.soon:
                quick = _least(limits.soon, limits.expansions)
            if quick:
                found = self._search("good", task, quick, exactly=quick // _EXACT_SHARE)
                if found.why not in ("expansions", "processor"):
                    return task, self._thriftier(task, found)
        if mode != "optimal" and (task.begins or self.foreign) and self.translatable:
            # A search may begin what it cannot end, and lose itself in that.
            try:
                other = self.translated
            except SolverError:
                self.translatable = False
            else:
                if isinstance(other, Solution):
                    return task, SearchResult(other.status, (), 0)
                task = other
        if mode != "good":
            return task, self._search(mode, task, limits.expansions, limits.enough)
        first = self._search("satisficing", task, limits.expansions)
        if first.status != "solved":
            return task, first
        return task, self._cheaper(task, first)

    def _thriftier(self, task: SearchTask, good: SearchResult) -> SearchResult:
        """A plan that is cheaper than a *good* one that may not be the best, if few states lead to it."""
        parts = len(task.task.goal) if isinstance(task, GroundedTask) else 0
        if good.status != "solved" or good.proved or parts < 2 or self.job.mode != "good" or self.foreign:
            return good
        found = self._search("thrifty", task, _THRIFTY * good.expanded)
        if found.status != "solved" or found.cost >= good.cost:
            return good
        return replace(found, expanded=good.expanded + found.expanded, lower_bound=good.lower_bound)

    def _cheaper(self, task: SearchTask, first: SearchResult) -> SearchResult:
        """A plan that is cheaper than the *first*, if one is found soon."""
        attempts: tuple[tuple[Mode, int], ...]
        if self.limits.soon:
            # Where there are many to choose from, their order hides for long which of them are near.
            soon = self.limits.soon
            if task.chooses:
                soon = min(soon, max(_CHOOSING_LEAST, _CHOOSING_WORK // max(1, task.operators)))
            attempts = ("good", soon), ("fair", soon)
        else:
            again = first.evaluated // (_AGAIN * first.branching)
            attempts = (("fair", again),) if again * _AGAIN_SHARE >= task.operators else ()
        for mode, expansions in attempts:
            found = self._search(mode, task, expansions)
            if found.status == "solved":
                return found if found.cost < first.cost else first
        return first

    def _improve(self, task: SearchTask) -> Solution:
        """The first plan, then the best one; if that is out of reach, a better one than the first."""
        end = self.deadline
        expanded = 0

        def attempt(mode: Mode, deadline: float, task: SearchTask, enough: int | None = None) -> Solution:
            nonlocal expanded
            self.deadline = deadline
            found = self._search(mode, task, self.limits.expansions, enough)
            expanded += found.expanded
            return replace(self._solution(mode, task, found), expanded=expanded)

        best = attempt("satisficing", end, task)
        if best.status == "unsolvable":
            return best
        if best.status == "solved":
            self.around.send(BetterSolution(self.job.id, best))
        enough = best.cost if best.status == "solved" and self.problem.minimise_cost else None
        most = end - _RESERVED * (end - time.monotonic())
        self.deadline = most
        try:
            fewer = self._reduced(task)
        except TooLateError:
            fewer = task
        proof = attempt("optimal", most, fewer, enough)
        if proof.status not in UNDECIDED:
            return proof
        if enough is None or proof.lower_bound < enough:
            other = attempt("good", end, fewer)
            if other.status == "solved" and (best.status != "solved" or other.cost < best.cost):
                best = other
        if best.status != "solved":
            return proof
        proved = self.problem.minimise_cost and proof.lower_bound >= best.cost
        return replace(
            best,
            optimal=proved,
            expanded=expanded,
            lower_bound=proof.lower_bound,
            seconds=self.seconds(),
            why="" if proved else proof.why,
        )

    def _search(
        self,
        mode: Kind,
        task: SearchTask,
        expansions: int | None,
        enough: int | None = None,
        exactly: int | None = None,
    ) -> SearchResult:
        self.enter("searching")
        with self.watched():
            text = (
                task.arranged_text if isinstance(task, GroundedTask) and mode == "satisficing" else task.text
            )
        exactly = _least(_EXACT_WORK // max(1, task.operators), exactly)
        if exactly < _EXACT_LEAST or not self.problem.minimise_cost:
            exactly = 0
        configuration = configurations(mode, task.conditional, expansions, exactly, task.axioms, task.chooses)
        found = search(
            self.job.binary,
            configuration,
            text,
            expansions,
            self.deadline,
            self.around.requests,
            self.around.interrupted,
            enough,
            exactly,
        )
        if found.status == "unsolvable" and task.axioms and mode != "optimal":
            # The estimates may be wrong about states from which nothing leads on where something is derived.
            found = replace(found, status="out-of-limits", why="incomplete")
        self._timed = self._timed or found.why in ("time", "processor", "killed")
        return found

    # -- answering -----------------------------------------------------------------------------------------

    def _solution(self, mode: Mode, task: SearchTask, found: SearchResult) -> Solution:
        if found.status == "out-of-limits":
            return self._out(found.why, found.expanded, found.lower_bound)
        if found.status == "unsolvable":
            why = self._why_unsolvable(task) if self.limits.explain else ""
            return Solution("unsolvable", expanded=found.expanded, seconds=self.seconds(), why=why)
        steps = task.steps(found.operators)
        operators, functions = self.problem.domain.operators, self.problem.functions
        cost = sum(step_cost(operators[name], arguments, functions) for name, arguments in steps)
        optimal = mode == "optimal" or found.proved
        # The search counts every action as one where the problem does not ask for its costs.
        bound = cost if optimal and self.problem.minimise_cost else found.lower_bound
        return Solution(
            "solved",
            steps,
            cost,
            optimal,
            found.expanded,
            self.seconds(),
            lower_bound=bound,
            timed=self._timed,
        )

    def _why_unsolvable(self, task: SearchTask) -> str:
        if not isinstance(task, GroundedTask):
            return _SEARCHED_WHY
        problem, most, work = without_axioms(self.problem), self.limits.actions, self.why_work
        return explain_unsolvable(problem, partial(self._solvable, work), most, work)

    def _solvable(self, work: WorkLimit, problem: Problem) -> bool | None:
        """Tell whether a part of an unsolvable problem has a plan; None if that takes long."""
        try:
            with self.watched():
                compiled: Compiled = compile_away(without_unusable_operators(problem), work)
                grounding = ground(compiled.problem, work=work)
                if grounding.holds_initially() or not grounding.solvable:
                    return grounding.solvable
                work.spend(_WHY_SEARCH)
                task = GroundedTask.of(compiled, simplify(grounding))
        except TooMuchWorkError:
            return None
        status = self._search("fair", task, _WHY_EXPANSIONS).status
        return None if status == "out-of-limits" else status == "solved"

    def _out(self, which: str, expanded: int = 0, bound: int = 0, *, timed: bool = False) -> Solution:
        return Solution(
            "out-of-memory" if which in ("memory", "killed") else "out-of-limits",
            expanded=expanded,
            seconds=self.seconds(),
            why=explain_limit(self.limits, which, self.stage),
            lower_bound=bound,
            timed=timed or self._timed,
        )


def _least(*limits: int | None) -> int:
    """The smallest of some limits, one of them being given."""
    return min(limit for limit in limits if limit is not None)
