"""Poses in space, and transforms between frames that are recent enough to be used."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import atan2, isfinite, sqrt
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from foretree.errors import ForetreeError
from foretree.robots.ros.stamps import NANO
from foretree.world_model.beliefs.facts import Extent, Pose

Points: TypeAlias = NDArray[np.float64]
#: x, y, z and w.
Quaternion: TypeAlias = tuple[float, float, float, float]

#: A quaternion's length may differ from 1 by this much: messages carry rounded numbers.
_LENGTH = 0.01


class PoseError(ForetreeError):
    """Numbers that are no pose: not finite, or a quaternion of another length than 1."""


class TransformError(ForetreeError):
    """A transform is not known, too old, or was not known at that time.

    Attributes:
        may_come: whether it may be known a moment later: it was asked for sooner than it was sent.
    """

    def __init__(self, message: str, *, may_come: bool = False) -> None:
        super().__init__(message)
        self.may_come = may_come


@dataclass(frozen=True, slots=True)
class RigidPose:
    """A position and an orientation of one frame in another.

    Attributes:
        position: metres.
        rotation: a unit quaternion.
    """

    position: Pose = (0.0, 0.0, 0.0)
    rotation: Quaternion = (0.0, 0.0, 0.0, 1.0)

    @classmethod
    def of(cls, position: Any, orientation: Any) -> RigidPose:
        """Return the pose of a ``Point`` (or ``Vector3``) and a ``Quaternion``.

        Raises:
            PoseError: they are none.
        """
        point = (float(position.x), float(position.y), float(position.z))
        turn = (float(orientation.x), float(orientation.y), float(orientation.z), float(orientation.w))
        if not all(map(isfinite, (*point, *turn))):
            raise PoseError(f"a pose with numbers that are not finite: {point}, {turn}")
        length = sqrt(sum(part * part for part in turn))
        if abs(length - 1) > _LENGTH:
            hint = " (it is not set)" if length == 0 else ""
            raise PoseError(f"an orientation whose quaternion {turn} has the length {length:g}, not 1{hint}")
        x, y, z, w = (part / length for part in turn)
        return cls(point, (x, y, z, w))

    @property
    def matrix(self) -> Points:
        """The rotation as a matrix."""
        x, y, z, w = self.rotation
        return np.array(
            (
                (1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)),
                (2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)),
                (2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)),
            )
        )

    @property
    def heading(self) -> float:
        """The turn about the vertical axis, in radians."""
        x, y, z, w = self.rotation
        return atan2(2 * (x * y + z * w), 1 - 2 * (y * y + z * z))

    def apply(self, points: Points) -> Points:
        """Return points (a row each) of the inner frame in the outer one."""
        moved: Points = np.asarray(points, dtype=np.float64) @ self.matrix.T + np.array(self.position)
        return moved

    def invert(self, points: Points) -> Points:
        """Return points (a row each) of the outer frame in the inner one."""
        moved: Points = (np.asarray(points, dtype=np.float64) - np.array(self.position)) @ self.matrix
        return moved

    def then(self, inner: RigidPose) -> RigidPose:
        """Return the pose in the outer frame of what has the pose *inner* in this one."""
        ax, ay, az, aw = self.rotation
        bx, by, bz, bw = inner.rotation
        turn = (
            aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw,
            aw * bw - ax * bx - ay * by - az * bz,
        )
        x, y, z = self.apply(np.array((inner.position,)))[0].tolist()
        return RigidPose((x, y, z), turn)


def box_around(points: Points) -> Extent:
    """Return the box around points, to the millimetre."""
    low, high = points.min(axis=0), points.max(axis=0)
    x0, y0, z0, x1, y1, z1 = (round(float(value), 3) for value in (*low, *high))
    return (x0, y0, z0, x1, y1, z1)


@dataclass(frozen=True, slots=True)
class Transform:
    """The pose of a frame in another, and when it was so.

    Attributes:
        pose: the pose of the source frame in the target frame.
        stamp: ROS time in nanoseconds; 0 if it never changes.
    """

    pose: RigidPose
    stamp: int


class Transforms(Protocol):
    """Transforms between frames, as ``tf2_ros.Buffer`` keeps them."""

    def lookup(self, target: str, source: str, time: int | None) -> Transform:
        """Return the pose of *source* in *target* at *time* (ROS time in nanoseconds); None: the newest.

        Never waits.

        Raises:
            TransformError: it is not known, or not at that time.
        """


class FreshTransforms:
    """Transforms that are used only while they are recent.

    Args:
        transforms: where they come from.
        now: ROS time now, in nanoseconds.
        max_age: seconds after which the newest transform is too old.
    """

    def __init__(self, transforms: Transforms, now: Callable[[], int], max_age: float) -> None:
        self._transforms = transforms
        self._now = now
        self._max_age = max_age

    def lookup(self, target: str, source: str, time: int | None) -> Transform:
        """Return the pose of *source* in *target*.

        Raises:
            TransformError: it is not known, not at that time, or the newest is too old.
        """
        target, source = target.removeprefix("/"), source.removeprefix("/")
        if target == source:
            return Transform(RigidPose(), 0)
        if not source:
            raise TransformError("a message without a frame (frame_id is empty)")
        found = self._transforms.lookup(target, source, time)
        if time is None and found.stamp:
            age = (self._now() - found.stamp) / NANO
            if age > self._max_age:
                raise TransformError(
                    f"{target} <- {source}: the newest transform is {age:.1f} s old, more than "
                    f"{self._max_age:g} s, and is not used"
                )
        return found
