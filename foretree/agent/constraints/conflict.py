"""The constraints that are in the way of a goal, and what would be possible without them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import replace
from functools import partial

from foretree.planning.constraints.constraints import Constraint, show_constraint
from foretree.planning.pddl.syntax import Formula, Problem
from foretree.planning.semantics.evaluation import conjunction
from foretree.planning.solvers.base import Solution
from foretree.planning.solvers.fallback import Fallback, solve_with_fallbacks
from foretree.printable import counted
from foretree.revision.plan_task import PlanTask, Submit


def find_conflict(
    task: PlanTask,
    problem: Problem,
    goal: Formula,
    submit: Submit,
    otherwise: Callable[[], Future[Solution]],
) -> Future[Solution]:
    """Begin to find out which constraints keep *problem* from being solved; the solution's *why* says it.

    It is planned without each of them, and then without all.

    Args:
        task: has the constraints.
        problem: cannot be solved.
        goal: what it is to reach, without the steps of sequences.
        submit: begins to solve a problem, elsewhere.
        otherwise: says why there is no plan, where no constraint is to blame.
    """
    constraints = task.constrained.constraints
    if not constraints:
        return otherwise()
    every = range(len(constraints))
    tries = [(number,) for number in every] + ([tuple(every)] if len(constraints) > 1 else [])

    def without(left_out: Sequence[int]) -> Future[Solution]:
        relaxed = task.relaxed(left_out)
        whole = conjunction(goal, relaxed.required)
        return task.solve(replace(problem, domain=relaxed.domain, goal=whole), submit, explain=False)

    attempts = [
        Fallback(partial(without, left_out), partial(_blame, [constraints[number] for number in left_out]))
        for left_out in tries
    ]
    return solve_with_fallbacks(
        [*attempts, Fallback(otherwise)], enough=lambda solution: solution.status == "solved"
    )


def _blame(constraints: Sequence[Constraint], solution: Solution) -> Solution:
    """The answer that *constraints* are in the way of a plan; *solution* is what would be possible."""
    named = " and ".join(map(show_constraint, constraints))
    plan = f"{counted(len(solution.steps), 'action')}, cost {solution.cost}"
    it = "that" if len(constraints) == 1 else "those"
    why = f"There is no plan that keeps {named}; without {it}, there would be one ({plan})."
    return Solution("unsolvable", why=why, timed=solution.timed)
