"""The team: the robots that carry out one plan, each with an executive of its own.

One plan is made for all of them. Which robot an action is for, its arguments say; the first one carries out
an action that names none.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from foretree.agent.settings import Settings
from foretree.clock import Clock
from foretree.runs.events import Recorder
from foretree.skills.executive.executive import Executive, Hold
from foretree.skills.robot import Robot, RobotError


class TeamMember:
    """One robot, and what is known of the contact with it.

    Attributes:
        executive: leases its parts, and holds the robot.
        silence: why it sends no observations just now; empty while it does. It begins nothing new then.
        absence: why nothing more is expected of it, though others go on; empty while it takes part.
    """

    def __init__(self, robot: Robot, clock: Clock, recorder: Recorder, settings: Settings) -> None:
        self.executive = Executive(
            robot, clock, recorder, grace=settings.cancel_grace, patience=settings.contact_patience
        )
        self.silence = ""
        self.absence = ""
        self._clock = clock
        self._recorder = recorder
        self._patience = settings.contact_patience
        self._silent_since: float | None = None

    @property
    def robot(self) -> Robot:
        """The robot."""
        return self.executive.robot

    def note_contact(self) -> None:
        """Forget a silence that is over."""
        self._silent_since, self.silence = None, ""

    def note_silence(self, error: RobotError) -> None:
        """Wait for a robot that cannot be reached, but not for ever.

        Raises:
            RobotError: it has not been reached for longer than the setting ``contact_patience`` says, and is
                still expected to take part.
        """
        now, patience, name = self._clock.now(), self._patience, self.robot.name
        why = f"{name} sends no observations: {error}"
        if self._silent_since is None:
            self._silent_since = now
            self._recorder.record("log", text=why)
        if now >= self._silent_since + patience and not self.absence:
            raise RobotError(f"{name} has sent no observations for {patience:g} s: {error}") from error
        self.silence = f"{why.rstrip('.')}; given up after {patience:g} s"


class Team:
    """The robots of one session.

    Args:
        robots: the first of them acts where nothing says which.
        clock: all time comes from it.
        recorder: takes down what happens.
        settings: how long to wait for robots.
    """

    def __init__(self, robots: Sequence[Robot], clock: Clock, recorder: Recorder, settings: Settings) -> None:
        self.members = tuple(TeamMember(robot, clock, recorder, settings) for robot in robots)
        self._by_name = {member.robot.name: member for member in self.members}

    def __iter__(self) -> Iterator[TeamMember]:
        return iter(self.members)

    @property
    def first(self) -> TeamMember:
        """The robot that acts where nothing says which."""
        return self.members[0]

    def acting(self, names: Collection[str]) -> TeamMember:
        """Return the robot that is named first among *names*."""
        if len(self.members) == 1:
            return self.first
        return next((self._by_name[name] for name in names if name in self._by_name), self.first)

    def taking_part(self, names: Collection[str]) -> tuple[TeamMember, ...]:
        """Return the robots that are named among *names*, in their order; the first robot if none is."""
        if len(self.members) == 1:
            return self.members
        return tuple(self._by_name[name] for name in names if name in self._by_name) or (self.first,)

    def alive(self) -> tuple[str, ...]:
        """The executions whose end no robot has confirmed."""
        return tuple(execution for member in self.members for execution in member.executive.alive())

    def stop(self) -> None:
        """Stop all robots, and wait until every execution has an end."""
        for member in self.members:
            member.executive.stop_all()

    def coming_free(self) -> Hold | None:
        """The first part of a robot that is held, but not for good; None if nothing will become free."""
        found = (member.executive.coming_free() for member in self.members if member.executive.held())
        return next((hold for hold in found if hold is not None), None)

    def lost_for_good(self) -> tuple[TeamMember, Hold] | None:
        """A robot with a part that has been lost for so long that nothing waits for it any more."""
        found = ((member, member.executive.lost_for_good()) for member in self.members)
        return next(((member, hold) for member, hold in found if hold is not None), None)
