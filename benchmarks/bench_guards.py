"""What a guard's check costs in a grid home, with all that is believed of it.

    python -m pytest benchmarks/bench_guards.py

Whole episodes are run with the default noise. Every check is timed, by processor time: of guards before
actions, and of what is held, between two actions. The test holds them to what py_trees takes in the same run
to drain a sequence of 1,000 bare leaves.
"""

from __future__ import annotations

import statistics
from collections import deque
from time import process_time

import pytest
from bench_ticks import plain_sequence

from foretree.behaviours.guards import Guard
from foretree.bringup.homes import open_home
from foretree.bringup.options import Options, Wish
from foretree.simulation.grid_homes.episode import EpisodeSpec
from foretree.trees.plan_node._in_hand_check import InHandCheck

#: The most that 95 of 100 checks may cost, in what it costs to drain the leaves.
LIMIT = 10
#: The leaves are drained after so many checks.
IN_BETWEEN = 20
EPISODES = (
    (
        EpisodeSpec("l_kitchen/7", 2, "clean_and_place", {"item": "mug", "place": "counter"}),
        "(exists (?item - mug ?place - counter) (and (clean ?item) (on ?item ?place)))",
    ),
    (
        EpisodeSpec("l_kitchen/3", 1, "pick_two_and_place", {"item": "plate", "place": "table"}),
        "(exists (?place - table) (at-least 2 (?item - plate) (on ?item ?place)))",
    ),
)


@pytest.fixture
def timed(monkeypatch):
    """How long each check took, by what it was, and the leaves in between."""
    took: dict[str, list[float]] = {"guards": [], "held": [], "leaves": []}
    root = plain_sequence(1_000)

    def clocked(what, method):
        def check(*arguments):
            begun = process_time()
            try:
                return method(*arguments)
            finally:
                took[what].append(process_time() - begun)
                if len(took[what]) % IN_BETWEEN == 0:
                    begun = process_time()
                    deque(root.tick(), maxlen=0)
                    took["leaves"].append(process_time() - begun)

        return check

    monkeypatch.setattr(Guard, "_check", clocked("guards", Guard._check))
    monkeypatch.setattr(InHandCheck, "wanted", clocked("held", InHandCheck.wanted))
    return took


def test_a_check_costs_little(timed):
    for episode, goal in EPISODES:
        session, world = open_home(episode, Wish(goal=goal), Options("homes"))
        session.run()
        world.close()
    theirs = statistics.median(timed.pop("leaves"))
    print(f"1,000 bare leaves: median {theirs * 1e3:.3f} ms")
    for what, took in timed.items():
        p50, p95 = (statistics.quantiles(took, n=100)[at - 1] for at in (50, 95))
        print(f"{what}: {len(took)} checks, p50 {p50 * 1e3:.3f} ms, p95 {p95 * 1e3:.3f} ms")
        assert p95 <= LIMIT * theirs
