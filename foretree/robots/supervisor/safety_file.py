"""Safety files: what a supervisor listens to, which limits it holds, and how it stops the robot."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field, model_validator

from foretree.config import find_config, read_yaml
from foretree.errors import suggest
from foretree.file_errors import KeyPath, error_at
from foretree.robots.ros.robot_file import InterfaceType, Seconds
from foretree.schema import Metres, Strict, validate

#: What an input tells, by its type. Any other type is good for a watchdog only.
InputKind: TypeAlias = Literal["joints", "force", "pose", "tf", "people", "switch", "event", "beat"]
KINDS: Mapping[str, InputKind] = {
    "sensor_msgs/msg/JointState": "joints",
    "geometry_msgs/msg/WrenchStamped": "force",
    "geometry_msgs/msg/PoseStamped": "pose",
    "nav_msgs/msg/Odometry": "pose",
    "tf2_msgs/msg/TFMessage": "tf",
    "geometry_msgs/msg/PoseArray": "people",
    "vision_msgs/msg/Detection3DArray": "people",
    "std_msgs/msg/Bool": "switch",
    "sensor_msgs/msg/Joy": "switch",
    "std_msgs/msg/Empty": "event",
}

Above: TypeAlias = Annotated[float, Field(gt=0, le=1e6)]
NotNegative: TypeAlias = Annotated[float, Field(ge=0, le=1e6)]
Corner: TypeAlias = tuple[Metres, Metres, Metres]


class SafetyInput(Strict):
    """A topic that the supervisor listens to.

    Attributes:
        topic, type: which.
        period: seconds from one message to the next.
        silent_after: seconds without a message after which the robot is stopped; two periods if left out.
        may_be_silent: for an emergency stop that sends only when it is pressed.
        joints: for joint states, the joints that count; all if left out.
        class_: for detections, the class of people.
        button: for a joystick, the number of the button.
        pressed: for a truth value, the one that means that the button is pressed.
    """

    topic: str = Field(min_length=1)
    type: InterfaceType
    period: Seconds | None = None
    silent_after: Seconds | None = None
    may_be_silent: bool = False
    joints: tuple[str, ...] = ()
    class_: str = Field(default="person", alias="class")
    button: int = Field(default=0, ge=0, le=1000)
    pressed: bool = True

    @property
    def kind(self) -> InputKind:
        """Return what it tells."""
        return KINDS.get(self.type, "beat")

    @property
    def limit(self) -> float | None:
        """Seconds without a message after which the robot is stopped; None if it may be silent."""
        return self.silent_after or (2 * self.period if self.period else None)

    @model_validator(mode="after")
    def _limited(self) -> SafetyInput:
        if self.may_be_silent == (self.limit is not None):
            raise ValueError("period, or silent_after: a number of seconds")
        if self.may_be_silent and self.kind not in ("switch", "event"):
            raise ValueError("may_be_silent for an emergency stop only")
        return self


class SafetyPoint(Strict):
    """A point of the robot that is watched: where a frame is, or what a pose tells.

    Attributes:
        input: the input that tells it.
        frame: for tf, the frame (``panda_hand``).
        radius: metres around it that belong to it.
    """

    input: str
    frame: str = ""
    radius: NotNegative = 0.0


class SafetyBox(Strict):
    """A box along the axes of the file's frame."""

    from_: Corner = Field(alias="from")
    to: Corner

    @model_validator(mode="after")
    def _not_empty(self) -> SafetyBox:
        if not all(low < high for low, high in zip(self.from_, self.to, strict=True)):
            raise ValueError("a corner `from` below the corner `to` in x, y and z")
        return self


class JointSpeedLimits(Strict):
    """Joint speeds: rad/s, m/s for a joint that slides; some with limits of their own."""

    input: str
    limit: Above
    joints: Mapping[str, Above] = Field(default_factory=dict)


class ForceLimits(Strict):
    """Force in newtons, torque in newton metres; at least one of them."""

    input: str
    newtons: Above | None = None
    newton_metres: Above | None = None

    @model_validator(mode="after")
    def _limited(self) -> ForceLimits:
        if self.newtons is None and self.newton_metres is None:
            raise ValueError("newtons, newton_metres, or both")
        return self


class PointSpeedLimit(Strict):
    """The speed of points in metres a second."""

    points: tuple[str, ...] = Field(min_length=1)
    limit: Above


class WorkspaceLimit(Strict):
    """A box that points must stay in."""

    points: tuple[str, ...] = Field(min_length=1)
    box: SafetyBox
    says: str = "the workspace"


class NoGoVolume(Strict):
    """A box that points must stay out of."""

    points: tuple[str, ...] = Field(min_length=1)
    box: SafetyBox
    says: str = "a volume that is barred"


class PeopleLimits(Strict):
    """Distance to people, along the floor.

    Attributes:
        input: where people are.
        points: the points from which it is measured.
        nearest: metres that must always be between them.
        stops_in: seconds that the robot takes to stop, this process included. What the robot and a person
            come nearer in that time is added; without it, nothing is.
        person_speed: metres a second at which a person may come nearer.
    """

    input: str
    points: tuple[str, ...] = Field(min_length=1)
    nearest: Above
    stops_in: NotNegative = 0.0
    person_speed: NotNegative = 1.6


class SafetyRules(Strict):
    """The limits. Each that is left out is not held; that no input falls silent always is."""

    joint_speeds: tuple[JointSpeedLimits, ...] = ()
    forces: tuple[ForceLimits, ...] = ()
    speeds: tuple[PointSpeedLimit, ...] = ()
    workspace: tuple[WorkspaceLimit, ...] = ()
    no_go: tuple[NoGoVolume, ...] = ()
    people: tuple[PeopleLimits, ...] = ()
    emergency_stops: tuple[str, ...] = ()
    dead_man: tuple[str, ...] = ()
    watchdog: tuple[str, ...] = ()

    def wanted(self) -> Iterator[tuple[KeyPath, str, tuple[InputKind, ...]]]:
        """Iterate over the inputs that rules name: where, which, and of which kinds it may be."""
        for index, joints in enumerate(self.joint_speeds):
            yield ("joint_speeds", index, "input"), joints.input, ("joints",)
        for index, force in enumerate(self.forces):
            yield ("forces", index, "input"), force.input, ("force",)
        for index, people in enumerate(self.people):
            yield ("people", index, "input"), people.input, ("people",)
        for index, name in enumerate(self.emergency_stops):
            yield ("emergency_stops", index), name, ("switch", "event")
        for index, name in enumerate(self.dead_man):
            yield ("dead_man", index), name, ("switch",)
        for index, name in enumerate(self.watchdog):
            yield ("watchdog", index), name, ("joints", "force", "pose", "people", "switch", "event", "beat")

    def points(self) -> Iterator[tuple[KeyPath, str]]:
        """Iterate over the points that rules name: where, and which."""
        groups: Mapping[str, tuple[Any, ...]] = {
            "speeds": self.speeds, "workspace": self.workspace, "no_go": self.no_go, "people": self.people,
        }  # fmt: skip
        for key, rules in groups.items():
            for index, rule in enumerate(rules):
                yield from (((key, index, "points", place), name) for place, name in enumerate(rule.points))


class StopService(Strict):
    """A service that stops the robot."""

    service: str = Field(min_length=1)
    type: InterfaceType = "std_srvs/srv/Trigger"
    send: Mapping[str, Any] = Field(default_factory=dict)


class StopTopic(Strict):
    """A topic on which a message is sent again and again while the robot is held; all zeros if not said."""

    topic: str = Field(min_length=1)
    type: InterfaceType = "geometry_msgs/msg/Twist"
    send: Mapping[str, Any] = Field(default_factory=dict)


class StandingStill(Strict):
    """Criterion for the robot having stopped: its joint speeds are below a bound within a time."""

    input: str
    below: Above = 0.02
    within: Seconds = 0.5


class StopOutputs(Strict):
    """Outputs that stop the robot.

    Attributes:
        services: are called.
        actions: all goals of their servers are cancelled.
        topics: are sent a message while the robot is held.
        still: how it is known that it stands still.
    """

    services: tuple[StopService, ...] = ()
    actions: tuple[str, ...] = ()
    topics: tuple[StopTopic, ...] = ()
    still: StandingStill | None = None

    @model_validator(mode="after")
    def _anything(self) -> StopOutputs:
        if not (self.services or self.actions or self.topics):
            raise ValueError("services, actions or topics that stop the robot")
        return self


class SafetyFile(Strict):
    """A safety file.

    Attributes:
        supervisor: a name for it.
        says: a sentence about it.
        rate: checks a second, besides those on each message.
        frame: the frame of boxes, points and people.
        inputs: what is listened to, by names that the rules use.
        points: points of the robot, by name.
        rules: the limits.
        stop: how the robot is stopped.
    """

    supervisor: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
    says: str = ""
    rate: float = Field(default=100.0, ge=1, le=1000)
    frame: str = "base_link"
    inputs: Mapping[str, SafetyInput] = Field(min_length=1)
    points: Mapping[str, SafetyPoint] = Field(default_factory=dict)
    rules: SafetyRules
    stop: StopOutputs


def load_safety_file(name: str) -> SafetyFile:
    """Read the safety file of that name or path.

    Raises:
        ConfigError: there is none, or it makes no sense; with file, line and what would be valid.
    """
    path = find_config("supervisors", name)
    file = validate(SafetyFile, read_yaml(path), path)
    _check(file, path)
    return file


def _check(file: SafetyFile, path: Path) -> None:
    used = set()
    still = file.stop.still
    wanted = [(("rules", *where), name, kinds) for where, name, kinds in file.rules.wanted()]
    wanted += [(("points", name, "input"), p.input, ("pose", "tf")) for name, p in file.points.items()]
    wanted += [(("stop", "still", "input"), still.input, ("joints",))] if still is not None else []
    for where, name, kinds in wanted:
        if name not in file.inputs:
            raise error_at(path, where, f"there is no input {name}. {suggest(name, file.inputs)}")
        kind = file.inputs[name].kind
        if kind not in kinds:
            types = sorted(each for each, its in KINDS.items() if its in kinds)
            raise error_at(
                path, where, f"expected an input of type {' or '.join(types)}, not {file.inputs[name].type}."
            )
        if file.inputs[name].may_be_silent and where[1] != "emergency_stops":
            raise error_at(path, where, f"{name} may be silent, which only an emergency stop may be.")
        used.add(name)
    if unused := [name for name in file.inputs if name not in used]:
        problem = "no rule uses it. If its silence alone is to stop the robot, name it in watchdog."
        raise error_at(path, ("inputs", unused[0]), problem)
    for place, name in file.rules.points():
        if name not in file.points:
            raise error_at(path, ("rules", *place), f"there is no point {name}. {suggest(name, file.points)}")
    _check_points(file, path)
    _check_rate(file, path)


def _check_points(file: SafetyFile, path: Path) -> None:
    named = {name for _, name in file.rules.points()}
    for name, point in file.points.items():
        if name in file.inputs:
            raise error_at(path, ("points", name), "an input has the same name.")
        if name not in named:
            raise error_at(path, ("points", name), "no rule uses it.")
        if (file.inputs[point.input].kind == "tf") != bool(point.frame):
            problem = "a point of tf takes a frame, and no other does."
            raise error_at(path, ("points", name), problem)


def _check_rate(file: SafetyFile, path: Path) -> None:
    """Check that silence can be told from a message that is a little late."""
    for name, each in file.inputs.items():
        if each.limit is not None and each.limit - 1 / file.rate <= (each.period or 1 / file.rate):
            least = 1 / (each.limit - (each.period or each.limit / 2))
            problem = (
                f"a silence of {each.limit:g} s is found in time by more than {least:g} checks a second; "
                f"rate is {file.rate:g}."
            )
            raise error_at(path, ("inputs", name), problem)
