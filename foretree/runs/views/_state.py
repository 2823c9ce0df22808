"""What a run looked like at any moment: its events, added up."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from foretree.runs.events import Event

#: What can become of an action. *dropped*: a revision took it out before it was finished.
ACTION_STATUSES = (
    "planned",
    "intended",
    "running",
    "done",
    "failed",
    "cancelled",
    "lost",
    "skipped",
    "dropped",
)

#: Statuses of an action of which nothing is left to do.
CLOSED_STATUSES = frozenset({"done", "skipped"})


@dataclass(slots=True)
class Node:
    """A node of the behaviour tree. ``status`` is SUCCESS, FAILURE, RUNNING or INVALID (not ticked)."""

    id: str
    name: str
    type: str
    parent: str | None
    children: list[str] = field(default_factory=list)
    status: str = "INVALID"
    message: str = ""


@dataclass(slots=True)
class ActionState:
    """An action and what became of it.

    Attributes:
        status: one of :data:`ACTION_STATUSES`.
        reason: why it failed, was skipped, or was dropped.
        ordinal: it was the n-th action that the robot was told to do; None if it never was.
        execution: the robot's id for it.
        started: when, on the session's clock.
        ended: when, on the session's clock.
    """

    id: str
    skill: str
    arguments: tuple[str, ...]
    cost: float = 1
    status: str = "planned"
    reason: str = ""
    ordinal: int | None = None
    execution: str | None = None
    started: float | None = None
    ended: float | None = None

    def __str__(self) -> str:
        return f"{self.skill}({', '.join(self.arguments)})"


@dataclass(frozen=True, slots=True)
class FactStanding:
    """A fact's standing: ``true``, ``false`` or ``unknown``, how sure, and where from."""

    truth: str
    confidence: float
    source: str


@dataclass(frozen=True, slots=True)
class DiscrepancyNote:
    """Something was not as an action expected it."""

    id: str
    tick: int
    time: float
    action: str
    guard: str
    expected: str
    seen: str
    sentence: str


@dataclass(frozen=True, slots=True)
class RevisionNote:
    """A rewriting of the plan, and why."""

    discrepancy: str
    tick: int
    time: float
    reviser: str
    why: str
    kept: tuple[str, ...]
    added: tuple[str, ...]
    removed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RejectionNote:
    """A reviser's answer that was not taken, and why."""

    discrepancy: str
    tick: int
    reviser: str
    why: str


@dataclass
class RunState:
    """A run at one moment. :meth:`apply` moves it on by one event; nothing else does.

    Attributes:
        started: what ``run.started`` said.
        nodes: the behaviour tree by node id.
        root: the id of its root.
        plan: the ids of the current plan's actions in the order they are meant to run, finished ones first.
        order: for each action's id, the ids it waits for.
        planned: what the last ``plan.made`` said.
        actions: every action there ever was.
        facts: the belief: atom -> how it stands.
        entities: name -> class, score, pose.
        asking: the reviser that is working on an answer, if one is.
        looking: what is being looked at, by execution.
        ended: what ``run.ended`` said; None while the run goes on.
    """

    tick: int = 0
    time: float = 0.0
    seq: int = 0
    started: Mapping[str, Any] = field(default_factory=dict)
    goal: str = ""
    how: str = ""
    nodes: dict[str, Node] = field(default_factory=dict)
    root: str | None = None
    plan: list[str] = field(default_factory=list)
    order: dict[str, tuple[str, ...]] = field(default_factory=dict)
    planned: Mapping[str, Any] = field(default_factory=dict)
    actions: dict[str, ActionState] = field(default_factory=dict)
    facts: dict[tuple[str, ...], FactStanding] = field(default_factory=dict)
    entities: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    belief_version: int = 0
    discrepancies: list[DiscrepancyNote] = field(default_factory=list)
    revisions: list[RevisionNote] = field(default_factory=list)
    rejections: list[RejectionNote] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    checks: int = 0
    overruns: int = 0
    asking: str = ""
    looking: dict[str, str] = field(default_factory=dict)
    paused: bool = False
    ended: Mapping[str, Any] | None = None

    # -- asking ------------------------------------------------------------------------------------
    @property
    def instruction(self) -> str:
        """What the person said."""
        return str(self.started.get("instruction", ""))

    @property
    def outcome(self) -> str:
        """How the run ended; empty while it goes on."""
        return str(self.ended.get("outcome", "")) if self.ended is not None else ""

    def running(self) -> list[ActionState]:
        """The actions that the robot is doing, in plan order."""
        return [self.actions[name] for name in self.plan if self.actions[name].status == "running"]

    def count(self, *statuses: str) -> int:
        """How many actions there are of these statuses."""
        return sum(action.status in statuses for action in self.actions.values())

    def faults_to_come(self) -> list[str]:
        """The lines of the fault script that have not struck yet."""
        told = [" ".join(str(line).split()) for line in self.started.get("faults") or ()]
        return [line for line in told if line not in self.faults]

    def describe(self, action: str) -> str:
        """The action of that id as a person reads it."""
        known = self.actions.get(action)
        return str(known) if known is not None else action

    def statuses(self) -> dict[str, tuple[str, str]]:
        """Every node's status and message, by id."""
        return {node.id: (node.status, node.message) for node in self.nodes.values()}

    def walk(self, start: str | None = None, depth: int = 0) -> Iterator[tuple[int, Node]]:
        """The tree from *start* (the root) down, parents first, children in order, each with its depth."""
        first = start if start is not None else self.root
        stack = [(depth, self.nodes[first])] if first in self.nodes else []
        while stack:
            level, node = stack.pop()
            yield level, node
            stack.extend((level + 1, self.nodes[child]) for child in reversed(node.children))

    # -- moving on ---------------------------------------------------------------------------------
    def apply(self, event: Event) -> None:
        """Add *event*. A kind that this version does not know changes nothing but the time."""
        if event.tick > self.tick:
            # A paused session does not tick, so a new tick means that it goes on.
            self.paused = False
        self.seq, self.tick, self.time = event.seq, event.tick, event.time
        handler = _HANDLERS.get(event.kind)
        if handler is not None:
            handler(self, event)

    def _run_started(self, event: Event) -> None:
        self.started = event.data
        self.goal = self.goal or str(event.data.get("goal") or "")

    def _run_ended(self, event: Event) -> None:
        self.ended = event.data
        self.asking = ""
        self.looking.clear()

    def _goal_set(self, event: Event) -> None:
        self.goal = str(event.data.get("goal", ""))
        self.how = str(event.data.get("how", ""))

    def _plan_made(self, event: Event) -> None:
        data = event.data
        # What is finished stays, and what the robot is still doing: its end is going to be reported.
        begun = [name for name in self.plan if self.actions[name].status != "planned"]
        coming = [self._put_action(raw) for raw in data.get("actions", ())]
        for name in self.plan:
            if name not in coming and self.actions[name].status == "planned":
                self._drop(name, "another plan was made")
        self.planned = data
        self.plan = [name for name in begun if name not in coming] + coming
        self.order = {name: tuple(before) for name, before in data.get("order", {}).items()}

    def _revision_made(self, event: Event) -> None:
        data = event.data
        why = str(data.get("why", ""))
        removed = [str(name) for name in data.get("removed", ())]
        for name in removed:
            self._drop(name, why)
        added = [self._put_action(raw) for raw in data.get("added", ())]
        kept = [str(name) for name in data.get("kept", ())]
        past = [name for name in self.plan if name not in kept and name not in added and name not in removed]
        # A revision that does not say the order of what remains put what it added before what it kept.
        remaining = [str(name) for name in data.get("sequence", ())] or added + kept
        self.plan = past + [name for name in remaining if name in self.actions]
        for name, before in data.get("order", {}).items():
            self.order[name] = tuple(before)
        self.asking = ""
        self.revisions.append(
            RevisionNote(
                str(data.get("discrepancy", "")),
                event.tick,
                event.time,
                str(data.get("reviser", "")),
                why,
                tuple(kept),
                tuple(added),
                tuple(removed),
            )
        )

    def _drop(self, name: str, why: str) -> None:
        action = self.actions.get(name)
        # One that runs is still going to end: its own event will say how.
        if action is not None and action.status in ("planned", "intended"):
            action.status = "dropped"
            action.reason = why

    def _put_action(self, raw: Mapping[str, Any]) -> str:
        name = str(raw["id"])
        former = self.actions.get(name)
        if former is None or former.status == "dropped":
            self.actions[name] = ActionState(
                name, str(raw["skill"]), tuple(raw.get("arguments", ())), raw.get("cost", 1)
            )
        return name

    def _action_intent(self, event: Event) -> None:
        raw = event.data["action"]
        action = self.actions[self._put_action(raw)]
        if action.id not in self.plan:
            self.plan.append(action.id)
        if action.ordinal is None:
            action.ordinal = 1 + sum(other.ordinal is not None for other in self.actions.values())
        action.status = "intended"
        action.execution = event.data.get("execution")

    def _action_started(self, event: Event) -> None:
        action = self.actions.get(event.data.get("action", ""))
        if action is not None:
            action.status = "running"
            action.started = event.time

    def _action_ended(self, event: Event) -> None:
        action = self.actions.get(event.data.get("action", ""))
        if action is not None:
            action.status = str(event.data.get("outcome", "done"))
            action.reason = str(event.data.get("reason") or "")
            action.ended = event.time

    def _action_skipped(self, event: Event) -> None:
        action = self.actions.get(event.data.get("action", ""))
        if action is not None:
            action.status = "skipped"
            action.reason = str(event.data.get("why", ""))
            action.ended = event.time

    def _tree_built(self, event: Event) -> None:
        self.nodes = {}
        self.root = None
        for raw in event.data.get("nodes", ()):
            node = self._put_node(raw)
            if node.parent is None:
                self.root = node.id
            elif node.parent in self.nodes:
                self.nodes[node.parent].children.append(node.id)

    def _tree_spliced(self, event: Event) -> None:
        data = event.data
        for name in data.get("removed", ()):
            self._remove_node(name)
        for raw in data.get("added", ()):
            node = self._put_node(raw)
            siblings = self.nodes[node.parent].children if node.parent in self.nodes else []
            if node.id not in siblings:
                siblings.append(node.id)
        below = self.nodes.get(data.get("below", ""))
        if below is not None and "order" in data:
            below.children = [name for name in data["order"] if name in self.nodes]

    def _put_node(self, raw: Mapping[str, Any]) -> Node:
        node = Node(raw["id"], raw["name"], raw["type"], raw.get("parent"))
        self.nodes[node.id] = node
        return node

    def _remove_node(self, name: str) -> None:
        """Take a node out, with all below it."""
        gone = [node.id for _, node in self.walk(name)]
        if not gone:
            return
        parent = self.nodes.get(self.nodes[name].parent or "")
        if parent is not None and name in parent.children:
            parent.children.remove(name)
        for each in gone:
            del self.nodes[each]

    def _tree_changed(self, event: Event) -> None:
        for name, (status, message) in event.data.get("status", {}).items():
            node = self.nodes.get(name)
            if node is not None:
                node.status = status
                node.message = message or ""

    def _belief_changed(self, event: Event) -> None:
        self.belief_version = event.data.get("version", self.belief_version)
        for atom, truth, confidence, source in event.data.get("facts", ()):
            self.facts[tuple(atom)] = FactStanding(truth, confidence, source)

    def _entity_changed(self, event: Event) -> None:
        for entity in event.data.get("entities", ()):
            self.entities[entity["name"]] = entity

    def _look_started(self, event: Event) -> None:
        self.looking[str(event.data.get("execution", ""))] = phrase(event.data.get("at", ()))

    def _look_ended(self, event: Event) -> None:
        self.looking.pop(str(event.data.get("execution", "")), None)

    def _guard_checked(self, event: Event) -> None:
        self.checks += 1

    def _discrepancy_found(self, event: Event) -> None:
        data = event.data
        self.discrepancies.append(
            DiscrepancyNote(
                str(data.get("id", "")),
                event.tick,
                event.time,
                str(data.get("action") or ""),
                str(data.get("guard", "")),
                phrase(data.get("expected", "")),
                phrase(data.get("seen", "")),
                str(data.get("sentence", "")),
            )
        )

    def _revision_asked(self, event: Event) -> None:
        self.asking = str(event.data.get("reviser", ""))

    def _revision_rejected(self, event: Event) -> None:
        data = event.data
        self.asking = ""
        self.rejections.append(
            RejectionNote(
                str(data.get("discrepancy", "")),
                event.tick,
                str(data.get("reviser", "")),
                str(data.get("why", "")),
            )
        )

    def _fault_injected(self, event: Event) -> None:
        self.faults.append(str(event.data.get("what", "")))

    def _session_overrun(self, event: Event) -> None:
        self.overruns += 1

    def _session_paused(self, event: Event) -> None:
        self.paused = True

    def _session_resumed(self, event: Event) -> None:
        self.paused = False


_HANDLERS: dict[str, Callable[[RunState, Event], None]] = {
    "run.started": RunState._run_started,
    "run.ended": RunState._run_ended,
    "goal.set": RunState._goal_set,
    "plan.made": RunState._plan_made,
    "tree.built": RunState._tree_built,
    "tree.spliced": RunState._tree_spliced,
    "tree.changed": RunState._tree_changed,
    "belief.changed": RunState._belief_changed,
    "entity.changed": RunState._entity_changed,
    "look.started": RunState._look_started,
    "look.ended": RunState._look_ended,
    "guard.checked": RunState._guard_checked,
    "discrepancy.found": RunState._discrepancy_found,
    "revision.asked": RunState._revision_asked,
    "revision.rejected": RunState._revision_rejected,
    "revision.made": RunState._revision_made,
    "action.intent": RunState._action_intent,
    "action.started": RunState._action_started,
    "action.ended": RunState._action_ended,
    "action.skipped": RunState._action_skipped,
    "fault.injected": RunState._fault_injected,
    "session.overrun": RunState._session_overrun,
    "session.paused": RunState._session_paused,
    "session.continued": RunState._session_resumed,
    "session.resumed": RunState._session_resumed,
}


def replay(events: Iterable[Event], tick: int | None = None) -> RunState:
    """The state of a run at the end of *tick*; at its end if no tick is given."""
    state = RunState()
    for event in events:
        if tick is not None and event.tick > tick:
            break
        state.apply(event)
    return state


def replay_ticks(events: Iterable[Event]) -> Iterator[tuple[list[Event], RunState]]:
    """Tick by tick: what happened in it, and the state after it.

    It is the same state every time, moved on: look at it before asking for the next one.
    """
    state = RunState()
    for _, group in groupby(events, key=lambda event: event.tick):
        happened = list(group)
        for event in happened:
            state.apply(event)
        yield happened, state


def phrase(value: object) -> str:
    """A value from event data as a person reads it: names joined by commas, atoms as PDDL writes them."""
    if isinstance(value, list | tuple):
        return ", ".join(
            f"({' '.join(map(str, each))})" if isinstance(each, list | tuple) else phrase(each)
            for each in value
        )
    return "" if value is None else str(value)
