"""The tree as the run record keeps it: built once, then what changed, tick by tick.

Nothing of the agent is loaded for it: trees without plan nodes are recorded, too.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, Protocol
from uuid import UUID

from py_trees.behaviour import Behaviour
from py_trees.common import Status
from py_trees.composites import Composite
from py_trees.decorators import Decorator

from foretree.printable import cut
from foretree.runs.events import Recorder

#: Looking for a node among a few costs as much as looking at so many one by one.
_FEW = 8
#: So many nodes that a tick did not visit have their turn after it.
_IN_TURN = 12


class EditsItself(Protocol):
    """A node that changes its children by itself, and tells of it: a plan node."""

    id: UUID
    children: list[Behaviour]
    on_splice: list[Callable[[Sequence[Behaviour], Sequence[Behaviour]], None]]

    @property
    def touched(self) -> Sequence[Behaviour]:
        """The nodes below it that the last tick touched."""
        ...


class TreeRecord:
    """Watches a tree for the record.

    Nodes outside plan nodes are few and looked at after every tick; within a plan node only what the tick
    touched is.

    Args:
        root: the tree.
        recorder: where to.
        plan_came: called with each plan node that is in the tree, or comes into it.
    """

    def __init__(
        self,
        root: Behaviour,
        recorder: Recorder,
        plan_came: Callable[[Any], object] = lambda plan: None,
    ) -> None:
        self._recorder = recorder
        self._plan_came = plan_came
        #: The id on record of each node, and the children that it has on record.
        self._names: dict[UUID, str] = {}
        self._children: dict[UUID, list[Behaviour]] = {}
        self._taken: set[str] = set()
        self._last: dict[str, tuple[str, str]] = {}
        #: The plan nodes, each with what listens to it.
        self._plans: dict[UUID, tuple[EditsItself, Callable[..., None]]] = {}
        #: The nodes within plan nodes that run, as far as is on record.
        self._running: dict[UUID, Behaviour] = {}
        #: What the nodes outside plan nodes were like when they were last looked at.
        self._statuses: list[Any] = []
        self._messages: list[Any] = []
        self._turn = 0
        self._build(root)

    def close(self) -> None:
        """Watch no more."""
        for plan, listener in self._plans.values():
            plan.on_splice.remove(listener)
        self._plans.clear()

    # -- statuses ----------------------------------------------------------------------------------------
    def tick(self) -> Collection[str]:
        """Record which nodes are not as they were after the last tick, and return them."""
        return self._record_statuses(self._suspects())

    def look(self, root: Behaviour, visited: Sequence[Behaviour] | None = None) -> None:
        """Record how the tree was edited since the last look, and what is not as it was.

        Args:
            root: the tree; another one than before takes its place.
            visited: the nodes that a tick has visited since, if that is known. If they are few of many, they
                are looked at, what they have stopped, and others in turn: what a tick did not come to hardly
                ever changes.
        """
        suspects = None
        if visited is not None and root is self._root and _FEW * len(visited) < len(self._outer):
            suspects = self._suspects_among(visited)
        if suspects is None:
            self._follow_edits(root)
            suspects = self._suspects()
        self._record_statuses(suspects)

    def _record_statuses(self, suspects: Sequence[Behaviour]) -> Collection[str]:
        changed: dict[str, list[str]] = {}
        for node in suspects:
            self._compare(node, changed)
        for plan, _ in self._plans.values():
            for node in plan.touched:
                if node.id in self._names and self._compare(node, changed) and node.status is Status.RUNNING:
                    self._running[node.id] = node
        # What was stopped together with its plan node was not touched by a tick.
        for node in [node for node in self._running.values() if node.status is not Status.RUNNING]:
            del self._running[node.id]
            self._compare(node, changed)
        if changed:
            self._recorder.record("tree.changed", status=changed)
        return changed

    def _suspects(self) -> list[Behaviour]:
        """The nodes outside plan nodes that seem to be different from before."""
        statuses = [node.status for node in self._outer]
        messages = [node.feedback_message for node in self._outer]
        if statuses == self._statuses and messages == self._messages:
            return []
        now = zip(self._outer, statuses, self._statuses, messages, self._messages, strict=True)
        found = [node for node, a, was_a, b, was_b in now if a is not was_a or b is not was_b]
        self._statuses, self._messages = statuses, messages
        return found

    def _suspects_among(self, visited: Sequence[Behaviour]) -> list[Behaviour] | None:
        """Those that seem to be different, of *visited*, of what they have stopped, and of a few others.

        Returns:
            None if the tree was edited.
        """
        places, statuses, messages, inner = self._places, self._statuses, self._messages, self._inner
        found = []
        self._turn = (self._turn + _IN_TURN) % len(self._outer)
        queue = [*visited, *self._outer[self._turn : self._turn + _IN_TURN]]
        for node in queue:
            place = places.get(id(node))
            if place is None:
                continue  # within a plan node
            if node.status is not statuses[place] or node.feedback_message is not messages[place]:
                statuses[place], messages[place] = node.status, node.feedback_message
                found.append(node)
            if (below := inner[place]) is not None:
                children, their_places = below
                if node.children != children:
                    return None
                for child, at in zip(children, their_places, strict=True):
                    if child.status is not statuses[at]:
                        queue.append(child)
        return found

    def _compare(self, node: Behaviour, changed: dict[str, list[str]]) -> bool:
        """Note *node* if it is not as it is on record; returns whether that is so."""
        name = self._names[node.id]
        now = (node.status.value, _as_text(node.feedback_message))
        if self._last.get(name, ("INVALID", "")) == now:
            return False
        self._last[name] = now
        changed[name] = list(now)
        return True

    # -- structure ---------------------------------------------------------------------------------------
    def _follow_edits(self, root: Behaviour) -> None:
        """Record how the tree was edited. Plan nodes tell of their own edits at once."""
        if root is not self._root:
            self._build(root)
        elif [node.children for node in self._parents] != self._kept:
            for parent, gone in self._edited():
                came = [child for child in parent.children if child.id not in self._names]
                self._splice(parent, gone, came)
            self._index()
            if not all(node.id in self._names for node in self._outer):
                self._build(root)  # a node hung at two places, and was taken from one of them

    def _build(self, root: Behaviour) -> None:
        self.close()
        for known in (self._names, self._children, self._taken, self._last, self._running):
            known.clear()
        self._root = root
        self._recorder.record("tree.built", nodes=list(self._describe(root, None)))
        self._index()

    def _index(self) -> None:
        """Find the nodes that are looked at after every tick."""
        self._outer = list(self._outside())
        self._parents = [
            node
            for node in self._outer
            if node.id not in self._plans and (node.children or isinstance(node, Composite | Decorator))
        ]
        #: Copies of their lists of children.
        self._kept = [list(node.children) for node in self._parents]
        #: For each of the nodes, by its identity, its place in the lists below.
        self._places = {id(node): place for place, node in enumerate(self._outer)}
        #: The children that each of them had, and their places; None of a leaf.
        self._inner: list[tuple[list[Behaviour], list[int]] | None] = [None] * len(self._outer)
        for node, children in zip(self._parents, self._kept, strict=True):
            self._inner[self._places[id(node)]] = children, [self._places[id(child)] for child in children]
        # Nothing that they can be like, so that all are compared with the record.
        self._statuses = [None] * len(self._outer)
        self._messages = [None] * len(self._outer)

    def _outside(self) -> Iterator[Behaviour]:
        """The nodes that are not within plan nodes, each before its children."""
        stack = [self._root]
        while stack:
            node = stack.pop()
            yield node
            if node.id not in self._plans:
                stack.extend(reversed(node.children))

    def _edited(self) -> list[tuple[Behaviour, list[str]]]:
        """The nodes with other children than before, and the ids of what has left them, which is forgotten.

        A node that was moved has left one and come to another: its id says where it is.
        """
        found = []
        stack = [self._root]
        while stack:
            node = stack.pop()
            if node.id in self._plans or node.id not in self._children:
                continue
            before, now = self._children[node.id], list(node.children)
            staying = {child.id for child in before} & {child.id for child in now}
            if before != now:
                gone = [name for child in before if child.id not in staying for name in self._forget(child)]
                self._children[node.id] = now
                found.append((node, gone))
            stack.extend(child for child in reversed(now) if child.id in staying)
        return found

    def _splice(self, parent: Any, gone: list[str], came: Sequence[Behaviour]) -> None:
        added = [described for top in came for described in self._describe(top, parent)]
        order = [self._names[child.id] for child in parent.children if child.id in self._names]
        below = self._names[parent.id]
        self._recorder.record("tree.spliced", below=below, removed=gone, added=added, order=order)

    def _describe(self, node: Any, parent: Any, *, in_plan: bool = False) -> Iterator[dict[str, Any]]:
        """The nodes from *node* down as the record has them; they are known from then on."""
        if node.id in self._names:
            return  # it hangs at two places
        below_plan = parent is not None and parent.id in self._plans
        above = self._names[parent.id] if parent is not None else None
        label = _label(node, below_plan, in_plan or below_plan)
        name = self._new_name(f"{above}/{label}" if above is not None else label)
        self._names[node.id] = name
        children = self._children[node.id] = list(node.children)
        yield {"id": name, "parent": above, "name": _as_text(node.name), "type": type(node).__name__}
        if hasattr(node, "on_splice"):
            self._watch(node)
        for child in children:
            yield from self._describe(child, node, in_plan=in_plan or below_plan)

    def _new_name(self, name: str) -> str:
        unique, number = name, 2
        while unique in self._taken:
            unique, number = f"{name}~{number}", number + 1
        self._taken.add(unique)
        return unique

    def _watch(self, plan: EditsItself) -> None:
        def spliced(removed: Sequence[Behaviour], added: Sequence[Behaviour]) -> None:
            gone = [name for top in removed for name in self._forget(top)]
            self._splice(plan, gone, added)
            self._children[plan.id] = list(plan.children)

        plan.on_splice.append(spliced)
        self._plans[plan.id] = plan, spliced
        self._plan_came(plan)

    def _forget(self, top: Behaviour) -> Iterator[str]:
        stack = [top]
        while stack:
            node = stack.pop()
            name = self._names.pop(node.id, None)
            if name is None:
                continue
            self._last.pop(name, None)
            self._taken.discard(name)
            self._running.pop(node.id, None)
            if node.id in self._plans:
                plan, listener = self._plans.pop(node.id)
                plan.on_splice.remove(listener)
            stack.extend(reversed(self._children.pop(node.id)))
            yield name


def _label(node: Any, outermost: bool, in_plan: bool) -> str:
    """The name of a node in its path: within a plan, an action's outermost node by the action's id."""
    if in_plan and hasattr(node, "action") and hasattr(node, "kind"):
        return str(node.action.id if outermost else node.kind)
    return _as_text(node.name).replace("/", "-")


def _as_text(value: object) -> str:
    """A name or a message as text: the nodes of other people may hold anything there, of any length."""
    return cut(value if isinstance(value, str) else "" if value is None else str(value))
