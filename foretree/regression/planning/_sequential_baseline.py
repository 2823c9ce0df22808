"""Planning without expansion, for comparison: first what to do, then how to get there.

The manipulation is planned on the base domain, which knows one hand and no places. Afterwards the shortest
way is put in front of each action that is at another node, whatever it costs, and each closed door on a way
is opened when the robot gets there, whether or not a hand is free for that then.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

from foretree.config import ConfigError
from foretree.planning.expansion.added_operators import MOVE_ROBOT, OPEN_DOOR
from foretree.planning.pddl.parser import read_domain
from foretree.planning.pddl.syntax import Domain, PlanStep, Problem
from foretree.planning.solvers.base import ImprovingSolver
from foretree.reasoning.retrieval.retriever import Retriever
from foretree.regression.planning._mapped_scene import MappedScene
from foretree.regression.planning._true_world import TrueWorld
from foretree.regression.planning.measured_planning import (
    MeasuredPlanner,
    Planned,
    Stopwatch,
    improve_plan,
    known_things,
    solve_timed,
)
from foretree.regression.planning.suite import PlanningTask
from foretree.simulation.household.household_state import House
from foretree.simulation.household.true_grounding import TrueGrounding
from foretree.world_model.ontology import Ontology


class SequentialPlanner(MeasuredPlanner):
    """Plans the manipulation only, and puts the ways in afterwards."""

    def __init__(
        self,
        scene: MappedScene,
        task: PlanningTask,
        solver: ImprovingSolver,
        retriever: Retriever | None = None,
    ) -> None:
        super().__init__(scene, task, solver, retriever)
        self._base = base_domain(scene.catalogue.ontology)

    def plan(self, world: TrueWorld, limit: float, prove: bool = True) -> Planned:
        """Plan from how things are in *world*."""
        index = known_things(self._scene, world.house)
        watch = Stopwatch()
        with watch.part("retrieve"):
            retrieved, nodes = self._retrieved(index)
        with watch.part("ground"):
            problem = self._problem(world.house, sorted(nodes))
        first = solve_timed(self._solver, problem, "satisficing", limit, watch)
        at_first = watch.elapsed()
        asked = {"goal": 1, "retrieval": retrieved.calls, "grounding": len(nodes)}
        parts = dict(watch.parts)
        if first.status != "solved":
            return Planned(False, first=at_first, proof=at_first, parts=parts, asked=asked, why=first.why)
        best = improve_plan(self._solver, problem, first, limit - at_first) if prove else first
        house = world.house
        steps = tuple(self._with_ways(best.steps, house))
        cost = sum(map(self._cost, steps))
        return Planned(
            True,
            self._scene.steps(steps),
            cost,
            cost,
            first=at_first,
            proof=watch.elapsed(),
            search=best.seconds.get("search", 0.0),
            parts=parts,
            asked=asked,
            why="ways were put in afterwards, so nothing is proved",
        )

    def _problem(self, house: House, nodes: Iterable[str]) -> Problem:
        grounding = TrueGrounding(house, self._base)
        contents = [grounding.ground(node) for node in nodes]
        objects = {name: kind for found in contents for name, kind in found.objects.items()}
        facts = {fact for found in contents for fact in found.facts}
        return Problem(
            "manipulation", self._base, objects, frozenset({*facts, ("hand_empty",)}), self._task.goal
        )

    def _with_ways(self, plan: Iterable[PlanStep], house: House) -> Iterator[PlanStep]:
        """The plan of the base domain as one of the expanded domain, with ways and doors in it."""
        robot, hands = house.scene.robot.name, tuple(house.hands)
        at, held = house.last_node, 0
        opened = {door for door in house.scene.doors if house.named(door).is_open}
        for operator, arguments in plan:
            # Each operator names the furniture at which it happens.
            node = next(name for name in reversed(arguments) if name in house.scene.furniture)
            way = house.scene.places.path(at, node)
            assert way is not None
            for here, there in pairwise(way.nodes):
                passage = house.scene.places.passage(here, there)
                if passage is not None and passage.door is not None and passage.door not in opened:
                    opened.add(passage.door)
                    # The first hand is the one that was planned with; if there is another, it is free.
                    free = hands[-1] if held else hands[0]
                    yield OPEN_DOOR, (robot, free, passage.door, here, there)
                yield MOVE_ROBOT, (robot, here, there)
            at = node
            skill = self._scene.catalogue[operator]
            count = sum(parameter.type == "hand" for parameter in skill.operator.parameters)
            yield operator, (robot, *(hands * 2)[:count], *arguments, node)
            held += {"pick": 1, "place_in": -1, "place_on": -1, "place_under": -1, "hang_on": -1}.get(
                skill.does, 0
            )

    def _cost(self, step: PlanStep) -> int:
        move = self._scene.navigation.moves.get(step[0])
        if move is None:
            return 1
        passage = self._scene.scene.places.passage(step[1][move.start], step[1][move.goal])
        assert passage is not None
        return passage.cost


@lru_cache(maxsize=2)
def _read(path: str) -> Domain:
    return read_domain(path)


def base_domain(ontology: Ontology) -> Domain:
    """The domain that is expanded for a building, with the classes of things as types.

    Raises:
        ConfigError: there is none.
    """
    if ontology.domain is None:
        raise ConfigError(f"{ontology.source}: domain: is missing; it names the PDDL file to expand.")
    domain = _read(str(ontology.domain))
    types = {name: parent for name, parent in ontology.types().items() if parent in domain.types}
    return replace(domain, types={**domain.types, **types})
