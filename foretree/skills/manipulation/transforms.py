"""Rigid transforms: where something is, and how it is turned."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, hypot, sin, sqrt
from typing import TypeAlias

#: Metres along x, y and z, or a direction.
Vector: TypeAlias = tuple[float, float, float]
#: A rotation as x, y, z and w, of length one, in the order of ``geometry_msgs/msg/Quaternion``.
Quaternion: TypeAlias = tuple[float, float, float, float]

UP: Vector = (0.0, 0.0, 1.0)
DOWN: Vector = (0.0, 0.0, -1.0)
UNTURNED: Quaternion = (0.0, 0.0, 0.0, 1.0)


def add(one: Vector, other: Vector, times: float = 1.0) -> Vector:
    """Return ``one + times * other``."""
    return (one[0] + times * other[0], one[1] + times * other[1], one[2] + times * other[2])


def scaled(vector: Vector, times: float) -> Vector:
    """Return ``times * vector``."""
    return (times * vector[0], times * vector[1], times * vector[2])


def dot(one: Vector, other: Vector) -> float:
    """The scalar product."""
    return one[0] * other[0] + one[1] * other[1] + one[2] * other[2]


def cross(one: Vector, other: Vector) -> Vector:
    """The vector product."""
    return (
        one[1] * other[2] - one[2] * other[1],
        one[2] * other[0] - one[0] * other[2],
        one[0] * other[1] - one[1] * other[0],
    )


def unit(vector: Vector) -> Vector:
    """*vector* at length one.

    Raises:
        ValueError: it has no length.
    """
    length = hypot(*vector)
    if length < 1e-9:
        raise ValueError("a direction needs a length")
    return scaled(vector, 1 / length)


def rotate(rotation: Quaternion, vector: Vector) -> Vector:
    """*vector*, turned."""
    part = rotation[:3]
    twice = scaled(cross(part, vector), 2.0)
    return add(add(vector, twice, rotation[3]), cross(part, twice))


def rotation_about(axis: Vector, angle: float) -> Quaternion:
    """The rotation about an axis by so many radians, by the right-hand rule."""
    x, y, z = scaled(unit(axis), sin(angle / 2))
    return (x, y, z, cos(angle / 2))


def rotation_of(x: Vector, y: Vector, z: Vector) -> Quaternion:
    """The rotation that turns the axes of a frame into these three, which are a right-handed set of units."""
    (a, d, g), (b, e, h), (c, f, i) = x, y, z
    trace = a + e + i
    if trace > 0:
        s = 2 * sqrt(trace + 1)
        return ((h - f) / s, (c - g) / s, (d - b) / s, s / 4)
    if a >= e and a >= i:
        s = 2 * sqrt(1 + a - e - i)
        return (s / 4, (b + d) / s, (c + g) / s, (h - f) / s)
    if e >= i:
        s = 2 * sqrt(1 + e - a - i)
        return ((b + d) / s, s / 4, (f + h) / s, (c - g) / s)
    s = 2 * sqrt(1 + i - a - e)
    return ((c + g) / s, (f + h) / s, s / 4, (d - b) / s)


@dataclass(frozen=True, slots=True)
class RigidTransform:
    """The pose of one frame in another.

    Attributes:
        position: of its origin.
        rotation: of its axes.
    """

    position: Vector = (0.0, 0.0, 0.0)
    rotation: Quaternion = UNTURNED

    def __matmul__(self, other: RigidTransform) -> RigidTransform:
        """Return the pose, in the outer frame, of what has the pose *other* in this one."""
        a, b = self.rotation, other.rotation
        part = add(add(cross(a[:3], b[:3]), scaled(b[:3], a[3])), a[:3], b[3])
        return RigidTransform(self.of(other.position), (*part, a[3] * b[3] - dot(a[:3], b[:3])))

    @property
    def inverse(self) -> RigidTransform:
        """The pose of the outer frame in this one."""
        x, y, z, w = self.rotation
        back = (-x, -y, -z, w)
        return RigidTransform(rotate(back, scaled(self.position, -1.0)), back)

    @property
    def axes(self) -> tuple[Vector, Vector, Vector]:
        """Directions of the x, y and z axes."""
        turned = [rotate(self.rotation, axis) for axis in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), UP)]
        return turned[0], turned[1], turned[2]

    def of(self, point: Vector) -> Vector:
        """Return where a point of this frame is in the outer one."""
        return add(self.position, rotate(self.rotation, point))

    def moved(self, direction: Vector, distance: float) -> RigidTransform:
        """The same, moved along a direction of the outer frame."""
        return RigidTransform(add(self.position, direction, distance), self.rotation)

    def turned(self, centre: Vector, axis: Vector, angle: float) -> RigidTransform:
        """The same, turned about an axis of the outer frame through *centre*."""
        about = RigidTransform(centre, rotation_about(axis, angle))
        return about @ RigidTransform(scaled(centre, -1.0)) @ self
