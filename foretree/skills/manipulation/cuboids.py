"""Boxes: the shape that a belief knows of things, and whether two of them meet."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from math import hypot

from foretree.skills.manipulation.transforms import (
    UP,
    RigidTransform,
    Vector,
    add,
    cross,
    dot,
    rotation_about,
    scaled,
)
from foretree.world_model.beliefs.facts import Extent

#: Two directions whose product is shorter are parallel.
_PARALLEL = 1e-9


@dataclass(frozen=True, slots=True)
class Cuboid:
    """A box, in the map's frame.

    Attributes:
        pose: of its middle; its axes are those of the box.
        size: along its own axes.
    """

    pose: RigidTransform
    size: Vector

    @classmethod
    def of(cls, extent: Extent) -> Cuboid:
        """Return the box of an extent of the belief."""
        x0, y0, z0, x1, y1, z1 = extent
        return cls(RigidTransform(((x0 + x1) / 2, (y0 + y1) / 2, (z0 + z1) / 2)), (x1 - x0, y1 - y0, z1 - z0))

    @classmethod
    def upright(cls, centre: Vector, size: Vector, yaw: float = 0.0) -> Cuboid:
        """Return a box that stands upright, turned by *yaw* radians."""
        return cls(RigidTransform(centre, rotation_about(UP, yaw)), size)

    @property
    def centre(self) -> Vector:
        """Its middle."""
        return self.pose.position

    @property
    def reach_up(self) -> float:
        """Return how far it reaches above, and below, its middle."""
        return sum(abs(axis[2]) * side / 2 for axis, side in zip(self.pose.axes, self.size, strict=True))

    @property
    def top(self) -> float:
        """The height of its highest point."""
        return self.centre[2] + self.reach_up

    @property
    def bottom(self) -> float:
        """The height of its lowest point."""
        return self.centre[2] - self.reach_up

    @property
    def corners(self) -> tuple[Vector, ...]:
        """Its eight corners."""
        x, y, z = (side / 2 for side in self.size)
        return tuple(self.pose.of((a * x, b * y, c * z)) for a, b, c in product((-1, 1), repeat=3))

    def grown(self, margin: float) -> Cuboid:
        """The box with so much more on each side."""
        x, y, z = (max(0.0, side + 2 * margin) for side in self.size)
        return Cuboid(self.pose, (x, y, z))

    def stretched(self, direction: Vector, distance: float) -> Cuboid:
        """A box that holds this one wherever it is on its way along one of its own axes."""
        size = [*self.size]
        for index, axis in enumerate(self.pose.axes):
            size[index] += abs(dot(axis, direction)) * distance
        return Cuboid(self.pose.moved(direction, distance / 2), (size[0], size[1], size[2]))

    def meets(self, other: Cuboid) -> bool:
        """Return whether the two share a point. Boxes meet unless a plane parts them."""
        between = add(other.centre, self.centre, -1.0)
        return not any(
            abs(dot(between, direction)) > self._half(direction) + other._half(direction)
            for direction in self._partings(other)
        )

    def _half(self, direction: Vector) -> float:
        sides = zip(self.pose.axes, self.size, strict=True)
        return sum(abs(dot(axis, direction)) * side / 2 for axis, side in sides)

    def _partings(self, other: Cuboid) -> Iterator[Vector]:
        yield from self.pose.axes
        yield from other.pose.axes
        for one, another in product(self.pose.axes, other.pose.axes):
            direction = cross(one, another)
            length = hypot(*direction)
            if length > _PARALLEL:
                yield scaled(direction, 1 / length)
