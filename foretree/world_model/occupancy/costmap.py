"""The costmap: the cost of a step of a round body onto each cell of an occupancy grid."""

from __future__ import annotations

from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

import numpy as np

from foretree.world_model.occupancy._fast_marching import travel_costs
from foretree.world_model.occupancy.depth_points import Flags, Floats
from foretree.world_model.occupancy.grid import Cell, Grid, cells_under_disc
from foretree.world_model.occupancy.occupancy_grid import CellState, OccupancyGrid

#: The cost of a step onto unknown floor by default, in steps on known floor.
UNKNOWN_COST = 3.0
#: A path leads at most so many cells beyond what is known.
_MARGIN = 4


@dataclass(frozen=True, slots=True, eq=False)
class Costmap:
    """The cost of a step onto each cell, with the middle of the body on it.

    Attributes:
        grid: the cells.
        origin: the cell that index (0, 0) stands for.
        costs: 1 for a cell on which the body certainly fits, infinite for one on which it does not, and in
            between for one on which it may.
    """

    grid: Grid
    origin: Cell
    costs: Floats
    _paths: dict[Cell, list[list[float]]] = field(default_factory=dict, init=False, repr=False)

    def costs_from(self, start: Cell) -> list[list[float]]:
        """The cost of the cheapest path from a cell to every other; infinite where there is none."""
        found = self._paths.get(start)
        if found is None:
            at = self.index(start)
            assert at is not None, "a body stands on its own occupancy grid"
            found = self._paths[start] = travel_costs(self.costs, at).tolist()
        return found

    def index(self, cell: Cell) -> tuple[int, int] | None:
        """The index of a cell in the array; None if it is outside."""
        i, j = cell[0] - self.origin[0], cell[1] - self.origin[1]
        return (i, j) if 0 <= i < self.costs.shape[0] and 0 <= j < self.costs.shape[1] else None

    def step_cost(self, cell: Cell) -> float:
        """The cost of a step onto a cell; infinite where the body cannot stand, and off the grid."""
        at = self.index(cell)
        return float("inf") if at is None else float(self.costs[at])


def make_costmap(occupancy: OccupancyGrid, unknown_cost: float | None = UNKNOWN_COST) -> Costmap:
    """Make the costmap of an occupancy grid, or return the last one if nothing has changed.

    Args:
        occupancy: the grid; the cell that the body stands on is known, at least.
        unknown_cost: the cost of a step where the body would cover unknown floor, in steps on known floor;
            None if it must not.
    """
    made_of = occupancy.revision, occupancy.shape, unknown_cost
    last = _LAST.get(occupancy)
    if last is None or last[0] != made_of:
        last = _LAST[occupancy] = made_of, _make_costmap(occupancy, unknown_cost)
    return last[1]


#: The last costmap of each occupancy grid, and the state it was made of: grids change less often than that.
_LAST: WeakKeyDictionary[OccupancyGrid, tuple[object, Costmap]] = WeakKeyDictionary()


def _make_costmap(occupancy: OccupancyGrid, unknown_cost: float | None) -> Costmap:
    states = occupancy.states
    known = (states != CellState.UNKNOWN) | occupancy.blocked
    rows, columns = np.flatnonzero(known.any(axis=1)), np.flatnonzero(known.any(axis=0))
    low = max(int(rows[0]) - _MARGIN, 0), max(int(columns[0]) - _MARGIN, 0)
    part = slice(low[0], int(rows[-1]) + _MARGIN + 1), slice(low[1], int(columns[-1]) + _MARGIN + 1)
    states = states[part]
    under = cells_under_disc(occupancy.settings.radius, occupancy.grid.cell)
    cost_unknown = np.float32(np.inf if unknown_cost is None else unknown_cost)
    costs = np.where(_covered(states == CellState.UNKNOWN, under, outside=True), cost_unknown, np.float32(1))
    closed = _covered(states == CellState.OCCUPIED, under, outside=False)
    closed |= occupancy.blocked[part]
    np.copyto(costs, np.inf, where=closed)
    costs.setflags(write=False)
    return Costmap(occupancy.grid, (occupancy.origin[0] + low[0], occupancy.origin[1] + low[1]), costs)


def _covered(flags: Flags, under: tuple[Cell, ...], outside: bool) -> Flags:
    """The cells on which the body covers one that is flagged."""
    width, height = flags.shape
    margin = max(max(abs(i), abs(j)) for i, j in under)
    padded = np.full((width + 2 * margin, height + 2 * margin), outside)
    padded[margin : margin + width, margin : margin + height] = flags
    covered = np.zeros_like(flags)
    for i, j in under:
        covered |= padded[margin + i : margin + i + width, margin + j : margin + j + height]
    return covered
