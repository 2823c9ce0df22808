"""Snapshots of a tree: what is kept of messages says the same as what py_trees_ros makes anew."""

from __future__ import annotations

from random import Random

import py_trees
import pytest
from py_trees.common import Access, Status
from py_trees_ros import conversions

from foretree.bringup.ros.snapshots import NodeMessages


class Moody(py_trees.behaviour.Behaviour):
    """Ends as chance has it, and says so."""

    def __init__(self, name: str, chance: Random) -> None:
        super().__init__(name)
        self._chance = chance

    def update(self) -> Status:
        self.feedback_message = f"drew {self._chance.randrange(3)}"
        return self._chance.choice((Status.RUNNING, Status.SUCCESS, Status.FAILURE))


def made_anew(root, visited):
    messages = []
    for node in root.iterate():
        message = conversions.behaviour_to_msg(node)
        message.is_active = node.id in visited
        messages.append(message)
    return messages


def composite(name: str, chance: Random):
    kind = chance.choice(("sequence", "selector", "parallel"))
    if kind == "parallel":
        return py_trees.composites.Parallel(name, policy=py_trees.common.ParallelPolicy.SuccessOnAll())
    make = py_trees.composites.Sequence if kind == "sequence" else py_trees.composites.Selector
    return make(name, memory=chance.random() < 0.5)


@pytest.mark.parametrize("seed", range(20))
def test_what_is_kept_says_what_would_be_made_anew(seed):
    chance = Random(seed)
    root = composite("root", chance)
    parts = [root]
    for number in range(12):
        part = composite(f"part {number}", chance)
        chance.choice(parts).add_child(part)
        parts.append(part)
    for number in range(30):
        chance.choice(parts).add_child(Moody(f"leaf {number}", chance))
    for part in parts:
        if not part.children:
            part.add_child(Moody(f"leaf of {part.name}", chance))
    messages = NodeMessages()
    visitor = py_trees.visitors.SnapshotVisitor()
    tree = py_trees.trees.BehaviourTree(root)
    tree.visitors.append(visitor)
    for tick in range(60):
        tree.tick()
        change = chance.randrange(6)
        nodes = list(root.iterate())
        node = chance.choice(nodes)
        if change == 0 and isinstance(node, py_trees.composites.Composite):
            node.insert_child(Moody(f"new in tick {tick}", chance), 0)
        elif change == 1 and node.parent is not None and len(node.parent.children) > 1:
            node.parent.remove_child(node)
        elif change == 2:
            node.name = f"renamed in tick {tick}"
        elif change == 3:
            node.attach_blackboard_client(f"client {tick}").register_key(f"key{tick}", access=Access.WRITE)
        elif change == 4:
            node.blackbox_level = py_trees.common.BlackBoxLevel.DETAIL
        assert messages.of(root, visitor.visited) == made_anew(root, visitor.visited)


def test_a_message_is_kept_until_what_it_says_changes():
    leaf = py_trees.behaviours.Running("leaf")
    messages = NodeMessages()
    (before,) = messages.of(leaf, ())
    (same,) = messages.of(leaf, ())
    leaf.feedback_message = "other"
    (after,) = messages.of(leaf, ())
    assert same is before
    assert after is not before
    assert after.message == "other"
