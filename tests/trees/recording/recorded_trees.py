"""Trees to record, and a check that a record says what a tree is like."""

from __future__ import annotations

from collections.abc import Iterator

import py_trees
from py_trees.behaviours import Success
from py_trees.common import ParallelPolicy, Status
from py_trees.composites import Parallel, Selector, Sequence
from py_trees.decorators import Inverter

from foretree.runs.reader import events
from foretree.runs.views.run_state import replay


class Lasting(py_trees.behaviour.Behaviour):
    """Runs for some ticks, then comes to an end, and says how far it is."""

    def __init__(self, name: str, ticks: int = 2, end: Status = Status.SUCCESS) -> None:
        super().__init__(name)
        self.ticks = ticks
        self.end = end
        self.left = ticks

    def initialise(self) -> None:
        self.left = self.ticks

    def update(self) -> Status:
        self.left -= 1
        self.feedback_message = f"{self.left} to go"
        return Status.RUNNING if self.left > 0 else self.end


def outline(root) -> list[tuple]:
    """What a record should say of a tree: each node with its depth, name, type, status and message."""
    found = []

    def walk(node, depth: int) -> None:
        found.append((depth, node.name, type(node).__name__, node.status.value, node.feedback_message))
        for child in node.children:
            walk(child, depth + 1)

    walk(root, 0)
    return found


def recorded_outline(recorded) -> list[tuple]:
    state = replay(recorded)
    return [(depth, n.name, n.type, n.status, n.message) for depth, n in state.walk()]


def all_events(recording) -> list:
    return list(events(recording.run))


def kinds(recording, kind: str) -> list:
    return [event for event in all_events(recording) if event.kind == kind]


# -- trees of two hundred nodes -----------------------------------------------------------------------------


def tasks() -> Iterator[py_trees.behaviour.Behaviour]:
    """Ten tasks of twenty nodes: steps with a check each."""
    for task in range(10):
        steps = [
            Selector(
                f"step {i}",
                memory=False,
                children=[Inverter(f"open {i}", Success(f"seen {i}")), Lasting(f"do {i}", 20)],
            )
            for i in range(5)
        ]
        yield Sequence(f"task {task}", memory=True, children=steps)


def one_after_the_other() -> py_trees.behaviour.Behaviour:
    return Sequence("root", memory=True, children=list(tasks()))


def all_at_once() -> py_trees.behaviour.Behaviour:
    return Parallel("root", ParallelPolicy.SuccessOnAll(synchronise=False), children=list(tasks()))
