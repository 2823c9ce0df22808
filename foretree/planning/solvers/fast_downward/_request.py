"""One problem, from compiling to the plan: what the worker does for a request.

Our own grounding comes first. Where it takes too much work, or where a condition cannot be compiled into a
size one can work with, Fast Downward's translator takes over. Which of them it is depends on counted work
alone.

A task that others wrote is either small enough for a quick search on our own grounding, or goes to the
translator before the first search that has no end: then it is lost nowhere where Fast Downward is not, and
takes little longer than there.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import cached_property, partial

from foretree.planning.grounding.capacity_proofs import find_capacity_conflict
from foretree.planning.grounding.compilation import CompilationError, Compiled, compile_away
from foretree.planning.grounding.grounding import TooManyActionsError, ground
from foretree.planning.grounding.mutex_proofs import explain_cyclic_goal
from foretree.planning.grounding.simplification import simplify
from foretree.planning.grounding.unsolvability import explain_unreachable, explain_unsolvable
from foretree.planning.grounding.unusable_operators import without_unusable_operators
from foretree.planning.pddl.syntax import Domain, Formula, Problem
from foretree.planning.semantics.actions import step_cost
from foretree.planning.semantics.axioms import without_axioms
from foretree.planning.solvers.base import (
    SAFETY_SECONDS,
    UNDECIDED,
    Limits,
    Mode,
    Solution,
    SolverError,
    seconds_since,
)
from foretree.planning.solvers.fast_downward._search_binary import Kind, configurations, search
from foretree.planning.solvers.fast_downward._search_task import GroundedTask, SearchTask, TranslatedTask
from foretree.planning.solvers.fast_downward._translator import (
    TRANSLATOR_SECONDS,
    TranslatorLimitError,
    can_translate,
    find_translator,
    translate,
)
from foretree.planning.solvers.fast_downward._worker_messages import (
    BetterSolution,
    SolveRequest,
    StageEntered,
)
from foretree.planning.solvers.finite_domain.search_result import SearchResult
from foretree.planning.solvers.finite_domain.small_search import search_small
from foretree.planning.task.instance_choice import InstanceChoice, find_instance_choice
from foretree.planning.work_limit import TooMuchWorkError, WorkLimit

#: So many steps are taken for grounding before the translator takes over, and so many where it cannot.
_OWN_WORK, _MOST_WORK = 3_000_000, 60_000_000
#: The same where some action takes several operators: that is where grounding explodes.
_JUDGED_WORK = 20_000
#: The same for a task that others wrote: grounding with more takes longer than to start the translator. Where
#: actions take several operators, even a quick search gets lost in what it has begun, if there is much of it.
_FOREIGN_WORK, _FOREIGN_JUDGED_WORK = 15_000, 1_500
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
#: So many steps are taken to find out why what others wrote has no plan; to start a search counts as so many.
_WHY_WORK, _WHY_SEARCH = 60_000, 10_000
#: How much work to choose among many things before the search, so often, and how far to search each time for
#: a cheaper plan than the first.
_CHOICE_WORK, _CHOICES, _CHOSEN_SOON = 1_000_000, 2, 1000
#: How far to search when finding out which parts of an impossible goal exclude each other.
_WHY_EXPANSIONS = 5_000

_TRANSLATORS_WHY = (
    "Even if nothing were ever undone, the goal could not be reached (so says Fast Downward's translator, "
    "which gives no reason)."
)
_SEARCHED_WHY = "Everything that can be reached was looked at, and the goal is not among it."


class TooLateError(Exception):
    """The time for a problem is over."""


@dataclass(frozen=True)
class Surroundings:
    """What a problem is solved in.

    Attributes:
        watched: while its body computes, :class:`TooLateError` is raised after a deadline (by
            ``time.monotonic``), and an exception of its own if nobody wants an answer any more.
        requests: a file descriptor; whenever it can be read, *interrupted* is asked.
        interrupted: whether nobody wants an answer any more.
        send: tells what comes before the answer.
    """

    watched: Callable[[float], AbstractContextManager[None]]
    requests: int
    interrupted: Callable[[], bool]
    send: Callable[[object], None]


def solve(job: SolveRequest, around: Surroundings) -> Solution:
    """Answer a request.

    Raises:
        ForetreeError: the problem cannot be compiled, or the binary broke.
    """
    return _Solving(job, around).solve()


class _Solving:
    def __init__(self, job: SolveRequest, around: Surroundings) -> None:
        self._job = job
        self._problem = job.problem
        self._stated = _as_stated(job.problem)
        self._limits = job.limits
        self._around = around
        self._start = time.monotonic()
        self._translated: float | None = None
        seconds = job.limits.seconds
        self._deadline = self._start + (SAFETY_SECONDS if seconds is None else seconds)
        self._stage = ""
        #: Whether a clock had a part in what was found, or who killed a search.
        self._timed = False
        #: What the translator says of the problem, once it was asked; and whether it did not take it.
        self._translation: TranslatedTask | Solution | None = None
        self._refused = False

    def solve(self) -> Solution:
        try:
            chosen = self._chosen()
            if chosen is not None:
                return chosen
            task = self._task()
            if isinstance(task, Solution):
                return task
            self._translated = time.monotonic()
            if self._job.improve:
                return self._improve(task)
            at_once = self._search_small(task)
            if at_once is not None:
                return self._solution(self._job.mode, task, at_once)
            if self._job.mode == "optimal":
                self._enter("reducing")
                with self._watched():
                    task = task.reduced()
            return self._solution(self._job.mode, *self._find(task))
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
        count = find_instance_choice(self._problem)
        if count is None or self._job.improve or self._job.mode == "optimal":
            return None
        self._enter("choosing")
        try:
            with self._watched():
                choice = InstanceChoice(self._problem, count, WorkLimit(_CHOICE_WORK), self._limits.actions)
        except (CompilationError, TooManyActionsError, TooMuchWorkError):
            return None
        soon = _least(self._limits.soon or None, _CHOSEN_SOON)
        best: Solution | None = None
        tried: list[Formula] = []
        while (fewer := choice.problem()) is not None and fewer.goal not in tried:
            tried.append(fewer.goal)
            limits = replace(self._limits, soon=soon, explain=False)
            job = replace(self._job, problem=fewer, limits=limits)
            found = self._within(job)
            if found.status != "solved":
                break
            if best is None or found.cost < best.cost:
                best = found
            if len(tried) == _CHOICES:
                break
            with self._watched():
                choice.learn(found.steps)
        if best is None:
            return None
        return replace(best, optimal=False, lower_bound=0, seconds=self._seconds())

    def _within(self, job: SolveRequest) -> Solution:
        """The answer to another request, in the time that there is for this one."""
        other = _Solving(job, self._around)
        other._deadline = self._deadline
        return other.solve()

    # -- until the search ----------------------------------------------------------------------------------

    def _task(self) -> SearchTask | Solution:
        """What to search; or the answer, if none is needed."""
        try:
            return self._own_or_translated()
        except SolverError as refused:
            self._refused = True
            try:
                with self._watched():
                    return self._grounded()
            except CompilationError:
                raise refused from None

    def _own_or_translated(self) -> SearchTask | Solution:
        if self._stated.domain.axioms and self._translatable and self._job.mode != "optimal":
            # A search that knows axioms need not carry what they say through all conditions.
            return self._ask_translator()
        try:
            with self._watched():
                return self._grounded()
        except (TooMuchWorkError, CompilationError):
            if not self._translatable:
                raise
        return self._ask_translator()

    def _grounded(self) -> SearchTask | Solution:
        problem, most = self._problem, self._limits.actions
        own = self._translatable
        self._enter("compiling")
        most_work = _MOST_WORK if not own else _FOREIGN_WORK if self._foreign else _OWN_WORK
        compiled = compile_away(without_unusable_operators(without_axioms(problem)), WorkLimit(most_work))
        why_not = explain_cyclic_goal(compiled.problem)
        if why_not is not None:
            return Solution("unsolvable", seconds=self._seconds(), why=why_not)
        self._enter("grounding")
        if own and compiled.begins:
            most_work = _FOREIGN_JUDGED_WORK if self._foreign else _JUDGED_WORK
        grounding = ground(compiled.problem, most=most, work=WorkLimit(most_work))
        if grounding.holds_initially():
            return Solution("solved", optimal=True, seconds=self._seconds())
        # Where no part of the goal leaves a choice, grounding finds two that exclude each other.
        if not grounding.solvable or (compiled.judgements and find_capacity_conflict(compiled)):
            why = ""
            if self._limits.explain:
                why = explain_unsolvable(without_axioms(problem), most=most, work=self._why_work)
            return Solution("unsolvable", seconds=self._seconds(), why=why)
        return GroundedTask.of(compiled, simplify(grounding))

    @property
    def _translatable(self) -> bool:
        return not self._refused and self._readable

    @cached_property
    def _readable(self) -> bool:
        return find_translator(self._job.binary) is not None and can_translate(self._stated)

    @property
    def _foreign(self) -> bool:
        """Whether any plan will do for a task that others wrote: Fast Downward's own way should find one."""
        return self._limits.soon == 0 and self._job.mode != "optimal"

    def _ask_translator(self) -> TranslatedTask | Solution:
        if self._translation is None:
            self._enter("translating")
            job, around = self._job, self._around
            found = translate(job.binary, self._stated, self._deadline, around.requests, around.interrupted)
            if not found.text:
                why = self._why_unreachable() or _TRANSLATORS_WHY if self._limits.explain else ""
                self._translation = Solution("unsolvable", seconds=self._seconds(), why=why)
            else:
                self._translation = TranslatedTask(found)
        return self._translation

    # -- searching -----------------------------------------------------------------------------------------

    def _search_small(self, task: SearchTask) -> SearchResult | None:
        """What comes of a small task, if cost matters at all."""
        if self._job.mode == "satisficing" or not isinstance(task, GroundedTask):
            return None
        self._enter("searching")
        with self._watched():
            return search_small(task.task, self._limits.expansions)

    def _find(self, task: SearchTask) -> tuple[SearchTask, SearchResult]:
        """Search for a plan as good as is asked for.

        What a good plan takes is not known before, and the search for it may get lost. So it begins with
        little work. If that does not do, there is a first plan before anything else, and then as much work
        again for a cheaper one as that took.
        """
        limits, mode = self._limits, self._job.mode
        quick = 0
        if mode in ("good", "fair"):
            quick = _least(task.quickly(), limits.expansions, limits.soon or None)
            if self._foreign and self._translatable:
                quick = min(quick, _FOREIGN_QUICK) if quick >= _FOREIGN_LEAST else 0
            if mode == "fair" and limits.soon:
                quick = _least(limits.soon, limits.expansions)
            if quick:
                found = self._search("good", task, quick, exactly=quick // _EXACT_SHARE)
                if found.why not in ("expansions", "processor"):
                    return task, self._thriftier(task, found)
        if mode != "optimal" and (task.begins or self._foreign) and self._translatable:
            # A search may begin what it cannot end, and lose itself in that.
            other: SearchTask | Solution = task
            try:
                other = self._ask_translator()
            except SolverError:
                self._refused = True
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
        if good.status != "solved" or good.proved or parts < 2 or self._job.mode != "good" or self._foreign:
            return good
        found = self._search("thrifty", task, _THRIFTY * good.expanded)
        if found.status != "solved" or found.cost >= good.cost:
            return good
        return replace(found, expanded=good.expanded + found.expanded, lower_bound=good.lower_bound)

    def _cheaper(self, task: SearchTask, first: SearchResult) -> SearchResult:
        """A plan that is cheaper than the *first*, if one is found soon."""
        attempts: tuple[tuple[Mode, int], ...]
        if self._limits.soon:
            # Where there are many to choose from, their order hides for long which of them are near.
            soon = self._limits.soon
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
        end = self._deadline
        expanded = 0

        def attempt(mode: Mode, deadline: float, task: SearchTask, enough: int | None = None) -> Solution:
            nonlocal expanded
            self._deadline = deadline
            found = self._search(mode, task, self._limits.expansions, enough)
            expanded += found.expanded
            return replace(self._solution(mode, task, found), expanded=expanded)

        best = attempt("satisficing", end, task)
        if best.status == "unsolvable":
            return best
        if best.status == "solved":
            self._around.send(BetterSolution(self._job.id, best))
        enough = best.cost if best.status == "solved" and self._problem.minimise_cost else None
        most = end - _RESERVED * (end - time.monotonic())
        self._enter("reducing")
        try:
            self._deadline = most
            with self._watched():
                fewer = task.reduced()
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
        proved = self._problem.minimise_cost and proof.lower_bound >= best.cost
        return replace(
            best,
            optimal=proved,
            expanded=expanded,
            lower_bound=proof.lower_bound,
            seconds=self._seconds(),
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
        self._enter("searching")
        with self._watched():
            text = task.arranged_text if mode == "satisficing" else task.text
        exactly = _least(_EXACT_WORK // max(1, task.operators), exactly)
        if exactly < _EXACT_LEAST or not self._problem.minimise_cost:
            exactly = 0
        configuration = configurations(mode, task.conditional, expansions, exactly, task.axioms, task.chooses)
        found = search(
            self._job.binary,
            configuration,
            text,
            expansions,
            self._deadline,
            self._around.requests,
            self._around.interrupted,
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
            why = self._why_unsolvable(task) if self._limits.explain else ""
            return Solution("unsolvable", expanded=found.expanded, seconds=self._seconds(), why=why)
        steps = task.steps(found.operators)
        operators, functions = self._problem.domain.operators, self._problem.functions
        cost = sum(step_cost(operators[name], arguments, functions) for name, arguments in steps)
        optimal = mode == "optimal" or found.proved
        # The search counts every action as one where the problem does not ask for its costs.
        bound = cost if optimal and self._problem.minimise_cost else found.lower_bound
        return Solution(
            "solved",
            steps,
            cost,
            optimal,
            found.expanded,
            self._seconds(),
            lower_bound=bound,
            timed=self._timed,
        )

    def _why_unsolvable(self, task: SearchTask) -> str:
        if isinstance(task, TranslatedTask):
            return _SEARCHED_WHY
        problem, most, work = without_axioms(self._problem), self._limits.actions, self._why_work
        return explain_unsolvable(problem, partial(self._solvable, work), most, work)

    @property
    def _why_work(self) -> WorkLimit:
        return WorkLimit(_WHY_WORK if self._foreign else _MOST_WORK)

    def _why_unreachable(self) -> str | None:
        """Why what the translator has found out is so, if little work tells."""
        try:
            with self._watched():
                return explain_unreachable(
                    without_axioms(self._problem), self._limits.actions, WorkLimit(_WHY_WORK)
                )
        except (CompilationError, TooManyActionsError, TooMuchWorkError):
            return None

    def _solvable(self, work: WorkLimit, problem: Problem) -> bool | None:
        """Whether a part of an unsolvable problem has a plan; None if that takes long."""
        try:
            with self._watched():
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
            seconds=self._seconds(),
            why=_why_out(self._limits, which, self._stage),
            lower_bound=bound,
            timed=timed or self._timed,
        )

    # -- what is gone through ------------------------------------------------------------------------------

    def _enter(self, stage: str) -> None:
        if stage != self._stage:
            self._stage = stage
            self._around.send(StageEntered(self._job.id, stage))

    def _watched(self) -> AbstractContextManager[None]:
        return self._around.watched(self._deadline)

    def _seconds(self) -> dict[str, float]:
        return seconds_since(self._start, self._translated)


def _as_stated(problem: Problem) -> Problem:
    """*problem* with all its axioms, if its domain still has the operators that it was stated with."""
    domain, stated = problem.domain, problem.domain.stated
    if stated is None or _heads(domain) != _heads(stated.domain):
        return problem
    goal = stated.goal if problem.goal == stated.unfolded else problem.goal
    return replace(problem, domain=stated.domain, goal=goal)


def _heads(domain: Domain) -> dict[str, tuple[object, ...]]:
    return {name: (operator.parameters, operator.cost) for name, operator in domain.operators.items()}


def _least(*limits: int | None) -> int:
    """The smallest of some limits, one of them being given."""
    return min(limit for limit in limits if limit is not None)


#: What can be tried where a stage took too long.
_ADVICE = {
    "searching": "Ask for the first plan (plans: first), or allow more",
    "reducing": "Ask for a good plan instead of the best one (plans: good), or allow more",
}
_LESS = "Leave out of the problem what the goal does not need, or allow more"


def _why_out(limits: Limits, which: str, stage: str) -> str:
    if which == "expansions":
        return f"The search expanded more than the {limits.expansions} states it is allowed."
    if which == "processor" and stage == "searching":
        return f"The search took longer than for the {limits.expansions} states it is allowed to expand."
    if which == "actions":
        return f"There are more than the {limits.actions} actions that may be looked at."
    if which == "work":
        return f"Planning stopped while {stage}, after {_MOST_WORK} steps of it. {_LESS.partition(',')[0]}."
    if which == "bound":
        return f"There is no plan that is cheaper than {limits.enough}."
    if which == "memory":
        return f"Planning ran out of memory while {stage}."
    if which == "incomplete":
        return (
            "Every state that looked promising was tried in vain. That is no proof where predicates are "
            "derived: only an optimal plan (plans: optimal) is searched for everywhere."
        )
    if which == "killed":
        return "The search was killed, as the system does when memory runs out."
    advice = _ADVICE.get(stage, _LESS)
    if which == "processor":
        return (
            f"Planning stopped while {stage}, after {TRANSLATOR_SECONDS} s of the processor, which is only a "
            f"safety net: another run may come to another end. {advice.partition(',')[0]}."
        )
    if limits.seconds is None:
        return (
            f"Out of time: planning stopped while {stage}, after {SAFETY_SECONDS:g} s, which is only a "
            f"safety net: another run may come to another end. {advice} states (expansions), which are "
            "counted and not timed."
        )
    return f"Out of time: planning stopped while {stage}, after {limits.seconds:g} s. {advice} time."
