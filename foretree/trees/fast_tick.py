"""A tick that costs what runs, not how large the tree is."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from typing import Any

from py_trees.trees import BehaviourTree

Handler = Callable[[Any], None]

#: Goes through nodes as they are ticked, and keeps none.
_ignore = deque[Any](maxlen=0).extend


class FastTick:
    """Mix into a ``BehaviourTree`` (py_trees' own or py_trees_ros's) to skip what was not asked for.

    py_trees walks over every node after every tick, in case a visitor wants to see them all. Here that
    happens only if one does. Handlers and visitors work as they always do, at their own price::

        class MyTree(FastTick, py_trees_ros.trees.BehaviourTree): ...
    """

    def tick(self, pre_tick_handler: Handler | None = None, post_tick_handler: Handler | None = None) -> None:
        """Tick the tree once."""
        if walks(self):
            super().tick(pre_tick_handler, post_tick_handler)  # type: ignore[misc]
        else:
            tick_without_walk(self, _ignore, pre_tick_handler, post_tick_handler)


class FastTree(FastTick, BehaviourTree):
    """py_trees' ``BehaviourTree`` with a :class:`FastTick`."""


def ticks_as_usual(tree: Any) -> bool:
    """Return whether a tree is ticked as py_trees or :class:`FastTick` does it, not in a way of its own."""
    return type(tree).tick in (BehaviourTree.tick, FastTick.tick)


def walks(tree: Any) -> bool:
    """Return whether a visitor wants to see all nodes after each tick."""
    visitors = tree.visitors
    return bool(visitors) and any(visitor.full for visitor in visitors)


def tick_without_walk(
    tree: Any,
    see: Callable[[Iterable[Any]], object],
    pre_tick_handler: Handler | None = None,
    post_tick_handler: Handler | None = None,
) -> None:
    """Tick a tree that does not have to walk: what py_trees does, less the walk.

    Args:
        tree: a ``BehaviourTree``.
        see: takes in the nodes as they are ticked.
        pre_tick_handler: is called before all others.
        post_tick_handler: is called after all others.
    """
    if pre_tick_handler is not None:
        pre_tick_handler(tree)
    for handler in tree.pre_tick_handlers:
        handler(tree)
    visitors = tree.visitors
    if not visitors:
        see(tree.root.tick())
    else:
        for visitor in visitors:
            visitor.initialise()
        see(_shown(tree.root.tick(), visitors))
        for visitor in visitors:
            visitor.finalise()
    for handler in tree.post_tick_handlers:
        handler(tree)
    if post_tick_handler is not None:
        post_tick_handler(tree)
    tree.count += 1


def _shown(nodes: Iterable[Any], visitors: Iterable[Any]) -> Iterable[Any]:
    """The nodes, each of which the visitors have seen."""
    for node in nodes:
        for visitor in visitors:
            node.visit(visitor)
        yield node
