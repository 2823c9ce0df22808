"""Routines: an order as steps of the arm and its hand, worked out before anything moves.

The arm has no collision avoidance here. So the hand rises straight up, travels no lower than at one height,
comes down straight from above, and goes back the same way; and no end of a straight motion is outside the
workspace, which is convex, so that nothing between two ends is either. Nothing looks after the elbow, nor
after what stands in the way at the height of travel.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from foretree.errors import suggest
from foretree.robots.franka.driver import Joints, Point, Quaternion
from foretree.robots.franka.franka_file import WIDEST, FrankaFile, JointPose
from foretree.skills.robot import Order, RobotError, Target
from foretree.world_model.beliefs.facts import Extent, Pose, best_of

#: Metres between the fingers and a thing, on both sides together, for it to be taken.
_PLAY = 0.01
#: Metres that a finger reaches below the top of a thing, at most.
_DEEPEST = 0.03
#: Metres that the fingers reach below the point between them that is moved.
_BELOW = 0.012
#: Metres above the surface at which a thing is let go.
_DROP = 0.005
#: Metres between a place's pose and that which a spot was measured for.
_SAME_PLACE = 0.25


@dataclass(frozen=True, slots=True)
class Rise:
    """Go straight up to the height of travel."""


@dataclass(frozen=True, slots=True)
class GoStraight:
    """Go straight to a point in the base's frame."""

    to: Point
    orientation: Quaternion


@dataclass(frozen=True, slots=True)
class GoToJoints:
    """Go to a position of the joints. What is swept on the way is not checked."""

    joints: Joints


@dataclass(frozen=True, slots=True)
class MoveFingers:
    """Open or close the fingers to a width."""

    width: float


@dataclass(frozen=True, slots=True)
class HomeFingers:
    """Measure how far the fingers open."""


@dataclass(frozen=True, slots=True)
class CloseOn:
    """Grasp a thing of a width."""

    width: float


@dataclass(frozen=True, slots=True)
class HoldsSomething:
    """Go on only if the hand still holds a thing: of that width, unless any will do."""

    width: float | None = None


@dataclass(frozen=True, slots=True)
class HoldsNothing:
    """Go on only if the hand holds nothing."""


ArmStep: TypeAlias = (
    Rise | GoStraight | GoToJoints | MoveFingers | HomeFingers | CloseOn | HoldsSomething | HoldsNothing
)


@dataclass(frozen=True, slots=True)
class HandGrip:
    """Grip in which a thing is held.

    Attributes:
        above: metres from the thing's bottom to the fingertips.
        orientation: of the end effector.
    """

    above: float
    orientation: Quaternion


@dataclass(frozen=True, slots=True)
class Routine:
    """The steps of an order.

    Attributes:
        steps: in turn.
        grip: how a thing is held once they are done; None if the hand is empty then, or was not used.
        uses_hand: whether the fingers are moved.
    """

    steps: tuple[ArmStep, ...]
    grip: HandGrip | None = None
    uses_hand: bool = False


class OutOfReachError(RobotError):
    """An order has an end outside the workspace."""


def routine_for(order: Order, file: FrankaFile, grip: HandGrip | None) -> Routine:
    """Return the steps of an order.

    Args:
        order: the order.
        file: the robot file.
        grip: how what is in the hand is held, as far as it was picked up by a routine.

    Raises:
        RobotError: the arm has no such skill, or the order lacks what it takes.
        OutOfReachError: an end is outside the workspace.
    """
    routine = file.skills.get(order.skill)
    if routine is None:
        raise RobotError(
            f"The robot file of {file.robot} does not say how to {order.skill}. "
            f"{suggest(order.skill, file.skills)}"
        )
    if isinstance(routine, JointPose):
        return Routine((Rise(), GoToJoints(file.poses[routine.pose])), grip)
    if routine == "home_fingers":
        return Routine((HoldsNothing(), HomeFingers()), uses_hand=True)
    return _pick(order, file) if routine == "pick" else _place(order, file, grip)


def _pick(order: Order, file: FrankaFile) -> Routine:
    low, high, heading = _box(order, _target(order, "item"), file)
    middle = ((low[0] + high[0]) / 2, (low[1] + high[1]) / 2)
    wide = [high[0] - low[0], high[1] - low[1]]
    width = min(wide)
    if width + _PLAY > WIDEST:
        raise RobotError(
            f"{order.skill}: the {_name(order, 'item')} is {width * 100:.0f} cm wide at its narrowest; "
            f"the hand opens {WIDEST * 100:.0f} cm, and {_PLAY * 100:.0f} cm of that has to be free."
        )
    # The fingers close along the y axis of the end effector: at heading 0, along y of the base.
    along_x = wide[0] <= wide[1]
    orientation = downwards(heading + (math.pi / 2 if along_x else 0.0))
    height = high[2] - low[2]
    above = max(height - min(_DEEPEST, height / 2), _BELOW)
    if above >= height:
        raise RobotError(
            f"{order.skill}: the {_name(order, 'item')} is {height * 100:.1f} cm high; the fingers would "
            "touch what it lies on."
        )
    at = file.base.from_map((*middle, low[2] + above))
    steps: list[ArmStep] = [HoldsNothing(), MoveFingers(min(WIDEST, width + 2 * _PLAY))]
    steps += _down(at, orientation, order, file)
    steps += [CloseOn(width), *_up(at, orientation, file), HoldsSomething(width)]
    return Routine(tuple(steps), HandGrip(above, orientation), uses_hand=True)


def _place(order: Order, file: FrankaFile, grip: HandGrip | None) -> Routine:
    if grip is None:
        raise RobotError(
            f"{order.skill}: it is not known how the thing in the hand is held, for it was not picked up by "
            "this program since it was started. Take it out of the hand."
        )
    x, y, z = _spot(order, file)
    at = file.base.from_map((x, y, z + grip.above + _DROP))
    steps: list[ArmStep] = [HoldsSomething(), *_down(at, grip.orientation, order, file), MoveFingers(WIDEST)]
    steps += [*_up(at, grip.orientation, file), HoldsNothing()]
    return Routine(tuple(steps), uses_hand=True)


def _down(at: Point, orientation: Quaternion, order: Order, file: FrankaFile) -> Sequence[ArmStep]:
    """The way to a point from above, by way of the height of travel."""
    way = [
        (at[0], at[1], max(file.travel_height, at[2])),
        (at[0], at[1], _approached(at, file)),
        at,
    ]
    for point in way:
        if not file.workspace.holds(point):
            raise OutOfReachError(
                f"{order.skill}: {_show(point)} in the frame of the arm's base is outside its workspace, "
                f"from {_show(file.workspace.low)} to {_show(file.workspace.high)}."
            )
    return [Rise(), *(GoStraight(point, orientation) for point in way)]


def _up(at: Point, orientation: Quaternion, file: FrankaFile) -> Sequence[ArmStep]:
    return [GoStraight((at[0], at[1], _approached(at, file)), orientation), Rise()]


def _approached(at: Point, file: FrankaFile) -> float:
    return min(at[2] + file.approach, max(file.travel_height, at[2]))


def _box(order: Order, target: Target, file: FrankaFile) -> tuple[Point, Point, float]:
    """The box around a thing, in the frame of the map, and the heading of that frame seen from the base."""
    if target.extent is None:
        raise RobotError(
            f"{order.skill}: it is not known how large the {_name(order, 'item')} is; without its extent the "
            "hand would not know how wide to open."
        )
    extent: Extent = target.extent
    return extent[:3], extent[3:], -file.base.heading


def _spot(order: Order, file: FrankaFile) -> Pose:
    """Return where a thing is put: on the measured spot for the place, or on the middle of its top."""
    place = _target(order, "place")
    if place.pose is None:
        raise RobotError(f"{order.skill}: it is not known where the {_name(order, 'place')} is.")
    near = [(math.dist(spot.place, place.pose[:2]), spot.at) for spot in file.spots]
    if near and min(near)[0] <= _SAME_PLACE:
        return min(near)[1]
    if place.extent is None:
        raise RobotError(
            f"{order.skill}: it is not known how high the {_name(order, 'place')} is, and the robot file has "
            "no measured spot for it."
        )
    x0, y0, _, x1, y1, top = place.extent
    return (x0 + x1) / 2, (y0 + y1) / 2, top


def downwards(heading: float) -> Quaternion:
    """Return the orientation of a hand that points down, turned by a heading."""
    return math.cos(heading / 2), math.sin(heading / 2), 0.0, 0.0


def _target(order: Order, role: str) -> Target:
    if role not in order.targets:
        raise RobotError(f"{order.skill}: the order names no {role}. {suggest(role, order.targets)}")
    return order.targets[role]


def _name(order: Order, role: str) -> str:
    return best_of(order.targets[role].classes) or role


def _show(point: Sequence[float]) -> str:
    return "(" + ", ".join(f"{value:.2f}" for value in point) + ")"
