"""Where a round body can stand on a chart, and what it costs to step there."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from foretree.world_model.charts.chart import Chart, State
from foretree.world_model.charts.disc import cells_under_disc
from foretree.world_model.charts.grid import Cell, Grid
from foretree.world_model.charts.sight import Flags, Floats

#: What it costs to step on what is not known to be free, unless somebody says otherwise: three known cells.
UNKNOWN_PRICE = 3.0
#: A way leads at most so many cells beyond what is known.
_MARGIN = 4


@dataclass(frozen=True, slots=True, eq=False)
class Footing:
    """What a step onto each cell costs, with the middle of the body on it.

    Attributes:
        grid: where the cells lie.
        origin: the cell that index (0, 0) stands for.
        prices: 1 for a cell on which the body certainly fits, infinite for one on which it does not, and in
            between for one on which it may.
    """

    grid: Grid
    origin: Cell
    prices: Floats

    def index(self, cell: Cell) -> tuple[int, int] | None:
        """Where a cell is in the array; None if it is outside of it."""
        i, j = cell[0] - self.origin[0], cell[1] - self.origin[1]
        return (i, j) if 0 <= i < self.prices.shape[0] and 0 <= j < self.prices.shape[1] else None

    def price(self, cell: Cell) -> float:
        """What a step onto a cell costs; infinite where the body cannot stand, and off the chart."""
        at = self.index(cell)
        return float("inf") if at is None else float(self.prices[at])


def find_footing(chart: Chart, unknown_price: float | None = UNKNOWN_PRICE) -> Footing:
    """Where the body can stand.

    Args:
        chart: what is known about the floor; where the body stands, at least.
        unknown_price: what it costs to step where the body would cover something that is not known, in known
            steps; None if it must not.
    """
    states = chart.states
    known = np.argwhere((states != State.UNKNOWN) | chart.blocked)
    low, high = np.maximum(known.min(axis=0) - _MARGIN, 0), known.max(axis=0) + _MARGIN + 1
    part = slice(low[0], high[0]), slice(low[1], high[1])
    states = states[part]
    under = cells_under_disc(chart.settings.radius, chart.grid.cell)
    prices = np.ones(states.shape, dtype=np.float32)
    prices[_covered(states == State.UNKNOWN, under, outside=True)] = (
        np.inf if unknown_price is None else unknown_price
    )
    prices[_covered(states == State.OCCUPIED, under, outside=False)] = np.inf
    prices[chart.blocked[part]] = np.inf
    return Footing(chart.grid, (chart.origin[0] + int(low[0]), chart.origin[1] + int(low[1])), prices)


def _covered(flags: Flags, under: tuple[Cell, ...], outside: bool) -> Flags:
    """On which cells the body covers one that is flagged."""
    width, height = flags.shape
    margin = max(max(abs(i), abs(j)) for i, j in under)
    padded = np.pad(flags, margin, constant_values=outside)
    covered = np.zeros_like(flags)
    for i, j in under:
        covered |= padded[margin + i : margin + i + width, margin + j : margin + j + height]
    return covered
