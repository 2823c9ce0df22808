"""Kinds of events: what the data of each says, read in one place.

A record keeps the data of an event as JSON, by the names of the fields here. :func:`read_event` gives the
typed event; a field that a record lacks, since an older Foretree wrote it, has its default.

    data = read_event(event)
    if isinstance(data, PlanMade):
        print([action.id for action in data.actions])

A further kind is a class here; docs/runs.md lists the first lines of their docstrings.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar

from foretree.runs.events import Event
from foretree.runs.node_types import current_node_type

#: The type of each kind, by the kind's name.
EVENT_TYPES: dict[str, type[EventData]] = {}


@dataclass(eq=False, repr=False, match_args=False)
class EventData:
    """Data of an event.

    Attributes:
        tick: the tick it happened in.
        time: seconds on the session's clock.
    """

    kind: ClassVar[str]
    readers: ClassVar[tuple[tuple[str, Callable[[Any], Any] | None], ...]]

    tick: int = 0
    time: float = 0.0

    def __init_subclass__(cls, kind: str) -> None:
        """Make a class a dataclass, and the type of the events of a kind."""
        # Nothing but what is needed: readers of runs wait for this to be loaded.
        dataclass(eq=False, repr=False, match_args=False)(cls)
        cls.kind = kind
        cls.readers = tuple((f.name, f.metadata.get("read")) for f in fields(cls)[2:])
        EVENT_TYPES[kind] = cls


def read_event(event: Event) -> EventData | None:
    """The data of *event*; None if this version does not know its kind."""
    known = EVENT_TYPES.get(event.kind)
    if known is None:
        return None
    raw = event.data
    data = {
        name: raw[name] if read is None else read(raw[name]) for name, read in known.readers if name in raw
    }
    return known(event.tick, event.time, **data)


def phrase(value: object) -> str:
    """A value from event data as a person reads it: names joined by commas, atoms as PDDL writes them."""
    if isinstance(value, list | tuple):
        return ", ".join(
            f"({' '.join(map(str, each))})" if isinstance(each, list | tuple) else phrase(each)
            for each in value
        )
    return "" if value is None else str(value)


# -- fields ----------------------------------------------------------------------------------------------


def _text(default: str = "") -> Any:
    return field(default=default, metadata={"read": lambda value: "" if value is None else str(value)})


def _phrase() -> Any:
    return field(default="", metadata={"read": phrase})


def _items(value: object) -> tuple[Any, ...]:
    """The items of a list; none of what is not a list, as in a damaged or foreign record."""
    return tuple(value) if isinstance(value, list | tuple) else ()


def _names() -> Any:
    return field(default=(), metadata={"read": lambda names: tuple(map(str, _items(names)))})


def _rows() -> Any:
    def read(rows: object) -> tuple[Any, ...]:
        return tuple(row for row in _items(rows) if isinstance(row, list | tuple))

    return field(default=(), metadata={"read": read})


def _order() -> Any:
    def read(order: object) -> dict[str, tuple[str, ...]]:
        return {name: _items(before) for name, before in order.items()} if isinstance(order, Mapping) else {}

    return field(default_factory=dict, metadata={"read": read})


@dataclass(eq=False, repr=False, match_args=False)
class RecordedAction:
    """An action of a plan."""

    id: str
    skill: str
    arguments: tuple[str, ...]
    cost: float

    @classmethod
    def read(cls, raw: object) -> RecordedAction:
        """The action that a record has; what it lacks is empty."""
        if not isinstance(raw, Mapping):
            return cls("", "", (), 1)
        cost = raw.get("cost", 1)
        return cls(
            str(raw.get("id") or ""),
            str(raw.get("skill") or ""),
            _items(raw.get("arguments")),
            cost if isinstance(cost, int | float) else 1,
        )


@dataclass(eq=False, repr=False, match_args=False)
class RecordedAssumption:
    """A fact that a plan takes for granted."""

    atom: tuple[str, ...]
    value: bool
    source: str
    confidence: float | None

    @classmethod
    def read(cls, raw: Mapping[str, Any]) -> RecordedAssumption:
        """The assumption that a record has."""
        atom = raw["atom"]
        words = tuple(atom.strip("()").split()) if isinstance(atom, str) else tuple(map(str, atom))
        return cls(words, raw.get("value", True) is True, str(raw.get("source") or ""), raw.get("confidence"))

    def __str__(self) -> str:
        return f"{'' if self.value else 'not '}({' '.join(self.atom)})"


@dataclass(eq=False, repr=False, match_args=False)
class RecordedNode:
    """A node of the behaviour tree."""

    id: str
    name: str
    type: str
    parent: str | None

    @classmethod
    def read(cls, raw: Mapping[str, Any]) -> RecordedNode:
        """The node that a record has."""
        return cls(raw["id"], raw["name"], current_node_type(raw["type"]), raw.get("parent"))


def _each(read: Callable[[Any], Any]) -> Any:
    def read_each(raws: object) -> tuple[Any, ...]:
        return tuple(read(raw) for raw in _items(raws) if isinstance(raw, Mapping))

    return field(default=(), metadata={"read": read_each})


# -- the run ---------------------------------------------------------------------------------------------


class RunStarted(EventData, kind="run.started"):
    """Instruction, scene, seed, config, version: all that is needed to repeat the run."""

    instruction: str = _text()
    goal: str = _text()
    scene: str = _text()
    robot: str = _text()
    seed: int | None = None
    faults: tuple[str, ...] | None = None


class RunEnded(EventData, kind="run.ended"):
    """Outcome (reached, given-up, failed, cancelled, error), reason, figures, what models cost."""

    outcome: str = _text()
    reason: str = _text()
    seconds: float | None = None
    models: Mapping[str, Any] | None = None


class RunLearned(EventData, kind="run.learned"):
    """Knowledge for later runs: where things were found, and pictures of what it did."""

    places: tuple[tuple[str, str], ...] = _rows()
    pictures: tuple[tuple[str, Mapping[str, bool]], ...] = _rows()


# -- goal and plan ---------------------------------------------------------------------------------------


class GoalSet(EventData, kind="goal.set"):
    """The goal as PDDL, and how it came about."""

    goal: str = _text()
    how: str = _text()


class PlanMade(EventData, kind="plan.made"):
    """Actions, order, costs, assumptions, who planned, how long the search took."""

    actions: tuple[RecordedAction, ...] = _each(RecordedAction.read)
    order: Mapping[str, tuple[str, ...]] = _order()
    links: tuple[tuple[str, object, str], ...] = _rows()
    assumptions: tuple[RecordedAssumption, ...] = _each(RecordedAssumption.read)
    goal: str = _text()
    by: str = _text()
    cost: float | None = None
    optimal: bool = False


# -- the tree --------------------------------------------------------------------------------------------


class TreeBuilt(EventData, kind="tree.built"):
    """Every node: path id, name, type, parent, children."""

    nodes: tuple[RecordedNode, ...] = _each(RecordedNode.read)


class TreeSpliced(EventData, kind="tree.spliced"):
    """Nodes that left and nodes that came, below which node."""

    below: str = ""
    removed: tuple[str, ...] = ()
    added: tuple[RecordedNode, ...] = _each(RecordedNode.read)
    order: tuple[str, ...] | None = None


class TreeChanged(EventData, kind="tree.changed"):
    """Nodes whose status or message differs from the last tick: id -> [status, message]."""

    status: Mapping[str, tuple[str, str | None]] = field(default_factory=dict)


# -- beliefs ---------------------------------------------------------------------------------------------


class BeliefChanged(EventData, kind="belief.changed"):
    """Facts that changed: atom, truth, confidence, source."""

    facts: tuple[tuple[tuple[str, ...], str, float, str], ...] = ()


class EntityChanged(EventData, kind="entity.changed"):
    """An entity that appeared, moved or changed class."""

    entities: tuple[Mapping[str, Any], ...] = ()


class LookStarted(EventData, kind="look.started"):
    """Place that is looked at, and why."""

    execution: str = _text()
    at: str = _phrase()
    why: str = _text()


class LookEnded(EventData, kind="look.ended"):
    """Outcome."""

    execution: str = _text()
    outcome: str = _text("done")


# -- guards and revisions --------------------------------------------------------------------------------


class GuardChecked(EventData, kind="guard.checked"):
    """Which guard of which action, passed or not, what was expected and what was believed."""

    guard: str = _text()
    action: str = _text()
    passed: bool = False
    expected: str = _phrase()
    believed: str = _phrase()


class DiscrepancyFound(EventData, kind="discrepancy.found"):
    """Expectation, what was seen instead, belief version."""

    id: str = _text()
    action: str = _text()
    guard: str = _text()
    expected: str = _phrase()
    seen: str = _phrase()
    sentence: str = _text()


class RevisionAsked(EventData, kind="revision.asked"):
    """Which reviser, about which discrepancy."""

    reviser: str = _text()


class RevisionRejected(EventData, kind="revision.rejected"):
    """Which reviser, why."""

    discrepancy: str = _text()
    reviser: str = _text()
    why: str = _text()


class ModelAnswered(EventData, kind="model.answered"):
    """Which model, what for, the question, its digest, the reply with its tokens, the cost."""

    reply: Mapping[str, Any] = field(default_factory=dict)


class RevisionMade(EventData, kind="revision.made"):
    """Reviser, why in a sentence, actions kept, added, removed; in flight: kept or cancelled."""

    discrepancy: str = _text()
    reviser: str = _text()
    why: str = _text()
    kept: tuple[str, ...] = _names()
    added: tuple[RecordedAction, ...] = _each(RecordedAction.read)
    removed: tuple[str, ...] = _names()
    sequence: tuple[str, ...] = _names()
    order: Mapping[str, tuple[str, ...]] = _order()
    links: tuple[tuple[str, object, str], ...] = _rows()
    assumptions: tuple[RecordedAssumption, ...] = _each(RecordedAssumption.read)

    def concerns(self, action: str) -> bool:
        """Return whether it took an action out or put it in."""
        return action in self.removed or any(added.id == action for added in self.added)


# -- actions ---------------------------------------------------------------------------------------------


class ActionIntent(EventData, kind="action.intent"):
    """Committed before the robot is told: action, execution id, targets."""

    action: RecordedAction = field(
        default_factory=lambda: RecordedAction("", "", (), 1), metadata={"read": RecordedAction.read}
    )
    execution: str | None = None


class ActionStarted(EventData, kind="action.started"):
    """The robot has been told."""

    action: str = _text()


class ActionEnded(EventData, kind="action.ended"):
    """Outcome and reason."""

    action: str = _text()
    outcome: str = _text("done")
    reason: str = _text()


class ActionSkipped(EventData, kind="action.skipped"):
    """An action that the world made unnecessary, why, and which guards noticed."""

    action: str = _text()
    why: str = _text()


class AgentChose(EventData, kind="agent.chose"):
    """Which tool the agent chose and why."""

    tool: str = _text()
    why: str = _text()


# -- the session -----------------------------------------------------------------------------------------


class SessionOverrun(EventData, kind="session.overrun"):
    """A tick that took longer than its period."""

    seconds: float | None = None
    period: float | None = None
    # What a tick took depends on the wall clock, so it may stand under that key.
    wall: Mapping[str, float] | float | None = None

    @property
    def took(self) -> float | None:
        """Seconds that the tick took."""
        return self._on_the_wall("seconds", self.seconds)

    @property
    def expected(self) -> float | None:
        """Seconds that it had."""
        return self._on_the_wall("period", self.period)

    def _on_the_wall(self, key: str, otherwise: float | None) -> float | None:
        return self.wall.get(key, otherwise) if isinstance(self.wall, Mapping) else otherwise


class SessionPaused(EventData, kind="session.paused"):
    """By whom."""

    by: str = _text()


class SessionContinued(EventData, kind="session.continued"):
    """The pause is over."""


class SessionResumed(EventData, kind="session.resumed"):
    """Taken up after an interruption: from which tick, what was in flight."""

    in_flight: tuple[str, ...] = _names()


class FaultInjected(EventData, kind="fault.injected"):
    """A disturbance of the world (simulation only)."""

    what: str = _phrase()


class LogWritten(EventData, kind="log"):
    """A note for a person."""

    text: str = _text()
