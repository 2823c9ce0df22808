"""Spots to put things: free ones on a top, within reach."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import hypot

from foretree.skills.manipulation.cuboids import Cuboid
from foretree.skills.manipulation.transforms import RigidTransform, Vector

#: Spots that are tried lie so far apart (metres); more free room than this makes a spot no better.
_STEP, _ROOMY = 0.03, 0.1
#: At most so many spots are tried along each side.
_MOST = 64
#: So far above a top a thing is let go (metres).
RELEASE = 0.005


@dataclass(frozen=True, slots=True)
class ArmReach:
    """Reach of an arm.

    Attributes:
        shoulder: the point that it is measured from, in the map's frame.
        longest: metres.
        shortest: metres: nearer than this is too near.
    """

    shoulder: Vector
    longest: float
    shortest: float = 0.0

    def covers(self, point: Vector) -> bool:
        """Return whether a point is within reach."""
        apart = hypot(*(a - b for a, b in zip(point, self.shoulder, strict=True)))
        return self.shortest <= apart <= self.longest


@dataclass(frozen=True, slots=True)
class FreeSpot:
    """The answer to where a thing can be put.

    Attributes:
        item: the pose of its middle there; None if there is no such spot.
        why: if there is none, the reason, in words for a person.
    """

    item: RigidTransform | None
    why: str = ""


def free_spot(
    support: Cuboid,
    size: Vector,
    taken: Sequence[Cuboid],
    reach: ArmReach | None = None,
    margin: float = 0.02,
    near: Vector | None = None,
) -> FreeSpot:
    """Return a free spot on top of an upright box.

    Of those within reach, the one with the most room around it is taken, up to a few centimetres; of several,
    the one nearest to *near*, or else to the middle.

    Args:
        support: what it is put on.
        size: of the thing, along the axes of the support.
        taken: what stands there already.
        reach: how far the arm gets.
        margin: what is kept free around it, metres.
        near: where it would best be.
    """
    free = [(side - own) / 2 - margin for side, own in zip(support.size[:2], size[:2], strict=True)]
    if min(free) < 0:
        return FreeSpot(None, "it is too large to be put there")
    wish = near or support.centre
    best: tuple[float, float, RigidTransform] | None = None
    within_reach = False
    for across, along in _grid(free[0], free[1]):
        up = support.size[2] / 2 + size[2] / 2 + RELEASE
        pose = support.pose @ RigidTransform((across, along, up))
        if reach is not None and not reach.covers(pose.position):
            continue
        within_reach = True
        room = _room(Cuboid(pose, size), taken, margin)
        if room is None:
            continue
        apart = hypot(pose.position[0] - wish[0], pose.position[1] - wish[1])
        if best is None or (-room, apart) < best[:2]:
            best = (-room, apart, pose)
    if best is not None:
        return FreeSpot(best[2])
    if not within_reach:
        return FreeSpot(None, "no part of it is within reach")
    return FreeSpot(None, "there is no room on it")


def _grid(half_x: float, half_y: float) -> Iterator[tuple[float, float]]:
    for x in _line(half_x):
        for y in _line(half_y):
            yield x, y


def _line(half: float) -> list[float]:
    """Even steps from one end to the other, with the middle among them."""
    count = min(_MOST, int(half / _STEP))
    return [0.0] if count == 0 else [half * number / count for number in range(-count, count + 1)]


def _room(item: Cuboid, taken: Sequence[Cuboid], margin: float) -> float | None:
    """Measure the room on all sides of *item*, up to what matters; None if it is less than *margin*."""
    if any(item.grown(margin).meets(one) for one in taken):
        return None
    room = margin
    while room + margin <= _ROOMY and not any(item.grown(room + margin).meets(one) for one in taken):
        room += margin
    return room
