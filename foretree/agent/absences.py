"""Absences: a robot of several that does not answer, or act, any more; the others go on without it."""

from __future__ import annotations

from collections.abc import Callable

from foretree.agent.team import Team, TeamMember
from foretree.planning.constraints.constraints import NeverUse
from foretree.runs.events import Recorder
from foretree.skills.robot import RobotError


class Absences:
    """Notes which robots of a team are not to be counted on, and says so.

    Args:
        team: the robots.
        recorder: is told when one is absent or back.
        changed: has plans made without the absent robots.
    """

    def __init__(self, team: Team, recorder: Recorder, changed: Callable[[], None]) -> None:
        self._team = team
        self._recorder = recorder
        self._changed = changed

    @property
    def constraints(self) -> tuple[NeverUse, ...]:
        """Constraints that keep plans from using absent robots."""
        return tuple(NeverUse(None, (one.robot.name,)) for one in self._team if one.absence)

    def note_silence(self, member: TeamMember, error: RobotError) -> None:
        """Wait for a silent robot, and after a while go on without it.

        Raises:
            RobotError: there is no other robot.
        """
        try:
            member.note_silence(error)
        except RobotError as lost:
            if not self._without(member, str(lost)):
                raise

    def update(self) -> None:
        """Go on without robots that act no more, and with those that are back. Called at every sync."""
        for member in self._team:
            lost = member.executive.lost_for_good() if member.executive.held() else None
            if not member.absence and lost is not None:
                self._without(member, f"{member.robot.name}: {lost}")
            elif member.absence and not member.silence and lost is None:
                member.absence = ""
                self._recorder.record("person.told", text=f"{member.robot.name} is back.")
                self._changed()

    def _without(self, member: TeamMember, why: str) -> bool:
        """Go on without a robot; return whether there is another one."""
        others = [one.robot.name for one in self._team if one is not member and not one.absence]
        if not others:
            return False
        member.absence = why.rstrip(".")
        text = f"{member.absence}. {' and '.join(others)} will do what can be done without it."
        self._recorder.record("person.told", text=text)
        self._changed()
        return True
