"""Scheduling of actions in simulated time: what runs, how it fails, when the next event happens.

A world has one robot. Nothing happens by itself: every question about the world
first catches up with the clock (:meth:`ActionScheduler.advance`), and all that was due happens in order, each
event at its own time.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from heapq import heappop, heappush
from itertools import count
from typing import Generic, TypeVar

from foretree.clock import Clock
from foretree.simulation.faults.fault_script import (
    FAILURE_MODES,
    ActionFault,
    ActionMode,
    Disconnect,
    Fault,
    FaultRates,
)
from foretree.skills.robot import End, Order, Outcome

D = TypeVar("D")

#: Seconds that a robot takes to stop when it is asked to.
CANCEL_DELAY = 0.1
#: Seconds without a connection after which a robot stops by itself, and after which its user counts what ran
#: as lost.
LOST_AFTER = 2.0


class SimulatedAction:
    """An action under way in a world. Exactly one of :meth:`finish` and :meth:`abandon` is called, once.

    Attributes:
        duration: seconds that it takes.
        refusal: why it cannot even begin; empty if it has begun.
    """

    duration = 0.0
    refusal = ""

    def finish(self, half: bool = False) -> str:
        """Apply its effects, or half of them. Returns why it failed; empty if it did not."""
        raise NotImplementedError

    def abandon(self, progress: float) -> None:
        """Break it off after a part (0 to 1) of its duration."""


@dataclass(frozen=True, slots=True)
class InjectedFault:
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
class ScheduledAction:
    """An action or a look that the robot carries out.

    ``end`` is set once. A look is not counted among the actions.
    """

    id: str
    action: SimulatedAction
    begun: float
    counted: bool = True
    mode: ActionMode = "well"
    end: End | None = None
    cancelled: bool = False


class ActionScheduler(ABC, Generic[D]):
    """A world in which actions are carried out in simulated time, with their faults.

    Args:
        clock: the time.
        faults: the fault script.
        rates: how often each fault strikes by chance.
        seed: of the faults that strike by chance.
        on_fault: called with every fault that strikes.

    Attributes:
        now: the time up to which everything has happened.
        lost_since: the time at which the connection to the robot was lost; None while there is one.
        outages: how often it was lost.
        injected: every fault that struck.
    """

    def __init__(
        self,
        clock: Clock,
        faults: tuple[Fault[D], ...],
        rates: FaultRates | None,
        seed: int,
        on_fault: Callable[[InjectedFault], None] | None,
    ) -> None:
        self._clock = clock
        self._faults = faults
        self._rng = random.Random(f"faults/{seed}")
        self._on_fault = on_fault
        self._rates = {kind: rate for kind, rate in asdict(rates or FaultRates()).items() if rate > 0.0}
        self._waiting = [fault for fault in faults if fault.when.kind == "after"]
        self._armed: list[tuple[ActionFault, str]] = []
        #: The time of each event, a number that tells apart those at the same time, and what happens.
        self._events: list[tuple[float, int, Callable[[], None]]] = []
        self._order = count()
        self._under_way: dict[str, ScheduledAction] = {}
        self._connected_from = 0.0
        self._begun = 0
        self._ended = 0
        self.now = clock.now()
        self.lost_since: float | None = None
        self.outages = 0
        self.injected: list[InjectedFault] = []
        for fault in faults:
            if fault.when.kind == "at":
                self._at(fault.when.value, partial(self._inject, fault))
        self._inject_after()

    # -- the world ---------------------------------------------------------------------------------
    @abstractmethod
    def begin(self, order: Order) -> SimulatedAction:
        """Begin an order, or refuse it.

        Raises:
            RobotError: the robot has no such skill, or cannot make sense of the order.
        """

    @abstractmethod
    def apply(self, disturbance: D) -> None:
        """Change the world as a disturbance says."""

    def random_disturbance(self, kind: str, rng: random.Random) -> D | None:
        """Draw a disturbance of a kind; None if there is nothing that it could be done to."""
        return None

    def weakness(self, action: SimulatedAction, rng: random.Random) -> ActionMode | None:
        """The way in which an action goes wrong because it, or what it is done with, is unreliable."""
        return None

    # -- time --------------------------------------------------------------------------------------
    def advance(self) -> None:
        """Let everything happen that is due by now. Asking the robot anything does so too."""
        now = self._clock.now()
        events = self._events
        while events and events[0][0] <= now:
            time, _, happens = heappop(events)
            self.now = max(self.now, time)
            happens()
        self.now = max(self.now, now)

    def _at(self, time: float, happens: Callable[[], None]) -> None:
        heappush(self._events, (time, next(self._order), happens))

    # -- actions -----------------------------------------------------------------------------------
    def perform(self, order: Order, action_id: str) -> ScheduledAction:
        """Begin an action; a refused one has its end already."""
        action = self.begin(order)
        scheduled = ScheduledAction(action_id, action, self.now)
        if action.refusal:
            scheduled.end = End(Outcome.FAILED, action.refusal)
            return scheduled
        self._begun += 1
        scheduled.mode = self._mode(order.skill) or self.weakness(action, self._rng) or "well"
        self._run(scheduled)
        for fault in self._faults:
            if fault.when.kind == "during" and fault.when.value == self._begun:
                self._at(self.now + action.duration / 2, partial(self._inject, fault))
        return scheduled

    def perform_look(self, look: SimulatedAction, look_id: str) -> ScheduledAction:
        """Begin a look: it never fails, and faults do not count it."""
        scheduled = ScheduledAction(look_id, look, self.now, counted=False)
        self._run(scheduled)
        return scheduled

    def cancel(self, scheduled: ScheduledAction) -> None:
        """Ask for an early end; it comes a moment later, unless the action is done by then."""
        if scheduled.end is None and not scheduled.cancelled:
            scheduled.cancelled = True
            arrives = self.now if self.connected else self._connected_from
            self._at(
                arrives + CANCEL_DELAY, lambda: self._break_off(scheduled, Outcome.CANCELLED, "cancelled")
            )

    def stop(self) -> None:
        """Break off everything at once; without a connection, as soon as the robot notices."""
        if self.lost_since is None:
            self._stop_all()
        else:
            self._at(min(self._connected_from, self.lost_since + LOST_AFTER), self._stop_all)

    def running(self) -> Iterator[ScheduledAction]:
        """Iterate over everything that has not ended, oldest first."""
        return iter(list(self._under_way.values()))

    @property
    def connected(self) -> bool:
        """Return whether one can talk to the robot."""
        return self.lost_since is None

    def _run(self, scheduled: ScheduledAction) -> None:
        self._under_way[scheduled.id] = scheduled
        if scheduled.mode == "hang":
            return
        duration = scheduled.action.duration
        if scheduled.mode == "fail":
            duration /= 2
        self._at(self.now + duration, lambda: self._finish(scheduled))

    def _finish(self, scheduled: ScheduledAction) -> None:
        if scheduled.end is not None:
            return
        if scheduled.mode in ("fail", "silent"):
            scheduled.action.abandon(0.0)
            reason = "it did not work" if scheduled.mode == "fail" else ""
        else:
            reason = scheduled.action.finish(half=scheduled.mode == "half")
        self._end(scheduled, End(Outcome.FAILED, reason) if reason else End(Outcome.DONE))

    def _break_off(self, scheduled: ScheduledAction, outcome: Outcome, reason: str) -> None:
        if scheduled.end is None:
            duration = scheduled.action.duration
            progress = min(1.0, (self.now - scheduled.begun) / duration) if duration > 0 else 1.0
            scheduled.action.abandon(progress)
            self._end(scheduled, End(outcome, reason))

    def _stop_all(self) -> None:
        for scheduled in self.running():
            self._break_off(scheduled, Outcome.CANCELLED, "stopped")

    def _end(self, scheduled: ScheduledAction, end: End) -> None:
        scheduled.end = end
        del self._under_way[scheduled.id]
        if scheduled.counted:
            self._ended += 1
            self._inject_after()
            self._inject_by_chance()

    # -- faults ------------------------------------------------------------------------------------
    def _mode(self, skill: str) -> ActionMode | None:
        for armed in self._armed:
            fault, what = armed
            if fault.skill in (None, skill):
                self._armed.remove(armed)
                self._note(what)
                return fault.mode
        for mode in FAILURE_MODES:
            if mode in self._rates and self._rng.random() < self._rates[mode]:
                self._note(f"{mode} {skill}")
                return mode
        return None

    def _inject_after(self) -> None:
        due = [fault for fault in self._waiting if fault.when.value <= self._ended]
        self._waiting = [fault for fault in self._waiting if fault.when.value > self._ended]
        for fault in due:
            self._at(self.now, partial(self._inject, fault))

    def _inject_by_chance(self) -> None:
        for kind, rate in self._rates.items():
            if kind in FAILURE_MODES or self._rng.random() >= rate:
                continue
            if kind == "disconnect":
                seconds = round(self._rng.uniform(0.5, 5.0), 1)
                self._note(f"disconnect for {seconds}")
                self._disconnect(seconds)
                continue
            disturbance = self.random_disturbance(kind, self._rng)
            if disturbance is not None:
                self._note(str(disturbance))
                self.apply(disturbance)

    def _inject(self, fault: Fault[D]) -> None:
        if isinstance(fault.event, ActionFault):
            self._armed.append((fault.event, fault.text))
            return
        self._note(fault.text)
        if isinstance(fault.event, Disconnect):
            self._disconnect(fault.event.seconds)
        else:
            self.apply(fault.event)

    @abstractmethod
    def read_faults(self, lines: Sequence[str]) -> tuple[Fault[D], ...]:
        """Read a fault script.

        Raises:
            FaultError: a line of it makes no sense.
        """

    def strike(self, what: str) -> None:
        """Let something happen now: *what* is a line of a fault script without its time.

        Raises:
            FaultError: it makes no sense.
        """
        self.advance()
        [fault] = self.read_faults([f"at {self.now:.3f}: {what}"])
        self._inject(fault)

    def _disconnect(self, seconds: float) -> None:
        if self.lost_since is None:
            self.outages += 1
            self.lost_since = since = self.now
            self._at(since + LOST_AFTER, lambda: self._give_up(since))
        self._connected_from = max(self._connected_from, self.now + seconds)
        self._at(self._connected_from, self._reconnect)

    def _give_up(self, since: float) -> None:
        """Stop the robot by itself: without a connection it must not go on."""
        if self.lost_since == since:
            for scheduled in self.running():
                self._break_off(scheduled, Outcome.LOST, "the connection was lost")

    def _reconnect(self) -> None:
        if self.now >= self._connected_from:
            self.lost_since = None

    def _note(self, what: str) -> None:
        injected = InjectedFault(round(self.now, 6), what)
        self.injected.append(injected)
        if self._on_fault is not None:
            self._on_fault(injected)
