"""The tasks of the building suite, each as it begins in one of the suite's settings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from foretree.config import find_config
from foretree.planning.pddl.syntax import Problem
from foretree.planning.solvers.base import Limits, Mode, Solution
from foretree.regression.planning._building_planner import BuildingPlanner
from foretree.regression.planning._true_world import TrueWorld
from foretree.regression.planning.factory import HouseholdFactory, mapped_scene, task_vocabulary
from foretree.regression.planning.suite import PlanningTask
from foretree.regression.planning.suite_file import read_planning_suite

_NO_LIMITS = Limits()

#: In which order a planner tries the forms of a problem.
FORMS = ("few", "some", "some everywhere", "all at the nodes", "all everywhere")


@dataclass(frozen=True)
class OfficeTask:
    """One task of the suite, in one setting, from one start."""

    task: PlanningTask
    setting: str
    world: TrueWorld
    scene: str

    def problems(self) -> dict[str, Problem]:
        """What a solver gets for it, by what is left out: what is tried first comes first."""
        poser = _Poser()
        BuildingPlanner(mapped_scene(self.scene), self.task, poser).plan(self.world, 60.0, prove=False)
        return dict(zip(FORMS, poser.posed, strict=True))


def office_tasks(names: Iterable[str] = (), every: int = 1, seed: int = 0) -> Iterator[OfficeTask]:
    """Every task once, the settings in turn.

    Args:
        names: only these; none for all.
        every: only each so-manieth of them.
        seed: where everything is at first.
    """
    suite = read_planning_suite(find_config("suites", "building"), task_vocabulary).only(tasks=names)
    workshop = HouseholdFactory()
    nodes, doors = workshop.nodes(suite), workshop.doors(suite)
    settings = list(suite.settings)
    first = next(iter(suite.variants))
    trials = {(t.task, t.setting): t for t in suite.trials(1, seed) if t.variant == first}
    for number, task in enumerate(suite.tasks.values()):
        if number % every == 0:
            setting = settings[number // every % len(settings)]
            start = suite.start(trials[task.name, setting], nodes, doors)
            yield OfficeTask(task, setting, workshop.open(suite, start), suite.scene)


@dataclass
class _Poser:
    """Solves nothing, so that it is given one form of a problem after the other."""

    posed: list[Problem] = field(default_factory=list)

    def solve(self, problem: Problem, mode: Mode = "optimal", limits: Limits = _NO_LIMITS) -> Solution:
        self.posed.append(problem)
        return Solution("unsolvable")
