"""Planning a task across a building, part by part, with a clock beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from foretree.planning.maps.compression import Compressed
from foretree.planning.solvers.base import ImprovingSolver
from foretree.planning.task.object_selection import select_objects
from foretree.planning.task.problem_assembly import Contents, NodeGrounding, factored_problem
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
from foretree.regression.planning.suite import PlanningTask, Without
from foretree.simulation.household.household_state import House
from foretree.simulation.household.true_grounding import TrueBody, TrueGrounding
from foretree.world_model.maps.compressed_map import CompressedMap, Roadmap
from foretree.world_model.maps.places import PassageState, Path

#: Seconds after which a plan with fewer nodes or things is not waited for any longer.
PATIENCE = 5.0


class BuildingPlanner(MeasuredPlanner):
    """Plans a task on the nodes that it needs, by the compressed map.

    What the robot knows of where things are is there before a task is given, and so is the map; all
    else is planning, and counts.

    Args:
        scene: where.
        task: what.
        solver: finds the plans.
        retriever: finds the nodes that the task needs; by default by keywords.
        without: what is left out: the compression of the map, keeping it from one plan to the next, or the
            selection of the things that matter.
    """

    def __init__(
        self,
        scene: MappedScene,
        task: PlanningTask,
        solver: ImprovingSolver,
        retriever: Retriever | None = None,
        without: Without = "",
    ) -> None:
        super().__init__(scene, task, solver, retriever)
        self._without = without
        self._kept = self._new_map()

    def plan(self, world: TrueWorld, limit: float, prove: bool = True) -> Planned:
        """Plan from how things are in *world*."""
        index = known_things(self._scene, world.house)
        watch = Stopwatch()
        with watch.part("retrieve"):
            retrieved, nodes = self._retrieved(index)
        if self._without == "compression":
            nodes = set(index.nodes)
        grounding = _Counted(TrueGrounding(world.house, self._scene.catalogue.domain), watch)
        everything = set(index.nodes)
        # Retrieval and selection may have left out what the plan needs, if only a place to put things down.
        forms = [(nodes, "few"), (nodes, "some"), (everything, "some"), (nodes, "all"), (everything, "all")]
        if self._without == "selection":
            forms = forms[-2:]
        for number, (among, how_many) in enumerate(forms):
            found = self._pose(world.house, among, grounding, watch)
            if how_many != "all":
                found = self._selected(found, among, retrieved.things, how_many == "some", watch)
            patience = limit if number == len(forms) - 1 else min(limit, PATIENCE)
            first = solve_timed(self._solver, found.problem, "satisficing", patience, watch)
            if first.status == "solved":
                break
        at_first = watch.elapsed()
        asked = {"goal": 1, "retrieval": retrieved.calls, "grounding": grounding.count}
        parts = dict(watch.parts)
        if first.status != "solved":
            return Planned(False, first=at_first, proof=at_first, parts=parts, asked=asked, why=first.why)
        best = improve_plan(self._solver, found.problem, first, limit - at_first) if prove else first
        steps = found.refine(best.steps)
        return Planned(
            True,
            self._scene.steps(steps),
            best.cost,
            first.cost,
            best.cost if best.optimal else best.lower_bound,
            best.optimal,
            at_first,
            watch.elapsed(),
            best.seconds.get("search", 0.0),
            parts,
            asked,
            best.why,
        )

    def _pose(self, house: House, nodes: set[str], grounding: NodeGrounding, watch: Stopwatch) -> Compressed:
        """The problem of doing the task on *nodes*, with all that is there."""
        mapped = self._scene
        with watch.part("map"):
            floor = self._new_map() if self._without in ("compression", "incremental-map") else self._kept
            for door in floor.places.doors():
                floor.set_door(door, house.named(door).is_open)
            floor.robot_at(house.last_node)
            floor.set_terminals(sorted(nodes))
            floor.roadmap()
        with watch.part("problem"):
            return factored_problem(
                mapped.catalogue.domain,
                self._task.goal,
                [TrueBody(house)],
                grounding,
                floor,
                mapped.navigation,
                sorted(nodes),
            )

    def _selected(
        self,
        found: Compressed,
        nodes: set[str],
        things: Sequence[str],
        alternatives: bool,
        watch: Stopwatch,
    ) -> Compressed:
        """The same with *things* and what else is needed."""
        mapped = self._scene
        if mapped.resting is None:
            return found
        with watch.part("select"):
            selected = select_objects(
                found.problem,
                mapped.resting,
                mapped.navigation.names,
                mapped.scene.places.distances,
                sorted(nodes),
                things,
                alternatives=alternatives,
            )
            return replace(found, problem=selected.problem)

    def _new_map(self) -> CompressedMap:
        kind = WholeMap if self._without == "compression" else CompressedMap
        return kind(self._scene.scene.places)


class _Counted:
    """A grounding that counts how often it is asked, and how long it takes."""

    def __init__(self, grounding: NodeGrounding, watch: Stopwatch) -> None:
        self._grounding = grounding
        self._watch = watch
        self.count = 0

    def ground(self, node: str) -> Contents:
        self.count += 1
        with self._watch.part("ground"):
            return self._grounding.ground(node)


class WholeMap(CompressedMap):
    """The map as it is, with all way-points and all doors: what compression is compared with."""

    def roadmap(self) -> Roadmap:
        """Every node, every passage that is free, and every closed door."""
        states = {passage: self.state(passage) for passage in self.places.passages()}
        return Roadmap(
            tuple(place.name for place in self.places.places()),
            {
                (p.one, p.other): Path((p.one, p.other), p.cost)
                for p, s in states.items()
                if s is PassageState.FREE
            },
            tuple(passage for passage, state in states.items() if state is PassageState.CLOSED),
        )
