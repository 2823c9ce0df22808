"""Trees in Graphviz's language."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from foretree.runs.export.tree_items import (
    STATUS_COLOURS,
    STATUS_SIGNS,
    Role,
    TreeItem,
    tree_items,
    waits_for,
)

if TYPE_CHECKING:  # to write the tree of a plan takes no run's file
    from foretree.runs.export.run_source import RunSource

#: The shapes of the roles that are no boxes.
_SHAPES = {"plan": "folder", "leaf": "ellipse", "guard": "diamond", "selector": "octagon"}


class DotNode(NamedTuple):
    """A node of a drawing.

    Attributes:
        status: SUCCESS, FAILURE, RUNNING or INVALID; empty where the tree is no more than a plan.
    """

    label: str
    role: Role
    status: str = ""


def dot(nodes: Iterable[tuple[int, DotNode]], order: Iterable[tuple[int, int]] = ()) -> Iterator[str]:
    """A tree, line by line.

    Args:
        nodes: the nodes with their depths, each before its children.
        order: which nodes come before which others without being above them, both by number; drawn dashed.
    """
    yield "digraph foretree {\n"
    yield '  node [fontname="Helvetica" fontsize=10];\n'
    yield "  ordering=out;\n"
    path: list[int] = []
    for number, (depth, node) in enumerate(nodes):
        del path[depth:]
        path.append(number)
        shape = _SHAPES.get(node.role, "box")
        yield f"  n{number} [label={_quoted(node.label)} shape={shape}{_look(node.status)}];\n"
        if depth:
            yield f"  n{path[-2]} -> n{number};\n"
    for before, after in order:
        yield f"  n{before} -> n{after} [style=dashed constraint=false];\n"
    yield "}\n"


def tree_as_dot(source: RunSource) -> Iterator[str]:
    """The tree at a moment, with the statuses of its nodes and the order of the plan."""
    state = source.tree()
    items = list(tree_items(state))
    # An action's outermost node stands for it: what is drawn there comes before what is drawn below it.
    numbers: dict[str, int] = {}
    for number, item in enumerate(items):
        if item.action is not None:
            numbers.setdefault(item.action.id, number)
    order = [
        (numbers[before], number)
        for name, number in numbers.items()
        for before in waits_for(state, items[number])
        if before in numbers
    ]
    yield from dot(((item.depth, _drawn(item)) for item in items), order)


def _drawn(item: TreeItem) -> DotNode:
    sign = STATUS_SIGNS.get(item.node.status)
    label = f"{sign} {item.node.name}" if sign else item.node.name
    return DotNode(
        f"{label}\n{item.node.message}" if item.node.message else label, item.role, item.node.status
    )


def _look(status: str) -> str:
    if status not in STATUS_COLOURS:
        return ""
    fill, edge = STATUS_COLOURS[status]
    return f' style=filled fillcolor="{fill}" color="{edge}"'


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
