"""Approaching a target: standing where it is in reach, with a view of it."""

from __future__ import annotations

from collections.abc import Generator
from math import dist

from foretree.skills.embodied._posture import face
from foretree.skills.embodied._routine import ControlFeedback, LooksWrong, Routine, RoutineFailed
from foretree.skills.embodied._standing import cells_to_stand
from foretree.skills.embodied._target_recognition import (
    RequiredLook,
    class_phrase,
    instead_of,
    is_on_spot,
    recognise,
    with_article,
)
from foretree.skills.embodied._walking import never, walk
from foretree.skills.embodied.body import Control
from foretree.skills.embodied.senses import Seen, Senses
from foretree.skills.robot import Target
from foretree.world_model.beliefs.facts import Pose
from foretree.world_model.occupancy.grid import Cell

#: From so many places a thing is looked for where it should be.
_VIEWS = 4
#: What is seen is in reach if it is nearer than the body reaches by this (metres).
SLACK = 0.15


def known_pose(target: Target) -> Pose:
    """Return where the target is.

    Raises:
        RoutineFailed: the order does not say.
    """
    if target.pose is None:
        raise RoutineFailed(f"it is not known where the {class_phrase(target.classes)} is")
    return target.pose


def approach(senses: Senses, target: Target, within: Target | None = None) -> Routine:
    """Go to where the target can be handled best, and face it.

    Args:
        senses: what is known.
        target: where to go.
        within: the furniture that it is in or on, if it is.
    """
    pose = known_pose(target)
    yield from walk(senses, cells_to_stand(senses, target, within), f"the {class_phrase(target.classes)}")
    yield from face(senses, pose)


def reach_target(
    senses: Senses,
    target: Target,
    within: Target | None = None,
    looks: RequiredLook = RequiredLook.LIKELY,
    closely: bool = False,
) -> Generator[Control, ControlFeedback, Seen]:
    """Find the target, from several places if need be, and stand so that it is in reach.

    Args:
        senses: what is known.
        target: what to find.
        within: the furniture that it is in or on, if it is.
        looks: what it has to look like.
        closely: whether to go where one sees it best, even if it is in view and in reach before.

    Returns:
        What it is in the last frame.
    """
    pose = known_pose(target)
    what = f"the {class_phrase(target.classes)}"

    def found() -> Seen | None:
        in_view = list(senses.seen())
        if looks is RequiredLook.ANY and within is not None:
            holder = recognise(within, in_view)
            in_view = [one for one in in_view if one is not holder]
        seen = recognise(target, in_view, looks)
        return seen if seen is not None and floor_distance(senses, seen) <= senses.reach - SLACK else None

    def is_found() -> bool:
        seen = found()
        return seen is not None and (target.extent is not None or is_on_spot(pose, seen.detection))

    tried: set[Cell] = set()
    instead: Seen | None = None
    for _ in range(_VIEWS):
        choice = cells_to_stand(senses, target, within, but=tried)
        until = never if closely else is_found
        try:
            yield from walk(senses, choice, what, until)
        except RoutineFailed:
            if not tried:
                raise
            break
        if closely or found() is None:
            yield from face(senses, pose)
        seen = found()
        if seen is not None:
            return seen
        instead = instead or instead_of(target, senses.seen())
        tried.add(senses.cell)
    looks_like = with_article(target.classes)
    if instead is not None:
        there = with_article(instead.detection.classes)
        raise LooksWrong(f"what is where it should be looks like {there}, not like {looks_like}")
    raise RoutineFailed(f"nothing that looks like {looks_like} is where it should be")


def floor_distance(senses: Senses, seen: Seen) -> float:
    """Return the distance on the floor from the body to something seen."""
    x, y = senses.stance.x, senses.stance.y
    extent = seen.detection.extent
    if extent is None:
        return dist((x, y), seen.detection.pose[:2])
    return dist((x, y), (min(max(x, extent[0]), extent[3]), min(max(y, extent[1]), extent[4])))
