"""How planning grows with the building: on the compressed map and on the whole one.

Office buildings of 1, 2, 5, 10 and 20 wings (96 nodes, 31 assets and 110 items each), and tasks that touch
four assets: two things are fetched, one of them is washed, and both are put somewhere. The time is what
passes from the goal to the plan on the whole map: for the compressed map, laying it out (it is kept from
task to task, but each task has other assets, another place of the robot and other doors), putting the
problem together, solving it, refining the plan and checking it; for the whole map, the same without the
map.

    python benchmarks/bench_compression.py --json compression.json
    python benchmarks/bench_compression.py --tasks 5 --wings 1,20 --whole 0
    python -m pytest benchmarks/bench_compression.py

Once for tasks all over the building, once for tasks within one wing. Wall clock, with a warm planner. At the
end, what it costs to leave all other assets out, since one of them might have been a good place to put
something down.
"""

from __future__ import annotations

import argparse
import gc
import json
import random
import statistics
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "planning"))

from floors import DOMAIN, Floor, nodes_of, office_floor

from foretree.planning.maps.compression import Compressed
from foretree.planning.maps.compression_loss import measure_loss
from foretree.planning.maps.navigation import find_navigation
from foretree.planning.semantics.actions import validate
from foretree.planning.solvers.base import Limits, Mode
from foretree.planning.solvers.fast_downward.solver import FastDownward
from foretree.planning.task.goals import parse_goal
from foretree.planning.task.problem_assembly import Contents, factored_problem
from foretree.world_model.maps.compressed_map import CompressedMap

NAVIGATION = find_navigation(DOMAIN)
assert NAVIGATION is not None


@dataclass(frozen=True)
class Task:
    """A goal, the assets it touches, and how things are when it is given."""

    goal: str
    assets: tuple[str, ...]
    robot: str
    doors: tuple[str, ...]


@dataclass(frozen=True)
class Row:
    """What tasks took in one building: medians and worst, in seconds."""

    wings: int
    nodes: int
    things: int
    tasks: str
    mode: Mode
    map: str
    solved: int
    of: int
    prepare: float
    solve: float
    total: float
    worst: float
    kept_nodes: int
    cost: int


class Grounded:
    """The contents of the nodes of a floor, by node, as a robot's memory would keep them."""

    def __init__(self, floor: Floor) -> None:
        self._facts: dict[str, set[tuple[str, ...]]] = {}
        self._objects: dict[str, dict[str, str]] = {}
        for asset, node in floor.stands.items():
            self._objects.setdefault(node, {})[asset] = "asset"
            facts = self._facts.setdefault(node, set())
            facts.add(("obj_at_node", asset, node))
            facts |= {(trait, asset) for trait in floor.traits[asset]}
        for item, asset in floor.lies.items():
            node = floor.stands[asset]
            self._objects[node][item] = "item"
            self._facts[node].add(("on", item, asset))

    def ground(self, node: str) -> Contents:
        """What is at a node."""
        return Contents(self._objects.get(node, {}), frozenset(self._facts.get(node, ())))


class Body:
    """The robot, where a task finds it."""

    name = "robot1"

    def __init__(self, node: str) -> None:
        self._node = node

    def state(self) -> Contents:
        """Where it is, with its hands empty."""
        hands = ("left", "right")
        facts = {("rob_at_node", "robot1", self._node)}
        facts |= {("rob_has_hand", "robot1", hand) for hand in hands}
        facts |= {("hand_free", "robot1", hand) for hand in hands}
        return Contents({"robot1": "robot", **dict.fromkeys(hands, "hand")}, frozenset(facts))


def tasks_for(floor: Floor, count: int, near: bool, seed: int = 1) -> list[Task]:
    """Random tasks that touch four assets, all over the building or within the first wing."""
    rng = random.Random(seed)
    assets = [asset for asset in floor.stands if not near or asset.startswith("w0_")]
    taps = [asset for asset in assets if "has_tap" in floor.traits[asset]]
    nodes = [place.name for place in floor.places.places() if not near or place.name.startswith("w0_")]
    doors = [door for door in floor.places.doors() if not near or door.startswith("w0_")]
    found = []
    for _ in range(count):
        tap = rng.choice(taps)
        one, other, goal = rng.sample([asset for asset in assets if asset != tap], 3)
        first = next(item for item, asset in floor.lies.items() if asset == one)
        second = next(item for item, asset in floor.lies.items() if asset == other)
        wanted = f"(and (clean {first}) (on {first} {goal}) (on {second} {goal}))"
        changed = tuple(rng.sample(doors, 3))
        found.append(Task(wanted, (tap, one, other, goal), rng.choice(nodes), changed))
    return found


class Measure:
    """Plans tasks in one building and takes the time."""

    def __init__(self, wings: int, planner: FastDownward, patience: float) -> None:
        self._limits = Limits(seconds=patience)
        self.floor = office_floor(wings)
        self.wings = wings
        self._planner = planner
        self._grounded = Grounded(self.floor)
        self._map = CompressedMap(self.floor.places)
        self.floor.tell(self._map)
        self._kept = 0

    def compressed(self, task: Task, mode: Mode) -> tuple[float, float, int | None]:
        """Seconds to prepare, to solve (with refining), and the cost."""
        goal = parse_goal(task.goal, DOMAIN, self.floor.objects(task.assets)).formula
        start = time.perf_counter()
        for door in task.doors:
            self._map.set_door(door, not self._map.is_open(door))
        found: Compressed = factored_problem(
            DOMAIN,
            goal,
            [Body(task.robot)],
            self._grounded,
            self._map,
            NAVIGATION,
            nodes_of(self.floor, task.assets),
        )
        prepared = time.perf_counter()
        solution = self._planner.solve(found.problem, mode, self._limits)
        if solution.status != "solved":
            return prepared - start, time.perf_counter() - prepared, None
        assert validate(found.problem, solution.steps).ok
        found.refine(solution.steps)
        self._kept = max(self._kept, len(found.layout.nodes))
        return prepared - start, time.perf_counter() - prepared, solution.cost

    def whole(self, task: Task, mode: Mode) -> tuple[float, float, int | None]:
        """The same on the whole map, with everything in it."""
        self.floor.robot = task.robot
        self.floor.closed ^= set(task.doors)
        start = time.perf_counter()
        problem = self.floor.problem(task.goal)
        prepared = time.perf_counter()
        solution = self._planner.solve(problem, mode, self._limits)
        if solution.status != "solved":
            return prepared - start, time.perf_counter() - prepared, None
        assert validate(problem, solution.steps).ok
        return prepared - start, time.perf_counter() - prepared, solution.cost

    def plan(self, task: Task, mode: Mode, whole: bool) -> tuple[float, float, int | None]:
        """One or the other."""
        return self.whole(task, mode) if whole else self.compressed(task, mode)

    def warm(self, task: Task, mode: Mode) -> None:
        """Plan once before it counts, and leave the doors as they were."""
        self.compressed(task, mode)
        for door in task.doors:
            self._map.set_door(door, not self._map.is_open(door))
        self._kept = 0

    def row(
        self, times: Sequence[tuple[float, float, int | None]], where: str, mode: Mode, whole: bool
    ) -> Row:
        """What the tasks came to."""
        totals = [prepare + solve for prepare, solve, _ in times]
        costs = [cost for *_, cost in times if cost is not None]
        return Row(
            self.wings,
            len(self.floor.places),
            len(self.floor.stands) + len(self.floor.lies),
            where,
            mode,
            "whole" if whole else "compressed",
            len(costs),
            len(times),
            statistics.median(prepare for prepare, *_ in times),
            statistics.median(solve for _, solve, _ in times),
            statistics.median(totals),
            max(totals),
            0 if whole else self._kept,
            sum(costs),
        )


def measure(
    wings: Sequence[int], count: int, whole: int, modes: Sequence[Mode], patience: float = 60.0
) -> list[Row]:
    """All rows; on the whole map only the first *whole* tasks, each given up after *patience* seconds.

    The buildings take turns, task by task, so that a busy machine is as busy for one as for the other.
    """
    rows = []
    print(
        f"{'wings':>5} {'nodes':>6} {'tasks':>9} {'mode':>8} {'map':>11} {'solved':>7} {'prepare':>9} "
        f"{'solve':>8} {'total':>8} {'worst':>8} {'kept':>5}"
    )
    kinds = [(False, count), (True, whole)]
    with FastDownward() as planner:
        for on_whole, number in kinds:
            for where in ("building", "wing") if number else ():
                for mode in modes:
                    for row in _rows(wings, number, where, mode, on_whole, planner, patience):
                        rows.append(row)
                        print(
                            f"{row.wings:>5} {row.nodes:>6} {row.tasks:>9} {row.mode:>8} {row.map:>11} "
                            f"{row.solved:>3}/{row.of:<3} {1000 * row.prepare:>7.1f}ms {row.solve:>7.3f}s "
                            f"{row.total:>7.3f}s {row.worst:>7.3f}s {row.kept_nodes:>5}",
                            flush=True,
                        )
    return rows


def _rows(
    wings: Sequence[int],
    count: int,
    where: str,
    mode: Mode,
    whole: bool,
    planner: FastDownward,
    patience: float,
) -> list[Row]:
    buildings = [Measure(size, planner, patience) for size in wings]
    tasks = [tasks_for(building.floor, count, near=where == "wing") for building in buildings]
    for building, its_tasks in zip(buildings, tasks, strict=True):
        building.warm(its_tasks[0], mode)
    gc.collect()
    gc.freeze()
    times: list[list[tuple[float, float, int | None]]] = [[] for _ in wings]
    for number in range(count):
        for taken, building, its_tasks in zip(times, buildings, tasks, strict=True):
            taken.append(building.plan(its_tasks[number], mode, whole))
    gc.unfreeze()
    return [building.row(taken, where, mode, whole) for building, taken in zip(buildings, times, strict=True)]


@dataclass(frozen=True)
class Losses:
    """What it costs to leave all but the four assets out: tasks for a robot with one hand, in one wing."""

    tasks: int
    compared: int
    without_loss: int
    mean: float
    worst: float


def losses(count: int, seconds: float) -> Losses:
    """Compare the best plans with the assets that a task touches with the best plans with all 31."""
    floor = office_floor(1)
    floor.hands = ("left",)
    kept = CompressedMap(floor.places)
    shares = []
    with FastDownward() as planner:
        for task in tasks_for(floor, count, near=True):
            floor.robot = task.robot
            floor.closed ^= set(task.doors)
            loss = measure_loss(
                floor.problem(task.goal),
                kept,
                NAVIGATION,
                nodes_of(floor, task.assets),
                ["on"],
                planner,
                Limits(seconds=seconds),
            )
            if loss.share is not None:
                shares.append(loss.share)
    unharmed = sum(share == 0.0 for share in shares)
    return Losses(count, len(shares), unharmed, statistics.mean(shares), max(shares))


def growth(rows: Sequence[Row], where: str, mode: Mode) -> float:
    """How many times as long planning takes on the largest building as on the smallest."""
    totals = {
        row.wings: row.total for row in rows if (row.tasks, row.mode, row.map) == (where, mode, "compressed")
    }
    return totals[max(totals)] / totals[min(totals)]


def test_planning_hardly_grows_with_the_building() -> None:
    rows = measure((1, 20), count=15, whole=0, modes=("good",))
    assert growth(rows, "wing", "good") <= 1.5
    assert growth(rows, "building", "good") <= 1.5


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--wings", default="1,2,5,10,20", help="sizes of buildings")
    parser.add_argument("--tasks", type=int, default=20, help="how many tasks on the compressed map")
    parser.add_argument("--whole", type=int, default=3, help="how many tasks on the whole map")
    parser.add_argument("--modes", default="good,optimal", help="which plans")
    parser.add_argument("--patience", type=float, default=60.0, help="seconds until a task is given up")
    parser.add_argument("--losses", type=int, default=20, help="how many tasks to compare with all assets")
    parser.add_argument("--json", type=Path, help="where to write the rows")
    options = parser.parse_args()
    sizes = [int(size) for size in options.wings.split(",")]
    modes: list[Mode] = options.modes.split(",")
    rows = measure(sizes, options.tasks, options.whole, modes, options.patience)
    for where in ("building", "wing"):
        for mode in modes:
            print(f"{where}, {mode}: {growth(rows, where, mode):.2f} times as long in the largest building")
    lost = losses(options.losses, seconds=20.0) if options.losses else None
    if lost:
        print(
            f"with the four assets only: {lost.without_loss} of {lost.compared} best plans cost the "
            f"same, {100 * lost.mean:.1f} % more on average, {100 * lost.worst:.1f} % at worst "
            f"({lost.tasks - lost.compared} could not be compared)"
        )
    if options.json:
        data = {"rows": [asdict(row) for row in rows], "losses": asdict(lost) if lost else None}
        options.json.write_text(json.dumps(data, indent=1) + "\n")


if __name__ == "__main__":
    main()
