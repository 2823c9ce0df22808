"""State of a run at any moment: its events, added up."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from foretree.runs.event_kinds import (
    ActionEnded,
    ActionIntent,
    ActionSkipped,
    ActionStarted,
    BeliefChanged,
    BlackboardChanged,
    DiscrepancyFound,
    EntityChanged,
    EventData,
    FaultInjected,
    GoalSet,
    GuardChecked,
    LookEnded,
    LookStarted,
    PlanMade,
    RevisionAsked,
    RevisionMade,
    RevisionRejected,
    RunEnded,
    RunStarted,
    SessionContinued,
    SessionOverrun,
    SessionPaused,
    SessionResumed,
    TreeBuilt,
    TreeChanged,
    TreeSpliced,
    read_event,
)
from foretree.runs.events import Event
from foretree.runs.node_types import PLAN_TYPE
from foretree.runs.recorded_parts import RecordedAction, RecordedNode

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
        status: planned, intended, running, done, failed, cancelled, lost, skipped, or dropped, which is what
            an action is that a revision took out before it was finished.
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


@dataclass
class RunState:
    """A run at one moment. :meth:`apply` moves it on by one event; nothing else does.

    Attributes:
        latest: data of the last event; None of a kind that this version does not know.
        started: what ``run.started`` said.
        replaced: the things that are in the goal in place of missing ones: "bread1 in place of a banana".
        nodes: the behaviour tree by node id.
        root: the id of its root.
        plan: the ids of the current plan's actions in the order they are meant to run, finished ones first.
        order: for each action's id, the ids it waits for.
        planned: what the last ``plan.made`` said; None before.
        actions: every action there ever was.
        facts: the belief: atom -> how it stands.
        entities: name -> class, score, pose.
        blackboard: the py_trees blackboard: key -> value as short text.
        asking: the reviser that is working on an answer, if one is.
        looking: what is being looked at, by execution.
        ended: what ``run.ended`` said; None while the run goes on.
    """

    tick: int = 0
    time: float = 0.0
    seq: int = 0
    latest: EventData | None = None
    started: RunStarted = field(default_factory=RunStarted)
    goal: str = ""
    how: str = ""
    answer: str = ""
    replaced: tuple[str, ...] = ()
    nodes: dict[str, Node] = field(default_factory=dict)
    root: str | None = None
    plan: list[str] = field(default_factory=list)
    order: dict[str, tuple[str, ...]] = field(default_factory=dict)
    planned: PlanMade | None = None
    actions: dict[str, ActionState] = field(default_factory=dict)
    facts: dict[tuple[str, ...], FactStanding] = field(default_factory=dict)
    entities: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    blackboard: dict[str, str] = field(default_factory=dict)
    discrepancies: list[DiscrepancyFound] = field(default_factory=list)
    revisions: list[RevisionMade] = field(default_factory=list)
    rejections: list[RevisionRejected] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    checks: int = 0
    overruns: int = 0
    asking: str = ""
    looking: dict[str, str] = field(default_factory=dict)
    paused: bool = False
    ended: RunEnded | None = None

    # -- asking ------------------------------------------------------------------------------------
    @property
    def instruction(self) -> str:
        """Instruction, as the person gave it."""
        return self.started.instruction

    @property
    def outcome(self) -> str:
        """Outcome of the run; empty while it goes on."""
        return self.ended.outcome if self.ended is not None else ""

    def running(self) -> list[ActionState]:
        """The actions that the robot is doing, in plan order."""
        return [self.actions[name] for name in self.plan if self.actions[name].status == "running"]

    def count(self, *statuses: str) -> int:
        """Count the actions of these statuses."""
        return sum(action.status in statuses for action in self.actions.values())

    def faults_to_come(self) -> list[str]:
        """The lines of the fault script that have not struck yet."""
        told = [" ".join(str(line).split()) for line in self.started.faults or ()]
        return [line for line in told if line not in self.faults]

    def describe(self, action: str) -> str:
        """The action of that id as a person reads it."""
        known = self.actions.get(action)
        return str(known) if known is not None else action

    def named(self, action: str) -> str:
        """The action with both of its names: its number among those carried out, if it was, and its id."""
        known = self.actions.get(action)
        number = f"{known.ordinal}. " if known is not None and known.ordinal is not None else ""
        return f"{number}{action} {self.describe(action)}"

    def action_of(self, node: Node) -> ActionState | None:
        """The action that *node* is the plan's child for, if it is one.

        The last part of its id is the action's, with ``~2`` behind it if that path was taken.
        """
        parent = self.nodes.get(node.parent or "")
        if parent is None or parent.type != PLAN_TYPE:
            return None
        return self.actions.get(node.id.rpartition("/")[2].partition("~")[0])

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
        data = self.latest = read_event(event)
        if data is not None and (change := _CHANGES.get(type(data))) is not None:
            change(self, data)

    def _run_started(self, data: RunStarted) -> None:
        self.started = data
        self.goal = self.goal or data.goal

    def _run_ended(self, data: RunEnded) -> None:
        self.ended = data
        self.asking = ""
        self.looking.clear()

    def _goal_set(self, data: GoalSet) -> None:
        self.goal, self.how, self.answer = data.goal, data.how, data.answer
        self.replaced = data.replaced

    def _plan_made(self, data: PlanMade) -> None:
        # What is finished stays, and what the robot is still doing: its end is going to be reported.
        begun = [name for name in self.plan if self.actions[name].status != "planned"]
        coming = [self._put_action(action) for action in data.actions]
        for name in self.plan:
            if name not in coming and self.actions[name].status == "planned":
                self._drop(name, "another plan was made")
        self.planned = data
        self.plan = [name for name in begun if name not in coming] + coming
        self.order = dict(data.order)

    def _revision_made(self, data: RevisionMade) -> None:
        for name in data.removed:
            self._drop(name, data.why)
        added = [self._put_action(action) for action in data.added]
        changed = {*data.kept, *added, *data.removed}
        past = [name for name in self.plan if name not in changed]
        # A revision that does not say the order of what remains put what it added before what it kept.
        remaining = data.sequence or (*added, *data.kept)
        self.plan = past + [name for name in remaining if name in self.actions]
        self.order.update(data.order)
        self.asking = ""
        self.revisions.append(data)

    def _drop(self, name: str, why: str) -> None:
        action = self.actions.get(name)
        # One that runs is still going to end: its own event will say how.
        if action is not None and action.status in ("planned", "intended"):
            action.status = "dropped"
            action.reason = why

    def _put_action(self, action: RecordedAction) -> str:
        former = self.actions.get(action.id)
        if former is None or former.status == "dropped":
            self.actions[action.id] = ActionState(action.id, action.skill, action.arguments, action.cost)
        return action.id

    def _action_intent(self, data: ActionIntent) -> None:
        action = self.actions[self._put_action(data.action)]
        if action.id not in self.plan:
            self.plan.append(action.id)
        if action.ordinal is None:
            action.ordinal = 1 + sum(other.ordinal is not None for other in self.actions.values())
        action.status = "intended"
        action.execution = data.execution

    def _action_started(self, data: ActionStarted) -> None:
        action = self.actions.get(data.action)
        if action is not None:
            action.status = "running"
            action.started = data.time

    def _action_ended(self, data: ActionEnded) -> None:
        self._close_action(data, data.outcome, data.reason)

    def _action_skipped(self, data: ActionSkipped) -> None:
        self._close_action(data, "skipped", data.why)

    def _close_action(self, data: ActionEnded | ActionSkipped, status: str, reason: str) -> None:
        action = self.actions.get(data.action)
        if action is not None:
            action.status, action.reason, action.ended = status, reason, data.time

    def _tree_built(self, data: TreeBuilt) -> None:
        self.nodes = {}
        self.root = None
        for recorded in data.nodes:
            node = self._put_node(recorded)
            if node.parent is None:
                self.root = (
                    self.root or node.id
                )  # a node that stands in the tree twice has no parent at first
            elif node.parent in self.nodes:
                self.nodes[node.parent].children.append(node.id)

    def _tree_spliced(self, data: TreeSpliced) -> None:
        for name in data.removed:
            self._remove_node(name)
        for recorded in data.added:
            node = self._put_node(recorded)
            siblings = self.nodes[node.parent].children if node.parent in self.nodes else []
            if node.id not in siblings:
                siblings.append(node.id)
        below = self.nodes.get(data.below)
        if below is not None and data.order is not None:
            below.children = [name for name in data.order if name in self.nodes]

    def _put_node(self, recorded: RecordedNode) -> Node:
        node = Node(recorded.id, recorded.name, recorded.type, recorded.parent)
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

    def _tree_changed(self, data: TreeChanged) -> None:
        for name, (status, message) in data.status.items():
            node = self.nodes.get(name)
            if node is not None:
                node.status = status
                node.message = message or ""

    def _blackboard_changed(self, data: BlackboardChanged) -> None:
        self.blackboard.update(data.values)
        for key in data.removed:
            self.blackboard.pop(key, None)

    def _belief_changed(self, data: BeliefChanged) -> None:
        for atom, truth, confidence, source in data.facts:
            self.facts[tuple(atom)] = FactStanding(truth, confidence, source)

    def _entity_changed(self, data: EntityChanged) -> None:
        for entity in data.entities:
            self.entities[entity["name"]] = entity

    def _look_started(self, data: LookStarted) -> None:
        self.looking[data.execution] = data.at

    def _look_ended(self, data: LookEnded) -> None:
        self.looking.pop(data.execution, None)

    def _guard_checked(self, data: GuardChecked) -> None:
        self.checks += 1

    def _discrepancy_found(self, data: DiscrepancyFound) -> None:
        self.discrepancies.append(data)

    def _revision_asked(self, data: RevisionAsked) -> None:
        self.asking = data.reviser

    def _revision_rejected(self, data: RevisionRejected) -> None:
        self.asking = ""
        self.rejections.append(data)

    def _fault_injected(self, data: FaultInjected) -> None:
        self.faults.append(data.what)

    def _session_overrun(self, data: SessionOverrun) -> None:
        self.overruns += 1

    def _session_paused(self, data: SessionPaused) -> None:
        self.paused = True

    def _session_resumed(self, data: SessionContinued | SessionResumed) -> None:
        self.paused = False


#: How each kind of event moves the state on.
_CHANGES: dict[type[EventData], Callable[[RunState, Any], None]] = {
    RunStarted: RunState._run_started,
    RunEnded: RunState._run_ended,
    GoalSet: RunState._goal_set,
    PlanMade: RunState._plan_made,
    TreeBuilt: RunState._tree_built,
    TreeSpliced: RunState._tree_spliced,
    TreeChanged: RunState._tree_changed,
    BlackboardChanged: RunState._blackboard_changed,
    BeliefChanged: RunState._belief_changed,
    EntityChanged: RunState._entity_changed,
    LookStarted: RunState._look_started,
    LookEnded: RunState._look_ended,
    GuardChecked: RunState._guard_checked,
    DiscrepancyFound: RunState._discrepancy_found,
    RevisionAsked: RunState._revision_asked,
    RevisionRejected: RunState._revision_rejected,
    RevisionMade: RunState._revision_made,
    ActionIntent: RunState._action_intent,
    ActionStarted: RunState._action_started,
    ActionEnded: RunState._action_ended,
    ActionSkipped: RunState._action_skipped,
    FaultInjected: RunState._fault_injected,
    SessionOverrun: RunState._session_overrun,
    SessionPaused: RunState._session_paused,
    SessionContinued: RunState._session_resumed,
    SessionResumed: RunState._session_resumed,
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
