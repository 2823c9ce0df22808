"""The tree at a moment, for those who draw it or write it out: each node with its role and its action."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from foretree.runs.node_types import GUARD_TYPES, PLAN_TYPE

if TYPE_CHECKING:
    from foretree.runs.views.run_state import ActionState, Node, RunState

#: What a node is for in its tree. ``composite`` has several children and none of the other roles.
Role: TypeAlias = Literal[
    "plan", "guard", "sequence", "selector", "parallel", "composite", "decorator", "leaf"
]

#: Signs of statuses, so that they can be told without colours.
STATUS_SIGNS = {"SUCCESS": "✓", "FAILURE": "✕", "RUNNING": "▶"}

#: Colours of statuses: that of a box, and that of its edge.
STATUS_COLOURS = {
    "SUCCESS": ("#dcf2e4", "#23804a"),
    "FAILURE": ("#fbe0dc", "#b93425"),
    "RUNNING": ("#fff0c4", "#a86a00"),
    "INVALID": ("#ffffff", "#8a929c"),
}

_ROLES: dict[str, Role] = {
    PLAN_TYPE: "plan",
    **dict.fromkeys(GUARD_TYPES, "guard"),
    "Sequence": "sequence",
    "Selector": "selector",
    "Parallel": "parallel",
}


class TreeItem(NamedTuple):
    """A node of the tree.

    Attributes:
        depth: how deep it is; the root's is 0.
        action: the action of a plan that it is for, or a guard of; None outside of plans.
    """

    depth: int
    node: Node
    role: Role
    action: ActionState | None

    @property
    def acts(self) -> bool:
        """Return whether it is the node that carries the action out."""
        return self.action is not None and self.role == "leaf"


def tree_items(state: RunState) -> Iterator[TreeItem]:
    """The nodes of the tree, each before its children, and those in order."""
    # The record does not say which types are decorators: they never have more children than one.
    composites = {node.type for node in state.nodes.values() if len(node.children) > 1}
    path: list[ActionState | None] = []
    for depth, node in state.walk():
        del path[depth:]
        action = state.action_of(node) or (path[-1] if path else None)
        path.append(action)
        yield TreeItem(depth, node, _role(node, composites), action)


def waits_for(state: RunState, item: TreeItem) -> list[str]:
    """The ids of the actions that have to end before that of *item* begins."""
    if item.action is None:
        return []
    return sorted(name for name in state.order.get(item.action.id, ()) if name in state.plan)


def _role(node: Node, composites: set[str]) -> Role:
    known = _ROLES.get(node.type)
    if node.type in composites and known in (None, "guard"):  # a guard only in a damaged record
        return "composite"
    return known or ("decorator" if node.children else "leaf")
