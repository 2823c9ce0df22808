"""Getting at something: standing where it is in reach, with a view of it."""

from __future__ import annotations

from collections.abc import Generator
from math import dist

from foretree.skills.embodied.body import Control
from foretree.skills.embodied.posture import face
from foretree.skills.embodied.recognising import a, called, instead_of, recognise
from foretree.skills.embodied.routine import Felt, Routine, Unable
from foretree.skills.embodied.senses import Seen, Senses
from foretree.skills.embodied.standing import MARGIN, is_open_between, spots
from foretree.skills.embodied.walking import walk
from foretree.skills.robot import Target
from foretree.world_model.charts.grid import Cell
from foretree.world_model.entities import Pose

#: From so many places a thing is looked for where it should be.
_VIEWS = 3
#: What is seen is in reach if it is nearer than the body reaches by this (metres).
_SLACK = 0.05


def pose_of(target: Target) -> Pose:
    """Where the target is.

    Raises:
        Unable: nobody knows.
    """
    if target.pose is None:
        raise Unable(f"nobody knows where the {called(target.classes)} is")
    return target.pose


def approach(senses: Senses, target: Target) -> Routine:
    """Go to where the target can be handled, and face it; from where it can be, only face it."""
    pose = pose_of(target)
    here = senses.stance.x, senses.stance.y
    within = senses.reach - MARGIN
    if dist(here, pose[:2]) > within or not is_open_between(senses, here, pose):
        yield from walk(senses, spots(senses, pose, within), f"the {called(target.classes)}")
    yield from face(senses, pose)


def get_at(senses: Senses, target: Target, plainly: bool = False) -> Generator[Control, Felt, Seen]:
    """Find the target, from several places if need be, and stand so that it is in reach.

    Args:
        senses: what is known.
        target: what to find.
        plainly: whether it must look as it should.

    Returns:
        What it is in the last frame.
    """
    pose = pose_of(target)
    yield from approach(senses, target)
    tried: set[Cell] = set()
    instead: Seen | None = None
    for _ in range(_VIEWS):
        seen = recognise(target, senses.seen(), plainly)
        if seen is not None and away(senses, seen) <= senses.reach - _SLACK:
            return seen
        instead = instead or instead_of(target, senses.seen())
        tried.add(senses.cell)
        others = spots(senses, pose if seen is None else seen.detection.pose, senses.reach - MARGIN, tried)
        try:
            yield from walk(senses, others, f"the {called(target.classes)}")
        except Unable:
            break
        yield from face(senses, pose)
    looks_like = a(target.classes)
    if instead is not None:
        there = a(instead.detection.classes)
        raise Unable(f"what is where it should be looks like {there}, not like {looks_like}")
    raise Unable(f"nothing that looks like {looks_like} is where it should be")


def away(senses: Senses, seen: Seen) -> float:
    """How far what is seen is from the body, seen from above."""
    x, y = senses.stance.x, senses.stance.y
    extent = seen.detection.extent
    if extent is None:
        return dist((x, y), seen.detection.pose[:2])
    return dist((x, y), (min(max(x, extent[0]), extent[3]), min(max(y, extent[1]), extent[4])))
