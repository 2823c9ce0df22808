"""Types of tree nodes in records: those with a meaning of their own, and those that were renamed."""

from __future__ import annotations

from typing import Any

#: The type whose children are the plan's actions.
PLAN_TYPE = "PlanNode"

#: The types of the decorators that check before an action begins.
GUARD_TYPES = frozenset({"Presence", "Appearance", "Attribute", "Relationship"})

#: The former names of node types, and their present ones.
RENAMED_NODE_TYPES = {
    "ChooseOutlook": "ChooseSearchTarget",
    "Persevere": "RetryUntilReached",
    "TakeUp": "ResumeInFlight",
}

#: The kinds of events that describe nodes, and the field that they do it in.
_NODE_FIELDS = {"tree.built": "nodes", "tree.spliced": "added"}

#: The kinds of events in which types of nodes stand.
NODE_EVENTS = frozenset(_NODE_FIELDS)


def current_node_type(name: Any) -> Any:
    """The present name of a node type; a value that is not a former name is returned as it is."""
    return RENAMED_NODE_TYPES.get(name, name) if isinstance(name, str) else name


def with_current_node_types(kind: str, data: Any) -> Any:
    """The data of an event with the present names of the node types in it."""
    name = _NODE_FIELDS.get(kind)
    nodes = data.get(name) if name is not None and isinstance(data, dict) else None
    if not isinstance(nodes, list):
        return data
    return {**data, name: [_renamed(node) for node in nodes]}


def _renamed(node: Any) -> Any:
    if isinstance(node, dict) and "type" in node:
        return {**node, "type": current_node_type(node["type"])}
    return node
