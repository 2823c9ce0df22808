"""Where to stand to handle something, or to have a look at it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from math import atan2, degrees, dist
from typing import TypeAlias

from foretree.skills.embodied.senses import Senses
from foretree.skills.robot import Target
from foretree.world_model.charts.grid import AHEAD, Cell
from foretree.world_model.charts.standing_spots import Box, Spot, standing_spots
from foretree.world_model.charts.ways import Ways
from foretree.world_model.entities import Pose

#: So much nearer than it reaches a body goes, since it does not know exactly where things are (metres).
MARGIN = 0.2
#: What is no higher than this is no thing but a place on the floor (metres).
_FLOOR = 0.01
#: What stands within this of a thing (metres) is taken for what the thing is in or on.
_AROUND = 0.4
#: Nearer than this (metres) it makes no difference; each metre beyond counts as so many metres of way.
_NEAR, _PER_METRE = 0.5, 1.0
#: What it is worth to stand where the thing was seen from before, in metres of way for a quarter around it.
_PER_QUARTER = 1.0
#: What it is worth to have the thing before one, not aside; in metres of way for half a quarter.
_ASIDE = 0.5

#: The cells that come into question, by the ways there are: what speaks against each, in metres of way.
Choice: TypeAlias = Callable[[Ways], Mapping[Cell, float]]


def before(
    senses: Senses,
    target: Target,
    within: Target | None = None,
    reach: float | None = None,
    but: Collection[Cell] = (),
) -> Choice:
    """From where one can handle a target; on what is only a place on the floor, one stands.

    Args:
        senses: what is known.
        target: what to handle; it has a pose.
        within: the furniture that it is in or on, if it is.
        reach: how far away it may be; as far as the body reaches, if nothing is said.
        but: cells that do not come into question.
    """
    pose = target.pose
    assert pose is not None
    if pose[2] <= _FLOOR:
        return lambda ways: _on_floor(senses, pose)
    far = senses.reach - MARGIN if reach is None else reach

    box = Box(*target.extent) if target.extent is not None else Box.at(*pose)

    def choose(ways: Ways) -> Mapping[Cell, float]:
        # What is known to stand in between may be wrong: if it leaves nowhere to stand, it is not heeded.
        for around in (_AROUND, far):
            whole = _whole(box, within, around)
            spots = standing_spots(senses.chart, ways, box, far, senses.stance.eye, whole)
            found = {spot.cell: _against(senses, spot, pose) for spot in spots if spot.cell not in but}
            if found:
                return found
        return {}

    return choose


def _whole(box: Box, within: Target | None, around: float) -> Box:
    """What does not hide a thing: what is about it, and the furniture that it is in or on."""
    x0, y0, x1, y1 = box.x0 - around, box.y0 - around, box.x1 + around, box.y1 + around
    if within is not None and within.extent is not None:
        wx0, wy0, _, wx1, wy1, _ = within.extent
        x0, y0, x1, y1 = min(x0, wx0), min(y0, wy0), max(x1, wx1), max(y1, wy1)
    return Box(x0, y0, box.z0, x1, y1, box.z1)


def _on_floor(senses: Senses, pose: Pose) -> Mapping[Cell, float]:
    """The cell itself, or else one beside it."""
    i, j = senses.chart.grid.cell_at(pose[0], pose[1])
    beside = {(i + di, j + dj): 4 * senses.chart.grid.cell for di, dj in AHEAD.values()}
    return {(i, j): 0.0, **beside}


def _against(senses: Senses, spot: Spot, pose: Pose) -> float:
    """What speaks against a spot, in metres of way."""
    x, y = senses.chart.grid.centre(spot.cell)
    bearing = atan2(pose[1] - y, pose[0] - x)
    aside = abs(_turn(degrees(bearing) - spot.heading)) / 45
    seen_from = senses.seen_from(pose)
    around = 0.0
    if seen_from is not None and dist((x, y), pose[:2]) > 0:
        then = atan2(pose[1] - seen_from.y, pose[0] - seen_from.x)
        around = abs(_turn(degrees(then - bearing))) / 90
    return _PER_METRE * max(0.0, spot.away - _NEAR) + _ASIDE * aside + _PER_QUARTER * around


def _turn(angle: float) -> float:
    """An angle in degrees as a turn of at most half around."""
    return (angle + 180) % 360 - 180
