"""Where a world's actions take their time: what runs, how it goes wrong, and when the next thing happens.

A stage belongs to one world and one robot body. Nothing on it moves by itself: whoever asks something first
lets it catch up with the clock (:meth:`Stage.advance`), and everything that was due happens in order, each at
its own instant.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from functools import partial
from heapq import heappop, heappush
from itertools import count
from typing import Generic, Protocol, TypeVar

from foretree.clock import Clock
from foretree.simulation.faults.fault_script import MANNERS, Disconnect, Fault, Manner, Trouble
from foretree.simulation.household.scene import Chance
from foretree.skills.robot import End, Order, Outcome

D = TypeVar("D")

#: How long a robot takes to stop when it is asked to (seconds).
CANCEL_DELAY = 0.1
#: How long a robot goes on without a connection before it stops of its own accord, and how long its user
#: waits for news before what ran counts as lost.
LOST_AFTER = 2.0


class Work(Protocol):
    """An action on its way. Exactly one of :meth:`finish` and :meth:`abandon` is called, once."""

    @property
    def duration(self) -> float:
        """How long it takes (seconds)."""
        ...

    @property
    def refusal(self) -> str:
        """Why it cannot even begin; empty if it has begun."""
        ...

    def finish(self, half: bool = False) -> str:
        """Let it have its effects, or half of them. Returns why it failed; empty if it did not."""
        ...

    def abandon(self, progress: float) -> None:
        """Break it off after a part (0 to 1) of its duration."""
        ...


class Setting(Protocol[D]):
    """What a stage needs of its world."""

    def begin(self, order: Order) -> Work:
        """Begin what an order says, or refuse it.

        Raises:
            RobotError: the robot has no such skill, or cannot make sense of the order.
        """
        ...

    def do(self, deed: D) -> None:
        """Let somebody else do something."""
        ...

    def chance_deed(self, kind: str, rng: random.Random) -> D | None:
        """Something of a kind that somebody might do now."""
        ...

    def show_deed(self, deed: D) -> str:
        """A deed in the language of fault scripts."""
        ...


@dataclass(frozen=True, slots=True)
class Injected:
    """A fault that struck."""

    time: float
    what: str


@dataclass(frozen=True, slots=True)
class Illegal:
    """An order that a world refused.

    Attributes:
        time: when.
        skill: what was ordered.
        rule: which rule it broke.
        in_view: whether that was in view of the robot from where it stood at that moment, and had been
            reported to the agent before.
        says: what would have had to be so.
    """

    time: float
    skill: str
    rule: str
    in_view: bool
    says: str


@dataclass(slots=True)
class Performance:
    """An action or a look that the robot body carries out.

    ``end`` is what became of it; it is set once. A look is not counted among the actions.
    """

    id: str
    work: Work
    begun: float
    counted: bool = True
    manner: Manner = "well"
    end: End | None = None
    cancelled: bool = False


@dataclass(order=True, slots=True)
class _Due:
    time: float
    order: int
    happens: Callable[[], None] = field(compare=False)


class Stage(Generic[D]):
    """Carries actions through in simulated time, with their faults.

    Args:
        setting: the world.
        clock: what time it is.
        faults: the script.
        chance: what goes wrong of its own accord.
        seed: decides what *chance* leaves open.
        on_fault: told of every fault that strikes.
    """

    def __init__(
        self,
        setting: Setting[D],
        clock: Clock,
        faults: tuple[Fault[D], ...] = (),
        chance: Chance | None = None,
        seed: int = 0,
        on_fault: Callable[[Injected], None] | None = None,
    ) -> None:
        self._setting = setting
        self._clock = clock
        self._faults = faults
        self._rng = random.Random(f"faults/{seed}")
        self._on_fault = on_fault
        chances = asdict(chance) if chance is not None else {}
        self._troubles = {manner: chances.get(manner, 0.0) for manner in MANNERS}
        self._events = {k: p for k, p in chances.items() if k not in self._troubles and p > 0.0}
        self._waiting = [fault for fault in faults if fault.when.kind == "after"]
        self._armed: list[tuple[Trouble, str]] = []
        self._due: list[_Due] = []
        self._order = count()
        self._running: dict[str, Performance] = {}
        self._connected_from = 0.0
        self.now = clock.now()
        self.lost_since: float | None = None
        self.outages = 0
        self.injected: list[Injected] = []
        self.begun = 0
        self.ended = 0
        for fault in faults:
            if fault.when.kind == "at":
                self.at(fault.when.value, partial(self._strike, fault))
        self._strike_after()

    # -- time --------------------------------------------------------------------------------------
    def advance(self) -> None:
        """Let everything happen that is due by now."""
        now = self._clock.now()
        due = self._due
        while due and due[0].time <= now:
            event = heappop(due)
            self.now = max(self.now, event.time)
            event.happens()
        self.now = max(self.now, now)

    def at(self, time: float, happens: Callable[[], None]) -> None:
        """Let something happen at a time; at once if that is past."""
        heappush(self._due, _Due(time, next(self._order), happens))

    # -- performing --------------------------------------------------------------------------------
    def perform(self, order: Order, performance_id: str) -> Performance:
        """Begin an action; a refused one has its end already."""
        work = self._setting.begin(order)
        performance = Performance(performance_id, work, self.now)
        if work.refusal:
            performance.end = End(Outcome.FAILED, work.refusal)
            return performance
        self.begun += 1
        performance.manner = self._manner(order.skill)
        self._run(performance)
        for fault in self._faults:
            if fault.when.kind == "during" and fault.when.value == self.begun:
                self.at(self.now + work.duration / 2, partial(self._strike, fault))
        return performance

    def perform_look(self, work: Work, performance_id: str) -> Performance:
        """Begin something that is not an action: it always goes well, and no fault counts it."""
        performance = Performance(performance_id, work, self.now, counted=False)
        self._run(performance)
        return performance

    def cancel(self, performance: Performance) -> None:
        """Ask for an early end; it comes a moment later, unless the action is done by then."""
        if performance.end is None and not performance.cancelled:
            performance.cancelled = True
            arrives = self.now if self.connected else self._connected_from
            self.at(
                arrives + CANCEL_DELAY, lambda: self._break_off(performance, Outcome.CANCELLED, "cancelled")
            )

    def stop(self) -> None:
        """Break off everything at once; without a connection, as soon as the robot notices."""
        if self.connected:
            self._stop_all()
        else:
            assert self.lost_since is not None
            self.at(min(self._connected_from, self.lost_since + LOST_AFTER), self._stop_all)

    def running(self) -> Iterator[Performance]:
        """Everything that has not ended, oldest first."""
        return iter(list(self._running.values()))

    @property
    def connected(self) -> bool:
        """Whether one can talk to the robot."""
        return self.lost_since is None

    def _run(self, performance: Performance) -> None:
        self._running[performance.id] = performance
        if performance.manner == "hang":
            return
        duration = performance.work.duration
        if performance.manner == "fail":
            duration /= 2
        self.at(self.now + duration, lambda: self._finish(performance))

    def _finish(self, performance: Performance) -> None:
        if performance.end is not None:
            return
        work, manner = performance.work, performance.manner
        if manner == "fail":
            work.abandon(0.0)
            self._ends(performance, End(Outcome.FAILED, "it did not work"))
        elif manner == "silent":
            work.abandon(0.0)
            self._ends(performance, End(Outcome.DONE))
        else:
            reason = work.finish(half=manner == "half")
            self._ends(performance, End(Outcome.FAILED, reason) if reason else End(Outcome.DONE))

    def _break_off(self, performance: Performance, outcome: Outcome, reason: str) -> None:
        if performance.end is None:
            duration = performance.work.duration
            progress = min(1.0, (self.now - performance.begun) / duration) if duration > 0 else 1.0
            performance.work.abandon(progress)
            self._ends(performance, End(outcome, reason))

    def _stop_all(self) -> None:
        for performance in self.running():
            self._break_off(performance, Outcome.CANCELLED, "stopped")

    def _ends(self, performance: Performance, end: End) -> None:
        performance.end = end
        del self._running[performance.id]
        if performance.counted:
            self.ended += 1
            self._strike_after()
            self._strike_by_chance()

    # -- faults ------------------------------------------------------------------------------------
    def _manner(self, skill: str) -> Manner:
        for index, (trouble, what) in enumerate(self._armed):
            if trouble.skill in (None, skill):
                del self._armed[index]
                self._note(what)
                return trouble.manner
        for manner in MANNERS:
            if self._troubles[manner] > 0.0 and self._rng.random() < self._troubles[manner]:
                self._note(f"{manner} {skill}")
                return manner
        return "well"

    def _strike_after(self) -> None:
        due = [fault for fault in self._waiting if fault.when.value <= self.ended]
        self._waiting = [fault for fault in self._waiting if fault.when.value > self.ended]
        for fault in due:
            self.at(self.now, partial(self._strike, fault))

    def _strike_by_chance(self) -> None:
        for kind, probability in self._events.items():
            if self._rng.random() >= probability:
                continue
            if kind == "disconnect":
                seconds = round(self._rng.uniform(0.5, 5.0), 1)
                self._note(f"disconnect for {seconds}")
                self._disconnect(seconds)
                continue
            deed = self._setting.chance_deed(kind, self._rng)
            if deed is not None:
                self._note(self._setting.show_deed(deed))
                self._setting.do(deed)

    def _strike(self, fault: Fault[D]) -> None:
        if isinstance(fault.deed, Trouble):
            self._armed.append((fault.deed, fault.text))
            return
        self._note(fault.text)
        if isinstance(fault.deed, Disconnect):
            self._disconnect(fault.deed.seconds)
        else:
            self._setting.do(fault.deed)

    def _disconnect(self, seconds: float) -> None:
        if self.lost_since is None:
            self.outages += 1
            self.lost_since = since = self.now
            self.at(since + LOST_AFTER, lambda: self._give_up(since))
        self._connected_from = max(self._connected_from, self.now + seconds)
        self.at(self._connected_from, self._reconnect)

    def _give_up(self, since: float) -> None:
        """Stop of its own accord: a robot that nobody can talk to must not go on."""
        if self.lost_since == since:
            for performance in self.running():
                self._break_off(performance, Outcome.LOST, "the connection was lost")

    def _reconnect(self) -> None:
        if self.now >= self._connected_from:
            self.lost_since = None

    def _note(self, what: str) -> None:
        injected = Injected(round(self.now, 6), what)
        self.injected.append(injected)
        if self._on_fault is not None:
            self._on_fault(injected)
