"""A grasp planner that goes by the box of a thing: from above, and from its four sides."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from foretree.skills.manipulation.cuboids import Cuboid
from foretree.skills.manipulation.grasps import Approach, Grasp, GraspAnswer, GraspRequest
from foretree.skills.manipulation.transforms import (
    DOWN,
    UP,
    RigidTransform,
    Vector,
    add,
    cross,
    rotation_of,
    scaled,
)

#: So much of a thing has to be between the fingers (metres).
HOLD = 0.008
#: What counts how much for the score: room in the opening, depth of the hold, nearness to the middle.
_ROOM, _DEPTH, _MIDDLE = 0.4, 0.3, 0.3
#: A box is upright if its axis leans by no more.
_UPRIGHT = 0.999


@dataclass
class _Search:
    """Grasps that were tried, and what spoke against them."""

    grasps: list[Grasp] = field(default_factory=list)
    against: dict[str, None] = field(default_factory=dict)
    blocked_by: set[int] = field(default_factory=set)


class BoxGraspPlanner:
    """Grasps an upright box with its fingers parallel to two of its sides.

    The grasp is as near to the middle of the box as the fingers are long and as what it stands on allows.
    """

    def plan(self, request: GraspRequest) -> GraspAnswer:
        """Return grasps from above and from the sides that keep clear of the support and of obstacles."""
        if request.item.pose.axes[2][2] < _UPRIGHT:
            return GraspAnswer((), "it does not stand upright, and its box says no more about it")
        if min(request.item.size) <= 0:
            return GraspAnswer((), "its size is not known")
        search = _Search()
        for grasp in self._candidates(request, search):
            blocking = _blocking(grasp, request)
            search.blocked_by.update(blocking)
            if blocking:
                search.against["something stands too close to it"] = None
            else:
                search.grasps.append(grasp)
        ranked = sorted(search.grasps, key=lambda grasp: -grasp.score)
        why = "" if ranked else "; ".join(search.against) or "none of the sides allowed was tried"
        return GraspAnswer(tuple(ranked), why, tuple(sorted(search.blocked_by)))

    def _candidates(self, request: GraspRequest, search: _Search) -> Iterator[Grasp]:
        x, y, _ = request.item.pose.axes
        long, wide, _ = request.item.size
        sides = ((x, y, long, wide), (y, x, wide, long))
        for along, across, depth, width in sides:
            if not self._fits(width, request, search):
                continue
            if "top" in request.approaches:
                yield from self._from_above(across, width, request, search)
            if "side" in request.approaches:
                yield from self._from_the_side(along, depth, width, request, search)
                yield from self._from_the_side(scaled(along, -1.0), depth, width, request, search)

    def _fits(self, width: float, request: GraspRequest, search: _Search) -> bool:
        hand = request.hand
        if width + 2 * hand.clearance > hand.max_opening:
            search.against[f"it is {width:.3f} m wide, and the hand opens {hand.max_opening:.3f} m"] = None
        elif width < hand.min_opening:
            search.against[f"it is {width:.3f} m wide, too thin to be gripped"] = None
        else:
            return True
        return False

    def _from_above(
        self, across: Vector, width: float, request: GraspRequest, search: _Search
    ) -> Iterator[Grasp]:
        item, hand = request.item, request.hand
        floor = item.bottom if request.support is None else max(request.support, item.bottom)
        deepest = item.top - floor - hand.clearance - hand.fingertip
        depth = min(hand.finger_length - hand.clearance, deepest, max(item.size[2] / 2, HOLD))
        if depth + hand.fingertip < HOLD:
            search.against["it is too flat to be gripped from above"] = None
            return
        tool = _tool((item.centre[0], item.centre[1], item.top - depth), DOWN, across)
        middle = abs(item.top - depth - item.centre[2]) / item.size[2]
        yield self._grasp(tool, "top", width, DOWN, depth, middle, request)

    def _from_the_side(
        self, along: Vector, length: float, width: float, request: GraspRequest, search: _Search
    ) -> Iterator[Grasp]:
        item, hand = request.item, request.hand
        floor = item.bottom if request.support is None else max(request.support, item.bottom)
        lowest = floor + hand.clearance + max(hand.finger_width, hand.palm[0]) / 2
        height = max(item.centre[2], lowest)
        held = min(item.top, height + hand.finger_width / 2) - (height - hand.finger_width / 2)
        if held < HOLD:
            search.against["it is too low to be gripped from the side"] = None
            return
        depth = min(hand.finger_length - hand.clearance, max(length / 2, HOLD))
        near = add(item.centre, along, depth - length / 2)
        tool = _tool((near[0], near[1], height), along, cross(UP, along))
        middle = abs(height - item.centre[2]) / item.size[2] + abs(length / 2 - depth) / length
        yield self._grasp(tool, "side", width, along, depth, middle / 2, request)

    def _grasp(
        self,
        tool: RigidTransform,
        approach: Approach,
        width: float,
        along: Vector,
        depth: float,
        middle: float,
        request: GraspRequest,
    ) -> Grasp:
        hand = request.hand
        room = 1 - width / hand.max_opening
        deep = min(1.0, depth / hand.finger_length)
        score = _ROOM * room + _DEPTH * deep + _MIDDLE * (1 - min(1.0, 2 * middle))
        # The fingers come as close to the thing as is safe: what stands beside it may be near.
        opening = min(hand.max_opening, width + max(2 * hand.clearance, hand.tolerance))
        return Grasp(tool, approach, opening, width, along, request.distance, round(score, 4))


def _tool(position: Vector, along: Vector, across: Vector) -> RigidTransform:
    """The pose of a tool that points *along* and closes *across*; of the two there are, x is up or ahead."""
    x = cross(across, along)
    if x < (0.0, 0.0, 0.0) if abs(x[2]) < 0.5 else x[2] < 0:
        across, x = scaled(across, -1.0), scaled(x, -1.0)
    return RigidTransform(position, rotation_of(x, across, along))


def _blocking(grasp: Grasp, request: GraspRequest) -> set[int]:
    """The obstacles that the hand meets at the grasp, or on the straight way to it."""
    hand = request.hand
    way = (*hand.fingers(grasp.before, grasp.opening), hand.body(grasp.before))
    swept: list[Cuboid] = [box.stretched(grasp.along, grasp.distance) for box in way]
    return {
        number
        for number, obstacle in enumerate(request.obstacles)
        if any(box.meets(obstacle) for box in swept)
    }
