"""What a tick costs: guarded plans of 10 to 10,000 actions, side by side with py_trees.

The plan's middle action is running; everything before it has really been carried out, guards on. py_trees
ticks a memory Sequence of as many bare leaves, without any guard, whose middle leaf is running.

    python -m pytest benchmarks/bench_ticks.py

The tests at the end hold the project to its figures; they compare within one run, since machines are noisy.
"""

from __future__ import annotations

import gc
import statistics
import time
from collections import deque

import py_trees
import pytest
from py_trees.common import Status

from foretree.behaviours.runtime import Runtime
from foretree.clock import SimulatedClock
from foretree.planning.parser import parse_domain
from foretree.planning.plan import Action, Plan
from foretree.planning.syntax import Literal
from foretree.runs.recorder import RunRecorder
from foretree.runs.store import RunStore
from foretree.skills.catalogue import Catalogue
from foretree.skills.robot import End, Outcome
from foretree.trees.fast_tick import FastTree
from foretree.trees.plan_node import PlanNode
from foretree.world_model.belief import Belief
from foretree.world_model.entities import Entity
from foretree.world_model.facts import Truth
from foretree.world_model.places import PlaceGraph

SIZES = (10, 100, 1_000, 10_000)

DOMAIN = """
(define (domain line) (:requirements :typing)
  (:types item)
  (:predicates (ready ?x - item) (sound ?x - item) (done ?x - item) (next ?x ?y - item))
  (:action work
    :parameters (?x - item ?y - item)
    :precondition (and (next ?x ?y) (ready ?x) (sound ?x))
    :effect (and (done ?x) (ready ?y) (not (ready ?x)))))
"""


class OneJob:
    """A robot that does one thing at a time and is done when it is told so."""

    name = "robot"
    hands: tuple[str, ...] = ()

    def __init__(self) -> None:
        self.end: End | None = None
        self.id = ""

    def start(self, order, execution_id):
        self.end = None
        self.id = execution_id
        return self

    def poll(self):
        return self.end

    def cancel(self):
        pass

    def observations(self):
        return []

    def attach(self, execution_id):
        return None

    def stop(self):
        pass


class Bench:
    """A plan of *size* actions, carried out up to its middle."""

    def __init__(self, size: int, recorder=None) -> None:
        self.size = size
        self.robot = OneJob()
        catalogue = Catalogue.from_domain(parse_domain(DOMAIN, "line"))
        belief = Belief(catalogue.vocabulary)
        for i in range(size + 1):
            belief.put_entity(Entity(f"i{i}", {"item": 1.0}, fixed=True))
            belief.tell(("sound", f"i{i}"))
            belief.tell(("next", f"i{i}", f"i{i + 1}"))
        belief.tell(("ready", "i0"))
        self.runtime = Runtime(self.robot, catalogue, belief, PlaceGraph(), SimulatedClock(), recorder)
        actions = tuple(Action(f"a{i}", "work", (f"i{i}", f"i{i + 1}")) for i in range(size))
        node = PlanNode(self.runtime, Plan(Literal(("done", f"i{size - 1}")), actions))
        self.tree = FastTree(node)
        for _ in range(size // 2):
            self.tree.tick()
            self.robot.end = End(Outcome.DONE)
        self.tree.tick()
        assert node.status is Status.RUNNING
        assert self.robot.end is None
        assert node.tally["done"] == size // 2
        # As a session would find it after its first ticks: what was built long ago is not collected again.
        gc.collect()
        gc.freeze()


class Leaf(py_trees.behaviour.Behaviour):
    """Runs for ever, or is done at once."""

    def __init__(self, name: str, status: Status) -> None:
        super().__init__(name)
        self.result = status

    def update(self) -> Status:
        return self.result


def plain_sequence(size: int) -> py_trees.composites.Sequence:
    leaves = [Leaf(f"l{i}", Status.RUNNING if i == size // 2 else Status.SUCCESS) for i in range(size)]
    root = py_trees.composites.Sequence("line", memory=True, children=leaves)
    root.tick_once()
    return root


def per_second(tick, seconds: float = 0.25) -> float:
    """How often *tick* can be called in a second: the median of several short spells."""
    count = 1
    while True:
        begin = time.perf_counter()
        for _ in range(count):
            tick()
        spent = time.perf_counter() - begin
        if spent > seconds / 5:
            break
        count *= 4
    rates = []
    for _ in range(5):
        begin = time.perf_counter()
        for _ in range(count):
            tick()
        rates.append(count / (time.perf_counter() - begin))
    return statistics.median(rates)


@pytest.fixture(scope="module", params=SIZES)
def bench(request):
    return Bench(request.param)


@pytest.mark.benchmark(group="one tick, nothing changes")
def test_foretree(benchmark, bench):
    benchmark.extra_info["size"] = bench.size
    benchmark(bench.tree.tick)


@pytest.mark.benchmark(group="one tick, nothing changes")
@pytest.mark.parametrize("size", SIZES)
def test_py_trees_root_tick_drained(benchmark, size):
    root = plain_sequence(size)
    benchmark(lambda: deque(root.tick(), maxlen=0))


@pytest.mark.benchmark(group="one tick, nothing changes")
@pytest.mark.parametrize("size", SIZES)
def test_py_trees_behaviour_tree_tick(benchmark, size):
    tree = py_trees.trees.BehaviourTree(plain_sequence(size))
    benchmark(tree.tick)


# -- what the project is held to -------------------------------------------------------------------------


def test_at_least_twice_as_fast_as_draining_root_tick_at_1000(capsys):
    bench, root = Bench(1_000), plain_sequence(1_000)
    ratios = []
    for _ in range(5):
        ours = per_second(bench.tree.tick)
        theirs = per_second(lambda: deque(root.tick(), maxlen=0))
        ratios.append(ours / theirs)
    with capsys.disabled():
        print(f"\nticks/s at 1,000: {ours:,.0f} against {theirs:,.0f}; ratio {statistics.median(ratios):.2f}")
    assert statistics.median(ratios) >= 2


def test_flat_from_10_to_10000_within_20_percent(capsys):
    benches = {size: Bench(size) for size in SIZES}
    rates: dict[int, list[float]] = {size: [] for size in SIZES}
    for _ in range(7):
        for size, bench in benches.items():
            rates[size].append(per_second(bench.tree.tick, 0.1))
    medians = {size: statistics.median(values) for size, values in rates.items()}
    with capsys.disabled():
        print("\nticks/s:", {size: f"{rate:,.0f}" for size, rate in medians.items()})
    assert min(medians.values()) >= 0.8 * max(medians.values())


@pytest.mark.parametrize("size", SIZES)
def test_p99_with_a_change_a_check_and_an_event_per_tick(size, tmp_path, capsys):
    recorder = RunRecorder(RunStore(tmp_path).create("bench"))
    bench = Bench(size, recorder)
    belief, tree, robot = bench.runtime.belief, bench.tree, bench.robot
    watched = ("sound", f"i{size // 2 + 1}")
    spent = []
    for number in range(5_000):
        # What the next action relies on becomes unknown, then known again: its links are checked each time,
        # and the change is recorded.
        truth = Truth.TRUE if number % 2 else Truth.UNKNOWN
        begin = time.perf_counter()
        belief.tell(watched, truth, confidence=0.9, source="view")
        tree.tick()
        spent.append(time.perf_counter() - begin)
        assert robot.end is None
    recorder.close("reached")
    p99 = statistics.quantiles(spent, n=100)[98]
    with capsys.disabled():
        print(
            f"\nchange, check, event at {size:,}: median {statistics.median(spent) * 1e6:.1f} µs, "
            f"p99 {p99 * 1e6:.1f} µs"
        )
    assert p99 <= 50e-6
