"""Doors and drawers: the path of a hand that opens or closes them, from what is stated about them."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, pi

from foretree.skills.manipulation.transforms import RigidTransform, Vector, scaled, unit

#: Between two points of a path a door turns by no more (radians), and a drawer slides no farther (metres).
_ANGLE, _LENGTH = pi / 36, 0.05


@dataclass(frozen=True)
class Hinge:
    """A door that turns.

    Attributes:
        point: a point of the axis, in the map's frame.
        axis: its direction.
        angle: how far it turns to be open, by the right-hand rule (radians).
    """

    point: Vector
    axis: Vector
    angle: float


@dataclass(frozen=True)
class Slide:
    """A drawer that slides.

    Attributes:
        direction: of opening, in the map's frame.
        distance: how far it is drawn to be open.
    """

    direction: Vector
    distance: float


@dataclass(frozen=True)
class Articulation:
    """Motion with which something opens.

    Attributes:
        handle: the pose of the tool that holds the handle when it is closed: z points at the handle, and the
            fingers close along y.
        grip: the gap between the fingers that hold the handle.
        joint: how it moves.
    """

    handle: RigidTransform
    grip: float
    joint: Hinge | Slide

    def at(self, share: float) -> RigidTransform:
        """Return the pose of the tool at the handle of what is so far open, from 0 to 1."""
        joint = self.joint
        if isinstance(joint, Slide):
            return self.handle.moved(unit(joint.direction), share * joint.distance)
        return self.handle.turned(joint.point, joint.axis, share * joint.angle)

    def path(self, opening: bool) -> tuple[RigidTransform, ...]:
        """Return the poses of the tool on its way, from the handle on."""
        joint = self.joint
        size = joint.distance / _LENGTH if isinstance(joint, Slide) else abs(joint.angle) / _ANGLE
        count = max(1, ceil(size))
        shares = [number / count for number in range(count + 1)]
        return tuple(self.at(share) for share in (shares if opening else reversed(shares)))

    def before(self, opening: bool, distance: float) -> RigidTransform:
        """Return the pose of the tool before it goes straight to the handle."""
        start = self.at(0.0 if opening else 1.0)
        return start.moved(scaled(start.axes[2], -1.0), distance)

    def after(self, opening: bool, distance: float) -> RigidTransform:
        """Return the pose of the tool after it has left the handle straight back."""
        end = self.at(1.0 if opening else 0.0)
        return end.moved(scaled(end.axes[2], -1.0), distance)
