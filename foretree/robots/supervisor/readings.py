"""Readings that were heard last on each input of a supervisor: messages as plain numbers, by attribute."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from foretree.robots.supervisor.frames import FrameTree
from foretree.robots.supervisor.safety_file import SafetyFile, SafetyInput, SafetyPoint

#: Seconds over which the speed of a point is measured at least: stamps are not exact.
_SPEED_SECONDS = 0.01


@dataclass(frozen=True, slots=True)
class InputReading:
    """Reading of a message.

    Attributes:
        at: when it came, by the supervisor's clock.
        stamp: its own time stamp; 0 if it has none.
        numbers: every number in it that counts.
        problem: why it cannot be judged, in words; empty if it can.
    """

    at: float
    stamp: float = 0.0
    numbers: Sequence[float] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True)
class JointsReading(InputReading):
    """Names and speeds of joints."""

    names: Sequence[str] = ()
    speeds: Sequence[float] = ()


@dataclass(frozen=True, slots=True)
class ForceReading(InputReading):
    """The amounts of a force and of a torque."""

    newtons: float = 0.0
    newton_metres: float = 0.0


@dataclass(frozen=True, slots=True)
class PeopleReading(InputReading):
    """Positions of people on the floor: x, y, and the radius that each takes."""

    people: Sequence[tuple[float, float, float]] = ()


@dataclass(frozen=True, slots=True)
class SwitchReading(InputReading):
    """State of a button: pressed or not."""

    pressed: bool = False


@dataclass(frozen=True, slots=True)
class PointReading(InputReading):
    """Position of a point, and the speed at which it moves."""

    x: float = 0.0
    y: float = 0.0
    z: float = 0.0
    radius: float = 0.0
    speed: float = 0.0


_Take: TypeAlias = Callable[[SafetyInput, str, Any, float], "InputReading | None"]


class Inputs:
    """The last reading of each input, and of each point.

    A message with the time stamp of the one before is no news: a driver that repeats itself counts as silent.

    Args:
        file: says what is listened to.

    Attributes:
        readings: the last reading by input and by point; what was never heard is not in it.
    """

    def __init__(self, file: SafetyFile) -> None:
        self.readings: dict[str, InputReading] = {}
        self._file = file
        self._frames = FrameTree()
        self._points: dict[str, list[tuple[str, SafetyPoint]]] = {name: [] for name in file.inputs}
        for name, point in file.points.items():
            self._points[point.input].append((name, point))
        self._anchors: dict[str, tuple[float, PointReading]] = {}

    def hear(self, name: str, message: Any, now: float) -> bool:
        """Take in a message that came at *now*; return whether it is news."""
        given = self._file.inputs[name]
        if given.kind == "tf":
            self._frames.hear(message.transforms, now)
            self.readings[name] = InputReading(now)
            return self._update_points(name)
        reading = _TAKES[given.kind](given, self._file.frame, message, now)
        before = self.readings.get(name)
        if reading is None or (before is not None and reading.stamp and reading.stamp == before.stamp):
            return False
        self.readings[name] = reading
        if given.kind == "pose":
            for point_name, point in self._points[name]:
                x, y, z = reading.numbers
                self._move(point_name, point, reading, x, y, z)
        return True

    def hear_static(self, message: Any) -> None:
        """Take in transforms that never change."""
        self._frames.hear(message.transforms, 0.0, static=True)

    def release_buttons(self) -> None:
        """Forget presses of buttons that cannot say that they are released."""
        for name, given in self._file.inputs.items():
            if given.kind == "event" and name in self.readings:
                self.readings[name] = SwitchReading(self.readings[name].at)

    def _update_points(self, name: str) -> bool:
        news = False
        for point_name, point in self._points[name]:
            found = self._frames.position(point.frame, self._file.frame)
            if found is None:
                continue
            before = self.readings.get(point_name)
            if before is not None and before.at == found.at and before.stamp == found.stamp:
                continue
            x, y, z = found.x, found.y, found.z
            reading = InputReading(found.at, found.stamp, (x, y, z))
            self._move(point_name, point, reading, x, y, z)
            news = True
        return news

    def _move(
        self, name: str, point: SafetyPoint, reading: InputReading, x: float, y: float, z: float
    ) -> None:
        """Note where a point is now, and its speed since it was noted some time before."""
        when = reading.stamp or reading.at
        since, anchor = self._anchors.get(name, (when, None))
        before = self.readings.get(name)
        speed = before.speed if isinstance(before, PointReading) else 0.0
        if anchor is not None and when - since >= _SPEED_SECONDS:
            speed = math.dist((x, y, z), (anchor.x, anchor.y, anchor.z)) / (when - since)
        moved = PointReading(
            reading.at, reading.stamp, reading.numbers, reading.problem, x, y, z, point.radius, speed
        )
        if anchor is None or not 0 <= when - since < _SPEED_SECONDS:
            self._anchors[name] = when, moved
        self.readings[name] = moved


def _joints(given: SafetyInput, frame: str, message: Any, now: float) -> InputReading | None:
    names, speeds = message.name, message.velocity
    stamp = _stamp(message)
    if given.joints:
        places = {name: index for index, name in enumerate(names)}
        if not any(name in places for name in given.joints):
            return None  # another part of the robot reports on the same topic
        if missing := [name for name in given.joints if name not in places]:
            return JointsReading(now, stamp, problem=f"does not tell of the joint {missing[0]}")
        if len(speeds) == len(names):
            speeds = [speeds[places[name]] for name in given.joints]
            names = given.joints
    if len(speeds) != len(names) or not names:
        return JointsReading(now, stamp, problem="does not tell the speed of each joint")
    return JointsReading(now, stamp, speeds, names=names, speeds=speeds)


def _force(given: SafetyInput, frame: str, message: Any, now: float) -> InputReading:
    force, torque = message.wrench.force, message.wrench.torque
    numbers = (force.x, force.y, force.z, torque.x, torque.y, torque.z)
    return ForceReading(now, _stamp(message), numbers, "", math.hypot(*numbers[:3]), math.hypot(*numbers[3:]))


def _pose(given: SafetyInput, frame: str, message: Any, now: float) -> InputReading:
    pose = message.pose
    at = getattr(pose, "pose", pose).position  # odometry has a pose with covariance
    return InputReading(now, _stamp(message), (at.x, at.y, at.z), _wrong_frame(message, frame))


def _people(given: SafetyInput, frame: str, message: Any, now: float) -> InputReading:
    if given.type == "geometry_msgs/msg/PoseArray":
        people = [(pose.position.x, pose.position.y, 0.0) for pose in message.poses]
    else:
        people = [
            (box.center.position.x, box.center.position.y, math.hypot(box.size.x, box.size.y) / 2)
            for detection in message.detections
            if any(result.hypothesis.class_id == given.class_ for result in detection.results)
            for box in [detection.bbox]
        ]
    numbers = [number for person in people for number in person]
    return PeopleReading(now, _stamp(message), numbers, _wrong_frame(message, frame), people)


def _switch(given: SafetyInput, frame: str, message: Any, now: float) -> InputReading:
    if given.type == "std_msgs/msg/Bool":
        return SwitchReading(now, pressed=bool(message.data) is given.pressed)
    if given.button >= len(message.buttons):
        return SwitchReading(now, _stamp(message), problem=f"has no button {given.button}")
    return SwitchReading(now, _stamp(message), pressed=message.buttons[given.button] != 0)


def _event(given: SafetyInput, frame: str, message: Any, now: float) -> InputReading:
    return SwitchReading(now, pressed=True)


def _beat(given: SafetyInput, frame: str, message: Any, now: float) -> InputReading:
    return InputReading(now)


_TAKES: Mapping[str, _Take] = {
    "joints": _joints, "force": _force, "pose": _pose, "people": _people, "switch": _switch,
    "event": _event, "beat": _beat,
}  # fmt: skip


def _stamp(message: Any) -> float:
    stamp = message.header.stamp
    return float(stamp.sec + stamp.nanosec * 1e-9)


def _wrong_frame(message: Any, frame: str) -> str:
    its = message.header.frame_id.lstrip("/")
    return "" if its == frame else f"is in the frame {its or '(none)'}, not in {frame}"
