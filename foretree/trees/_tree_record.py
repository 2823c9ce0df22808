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
#: So many nodes that ticks did not visit have their turn after every so many of them.
_IN_TURN, _TURN_EVERY = 48, 4

#: What a node is like before the record says otherwise: its status and its message.
_AT_FIRST = ("INVALID", "")


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
        self._looks = 0
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

    def _record_statuses(self, suspects: Sequence[int]) -> Collection[str]:
        changed: dict[str, list[str]] = {}
        for place in suspects:
            self._compare(self._outer_names[place], self._outer[place], changed)
        for plan, _ in self._plans.values():
            for node in plan.touched:
                name = self._names.get(node.id)
                if name is not None and self._compare(name, node, changed) and node.status is Status.RUNNING:
                    self._running[node.id] = node
        # What was stopped together with its plan node was not touched by a tick.
        if self._running:
            for node in [node for node in self._running.values() if node.status is not Status.RUNNING]:
                del self._running[node.id]
                self._compare(self._names[node.id], node, changed)
        if changed:
            self._recorder.record("tree.changed", status=changed)
        return changed

    def _suspects(self) -> list[int]:
        """The places of the nodes outside plan nodes that seem to be different from before."""
        statuses = [node.status for node in self._outer]
        messages = [node.feedback_message for node in self._outer]
        if statuses == self._statuses and messages == self._messages:
            return []
        now = zip(statuses, self._statuses, messages, self._messages, strict=True)
        found = [place for place, (a, was_a, b, was_b) in enumerate(now) if a is not was_a or b is not was_b]
        self._statuses, self._messages = statuses, messages
        return found

    def _suspects_among(self, visited: Sequence[Behaviour]) -> list[int] | None:
        """The places of those that seem different, of *visited*, what they have stopped, and a few others.

        Returns:
            None if the tree was edited.
        """
        places, statuses, messages, below = self._places, self._statuses, self._messages, self._below
        found = []
        queue = [*visited, *self._odd_in_turn()]
        for node in queue:
            place = places.get(id(node))
            if place is None:
                continue  # within a plan node
            if node.status is not statuses[place] or node.feedback_message is not messages[place]:
                statuses[place], messages[place] = node.status, node.feedback_message
                found.append(place)
            if (children := below[place]) is not None:
                before, first, end = children
                if node.children != before:
                    return None
                were = statuses[first:end]
                if [child.status for child in before] != were:
                    queue += [
                        child for child, was in zip(before, were, strict=True) if child.status is not was
                    ]
        return found

    def _odd_in_turn(self) -> Sequence[Behaviour]:
        """The nodes whose turn it is, if any is not as it was: lists are compared faster than nodes."""
        self._looks += 1
        if self._looks % _TURN_EVERY:
            return ()
        begin = self._turn
        end = begin + _IN_TURN
        self._turn = end if end < len(self._outer) else 0
        nodes = self._outer[begin:end]
        same = (
            [node.status for node in nodes] == self._statuses[begin:end]
            and [node.feedback_message for node in nodes] == self._messages[begin:end]
            and [node.children for node in nodes] == self._kept[begin:end]
        )
        return () if same else nodes

    def _compare(self, name: str, node: Behaviour, changed: dict[str, list[str]]) -> bool:
        """Note *node* if it is not as it is on record under *name*; returns whether that is so."""
        now = (node.status.value, _as_text(node.feedback_message))
        if self._last.get(name, _AT_FIRST) == now:
            return False
        self._last[name] = now
        changed[name] = list(now)
        return True

    # -- structure ---------------------------------------------------------------------------------------
    def _follow_edits(self, root: Behaviour) -> None:
        """Record how the tree was edited. Plan nodes tell of their own edits at once."""
        if root is not self._root:
            self._build(root)
        elif [node.children for node in self._outer] != self._kept:
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
        """Find the nodes that are looked at after every tick: those outside plan nodes, level by level."""
        self._outer = [self._root]
        #: For each of them the children that it had, which have places in a row: from where, and up to where.
        self._below: list[tuple[list[Behaviour], int, int] | None] = []
        #: The children that each is to have, plan nodes aside, which tell of their edits.
        self._kept: list[list[Behaviour]] = []
        for node in self._outer:  # which grows meanwhile
            if node.id in self._plans:
                self._kept.append(node.children)
                self._below.append(None)
                continue
            children = list(node.children)
            self._kept.append(children)
            first = len(self._outer)
            self._outer += children
            self._below.append((children, first, len(self._outer)) if self._has_children(node) else None)
        #: The place of each in these lists, by its identity, and its id on record.
        self._places = {id(node): place for place, node in enumerate(self._outer)}
        self._outer_names = [self._names.get(node.id, "") for node in self._outer]
        # Nothing that they can be like, so that all are compared with the record.
        self._statuses = [None] * len(self._outer)
        self._messages = [None] * len(self._outer)
        self._turn = 0

    @staticmethod
    def _has_children(node: Behaviour) -> bool:
        """Return whether *node* has children, or may get some."""
        return bool(node.children) or isinstance(node, Composite | Decorator)

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
