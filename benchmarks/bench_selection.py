"""What it costs to leave things and nodes out: the best plans for less and less of an office floor.

    python benchmarks/bench_selection.py                      # every task of the building suite once
    python benchmarks/bench_selection.py --every 5 --seconds 20

The forms of a problem, in the order in which a planner tries them: the things that the cheapest actions
take (*few*), those that every kind of action takes that is ready (*some*, also with what else is elsewhere),
all things at the nodes that matter, and everything everywhere. Each is solved until its plan is proved to be
the best, if that can be done in time; what is not proved is compared with nothing.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Mapping

from office_tasks import FORMS, office_tasks

from foretree.planning.solvers.base import Limits, Solution
from foretree.planning.solvers.fast_downward.solver import FastDownward


def shown(form: str, found: Mapping[str, Solution]) -> str:
    """The cost of the best plan, or why there is none."""
    answer = found[form]
    if answer.status == "solved":
        return str(answer.cost)
    return "none" if answer.status == "unsolvable" else f">= {answer.lower_bound}"


def loss(less: str, more: str, found: Mapping[str, Solution]) -> float | None:
    """By which share the best plan is dearer with *less*; None unless both are proved."""
    one, other = found[less], found[more]
    if not (one.optimal and other.optimal):
        return None
    return one.cost / other.cost - 1.0 if other.cost else 0.0


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tasks", nargs="*", default=(), help="only these")
    parser.add_argument("--every", type=int, default=1, help="only each so-manieth task")
    parser.add_argument("--seed", type=int, default=0, help="where everything is at first")
    parser.add_argument("--seconds", type=float, default=60.0, help="how long to look for each proof")
    options = parser.parse_args()
    rows: list[dict[str, Solution]] = []
    print(f"{'':26} {'':16}" + "".join(f"{form:>18}" for form in FORMS))
    with FastDownward() as planner:
        for task in office_tasks(options.tasks, options.every, seed=options.seed):
            limits = Limits(seconds=options.seconds)
            found = {form: planner.solve(p, "optimal", limits) for form, p in task.problems().items()}
            rows.append(found)
            costs = "".join(f"{shown(form, found):>18}" for form in FORMS)
            print(f"{task.task.name:26} {task.setting:16}{costs}", flush=True)
    few, some, _, all_there, everything = FORMS
    for less, more in ((few, some), (some, all_there), (few, all_there), (all_there, everything)):
        losses = [share for found in rows if (share := loss(less, more, found)) is not None]
        if losses:
            dearer = sum(share > 0 for share in losses)
            print(
                f"{less} instead of {more}: {dearer} of {len(losses)} plans dearer, "
                f"by {statistics.mean(losses):.2%} on average, {max(losses):.1%} at worst"
            )


if __name__ == "__main__":
    main()
