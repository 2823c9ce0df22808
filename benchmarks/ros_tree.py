"""Ticks a tree of 200 nodes at 50 Hz with snapshot streams on, and says what it takes.

Run it with a sourced ROS: ``python benchmarks/ros_tree.py --seconds 60``. A leaf changes its status twice a
second, so that streams publish; two streams are open, one of them once a second as well.
"""

from __future__ import annotations

import argparse
import time

import py_trees
from py_trees.common import Status
from py_trees_ros.trees import SnapshotStream

from foretree.bringup.ros.clock import RosClock
from foretree.bringup.ros.tree import TreeNode, WatchedTree
from foretree.garbage import HeapFreeze
from foretree.robots.ros.node import SpinningNode


class Slow(py_trees.behaviour.Behaviour):
    """Runs for so many ticks."""

    def __init__(self, name: str, ticks: int) -> None:
        super().__init__(name)
        self._ticks = ticks
        self._left = 0

    def initialise(self) -> None:
        self._left = self._ticks

    def update(self) -> Status:
        self._left -= 1
        return Status.SUCCESS if self._left <= 0 else Status.RUNNING


def tree(nodes: int, ticks: int) -> py_trees.behaviour.Behaviour:
    """A sequence of sequences with so many nodes in all."""
    root = py_trees.composites.Sequence("root", memory=True)
    left = nodes - 1
    while left > 0:
        part = py_trees.composites.Sequence(f"part {left}", memory=True)
        root.add_child(part)
        left -= 1
        leaves = min(9, left)
        part.add_children([Slow(f"leaf {left - leaf}", ticks) for leaf in range(leaves)])
        left -= leaves
    return root


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--hz", type=float, default=50.0)
    parser.add_argument("--nodes", type=int, default=200)
    given = parser.parse_args()
    period = 1.0 / given.hz
    with SpinningNode("watched", make=TreeNode) as spinning:
        ticked = WatchedTree(spinning.node).take(tree(given.nodes, round(given.hz / 2)))
        ticked.setup()
        for each in (float("inf"), 1.0):
            parameters = SnapshotStream.Parameters(snapshot_period=each)
            stream = SnapshotStream(spinning.node, parameters=parameters)
            ticked.snapshot_streams[stream.topic_name] = stream
            heard = []
            spinning.node.create_subscription(
                type(stream.publisher.msg_type()), stream.topic_name, heard.append, 10, raw=True
            )
        HeapFreeze.settle()  # as the agent's node does when it is activated
        clock = RosClock()
        due, overruns, longest, late = clock.now(), 0, 0.0, []
        cpu, wall = time.process_time(), time.monotonic()
        own = time.thread_time()
        costs = []
        count = round(given.seconds * given.hz)
        for _ in range(count):
            late.append(clock.now() - due)
            begun, spent = clock.now(), time.thread_time()
            ticked.tick()
            costs.append(time.thread_time() - spent)
            took = clock.now() - begun
            overruns, longest = overruns + (took > period), max(longest, took)
            due = max(due + period, clock.now())
            clock.sleep_until(due)
        wall = time.monotonic() - wall
        late.sort()
        costs.sort()
        nodes = sum(1 for _ in ticked.root.iterate())
        spent, ticking = (time.process_time() - cpu) / wall, (time.thread_time() - own) / wall
        middle, high = costs[count // 2] * 1e3, costs[int(0.99 * count)] * 1e3
        print(f"{nodes} nodes, {count} ticks in {wall:.1f} s, {overruns} overruns")
        print(f"longest tick {longest * 1e3:.1f} ms; late by {late[int(0.95 * count)] * 1e3:.2f} ms at p95")
        print(f"CPU time of a tick: {middle:.2f} ms in the median, {high:.1f} ms at p99")
        print(f"CPU: {spent:.1%} of a core, of which ticks take {ticking:.1%}")
        print(f"the last stream was heard {len(heard)} times")


main()
