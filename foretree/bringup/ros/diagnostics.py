"""Diagnostics of the agent: what runs, overruns, the contact with the robot."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum

from foretree.bringup.ros.carrying.carrier import Carrier
from foretree.bringup.ros.carrying.carry_desk import CarryDesk
from foretree.bringup.ros.carrying.steering import Steering


class Level(IntEnum):
    """Level of a status, as ``diagnostic_msgs/msg/DiagnosticStatus`` numbers it."""

    OK = 0
    WARN = 1
    ERROR = 2
    STALE = 3


@dataclass(frozen=True, slots=True)
class DiagnosticReport:
    """One status of ``/diagnostics``.

    Attributes:
        name: what it is about.
        level: how good it is.
        message: the same in words.
        values: details.
    """

    name: str
    level: Level
    message: str
    values: Mapping[str, str] = field(default_factory=dict)


class Diagnostics:
    """Reports on the agent, from any thread. What it reads changes in one piece.

    Args:
        carrier: carries out goals.
        desk: has the goals.
        steering: says whether a person has the robot.
    """

    def __init__(self, carrier: Carrier, desk: CarryDesk, steering: Steering) -> None:
        self._carrier = carrier
        self._desk = desk
        self._steering = steering
        self._overruns = 0

    def reports(self, state: str) -> list[DiagnosticReport]:
        """Return how things are.

        Args:
            state: the node's lifecycle state.
        """
        return [self._agent(state), self._rhythm(), self._robot()]

    def _agent(self, state: str) -> DiagnosticReport:
        session = self._carrier.session
        values = {"state": state, "goals waiting": str(self._desk.waiting)}
        if session is None:
            return DiagnosticReport("agent", Level.OK, "no goal so far", values)
        values["instruction"] = session.mission.instruction
        values["ticks"] = str(session.ticks)
        result = session.result
        if result is not None:
            level = Level.ERROR if result.outcome == "error" else Level.OK
            values["reason"] = result.reason
            return DiagnosticReport("agent", level, f"the last goal: {result.outcome}", values)
        if self._steering.taken:
            return DiagnosticReport("agent", Level.WARN, "a person has the robot", values)
        if session.paused:
            return DiagnosticReport("agent", Level.WARN, "paused", values)
        return DiagnosticReport("agent", Level.OK, "carries out a goal", values)

    def _rhythm(self) -> DiagnosticReport:
        """Return whether ticks took too long since the last report."""
        noted, session = self._carrier.noted, self._carrier.session
        now = self._carrier.overruns + (
            noted.overruns if session is not None and session.result is None else 0
        )
        new, self._overruns = max(0, now - self._overruns), now
        values = {"overruns": str(now), "longest tick of the goal": f"{noted.longest:.4f} s"}
        if session is not None:
            values["tick_hz"] = f"{session.context.settings.tick_hz:g}"
        message = f"{new} ticks took too long since the last report" if new else "ticks are in time"
        return DiagnosticReport("rhythm", Level.WARN if new else Level.OK, message, values)

    def _robot(self) -> DiagnosticReport:
        workplace = self._carrier.workplace
        if workplace is None:
            return DiagnosticReport("robot", Level.STALE, "no robot: the agent is not configured")
        team = workplace.context.team
        silent = {member.robot.name: member.absence or member.silence for member in team}
        values = {name: why or "in contact" for name, why in silent.items()}
        lost = team.lost_for_good()
        if lost is not None:
            return DiagnosticReport("robot", Level.ERROR, f"{lost[0].robot.name}: {lost[1]}", values)
        trouble = [why for why in silent.values() if why]
        if trouble:
            return DiagnosticReport("robot", Level.ERROR, trouble[0], values)
        held, silent_streams = workplace.hold_reason(), workplace.silent()
        if held:
            values["held"] = held
        if silent_streams:
            values["senses"] = " ".join(f"{text}." for text in silent_streams)
        if held or silent_streams:
            message = f"held: {held}" if held else f"senses: {silent_streams[0]}"
            return DiagnosticReport("robot", Level.WARN, message, values)
        return DiagnosticReport("robot", Level.OK, "in contact", values)
