"""A stand-in for py_trees_ros's tree: its interface and its ways, without ROS.

What matters of ``py_trees_ros.trees.BehaviourTree``: it is a subclass of py_trees' tree; it has a snapshot
visitor and handlers of its own before and after each tick, and a third one from ``setup`` on; ``setup`` hands a
node of ROS to the behaviours and sets the handler of edits; ``tick_tock`` returns at once, since a timer of ROS
ticks, by the tree's public ``tick``; ``shutdown`` ends the timer, shuts the behaviours down, and then the node.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import py_trees
from py_trees.blackboard import Blackboard


class Timer:
    def __init__(self, callback: Callable[[], object]) -> None:
        self.callback = callback
        self.cancelled = False

    def cancel(self) -> None:
        self.cancelled = True


class Node:
    """A node of ROS with timers; :meth:`spin` has each go off as often as is said."""

    def __init__(self) -> None:
        self.timers: list[Timer] = []
        self.destroyed = False

    def create_timer(self, period: float, callback: Callable[[], object]) -> Timer:
        self.timers.append(Timer(callback))
        return self.timers[-1]

    def destroy_timer(self, timer: Timer) -> None:
        self.timers.remove(timer)

    def destroy_node(self) -> None:
        self.destroyed = True

    def spin(self, times: int) -> None:
        for _ in range(times):
            for timer in [timer for timer in self.timers if not timer.cancelled]:
                timer.callback()


class RosTree(py_trees.trees.BehaviourTree):
    def __init__(self, root: Any, unicode_tree_debug: bool = False) -> None:
        super().__init__(root)
        self.snapshot_visitor = py_trees.visitors.SnapshotVisitor()
        self.visitors.append(self.snapshot_visitor)
        self.begun = self.ended = self.edits = self.published = 0
        self.pre_tick_handlers.append(self._before)
        self.post_tick_handlers.append(self._after)
        self.node: Node | None = None
        self.timer: Timer | None = None

    def setup(
        self, node: Node | None = None, timeout: Any = py_trees.common.Duration.INFINITE, **named: Any
    ) -> None:
        self.node = node or Node()
        self.tree_update_handler = self._on_edit
        self.post_tick_handlers.append(self._publish)
        Blackboard.enable_activity_stream()
        super().setup(timeout, node=self.node, **named)

    def tick_tock(
        self,
        period_ms: int,
        number_of_iterations: int = -1,
        pre_tick_handler: Any = None,
        post_tick_handler: Any = None,
    ) -> None:
        self.timer = self.node.create_timer(
            period_ms / 1000,
            partial(self._on_timer, number_of_iterations, pre_tick_handler, post_tick_handler),
        )
        self.tick_tock_count = 0

    def shutdown(self) -> None:
        if self.node is not None and self.timer is not None:
            self.timer.cancel()
            self.node.destroy_timer(self.timer)
        super().shutdown()
        if self.node is not None:
            self.node.destroy_node()

    def _on_timer(self, iterations: int, before: Any, after: Any) -> None:
        if iterations == py_trees.trees.CONTINUOUS_TICK_TOCK or self.tick_tock_count < iterations:
            self.tick(before, after)
            self.tick_tock_count += 1
        else:
            self.timer.cancel()

    def _before(self, tree: Any) -> None:
        self.begun += 1

    def _after(self, tree: Any) -> None:
        self.ended += 1

    def _on_edit(self) -> None:
        self.edits += 1

    def _publish(self, tree: Any) -> None:
        self.published += bool(self.snapshot_visitor.changed)
        Blackboard.activity_stream.clear()
