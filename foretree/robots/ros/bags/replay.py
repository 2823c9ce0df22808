"""Replays: an agent gets a bag's messages again, tick by tick, and its orders end as they did.

What the agent believes and decides is computed anew. Where it does otherwise than in the run, the replay
says so and ends: from there on, the bag tells nothing of it.
"""

from __future__ import annotations

import time as wall
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from foretree.errors import ForetreeError
from foretree.robots.ros.bags.marks import Mark, end_of, order_digest, transform_of
from foretree.robots.ros.bags.reader import Bag, BagMessage
from foretree.robots.ros.bags.writer import BagError
from foretree.robots.ros.senses.message_senses import MessageSenses
from foretree.robots.ros.senses.transforms import Transform, TransformError
from foretree.robots.ros.stamps import NANO
from foretree.skills.robot import End, Execution, LookRequest, Order, Outcome, RobotError
from foretree.world_model.observation import Observation

#: Real seconds for which a replay waits for the agent to do what it did in the run.
PATIENCE = 60.0
#: Seconds between the ticks for a bag that no agent of ours has written.
PERIOD = 0.1
#: Real seconds between two looks at what the agent does meanwhile.
_HELD = 0.002


class ReplayDivergedError(ForetreeError):
    """The agent does otherwise than in the run that a bag is of."""

    exit_code = 1


@dataclass(slots=True)
class ReplayTick:
    """Messages that belong to one tick of a run.

    Attributes:
        awake: when it began, on the session's clock.
        before: marks of what was noticed before it took in messages.
        time: when it took in messages.
        through: the number of the last message that it took in.
        marks: marks of what came of it, up to the end of the tick.
    """

    awake: float
    before: list[Mark]
    time: float
    through: int
    marks: list[Mark] = field(default_factory=list)


def ticks_of(marks: Iterable[Mark]) -> list[ReplayTick]:
    """Return the ticks of a run by the marks in its bag."""
    ticks: list[ReplayTick] = []
    awake: float | None = None
    before: list[Mark] = []
    for mark in marks:
        if mark.kind == "awake":
            awake = mark.time
        elif mark.kind == "tick":
            begun = mark.time if awake is None else awake
            ticks.append(ReplayTick(begun, before, mark.time, int(mark.data["through"])))
            awake, before = None, []
        elif awake is None and ticks:
            ticks[-1].marks.append(mark)
        else:
            before.append(mark)
    if ticks:
        ticks[-1].marks += before
    return ticks


class ReplayClock:
    """Time as it was in a run: it goes on from tick to tick, as the bag is played.

    Attributes:
        simulated: whether the run's clock was.
    """

    def __init__(self, simulated: bool) -> None:
        self.simulated = simulated
        self.time = 0.0
        #: Called when the session waits for its next tick.
        self.proceed: Callable[[], None] = lambda: None

    def now(self) -> float:
        """Return the time of the tick that is played."""
        return self.time

    def sleep_until(self, instant: float) -> None:
        """Go on to the next tick of the run."""
        self.proceed()


class PlayedTransforms:
    """Transforms as the run asked for them, tick by tick."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str, int | None], Mapping[str, Any]] = {}

    def play(self, tick: ReplayTick) -> None:
        """Know those of a tick."""
        self._known = {
            (*mark.data["frames"], mark.data["at"]): mark.data
            for mark in tick.marks
            if mark.kind == "transform"
        }

    def lookup(self, target: str, source: str, time: int | None) -> Transform:
        """Return the pose of *source* in *target*.

        Raises:
            TransformError: it was not known in the run, or was not asked for in this tick.
        """
        data = self._known.get((target, source, time))
        if data is None:
            raise TransformError(f"{target} <- {source}: the bag does not have it here", may_come=True)
        return transform_of(data)


class ReplayedRobot:
    """Implements :class:`foretree.skills.robot.Robot` by a bag.

    Args:
        name: the robot's name.
        hands: names of its hands.
        bag: the bag.
        clock: the session's clock.
        senses: makes the senses of the clock, ROS time at its zero and transforms, with the run's settings.
        patience: real seconds to wait for the agent to do what it did in the run.

    Raises:
        BagError: the bag has no marks, so that an agent cannot be replayed with it.
    """

    def __init__(
        self,
        name: str,
        hands: tuple[str, ...],
        bag: Bag,
        clock: ReplayClock,
        senses: Callable[[ReplayClock, int, PlayedTransforms], MessageSenses],
        patience: float = PATIENCE,
    ) -> None:
        self.name, self.hands = name, hands
        self._clock = clock
        self._patience = patience
        marks = bag.marks()
        self._ticks = deque(ticks_of(marks))
        if not self._ticks:
            raise BagError(
                f"The bag {bag.path} has no marks of an agent's ticks: it can be played to senses, but no "
                "agent can be replayed with it."
            )
        for mark in marks:
            if mark.kind == "missing":
                raise BagError(f"Messages of {mark.data['topic']} are not in the bag: {mark.data['why']}")
        self._transforms = PlayedTransforms()
        self.senses = senses(clock, int(bag.properties["zero"]), self._transforms)
        streams = {mark.data["topic"]: mark.data["stream"] for mark in marks if mark.kind == "stream"}
        self._messages = _Numbered(bag, streams)
        #: What the run began under each id.
        self._begun = {mark.data["execution"]: mark for mark in marks if mark.kind == "begun"}
        self._refused = {mark.data["execution"]: mark for mark in marks if mark.kind == "refused"}
        self._ends = {mark.data["execution"]: end_of(mark.data) for mark in marks if mark.kind == "ended"}
        self._executions: dict[str, _PlayedExecution] = {}
        self._next: ReplayTick | None = self._ticks.popleft()
        #: What the agent has still to do of what it did in the tick that is played.
        self._awaited: dict[tuple[str, str], Mark] = {}
        self._waiting_since = 0.0
        clock.time = self._next.awake
        clock.proceed = self._proceed

    @property
    def is_over(self) -> bool:
        """Return whether all of the bag was played."""
        return self._next is None and not self._ticks

    def skip(self) -> None:
        """Go on to the next tick without an agent."""
        self._awaited.clear()
        if not self.is_over:
            self._proceed()

    # -- what every robot offers -------------------------------------------------------------------------
    def start(self, order: Order, execution_id: str) -> Execution:
        """Begin to carry out *order*, as in the run.

        Raises:
            ReplayDivergedError: the run began something else under this id.
            RobotError: the robot refused it in the run.
        """
        return self._begin(order, execution_id)

    def look(self, request: LookRequest, execution_id: str) -> Execution:
        """Begin a look, as in the run.

        Raises:
            ReplayDivergedError: the run began something else under this id.
            RobotError: the robot refused it in the run.
        """
        return self._begin(request, execution_id)

    def observations(self) -> list[Observation]:
        """Return what is observed of the messages that the next tick of the run took in.

        Raises:
            ReplayDivergedError: the agent has not begun in time what it began in the run.
        """
        tick, self._next = self._next, None
        if tick is None:
            return []
        self._clock.time = tick.time
        self._transforms.play(tick)
        self._messages.put(tick.through, self.senses)
        observed = self.senses.observations()
        self._await(tick.marks)
        return observed

    def attach(self, execution_id: str) -> Execution | None:
        """Return the execution of that id, if it was begun."""
        return self._executions.get(execution_id)

    def stop(self) -> None:
        """Stop moving: everything ends as it did in the run, or else as cancelled."""
        self._awaited.clear()
        for execution in self._executions.values():
            execution.end = execution.end or self._ends.get(execution.id, End(Outcome.CANCELLED, "stopped"))

    # -- within ------------------------------------------------------------------------------------------
    def _begin(self, order: Order | LookRequest, execution_id: str) -> Execution:
        skill = order.skill if isinstance(order, Order) else "look"
        begun = self._begun.get(execution_id)
        if begun is None or begun.data["digest"] != order_digest(order):
            did = "nothing" if begun is None else f"{begun.data['skill']}, or that otherwise,"
            raise ReplayDivergedError(
                f"The agent begins {skill} as {execution_id} at {self._clock.now():.2f} s, but in the run of "
                f"the bag it began {did} under this id."
            )
        self._awaited.pop(("begun", execution_id), None)
        if execution_id in self._refused:
            raise RobotError(self._refused[execution_id].data["reason"])
        execution = self._executions.get(execution_id)
        if execution is None:
            execution = _PlayedExecution(execution_id, self._cancelled)
            self._executions[execution_id] = execution
        execution.begun = True
        return execution

    def _cancelled(self, execution_id: str) -> None:
        self._awaited.pop(("cancelled", execution_id), None)

    def _await(self, marks: Iterable[Mark]) -> None:
        """Play the ends among some marks, and wait for what the agent did."""
        for mark in marks:
            execution_id = mark.data.get("execution", "")
            if mark.kind == "view":
                self.senses.begin_look(execution_id, mark.data["since"])
            elif mark.kind == "ended":
                execution = self._executions.get(execution_id)
                if execution is None:  # it is begun in this very tick
                    execution = _PlayedExecution(execution_id, self._cancelled)
                    self._executions[execution_id] = execution
                execution.end = end_of(mark.data)
            elif mark.kind in ("begun", "cancelled"):
                known = self._executions.get(execution_id)
                is_done = known is not None and (known.cancelled if mark.kind == "cancelled" else known.begun)
                if not is_done:
                    self._awaited[mark.kind, execution_id] = mark
        self._waiting_since = wall.monotonic()

    def _proceed(self) -> None:
        """Go on to the next tick, unless the agent has still to do what it did in this one."""
        if self._next is not None:
            return
        if self._awaited:
            self._hold()
        elif self._ticks:
            self._next = self._ticks.popleft()
            self._clock.time = self._next.awake
            self._await(self._next.before)
        else:
            raise ReplayDivergedError(
                f"The bag ends at {self._clock.now():.2f} s, but the agent goes on: in the run it was "
                "stopped, or was at its end."
            )

    def _hold(self) -> None:
        if wall.monotonic() - self._waiting_since > self._patience:
            mark = next(iter(self._awaited.values()))
            did = {"begun": f"began {mark.data.get('skill')}", "cancelled": "cancelled it"}[mark.kind]
            raise ReplayDivergedError(
                f"In the run of the bag the agent {did} as {mark.data['execution']} at {mark.time:.2f} s; "
                "now it does not."
            )
        wall.sleep(_HELD)


class _PlayedExecution:
    """An execution that ends as it did in a run."""

    def __init__(self, execution_id: str, cancelled: Callable[[str], None]) -> None:
        self.id = execution_id
        self.end: End | None = None
        self.begun = False
        self.cancelled = False
        self._note_cancelled = cancelled

    def poll(self) -> End | None:
        """Return the end, once it has come in the run."""
        return self.end

    def cancel(self) -> None:
        """Ask for an early end: it comes as it came in the run."""
        self.cancelled = True
        self._note_cancelled(self.id)


class _Numbered:
    """The messages of a bag that senses took in, in the order of their numbers.

    Args:
        bag: the bag.
        streams: the senses' streams by topics of the bag.
    """

    def __init__(self, bag: Bag, streams: Mapping[str, str]) -> None:
        self._streams = streams
        self._messages = (one for one in bag.messages() if one.number and one.topic in streams)
        self._ahead: BagMessage | None = None

    def put(self, through: int, senses: MessageSenses) -> None:
        """Let senses take in all messages up to a number."""
        while True:
            message = self._ahead or next(self._messages, None)
            self._ahead = None
            if message is None:
                return
            if message.number > through:
                self._ahead = message
                return
            senses.put(self._streams[message.topic], message.load)


def play(
    bag: Bag, senses: Callable[[ReplayClock, int], MessageSenses], period: float = PERIOD
) -> Iterator[tuple[float, list[Observation]]]:
    """Play any bag to senses, in the order of time; yield the time of each tick and what it observed.

    Args:
        bag: the bag.
        senses: makes the senses, of a clock and of ROS time at its zero: the first message of the bag.
        period: seconds between ticks.
    """
    clock = ReplayClock(simulated=True)
    made: MessageSenses | None = None
    streams: dict[str, str] = {}
    next_tick, zero = period, 0
    for message in bag.messages():
        if made is None:
            zero = message.time
            made = senses(clock, zero)
            streams = {f"/{stream.topic.lstrip('/~')}": stream.name for stream in made.streams}
        at = (message.time - zero) / NANO
        while at >= next_tick:
            clock.time = next_tick
            yield next_tick, made.observations()
            next_tick += period
        if message.topic in streams:
            clock.time = max(clock.time, at)
            made.put(streams[message.topic], message.load)
    if made is not None:
        clock.time = next_tick
        yield next_tick, made.observations()
