"""Snapshots of a tree for the streams of py_trees_ros, of which only what has changed is made anew.

py_trees_ros makes the messages of all nodes anew for each stream and snapshot, in the tick: with 200 nodes,
more than a tick at 50 Hz has time for. Here the message of a node is kept until what it says has changed.

py_trees_ros is imported here, so this module takes a sourced ROS.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Mapping
from typing import Any
from uuid import UUID

from diagnostic_msgs.msg import KeyValue
from py_trees.behaviour import Behaviour
from py_trees.blackboard import Blackboard
from py_trees_ros import conversions
from py_trees_ros.trees import SnapshotStream
from py_trees_ros_interfaces.msg import BehaviourTree, Statistics

#: The share of its period after which a stream is due: ticks do not come at exact times.
_NEARLY_DUE = 0.98


class NodeMessages:
    """The messages of a tree's nodes, as py_trees_ros makes them."""

    def __init__(self) -> None:
        self._kept: dict[UUID, tuple[tuple[Any, ...], Any]] = {}

    def of(self, root: Behaviour, visited: Collection[UUID]) -> list[Any]:
        """Return the messages of all nodes under *root*; those that were *visited* count as active.

        The messages are those of the next call as well: publish them before.
        """
        messages, kept = [], {}
        for node in root.iterate():
            said = _said_of(node)
            before = self._kept.get(node.id)
            message = (
                before[1] if before is not None and before[0] == said else conversions.behaviour_to_msg(node)
            )
            message.is_active = node.id in visited
            kept[node.id] = said, message
            messages.append(message)
        self._kept = kept
        return messages


def _said_of(node: Behaviour) -> tuple[Any, ...]:
    """Return all that the message of a node depends on."""
    tip, current = node.tip(), getattr(node, "current_child", None)
    return (
        node.name,
        node.status,
        node.feedback_message,
        node.parent and node.parent.id,
        tip and tip.id,
        current and current.id,
        [child.id for child in node.children],
        node.blackbox_level,
        conversions.additional_detail_to_str(node),
        [(*client.read, None, *client.write, None, *client.exclusive) for client in node.blackboards],
    )


def publish(
    streams: Iterable[SnapshotStream],
    messages: NodeMessages,
    root: Behaviour,
    changed: bool,
    statistics: Statistics | None,
    visited: Mapping[UUID, Any],
    clients: set[UUID],
) -> None:
    """Publish a snapshot on those of *streams* that are due.

    Args:
        streams: the streams.
        messages: the messages that are kept of the tree's nodes.
        root: the tree.
        changed: whether it differs from its last snapshot.
        statistics: of its ticks.
        visited: the nodes of the last tick.
        clients: the blackboard clients of these nodes.
    """
    now = time.monotonic()
    nodes: list[Any] | None = None
    for stream in streams:
        last, wanted = stream.last_snapshot_timestamp, stream.parameters
        if last is not None and not changed and now - last < _NEARLY_DUE * wanted.snapshot_period:
            continue
        if nodes is None:
            nodes = messages.of(root, visited)
        snapshot = BehaviourTree()
        snapshot.changed = changed or last is None
        snapshot.behaviours.extend(nodes)
        if wanted.blackboard_data:
            snapshot.blackboard_on_visited_path.extend(_blackboard(clients))
        if wanted.blackboard_activity and Blackboard.activity_stream is not None:
            snapshot.blackboard_activity = conversions.activity_stream_to_msgs()
        if statistics is not None:
            snapshot.statistics = statistics
        stream.publisher.publish(snapshot)
        stream.last_snapshot_timestamp = now


def _blackboard(clients: set[UUID]) -> Iterable[KeyValue]:
    for key in Blackboard.keys_filtered_by_clients(client_ids=clients):
        yield KeyValue(key=key, value=str(Blackboard.storage.get(key, "-")))
