"""A robot on patrol, as a tree of py_trees alone, and one line that records it.

    python patrol.py &
    foretree view last

The robot goes round three rooms, and charges when its battery is low. On the way somebody rings the bell: a
subtree is put into the tree for that, and taken out again. Then the round begins anew.
"""

from __future__ import annotations

import sys

import py_trees
from py_trees.common import Access, Status
from py_trees.composites import Selector, Sequence

from foretree.trees.recording import record


class WithBattery(py_trees.behaviour.Behaviour):
    """A behaviour that knows the battery's charge in percent."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.board = self.attach_blackboard_client(name)
        self.board.register_key("battery", Access.WRITE)


class IsCharged(WithBattery):
    def update(self) -> Status:
        self.feedback_message = f"{self.board.battery} %"
        return Status.SUCCESS if self.board.battery >= 30 else Status.FAILURE


class Charge(WithBattery):
    def update(self) -> Status:
        self.board.battery += 5
        self.feedback_message = f"{self.board.battery} %"
        return Status.RUNNING if self.board.battery < 80 else Status.SUCCESS


class GoTo(WithBattery):
    """Takes some ticks, and takes its toll on the battery."""

    def __init__(self, room: str, ticks: int) -> None:
        super().__init__(f"go to the {room}")
        self.ticks = self.left = ticks

    def initialise(self) -> None:
        self.left = self.ticks

    def update(self) -> Status:
        self.left -= 1
        self.board.battery -= 1
        self.feedback_message = f"{self.left} m to go"
        return Status.RUNNING if self.left > 0 else Status.SUCCESS


def main(ticks_per_second: float = 10.0) -> None:
    py_trees.blackboard.Blackboard.set("battery", 60)
    rooms = [GoTo("hall", 10), GoTo("kitchen", 10), GoTo("office", 15)]
    patrol = Sequence("patrol", memory=True, children=rooms)
    supply = Selector("supply", memory=True, children=[IsCharged("is charged?"), Charge("charge")])
    root = Sequence("robot", memory=False, children=[supply, patrol])
    tree = py_trees.trees.BehaviourTree(root)

    record(tree, "my patrol")

    def ring_the_bell(tree: py_trees.trees.BehaviourTree) -> None:
        if tree.count == 20:
            answer = Sequence("answer the bell", memory=True, children=[GoTo("door", 10), GoTo("hall", 10)])
            tree.insert_subtree(answer, root.id, 1)
        elif tree.count == 45:
            tree.prune_subtree(root.children[1].id)

    tree.add_pre_tick_handler(ring_the_bell)
    tree.tick_tock(period_ms=int(1000 / ticks_per_second), stop_on_terminal_state=True)
    tree.shutdown()


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 10.0)
