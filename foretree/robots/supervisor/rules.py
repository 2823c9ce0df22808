"""The rules of a supervisor: each takes what was heard last, with its age, and says what is wrong.

Every limit is written so that a number which is not one (NaN) is beyond it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from foretree.robots.supervisor.readings import (
    ForceReading,
    InputReading,
    JointsReading,
    PeopleReading,
    PointReading,
    SwitchReading,
)
from foretree.robots.supervisor.safety_file import SafetyBox


@dataclass(frozen=True, slots=True)
class SafetySnapshot:
    """Readings that were heard last, at one time.

    Attributes:
        now: the time, by the supervisor's clock.
        readings: the last reading by input and by point; what was never heard is not in it.
    """

    now: float
    readings: Mapping[str, InputReading]


class SafetyRule(Protocol):
    """A rule.

    What was never heard breaks no rule but :class:`Silence`, which every input and every point has.

    Attributes:
        name: what it is called in the state of the supervisor.
        reads: the inputs and points that it judges.
    """

    @property
    def name(self) -> str: ...

    @property
    def reads(self) -> Sequence[str]: ...

    def violations(self, snapshot: SafetySnapshot) -> Sequence[str]:
        """Return what is wrong, a sentence each."""
        ...


@dataclass(frozen=True, slots=True)
class Silence:
    """An input, or a point, that falls silent."""

    input: str
    limit: float
    name: str = "silence"

    @property
    def reads(self) -> Sequence[str]:
        return (self.input,)

    def violations(self, snapshot: SafetySnapshot) -> Sequence[str]:
        reading = snapshot.readings.get(self.input)
        if reading is None:
            return (f"nothing has been heard of {self.input}",)
        age = snapshot.now - reading.at
        if not age <= self.limit:
            return (f"{self.input} has been silent for {age:.3g} s, {self.limit:.3g} s are allowed",)
        return ()


@dataclass(frozen=True, slots=True)
class Sound:
    """A message that makes no sense: of another frame, without what it has to tell, or with no numbers."""

    input: str
    name: str = "sound"

    @property
    def reads(self) -> Sequence[str]:
        return (self.input,)

    def violations(self, snapshot: SafetySnapshot) -> Sequence[str]:
        reading = snapshot.readings.get(self.input)
        if reading is None:
            return ()
        if reading.problem:
            return (f"{self.input} {reading.problem}",)
        if not all(map(math.isfinite, reading.numbers)):
            return (f"{self.input} says what is no number",)
        return ()


@dataclass(frozen=True, slots=True)
class JointSpeeds:
    """Joints that move too fast."""

    input: str
    limit: float
    joints: Mapping[str, float] = field(default_factory=dict)
    name: str = "joint_speeds"

    @property
    def reads(self) -> Sequence[str]:
        return (self.input,)

    def violations(self, snapshot: SafetySnapshot) -> Sequence[str]:
        reading = snapshot.readings.get(self.input)
        if not isinstance(reading, JointsReading):
            return ()
        found: list[str] = []
        for name, speed in zip(reading.names, reading.speeds, strict=True):
            limit = self.joints.get(name, self.limit)
            if not abs(speed) <= limit:
                found.append(f"{name} moves at {abs(speed):.3g}, {limit:g} is allowed")
        return found


@dataclass(frozen=True, slots=True)
class Forces:
    """A force, or a torque, that is too large."""

    input: str
    newtons: float | None
    newton_metres: float | None
    name: str = "forces"

    @property
    def reads(self) -> Sequence[str]:
        return (self.input,)

    def violations(self, snapshot: SafetySnapshot) -> Sequence[str]:
        reading = snapshot.readings.get(self.input)
        if not isinstance(reading, ForceReading):
            return ()
        if self.newtons is not None and not reading.newtons <= self.newtons:
            return (f"{self.input} feels {reading.newtons:.3g} N, {self.newtons:g} N are allowed",)
        if self.newton_metres is not None and not reading.newton_metres <= self.newton_metres:
            return (
                f"{self.input} feels {reading.newton_metres:.3g} Nm, {self.newton_metres:g} Nm are allowed",
            )
        return ()


@dataclass(frozen=True, slots=True)
class PointSpeeds:
    """Points that move too fast."""

    points: Sequence[str]
    limit: float
    name: str = "speeds"

    @property
    def reads(self) -> Sequence[str]:
        return self.points

    def violations(self, snapshot: SafetySnapshot) -> Sequence[str]:
        return [
            f"{name} moves at {point.speed:.3g} m/s, {self.limit:g} m/s are allowed"
            for name, point in _points(self.points, snapshot)
            if not point.speed <= self.limit
        ]


@dataclass(frozen=True, slots=True)
class Inside:
    """Points that leave a box."""

    points: Sequence[str]
    box: SafetyBox
    says: str
    name: str = "workspace"

    @property
    def reads(self) -> Sequence[str]:
        return self.points

    def violations(self, snapshot: SafetySnapshot) -> Sequence[str]:
        low, high = self.box.from_, self.box.to
        return [
            f"{name} is outside of {self.says}"
            for name, point in _points(self.points, snapshot)
            if not (
                low[0] + point.radius <= point.x <= high[0] - point.radius
                and low[1] + point.radius <= point.y <= high[1] - point.radius
                and low[2] + point.radius <= point.z <= high[2] - point.radius
            )
        ]


@dataclass(frozen=True, slots=True)
class Outside:
    """Points that enter a box."""

    points: Sequence[str]
    box: SafetyBox
    says: str
    name: str = "no_go"

    @property
    def reads(self) -> Sequence[str]:
        return self.points

    def violations(self, snapshot: SafetySnapshot) -> Sequence[str]:
        return [
            f"{name} is in {self.says}"
            for name, point in _points(self.points, snapshot)
            if not self._distance(point) > point.radius
        ]

    def _distance(self, point: PointReading) -> float:
        low, high = self.box.from_, self.box.to
        return math.hypot(
            max(low[0] - point.x, 0.0, point.x - high[0]),
            max(low[1] - point.y, 0.0, point.y - high[1]),
            max(low[2] - point.z, 0.0, point.z - high[2]),
        )


@dataclass(frozen=True, slots=True)
class Apart:
    """People who are too near, along the floor, for the speed at which points move."""

    input: str
    points: Sequence[str]
    nearest: float
    stops_in: float
    person_speed: float
    name: str = "people"

    @property
    def reads(self) -> Sequence[str]:
        return (self.input, *self.points)

    def violations(self, snapshot: SafetySnapshot) -> Sequence[str]:
        reading = snapshot.readings.get(self.input)
        if not isinstance(reading, PeopleReading):
            return ()
        found: list[str] = []
        for name, point in _points(self.points, snapshot):
            needed = self.nearest + self.stops_in * (point.speed + self.person_speed)
            for x, y, radius in reading.people:
                distance = math.hypot(x - point.x, y - point.y) - point.radius - radius
                if not distance >= needed:
                    found.append(f"a person is {distance:.3g} m from {name}, {needed:.3g} m are needed")
        return found


@dataclass(frozen=True, slots=True)
class EmergencyStop:
    """An emergency stop that is pressed."""

    input: str
    name: str = "emergency_stops"

    @property
    def reads(self) -> Sequence[str]:
        return (self.input,)

    def violations(self, snapshot: SafetySnapshot) -> Sequence[str]:
        reading = snapshot.readings.get(self.input)
        if isinstance(reading, SwitchReading) and reading.pressed:
            return (f"{self.input} is pressed",)
        return ()


@dataclass(frozen=True, slots=True)
class DeadMan:
    """A dead-man's button that is not pressed."""

    input: str
    name: str = "dead_man"

    @property
    def reads(self) -> Sequence[str]:
        return (self.input,)

    def violations(self, snapshot: SafetySnapshot) -> Sequence[str]:
        reading = snapshot.readings.get(self.input)
        if isinstance(reading, SwitchReading) and not reading.pressed:
            return (f"{self.input} is not pressed",)
        return ()


def _points(names: Sequence[str], snapshot: SafetySnapshot) -> list[tuple[str, PointReading]]:
    known = ((name, snapshot.readings.get(name)) for name in names)
    return [(name, reading) for name, reading in known if isinstance(reading, PointReading)]
