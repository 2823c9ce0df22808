"""Kinds of events: what the data of each says, read in one place.

A record keeps the data of an event as JSON, by the names of the fields here. :func:`read_event` gives the
typed event; a field that a record lacks has its default. docs/runs.md lists the first lines of docstrings.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar

from foretree.runs.events import Event
from foretree.runs.recorded_parts import RecordedAction, RecordedAssumption, RecordedNode, items_of, phrase

T = TypeVar("T")

EVENT_TYPES: dict[str, type[EventData]] = {}
_NOTHING = Event(0, 0, 0.0, "", {})


class EventData:
    """Data of an event, each field of which is read when it is first asked for: most are never.

    Attributes:
        tick: the tick it happened in.
        time: seconds on the session's clock.
    """

    kind: ClassVar[str]

    def __init_subclass__(cls, kind: str) -> None:
        """Make a class the type of the events of a kind."""
        cls.kind = kind
        EVENT_TYPES[kind] = cls

    def __init__(self, event: Event = _NOTHING) -> None:
        _, self.tick, self.time, _, self._said = event


class Field(Generic[T]):
    """A field of an event's data.

    Args:
        default: its value where a record lacks it.
        read: gives its value of what a record says, where that is not the value itself.
        json: what it is in JSON if it is always the same: ``string``, ``strings``, ``number`` or ``boolean``.
    """

    def __init__(self, default: T, read: Callable[[Any], T] | None = None, json: str = "") -> None:
        self._default = default
        self._read = read
        self.json = json

    def __set_name__(self, owner: type[EventData], name: str) -> None:
        self._name = name

    def __get__(self, data: EventData, owner: type[EventData]) -> T:
        value: T = data._said.get(self._name, self._default)
        if self._read is not None and self._name in data._said:
            value = self._read(value)
        data.__dict__[self._name] = value
        return value


def read_event(event: Event) -> EventData | None:
    """The data of *event*; None if this version does not know its kind."""
    known = EVENT_TYPES.get(event.kind)
    return known(event) if known is not None else None


def _text(default: str = "") -> Field[str]:
    return Field(default, lambda value: "" if value is None else str(value), "string")


def _number() -> Field[float | None]:
    return Field(None, json="number")


def _phrase() -> Field[str]:
    return Field("", phrase)


def _names() -> Field[tuple[str, ...]]:
    return Field((), lambda names: tuple(map(str, items_of(names))), "strings")


def _rows() -> Field[tuple[Any, ...]]:
    return Field((), lambda rows: tuple(row for row in items_of(rows) if isinstance(row, list | tuple)))


def _order() -> Field[Mapping[str, tuple[str, ...]]]:
    def read(order: object) -> dict[str, tuple[str, ...]]:
        return (
            {name: items_of(before) for name, before in order.items()} if isinstance(order, Mapping) else {}
        )

    return Field({}, read)


def _texts() -> Field[Mapping[str, str]]:
    def read(texts: object) -> dict[str, str]:
        return {key: str(text) for key, text in texts.items()} if isinstance(texts, Mapping) else {}

    return Field({}, read)


def _each(read: Callable[[Any], T]) -> Field[tuple[T, ...]]:
    return Field((), lambda raws: tuple(read(raw) for raw in items_of(raws) if isinstance(raw, Mapping)))


# -- the run ---------------------------------------------------------------------------------------------


class RunStarted(EventData, kind="run.started"):
    """Instruction, scene, seed, config, version: all that is needed to repeat the run."""

    instruction = _text()
    goal = _text()
    scene = _text()
    robot = _text()
    seed = Field[int | None](None, json="number")
    #: Whether a program ticks a tree of its own, so that there is no session.
    own_tree = Field(False, json="boolean")
    #: Whether the robot is one of the program's own, of which there is no simulated world.
    own_robot = Field(False, json="boolean")
    faults = Field[tuple[str, ...] | None](None)
    #: Rooms, doors and open passages, in metres, where it takes place on a floor.
    floor = Field[Mapping[str, Any] | None](None)


class RunEnded(EventData, kind="run.ended"):
    """Outcome (reached, given-up, failed, cancelled, error), reason, figures, what models cost."""

    outcome = _text()
    reason = _text()
    seconds = _number()
    models = Field[Mapping[str, Any] | None](None)


class RunLearned(EventData, kind="run.learned"):
    """Knowledge for later runs: where things were found, and pictures of what it did."""

    places: Field[tuple[tuple[str, str], ...]] = _rows()
    pictures: Field[tuple[tuple[str, Mapping[str, bool]], ...]] = _rows()


# -- goal and plan ---------------------------------------------------------------------------------------


class GoalSet(EventData, kind="goal.set"):
    """The goal as PDDL, how it came about; who asked; what is kept and replaced; an answer."""

    goal = _text()
    how = _text()
    answer = _text()
    constraints = Field[Sequence[str]](())
    replaced = _names()
    #: The people by whose words it came about, each with them.
    asked: Field[tuple[tuple[str, str], ...]] = _rows()


class PlanMade(EventData, kind="plan.made"):
    """Actions, order, costs, assumptions, who planned, how long the search took."""

    actions = _each(RecordedAction.read)
    order = _order()
    links: Field[tuple[tuple[str, object, str], ...]] = _rows()
    assumptions = _each(RecordedAssumption.read)
    goal = _text()
    by = _text()
    cost = _number()
    makespan = _number()
    optimal = Field(False, json="boolean")


# -- the tree --------------------------------------------------------------------------------------------


class TreeBuilt(EventData, kind="tree.built"):
    """Every node: path id, name, type, parent, children."""

    nodes = _each(RecordedNode.read)


class TreeSpliced(EventData, kind="tree.spliced"):
    """Nodes that left and nodes that came, below which node."""

    below = Field("", json="string")
    removed = Field[tuple[str, ...]](())
    added = _each(RecordedNode.read)
    order = Field[tuple[str, ...] | None](None)


class TreeChanged(EventData, kind="tree.changed"):
    """Nodes whose status or message differs from the last tick: id -> [status, message]."""

    status = Field[Mapping[str, tuple[str, str | None]]]({})


class BlackboardChanged(EventData, kind="blackboard.changed"):
    """Keys of the py_trees blackboard with new values, as short text, and keys that were removed."""

    values = _texts()
    removed = _names()


# -- beliefs ---------------------------------------------------------------------------------------------


class BeliefChanged(EventData, kind="belief.changed"):
    """Facts that changed: atom, truth, confidence, source."""

    facts = Field[tuple[tuple[tuple[str, ...], str, float, str], ...]](())


class EntityChanged(EventData, kind="entity.changed"):
    """An entity that appeared, moved or changed class."""

    entities = Field[tuple[Mapping[str, Any], ...]](())


class LookStarted(EventData, kind="look.started"):
    """Place that is looked at, and why."""

    execution = _text()
    at = _phrase()
    why = _text()


class LookEnded(EventData, kind="look.ended"):
    """Outcome."""

    execution = _text()
    outcome = _text("done")


class CameraSeen(EventData, kind="camera.seen"):
    """Image that a camera took for a look; its masks; box, scores and entity of each detection."""

    source = _text("view")
    image = Field[Mapping[str, Any]]({}, lambda said: said if isinstance(said, Mapping) else {})


# -- guards and revisions --------------------------------------------------------------------------------


class GuardChecked(EventData, kind="guard.checked"):
    """Guard of an action, passed or not, what was expected and what was believed."""

    guard = _text()
    action = _text()
    passed = Field(False, json="boolean")
    expected = _phrase()
    believed = _phrase()


class DiscrepancyFound(EventData, kind="discrepancy.found"):
    """Expectation, what was seen instead, belief version."""

    id = _text()
    action = _text()
    guard = _text()
    expected = _phrase()
    seen = _phrase()
    sentence = _text()


class RevisionAsked(EventData, kind="revision.asked"):
    """Reviser that is asked, and the discrepancy."""

    reviser = _text()


class RevisionRejected(EventData, kind="revision.rejected"):
    """Reviser, and the reason."""

    discrepancy = _text()
    reviser = _text()
    why = _text()


class ModelAnswered(EventData, kind="model.answered"):
    """Model, purpose, question, digest, prompt, reply with its tokens, cost, what was wrong with it."""

    reply = Field[Mapping[str, Any]]({})
    wrong = _text()


class RevisionMade(EventData, kind="revision.made"):
    """Reviser, why in a sentence, actions kept, added, removed; in flight: kept or cancelled."""

    discrepancy = _text()
    reviser = _text()
    why = _text()
    kept = _names()
    added = _each(RecordedAction.read)
    removed = _names()
    sequence = _names()
    order = _order()
    links: Field[tuple[tuple[str, object, str], ...]] = _rows()
    assumptions = _each(RecordedAssumption.read)

    def concerns(self, action: str) -> bool:
        """Return whether it took an action out or put it in."""
        return action in self.removed or any(added.id == action for added in self.added)


# -- actions ---------------------------------------------------------------------------------------------


class ActionIntent(EventData, kind="action.intent"):
    """Committed before the robot is told: action, execution id, targets."""

    action = Field(RecordedAction.read(None), RecordedAction.read)
    execution = Field[str | None](None)


class ActionStarted(EventData, kind="action.started"):
    """The robot has been told."""

    action = _text()


class ActionEnded(EventData, kind="action.ended"):
    """Outcome and reason."""

    action = _text()
    outcome = _text("done")
    reason = _text()


class ActionSkipped(EventData, kind="action.skipped"):
    """An action that the world made unnecessary, why, and which guards noticed."""

    action = _text()
    why = _text()


class AgentChose(EventData, kind="agent.chose"):
    """Tool that the agent chose, and why."""

    tool = _text()
    why = _text()


# -- the person ------------------------------------------------------------------------------------------


class PersonSaid(EventData, kind="person.said"):
    """Words of a person while the session runs, and the person's name if that is known."""

    words = _text()
    by = _text()


class PersonAsked(EventData, kind="person.asked"):
    """A question to the person, and what can be answered."""

    question = _text()
    choices = _names()


class PersonTold(EventData, kind="person.told"):
    """Words to a person: a reply, say, or what two people disagree on; and who, if that is known."""

    text = _text()
    to = _text()


class PeopleDisagree(EventData, kind="people.disagree"):
    """Wishes of two people that exclude each other, each with a name; and whose words count, once decided."""

    earlier = _names()
    later = _names()
    decided = _text()


# -- the session -----------------------------------------------------------------------------------------


class SessionOverrun(EventData, kind="session.overrun"):
    """A tick that took longer than its period."""

    seconds = _number()
    period = _number()
    # What a tick took depends on the wall clock, so it may stand under that key.
    wall = Field[Mapping[str, float] | float | None](None)

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

    by = _text()


class SessionContinued(EventData, kind="session.continued"):
    """The pause is over."""


class SessionResumed(EventData, kind="session.resumed"):
    """Taken up after an interruption: from which tick, what was in flight."""

    in_flight = _names()


class RequestTaken(EventData, kind="request.taken"):
    """A request of another terminal that is carried out: words, a breakpoint, or a surprise; by whom."""

    request = _text()
    by = _text()
    data = Field[Mapping[str, str]]({})


class RequestRefused(EventData, kind="request.refused"):
    """A request of another terminal that is not carried out, and why."""

    request = _text()
    why = _text()


class BreakpointsChanged(EventData, kind="breakpoints.changed"):
    """The breakpoints at which the session halts: at what kind of thing, and which."""

    breakpoints = Field[tuple[Mapping[str, str], ...]](())


class FaultInjected(EventData, kind="fault.injected"):
    """A disturbance of the world (simulation only)."""

    what = _phrase()


class LogWritten(EventData, kind="log"):
    """A note for a person."""

    text = _text()
