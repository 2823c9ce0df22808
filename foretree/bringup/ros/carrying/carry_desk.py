"""The desk that takes goals for the agent: their order, and what a second one does."""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeAlias, get_args

from foretree.bringup.options import Wish
from foretree.bringup.ros.carrying.progress import CarryProgress
from foretree.config import ConfigError
from foretree.errors import suggest
from foretree.trees.session import Outcome

#: What a goal does that comes while another one is carried out: it is rejected, waits for its turn, or takes
#: the place of the other one.
SecondGoal: TypeAlias = Literal["reject", "queue", "preempt"]

#: So many goals may wait.
MOST_WAITING = 100


@dataclass(frozen=True, slots=True)
class JobEnd:
    """The end of a goal.

    Attributes:
        outcome: as of a session.
        reason: why, if it was not reached.
        run: the id of the run's record; empty if there is none.
    """

    outcome: Outcome
    reason: str = ""
    run: str = ""


class JobClient(Protocol):
    """The side that has sent a goal. Called from the thread that ticks, or from the one that cancels."""

    def started(self) -> None:
        """Take note that the goal is carried out from now on."""

    def progressed(self, progress: CarryProgress) -> None:
        """Take note of how far it has come; called when that has changed."""

    def ended(self, end: JobEnd) -> None:
        """Take note of the end. It is called once, whatever happens."""


@dataclass(eq=False)
class Job:
    """A goal of a client.

    Attributes:
        wish: what is asked for.
        client: is told how it goes.
        broken_off: why it is to end early; empty if it is not.
    """

    wish: Wish
    client: JobClient
    broken_off: str = field(default="", init=False)


class CarryDesk:
    """Takes goals from any thread, and hands them to the one thread that carries them out.

    It is closed at first.

    Args:
        second_goal: what a goal does that comes while another one is carried out.

    Raises:
        ConfigError: *second_goal* is none of the three.
    """

    def __init__(self, second_goal: str = "reject") -> None:
        self.set_second_goal(second_goal)
        self._waiting: deque[Job] = deque()
        self._running: Job | None = None
        self._why_closed = "The agent is not active."
        self._changed = threading.Condition()

    # -- for those who send goals ------------------------------------------------------------------------
    def refusal(self, wish: Wish) -> str:
        """Return why a goal is rejected, in a sentence; empty if it is accepted."""
        with self._changed:
            if self._why_closed:
                return self._why_closed
            if bool(wish.instruction.strip()) == bool(wish.goal.strip()):
                return "A goal takes an instruction, or a goal in PDDL: one of the two."
            busy = self._running is not None or bool(self._waiting)
            if busy and self._second_goal == "reject":
                return "Another goal is being carried out (second_goal: reject)."
            if len(self._waiting) >= MOST_WAITING:
                return f"{MOST_WAITING} goals are waiting already."
            return ""

    def put(self, job: Job) -> None:
        """Take a goal that was accepted. Where goals preempt, all others are broken off."""
        with self._changed:
            dropped: list[Job] = []
            if self._why_closed:
                dropped = [job]
                why = self._why_closed
            else:
                why = "Another goal has taken its place."
                if self._second_goal == "preempt":
                    dropped = list(self._waiting)
                    self._waiting.clear()
                    if self._running is not None:
                        self._running.broken_off = self._running.broken_off or why
                self._waiting.append(job)
            self._changed.notify_all()
        for each in dropped:
            each.client.ended(JobEnd("cancelled", why))

    def cancel(self, job: Job, reason: str = "cancelled") -> None:
        """Break off a goal. One that waits ends at once, the one that runs once the robot has stopped."""
        with self._changed:
            waited = job in self._waiting
            if waited:
                self._waiting.remove(job)
            elif job is self._running:
                job.broken_off = job.broken_off or reason
            self._changed.notify_all()
        if waited:
            job.client.ended(JobEnd("cancelled", reason))

    @property
    def waiting(self) -> int:
        """Return how many goals wait for their turn."""
        return len(self._waiting)

    # -- for the one who is in charge --------------------------------------------------------------------
    def set_second_goal(self, second_goal: str) -> None:
        """Say what a goal does that comes while another one is carried out.

        Raises:
            ConfigError: it is none of the three.
        """
        valid = get_args(SecondGoal)
        if second_goal not in valid:
            raise ConfigError(f"second_goal: {second_goal!r} is not possible. {suggest(second_goal, valid)}")
        self._second_goal = second_goal

    def open(self) -> None:
        """Accept goals from now on."""
        with self._changed:
            self._why_closed = ""

    def close(self, reason: str) -> None:
        """Accept no more goals, and break off all there are."""
        with self._changed:
            self._why_closed = reason
            dropped = list(self._waiting)
            self._waiting.clear()
            if self._running is not None:
                self._running.broken_off = self._running.broken_off or reason
            self._changed.notify_all()
        for job in dropped:
            job.client.ended(JobEnd("cancelled", reason))

    def wait_until_idle(self, seconds: float) -> bool:
        """Wait until nothing is carried out; returns whether that came in time."""
        with self._changed:
            return self._changed.wait_for(lambda: self._running is None and not self._waiting, seconds)

    # -- for the thread that carries them out ------------------------------------------------------------
    def take(self, seconds: float) -> Job | None:
        """Return the next goal, which is carried out from then on; None if none comes in time."""
        with self._changed:
            if not self._changed.wait_for(lambda: bool(self._waiting), seconds):
                return None
            self._running = self._waiting.popleft()
            return self._running

    def done(self, job: Job) -> None:
        """Take note that *job* is carried out no longer."""
        with self._changed:
            if self._running is job:
                self._running = None
            self._changed.notify_all()
