"""Where to stand to handle something, or to have a look at it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from math import atan2, ceil, degrees, dist, hypot

from foretree.skills.embodied.senses import Senses
from foretree.world_model.charts.chart import State
from foretree.world_model.charts.grid import Cell
from foretree.world_model.entities import Pose

#: So much nearer than it reaches a body goes, since it does not know exactly where things are (metres).
MARGIN = 0.2
#: Nearer than this (metres) it makes no difference; each metre beyond counts as so many metres of way.
_NEAR, _PER_METRE = 0.75, 1.0
#: What it is worth to stand where the thing was seen from before, in metres of way for a quarter around it.
_PER_QUARTER = 1.0
#: Above this nobody sees over it (metres); around a thing (metres), it does not matter what is so high.
_WALL, _AROUND = 1.4, 0.45


def spots(senses: Senses, pose: Pose, within: float, but: Collection[Cell] = ()) -> Mapping[Cell, float]:
    """The cells from which one can reach something, each with what speaks against it, in metres of way.

    Args:
        senses: what is known.
        pose: where the thing is.
        within: how far away one may stand.
        but: cells that do not come into question.
    """
    found: dict[Cell, float] = {}
    grid = senses.chart.grid
    i, j = grid.cell_at(pose[0], pose[1])
    far = ceil(within / grid.cell) + 1
    for cell in ((i + di, j + dj) for di in range(-far, far + 1) for dj in range(-far, far + 1)):
        centre = grid.centre(cell)
        away = dist(centre, pose[:2])
        if away <= within and cell not in but and is_open_between(senses, centre, pose):
            found[cell] = _PER_METRE * max(0.0, away - _NEAR) + _aside(senses, centre, pose)
    return found


def _aside(senses: Senses, centre: tuple[float, float], pose: Pose) -> float:
    """What speaks against looking at something from a side from which nothing was seen there yet."""
    from_there = senses.seen_from(pose)
    if from_there is None:
        return 0.0
    before = atan2(from_there.y - pose[1], from_there.x - pose[0])
    after = atan2(centre[1] - pose[1], centre[0] - pose[0])
    return _PER_QUARTER * abs((degrees(after - before) + 180) % 360 - 180) / 90


def is_open_between(senses: Senses, centre: tuple[float, float], pose: Pose) -> bool:
    """Whether nothing is known to stand between a place and a thing that nobody sees over."""
    chart = senses.chart
    dx, dy = pose[0] - centre[0], pose[1] - centre[1]
    steps = max(1, ceil(hypot(dx, dy) / (chart.grid.cell / 2)))
    for step in range(1, steps):
        x, y = centre[0] + dx * step / steps, centre[1] + dy * step / steps
        if dist((x, y), pose[:2]) <= _AROUND:
            break
        cell = chart.grid.cell_at(x, y)
        if chart.height(cell) >= _WALL and chart.state(cell) is State.OCCUPIED:
            return False
    return True
