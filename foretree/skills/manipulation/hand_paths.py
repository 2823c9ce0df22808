"""Paths of a hand that pours, pushes or pulls."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, pi

from foretree.skills.manipulation.cuboids import Cuboid
from foretree.skills.manipulation.hand import HandGeometry
from foretree.skills.manipulation.transforms import (
    DOWN,
    UP,
    RigidTransform,
    Vector,
    add,
    cross,
    dot,
    rotation_of,
    scaled,
    unit,
)

#: Between two points of a path a vessel is tilted by no more (radians).
_TILT_STEP = pi / 18


@dataclass(frozen=True, slots=True)
class PourPath:
    """The poses of a tool that pours.

    Attributes:
        above: where the vessel is upright, its lip above the middle of the target.
        tilts: from there on, ever more tilted about the lip.
    """

    above: RigidTransform
    tilts: tuple[RigidTransform, ...]


def pour_path(
    target: Cuboid,
    vessel: Vector,
    held: RigidTransform,
    towards: Vector,
    tilt: float = 2.0,
    height: float = 0.05,
) -> PourPath:
    """Return the path of a tool that pours into a thing that stands upright.

    Args:
        target: what it is poured into.
        vessel: the size of the held vessel, along its own axes.
        held: the pose of the tool in the frame of the vessel.
        towards: the horizontal direction in which the vessel is tilted.
        tilt: by how much, in radians.
        height: of the lip above the target's top.
    """
    ahead = unit((towards[0], towards[1], 0.0))
    lip = (target.centre[0], target.centre[1], target.top + height)
    # The vessel keeps its side towards the target parallel to the target's own way of being told: its x axis
    # points ahead, and its lip is the upper edge on that side.
    turned = rotation_of(ahead, cross(UP, ahead), UP)
    centre = add(add(lip, ahead, -vessel[0] / 2), UP, -vessel[2] / 2)
    above = RigidTransform(centre, turned) @ held
    about = cross(UP, ahead)
    count = max(1, ceil(abs(tilt) / _TILT_STEP))
    tilts = tuple(above.turned(lip, about, tilt * number / count) for number in range(1, count + 1))
    return PourPath(above, tilts)


@dataclass(frozen=True, slots=True)
class SlidePath:
    """The poses of a tool that pushes or pulls with its closed fingers.

    Attributes:
        before: above the place where the fingers are lowered.
        start: behind the thing, as seen in the direction that it goes.
        end: where the thing has gone far enough.
        after: above that.
    """

    before: RigidTransform
    start: RigidTransform
    end: RigidTransform
    after: RigidTransform


def slide_path(
    item: Cuboid,
    direction: Vector,
    distance: float,
    hand: HandGeometry,
    support: float | None = None,
    lift: float = 0.1,
) -> SlidePath:
    """Return the path of a hand that moves an upright thing straight along what it stands on.

    Pushing and pulling differ in the side only: the fingers point down, closed, behind the thing.

    Args:
        item: the thing.
        direction: horizontal, in which it goes.
        distance: how far.
        hand: the hand.
        support: the height of what it stands on; by default the lowest point of the thing.
        lift: how high above the thing the fingers come and leave.
    """
    ahead = unit((direction[0], direction[1], 0.0))
    floor = item.bottom if support is None else support
    half = sum(abs(dot(axis, ahead)) * side / 2 for axis, side in zip(item.pose.axes, item.size, strict=True))
    behind = half + hand.clearance + hand.finger_width / 2
    lowest = floor + hand.clearance + hand.fingertip
    height = max(lowest, min(item.centre[2], item.top - hand.fingertip))
    place = add(item.centre, ahead, -behind)
    # The two fingers stand side by side, square to the way.
    across = cross(DOWN, ahead)
    start = RigidTransform((place[0], place[1], height), rotation_of(ahead, across, DOWN))
    end = start.moved(ahead, distance + hand.clearance)
    up = item.top - height + lift
    return SlidePath(start.moved(UP, up), start, end, end.moved(UP, up))


def away(point: Vector, base: Vector) -> Vector:
    """The horizontal direction from *base* to *point*; ahead along x if the two are one above the other."""
    x, y = point[0] - base[0], point[1] - base[1]
    return unit((x, y, 0.0)) if abs(x) + abs(y) > 1e-6 else (1.0, 0.0, 0.0)


def back(direction: Vector) -> Vector:
    """The opposite direction."""
    return scaled(direction, -1.0)
