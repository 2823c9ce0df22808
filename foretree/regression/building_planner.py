"""Planning a task across a building, part by part, with a clock beside it."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from foretree.planning.compression import Compressed
from foretree.planning.factored import Contents, Grounding, factored_problem
from foretree.planning.selection import select
from foretree.planning.solvers import Limits, Mode, Solution, Solver
from foretree.planning.syntax import Problem, constants_of
from foretree.reasoning.retrieval.keyword import KeywordRetriever
from foretree.reasoning.retrieval.node_index import NodeIndex, NodeText, SeenThing
from foretree.regression.planning_episode import Planned
from foretree.regression.planning_suite import PlanningTask, Without
from foretree.regression.site import Site
from foretree.regression.true_world import TrueWorld
from foretree.regression.whole_map import WholeMap
from foretree.simulation.things import House
from foretree.simulation.true_grounding import TrueBody, TrueGrounding
from foretree.world_model.compressed_map import CompressedMap

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

    def __init__(self, site: Site, task: PlanningTask, solver: Solver, without: Without = "") -> None:
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
            retrieved = self._retriever.retrieve(self._task.instruction, index)
            nodes = {*retrieved.nodes, *self._named_nodes(index)}
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
            self._site.steps(steps, world.house.node or world.house.last_node),
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

    def _pose(self, house: House, nodes: set[str], grounding: Grounding, watch: Stopwatch) -> Compressed:
        """The problem of doing the task on *nodes*, with all that is there."""
        site = self._site
        with watch.part("map"):
            floor = self._new_map() if self._without in ("compression", "incremental-map") else self._kept
            for door in floor.places.doors():
                floor.set_door(door, house.named(door).is_open)
            floor.robot_at(house.node or house.last_node)
            floor.set_terminals(sorted(nodes))
            floor.layout()
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
            selected = select(
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

    def _named_nodes(self, index: NodeIndex) -> Iterator[str]:
        """The nodes that the goal names, and those of the things that it names."""
        named = constants_of(self._task.goal)
        for node in index.nodes.values():
            if node.name in named or any(thing.name in named for thing in node.things):
                yield node.name


def solved(solver: Solver, problem: Problem, mode: Mode, seconds: float, watch: Stopwatch) -> Solution:
    """What the solver finds in so many seconds; the parts of its work are counted."""
    begun = watch.elapsed()
    found = solver.solve(problem, mode, Limits(seconds=seconds))
    told = {part: found.seconds.get(part, 0.0) for part in ("translate", "search")}
    for part, spent in told.items():
        watch.add(part, spent)
    # What remains is the way to the solver's process and back.
    watch.add("transfer", max(0.0, watch.elapsed() - begun - sum(told.values())))
    return found


def improved(solver: Solver, problem: Problem, first: Solution, seconds: float) -> Solution:
    """The cheapest plan; the first one, with the best bound, if there is no proof in time."""
    best = solver.solve(problem, "optimal", Limits(seconds=max(0.0, seconds)))
    if best.status == "solved":
        return best
    return replace(first, seconds=best.seconds, why=best.why, lower_bound=best.lower_bound)


def known_things(site: Site, house: House) -> NodeIndex:
    """The furniture of a building with what the robot knows to be at each piece: in this case, everything."""
    things: dict[str, list[SeenThing]] = {}
    names = {thing_id: name for name, thing_id in house.names.items()}
    for thing in house.items():
        if not house.in_hand(thing):
            seen = SeenThing(names[thing.id], thing.class_name)
            things.setdefault(house.node_of(thing) or "", []).append(seen)
    floor = site.floor
    ways = site.scene.places.distances(house.node or house.last_node)
    return NodeIndex(
        {
            asset.name: NodeText(
                asset.name,
                asset.class_name,
                asset.room,
                f"{asset.caption} {floor.rooms[asset.room].says}".strip(),
                tuple(things.get(asset.name, ())),
                ways.get(asset.name, 0),
            )
            for asset in floor.assets.values()
        },
        site.catalogue.ontology,
    )


class Stopwatch:
    """Seconds since it was made, and how they are spent.

    Attributes:
        parts: seconds of each part.
    """

    def __init__(self) -> None:
        self.parts: dict[str, float] = {}
        self._begun = time.perf_counter()

    def elapsed(self) -> float:
        """Seconds since it was made."""
        return time.perf_counter() - self._begun

    def add(self, part: str, seconds: float) -> None:
        """Count seconds as those of a part."""
        self.parts[part] = self.parts.get(part, 0.0) + seconds

    @contextmanager
    def part(self, name: str) -> Iterator[None]:
        """Count what happens inside as a part, apart from what other parts inside it count as theirs."""
        begun, inside = time.perf_counter(), sum(self.parts.values())
        yield
        spent = time.perf_counter() - begun - (sum(self.parts.values()) - inside)
        self.add(name, spent)


class _Counted:
    """A grounding that counts how often it is asked, and how long it takes."""

    def __init__(self, grounding: Grounding, watch: Stopwatch) -> None:
        self._grounding = grounding
        self._watch = watch
        self.count = 0

    def ground(self, node: str) -> Contents:
        self.count += 1
        with self._watch.part("ground"):
            return self._grounding.ground(node)
