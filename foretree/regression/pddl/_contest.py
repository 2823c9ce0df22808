"""One problem, planned by Foretree and by Fast Downward, each in a process of its own, and judged.

Both are run as a user runs them, from the command line, and everything they start counts. Plans are carried
out by :func:`foretree.planning.semantics.actions.validate`, which shares nothing with either.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Literal, TypeAlias

from foretree.errors import ForetreeError
from foretree.planning.pddl.parser import read_domain, read_problem
from foretree.planning.pddl.syntax import PlanStep, Problem
from foretree.planning.semantics.actions import validate
from foretree.planning.solvers.base import SolverError
from foretree.planning.solvers.fast_downward.solver import find_binary
from foretree.regression.core.trial import TrialKind, TrialResult
from foretree.regression.pddl._programs import Ran, run_program
from foretree.regression.pddl._tasks import PddlTask

#: What a planner said. *Refused*: it does not take the problem. *Out of limits*: its own, or the suite's.
Answer: TypeAlias = Literal["solved", "unsolvable", "out of limits", "refused", "broke"]

#: The name of the problem that asks for nothing worth planning: what it takes is what starting takes.
EMPTY = "(empty)"

_EMPTY_DOMAIN = """\
(define (domain empty) (:requirements :strips) (:predicates (done))
  (:action finish :parameters () :precondition (and) :effect (done)))
"""
_EMPTY_PROBLEM = "(define (problem empty) (:domain empty) (:init) (:goal (done)))\n"

#: Fast Downward's exit codes: its translator's critical and input errors, the search's input errors and what
#: it does not support; and proofs that there is no plan.
_REFUSED_CODES, _UNSOLVABLE_CODES = (30, 31, 33, 34), (10, 11)
_BROKE_CODES = (32, 35, 36)
_COST = re.compile(r"^; cost = (\d+)", re.MULTILINE)
_STEP = re.compile(r"^\(([^()]*)\)", re.MULTILINE)
#: Of a long complaint, its end is what counts.
_MOST_SHOWN = 300


@dataclass(frozen=True, slots=True)
class PlannerResult:
    """Outcome of one planner.

    Attributes:
        answer: what it said.
        processor: seconds of processors that it took.
        cost: what its plan costs, if there is one.
        steps: how many the plan has.
        invalid: what is wrong with the plan or its stated cost; empty if nothing is, or nothing could judge.
        why: why there is no plan, in its own words.
        timed: whether a clock had a part in the answer, so that it can be another one next time.
    """

    answer: Answer
    processor: float
    cost: int = 0
    steps: int = 0
    invalid: str = ""
    why: str = ""
    timed: bool = False

    @property
    def decided(self) -> bool:
        """True if it found a plan, or proved that there is none."""
        return self.answer in ("solved", "unsolvable")


_NOTHING = PlannerResult("broke", 0.0)


@dataclass(frozen=True)
class PddlEpisode(TrialResult):
    """Result of one problem.

    Attributes:
        name: the problem's.
        ours: what Foretree came to.
        theirs: what Fast Downward came to.
    """

    identity: ClassVar[tuple[str, ...]] = ("name",)

    name: str
    ours: PlannerResult = _NOTHING
    theirs: PlannerResult = _NOTHING

    @property
    def success(self) -> bool:
        """True if Foretree has found a plan."""
        return self.ours.answer == "solved"

    @property
    def empty(self) -> bool:
        """True if it only measured the cost of starting."""
        return self.name.startswith(EMPTY)

    @property
    def fault(self) -> str:
        """Fault in one line. Finding no plan is none: that is what is measured."""
        if self.trouble:
            return super().fault
        if self.ours.invalid:
            return f"the plan is wrong: {self.ours.invalid}"
        if self.ours.answer == "broke":
            return f"Foretree broke: {self.ours.why}"
        if {self.ours.answer, self.theirs.answer} == {"solved", "unsolvable"}:
            return f"Foretree says {self.ours.answer}, Fast Downward {self.theirs.answer}"
        return ""


@dataclass(frozen=True)
class PddlTrials(TrialKind[PddlTask, PddlEpisode]):
    """Problems planned by both planners.

    Attributes:
        seconds: of processors that each planner has.
        limit: seconds on the wall.
    """

    result = PddlEpisode

    seconds: float
    limit: float

    def facts(self, trial: PddlTask) -> dict[str, Any]:
        """Facts of a comparison that are known beforehand."""
        return {"number": trial.number, "name": trial.name}

    def carry_out(self, trial: PddlTask, limit: float) -> dict[str, Any]:
        """Have both planners plan a problem; the limit on the wall is left to the runner."""
        with tempfile.TemporaryDirectory(prefix="foretree-pddl-") as made:
            folder = Path(made)
            domain, problem = trial.domain, trial.problem
            if trial.name.startswith(EMPTY):
                domain, problem = folder / "domain.pddl", folder / "problem.pddl"
                domain.write_text(_EMPTY_DOMAIN)
                problem.write_text(_EMPTY_PROBLEM)
            judge = partial(_mistake, _readable(domain, problem))
            files = [str(domain.resolve()), str(problem.resolve())]
            return {
                "ours": _ours(files, self.seconds, folder, judge),
                "theirs": _theirs(files, self.seconds, folder, judge),
            }


def find_driver() -> Path:
    """Fast Downward's own command line, beside the search binary.

    Raises:
        SolverError: it is not there.
    """
    binary = find_binary()
    driver = next((path for up in binary.parents if (path := up / "fast-downward.py").is_file()), None)
    if driver is None:
        raise SolverError(
            f"There is no fast-downward.py in the folders above {binary}: comparing takes a whole build of "
            "Fast Downward, such as the package up-fast-downward brings."
        )
    return driver


#: What is wrong with a plan that is said to cost so much.
_Judge: TypeAlias = Callable[[Sequence[PlanStep], int], str]


def _readable(domain: Path, problem: Path) -> Problem | None:
    try:
        return read_problem(problem, read_domain(domain))
    except ForetreeError:
        return None


def _mistake(problem: Problem | None, steps: Sequence[PlanStep], stated: int) -> str:
    if problem is None:
        return ""  # what cannot be read cannot be judged
    found = validate(problem, steps)
    if not found.ok:
        return f"step {found.step}: {found.reason}" if found.step is not None else found.reason
    cost = found.cost if problem.minimise_cost else len(steps)
    return "" if stated in (cost, found.cost) else f"it costs {cost}, not {stated}"


def _ours(files: Sequence[str], limit: float, folder: Path, judge: _Judge) -> PlannerResult:
    domain, problem = files
    command = [
        sys.executable,
        "-m",
        "foretree",
        "plan",
        "--domain",
        domain,
        "--problem",
        problem,
        "--json",
    ]
    ran = run_program(command, limit, folder)
    if ran.code is None:
        return PlannerResult("out of limits", ran.processor, why="stopped by the suite's limit")
    told: dict[str, Any] = json.loads(ran.out) if ran.out.strip() else {}
    if ran.code == 0:
        steps = [(action["skill"], tuple(action["arguments"])) for action in told["actions"]]
        return PlannerResult(
            "solved",
            ran.processor,
            told["cost"],
            len(steps),
            judge(steps, told["cost"]),
            timed=bool(told.get("timed")),
        )
    answers: dict[str, Answer] = {"unsolvable": "unsolvable", "out-of-limits": "out of limits"}
    answer = answers.get(str(told.get("status")), "refused" if ran.code == 2 else "broke")
    return PlannerResult(answer, ran.processor, why=_last(ran.err), timed=bool(told.get("timed")))


def _theirs(files: Sequence[str], limit: float, folder: Path, judge: _Judge) -> PlannerResult:
    plan = folder / "plan"
    command = [sys.executable, str(find_driver()), "--plan-file", str(plan), "--alias", "lama-first", *files]
    ran = run_program(command, limit, folder)
    if ran.code is None:
        return PlannerResult("out of limits", ran.processor, why="stopped by the suite's limit")
    if ran.code == 0 and plan.is_file():
        text = plan.read_text()
        steps = [(words[0], tuple(words[1:])) for line in _STEP.findall(text) if (words := line.split())]
        stated = _COST.search(text)
        cost = int(stated[1]) if stated else len(steps)
        return PlannerResult("solved", ran.processor, cost, len(steps), judge(steps, cost))
    return PlannerResult(_their_answer(ran), ran.processor, why=_last(ran.err or ran.out))


def _their_answer(ran: Ran) -> Answer:
    if ran.code in _UNSOLVABLE_CODES:
        return "unsolvable"
    if ran.code in _REFUSED_CODES:
        return "refused"
    return "broke" if ran.code is None or ran.code < 0 or ran.code in _BROKE_CODES else "out of limits"


def _last(text: str) -> str:
    """The last line of what a program said, in short."""
    last = next((line.strip() for line in reversed(text.splitlines()) if line.strip()), "")
    return last[-_MOST_SHOWN:]
