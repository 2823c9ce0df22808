"""Routines that bring a body somewhere, and something into its view: standing, walking, turning, nodding."""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Mapping
from math import atan2, degrees, dist, isfinite, radians, tan
from typing import NamedTuple, TypeAlias

from foretree.skills.embodied.body import NOD, TURN, Control
from foretree.skills.embodied.senses import Senses
from foretree.skills.robot import Target
from foretree.world_model.beliefs.facts import Pose
from foretree.world_model.camera_model import Stance
from foretree.world_model.occupancy.occupancy_grid import AHEAD, Cell, CellState
from foretree.world_model.occupancy.paths import (
    GridPath,
    ShortestPaths,
    cheapest_motions,
    headings_along,
    make_costmap,
)
from foretree.world_model.occupancy.standing_spots import BoundingBox, Spot, is_seen_from, standing_spots


class ControlFeedback(NamedTuple):
    """Result of one control, as the body reports it.

    Attributes:
        ok: whether it was carried out.
        message: if not, why.
    """

    ok: bool
    message: str = ""


class RoutineFailed(Exception):  # noqa: N818 - not an error: it is how a routine ends that cannot go on
    """A routine cannot reach its aim; says why, in words for a person."""


class LooksWrong(RoutineFailed):
    """A routine stops because its target looks like something else."""


class AlreadyDone(Exception):  # noqa: N818 - not an error: it is how a routine ends that has nothing to do
    """The aim of a routine was reached before; says so, in the body's words."""


#: Yields the next control and is sent its result, once the frame after it has been taken in. It can be broken
#: off at any control. It has succeeded if it ends without raising :class:`RoutineFailed`.
Routine: TypeAlias = Generator[Control, ControlFeedback, None]

# -- turning and nodding ------------------------------------------------------------------------------

#: How far down and up the camera nods.
LOWEST, HIGHEST = -60, 30
#: How it nods while the body walks: from the floor before its feet to what is level with the eye.
WALKING = -30
#: What is farther from the middle of the view than this, in degrees, is brought nearer to it.
_OFF, _ABOVE = 36.0, 22.0


def heading_towards(stance: Stance, pose: Pose) -> int:
    """Return the heading at which something is seen best; the present one if it will do."""
    bearing = degrees(atan2(pose[1] - stance.y, pose[0] - stance.x))
    if dist((stance.x, stance.y), pose[:2]) < 1e-6 or abs(_turn(bearing - stance.heading)) <= _OFF:
        return stance.heading
    return min(range(0, 360, TURN), key=lambda heading: (abs(_turn(bearing - heading)), heading))


def pitch_towards(stance: Stance, pose: Pose) -> int:
    """Return the pitch at which something is seen best; the present one if it will do."""
    rise = degrees(atan2(pose[2] - stance.eye, max(dist((stance.x, stance.y), pose[:2]), 1e-6)))
    if abs(rise - stance.pitch) <= _ABOVE:
        return stance.pitch
    return min(range(LOWEST, HIGHEST + 1, NOD), key=lambda pitch: (abs(rise - pitch), pitch))


def turn_to(senses: Senses, heading: int) -> Routine:
    """Turn the shortest way; half turns go to the left."""
    while (left := (heading - senses.stance.heading) % 360) != 0:
        yield Control("rotate_right" if left == 270 else "rotate_left")


def nod_to(senses: Senses, pitch: int) -> Routine:
    """Look up or down."""
    while (up := pitch - senses.stance.pitch) != 0:
        yield Control("look_up" if up > 0 else "look_down")


def face(senses: Senses, pose: Pose) -> Routine:
    """Look at something."""
    yield from turn_to(senses, heading_towards(senses.stance, pose))
    yield from nod_to(senses, pitch_towards(senses.stance, pose))


def _turn(angle: float) -> float:
    """An angle in degrees as a turn of at most half around."""
    return (angle + 180) % 360 - 180


# -- where to stand -----------------------------------------------------------------------------------

#: So much nearer than it reaches a body goes, since it does not know exactly where things are (metres).
_MARGIN = 0.2
#: What is no higher than this is no thing but a place on the floor (metres).
_FLOOR = 0.01
#: What stands within this of a thing (metres) is taken for what the thing is in or on, where the order does
#: not say; within this of furniture, for the furniture.
_AROUND, _EDGE = 0.4, 0.05
#: At this angle one looks down on things best, but not nearer than this (metres): what is low in something is
#: hidden from above. Each metre nearer or farther counts as so many metres of way.
_DOWN, _NEAR, _PER_METRE = 50.0, 0.4, 2.0
#: What it is worth to stand where the thing was seen from before, in metres of way for a quarter around it.
_PER_QUARTER = 1.0
#: What it is worth to see a thing from another side (degrees) than before, in metres of way.
_PER_SIDE, _SIDE = 3.0, 60.0
#: What it is worth to have the middle of the thing before one, in metres of way for half a quarter aside.
_ASIDE = 1.5
#: What it is worth to stand before the front of furniture, and before what is likely the front, in metres of
#: way. Furniture tends to have a wall behind it (so far, in metres), and to be wider than deep (by so much).
_FRONT, _LIKELY, _BEHIND, _WIDER = 4.0, 1.5, 0.2, 0.2

#: The cells that come into question, by the ways there are: what speaks against each, in metres of way.
Choice: TypeAlias = Callable[[ShortestPaths], Mapping[Cell, float]]


def cells_to_stand(
    senses: Senses,
    target: Target,
    within: Target | None = None,
    but: Collection[Cell] = (),
    but_heading: int | None = None,
) -> Choice:
    """From where one can handle a target; on what is only a place on the floor, one stands.

    Args:
        senses: what is known.
        target: what to handle; it has a pose.
        within: the furniture that it is in or on, if it is.
        but: cells where the body has been for it; neither they nor those beside them come into question, and
            rather others from which one sees it from another side.
        but_heading: a heading that does not come into question.
    """
    pose, box = _pose_and_box(target)
    if pose[2] <= _FLOOR:
        return lambda ways: _on_floor(senses, ways, pose)
    far = senses.reach - _MARGIN
    furniture = target if within is None else within

    def choose(ways: ShortestPaths) -> Mapping[Cell, float]:
        # What is known to stand in between may be wrong: if it leaves nowhere to stand, it is not heeded.
        about = (_AROUND, far) if furniture.extent is None else (_EDGE, _AROUND, far)
        for around in about:
            whole = _unhidden_box(box, within, around)
            spots = standing_spots(senses.occupancy, ways, box, far, senses.stance.eye, whole)
            found = {
                spot.cell: _view_cost(senses, spot, pose)
                + _front_cost(senses, spot, furniture)
                + _same_side_cost(senses, spot.cell, but, pose)
                for spot in spots
                if not _is_beside(spot.cell, but) and spot.heading != but_heading
            }
            if found:
                return found
        return {}

    return choose


def is_in_sight(senses: Senses, target: Target, far: float) -> bool:
    """Return whether a target is within *far* (metres) and not hidden, as far as is known, from the body."""
    _, box = _pose_and_box(target)
    return is_seen_from(
        senses.occupancy, senses.cell, box, far, senses.stance.eye, _unhidden_box(box, None, _AROUND)
    )


def _pose_and_box(target: Target) -> tuple[Pose, BoundingBox]:
    assert target.pose is not None
    return target.pose, BoundingBox(*(target.extent or (*target.pose, *target.pose)))


def _unhidden_box(box: BoundingBox, within: Target | None, around: float) -> BoundingBox:
    """Return the box around a thing and the furniture that it is in or on, which do not hide it."""
    x0, y0, x1, y1 = box.x0 - around, box.y0 - around, box.x1 + around, box.y1 + around
    if within is not None and within.extent is not None:
        wx0, wy0, _, wx1, wy1, _ = within.extent
        x0, y0, x1, y1 = min(x0, wx0), min(y0, wy0), max(x1, wx1), max(y1, wy1)
    return BoundingBox(x0, y0, box.z0, x1, y1, box.z1)


def _on_floor(senses: Senses, ways: ShortestPaths, pose: Pose) -> Mapping[Cell, float]:
    """The cell itself; where one cannot stand, those beside it."""
    i, j = senses.occupancy.grid.cell_at(pose[0], pose[1])
    if ways.reaches((i, j)):
        return {(i, j): 0.0}
    return {(i + di, j + dj): 0.0 for di, dj in AHEAD.values()}


def _view_cost(senses: Senses, spot: Spot, pose: Pose) -> float:
    """Return the cost of a spot, in metres of way."""
    x, y = senses.occupancy.grid.centre(spot.cell)
    bearing = atan2(pose[1] - y, pose[0] - x)
    aside = abs(_turn(degrees(bearing) - spot.heading)) / 45
    seen_from = senses.seen_from(pose)
    around = 0.0 if seen_from is None else _angle((x, y), (seen_from.x, seen_from.y), pose) / 90
    best = max(_NEAR, (senses.stance.eye - pose[2]) / tan(radians(_DOWN)))
    return _PER_METRE * abs(spot.away - best) + _ASIDE * aside + _PER_QUARTER * around


def _front_cost(senses: Senses, spot: Spot, furniture: Target) -> float:
    """Return the cost of not standing before the front of furniture, in metres of way."""
    if furniture.extent is None or furniture.pose is None:
        return 0.0
    heading = senses.heading_to_front(furniture.pose)
    if heading is not None:
        return 0.0 if heading == spot.heading else _FRONT
    x0, y0, _, x1, y1, _ = furniture.extent
    x, y = (x0 + x1) / 2, (y0 + y1) / 2
    along_x = spot.heading in (0, 180)
    deep, wide = (x1 - x0, y1 - y0) if along_x else (y1 - y0, x1 - x0)
    dx, dy = AHEAD[spot.heading]
    behind = x + dx * ((x1 - x0) / 2 + _BEHIND), y + dy * ((y1 - y0) / 2 + _BEHIND)
    is_free = senses.occupancy.state(senses.occupancy.grid.cell_at(*behind)) is CellState.FREE
    return _LIKELY * is_free + _LIKELY * (deep > wide + _WIDER)


def _same_side_cost(senses: Senses, cell: Cell, been: Collection[Cell], pose: Pose) -> float:
    """Return the cost of seeing a thing from the same side as before, in metres of way."""
    centre = senses.occupancy.grid.centre
    angles = [_angle(centre(cell), centre(other), pose) for other in been]
    return _PER_SIDE * max(0.0, 1 - min(angles, default=_SIDE) / _SIDE)


def _is_beside(cell: Cell, others: Collection[Cell]) -> bool:
    """Return whether a cell is one of some others, or touches one."""
    return any(max(abs(cell[0] - i), abs(cell[1] - j)) <= 1 for i, j in others)


def _angle(one: tuple[float, float], other: tuple[float, float], pose: Pose) -> float:
    """Return the angle at a thing between two places, 0 to 180 degrees."""
    first, second = (atan2(at[1] - pose[1], at[0] - pose[0]) for at in (one, other))
    return abs(_turn(degrees(first - second)))


# -- walking ------------------------------------------------------------------------------------------

#: What a step costs more to where the body does not look, in steps.
_BLINDNESS = 0.25
#: The way to one place is looked for at most so many times.
_MOST = 60


def walk(
    senses: Senses,
    choice: Choice,
    what: str,
    until: Callable[[], bool] | None = None,
    *,
    squeezing: bool = False,
) -> Routine:
    """Walk to the cell of some with the lowest cost, that of the way there included.

    Args:
        senses: what is known; more of it on the way.
        choice: where to go.
        what: to what, for saying why it cannot be done.
        until: whether one need not go any farther; asked after every step.
        squeezing: whether, where there is no way, what little speaks of obstacles is put in doubt, once and
            for all: noise in depth walls things in.

    Raises:
        RoutineFailed: there is no way.
    """
    for _ in range(_MOST):
        if until is not None and until():
            return
        ways = ShortestPaths(make_costmap(senses.occupancy), senses.cell)
        spots = choice(ways)
        goal = min(spots, key=lambda cell: (ways.distance(cell) + spots[cell], cell), default=None)
        way = None if goal is None else ways.to(goal)
        if way is None and squeezing and not senses.occupancy.squeezes:
            senses.occupancy.doubt_obstacles()
            continue
        if way is None:
            raise RoutineFailed(f"there is no way to {what}")
        if way.steps == 0:
            return
        yield from nod_to(senses, WALKING)
        yield from _follow(senses, way, until)
    raise RoutineFailed(f"no way to {what} stays free")


def _follow(senses: Senses, way: GridPath, until: Callable[[], bool] | None) -> Routine:
    """Walk a way as long as it seems free and the goal is not reached."""
    rest = list(way.cells[1:])
    revision = senses.occupancy.revision
    for motion in cheapest_motions(headings_along(way), senses.stance.heading, blindness=_BLINDNESS):
        if senses.occupancy.revision != revision:
            revision = senses.occupancy.revision
            costmap = make_costmap(senses.occupancy)
            if not all(isfinite(costmap.step_cost(cell)) for cell in rest):
                return
        felt = yield Control(motion)
        if not felt.ok or (until is not None and until()):
            return
        if rest and senses.cell == rest[0]:
            del rest[0]
