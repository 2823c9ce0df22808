"""The real worlds and planners of planning suites: scattered scenes, and planning across a building."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from random import Random

from foretree.config import ConfigError, find_config
from foretree.planning.pddl.syntax import Literal, Problem
from foretree.planning.solvers.fast_downward.solver import FastDownward, shared_planner
from foretree.reasoning.retrieval.retriever import Retriever
from foretree.regression.planning._building_planner import BuildingPlanner
from foretree.regression.planning._mapped_scene import MappedScene
from foretree.regression.planning._sequential_baseline import SequentialPlanner
from foretree.regression.planning._true_world import TrueWorld
from foretree.regression.planning.measured_planning import MeasuredPlanner
from foretree.regression.planning.suite import PlanningSuite, TaskStart, TaskVocabulary, Trial
from foretree.simulation.household.household_state import House
from foretree.simulation.household.scene import Scene, scatter
from foretree.simulation.household.scene_file import load_scene, scene_domain
from foretree.skills.catalogue_file import load_catalogue
from foretree.world_model.beliefs.facts import CONNECTED, TRAVEL_COST, robot_at

#: The kinds of nodes where a robot may stand at the start: not at furniture, so that the first way counts.
_STARTS = ("pose", "room")


@lru_cache(maxsize=4)
def mapped_scene(scene: str) -> MappedScene:
    """A scene on a map, and what can be done in it.

    Raises:
        ConfigError: there is no such scene, or it is not on a map.
    """
    path = find_config("scenes", scene)
    catalogue = load_catalogue(scene_domain(path))
    found = load_scene(path, catalogue.ontology)
    if found.building is None:
        raise ConfigError(
            f"{path}: map: is missing; tasks are planned on a map. Say which, as in map: office."
        )
    return MappedScene(found, found.building, catalogue)


def task_vocabulary(scene: str) -> TaskVocabulary:
    """Names that tasks in a scene may use."""
    found = mapped_scene(scene)
    furniture = {name: thing.class_name for name, thing in found.scene.furniture.items()}
    return TaskVocabulary(found.catalogue.ontology, found.catalogue.domain, furniture)


def scene_at_start(scene: Scene, start: TaskStart) -> Scene:
    """*scene* as a task begins in it: the task's things in their places, all others scattered.

    Where a task is about a mango, there is no other one: an instruction that says "the mango" means that.
    """
    furniture = {
        name: replace(thing, states=start.furniture.get(name, thing.states))
        for name, thing in scene.furniture.items()
    }
    doors = {name: replace(door, open=name not in start.closed) for name, door in scene.doors.items()}
    robot = replace(scene.robot, start=start.robot, hands=scene.robot.hands[: start.hands])
    taken = {item.class_name for item in start.items.values()}
    others = {name: item for name, item in scene.items.items() if item.class_name not in taken}
    set_up = replace(scene, items={**others, **start.items}, furniture=furniture, doors=doors, robot=robot)
    return scatter(set_up, Random(f"scatter {start.seed}"), (*start.items, *doors, robot.name))


class HouseholdFactory:
    """Opens scattered scenes, and makes planners that are what a variant says."""

    def nodes(self, suite: PlanningSuite) -> Sequence[str]:
        """Nodes where a robot may stand at the start."""
        return [place.name for place in mapped_scene(suite.scene).scene.nodes() if place.kind in _STARTS]

    def doors(self, suite: PlanningSuite) -> Sequence[str]:
        """All doors of the building."""
        return sorted(mapped_scene(suite.scene).scene.doors)

    def open(self, suite: PlanningSuite, start: TaskStart) -> TrueWorld:
        """The building as a task begins in it."""
        return self.world(scene_at_start(mapped_scene(suite.scene).scene, start))

    def world(self, scene: Scene) -> TrueWorld:
        """The world of a scene."""
        return TrueWorld(House(scene))

    def planner(
        self, suite: PlanningSuite, trial: Trial, retriever: Retriever | None = None
    ) -> MeasuredPlanner:
        """The planner of a trial's task and variant, which retrieves by keywords unless told otherwise."""
        place, task = mapped_scene(suite.scene), suite.tasks[trial.task]
        without = suite.variants[trial.variant].without
        if without == "expansion":
            return SequentialPlanner(place, task, warm_planner(suite.scene), retriever)
        return BuildingPlanner(place, task, warm_planner(suite.scene), retriever, without)


@lru_cache(maxsize=4)
def warm_planner(scene: str) -> FastDownward:
    """The planner that this process shares, after a first little problem: starting it is not planning."""
    planner, domain = shared_planner(), mapped_scene(scene).catalogue.domain
    objects = {"robot1": "robot", "here": "node", "there": "node"}
    init = frozenset({robot_at("robot1", "here"), (CONNECTED, "here", "there")})
    goal = Literal(robot_at("robot1", "there"))
    planner.solve(Problem("warm", domain, objects, init, goal, {(TRAVEL_COST, "here", "there"): 1}))
    return planner
