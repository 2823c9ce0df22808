"""Around what stands on the floor: from which cells a body reaches it, over what is low but not through
walls."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor

import numpy as np

from foretree.world_model.beliefs.entities import Extent
from foretree.world_model.occupancy.chart import Chart, State
from foretree.world_model.occupancy.costmap import Footing
from foretree.world_model.occupancy.distances import Indices, within

#: Nobody reaches over what is higher than this (metres).
_HIGH = 1.3
#: What is seen of a thing may reach so far into a cell without covering any of it (metres).
_EDGE = 0.05
#: Where one stands that is so far from the middle of a thing, one need not go nearer (metres); where nobody
#: can stand as near as that, one stands as near as one can, give or take a little.
_NEAR, _GIVE = 0.8, 0.13


def surroundings(chart: Chart, footing: Footing, extents: Sequence[Extent], reach: float) -> list[Indices]:
    """For each box the cells on which a body stands to reach it, as flat indices of the footing.

    Args:
        chart: what stands where.
        footing: where the body can stand.
        extents: the boxes.
        reach: how far it reaches, in metres along the grid.
    """
    at = footing.origin[0] - chart.origin[0], footing.origin[1] - chart.origin[1]
    rows, columns = footing.prices.shape
    part = slice(at[0], at[0] + rows), slice(at[1], at[1] + columns)
    reached_over = (chart.states[part] != State.OCCUPIED) | (chart.heights[part] < _HIGH)
    covered = [_cells(footing, extent) for extent in extents]
    standable = np.isfinite(footing.prices).reshape(-1)
    around = within(reached_over, covered, int(reach / chart.grid.cell + 0.5))
    return [
        _nearest(footing, extent, cells[standable[cells]])
        for extent, cells in zip(extents, around, strict=True)
    ]


def _nearest(footing: Footing, extent: Extent, cells: Indices) -> Indices:
    """Those of some cells from which a box is nearest."""
    if not len(cells):
        return cells
    grid, (oi, oj), columns = footing.grid, footing.origin, footing.prices.shape[1]
    x, y = (extent[0] + extent[3]) / 2, (extent[1] + extent[4]) / 2
    away = np.hypot(
        grid.x + (cells // columns + oi + 0.5) * grid.cell - x,
        grid.y + (cells % columns + oj + 0.5) * grid.cell - y,
    )
    found: Indices = cells[away <= max(_NEAR, float(away.min()) + _GIVE)]
    return found


def _cells(footing: Footing, extent: Extent) -> Indices:
    """What a box covers."""
    x0, y0, _, x1, y1, _ = extent
    grid, shape, (oi, oj) = footing.grid, footing.prices.shape, footing.origin
    low = _first(x0 - grid.x, x1 - grid.x, grid.cell)
    side = _first(y0 - grid.y, y1 - grid.y, grid.cell)
    rows = np.arange(low[0] - oi, low[1] - oi + 1)
    columns = np.arange(side[0] - oj, side[1] - oj + 1)
    rows = rows[(rows >= 0) & (rows < shape[0])]
    columns = columns[(columns >= 0) & (columns < shape[1])]
    found: Indices = (rows[:, None] * shape[1] + columns).ravel()
    return found


def _first(low: float, high: float, cell: float) -> tuple[int, int]:
    """The first and the last cell that a stretch covers."""
    first, last = floor((low + _EDGE) / cell), floor((high - _EDGE) / cell)
    if last < first:
        first = last = floor((low + high) / 2 / cell)
    return first, last
