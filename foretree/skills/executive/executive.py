"""The executive: leases a robot's resources, and gives every execution an end.

A resource (a hand, the base, the camera) belongs to one execution at a time. It becomes free when the
robot has *confirmed* that the execution is over, not when its holder lost interest in it. The end that a
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
cancel before the robot accepted               passed on at once, and again after 1, 2, 4, 8 … times *repeat*
                                               until the end is confirmed, eight times at most: an order that
                                               overtakes its own cancel is cancelled all the same
cancel while running                           *cancelled* once confirmed; *done* if it was done first
cancel twice                                   as once; the grace is not prolonged
interrupt                                      as a cancel; what is not *done* is reported with the reason, a
                                               failure as *cancelled*: it is not the action's
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
connection back after *lost*                   the execution is cancelled, for nothing waits for it
a driver's mistake (poll or cancel raises      raised once, so that it ends what asked; the execution is
anything but RobotError)                       *lost*, and its resources stay held
start while what holds a resource is lost      waits until *patience* after it was lost, then it has *failed*
stop_all                                       the robot is stopped first; then every execution has an
                                               end within bounded time: as the robot says, or *lost*. What
                                               the stopped robot no longer knows holds nothing
=============================================  ==========================================================
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from foretree.errors import ForetreeError
from foretree.skills.executive._lease import Lease, Lessor, describe_error, with_reason
from foretree.skills.robot import End, Execution

__all__ = ["Executive", "Hold", "Lease", "ResourceBusy"]

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
            f"{robot}: {resource} is held by execution {holder.id}{what}, {holder.status}; "
            "it is free once the robot confirms that this has ended."
        )


@dataclass(frozen=True, slots=True)
class Hold:
    """A part of the robot that is not free.

    Attributes:
        resource: the part.
        holder: the execution that holds it.
        for_good: whether the holder has been lost for so long that waiting makes no more sense.
    """

    resource: str
    holder: Lease
    for_good: bool

    def __str__(self) -> str:
        holder = self.holder
        what = f" ({holder.what})" if holder.what else ""
        end = holder.poll() if holder.lost_at is not None else None
        how = holder.delay_reason or holder.status if end is None else with_reason("lost", end.reason)
        return f"{self.resource} is held by {holder.id}{what}, {how}"


class Executive(Lessor):
    """Starts executions on one robot and keeps account of which holds what.

    Args:
        robot: who is told.
        clock: decides when something has taken too long.
        recorder: is told of lost contact and of late answers.
        grace: seconds that a robot has to confirm a cancel, or to come back after contact was lost.
        repeat: seconds after which a cancel that is not confirmed is asked for again for the first time.
        patience: seconds after which what was lost is not waited for any more.
    """

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
        """Return whether a start with *resources* would be accepted now. Asks the robot about holders."""
        return self.hold(resources) is None

    def hold(self, resources: Iterable[str]) -> Hold | None:
        """The first of *resources* that is not free; None if all are. Asks the robot about holders."""
        return next(self._holds(resources), None)

    def coming_free(self) -> Hold | None:
        """The first part of the robot that is held, but not for good; None if nothing will become free."""
        return next((hold for hold in self._holds(tuple(self._holders)) if not hold.for_good), None)

    def lost_for_good(self) -> Hold | None:
        """The first part of the robot that has been lost for so long that nothing waits for it any more."""
        return next((hold for hold in self._holds(tuple(self._holders)) if hold.for_good), None)

    def refused(self, execution_id: str, why: str, what: str = "") -> Lease:
        """An execution that has failed before the robot was told, and holds nothing."""
        lease = Lease(self, execution_id, what, frozenset(), self.clock.now())
        lease.refuse(why)
        return lease

    def held(self) -> Mapping[str, str]:
        """Resources that are held, each with its execution."""
        return {resource: lease.id for resource, lease in sorted(self._holders.items())}

    def alive(self) -> tuple[str, ...]:
        """The executions whose end the robot has not confirmed, oldest first."""
        return tuple(self._alive)

    def confirm_lost(self, by: str) -> tuple[str, ...]:
        """Take a person's word that nothing moves any more of what was lost: its parts are free again.

        Returns:
            The executions; how they ended stays *lost*.
        """
        lost = [lease for lease in self._alive.values() if lease.lost_at is not None]
        for lease in lost:
            lease.end_as_unknown()
            self.note(f"{lease.id} was lost; {by} says that nothing of it moves any more", lease)
        return tuple(lease.id for lease in lost)

    # -- keeping account -----------------------------------------------------------------------------
    def poll_unattended(self) -> None:
        """Poll executions that nothing else polls. Call it once per tick; costs nothing if there are none."""
        if self._unattended:
            for lease in tuple(self._unattended.values()):
                lease.follow_up()

    def interrupt(self, why: str) -> None:
        """Ask the robot to end everything that runs; how it ends is reported with *why*."""
        for lease in tuple(self._alive.values()):
            lease.interrupt(why)

    def stop_all(self, within: float | None = None) -> dict[str, End]:
        """Stop the robot, then wait until every execution has an end: at most *within* seconds.

        Returns:
            How each execution ended that was alive; what did not answer in time is *lost*. Never raises.
        """
        stopped, trouble = True, ""
        try:
            self.robot.stop()
        except Exception as error:
            stopped, trouble = False, describe_error(error)
            self.note(f"the robot could not be told to stop: {trouble}")
        leases = tuple(self._alive.values())
        for lease in leases:
            self._despite_mistakes(lease.cancel, lease)
        limit = self.clock.now() + (self.grace if within is None else within)
        while True:
            for lease in leases:
                if not lease.confirmed:
                    self._despite_mistakes(lease.follow_up, lease)
                if not lease.confirmed and stopped and self._does_not_know(lease.id):
                    lease.end_as_unknown()
            now = self.clock.now()
            if now >= limit or all(lease.confirmed for lease in leases):
                break
            self.clock.sleep_until(min(limit, now + _STOP_POLL))
        why = with_reason("the robot was told to stop and has not confirmed it", trouble)
        return {lease.id: lease.give_up(why) for lease in leases}

    def _holds(self, resources: Iterable[str]) -> Iterator[Hold]:
        for resource in sorted(resources):
            holder = self._holder(resource)
            if holder is not None:
                lost = holder.lost_at
                yield Hold(resource, holder, lost is not None and self.clock.now() >= lost + self.patience)

    def _despite_mistakes(self, deal: Callable[[], object], lease: Lease) -> None:
        """*deal* with a lease while stopping, where a mistake in a driver must not keep others running."""
        try:
            deal()
        except Exception as error:
            self.note(f"{lease.id}: {describe_error(error)}", lease)

    def _holder(self, resource: str) -> Lease | None:
        lease = self._holders.get(resource)
        if lease is None:
            return None
        lease.follow_up()
        return None if lease.confirmed else lease

    def _does_not_know(self, execution_id: str) -> bool:
        try:
            return self.robot.attach(execution_id) is None
        except Exception:
            return False
