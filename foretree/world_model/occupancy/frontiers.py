"""Frontiers: stretches of free cells beside unknown ones, ranked by what may be seen from them."""

from __future__ import annotations

from dataclasses import dataclass
from math import atan2, degrees, isfinite

import numpy as np

from foretree.world_model.occupancy.depth_points import Flags
from foretree.world_model.occupancy.occupancy_grid import (
    AHEAD,
    Cell,
    CellState,
    OccupancyGrid,
    beside,
    clusters,
    with_neighbours,
)
from foretree.world_model.occupancy.paths import ShortestPaths

#: Looking around when one has arrived takes as long as a way of this many metres.
_ARRIVAL = 1.0
#: The cells that have at least a corner in common with a cell.
_AROUND = tuple((i, j) for i in (-1, 0, 1) for j in (-1, 0, 1) if (i, j) != (0, 0))
#: One stands at most this many cells from the middle of a frontier to look beyond it.
_NEAR = 3


@dataclass(frozen=True, slots=True)
class Frontier:
    """A stretch of free cells with unknown ones beside them.

    Attributes:
        cells: the free ones.
        centre: that of them which is in the middle.
        beyond: the number of unknown cells within the horizon, at most.
        spot: the cell to stand on to look beyond.
        heading: the heading to look in.
        distance: the length of the path to the spot, in metres.
        worth: square metres that may be seen per metre of path.
    """

    cells: tuple[Cell, ...]
    centre: Cell
    beyond: int
    spot: Cell
    heading: int
    distance: float
    worth: float


def frontiers(
    occupancy: OccupancyGrid, paths: ShortestPaths, horizon: float = 2.0, smallest: int = 2
) -> tuple[Frontier, ...]:
    """The frontiers that can be reached, those most worth the path first.

    Args:
        occupancy: what is known.
        paths: the paths from where the body stands.
        horizon: the distance beyond a frontier within which unknown cells count, in metres.
        smallest: the least number of cells; a single one is mostly noise.
    """
    states = occupancy.states
    # Off the occupancy grid nothing is known; the margin saves asking whether a neighbour is on it.
    unknown = np.pad(states == CellState.UNKNOWN, 1, constant_values=True)
    edge = with_neighbours(unknown)[1:-1, 1:-1] & (states == CellState.FREE)
    i0, j0 = occupancy.origin
    edge_cells = ((i + i0, j + j0) for i, j in np.argwhere(edge).tolist())
    found = []
    for cells in clusters(edge_cells, _AROUND):
        if len(cells) < smallest:
            continue
        frontier = _frontier(occupancy, paths, cells, unknown, round(horizon / occupancy.grid.cell))
        if frontier is not None:
            found.append(frontier)
    return tuple(sorted(found, key=lambda one: (-one.worth, one.distance, one.centre)))


def _frontier(
    occupancy: OccupancyGrid, paths: ShortestPaths, cells: tuple[Cell, ...], unknown: Flags, horizon: int
) -> Frontier | None:
    mean = sum(i for i, _ in cells) / len(cells), sum(j for _, j in cells) / len(cells)
    centre = min(cells, key=lambda cell: ((cell[0] - mean[0]) ** 2 + (cell[1] - mean[1]) ** 2, cell))
    spot = _spot(occupancy, paths, centre)
    if spot is None:
        return None
    lost = _flood(occupancy, cells, unknown, horizon)
    # The mean of what is unknown next to the free cells: that way lies what has not been seen.
    dx = sum(i for i, _ in lost) / len(lost) - spot[0]
    dy = sum(j for _, j in lost) / len(lost) - spot[1]
    bearing = degrees(atan2(dy, dx))
    heading = min(AHEAD, key=lambda h: (abs((bearing - h + 180) % 360 - 180), h))
    distance = paths.distance(spot)
    assert isfinite(distance)
    worth = len(lost) * occupancy.grid.cell**2 / (distance + _ARRIVAL)
    return Frontier(cells, centre, len(lost), spot, heading, distance, worth)


def _spot(occupancy: OccupancyGrid, paths: ShortestPaths, centre: Cell) -> Cell | None:
    """The cell to stand on to look beyond a frontier: as near to its middle as possible."""
    near = [
        (i * i + j * j, paths.distance(cell), cell)
        for i in range(-_NEAR, _NEAR + 1)
        for j in range(-_NEAR, _NEAR + 1)
        if occupancy.state(cell := (centre[0] + i, centre[1] + j)) is CellState.FREE and paths.reaches(cell)
    ]
    return min(near)[2] if near else None


def _flood(occupancy: OccupancyGrid, cells: tuple[Cell, ...], unknown: Flags, horizon: int) -> list[Cell]:
    """The unknown cells within so many steps of some cells, as far as one gets there over unknown ones."""
    i0, j0 = occupancy.origin
    width, height = unknown.shape
    reached: set[Cell] = set(cells)
    front = list(cells)
    found: list[Cell] = []
    for _ in range(horizon):
        following = []
        for cell in front:
            for other in beside(cell):
                i, j = other[0] - i0 + 1, other[1] - j0 + 1
                is_unknown = not (0 <= i < width and 0 <= j < height) or unknown[i, j]
                if other not in reached and is_unknown:
                    reached.add(other)
                    following.append(other)
        found += following
        front = following
    return found
