"""Around what stands on the floor: from which cells a body reaches it, over what is low but not through walls."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor

import numpy as np

from foretree.world_model.charts.chart import Chart, State
from foretree.world_model.charts.distances import Indices, within
from foretree.world_model.charts.footing import Footing
from foretree.world_model.entities import Extent

#: Nobody reaches over what is higher than this (metres).
_HIGH = 1.3
#: What is seen of a thing may reach so far into a cell without covering any of it (metres).
_EDGE = 0.05


def surroundings(chart: Chart, footing: Footing, extents: Sequence[Extent], reach: float) -> list[Indices]:
    """For each box the cells on which a body can stand within reach of it, as flat indices.

    Args:
        chart: what stands where.
        footing: where the body can stand.
        extents: the boxes.
        reach: how far it reaches, in metres along the grid.
    """
    reached_over = (chart.states != State.OCCUPIED) | (chart.heights < _HIGH)
    covered = [_cells(chart, extent) for extent in extents]
    standable = np.isfinite(footing.prices).reshape(-1)
    around = within(reached_over, covered, int(reach / chart.grid.cell + 0.5))
    return [cells[standable[cells]] for cells in around]


def _cells(chart: Chart, extent: Extent) -> Indices:
    """What a box covers of a chart."""
    x0, y0, _, x1, y1, _ = extent
    grid, shape, (oi, oj) = chart.grid, chart.shape, chart.origin
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
