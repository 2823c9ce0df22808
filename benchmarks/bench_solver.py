"""The solver alone, on problems in which nothing was selected: harder ones than anybody is given to wait for.

    python benchmarks/bench_solver.py                      # a few problems of each kind
    python benchmarks/bench_solver.py --seeds 100 110 --seconds 60
    python benchmarks/bench_solver.py --kinds put milk --one-shot 5

A problem is what a building is after compression, with 35 to 75 things that can all be carried about. Time is
from the problem in hand to the plan in hand, with a warm planner; for what users wait for, see
bench_planning.py. The parts (compiling,
what is relevant, grounding, writing) are measured in this process, by processor time; the first and the
proved plan by the clock, so nothing else should be running. ``--one-shot`` asks unified-planning's one-shot
call of Fast Downward for the first so many problems as well, and prints how many times longer it takes.
"""

from __future__ import annotations

import argparse
import statistics
import time
from dataclasses import dataclass
from itertools import pairwise

from buildings import TASKS, buildings
from one_shot import one_shot
from summaries import HEADER, summary

from foretree.planning.grounding._operator_relevance import relevant_templates
from foretree.planning.grounding.compilation import compile_away
from foretree.planning.grounding.grounding import ground
from foretree.planning.grounding.simplification import simplify
from foretree.planning.pddl.syntax import Problem
from foretree.planning.solvers.base import Limits, Solution
from foretree.planning.solvers.fast_downward.solver import FastDownward
from foretree.planning.solvers.finite_domain.sas_encoding import finite_domain


@dataclass(frozen=True)
class Measured:
    """What one problem took, in seconds."""

    parts: dict[str, float]
    operators: int
    first: float
    answer: Solution


def parts_of(problem: Problem) -> tuple[dict[str, float], int]:
    """What the steps before the search take, and how many ground operators come out."""
    times = [time.process_time()]
    compiled = compile_away(problem).problem
    times.append(time.process_time())
    relevant_templates(compiled)
    times.append(time.process_time())
    grounding = ground(compiled)
    times.append(time.process_time())
    grounding = simplify(grounding)
    finite_domain(grounding).text()
    times.append(time.process_time())
    compile_, relevance, both, write = (after - before for before, after in pairwise(times))
    parts = {
        "compile": compile_,
        "relevance": relevance,
        "ground": max(0.0, both - relevance),
        "write": write,
    }
    return parts, len(grounding.operators)


def measure(planner: FastDownward, problem: Problem, seconds: float) -> Measured:
    """Solve *problem* as an agent would, and look at the parts."""
    plans: list[Solution] = []
    answer = planner.improve(problem, Limits(seconds=seconds), plans.append).result()
    first = plans[0] if plans else answer
    parts, operators = parts_of(problem)
    return Measured(parts, operators, first.seconds["total"], answer)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, nargs=2, default=(0, 1), help="from, and up to but without")
    parser.add_argument("--seconds", type=float, default=60.0, help="how long to look for a proof")
    parser.add_argument("--kinds", nargs="*", choices=[task.name for task in TASKS], help="only these tasks")
    parser.add_argument("--one-shot", type=int, default=0, help="compare so many problems")
    options = parser.parse_args()
    measured: list[Measured] = []
    ratios: list[float] = []
    with FastDownward() as planner:
        for name, make in buildings(range(*options.seeds)):
            if options.kinds and name.split("-")[0] not in options.kinds:
                continue
            problem = make()
            if not measured:
                planner.solve(problem, "satisficing")  # warms it up
            one = measure(planner, problem, options.seconds)
            if one.answer.status == "unsolvable":
                print(f"{name:28} unsolvable: {one.answer.why}")
                continue
            measured.append(one)
            answer = one.answer
            outcome = "optimal" if answer.optimal else f"at least {answer.lower_bound}"
            print(
                f"{name:28} {len(problem.objects):4} objects {one.operators:6} operators  "
                f"first {one.first:6.3f} s  end {answer.seconds['total']:7.3f} s  "
                f"cost {answer.cost} ({outcome})",
                flush=True,
            )
            if len(ratios) < options.one_shot and (theirs := one_shot(problem)) is not None:
                ratios.append(theirs[0] / one.first)
                print(
                    f"  unified-planning {theirs[0]:.3f} s: {ratios[-1]:.1f} times as long as the first plan"
                )
    proved = [one for one in measured if one.answer.optimal]
    print(f"\n{HEADER}")
    for part in measured[0].parts:
        print(summary(part, [one.parts[part] for one in measured]))
    print(summary("first plan", [one.first for one in measured]))
    if proved:
        print(summary("proved plan", [one.answer.seconds["total"] for one in proved]))
    print(f"proved optimal: {len(proved)} of {len(measured)} ({len(proved) / len(measured):.1%})")
    if ratios:
        print(
            f"unified-planning's one-shot call takes {statistics.median(ratios):.1f} times as long (median)"
        )


if __name__ == "__main__":
    main()
