"""Robot files: which action, service or topic carries out a skill, and what its results mean."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import AfterValidator, Field, model_validator

from foretree.file_errors import KeyPath, error_at
from foretree.robots.drivers import read_robot_file
from foretree.robots.ros.link import Interface
from foretree.robots.ros.references import OrderContext, Stand, references
from foretree.robots.ros.senses.settings import SenseSettings
from foretree.schema import Position, Strict, validate

_TYPE = re.compile(r"[a-z]\w*/(action|srv|msg)/[A-Z]\w*")
_KINDS = {"action": "action", "service": "srv", "topic": "msg"}


def _interface_type(text: str) -> str:
    if not _TYPE.fullmatch(text):
        raise ValueError("a type is written as in nav2_msgs/action/NavigateToPose")
    return text


InterfaceType: TypeAlias = Annotated[str, AfterValidator(_interface_type)]
Seconds: TypeAlias = Annotated[float, Field(gt=0, le=3600)]
#: Values of fields of a message; a field within a field as ``status.code``.
Values: TypeAlias = Mapping[str, Any]


class FailureMeaning(Strict):
    """Meaning of a result.

    Attributes:
        if_: fields of the result, and their values.
        says: the reason, in words for a person.
        lost: whether the outcome is not known in this case.
    """

    if_: Values = Field(alias="if", min_length=1)
    says: str = Field(min_length=1)
    lost: bool = False


class Confirmation(Strict):
    """The message by which a robot confirms what it was told on a topic."""

    topic: str
    type: InterfaceType
    when: Values = Field(min_length=1)


class RobotStep(Strict):
    """A goal of an action, a call of a service, or a message on a topic.

    Attributes:
        action, service, topic: the name, one of the three; ``$hand`` in it is replaced.
        type: its type.
        send: the fields of the goal, request or message; with references.
        accept_within: seconds in which an action server has to accept or reject a goal.
        done_if: alternatives of what the result has to say; without any, a goal that succeeded and a service
            that responded have done it.
        reason: the field of the result that says why it failed.
        failures: what results mean; the first that fits counts.
        cancel: for a topic, the message that ends it.
        confirm: for a topic, the message that confirms the end.
        done_after: for a topic without confirmation, seconds after which it counts as done.
    """

    action: str | None = None
    service: str | None = None
    topic: str | None = None
    type: InterfaceType
    send: Mapping[str, Any] = Field(default_factory=dict)
    accept_within: Seconds = 5.0
    done_if: tuple[Values, ...] = ()
    reason: str = ""
    failures: tuple[FailureMeaning, ...] = ()
    cancel: Mapping[str, Any] | None = None
    confirm: Confirmation | None = None
    done_after: Seconds | None = None

    @property
    def kind(self) -> Literal["action", "service", "topic"]:
        """Which of the three it is."""
        return "action" if self.action else "service" if self.service else "topic"

    @property
    def name(self) -> str:
        """The name of the action, service or topic."""
        return self.action or self.service or self.topic or ""

    @model_validator(mode="after")
    def _one_of_three(self) -> RobotStep:
        if sum(bool(name) for name in (self.action, self.service, self.topic)) != 1:
            raise ValueError("one of action, service, topic")
        kind = self.type.split("/")[1]
        if kind != _KINDS[self.kind]:
            raise ValueError(f"{self.kind} of a type with /{_KINDS[self.kind]}/ in it, not {self.type}")
        of_a_topic = self.cancel is not None or self.confirm is not None or self.done_after is not None
        if self.kind != "topic" and of_a_topic:
            raise ValueError("cancel, confirm and done_after for a topic only")
        if self.kind == "topic" and (self.confirm is None) == (self.done_after is None):
            raise ValueError("for a topic either confirm, or done_after: a number of seconds")
        return self


class Halt(Strict):
    """A call of a service, or a message on a topic, that ends every motion. It takes nothing of an order."""

    service: str | None = None
    topic: str | None = None
    type: InterfaceType
    send: Mapping[str, Any] = Field(default_factory=dict)

    @property
    def interface(self) -> Interface:
        """The service or topic."""
        return Interface(self.service or self.topic or "", self.type)

    @model_validator(mode="after")
    def _one_of_two(self) -> Halt:
        if bool(self.service) == bool(self.topic):
            raise ValueError("a service, or a topic")
        if self.type.split("/")[1] != ("srv" if self.service else "msg"):
            raise ValueError(f"a type of a {'service' if self.service else 'topic'}, not {self.type}")
        if references(self.send):
            raise ValueError("values without references, for nothing is ordered")
        return self


class SkillMapping(Strict):
    """Execution of a skill: by one step, by several in turn, or by a class.

    Attributes:
        steps: one after the other.
        executor: ``package.module:Class``, for what no steps can say.
        settings: what that class is given.
    """

    steps: tuple[RobotStep, ...] = ()
    executor: str = Field(default="", pattern=r"^([\w.]+:\w+)?$")
    settings: Mapping[str, Any] = Field(default_factory=dict)

    @model_validator(mode="before")
    @classmethod
    def _short(cls, data: Any) -> Any:
        """Take a single step without a list."""
        if isinstance(data, Mapping) and data.keys() & _KINDS.keys():
            return {"steps": [data]}
        if isinstance(data, Mapping) and not data.keys() & {"steps", "executor"}:
            raise ValueError("an action, a service, a topic, steps, or an executor")
        return data

    @model_validator(mode="after")
    def _steps_or_class(self) -> SkillMapping:
        if bool(self.steps) == bool(self.executor):
            raise ValueError("an action, a service, a topic, steps, or an executor")
        return self


class StandEntry(Strict):
    """A measured standing pose: for the place at *place*, at x, y and a heading in radians."""

    place: Position
    at: tuple[float, float, float]


class RobotFile(Strict):
    """A robot file.

    Attributes:
        driver: what drives the robot.
        robot: the robot's name.
        says: a sentence about it.
        hands: names of its hands.
        frame: the frame of the belief's poses.
        skills: by name; ``*`` is for every other one.
        look: steps that turn the camera; what is seen comes from the senses.
        senses: the topics and frames by which the robot sees and feels.
        stop: what ends every motion at once, besides cancelling all goals of its actions.
        stands: measured standing poses.
        stand_off: metres from a place to where the robot stands, if no pose was measured for it.
    """

    driver: Literal["ros"] = "ros"
    robot: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
    says: str = ""
    hands: tuple[str, ...] = ()
    frame: str = "map"
    skills: Mapping[str, SkillMapping] = Field(min_length=1)
    look: SkillMapping | None = None
    senses: SenseSettings | None = None
    stop: tuple[Halt, ...] = ()
    stands: tuple[StandEntry, ...] = ()
    stand_off: float = Field(default=0.6, ge=0, le=5)

    def entry(self, skill: str) -> SkillMapping | None:
        """Return how a skill is carried out; None if the robot does not offer it."""
        return self.skills.get(skill) or self.skills.get("*")

    def steps(self) -> Iterator[RobotStep]:
        """Return all steps of skills and looks."""
        for _, entry in self.entries():
            yield from entry.steps

    def entries(self) -> list[tuple[str, SkillMapping]]:
        """Return how each skill, and a look, is carried out, by name."""
        return [*self.skills.items(), *([("look", self.look)] if self.look else [])]

    def order_context(self) -> OrderContext:
        """Return what references need of the file."""
        stands = tuple(Stand(stand.place, *stand.at) for stand in self.stands)
        return OrderContext(self.frame, stands, self.stand_off)

    def interfaces(self, step: RobotStep) -> list[Interface]:
        """Return the interfaces that a step can mean: one for each hand if the hand is in its name."""
        hands = self.hands if references(step.name) else ("",)
        names = (step.name.replace("$other_hand", hand).replace("$hand", hand) for hand in hands)
        return [Interface(name, step.type) for name in names]


def load_robot_file(name: str) -> RobotFile:
    """Read the robot file of that name (``franka``) or path.

    Raises:
        ConfigError: there is none, or it makes no sense; with file, line and what would be valid.
    """
    path, data = read_robot_file(name, "ros")
    file = validate(RobotFile, data, path)
    _check(file, path)
    return file


def _check(file: RobotFile, path: Path) -> None:
    for where, step in _located(file):
        named = references(step.name)
        if odd := sorted(named - {"hand", "other_hand"}):
            problem = f"${odd[0]} cannot stand in a name, only $hand and $other_hand."
            raise error_at(path, (*where, step.kind), problem)
        if named and not file.hands:
            raise error_at(path, (*where, step.kind), "$hand stands in a name, but the robot has no hands.")


def _located(file: RobotFile) -> Iterator[tuple[KeyPath, RobotStep]]:
    entries: list[tuple[KeyPath, SkillMapping]] = [
        (("skills", name), entry) for name, entry in file.skills.items()
    ]
    if file.look is not None:
        entries.append((("look",), file.look))
    for where, entry in entries:
        for index, step in enumerate(entry.steps):
            yield (where if len(entry.steps) == 1 else (*where, "steps", index)), step
