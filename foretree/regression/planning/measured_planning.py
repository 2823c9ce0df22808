"""Planning with a clock beside it: what a task needs, how long each part takes, and what that came to."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from foretree.planning.pddl.syntax import Problem, constants_of
from foretree.planning.solvers.base import ImprovingSolver, Limits, Mode, Solution, Solver
from foretree.reasoning.retrieval.keyword import KeywordRetriever
from foretree.reasoning.retrieval.node_index import NodeIndex, SeenThing, index_assets
from foretree.reasoning.retrieval.retriever import Retrieved, Retriever
from foretree.regression.planning._mapped_scene import MappedScene
from foretree.regression.planning._true_world import TrueWorld
from foretree.regression.planning.suite import PlanningTask
from foretree.simulation.household.household_state import House
from foretree.simulation.household.plan_execution import WorldStep


@dataclass(frozen=True)
class Planned:
    """Outcome of planning.

    Attributes:
        found: whether there is a plan.
        steps: the best plan found, with every way-point.
        cost: what it costs.
        first_cost: what the first plan found costs.
        lower_bound: no plan with the same nodes and things is cheaper.
        proved: whether the plan is known to be the cheapest with these.
        first: seconds from the instruction to the first plan that can be carried out.
        proof: seconds from the instruction to the proof; until planning was given up if there is none.
        search: seconds of the search alone, until the proof.
        parts: seconds of each part of the way to the first plan.
        asked: how often a model would have been asked, by what for.
        why: for a person: why there is no plan or no proof.
    """

    found: bool
    steps: tuple[WorldStep, ...] = ()
    cost: int = 0
    first_cost: int = 0
    lower_bound: int = 0
    proved: bool = False
    first: float = 0.0
    proof: float = 0.0
    search: float = 0.0
    parts: Mapping[str, float] = field(default_factory=dict)
    asked: Mapping[str, int] = field(default_factory=dict)
    why: str = ""


class MeasuredPlanner(ABC):
    """Plans one task in one building, as often as it is asked.

    Args:
        scene: where.
        task: what.
        solver: finds the plans.
        retriever: finds the nodes that the task needs; by default by keywords.
    """

    def __init__(
        self,
        scene: MappedScene,
        task: PlanningTask,
        solver: ImprovingSolver,
        retriever: Retriever | None = None,
    ) -> None:
        self._scene = scene
        self._task = task
        self._solver = solver
        self._retriever = retriever or KeywordRetriever()

    @abstractmethod
    def plan(self, world: TrueWorld, limit: float, prove: bool = True) -> Planned:
        """Plan from how things are in *world*.

        Args:
            world: what it can look at.
            limit: seconds on the wall.
            prove: whether to go on after the first plan until it is proved that none is cheaper.
        """

    def _retrieved(self, index: NodeIndex) -> tuple[Retrieved, set[str]]:
        """Retrieve for the task; with the nodes of what was found and of what its goal names."""
        found, named = self._retriever.retrieve(self._task.instruction, index), constants_of(self._task.goal)
        nodes = {
            node.name
            for node in index.nodes.values()
            if node.name in named or any(thing.name in named for thing in node.things)
        }
        return found, {*found.nodes, *nodes}


def known_things(scene: MappedScene, house: House) -> NodeIndex:
    """The furniture of a building with what the robot knows to be at each piece: here, everything."""
    things: dict[str, list[SeenThing]] = {}
    names = {thing_id: name for name, thing_id in house.names.items()}
    for thing in house.items():
        if not house.in_hand(thing):
            seen = SeenThing(names[thing.id], thing.class_name)
            things.setdefault(house.node_of(thing) or "", []).append(seen)
    ways = scene.scene.places.distances(house.last_node)
    return index_assets(scene.floor, things, scene.catalogue.ontology, ways)


class Stopwatch:
    """Seconds since it was made, and the parts that they were spent on.

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


def solve_timed(solver: Solver, problem: Problem, mode: Mode, seconds: float, watch: Stopwatch) -> Solution:
    """Solve *problem* within so many seconds; the parts of the solver's work are counted."""
    begun = watch.elapsed()
    found = solver.solve(problem, mode, Limits(seconds=seconds))
    told = {part: found.seconds.get(part, 0.0) for part in ("translate", "search")}
    for part, spent in told.items():
        watch.add(part, spent)
    # What remains is the way to the solver's process and back.
    watch.add("transfer", max(0.0, watch.elapsed() - begun - sum(told.values())))
    return found


def improve_plan(solver: ImprovingSolver, problem: Problem, first: Solution, seconds: float) -> Solution:
    """The cheapest plan found in so many seconds; *first* if that is too little for any."""
    best = solver.improve(problem, Limits(seconds=max(0.0, seconds))).result()
    return best if best.status == "solved" else replace(first, seconds=best.seconds, why=best.why)
