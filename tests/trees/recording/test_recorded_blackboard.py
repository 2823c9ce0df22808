"""The blackboard on record: what changed, as short text, whatever the values are."""

from __future__ import annotations

from collections import namedtuple
from dataclasses import dataclass, field

import py_trees
import pytest
from py_trees.behaviours import Running
from py_trees.blackboard import Blackboard
from py_trees.common import Status
from py_trees.trees import BehaviourTree
from recorded_trees import all_events, kinds

from foretree.runs.views.run_state import replay
from foretree.trees._blackboard_record import LONGEST_VALUE, short_text
from foretree.trees.recording import record


def changes(recording) -> list[tuple[int, dict, list]]:
    return [(e.tick, e.data["values"], e.data["removed"]) for e in kinds(recording, "blackboard.changed")]


def test_values_that_came_changed_and_went(store):
    Blackboard.set("battery", 60)
    tree = BehaviourTree(Running("leaf"))
    with record(tree, store=store) as recording:
        tree.tick()
        Blackboard.set("battery", 59)
        Blackboard.set("pose/target", "dock")
        tree.tick()
        Blackboard.set("battery", 59.0 + 0)
        Blackboard.unset("pose/target")
        tree.tick()
        tree.tick()
    assert changes(recording) == [
        (0, {"/battery": "60"}, []),
        (2, {"/battery": "59", "/pose/target": "'dock'"}, []),
        (3, {"/battery": "59.0"}, ["/pose/target"]),
    ]
    assert replay(all_events(recording)).blackboard == {"/battery": "59.0"}


def test_what_changes_within_a_value_is_seen_a_little_later(store):
    values = {name: [] for name in "abc"}
    for name, value in values.items():
        Blackboard.set(name, value)
    tree = BehaviourTree(Running("leaf"))
    with record(tree, store=store) as recording:
        values["b"].append("new")
        for _ in range(12):
            tree.tick()
        recording.note("now")
    told = [event.kind for event in all_events(recording)]
    assert told.count("blackboard.changed") == 2
    assert told.index("log") > len(told) - 1 - told[::-1].index("blackboard.changed")
    assert replay(all_events(recording)).blackboard == {"/a": "[]", "/b": "['new']", "/c": "[]"}


def test_it_can_be_left_out(store):
    Blackboard.set("secret", "s3cr3t")
    tree = BehaviourTree(Running("leaf"))
    with record(tree, store=store, blackboard=False) as recording:
        tree.tick()
    assert not kinds(recording, "blackboard.changed")


class Hostile:
    def __repr__(self) -> str:
        raise RuntimeError("no")


class Cyclic(list):
    pass


class Message:
    """As the classes that ROS makes of its messages are."""

    def __init__(self, *, height=480, data=b"") -> None:
        self.height = height
        self.data = data

    @classmethod
    def get_fields_and_field_types(cls):
        return {"height": "uint32", "data": "sequence<uint8>"}

    def __repr__(self) -> str:
        raise AssertionError("all of it turned into text")


class Array:
    shape = (480, 640, 3)
    dtype = "uint8"

    def __repr__(self) -> str:
        raise AssertionError("all of it turned into text")


@dataclass
class Pose:
    x: float
    name: str
    secret: str = field(default="", repr=False)


Pair = namedtuple("Pair", "left right")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "None"),
        (Status.RUNNING, "Status.RUNNING"),
        ("<b>bold</b>", "'<b>bold</b>'"),
        (list(range(100)), "[0, 1, 2, 3, 4, 5, ...]"),
        (Pose(1.5, "dock", "key"), "Pose(x=1.5, name='dock')"),
        (Pair(1, [2]), "Pair(left=1, right=[2])"),
        (Array(), "Array of shape (480, 640, 3), uint8"),
        (Message(data=b"\0" * 10**6), f"Message(height=480, data={bytes(16)!r}, …)"),
        (Message(data=[0] * 10**6), "Message(height=480, data=[0, 0, 0, 0, 0, 0, ...])"),
        (bytearray(b"ab"), "b'ab'"),
    ],
)
def test_values_as_text(value, text):
    assert short_text(value) == text


@pytest.mark.parametrize(
    "value", ["x" * 10**6, {f"key {i}": "y" * 1000 for i in range(1000)}, Hostile(), object()]
)
def test_text_is_never_long_and_never_fails(value):
    assert 0 < len(short_text(value)) <= LONGEST_VALUE


def test_a_value_that_contains_itself():
    loop = Cyclic()
    loop.append(loop)
    nested: list = []
    nested.append(nested)
    assert len(short_text(loop)) <= LONGEST_VALUE
    assert len(short_text(nested)) <= LONGEST_VALUE


def test_hostile_values_do_not_disturb_the_tree(store):
    Blackboard.set("hostile", Hostile())
    Blackboard.set("lone", "\ud800")
    Blackboard.set("class", Hostile)
    tree = BehaviourTree(Running("leaf"))
    with record(tree, store=store) as recording:
        for _ in range(20):
            tree.tick()
    assert recording.failure is None
    assert "Hostile" in replay(all_events(recording)).blackboard["/hostile"]


def test_keys_of_behaviours(store):
    class Counter(py_trees.behaviour.Behaviour):
        def __init__(self) -> None:
            super().__init__("counter")
            self.board = self.attach_blackboard_client(namespace="stock")
            self.board.register_key("count", py_trees.common.Access.WRITE)

        def update(self) -> Status:
            self.board.count = getattr(self.board, "count", 0) + 1 if self.board.exists("count") else 1
            return Status.RUNNING

    tree = BehaviourTree(Counter())
    with record(tree, store=store) as recording:
        for _ in range(3):
            tree.tick()
    assert changes(recording) == [(n, {"/stock/count": str(n)}, []) for n in (1, 2, 3)]
