"""The agent's tree as py_trees_ros shows it: snapshot streams that stay right while the tree is rewritten.

py_trees_ros is imported here, so this module takes a sourced ROS.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import py_trees
import py_trees_ros
from py_trees.behaviour import Behaviour
from rclpy.clock import Clock as RclpyClock
from rclpy.lifecycle import LifecycleNode

from foretree.bringup.ros.snapshots import NodeMessages, publish
from foretree.trees.fast_tick import FastTick, Handler

T = TypeVar("T")


class TreeNode(LifecycleNode):  # type: ignore[misc]
    """A lifecycle node that can have callbacks wait while the tree is ticked.

    py_trees_ros takes ticks and the callbacks of its services to come from one thread, and keeps no locks.
    Here another thread spins the node.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        self._turn: threading.RLock | None = None
        super().__init__(*arguments, **options)

    def taking_turns(self, turn: threading.RLock, make: Callable[[], T]) -> T:
        """Do what *make* does; the callbacks that it registers wait for *turn* when they are called."""
        self._turn = turn
        try:
            return make()
        finally:
            self._turn = None

    def create_service(
        self, srv_type: Any, srv_name: str, callback: Callable[..., Any], **options: Any
    ) -> Any:
        """Create a service."""
        return super().create_service(srv_type, srv_name, self._in_turn(callback), **options)

    def add_on_set_parameters_callback(self, callback: Callable[..., Any]) -> None:
        """Have *callback* asked about new values of parameters."""
        super().add_on_set_parameters_callback(self._in_turn(callback))

    def _in_turn(self, callback: Callable[..., Any]) -> Callable[..., Any]:
        turn = self._turn
        if turn is None:
            return callback

        def waiting(*arguments: Any) -> Any:
            with turn:
                return callback(*arguments)

        return waiting


class WatchedTree(FastTick, py_trees_ros.trees.BehaviourTree):  # type: ignore[misc]
    """A tree of py_trees_ros for one root after the other, with a tick that does not walk over all nodes.

    Each session has a root of its own; streams that are open stay open, and show the next one.

    Args:
        node: has the services and topics of the tree.
    """

    def __init__(self, node: TreeNode) -> None:
        super().__init__(py_trees.behaviours.Dummy(name="no goal so far"))
        self._turn = threading.RLock()
        self._edited = False
        self._messages = NodeMessages()
        self._ros_node = node
        # Before what publishes, which the setup appends.
        self.post_tick_handlers.append(self._note_edits)
        node.taking_turns(self._turn, lambda: super(WatchedTree, self).setup(node=node))

    def take(self, root: Behaviour) -> WatchedTree:
        """Tick *root* from now on; returns the tree itself."""
        with self._turn:
            self.root = root
            self._edited = True
            for node in root.iterate():
                if hasattr(node, "on_splice"):
                    node.on_splice.append(self._spliced)
            self._messages.of(root, ())  # made before the first tick, which has less time
        return self

    def setup(self, **options: Any) -> None:
        """Set up the nodes of the present root. What is of ROS is there already."""
        py_trees.trees.setup(self.root, node=self._ros_node, **options)

    def tick(self, pre_tick_handler: Handler | None = None, post_tick_handler: Handler | None = None) -> None:
        """Tick the tree once."""
        with self._turn:
            super().tick(pre_tick_handler, post_tick_handler)

    def show(self) -> None:
        """Publish the tree as it is now: at the end of a session, nodes were stopped by no tick."""
        with self._turn:
            self.snapshot_visitor.visited = {}
            if self.tree_update_handler is not None:
                self.tree_update_handler()

    def _snapshots_post_tick_handler(self, tree: Any) -> None:
        """Publish what is due, in place of the base class, which makes all messages anew."""
        self._publish(self.snapshot_visitor.changed)
        self.blackboard_exchange.post_tick_handler(
            visited_client_ids=self.snapshot_visitor.visited_blackboard_client_ids
        )

    def _on_tree_update_handler(self) -> None:
        """Publish the tree as it is now, if it was ever ticked."""
        if self.statistics is not None:
            self.statistics.stamp = RclpyClock().now().to_msg()
            self._publish(changed=True)

    def _publish(self, changed: bool) -> None:
        visitor = self.snapshot_visitor
        publish(
            self.snapshot_streams.values(),
            self._messages,
            self.root,
            changed,
            self.statistics,
            visitor.visited,
            visitor.visited_blackboard_client_ids,
        )

    def _spliced(self, removed: Sequence[Behaviour], added: Sequence[Behaviour]) -> None:
        self._edited = True

    def _note_edits(self, tree: Any) -> None:
        """Have the tree published where nodes came or left, although no node that was ticked has changed."""
        if self._edited:
            self.snapshot_visitor.changed = True
            self._edited = False
