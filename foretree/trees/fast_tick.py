"""A tick that costs what runs, not how large the tree is."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

from py_trees.trees import BehaviourTree


class FastTick:
    """Mix into a ``BehaviourTree`` (py_trees' own or py_trees_ros's) to skip what was not asked for.

    py_trees walks over every node after every tick, in case a visitor wants to see them all. Here that
    happens only if one does. Handlers and visitors work as they always do, at their own price::

        class MyTree(FastTick, py_trees_ros.trees.BehaviourTree): ...
    """

    def tick(
        self,
        pre_tick_handler: Callable[[Any], None] | None = None,
        post_tick_handler: Callable[[Any], None] | None = None,
    ) -> None:
        """Tick the tree once."""
        tree: Any = self
        if pre_tick_handler is not None or post_tick_handler is not None or tree.visitors:
            super().tick(pre_tick_handler, post_tick_handler)  # type: ignore[misc]
            return
        for handler in tree.pre_tick_handlers:
            handler(self)
        deque(tree.root.tick(), maxlen=0)
        for handler in tree.post_tick_handlers:
            handler(self)
        tree.count += 1


class FastTree(FastTick, BehaviourTree):
    """py_trees' ``BehaviourTree`` with a :class:`FastTick`."""
