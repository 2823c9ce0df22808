"""The process that plans: it compiles, grounds, and runs the search, one problem after the other.

It is started by :class:`foretree.planning.solvers.fast_downward.FastDownward` and speaks with it through its
standard input and output. It has no threads, so that the kernel's promise to kill the search together with
its parent is kept, and it ends when its input does.
"""

from __future__ import annotations

import gc
import os
import select
import signal
import sys
import time
import traceback
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from types import FrameType

from foretree.errors import ForetreeError
from foretree.planning.casting import with_a_cast
from foretree.planning.compilation import Compiled, compile_away
from foretree.planning.crowding import find_crowd
from foretree.planning.grounding import Grounding, GroundOperator, TooManyActionsError, ground
from foretree.planning.impossible import why_impossible
from foretree.planning.pddl.axioms import without_axioms
from foretree.planning.reachability import explain_unsolvable
from foretree.planning.semantics import TypedObjects, instantiate
from foretree.planning.simplification import simplify
from foretree.planning.solvers.arrangement import arranged
from foretree.planning.solvers.base import SAFETY_SECONDS, UNDECIDED, Limits, Mode, Solution, seconds_since
from foretree.planning.solvers.finite_domain import FiniteDomainTask
from foretree.planning.solvers.protocol import Answer, Better, Cancel, Solve, pack, unpack
from foretree.planning.solvers.reduction import reduced
from foretree.planning.solvers.sas import finite_domain
from foretree.planning.solvers.search import Found, InterruptedSearchError, configurations, search
from foretree.planning.syntax import Problem

#: The part of the time that is kept for finding a good plan where none is proved to be the best one.
_RESERVED = 0.2
#: How far to search for the proof that a good plan is the best: so many states times the number of operators,
#: since each state costs the more, the more of these there are. Where that is only a few states, not at all.
_EXACT_WORK, _EXACT_LEAST = 30_000, 20
#: How far to search when finding out which parts of an impossible goal exclude each other.
_WHY_EXPANSIONS = 5_000
#: How often, while it computes, the worker looks whether somebody wants it to stop.
_LOOK_SECONDS = 0.05
#: How often an idle worker looks whether its parent still lives, which its input does not always tell.
_PARENT_SECONDS = 2.0


#: A quick search may expand so many states, times all the operators (to evaluate a state takes the longer,
#: the more of these there are), times those that can be applied at first (so many follow from each).
_QUICK_WORK = 2_000_000
#: The search for a cheaper plan evaluates about one state for so many of the search for the first one.
_AGAIN = 4

_STARVED = Solution("out-of-memory", why="Planning ran out of memory before the search.", timed=True)


class _TooLateError(Exception):
    """The time for a problem is over."""


class _Worker:
    def __init__(self, requests: int, answers: int) -> None:
        self._requests = requests
        self._answers = answers
        self._buffer = bytearray()
        self._jobs: OrderedDict[int, Solve] = OrderedDict()
        self._current: int | None = None
        self._cancelled = False
        self._watching = False
        self._deadline = 0.0
        self._parent = os.getppid()
        os.set_blocking(requests, False)

    def run(self) -> None:
        """Serve until the input ends."""
        signal.signal(signal.SIGALRM, self._look)
        while True:
            while not self._jobs:
                select.select([self._requests], [], [], _PARENT_SECONDS)
                self._receive()
            _, job = self._jobs.popitem(last=False)
            self._current, self._cancelled = job.id, False
            gc.disable()  # grounding makes many small things at once, and no cycles
            try:
                answer = Answer(job.id, self._solve(job))
            except InterruptedSearchError:
                continue
            except ForetreeError as error:
                answer = Answer(job.id, None, str(error))
            except MemoryError:
                answer = Answer(job.id, _STARVED)
            except Exception:
                answer = Answer(job.id, None, traceback.format_exc(), bug=True)
            finally:
                self._current = None
                gc.enable()
            self._send(answer)

    def _send(self, message: object) -> None:
        frame = memoryview(pack(message))
        try:
            while frame:
                frame = frame[os.write(self._answers, frame) :]
        except BrokenPipeError:
            sys.exit(0)

    def _receive(self) -> None:
        """Take in what has arrived; without anybody to work for, end (which ends a search on the way)."""
        try:
            while chunk := os.read(self._requests, 1 << 20):
                self._buffer += chunk
            sys.exit(0)
        except BlockingIOError:
            pass
        if os.getppid() != self._parent:
            sys.exit(0)
        for message in unpack(self._buffer):
            if isinstance(message, Solve):
                self._jobs[message.id] = message
            else:
                assert isinstance(message, Cancel)
                self._jobs.pop(message.id, None)
                self._cancelled = self._cancelled or message.id == self._current

    def _look(self, _signal: int, _frame: FrameType | None) -> None:
        if not self._watching:
            return
        self._receive()
        late = time.monotonic() > self._deadline
        if self._cancelled or late:
            self._watching = False  # once is enough: another one might come where nobody expects it
            raise InterruptedSearchError if self._cancelled else _TooLateError

    @contextmanager
    def _watched(self) -> Iterator[None]:
        """While the body computes, have a look now and then."""
        self._watching = True
        signal.setitimer(signal.ITIMER_REAL, _LOOK_SECONDS, _LOOK_SECONDS)
        try:
            yield
        finally:
            self._watching = False
            signal.setitimer(signal.ITIMER_REAL, 0)

    def _interrupted(self) -> bool:
        self._receive()
        return self._cancelled

    def _solve(self, job: Solve) -> Solution:
        start = time.monotonic()
        job = replace(job, problem=without_axioms(job.problem))
        seconds = job.limits.seconds
        self._deadline = start + (SAFETY_SECONDS if seconds is None else seconds)
        try:
            with self._watched():
                compiled = compile_away(with_a_cast(job.problem))
                why_not = why_impossible(compiled.problem)
                if why_not is not None:
                    return Solution("unsolvable", seconds=seconds_since(start), why=why_not)
                grounding = ground(compiled.problem, most=job.limits.actions)
                if grounding.holds_initially():
                    return Solution("solved", optimal=True, seconds=seconds_since(start))
                # Where no part of the goal leaves a choice, grounding finds two that exclude each other.
                if not grounding.solvable or (compiled.verdicts and find_crowd(compiled)):
                    why = explain_unsolvable(job.problem, most=job.limits.actions)
                    return Solution("unsolvable", seconds=seconds_since(start), why=why)
                grounding = simplify(grounding)
                task = finite_domain(grounding)
            translated = time.monotonic()
            if job.improve:
                return self._improve(job, compiled, grounding, task, start, translated)
            if job.mode == "optimal":
                with self._watched():
                    grounding, task = reduced(grounding)
            found = self._find(job, grounding, task)
            return self._solution(job, job.mode, compiled, grounding, found, seconds_since(start, translated))
        except _TooLateError:
            why = _why_out(job.limits, "time")
            return Solution("out-of-limits", seconds=seconds_since(start), why=why, timed=True)
        except TooManyActionsError:
            return Solution(
                "out-of-limits", seconds=seconds_since(start), why=_why_out(job.limits, "actions")
            )

    def _find(self, job: Solve, grounding: Grounding, task: FiniteDomainTask) -> Found:
        """Search for a plan as good as *job* asks for.

        What a good plan takes is not known before, and the search for it may get lost. So it begins with
        little work. If that does not do, there is a first plan before anything else, and then as much work
        again for a cheaper one as that took.
        """
        limits = job.limits
        if job.mode not in ("good", "fair"):
            return self._search(job, job.mode, grounding, task, limits.expansions, limits.enough)
        quick = _least(_quickly(grounding), limits.expansions, limits.soon)
        if quick:
            found = self._search(job, "good", grounding, task, quick)
            if found.why != "expansions":
                return found
        if job.mode == "fair":
            return self._search(job, "fair", grounding, task, limits.expansions)
        first = self._search(job, "satisficing", grounding, task, limits.expansions)
        if first.status != "solved":
            return first
        again = _least(max(quick, first.evaluated // (_AGAIN * first.branching)), limits.soon)
        cheaper = self._search(job, "fair", grounding, task, again) if again else first
        return cheaper if cheaper.status == "solved" and cheaper.cost < first.cost else first

    def _improve(
        self,
        job: Solve,
        compiled: Compiled,
        grounding: Grounding,
        task: FiniteDomainTask,
        start: float,
        translated: float,
    ) -> Solution:
        """The first plan, then the best one; if that is out of reach, a better one than the first."""
        end = self._deadline
        expanded = 0

        def attempt(
            mode: Mode,
            deadline: float,
            among: Grounding,
            task: FiniteDomainTask,
            enough: int | None = None,
        ) -> Solution:
            nonlocal expanded
            self._deadline = deadline
            found = self._search(job, mode, among, task, job.limits.expansions, enough)
            expanded += found.expanded
            seconds = seconds_since(start, translated)
            return replace(self._solution(job, mode, compiled, among, found, seconds), expanded=expanded)

        best = attempt("satisficing", end, grounding, task)
        if best.status == "unsolvable":
            return best
        if best.status == "solved":
            self._send(Better(job.id, best))
        enough = best.cost if best.status == "solved" and job.problem.minimise_cost else None
        most = end - _RESERVED * (end - time.monotonic())
        try:
            self._deadline = most
            with self._watched():
                fewer = reduced(grounding)
        except _TooLateError:
            fewer = grounding, task
        proof = attempt("optimal", most, *fewer, enough)
        if proof.status not in UNDECIDED:
            return proof
        if enough is None or proof.lower_bound < enough:
            other = attempt("good", end, *fewer)
            if other.status == "solved" and (best.status != "solved" or other.cost < best.cost):
                best = other
        if best.status != "solved":
            return proof
        proved = job.problem.minimise_cost and proof.lower_bound >= best.cost
        return replace(
            best,
            optimal=proved,
            expanded=expanded,
            lower_bound=proof.lower_bound,
            seconds=seconds_since(start, translated),
            why="" if proved else proof.why,
        )

    def _search(
        self,
        job: Solve,
        mode: Mode,
        grounding: Grounding,
        task: FiniteDomainTask,
        expansions: int | None,
        enough: int | None = None,
    ) -> Found:
        if mode == "satisficing":
            with self._watched():
                task = arranged(task, lambda move: _name(grounding.operators[move.number]))
        exactly = _EXACT_WORK // max(1, len(grounding.operators))
        if exactly < _EXACT_LEAST or not job.problem.minimise_cost:
            exactly = 0
        configuration = configurations(mode, grounding.conditional_effects, expansions, exactly)
        return search(
            job.binary,
            configuration,
            task.text.encode(),
            expansions,
            self._deadline,
            self._requests,
            self._interrupted,
            enough,
            exactly,
        )

    def _solvable(self, job: Solve, problem: Problem) -> bool | None:
        """Whether a part of an unsolvable problem has a plan; None if that takes long."""
        with self._watched():
            grounding = ground(compile_away(with_a_cast(problem)).problem)
            if grounding.holds_initially() or not grounding.solvable:
                return grounding.solvable
            grounding = simplify(grounding)
            task = finite_domain(grounding)
        status = self._search(job, "fair", grounding, task, _WHY_EXPANSIONS).status
        return None if status == "out-of-limits" else status == "solved"

    def _solution(
        self,
        job: Solve,
        mode: Mode,
        compiled: Compiled,
        grounding: Grounding,
        found: Found,
        seconds: dict[str, float],
    ) -> Solution:
        if found.status == "out-of-limits":
            return Solution(
                "out-of-memory" if found.why in ("memory", "killed") else "out-of-limits",
                expanded=found.expanded,
                seconds=seconds,
                why=_why_out(job.limits, found.why),
                lower_bound=found.lower_bound,
                timed=found.why in ("time", "processor", "killed"),
            )
        if found.status == "unsolvable":
            why = explain_unsolvable(job.problem, lambda part: self._solvable(job, part), job.limits.actions)
            return Solution("unsolvable", expanded=found.expanded, seconds=seconds, why=why)
        operators = [grounding.operators[number] for number in found.operators]
        steps = compiled.restore((operator.name, operator.arguments) for operator in operators)
        objects = TypedObjects(job.problem.domain, job.problem.objects)
        cost = sum(
            instantiate(job.problem.domain.operators[name], arguments, objects, job.problem.functions).cost
            for name, arguments in steps
        )
        optimal = mode == "optimal" or found.proved
        # The search counts every action as one where the problem does not ask for its costs.
        bound = cost if optimal and job.problem.minimise_cost else found.lower_bound
        return Solution(
            "solved",
            steps,
            cost,
            optimal,
            found.expanded,
            seconds,
            lower_bound=bound,
            timed=found.why in ("time", "processor"),
        )


def _quickly(grounding: Grounding) -> int:
    """How many states a quick search expands."""
    operators, init = grounding.operators, grounding.init
    applicable = sum(
        all((atom in init) == positive for atom, positive in operator.precondition) for operator in operators
    )
    return _QUICK_WORK // max(1, len(operators) * applicable)


def _name(operator: GroundOperator) -> tuple[str, ...]:
    return (operator.name, *operator.arguments)


def _least(*limits: int | None) -> int:
    """The smallest of some limits, one of them being given."""
    return min(limit for limit in limits if limit is not None)


def _why_out(limits: Limits, which: str) -> str:
    if which == "expansions":
        return f"The search expanded more than the {limits.expansions} states it is allowed."
    if which == "processor":
        return f"The search took longer than for the {limits.expansions} states it is allowed to expand."
    if which == "actions":
        return f"There are more than the {limits.actions} actions that may be looked at."
    if which == "bound":
        return f"There is no plan that is cheaper than {limits.enough}."
    if which == "memory":
        return "The search ran out of memory."
    if which == "killed":
        return "The search was killed, as the system does when memory runs out."
    if limits.seconds is None:
        return (
            f"The search was stopped after {SAFETY_SECONDS:g} s, which is only a safety net: "
            "give it a limit of expansions to get the same answer on every machine."
        )
    return f"The search was stopped after {limits.seconds:g} s."


def main() -> None:
    """Serve the process that started this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever presses Ctrl-C ends the parent, which ends this
    answers = os.dup(sys.stdout.fileno())
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # nothing else may write between the frames
    _Worker(sys.stdin.fileno(), answers).run()


if __name__ == "__main__":
    main()
