"""The executive: leases a robot's resources, and gives every execution an end.

A resource (a hand, the base, the camera) belongs to one execution at a time. It becomes free when the
robot has *confirmed* that the execution is over, not when somebody stopped caring about it. The end that a
:class:`Lease` reports never changes; what is learned afterwards only frees resources and is recorded.

=============================================  ==========================================================
what happens                                   what it comes to
=============================================  ==========================================================
start while a resource is held                 :class:`ResourceBusy` names the holder; nothing is started
the robot refuses the order (start raises,     *failed*, with the robot's reason; nothing is held
and it does not know the execution)
start raises, but the robot knows the          goes on as if start had returned
execution all the same
start raises, and the robot cannot be asked    asked again until *grace* is over, then *lost*
cancel before the robot accepted               passed on at once, and again every *repeat* seconds until
                                               the end is confirmed: an order that overtakes its own
                                               cancel is cancelled all the same
cancel while running                           *cancelled* once confirmed; *done* if it was done first
cancel twice                                   as once; the grace is not prolonged
cancel after the end                           nothing
time-out                                       the robot is asked to cancel; a confirmed cancel is
                                               *failed* (took too long), a late success is still *done*
cancel not confirmed within *grace*            *lost*; its resources stay held
the robot never answers                        time-out, cancel, grace, *lost*
a robot answers after *lost*                   recorded; resources are free; the end stays *lost*
an execution says *lost* of its own            reported; resources stay held until the robot can be asked
                                               for the execution by its id: what it says then counts
connection gone (poll raises)                  asked again, and reattached to by id, until *grace* is
                                               over, then *lost*; back in time: goes on as if nothing was
connection back after *lost*                   the execution is cancelled, for nobody waits for it
stop_all                                       the robot is stopped first; then every execution has an
                                               end within bounded time: as the robot says, or *lost*. What
                                               the stopped robot no longer knows holds nothing
=============================================  ==========================================================
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping

from foretree.clock import Clock
from foretree.errors import ForetreeError
from foretree.runs.events import Recorder, Silent
from foretree.skills.robot import End, Execution, Outcome, Robot, RobotError

#: Seconds between two looks at a robot that is being stopped.
_STOP_POLL = 0.05


class ResourceBusy(ForetreeError):  # noqa: N818 - a state of affairs, not a mistake
    """A part of the robot is wanted that an execution still holds.

    Attributes:
        resource: the part.
        holder: the id of the execution that holds it.
    """

    exit_code = 4

    def __init__(self, robot: str, resource: str, holder: Lease) -> None:
        self.resource = resource
        self.holder = holder.id
        what = f" ({holder.what})" if holder.what else ""
        super().__init__(
            f"{robot}: {resource} is held by execution {holder.id}{what}, {holder.standing}; "
            "it is free once the robot confirms that this has ended."
        )


class Lease:
    """An execution that holds resources of a robot. Offers what every :class:`Execution` offers.

    Attributes:
        id: the execution's.
        what: what is executed, for messages.
        resources: the parts of the robot that it holds until its end is confirmed.
        confirmed: whether the robot has confirmed the end. After *lost* it may be late in doing so.
    """

    __slots__ = (
        "_ask",
        "_asked_at",
        "_cancelling",
        "_deadline",
        "_end",
        "_executive",
        "_inner",
        "_limit",
        "_now",
        "_silent_since",
        "_sought_at",
        "_timed_out",
        "_trouble",
        "confirmed",
        "id",
        "resources",
        "what",
    )

    def __init__(
        self, executive: Executive, execution_id: str, what: str, resources: frozenset[str], limit: float
    ) -> None:
        self.id = execution_id
        self.what = what
        self.resources = resources
        self.confirmed = False
        self._executive = executive
        self._now = executive.clock.now
        self._inner: Execution | None = None
        self._ask: Callable[[], End | None] = self._ask_again
        self._end: End | None = None
        # The instant at which the execution times out; once a cancel was asked for, at which it is lost.
        self._limit = limit
        # The next instant at which anything is due: until then a poll asks the robot and nothing else.
        self._deadline = limit
        self._cancelling = False
        self._asked_at = -math.inf
        self._timed_out = False
        self._silent_since: float | None = None
        self._sought_at = -math.inf
        self._trouble = ""

    @property
    def standing(self) -> str:
        """Where it stands, in a word or two."""
        if self.confirmed:
            return "ended"
        if self._end is not None:
            return "lost"
        if self._silent_since is not None:
            return "out of contact"
        return "being cancelled" if self._cancelling else "running"

    # -- what every execution offers -----------------------------------------------------------------
    def poll(self) -> End | None:
        """The end, once there is one. Never blocks, never raises; once reported it never changes."""
        if self._end is not None:
            return self._end
        try:
            end = self._ask()
        except Exception as error:
            end = self._out_of_contact(error)
        # A poll with nothing to do stops here: this line is what a tick costs per running action.
        if end is None and self._now() < self._deadline:
            return None
        return self._attend(end)

    def cancel(self) -> None:
        """Ask for an early end; the end still has to be polled for. A second time changes nothing."""
        if self._end is None and not self._cancelling:
            self._request_cancel(self._now())

    # -- what the executive does with it -------------------------------------------------------------
    def begin(self, begin: Callable[[], Execution]) -> None:
        """Tell the robot. A robot that cannot be told is out of contact from the start."""
        try:
            self._inner = begin()
        except RobotError as error:
            self._attend(self._out_of_contact(error))
        else:
            self._ask = self._inner.poll

    def chase(self) -> None:
        """Ask the robot about it although its holder may not: it was abandoned, or is lost."""
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
            self._executive.note(
                f"{self.id} was {reported.outcome.value}; the robot now says: {end.outcome.value}", self, end
            )
        elif self._now() >= self._asked_at + self._executive.repeat:
            self._pass_on_cancel(self._now())

    def give_up(self, why: str) -> End:
        """Report it as lost, unless it has an end. Its resources stay held."""
        if self._end is None:
            self._end = End(Outcome.LOST, why)
            self._executive.unattended(self)
        return self._end

    def forgotten(self) -> None:
        """The robot has stopped and no longer knows it: nothing of it can still move."""
        self.give_up("the robot was stopped and does not know the execution any more")
        self._confirm()

    # -- within --------------------------------------------------------------------------------------
    def _attend(self, end: End | None) -> End | None:
        """What is due now: an end to report, a time-out, a cancel to repeat, an execution to give up."""
        if end is not None:
            if end.outcome is Outcome.CANCELLED and self._timed_out:
                end = End(Outcome.FAILED, _with_detail("it took too long and was cancelled", end.reason))
            self._end = end
            if end.outcome is Outcome.LOST:
                self._executive.unattended(self)
            else:
                self._confirm()
            return end
        now = self._now()
        grace = self._executive.grace
        if self._silent_since is not None and now >= self._silent_since + grace:
            self.give_up(_with_detail(f"out of contact for {grace:g} s", self._trouble))
        elif not self._cancelling:
            if now >= self._limit:
                self._timed_out = True
                self._request_cancel(now)
        elif now >= self._limit:
            late = "it took too long and " if self._timed_out else ""
            self.give_up(f"{late}the robot did not confirm the cancel within {grace:g} s")
        elif now >= self._asked_at + self._executive.repeat:
            self._pass_on_cancel(now)
        self._schedule()
        return self._end

    def _request_cancel(self, now: float) -> None:
        self._cancelling = True
        self._limit = now + self._executive.grace
        self._executive.unattended(self)
        self._pass_on_cancel(now)
        self._schedule()

    def _pass_on_cancel(self, now: float) -> None:
        self._asked_at = now
        if self._inner is None:
            return
        try:
            self._inner.cancel()
        except Exception as error:
            self._trouble = str(error)

    def _schedule(self) -> None:
        due = self._limit
        if self._cancelling:
            due = min(due, self._asked_at + self._executive.repeat)
        if self._silent_since is not None:
            due = min(due, self._silent_since + self._executive.grace)
        self._deadline = due

    def _out_of_contact(self, error: Exception) -> End | None:
        """The robot did not answer. Ask for the execution by its id: the connection may be a new one."""
        now = self._now()
        self._trouble = str(error) or type(error).__name__
        if self._silent_since is None:
            self._silent_since = now
            self._ask = self._ask_again
            self._executive.note(f"{self.id}: out of contact: {self._trouble}", self)
            self._schedule()
        if now < self._sought_at + self._executive.repeat:
            return None
        self._sought_at = now
        try:
            known = self._executive.robot.attach(self.id)
        except Exception:
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
        if now < self._sought_at + self._executive.repeat:
            return None
        self._sought_at = now
        try:
            known = self._executive.robot.attach(self.id)
            end = known.poll() if known is not None else None
        except Exception:
            return None
        if known is not None and end is None:
            self._inner = known
            self._ask = known.poll
        return end

    def _ask_again(self) -> End | None:
        """How to ask after an answer stayed out; an answer brings everything back to normal."""
        if self._inner is None:
            raise RobotError(self._trouble)
        end = self._inner.poll()
        self._silent_since = None
        self._sought_at = -math.inf
        self._ask = self._inner.poll
        self._schedule()
        return end

    def _confirm(self) -> None:
        self.confirmed = True
        self._executive.release(self)


class Executive:
    """Starts executions on one robot and keeps account of which holds what.

    Args:
        robot: who is told.
        clock: decides when something has taken too long.
        recorder: is told of lost contact and of late answers.
        grace: seconds that a robot has to confirm a cancel, or to come back after contact was lost.
        repeat: seconds after which a cancel that is not confirmed is asked for again.
    """

    def __init__(
        self,
        robot: Robot,
        clock: Clock,
        recorder: Recorder | None = None,
        *,
        grace: float = 5.0,
        repeat: float = 1.0,
    ) -> None:
        self.robot = robot
        self.clock = clock
        self.recorder: Recorder = recorder or Silent()
        self.grace = grace
        self.repeat = repeat
        self._alive: dict[str, Lease] = {}
        self._holders: dict[str, Lease] = {}
        self._unattended: dict[str, Lease] = {}

    # -- starting ------------------------------------------------------------------------------------
    def start(
        self,
        execution_id: str,
        begin: Callable[[], Execution],
        resources: Iterable[str] = (),
        time_out: float = 60.0,
        what: str = "",
    ) -> Lease:
        """Lease *resources* and have *begin* tell the robot.

        A robot that cannot be told is no exception here: the lease then ends as *failed* or *lost*.
        Whatever else *begin* raises passes through, and nothing is leased.

        Args:
            execution_id: never used before on this robot.
            begin: tells the robot, e.g. ``lambda: robot.start(order, execution_id)``.
            resources: the parts of the robot that are held until the end is confirmed.
            time_out: seconds after which the execution is cancelled.
            what: what is executed, for messages.

        Raises:
            ResourceBusy: a resource is held by an execution whose end is not confirmed.
        """
        if execution_id in self._alive:
            raise ValueError(f"execution id {execution_id!r} is in use")
        wanted = frozenset(resources)
        for resource in sorted(wanted):
            holder = self._holder(resource)
            if holder is not None:
                raise ResourceBusy(self.robot.name, resource, holder)
        lease = Lease(self, execution_id, what, wanted, self.clock.now() + time_out)
        self._alive[execution_id] = lease
        self._holders.update(dict.fromkeys(wanted, lease))
        try:
            lease.begin(begin)
        except Exception:
            self.release(lease)
            raise
        return lease

    def attach(
        self, execution_id: str, resources: Iterable[str] = (), time_out: float = 60.0, what: str = ""
    ) -> Lease | None:
        """Take over an execution from before a crash; None when the robot does not know it.

        Raises:
            RobotError: the robot cannot be asked.
        """
        known = self.robot.attach(execution_id)
        if known is None:
            return None
        return self.start(execution_id, lambda: known, resources, time_out, what)

    # -- asking --------------------------------------------------------------------------------------
    def free(self, resources: Iterable[str]) -> bool:
        """Whether a start that needs *resources* would be accepted now. Asks the robot about holders."""
        return all(self._holder(resource) is None for resource in sorted(resources))

    def held(self) -> Mapping[str, str]:
        """Which resource is held by which execution."""
        return {resource: lease.id for resource, lease in sorted(self._holders.items())}

    def alive(self) -> tuple[str, ...]:
        """The executions whose end the robot has not confirmed, oldest first."""
        return tuple(self._alive)

    # -- keeping account -----------------------------------------------------------------------------
    def tend(self) -> None:
        """Look after executions that nobody polls any more. Call it once per tick; costs nothing if none."""
        if self._unattended:
            for lease in tuple(self._unattended.values()):
                lease.chase()

    def stop_all(self, within: float | None = None) -> dict[str, End]:
        """Stop the robot, then wait until every execution has an end: at most *within* seconds.

        Returns:
            How each execution ended that was alive; what did not answer in time is *lost*. Never raises.
        """
        stopped, trouble = True, ""
        try:
            self.robot.stop()
        except Exception as error:
            stopped, trouble = False, str(error) or type(error).__name__
            self.note(f"the robot could not be told to stop: {trouble}")
        leases = tuple(self._alive.values())
        for lease in leases:
            lease.cancel()
        limit = self.clock.now() + (self.grace if within is None else within)
        while True:
            for lease in leases:
                if not lease.confirmed:
                    lease.chase()
                if not lease.confirmed and stopped and self._does_not_know(lease.id):
                    lease.forgotten()
            now = self.clock.now()
            if now >= limit or all(lease.confirmed for lease in leases):
                break
            self.clock.sleep_until(min(limit, now + _STOP_POLL))
        why = _with_detail("the robot was told to stop and has not confirmed it", trouble)
        return {lease.id: lease.give_up(why) for lease in leases}

    def unattended(self, lease: Lease) -> None:
        """For leases: the holder may have stopped polling, so :meth:`tend` takes over."""
        self._unattended[lease.id] = lease

    def release(self, lease: Lease) -> None:
        """For leases: the end is confirmed, so what it held is free."""
        self._alive.pop(lease.id, None)
        self._unattended.pop(lease.id, None)
        for resource in lease.resources:
            if self._holders.get(resource) is lease:
                del self._holders[resource]

    def note(self, text: str, lease: Lease | None = None, end: End | None = None) -> None:
        """For leases: write down what would otherwise go unnoticed."""
        data: dict[str, str] = {"text": text}
        if lease is not None:
            data["execution"] = lease.id
        if end is not None:
            data.update(outcome=end.outcome.value, reason=end.reason)
        self.recorder.record("log", **data)

    def _holder(self, resource: str) -> Lease | None:
        lease = self._holders.get(resource)
        if lease is None:
            return None
        lease.chase()
        return None if lease.confirmed else lease

    def _does_not_know(self, execution_id: str) -> bool:
        try:
            return self.robot.attach(execution_id) is None
        except Exception:
            return False


def _with_detail(sentence: str, detail: str) -> str:
    return f"{sentence}: {detail}" if detail else sentence
