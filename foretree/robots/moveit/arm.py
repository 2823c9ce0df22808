"""The protocol of arms: motions that are planned, carried out, and polled for their end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from foretree.clock import Clock
from foretree.robots.moveit.error_codes import MotionProblem
from foretree.robots.moveit.scene.scene_objects import SceneDiff
from foretree.skills.manipulation.transforms import RigidTransform

#: How a motion can end.
MotionOutcome: TypeAlias = Literal["done", "failed", "cancelled", "lost"]


@dataclass(frozen=True, slots=True)
class ToPose:
    """The tool goes to a pose, whichever way."""

    tool: RigidTransform


@dataclass(frozen=True, slots=True)
class Straight:
    """The tool goes straight from pose to pose."""

    tools: tuple[RigidTransform, ...]


@dataclass(frozen=True, slots=True)
class ToJoints:
    """The arm takes a posture."""

    joints: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class GripTo:
    """The fingers close, or open, to a gap.

    Attributes:
        width: of the gap, in metres.
        holds: whether they are to hold something at it.
        tolerance: then, how much the gap may differ.
    """

    width: float
    holds: bool = False
    tolerance: float = 0.01


@dataclass(frozen=True, slots=True)
class ChangeScene:
    """The planning scene changes."""

    diff: SceneDiff


@dataclass(frozen=True, slots=True)
class Pause:
    """The arm stays where it is for so many seconds."""

    seconds: float


#: What an arm can be asked for.
MotionRequest: TypeAlias = ToPose | Straight | ToJoints | GripTo | ChangeScene | Pause


@dataclass(frozen=True, slots=True)
class MotionEnd:
    """The end of a motion.

    Attributes:
        outcome: how.
        says: if it is not done, why, in words for a person.
        problem: the kind of problem, if it has failed.
        obstacle: what is in the way, by its id in the planning scene; empty if that is not known.
        moved: whether anything may have moved. Not if there was no path.
        width: of a grip, the gap between the fingers; None if the gripper does not say.
    """

    outcome: MotionOutcome
    says: str = ""
    problem: MotionProblem | None = None
    obstacle: str = ""
    moved: bool = True
    width: float | None = None


class Motion(Protocol):
    """A motion that was begun."""

    def poll(self) -> MotionEnd | None:
        """Return the end, once there is one. Never blocks.

        Raises:
            RobotError: what moves the arm cannot be reached.
        """

    def cancel(self) -> None:
        """Ask for an early end. Returns at once; the end still has to be polled for."""


class Arm(Protocol):
    """An arm with a hand."""

    def begin(self, request: MotionRequest) -> Motion:
        """Begin a motion. Never blocks.

        Raises:
            RobotError: what moves the arm cannot be reached, and nothing was begun.
        """


class PassingTime:
    """A motion that is none: a time that passes."""

    def __init__(self, clock: Clock, seconds: float) -> None:
        self._clock = clock
        self._until = clock.now() + seconds
        self._cancelled = False

    def poll(self) -> MotionEnd | None:
        """Return the end, once the time has passed or it was cancelled."""
        if self._cancelled:
            return MotionEnd("cancelled", moved=False)
        return MotionEnd("done", moved=False) if self._clock.now() >= self._until else None

    def cancel(self) -> None:
        """Wait no longer."""
        self._cancelled = True
