"""Routines that open, close, pour, push and pull."""

from __future__ import annotations

from dataclasses import dataclass

from foretree.robots.moveit.arm import GripTo, Pause, Straight, ToPose
from foretree.robots.moveit.routine import (
    HandState,
    MotionRoutine,
    RoutineStep,
    StepFailed,
    done,
    grip_thing,
)
from foretree.skills.manipulation.articulation import Articulation
from foretree.skills.manipulation.cuboids import Cuboid
from foretree.skills.manipulation.hand import HandGeometry
from foretree.skills.manipulation.hand_paths import SlidePath, pour_path
from foretree.skills.manipulation.transforms import Vector


def let_go(hand: HandGeometry, state: HandState) -> MotionRoutine:
    """Open the fingers if they are closed on a handle, from an order that was cancelled."""
    if state.grips_handle:
        yield from done(RoutineStep("letting go of the handle", GripTo(hand.max_opening)))
        state.grips_handle = False


def turn_joint(
    joint: Articulation, opening: bool, hand: HandGeometry, state: HandState, distance: float
) -> MotionRoutine:
    """Open or close a door or a drawer: take the handle, follow its way, let go, and leave it."""
    yield from done(RoutineStep("opening the hand", GripTo(hand.max_opening)))
    yield from done(RoutineStep("going before the handle", ToPose(joint.before(opening, distance))))
    first, *rest = joint.path(opening)
    yield from done(RoutineStep("reaching for the handle", Straight((first,)), touches=True))

    def grips() -> None:
        state.grips_handle = True

    hold = GripTo(joint.grip, holds=True, tolerance=hand.tolerance)
    try:
        yield from grip_thing(hold, "gripping the handle", grips)
        yield from done(RoutineStep("following its way", Straight(tuple(rest)), touches=True))
    except StepFailed:
        end = yield RoutineStep("letting go of the handle", GripTo(hand.max_opening))
        state.grips_handle = end.outcome != "done"
        raise
    yield from done(RoutineStep("letting go of the handle", GripTo(hand.max_opening)))
    state.grips_handle = False
    yield from done(RoutineStep("leaving the handle", Straight((joint.after(opening, distance),))))


@dataclass(frozen=True)
class PourJob:
    """Requirements of pouring.

    Attributes:
        target: the box of what it is poured into.
        towards: the direction in which the vessel is tilted.
        tilt: by how much (radians).
        height: of the lip above the target (metres).
        pause: seconds that it stays tilted.
    """

    target: Cuboid
    towards: Vector
    tilt: float
    height: float
    pause: float


def pour(job: PourJob, state: HandState) -> MotionRoutine:
    """Pour from a held vessel: above the target, tilt about the lip, and upright again."""
    held = state.held
    if held is None:
        raise StepFailed("it is not known how the hand holds the vessel, so nothing can be poured")
    path = pour_path(job.target, held.size, held.tool, job.towards, job.tilt, job.height)
    yield from done(RoutineStep("holding it above", ToPose(path.above)))
    yield from done(RoutineStep("tilting it", Straight(path.tilts), touches=True))
    yield from done(RoutineStep("waiting until it has run out", Pause(job.pause), touches=True))
    back = (*reversed(path.tilts[:-1]), path.above)
    yield from done(RoutineStep("turning it upright", Straight(back), touches=True))


def slide(path: SlidePath, verb: str) -> MotionRoutine:
    """Push or pull a thing with closed fingers."""
    yield from done(RoutineStep("closing the hand", GripTo(0.0)))
    yield from done(RoutineStep("going above the place behind it", ToPose(path.before)))
    yield from done(RoutineStep("going down behind it", Straight((path.start,))))
    yield from done(RoutineStep(verb, Straight((path.end,)), touches=True))
    yield from done(RoutineStep("leaving it", Straight((path.after,))))
