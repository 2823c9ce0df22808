"""The driver over ``franky-control``: the only module that takes franky.

==============================================================  ==========================================
exception of franky                                             what it comes to
==============================================================  ==========================================
``ControlException``: a reflex, a limit, or ``Robot.stop``      *failed*; *cancelled* if it was to stop
``CommandException``, ``InvalidOperationException``,            *failed*: the arm refused the command
``GripperException``, ``InvalidMotionTypeException``,
``MotionReuseException``
``NetworkException``, ``ProtocolException``                     out of contact: polls say so until the arm
                                                                answers again, then *failed*
``RealtimeException``, ``IncompatibleVersionException``,        out of contact, with franky's words, as they
``ModelException``                                              come while connecting
any other, of franky or not                                     *lost*
==============================================================  ==========================================
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from foretree.errors import takes_extra
from foretree.robots.franka.driver import (
    ArmState,
    ContactLostError,
    Joints,
    MotionFailedError,
    MotionUnknownError,
    Point,
    Quaternion,
)
from foretree.robots.franka.franka_file import FrankaFile

#: Names of franky's exceptions after which the arm is known to stand still.
REFUSED = (
    "ControlException",
    "CommandException",
    "InvalidOperationException",
    "GripperException",
    "InvalidMotionTypeException",
    "MotionReuseException",
)
#: Names of franky's exceptions that say that the arm cannot be talked to.
UNREACHABLE = (
    "NetworkException",
    "ProtocolException",
    "RealtimeException",
    "IncompatibleVersionException",
    "ModelException",
)


class FrankyDriver:
    """Implements :class:`~foretree.robots.franka.driver.FrankaDriver` with franky.

    Args:
        file: the robot file; its ``ip`` is where the arm is.
        franky: the package, for tests; it is imported where none is given.

    Raises:
        MissingPackageError: franky is not installed.
    """

    def __init__(self, file: FrankaFile, franky: Any = None) -> None:
        self._franky = franky = franky or _imported()
        self._file = file
        self._robot: Any = None
        self._gripper: Any = None
        self._answer: Any = None
        self._refused = _classes(franky, REFUSED)
        self._unreachable = _classes(franky, UNREACHABLE)

    def connect(self) -> None:
        """Connect, or connect anew, and set the limits of the robot file."""
        file, franky = self._file, self._franky
        realtime = franky.RealtimeConfig.Enforce if file.realtime else franky.RealtimeConfig.Ignore
        with self._translated():
            self._robot = self._answer = None
            self._robot = franky.Robot(
                file.ip,
                relative_dynamics_factor=file.relative_dynamics_factor,
                default_torque_threshold=file.torque_threshold,
                default_force_threshold=file.force_threshold,
                realtime_config=realtime,
            )
            self._gripper = franky.Gripper(file.ip)

    def state(self) -> ArmState:
        """Return the state now."""
        with self._translated():
            state, hand = self._connected(self._robot).state, self._gripper.state
            pose = state.O_T_EE
            return ArmState(
                position=_point(pose.translation),
                orientation=_quaternion(pose.quaternion),
                width=float(hand.width),
                grasped=bool(hand.is_grasped),
                mode=state.robot_mode.name,
                errors=_names_of(state.current_errors),
            )

    def move_joints(self, joints: Joints) -> None:
        """Begin to move to a position of the joints."""
        franky = self._franky
        self._begin(lambda: franky.JointMotion(franky.JointState(list(joints))))

    def move_straight(self, position: Point, orientation: Quaternion) -> None:
        """Begin to move the end effector in a straight line."""
        franky = self._franky
        self._begin(lambda: franky.CartesianMotion(franky.Affine(list(position), list(orientation))))

    def is_moving(self) -> bool:
        """Return whether the motion of the arm that was begun last still runs; raise what broke it off."""
        with self._translated():
            return bool(self._connected(self._robot).poll_motion())

    def move_fingers(self, width: float) -> None:
        """Begin to open or close the fingers to a width, without force."""
        with self._translated():
            self._answer = self._connected(self._gripper).move_async(width, self._file.gripper_speed)

    def grasp(self, width: float) -> None:
        """Begin to close the fingers on a thing of that width, with the force of the robot file."""
        file, tolerance = self._file, self._file.grasp_tolerance
        with self._translated():
            self._answer = self._connected(self._gripper).grasp_async(
                width, file.gripper_speed, file.grasp_force, epsilon_inner=tolerance, epsilon_outer=tolerance
            )

    def home_fingers(self) -> None:
        """Begin to measure how far the fingers open."""
        with self._translated():
            self._answer = self._connected(self._gripper).homing_async()

    def fingers_done(self) -> bool | None:
        """Return whether the command that the fingers were given last has succeeded; None while it runs."""
        with self._translated():
            if self._answer is None:
                return True
            return bool(self._answer.get()) if self._answer.wait(0.0) else None

    def recover(self) -> None:
        """Have the arm leave its errors behind. It does not move for that."""
        with self._translated():
            if not self._connected(self._robot).recover_from_errors():
                raise MotionFailedError("The arm did not recover from its errors.")

    def stop(self) -> None:
        """Stop arm and fingers. May be called from any thread, at any time."""
        with self._translated():
            try:
                self._connected(self._robot).stop()
            finally:
                if self._gripper is not None:
                    self._gripper.stop()

    def _begin(self, motion: Callable[[], Any]) -> None:
        with self._translated():
            self._connected(self._robot).move(motion(), asynchronous=True)

    def _connected(self, part: Any) -> Any:
        if part is None:
            raise ContactLostError(f"There is no connection to the arm at {self._file.ip}.")
        return part

    @contextmanager
    def _translated(self) -> Iterator[None]:
        """Turn what franky raises into what a driver raises."""
        try:
            yield
        except (ContactLostError, MotionFailedError):
            raise
        except self._refused as error:
            raise MotionFailedError(_words(error)) from error
        except self._unreachable as error:
            raise ContactLostError(f"The arm at {self._file.ip}: {_words(error)}") from error
        except Exception as error:
            raise MotionUnknownError(_words(error)) from error


def _imported() -> Any:
    # Its network library blocks SIGPIPE in the thread that loads it, which every child would inherit.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    try:
        with takes_extra("franka", "Motions of a Franka without ROS"):
            import franky
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    return franky


def _classes(franky: Any, names: tuple[str, ...]) -> tuple[type[Exception], ...]:
    return tuple(getattr(franky, name) for name in names)


def _words(error: Exception) -> str:
    return f"{type(error).__name__}: {str(error).strip() or 'no reason given'}"


def _names_of(errors: Any) -> tuple[str, ...]:
    """The names of libfranka's errors that are set."""
    names = (name for name in dir(errors) if not name.startswith("_"))
    return tuple(name for name in names if getattr(errors, name) is True)


def _point(values: Any) -> Point:
    x, y, z = map(float, values)
    return x, y, z


def _quaternion(values: Any) -> Quaternion:
    x, y, z, w = map(float, values)
    return x, y, z, w
