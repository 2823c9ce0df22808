"""Plans for scenes, with what a goal can need only, and with a person's help where nothing else works."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import accumulate

from foretree.planning.pddl.syntax import TRUE, Formula, Or, Problem
from foretree.planning.semantics.evaluation import ground, literals_of
from foretree.planning.solvers.base import Limits, Solution
from foretree.planning.solvers.fast_downward.solver import shared_planner
from foretree.planning.task.role_relevance import select_roles
from foretree.regression.language.autogptp.scene_problem import SceneProblem
from foretree.skills.affordance_catalogue import PLACE

#: Where more ground actions than this would have to be looked at, nothing is searched for.
_LIMITS = Limits(expansions=200_000, seconds=10.0, actions=400_000, explain=False)


def plan_in_scene(scene: SceneProblem, goal: Formula, known: Collection[str]) -> Solution | None:
    """The plan for a goal with the *known* objects; None if none was found."""
    stated = scene.stated(goal, known)
    # Of a choice, the planner takes what is near first, whatever the rest costs then.
    ways = stated.parts if isinstance(stated, Or) else (stated,)
    there = scene.problem(TRUE, known)
    possible = (way for way in ways if not _takes_more_hands(ground(way, there)))
    found = [solution for way in possible if (solution := _plan(scene, way, known)) is not None]
    return min(found, key=lambda solution: solution.cost, default=None)


def _takes_more_hands(goal: Formula) -> bool:
    """Return whether an agent would have to hold two things, which search takes long to find out."""
    held = {literal.atom for literal in literals_of(goal) if literal.positive and literal.atom[0] == "inhand"}
    holders = [atom[2] for atom in held]
    return len(holders) > len(set(holders))


def _plan(scene: SceneProblem, goal: Formula, known: Collection[str]) -> Solution | None:
    for problem in _problems(scene, goal, known):
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
