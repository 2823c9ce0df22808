"""Occupancy grids of ``nav_msgs``: as a grid of the world model, and which passages of the map they block."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import ceil, hypot
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from foretree.errors import ForetreeError
from foretree.robots.ros.senses.settings import GridSettings
from foretree.robots.ros.senses.transforms import PoseError, RigidPose
from foretree.world_model.maps.places import Passage, Place, PlaceGraph
from foretree.world_model.occupancy.occupancy_grid import (
    CellState,
    Grid,
    OccupancyGrid,
    cells_under_disc,
    with_neighbours,
)

Flags: TypeAlias = NDArray[np.bool_]
#: How far the map's axes may be turned against those of the grid (radians).
_TURNED = 0.002
#: The largest grid, in cells: 200 m x 200 m in cells of 5 cm.
_MOST = 16_000_000


class GridError(ForetreeError):
    """A grid or an update that contradicts itself, or lies otherwise than the map."""


class GridMap:
    """The newest occupancy grid with all its updates.

    Args:
        settings: from which values on a cell is free or occupied.

    Attributes:
        states: the :class:`CellState` of each cell, by row (along y) and column (along x).
        resolution: the side of a cell in metres.
        origin: the lower corner of the first cell on the map.
        revision: grows with each message.
    """

    def __init__(self, settings: GridSettings) -> None:
        self._settings = settings
        self.states: NDArray[np.int8] | None = None
        self.resolution = 0.0
        self.origin = (0.0, 0.0)
        self.revision = 0

    def take(self, message: Any, pose: RigidPose) -> None:
        """Take in an ``OccupancyGrid``; *pose* is that of its frame on the map.

        Raises:
            GridError: it contradicts itself, or is turned against the map.
        """
        info = message.info
        width, height, resolution = int(info.width), int(info.height), float(info.resolution)
        if not 0 < resolution <= 10 or not 0 < width * height <= _MOST:
            raise GridError(f"a grid of {width} x {height} cells of {resolution:g} m")
        try:
            corner = pose.then(RigidPose.of(info.origin.position, info.origin.orientation))
        except PoseError as error:
            raise GridError(f"a grid whose origin is {error}") from error
        if abs(corner.heading) > _TURNED:
            raise GridError(
                f"a grid that is turned by {corner.heading:.3f} rad against the map, which is not supported"
            )
        self.states = self._states(message.data, width, height)
        self.resolution = resolution
        self.origin = corner.position[:2]
        self.revision += 1

    def update(self, message: Any) -> None:
        """Take in an ``OccupancyGridUpdate``.

        Raises:
            GridError: there was no grid before it, or it is outside of that.
        """
        if self.states is None:
            raise GridError("an update that came before a whole grid")
        x, y, width, height = (int(getattr(message, part)) for part in ("x", "y", "width", "height"))
        rows, columns = self.states.shape
        if not (x >= 0 <= y and width > 0 < height and x + width <= columns and y + height <= rows):
            raise GridError(
                f"an update of {width} x {height} cells at {x}, {y} of a grid of {columns} x {rows}"
            )
        states = self.states.copy()
        states[y : y + height, x : x + width] = self._states(message.data, width, height)
        self.states = states
        self.revision += 1

    def forget(self) -> None:
        """Know nothing until the next whole grid."""
        self.states = None

    def occupancy(self) -> OccupancyGrid:
        """Return it as an occupancy grid of the world model, in the same cells.

        Raises:
            GridError: there is none yet.
        """
        if self.states is None:
            raise GridError("no occupancy grid has come yet")
        occupancy = OccupancyGrid(Grid(self.resolution, *self.origin))
        occupancy.set_states((0, 0), self.states.T)
        return occupancy

    def _states(self, data: Any, width: int, height: int) -> NDArray[np.int8]:
        values = np.frombuffer(data, dtype=np.int8)
        if len(values) != width * height:
            raise GridError(f"{width} x {height} cells, but {len(values)} values")
        states = np.full(len(values), CellState.UNKNOWN, dtype=np.int8)
        states[(values >= 0) & (values <= self._settings.free)] = CellState.FREE
        states[values >= self._settings.occupied] = CellState.OCCUPIED
        return states.reshape(height, width)


class PassageWatch:
    """Tells which passages of a map an occupancy grid shows to be blocked, and which are free again.

    A passage is blocked if no way leads from the one place to the other near the straight line, for a disc as
    large as the robot, and nothing on the way is unknown. Passages with a door are not judged: whether that
    is open decides.

    Args:
        places: the map.
        settings: the robot's radius, and how far ways may lead aside.
        stand_off: how far from furniture a robot stands that is there (metres).
    """

    def __init__(self, places: PlaceGraph, settings: GridSettings, stand_off: float) -> None:
        self._places = places
        self._settings = settings
        self._stand_off = stand_off
        self._blocked: set[Passage] = set()
        self._judged = 0
        #: By passage what the grid showed around it when it was judged last.
        self._shown: dict[Passage, NDArray[np.int8]] = {}

    def changes(self, grid: GridMap) -> Mapping[tuple[str, str], bool]:
        """Return the passages that are blocked now (False), or not any more (True)."""
        if grid.states is None or grid.revision == self._judged:
            return {}
        self._judged = grid.revision
        changes = {}
        for passage in self._places.passages():
            is_free = self._is_free(passage, grid) if self._is_new(passage, grid) else None
            if is_free is not None and is_free is (passage in self._blocked):
                (self._blocked.discard if is_free else self._blocked.add)(passage)
                changes[passage.one, passage.other] = is_free
        return changes

    def _is_new(self, passage: Passage, grid: GridMap) -> bool:
        """Return whether the grid shows something new around a passage that it can tell of."""
        window = None if passage.door is not None else self._window(passage, grid)
        if window is None:
            return False
        assert grid.states is not None
        shown, before = grid.states[window[1]], self._shown.get(passage)
        if before is not None and np.array_equal(shown, before):
            return False
        self._shown[passage] = shown.copy()
        return True

    def _window(self, passage: Passage, grid: GridMap) -> _Window | None:
        ends = self._places.place(passage.one), self._places.place(passage.other)
        return _window(ends, self._settings.aside + self._stand_off, grid)

    def _is_free(self, passage: Passage, grid: GridMap) -> bool | None:
        """Return whether a way leads through a passage; None if the grid does not tell."""
        ends = self._places.place(passage.one), self._places.place(passage.other)
        window = self._window(passage, grid)
        if window is None:
            return None
        assert grid.states is not None
        states = grid.states[window[1]]
        near = _corridor(ends, self._settings.aside + self._stand_off, grid, window)
        blocked = _grown(states == CellState.OCCUPIED, self._settings.radius / grid.resolution)
        unknown = states == CellState.UNKNOWN
        areas = [self._around(end, grid, window) for end in ends]
        if _reaches(near & ~blocked & ~unknown, *areas):
            return True
        # A way over unknown floor may be one.
        open_ = near & ~blocked
        if _reaches(open_, *areas) or not all((area & open_).any() for area in areas):
            return None
        return False

    def _around(self, end: Place, grid: GridMap, window: _Window) -> Flags:
        reach = self._stand_off if end.kind in ("asset", "person") else self._settings.radius
        return _distance_to(end.pose[:2], grid, window) <= max(reach, grid.resolution) + grid.resolution


#: The row and column of its first cell, and the part of the array.
_Window: TypeAlias = tuple[tuple[int, int], tuple[slice, slice]]


def _window(ends: tuple[Place, Place], around: float, grid: GridMap) -> _Window | None:
    """The part of a grid around two places; None if one of them is outside."""
    assert grid.states is not None
    rows, columns = grid.states.shape
    x, y = ([end.pose[axis] for end in ends] for axis in (0, 1))
    at = [
        ((low - origin) / grid.resolution, (high - origin) / grid.resolution)
        for low, high, origin in ((min(y), max(y), grid.origin[1]), (min(x), max(x), grid.origin[0]))
    ]
    if at[0][0] < 0 or at[1][0] < 0 or at[0][1] >= rows or at[1][1] >= columns:
        return None
    more = ceil(around / grid.resolution) + 1
    parts = [
        slice(max(0, int(low) - more), min(size, int(high) + more + 1))
        for (low, high), size in zip(at, (rows, columns), strict=True)
    ]
    return (parts[0].start, parts[1].start), (parts[0], parts[1])


def _centres(grid: GridMap, window: _Window) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    (row, column), (rows, columns) = window
    x = grid.origin[0] + (column + 0.5 + np.arange(columns.stop - columns.start)) * grid.resolution
    y = grid.origin[1] + (row + 0.5 + np.arange(rows.stop - rows.start)) * grid.resolution
    return x[None, :], y[:, None]


def _distance_to(point: tuple[float, ...], grid: GridMap, window: _Window) -> NDArray[np.float64]:
    x, y = _centres(grid, window)
    distance: NDArray[np.float64] = np.hypot(x - point[0], y - point[1])
    return distance


def _corridor(ends: tuple[Place, Place], around: float, grid: GridMap, window: _Window) -> Flags:
    """The cells near the straight line between two places."""
    (ax, ay), (bx, by) = ends[0].pose[:2], ends[1].pose[:2]
    x, y = _centres(grid, window)
    length = max(hypot(bx - ax, by - ay), 1e-6)
    along = np.clip(((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length**2, 0, 1)
    near: Flags = np.hypot(x - ax - along * (bx - ax), y - ay - along * (by - ay)) <= around
    return near


def _grown(flags: Flags, radius: float) -> Flags:
    """Flags, and the cells within so many cells of one."""
    grown: Flags = flags.copy()
    rows, columns = flags.shape
    for i, j in cells_under_disc(radius, 1.0):
        to, of = _shifted(i, rows), _shifted(-i, rows)
        to_, of_ = _shifted(j, columns), _shifted(-j, columns)
        grown[to, to_] |= flags[of, of_]
    return grown


def _shifted(by: int, size: int) -> slice:
    return slice(max(by, 0), max(0, size + min(by, 0)))


def _reaches(passable: Flags, start: Flags, goal: Flags) -> bool:
    """Return whether a way over passable cells leads from the one area to the other."""
    return any((reached & goal).any() for reached in _spreading(start & passable, passable))


def _spreading(reached: Flags, passable: Flags) -> Iterator[Flags]:
    while True:
        yield reached
        further = with_neighbours(reached) & passable
        if np.array_equal(further, reached):
            return
        reached = further
