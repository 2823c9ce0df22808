"""How long it takes from an instruction to a plan for a whole building, and to the proof that it is the best.

    python benchmarks/bench_planning.py                       # every task of the building suite once
    python benchmarks/bench_planning.py --every 5 --seconds 20
    python benchmarks/bench_planning.py --one-shot 5
    python -m pytest benchmarks/bench_planning.py

Each task is planned in one of the suite's settings, with a warm planner, on the office floor. What is counted
is all that comes between an instruction with its goal and a plan that a robot can carry out: which nodes
matter, the compressed map, what is at the nodes, putting the problem together, selecting things, the solver
and its search, and the transfer to and from the solver's process. ``--one-shot 5`` gives the problem that our
solver got for each fifth task to unified-planning's one-shot call of Fast Downward as well, right after ours,
and prints how many times longer it takes: than our solver, and than everything from the instruction on.

By the clock, and by processor time of all processes, which other work on the machine changes less. For
problems in which nothing was selected, see bench_solver.py; for what selecting loses, bench_selection.py.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections import Counter
from dataclasses import dataclass, field

from office_tasks import OfficeTask, office_tasks
from one_shot import one_shot
from summaries import HEADER, summary

from foretree.planning.pddl.syntax import Problem
from foretree.planning.solvers.base import Limits, Mode, Solution, Solver
from foretree.regression.core.processor_time import processor_time
from foretree.regression.planning._building_planner import BuildingPlanner
from foretree.regression.planning.factory import mapped_scene, warm_planner
from foretree.regression.planning.trial import Planned

_NO_LIMITS = Limits()


@dataclass
class Listening:
    """A solver that remembers the last problem it solved, and what that took of clock and processor."""

    solver: Solver
    solved: Problem | None = None
    spent: tuple[float, float] = (0.0, 0.0)
    forms: int = field(default=0)

    def solve(self, problem: Problem, mode: Mode = "optimal", limits: Limits = _NO_LIMITS) -> Solution:
        begun, computed = time.perf_counter(), processor_time()
        found = self.solver.solve(problem, mode, limits)
        if mode == "satisficing":
            self.forms += 1
            self.solved = problem
            self.spent = time.perf_counter() - begun, processor_time() - computed
        return found


@dataclass(frozen=True)
class Measured:
    """What one task took.

    Attributes:
        first: the first plan.
        first_computed: seconds of processor time for that.
        proved: the plan that was looked for until it was proved, or until time was up.
        proved_computed: seconds of processor time for that.
        solver: what the solver took for the first plan, by clock and processor.
        problem: what it was given.
        forms: how many forms of it.
    """

    first: Planned
    first_computed: float
    proved: Planned
    proved_computed: float
    solver: tuple[float, float]
    problem: Problem
    forms: int


def measure(task: OfficeTask, seconds: float) -> Measured:
    """Plan *task* twice: until there is a plan, and until it is proved."""
    listening = Listening(warm_planner(task.scene))
    planner = BuildingPlanner(mapped_scene(task.scene), task.task, listening)
    begun = processor_time()
    first = planner.plan(task.world, seconds, prove=False)
    first_computed = processor_time() - begun
    assert listening.solved is not None
    problem, spent, forms = listening.solved, listening.spent, listening.forms
    planner = BuildingPlanner(mapped_scene(task.scene), task.task, warm_planner(task.scene))
    begun = processor_time()
    proved = planner.plan(task.world, seconds)
    return Measured(first, first_computed, proved, processor_time() - begun, spent, problem, forms)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--every", type=int, default=1, help="only each so-manieth task")
    parser.add_argument("--seed", type=int, default=0, help="where everything is at first")
    parser.add_argument("--seconds", type=float, default=60.0, help="how long to look for a proof")
    parser.add_argument("--one-shot", type=int, default=0, help="compare each so-manieth problem; 0: none")
    options = parser.parse_args()
    measured: list[Measured] = []
    ratios: dict[str, list[float]] = {"solver": [], "end to end": [], "solver, computing": []}
    for task in office_tasks(every=options.every, seed=options.seed):
        if not measured:
            measure(task, options.seconds)  # warms up what is read once
        one = measure(task, options.seconds)
        measured.append(one)
        outcome = "proved" if one.proved.proved else f"at least {one.proved.lower_bound}"
        print(
            f"{task.task.name:26} {task.setting:16} {len(one.problem.objects):4} objects  "
            f"first {one.first.first:6.3f} s  end {one.proved.proof:7.3f} s  "
            f"cost {one.proved.cost} ({outcome})",
            flush=True,
        )
        if options.one_shot and len(measured) % options.one_shot == 0 and (theirs := one_shot(one.problem)):
            ratios["solver"].append(theirs[0] / one.solver[0])
            ratios["end to end"].append(theirs[0] / one.first.first)
            ratios["solver, computing"].append(theirs[1] / max(one.solver[1], 0.01))
    report(measured)
    for name, values in ratios.items():
        if values:
            times = statistics.median(values)
            print(f"unified-planning's one-shot call takes {times:.1f} times as long ({name}, {len(values)})")


def report(measured: list[Measured]) -> None:
    """Print what all tasks took together."""
    print(f"\n{len(measured)} tasks; seconds by the clock, of which to the first plan:\n{HEADER}")
    for part in measured[0].first.parts:
        print(summary(part, [one.first.parts.get(part, 0.0) for one in measured]))
    found = [one for one in measured if one.first.found]
    proved = [one for one in measured if one.proved.proved]
    print(summary("first plan", [one.first.first for one in found]))
    print(summary("first plan, computing", [one.first_computed for one in found]))
    if proved:
        print(summary("proved plan", [one.proved.proof for one in proved]))
        print(summary("proved, computing", [one.proved_computed for one in proved]))
    print(f"planned: {len(found)} of {len(measured)}; proved: {len(proved)}")
    print(f"forms that were tried: {dict(sorted(Counter(one.forms for one in measured).items()))}")


def test_plans_come_sooner_than_from_a_one_shot_call(capsys):
    """In the middle, by processor time: everything from the instruction to the first plan, and to the proof,
    beside unified-planning's one-shot call for the very problem that our solver got, which proves nothing."""
    tasks = list(office_tasks(every=5))
    measure(tasks[0], 60.0)
    first, proved = [], []
    for task in tasks:
        one = measure(task, 60.0)
        theirs = one_shot(one.problem)
        assert one.proved.proved
        if theirs is not None:
            first.append(one.first_computed / theirs[1])
            proved.append(one.proved_computed / theirs[1])
    with capsys.disabled():
        print(
            f"\n{len(first)} of {len(tasks)} tasks: the first plan takes {statistics.median(first):.2f} of a "
            f"one-shot call's processor time, the proof {statistics.median(proved):.2f}"
        )
    assert len(first) >= len(tasks) // 2
    assert statistics.median(first) <= 0.15
    assert statistics.median(proved) <= 0.5


if __name__ == "__main__":
    main()
