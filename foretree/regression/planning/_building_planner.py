"""Planning a task across a building, part by part, with a clock beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from foretree.planning.maps.compression import Compressed
from foretree.planning.solvers.base import ImprovingSolver
from foretree.planning.task.object_selection import select_objects
from foretree.planning.task.problem_assembly import Contents, NodeGrounding, factored_problem
from foretree.reasoning.retrieval.keyword import KeywordRetriever
from foretree.regression.planning._known_objects import known_things, needed
from foretree.regression.planning._mapped_scene import MappedScene
from foretree.regression.planning._stopwatch import Stopwatch, improved, solved
from foretree.regression.planning._true_world import TrueWorld
from foretree.regression.planning._whole_map import WholeMap
from foretree.regression.planning.suite import PlanningTask, Without
from foretree.regression.planning.trial import Planned
from foretree.simulation.household.household_state import House
from foretree.simulation.household.true_grounding import TrueBody, TrueGrounding
from foretree.world_model.maps.compressed_map import CompressedMap

#: Seconds after which a plan with fewer nodes or things is not waited for any longer.
PATIENCE = 5.0


class BuildingPlanner:
    """Plans a task on the nodes that it needs, by the compressed map.

    What the robot knows of where things are is there before anybody asks for anything, and so is the map; all
    else is planning, and counts.

    Args:
        site: where.
        task: what.
        solver: finds the plans.
        without: what is left out: the compression of the map, keeping it from one plan to the next, or the
            selection of the things that matter.
    """

    def __init__(
        self, site: MappedScene, task: PlanningTask, solver: ImprovingSolver, without: Without = ""
    ) -> None:
        self._site = site
        self._task = task
        self._solver = solver
        self._without = without
        self._retriever = KeywordRetriever()
        self._kept = self._new_map()

    def plan(self, world: TrueWorld, limit: float, prove: bool = True) -> Planned:
        """Plan from how things are in *world*."""
        index = known_things(self._site, world.house)
        watch = Stopwatch()
        with watch.part("retrieve"):
            retrieved, nodes = needed(self._task, self._retriever, index)
        if self._without == "compression":
            nodes = set(index.nodes)
        grounding = _Counted(TrueGrounding(world.house, self._site.catalogue.domain), watch)
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
            first = solved(self._solver, found.problem, "satisficing", patience, watch)
            if first.status == "solved":
                break
        at_first = watch.elapsed()
        asked = {"goal": 1, "retrieval": retrieved.calls, "grounding": grounding.count}
        parts = dict(watch.parts)
        if first.status != "solved":
            return Planned(False, first=at_first, proof=at_first, parts=parts, asked=asked, why=first.why)
        best = improved(self._solver, found.problem, first, limit - at_first) if prove else first
        steps = found.refine(best.steps)
        return Planned(
            True,
            self._site.steps(steps),
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
        site = self._site
        with watch.part("map"):
            floor = self._new_map() if self._without in ("compression", "incremental-map") else self._kept
            for door in floor.places.doors():
                floor.set_door(door, house.named(door).is_open)
            floor.robot_at(house.last_node)
            floor.set_terminals(sorted(nodes))
            floor.roadmap()
        with watch.part("problem"):
            return factored_problem(
                site.catalogue.domain,
                self._task.goal,
                [TrueBody(house)],
                grounding,
                floor,
                site.navigation,
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
        site = self._site
        if site.resting is None:
            return found
        with watch.part("select"):
            selected = select_objects(
                found.problem,
                site.resting,
                site.navigation.names,
                site.scene.places.distances,
                sorted(nodes),
                things,
                alternatives=alternatives,
            )
            return replace(found, problem=selected.problem)

    def _new_map(self) -> CompressedMap:
        kind = WholeMap if self._without == "compression" else CompressedMap
        return kind(self._site.scene.places)


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
