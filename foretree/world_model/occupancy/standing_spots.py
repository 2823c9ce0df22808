"""Standing spots: the cells from which a body reaches and sees something."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import atan2, ceil, degrees, floor, hypot, inf

import numpy as np

from foretree.world_model.beliefs.facts import Extent
from foretree.world_model.occupancy.distances import Indices, within
from foretree.world_model.occupancy.occupancy_grid import AHEAD, Cell, CellState, OccupancyGrid
from foretree.world_model.occupancy.paths import Costmap, ShortestPaths

#: Degrees aside within which an object is in view.
ASIDE = 45.0
#: Metres above the line of sight from which on an obstacle hides an object.
_LEEWAY = 0.1


@dataclass(frozen=True, slots=True)
class BoundingBox:
    """A box from (x0, y0, z0) to (x1, y1, z1), in metres in the map's frame."""

    x0: float
    y0: float
    z0: float
    x1: float
    y1: float
    z1: float

    @classmethod
    def at(cls, x: float, y: float, z: float) -> BoundingBox:
        """A point."""
        return cls(x, y, z, x, y, z)

    def nearest(self, x: float, y: float) -> tuple[float, float]:
        """The point of it, seen from above, that is nearest to another."""
        return min(max(x, self.x0), self.x1), min(max(y, self.y0), self.y1)

    def away(self, x: float, y: float) -> float:
        """The distance from a point, seen from above."""
        near = self.nearest(x, y)
        return hypot(near[0] - x, near[1] - y)


@dataclass(frozen=True, slots=True)
class Spot:
    """A cell and a heading from which something is within reach and in view.

    Attributes:
        cell: the cell to stand on.
        heading: the heading in degrees.
        away: the distance of the object from there, seen from above, in metres.
        distance: the length of the path to the spot, in metres.
    """

    cell: Cell
    heading: int
    away: float
    distance: float


def standing_spots(
    occupancy: OccupancyGrid,
    paths: ShortestPaths,
    box: BoundingBox,
    reach: float,
    eye: float,
    within: BoundingBox | None = None,
    front: int | None = None,
) -> tuple[Spot, ...]:
    """The spots from which a body reaches and sees something, the nearest first.

    Args:
        occupancy: the obstacles in between.
        paths: the paths to the spots.
        box: the object.
        reach: its greatest distance from the middle of the body, seen from above, in metres.
        eye: the height of the camera.
        within: the furniture that the object is in or on, which does not hide it.
        front: the heading in which the front of the object or of the furniture looks, if it is reached only
            from there; the body then stands before it, facing it.
    """
    found = []
    screens = _Screens(occupancy, within or box)
    for cell in _cells_around(occupancy, box, reach):
        if not paths.reaches(cell):
            continue
        x, y = occupancy.grid.centre(cell)
        near = box.nearest(x, y)
        away = hypot(near[0] - x, near[1] - y)
        heading = _heading(x, y, near, front, within or box)
        if heading is None or screens.hide((x, y, eye), near, (box.z0 + box.z1) / 2):
            continue
        found.append(Spot(cell, heading, round(away, 6), paths.distance(cell)))
    return tuple(sorted(found, key=lambda spot: (spot.distance, spot.away, spot.cell)))


def is_seen_from(
    occupancy: OccupancyGrid,
    cell: Cell,
    box: BoundingBox,
    far: float,
    eye: float,
    within: BoundingBox | None = None,
) -> bool:
    """Return whether an object is within *far* metres of a cell, and nothing in between hides it.

    Args:
        occupancy: the obstacles in between.
        cell: the cell to look from.
        box: the object.
        far: the distance, seen from above.
        eye: the height of the camera.
        within: the furniture that the object is in or on, which does not hide it.
    """
    x, y = occupancy.grid.centre(cell)
    near, height = box.nearest(x, y), (box.z0 + box.z1) / 2
    return box.away(x, y) <= far and not _Screens(occupancy, within or box).hide((x, y, eye), near, height)


def _cells_around(occupancy: OccupancyGrid, box: BoundingBox, reach: float) -> list[Cell]:
    """The cells that are no farther from a box than a body reaches."""
    low = occupancy.grid.cell_at(box.x0 - reach, box.y0 - reach)
    high = occupancy.grid.cell_at(box.x1 + reach, box.y1 + reach)
    beside = [
        (j, _beyond(occupancy.grid.centre((0, j))[1], box.y0, box.y1)) for j in range(low[1], high[1] + 1)
    ]
    found = []
    for i in range(low[0], high[0] + 1):
        across = _beyond(occupancy.grid.centre((i, 0))[0], box.x0, box.x1)
        found += [(i, j) for j, along in beside if hypot(across, along) <= reach]
    return found


def _beyond(at: float, low: float, high: float) -> float:
    """The distance from a point on a line to a stretch of it, with its sign."""
    return min(max(at, low), high) - at


def _heading(
    x: float, y: float, near: tuple[float, float], front: int | None, whole: BoundingBox
) -> int | None:
    """The heading at a point to have another in view; None if the point is not before the front."""
    dx, dy = near[0] - x, near[1] - y
    bearing = degrees(atan2(dy, dx))

    def aside(heading: int) -> float:
        return abs((bearing - heading + 180) % 360 - 180)

    if front is None:
        return min(AHEAD, key=lambda heading: (aside(heading), heading))
    heading = (front + 180) % 360
    is_before = {0: x >= whole.x1, 90: y >= whole.y1, 180: x <= whole.x0, 270: y <= whole.y0}[front % 360]
    return heading if is_before and aside(heading) <= ASIDE else None


class _Screens:
    """Obstacles that hide objects, without one that hides nothing of itself.

    Many lines of sight lead through the same cells, so these are remembered.
    """

    def __init__(self, occupancy: OccupancyGrid, whole: BoundingBox) -> None:
        self._chart = occupancy
        self._whole = whole
        self._heights: dict[Cell, float] = {}

    def hide(self, eye: tuple[float, float, float], near: tuple[float, float], z: float) -> bool:
        """Return whether something between an eye and a point is higher than the line of sight."""
        x, y, height = eye
        dx, dy = near[0] - x, near[1] - y
        grid, heights = self._chart.grid, self._heights
        x0, y0, side = grid.x, grid.y, grid.cell
        samples = ceil(4 * hypot(dx, dy) / side)
        for number in range(1, samples):
            part = number / samples
            cell = floor((x + part * dx - x0) / side), floor((y + part * dy - y0) / side)
            top = heights.get(cell)
            if top is None:
                top = heights[cell] = self._height(cell)
            if top > height + part * (z - height) + _LEEWAY:
                return True
        return False

    def _height(self, cell: Cell) -> float:
        if (
            self._chart.state(cell) != CellState.OCCUPIED
            or self._whole.away(*self._chart.grid.centre(cell)) <= 0
        ):
            return -inf
        return self._chart.height(cell)


#: A body does not reach over what is higher than this (metres).
_HIGH = 1.3
#: What is seen of a thing may reach so far into a cell without covering any of it (metres).
_EDGE = 0.05
#: A cell so near to the middle of a thing is near enough (metres); if there is none, the nearest cells are,
#: with a tolerance.
_NEAR, _GIVE = 0.8, 0.13


def cells_within_reach(
    occupancy: OccupancyGrid, costmap: Costmap, extents: Sequence[Extent], reach: float
) -> list[Indices]:
    """The cells from which a body reaches each box, over low obstacles but not through walls.

    Args:
        occupancy: the obstacles.
        costmap: the cells that the body can stand on.
        extents: the boxes.
        reach: the reach of the body, in metres along the grid.

    Returns:
        For each box flat indices of the costmap.
    """
    at = costmap.origin[0] - occupancy.origin[0], costmap.origin[1] - occupancy.origin[1]
    rows, columns = costmap.costs.shape
    part = slice(at[0], at[0] + rows), slice(at[1], at[1] + columns)
    reached_over = (occupancy.states[part] != CellState.OCCUPIED) | (occupancy.heights[part] < _HIGH)
    covered = [_cells(costmap, extent) for extent in extents]
    standable = np.isfinite(costmap.costs).reshape(-1)
    around = within(reached_over, covered, int(reach / occupancy.grid.cell + 0.5))
    return [
        _nearest(costmap, extent, cells[standable[cells]])
        for extent, cells in zip(extents, around, strict=True)
    ]


def _nearest(costmap: Costmap, extent: Extent, cells: Indices) -> Indices:
    """The cells that are nearest to a box, of some."""
    if not len(cells):
        return cells
    grid, (oi, oj), columns = costmap.grid, costmap.origin, costmap.costs.shape[1]
    x, y = (extent[0] + extent[3]) / 2, (extent[1] + extent[4]) / 2
    away = np.hypot(
        grid.x + (cells // columns + oi + 0.5) * grid.cell - x,
        grid.y + (cells % columns + oj + 0.5) * grid.cell - y,
    )
    found: Indices = cells[away <= max(_NEAR, float(away.min()) + _GIVE)]
    return found


def _cells(costmap: Costmap, extent: Extent) -> Indices:
    """The cells that a box covers."""
    x0, y0, _, x1, y1, _ = extent
    grid, shape, (oi, oj) = costmap.grid, costmap.costs.shape, costmap.origin
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
