"""A lease: one execution on a robot, from its start to the moment at which its end is confirmed.

The outcome of each situation is defined in :mod:`foretree.skills.executive.executive`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

from foretree.clock import Clock
from foretree.runs.events import Recorder, Silent
from foretree.skills.robot import End, Execution, Outcome, Robot, RobotError

#: So often a cancel that is not confirmed is sent at most while contact lasts, the first included.
MOST_CANCELS = 8


class Lessor:
    """The account of which execution holds which part of a robot; see the executive, which leases them."""

    def __init__(
        self,
        robot: Robot,
        clock: Clock,
        recorder: Recorder | None = None,
        *,
        grace: float = 5.0,
        repeat: float = 1.0,
        patience: float = 30.0,
    ) -> None:
        self.robot = robot
        self.clock = clock
        self.recorder: Recorder = recorder or Silent()
        self.grace = grace
        self.repeat = repeat
        self.patience = patience
        self._alive: dict[str, Lease] = {}
        self._holders: dict[str, Lease] = {}
        self._unattended: dict[str, Lease] = {}

    def add_unattended(self, lease: Lease) -> None:
        """Have the executive poll a lease whose holder may have stopped polling it."""
        self._unattended[lease.id] = lease

    def release(self, lease: Lease) -> None:
        """Free the resources of a lease whose end is confirmed."""
        self._alive.pop(lease.id, None)
        self._unattended.pop(lease.id, None)
        for resource in lease.resources:
            if self._holders.get(resource) is lease:
                del self._holders[resource]

    def note(self, text: str, lease: Lease | None = None, end: End | None = None) -> None:
        """Record what would otherwise go unnoticed."""
        data: dict[str, str] = {"text": text}
        if lease is not None:
            data["execution"] = lease.id
        if end is not None:
            data.update(outcome=end.outcome.value, reason=end.reason)
        self.recorder.record("log", **data)


class Lease:
    """An execution that holds resources of a robot. Offers what every :class:`Execution` offers.

    Attributes:
        id: the execution's.
        what: the action, for messages.
        resources: the parts of the robot that it holds until its end is confirmed.
        cancelling: whether the robot was asked to end it early.
        confirmed: whether the robot has confirmed the end. After *lost* it may be late in doing so.
        delay_reason: why the end is not as near as it should be (no contact, a cancel that is not confirmed);
            empty while all is well.
        lost_at: when it was given up as lost; None if it was not.
    """

    __slots__ = (
        "_ask",
        "_cancel_at",
        "_cancels",
        "_deadline",
        "_end",
        "_inner",
        "_interruption",
        "_lessor",
        "_limit",
        "_now",
        "_out_of_contact_since",
        "_sought_at",
        "_timed_out",
        "_trouble",
        "cancelling",
        "confirmed",
        "delay_reason",
        "id",
        "lost_at",
        "resources",
        "what",
    )

    def __init__(
        self, lessor: Lessor, execution_id: str, what: str, resources: frozenset[str], limit: float
    ) -> None:
        self.id = execution_id
        self.what = what
        self.resources = resources
        self.confirmed = False
        self.delay_reason = ""
        self.lost_at: float | None = None
        self._lessor = lessor
        self._now = lessor.clock.now
        self._inner: Execution | None = None
        self._ask: Callable[[], End | None] = self._ask_again
        self._end: End | None = None
        # The instant at which the execution times out; once a cancel was asked for, at which it is lost.
        self._limit = limit
        # The next instant at which anything is due: until then a poll asks the robot and nothing else.
        self._deadline = limit
        self.cancelling = False
        # How often a cancel was sent since there is contact, and when the next one is due.
        self._cancels = 0
        self._cancel_at = -math.inf
        self._timed_out = False
        self._interruption = ""
        self._out_of_contact_since: float | None = None
        self._sought_at = -math.inf
        self._trouble = ""

    @property
    def status(self) -> str:
        """Its status, in a word or two."""
        if self.confirmed:
            return "ended"
        if self._end is not None:
            return "lost"
        if self._out_of_contact_since is not None:
            return "out of contact"
        return "being cancelled" if self.cancelling else "running"

    # -- what every execution offers -----------------------------------------------------------------
    def poll(self) -> End | None:
        """The end, once there is one. Never blocks; once reported it never changes.

        What a driver raises that is no :class:`RobotError` is its mistake. It passes through, once: from then
        on the execution is *lost*.
        """
        if self._end is not None:
            return self._end
        try:
            end = self._ask()
        except RobotError as error:
            end = self._out_of_contact(error)
        except Exception as error:
            self._fail_by_mistake(error)
            return self._end
        # A poll with nothing to do stops here: this line is what a tick costs per running action.
        if end is None and self._now() < self._deadline:
            return None
        return self._attend(end)

    def cancel(self) -> None:
        """Ask for an early end; the end still has to be polled for. A second time changes nothing.

        A mistake of the driver passes through, as it does in :meth:`poll`.
        """
        if self._end is None and not self.cancelling:
            self._request_cancel(self._now())

    def interrupt(self, why: str) -> None:
        """Ask for an early end for a reason from outside, which is reported with the end."""
        if self._end is None:
            self._interruption = self._interruption or why
            self.cancel()

    # -- what the executive does with it -------------------------------------------------------------
    def begin(self, begin: Callable[[], Execution]) -> None:
        """Tell the robot. A robot that cannot be told is out of contact from the start."""
        try:
            self._inner = begin()
        except RobotError as error:
            self._attend(self._out_of_contact(error))
        else:
            self._ask = self._inner.poll

    def follow_up(self) -> None:
        """Poll it although its holder may not: it was abandoned, or is lost."""
        reported = self.poll()
        if reported is None or self.confirmed:
            return
        try:
            end = self._ask()
        except Exception as error:
            end = self._out_of_contact(error)
        if end is not None and end.outcome is Outcome.LOST:
            end = self._second_opinion()
        if end is not None:
            self._confirm()
            self._lessor.note(
                f"{self.id} was {reported.outcome.value}; the robot now says: {end.outcome.value}", self, end
            )
        elif self._now() >= self._cancel_at:
            self._pass_on_cancel(self._now())

    def refuse(self, why: str) -> None:
        """End it as failed before the robot was told; it has leased nothing."""
        self._end = End(Outcome.FAILED, why)
        self.confirmed = True

    def give_up(self, why: str) -> End:
        """Report it as lost, unless it has an end. Its resources stay held."""
        if self._end is None:
            self._lose(self._with_interruption(End(Outcome.LOST, why)))
        assert self._end is not None
        return self._end

    def end_as_unknown(self) -> None:
        """The robot has stopped and no longer knows it: nothing of it can still move."""
        self.give_up("the robot was stopped and does not know the execution any more")
        self._confirm()

    # -- within --------------------------------------------------------------------------------------
    def _attend(self, end: End | None) -> End | None:
        """Do what is due now: report an end, time out, repeat a cancel, give up the execution."""
        if end is not None:
            if end.outcome is Outcome.CANCELLED and self._timed_out:
                end = End(Outcome.FAILED, with_reason("it took too long and was cancelled", end.reason))
            end = self._with_interruption(end)
            if end.outcome is Outcome.LOST:
                self._lose(end)
            else:
                self._end = end
                self._confirm()
            return end
        now = self._now()
        grace = self._lessor.grace
        if self._out_of_contact_since is not None and now >= self._out_of_contact_since + grace:
            self.give_up(with_reason(f"out of contact for {grace:g} s", self._trouble))
        elif not self.cancelling:
            if now >= self._limit:
                self._timed_out = True
                self._request_cancel(now)
        elif now >= self._limit:
            late = "it took too long and " if self._timed_out else ""
            self.give_up(f"{late}the robot did not confirm the cancel within {grace:g} s")
        elif now >= self._cancel_at:
            self._pass_on_cancel(now)
        self._schedule()
        return self._end

    def _with_interruption(self, end: End) -> End:
        """*end* with the reason of an interruption, unless it was done first."""
        if not self._interruption or end.outcome is Outcome.DONE:
            return end
        outcome = Outcome.CANCELLED if end.outcome is Outcome.FAILED else end.outcome
        return replace(end, outcome=outcome, reason=with_reason(self._interruption, end.reason))

    def _lose(self, end: End) -> None:
        self._end = end
        self.lost_at = self._now()
        self._lessor.add_unattended(self)

    def _request_cancel(self, now: float) -> None:
        self.cancelling = True
        self._limit = now + self._lessor.grace
        self._lessor.add_unattended(self)
        self._pass_on_cancel(now)
        self._schedule()

    def _pass_on_cancel(self, now: float) -> None:
        """Send the cancel, and say when the next one is due: each after twice the time, a few at most."""
        self._cancel_at = now + self._lessor.repeat * 2.0 ** max(0, self._cancels - 1)
        self._cancels += 1
        if self._cancels >= MOST_CANCELS:
            self._cancel_at = math.inf
        if self._inner is None:
            return
        try:
            self._inner.cancel()
        except RobotError as error:
            self._trouble = describe_error(error)
        except Exception as error:
            self._fail_by_mistake(error)

    def _schedule(self) -> None:
        grace = self._lessor.grace
        self._deadline, self.delay_reason = self._limit, ""
        if self.cancelling:
            self._deadline = min(self._deadline, self._cancel_at)
            late = "took too long; " if self._timed_out else ""
            asked = "the robot was asked to cancel it and has not confirmed"
            self.delay_reason = f"{late}{asked}, lost after {grace:g} s"
        if self._out_of_contact_since is not None:
            self._deadline = min(self._deadline, self._out_of_contact_since + grace)
            self.delay_reason = f"out of contact, lost after {grace:g} s: {self._trouble}"

    def _fail_by_mistake(self, error: Exception) -> None:
        """Raise a mistake of the driver, unless the execution is lost already: there is no telling any more
        what becomes of it."""
        if self._end is None:
            self.give_up(f"the robot's driver raised {describe_error(error)}")
            raise error
        self._trouble = describe_error(error)

    def _out_of_contact(self, error: Exception) -> End | None:
        """The robot did not answer. Ask for the execution by its id: the connection may be a new one."""
        now = self._now()
        self._trouble = describe_error(error)
        if self._out_of_contact_since is None:
            self._out_of_contact_since = now
            self._ask = self._ask_again
            self._lessor.note(f"{self.id}: out of contact: {self._trouble}", self)
            self._schedule()
        if now < self._sought_at + self._lessor.repeat:
            return None
        self._sought_at = now
        try:
            known = self._lessor.robot.attach(self.id)
        except RobotError:
            return None
        except Exception as mistake:
            self._fail_by_mistake(mistake)
            return None
        if known is not None:
            self._inner = known
        elif self._inner is None:
            # The robot can be asked and has never heard of it: the order was refused, or did not arrive.
            return End(Outcome.FAILED, self._trouble)
        return None

    def _second_opinion(self) -> End | None:
        """It was called lost, perhaps for want of contact. Asked for it by id, the robot may know more."""
        now = self._now()
        if now < self._sought_at + self._lessor.repeat:
            return None
        self._sought_at = now
        try:
            known = self._lessor.robot.attach(self.id)
            end = known.poll() if known is not None else None
        except RobotError:
            return None
        except Exception as error:
            self._lessor.note(f"{self.id}: the robot cannot be asked: {describe_error(error)}", self)
            return None
        if known is not None and end is None:
            self._inner = known
            self._ask = known.poll
        return end

    def _ask_again(self) -> End | None:
        """Poll after contact was lost; an answer brings everything back to normal."""
        if self._inner is None:
            raise RobotError(self._trouble)
        end = self._inner.poll()
        self._out_of_contact_since = None
        self._sought_at = -math.inf
        # What was sent into the void does not count.
        self._cancels, self._cancel_at = 0, -math.inf
        self._ask = self._inner.poll
        self._schedule()
        return end

    def _confirm(self) -> None:
        self.confirmed = True
        self._lessor.release(self)


def describe_error(error: Exception) -> str:
    """Return the message of an exception, with its type where it is a mistake in a driver."""
    return str(error) if isinstance(error, RobotError) else f"{type(error).__name__}: {error}"


def with_reason(sentence: str, detail: str) -> str:
    """*sentence*, followed by the detail if there is one."""
    return f"{sentence}: {detail}" if detail else sentence
