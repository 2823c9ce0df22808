"""Looks at things, from several places if need be; at the held thing, from several sides; and all around."""

from __future__ import annotations

from collections.abc import Mapping
from math import hypot

from foretree.skills.embodied._approaching import class_phrase, recognise
from foretree.skills.embodied._walking import (
    HIGHEST,
    LOWEST,
    WALKING,
    Choice,
    Routine,
    RoutineFailed,
    cells_to_stand,
    face,
    is_in_sight,
    nod_to,
    turn_to,
    walk,
)
from foretree.skills.embodied.body import NOD, TURN, Control
from foretree.skills.embodied.senses import LIFT, SIDES, Grip, Senses
from foretree.skills.robot import LookRequest, Target
from foretree.world_model.beliefs.facts import Pose
from foretree.world_model.occupancy.occupancy_grid import Cell
from foretree.world_model.occupancy.paths import ShortestPaths

#: How the camera nods while the body looks around.
_AROUND = (WALKING, 0)
#: What is farther off than this (metres) is seen badly: one goes nearer.
_FAR = 3.0
#: The way to another place to look from is at most so much longer than that to the thing (metres): a step
#: aside, and not a walk to the other side of the room and back.
_ASIDE = 1.5
#: From so many further sides what is held is shown in one look.
_SIDES_A_LOOK = 3
#: The ways of holding something up: all sides, then higher, then lower, each from the last side before.
_GRIPS = tuple(
    Grip(lift, (side - turn) % SIDES) for turn, lift in enumerate((0, LIFT, -LIFT)) for side in range(SIDES)
)


def look(senses: Senses, request: LookRequest, may_walk: bool) -> Routine:
    """Have a look at things, or all around.

    Args:
        senses: what is known.
        request: what to look at.
        may_walk: whether the body may leave its place for it.
    """
    at = [target for target in request.at if target.pose is not None or target.held_in is not None]
    if not at:
        yield from _look_around(senses)
    for target in at:
        if target.held_in is not None:
            yield from _show_held(senses)
        elif target.pose is not None:
            yield from _look_at(senses, target, target.pose, may_walk)


def _look_around(senses: Senses) -> Routine:
    """Turn once around, and look ahead and down everywhere with as few nods as it takes."""
    first = senses.stance.heading
    for quarter in range(1, 5):
        for pitch in sorted(_AROUND, key=lambda pitch: (abs(pitch - senses.stance.pitch), pitch)):
            yield from nod_to(senses, pitch)
        yield from turn_to(senses, (first + quarter * TURN) % 360)


def _look_at(senses: Senses, target: Target, pose: Pose, may_walk: bool) -> Routine:
    """Look at something, from each place only once: there nothing new is to be seen."""
    if may_walk and not is_in_sight(senses, target, _FAR):
        # Nearer, to where the thing was not looked at from yet.
        yield from _go(senses, cells_to_stand(senses, target, but=senses.looked_from(pose)), target, pose)
    elif may_walk and senses.cell in senses.looked_from(pose):
        yield from _step_aside(senses, target, pose)
    yield from face(senses, pose)
    yield Control("wait")
    yield from see_all_of(senses, target)
    senses.note_look(pose)


def _step_aside(senses: Senses, target: Target, pose: Pose) -> Routine:
    """Go where the thing was not looked at from yet; if there is no such place near by, stay."""
    others = cells_to_stand(senses, target, but={senses.cell, *senses.looked_from(pose)})
    farthest = _ASIDE + hypot(pose[0] - senses.stance.x, pose[1] - senses.stance.y)

    def near_by(ways: ShortestPaths) -> Mapping[Cell, float]:
        return {cell: against for cell, against in others(ways).items() if ways.distance(cell) <= farthest}

    yield from _go(senses, near_by, target, pose)


def _go(senses: Senses, choice: Choice, target: Target, pose: Pose) -> Routine:
    """Go to one of some places; if there is no way to any, stay."""
    try:
        yield from walk(senses, choice, f"the {class_phrase(target.classes)}")
    except RoutineFailed:
        senses.forget_looks(pose)


def see_all_of(senses: Senses, target: Target) -> Routine:
    """Nod to the parts of the thing above or below the picture."""
    seen = recognise(target, senses.seen())
    if seen is None:
        return
    label, labels, pitch = seen.mask.label, senses.frame.labels, senses.stance.pitch
    is_above, is_below = bool((labels[0] == label).any()), bool((labels[-1] == label).any())
    if is_above and pitch < HIGHEST:
        yield from nod_to(senses, pitch + NOD)
    if is_below and pitch > LOWEST:
        yield from nod_to(senses, pitch - NOD)


def _show_held(senses: Senses) -> Routine:
    """Hold the held thing up to the eye in further ways, on from where the last look at it ended."""
    for _ in range(_SIDES_A_LOOK):
        if senses.frame.held is None:
            raise RoutineFailed("there is nothing in the hand")
        lift, side = _GRIPS[(_GRIPS.index(senses.grip) + 1) % len(_GRIPS)]
        while senses.frame.held is not None and senses.grip.lift != lift:
            yield Control("lift_held" if senses.grip.lift < lift else "lower_held")
        while senses.frame.held is not None and senses.grip.side != side:
            yield Control("turn_held")
