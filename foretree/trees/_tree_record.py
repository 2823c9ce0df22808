"""The tree as the run record keeps it: built once, then what changed, tick by tick."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any
from uuid import UUID

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from foretree.behaviours.act import Act
from foretree.behaviours.guards import Guard
from foretree.runs.events import Recorder
from foretree.trees.export import downwards
from foretree.trees.plan_node import PlanNode


class TreeRecord:
    """Watches a tree for the record.

    Nodes outside plan nodes are few and looked at after every tick; within a plan node only what the tick
    touched is.

    Args:
        root: the tree.
        recorder: where to.
    """

    def __init__(self, root: Behaviour, recorder: Recorder) -> None:
        self._recorder = recorder
        self._names: dict[UUID, str] = {}
        self._taken: set[str] = set()
        self._last: dict[str, tuple[str, str]] = {}
        nodes = [node for _, node in downwards(root)]
        recorder.record("tree.built", nodes=[self._describe(node) for node in nodes])
        self._plans = [node for node in nodes if isinstance(node, PlanNode)]
        inner = {node.id for plan in self._plans for _, node in downwards(plan) if node is not plan}
        self._outer = [node for node in nodes if node.id not in inner]
        #: What each of these was like when it was last looked at.
        self._were = [(Status.INVALID, "")] * len(self._outer)
        for plan in self._plans:
            plan.on_splice.append(self._listener(plan))

    def tick(self) -> Collection[str]:
        """Record which nodes are not as they were after the last tick, and return them."""
        changed: dict[str, list[str]] = {}
        for index, node in enumerate(self._outer):
            status, message = self._were[index]
            if node.status is not status or node.feedback_message != message:
                self._were[index] = node.status, node.feedback_message
                self._compare(node, changed)
        for plan in self._plans:
            for node in plan.touched:
                if node.id in self._names:
                    self._compare(node, changed)
        if changed:
            self._recorder.record("tree.changed", status=changed)
        return changed

    def _compare(self, node: Behaviour, changed: dict[str, list[str]]) -> None:
        name = self._names[node.id]
        now = (node.status.value, node.feedback_message)
        if self._last.get(name, ("INVALID", "")) != now:
            self._last[name] = now
            changed[name] = list(now)

    def _listener(self, plan: PlanNode) -> Any:
        def spliced(removed: Sequence[Behaviour], added: Sequence[Behaviour]) -> None:
            gone = [name for top in removed for name in self._forget(top)]
            came = [self._describe(node) for top in added for _, node in downwards(top)]
            order = [self._names[child.id] for child in plan.children]
            self._recorder.record(
                "tree.spliced", below=self._names[plan.id], removed=gone, added=came, order=order
            )

        return spliced

    def _forget(self, top: Behaviour) -> Iterator[str]:
        for _, node in downwards(top):
            name = self._names.pop(node.id, None)
            if name is not None:
                self._last.pop(name, None)
                self._taken.discard(name)
                yield name

    def _describe(self, node: Behaviour) -> dict[str, Any]:
        parent = self._names.get(node.parent.id) if node.parent is not None else None
        name = f"{parent}/{_label(node)}" if parent else _label(node)
        unique, number = name, 2
        while unique in self._taken:
            unique, number = f"{name}~{number}", number + 1
        self._taken.add(unique)
        self._names[node.id] = unique
        return {"id": unique, "parent": parent, "name": node.name, "type": type(node).__name__}


def _label(node: Behaviour) -> str:
    """The name of a node in its path: an action's outermost node by the action's id."""
    outermost = isinstance(node.parent, PlanNode)
    if isinstance(node, (Act, Guard)):
        kind = "act" if isinstance(node, Act) else node.kind
        return node.action.id if outermost else kind
    return str(node.name).replace("/", "-")
