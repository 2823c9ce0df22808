"""Plans for scenes, with what a goal can need only, and with a person's help where nothing else works."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import accumulate

from foretree.planning.pddl.syntax import Formula, Problem
from foretree.planning.solvers.base import Limits, Solution
from foretree.planning.solvers.fast_downward.solver import shared_planner
from foretree.planning.task.role_relevance import select_roles
from foretree.regression.language.autogptp.scene_problem import SceneProblem
from foretree.skills.affordance_catalogue import PLACE

#: Where more ground actions than this would have to be looked at, nothing is searched for.
_LIMITS = Limits(expansions=200_000, actions=400_000, explain=False)


def plan_in_scene(scene: SceneProblem, goal: Formula, known: Collection[str]) -> Solution | None:
    """The plan for a goal with the *known* objects; None if none was found."""
    for problem in _problems(scene, scene.stated(goal, known), known):
        solution = shared_planner().solve(problem, "good", _LIMITS)
        if solution.status == "solved":
            return solution
    return None


def _selected(scene: SceneProblem, problem: Problem, known: Collection[str]) -> Problem:
    return select_roles(problem, scene.fixtures & {*known}, scene.distance(problem.goal), [PLACE])


def _problems(scene: SceneProblem, goal: Formula, known: Collection[str]) -> Iterator[Problem]:
    """The problems to be tried in turn: those in which only the cheapest agents act come first."""
    kinds = list(accumulate([kind] for kind in scene.kinds_by_cost))
    whole = [scene.problem(goal, known, acting) for acting in kinds]
    selected = [_selected(scene, problem, known) for problem in whole]
    yield from selected
    yield from (big for big, small in zip(whole, selected, strict=True) if small.objects != big.objects)
