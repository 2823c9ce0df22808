"""A run as a sequence of moments: what is to be seen at each, and how long it has to stay to be read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from foretree.pictures.films._world import RunFloor, Ways, World, world_of
from foretree.runs.event_kinds import (
    ActionEnded,
    ActionSkipped,
    ActionStarted,
    BeliefChanged,
    DiscrepancyFound,
    EntityChanged,
    EventData,
    FaultInjected,
    GoalSet,
    GuardChecked,
    LookStarted,
    PersonAsked,
    PersonSaid,
    PersonTold,
    PlanMade,
    RevisionMade,
    RunEnded,
    RunStarted,
)
from foretree.runs.events import Event
from foretree.runs.views.run_state import ActionState, RunState
from foretree.runs.views.wording import Line, tell

#: Seconds that what happens stays on screen before the film goes on, and a little more for each character.
_HOLDS: dict[type[EventData], float] = {
    GoalSet: 0.6,
    PlanMade: 0.8,
    FaultInjected: 0.9,
    DiscrepancyFound: 1.0,
    RevisionMade: 1.2,
    PersonAsked: 1.0,
    PersonSaid: 1.0,
    PersonTold: 1.0,
    ActionSkipped: 0.6,
    RunEnded: 3.0,
}
_PER_CHARACTER, _LONGEST_HOLD = 0.018, 5.0

#: Events that are told in a sentence, besides those that are held.
_TOLD = (RunStarted, ActionStarted, ActionEnded, LookStarted)
#: Events that change the picture without a sentence.
_SEEN = (BeliefChanged, EntityChanged)


@dataclass(frozen=True, slots=True)
class PlanStep:
    """An action of the plan.

    Attributes:
        id: its id.
        text: the action, without the robot and its hands where there is only one robot.
        status: as that of :class:`~foretree.runs.views.run_state.ActionState`.
        new: whether a revision added it.
        checks: the guards that were asked about it, and whether all that they expect was so.
    """

    id: str
    text: str
    status: str
    new: bool = False
    checks: tuple[tuple[str, bool], ...] = ()


@dataclass(frozen=True)
class Moment:
    """Content of the picture from one time on.

    Attributes:
        time: on the session's clock.
        hold: seconds that it stays on screen before anything moves on.
        line: the sentence.
        marked: names of things that the sentence is about, if it is a surprise.
        steps: the plan.
        world: the world as it is believed to be.
    """

    time: float
    hold: float
    line: Line
    marked: frozenset[str]
    steps: tuple[PlanStep, ...]
    world: World


@dataclass(frozen=True)
class Story:
    """A run to be filmed.

    Attributes:
        title: the instruction, or the goal.
        goal: the goal.
        moments: what is to be seen, in order.
        ways: where the robots are.
        floor: where it takes place.
        relevant: the names that goals, plans and surprises mention.
    """

    title: str
    goal: str
    moments: tuple[Moment, ...]
    ways: Ways
    floor: RunFloor
    relevant: frozenset[str]

    @property
    def seconds(self) -> float:
        """Duration of the run."""
        return self.moments[-1].time - self.moments[0].time if self.moments else 0.0


@dataclass
class _Teller:
    """Adds events up to moments."""

    state: RunState = field(default_factory=RunState)
    ways: Ways = field(default_factory=Ways)
    floor: RunFloor = field(default_factory=RunFloor)
    moments: list[Moment] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    checks: dict[str, dict[str, bool]] = field(default_factory=dict)
    added: set[str] = field(default_factory=set)

    def take(self, event: Event) -> None:
        state = self.state
        state.apply(event)
        data = state.latest
        if isinstance(data, RunStarted):
            self.floor = RunFloor.read(data.floor or {})
        self.ways.note(state, self.floor)
        if isinstance(data, GuardChecked):
            # What failed is told by the discrepancy; once it has been repaired, the guard is asked again.
            self.checks.setdefault(data.action, {})[data.guard] = data.passed
        elif isinstance(data, DiscrepancyFound):
            self.checks.setdefault(data.action, {})[data.guard] = False
        elif isinstance(data, RevisionMade):
            self.added |= {action.id for action in data.added}
        if isinstance(data, PlanMade) and state.revisions and state.revisions[-1].tick == data.tick:
            return  # the revision has told already what it changed
        if type(data) in _HOLDS or isinstance(data, _TOLD):
            lines = tell(state)
            if lines:
                # The goal itself stands above the map.
                self._add(data, lines[1] if isinstance(data, GoalSet) and len(lines) > 1 else lines[0])
        elif isinstance(data, _SEEN) and self.moments:
            last = self.moments[-1]
            self._add(None, last.line, last.marked)

    def _add(self, data: EventData | None, line: Line, marked: frozenset[str] = frozenset()) -> None:
        hold = _HOLDS.get(type(data), 0.0) if data is not None else 0.0
        if hold:
            hold = min(hold + _PER_CHARACTER * len(line.text), _LONGEST_HOLD)
        if isinstance(data, DiscrepancyFound | RevisionMade | FaultInjected):
            marked = frozenset(_names(line.text))
            self.said.append(line.text)
        steps = tuple(self._steps(data.removed if isinstance(data, RevisionMade) else ()))
        robots = [*self.ways.robots()]
        self.moments.append(Moment(self.state.time, hold, line, marked, steps, world_of(self.state, robots)))

    def _steps(self, removed: Sequence[str]) -> Iterator[PlanStep]:
        """The plan; what a revision has just taken out stands before what it added."""
        gone = [name for name in removed if self.state.actions[name].status == "dropped"]
        hidden = _hidden(self.state)
        for name in self.state.plan:
            action = self.state.actions[name]
            if gone and action.status == "planned":
                yield from (self._step(self.state.actions[one], hidden) for one in gone)
                gone = []
            yield self._step(action, hidden)
        yield from (self._step(self.state.actions[one], hidden) for one in gone)

    def _step(self, action: ActionState, hidden: frozenset[str]) -> PlanStep:
        shown = [name for name in action.arguments if name not in hidden]
        named = [name for before, name in pairwise(["", *shown]) if name != before]
        checks = tuple(self.checks.get(action.id, {}).items())
        return PlanStep(
            action.id, f"{action.skill}({', '.join(named)})", action.status, action.id in self.added, checks
        )


def story(events: Iterable[Event], until: int | None = None) -> Story:
    """Return the story that the events of a run tell, up to the end of a tick if one is given."""
    teller = _Teller()
    for event in events:
        if until is not None and event.tick > until:
            break
        teller.take(event)
    state = teller.state
    texts = [state.goal, *teller.said]
    texts += [" ".join(action.arguments) for action in state.actions.values()]
    relevant = frozenset(name for text in texts for name in _names(text))
    return Story(
        state.instruction or state.goal,
        state.goal,
        tuple(_merged(teller.moments)),
        teller.ways,
        teller.floor,
        relevant,
    )


def _merged(moments: Iterable[Moment]) -> Iterator[Moment]:
    """Leave out moments that pass at once: others at the same time follow, and they are not held."""
    waiting: Moment | None = None
    for moment in moments:
        if waiting is not None and (waiting.hold or waiting.time < moment.time):
            yield waiting
        waiting = moment
    if waiting is not None:
        yield replace(waiting, hold=max(waiting.hold, _HOLDS[RunEnded]))


def _hidden(state: RunState) -> frozenset[str]:
    """Names that go without saying: hands, and the robot if there is only one."""
    classes = {name: entity.get("class") for name, entity in state.entities.items()}
    robots = {name for name, class_name in classes.items() if class_name == "robot"}
    hands = {name for name, class_name in classes.items() if class_name == "hand"}
    return frozenset(hands | (robots if len(robots) == 1 else set()))


def _names(text: str) -> list[str]:
    """The words of a text that may be names of things."""
    return re.findall(r"\w[\w-]*", text)
