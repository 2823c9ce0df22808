"""Protocol of the driver: requests to a Franka arm with its hand, and its answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, TypeAlias

from foretree.errors import ForetreeError
from foretree.skills.robot import RobotError

#: Angles of the seven joints, in radians.
Joints: TypeAlias = tuple[float, float, float, float, float, float, float]
#: A position in the frame of the arm's base, in metres.
Point: TypeAlias = tuple[float, float, float]
#: An orientation as a quaternion: x, y, z, w.
Quaternion: TypeAlias = tuple[float, float, float, float]


class MotionFailedError(ForetreeError):
    """The arm or the hand refused a motion or broke it off, and stands still: a reflex, an invalid motion."""

    exit_code = 4


class MotionUnknownError(ForetreeError):
    """The driver reports a mistake from which it does not follow whether anything still moves."""

    exit_code = 4


class ContactLostError(RobotError):
    """The arm does not answer. What it does is not known until it answers again."""


@dataclass(frozen=True, slots=True)
class ArmState:
    """State of an arm and its hand.

    Attributes:
        position: of the end effector, in the base's frame.
        orientation: of the end effector.
        width: metres between the fingers.
        grasped: whether the hand reports that it holds something.
        mode: the arm's mode, as libfranka calls it (``Idle``, ``Reflex``, ``UserStopped`` ...).
        errors: names of the errors that the arm reports now.
    """

    position: Point
    orientation: Quaternion
    width: float
    grasped: bool
    mode: str = "Idle"
    errors: tuple[str, ...] = ()


class FrankaDriver(Protocol):
    """An arm and its hand. Motions are begun and then asked about; only one runs at a time.

    All methods but :meth:`stop` are called from one thread, where they may take as long as a message over
    the network. Each raises :class:`ContactLostError` if the arm does not answer, :class:`MotionFailedError`
    if it refuses or has broken off a motion, and :class:`MotionUnknownError` for any other mistake.
    """

    def connect(self) -> None:
        """Connect, or connect anew, and set the limits of the robot file."""

    def state(self) -> ArmState:
        """Return the state now."""

    def move_joints(self, joints: Joints) -> None:
        """Begin to move to a position of the joints."""

    def move_straight(self, position: Point, orientation: Quaternion) -> None:
        """Begin to move the end effector in a straight line."""

    def is_moving(self) -> bool:
        """Return whether the motion of the arm that was begun last still runs; raise what broke it off."""

    def move_fingers(self, width: float) -> None:
        """Begin to open or close the fingers to a width, without force."""

    def grasp(self, width: float) -> None:
        """Begin to close the fingers on a thing of that width, with the force of the robot file."""

    def home_fingers(self) -> None:
        """Begin to measure how far the fingers open."""

    def fingers_done(self) -> bool | None:
        """Return whether the command that the fingers were given last has succeeded; None while it runs."""

    def recover(self) -> None:
        """Have the arm leave its errors behind. It does not move for that."""

    def stop(self) -> None:
        """Stop arm and fingers. May be called from any thread, at any time."""
