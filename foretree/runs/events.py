"""What a run record is made of. The schema is versioned; readers accept older versions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

SCHEMA_VERSION = 1


class Event(NamedTuple):
    """One thing that happened.

    Attributes:
        seq: counts up from 1 without gaps.
        tick: the tick it happened in; 0 before the first.
        time: seconds on the session's clock.
        kind: dotted name, see :data:`KINDS`.
        data: what happened, JSON only.
    """

    seq: int
    tick: int
    time: float
    kind: str
    data: Mapping[str, Any]


#: Every kind of event, and what its data says. docs/runs.md is generated from this.
KINDS: dict[str, str] = {
    "run.started": "instruction, scene, seed, config, version: all that is needed to repeat the run",
    "run.ended": "outcome (reached, given-up, failed, cancelled, error), reason, figures, what models cost",
    "run.learned": "what later runs know from this one: where things were found, and pictures of what it did",
    "goal.set": "the goal as PDDL, and how it came about",
    "plan.made": "actions, order, costs, assumptions, who planned, how long the search took",
    "tree.built": "every node: path id, name, type, parent, children",
    "tree.spliced": "nodes that left and nodes that came, below which node",
    "tree.changed": "nodes whose status or message differs from the last tick: id -> [status, message]",
    "belief.changed": "facts that changed: atom, truth, confidence, source",
    "entity.changed": "an entity that appeared, moved or changed class",
    "look.started": "what is looked at and why",
    "look.ended": "outcome",
    "guard.checked": "which guard of which action, passed or not, what was expected and what was believed",
    "discrepancy.found": "expectation, what was seen instead, belief version",
    "revision.asked": "which reviser, about which discrepancy",
    "revision.rejected": "which reviser, why",
    "model.answered": "which model, what for, the question, its digest, the reply with its tokens, the cost",
    "revision.made": "who, why in a sentence, actions kept, added, removed; in flight: kept or cancelled",
    "action.intent": "committed before the robot is told: action, execution id, targets",
    "action.started": "the robot has been told",
    "action.ended": "outcome and reason",
    "action.skipped": "an action that the world made unnecessary, why, and whose business it was to notice",
    "agent.chose": "which tool the agent chose and why",
    "session.overrun": "a tick that took longer than its period",
    "session.paused": "by whom",
    "session.continued": "the pause is over",
    "session.resumed": "taken up after an interruption: from which tick, what was in flight",
    "fault.injected": "what somebody else did to the world (simulation only)",
    "log": "a note for a person",
}


class Recorder(Protocol):
    """Takes events down. Called from the tick thread, so it must return at once."""

    def record(self, kind: str, /, **data: Any) -> None:
        """Note an event; it reaches the disk within 100 ms."""
        ...

    def commit(self, kind: str, /, **data: Any) -> None:
        """Note an event and return only when it is on disk."""
        ...

    def mark(self, tick: int, time: float) -> None:
        """Tell the recorder which tick and instant the following events belong to."""
        ...


class Silent:
    """Records nothing."""

    def record(self, kind: str, /, **data: Any) -> None:
        pass

    def commit(self, kind: str, /, **data: Any) -> None:
        pass

    def mark(self, tick: int, time: float) -> None:
        pass


class Tape:
    """Keeps events in memory, for tests and for whoever wants to look at a run without a file."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self._tick = 0
        self._time = 0.0

    def record(self, kind: str, /, **data: Any) -> None:
        self.events.append(Event(len(self.events) + 1, self._tick, self._time, kind, data))

    commit = record

    def mark(self, tick: int, time: float) -> None:
        self._tick = tick
        self._time = time

    def of(self, kind: str) -> list[Event]:
        """The events of one kind."""
        return [event for event in self.events if event.kind == kind]
