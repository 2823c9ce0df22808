"""The occupancy grid: the floor as a body has seen it from its depth images, in square cells."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from math import ceil, floor, hypot
from typing import TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from foretree.world_model.camera_model import Lens, Stance
from foretree.world_model.occupancy import depth_points as sight
from foretree.world_model.occupancy._class_layer import ClassLayer
from foretree.world_model.occupancy.depth_points import Counts, Flags, Floats

B = TypeVar("B", np.bool_, np.uint64)
#: A cell of a grid: how many cells it is from that of the origin along x, and along y. Either may be
#: negative.
Cell: TypeAlias = tuple[int, int]

#: One cell farther, by heading in degrees.
AHEAD: dict[int, Cell] = {0: (1, 0), 90: (0, 1), 180: (-1, 0), 270: (0, -1)}


@dataclass(frozen=True, slots=True)
class Grid:
    """Square cells that cover the floor.

    A body that moves by whole cells always stands on the middle of one if the grid is laid out around a place
    where it stands (:meth:`around`).

    Attributes:
        cell: the side of a cell, in metres.
        x: the lower corner of cell (0, 0) in the map's frame.
        y: the same.
    """

    cell: float = 0.25
    x: float = 0.0
    y: float = 0.0

    @classmethod
    def around(cls, x: float, y: float, cell: float = 0.25) -> Grid:
        """The grid of which (x, y) is the middle of a cell, with its origin nearest to that of the map."""
        return cls(cell, _offset(x - cell / 2, cell), _offset(y - cell / 2, cell))

    def cell_at(self, x: float, y: float) -> Cell:
        """The cell in which a point lies."""
        return floor((x - self.x) / self.cell), floor((y - self.y) / self.cell)

    def centre(self, cell: Cell) -> tuple[float, float]:
        """The middle of a cell."""
        return self.x + (cell[0] + 0.5) * self.cell, self.y + (cell[1] + 0.5) * self.cell


def _offset(corner: float, cell: float) -> float:
    """The offset of grid lines from those through the map's origin, below half a cell, rounded."""
    return round(corner - round(corner / cell) * cell, 9)


def beside(cell: Cell) -> tuple[Cell, Cell, Cell, Cell]:
    """The four cells that have an edge in common with a cell."""
    i, j = cell
    return (i + 1, j), (i, j + 1), (i - 1, j), (i, j - 1)


def with_neighbours(grid: NDArray[B]) -> NDArray[B]:
    """Each cell with what is in it or in one of the four cells beside it: flags, or bits of words."""
    grown: NDArray[B] = grid.copy()
    grown[1:] |= grid[:-1]
    grown[:-1] |= grid[1:]
    grown[:, 1:] |= grid[:, :-1]
    grown[:, :-1] |= grid[:, 1:]
    return grown


def window(flags: Flags, margin: int = 0) -> tuple[slice, slice]:
    """The smallest window of an array that has all flagged cells, and some beyond them."""
    rows, columns = np.flatnonzero(flags.any(axis=1)), np.flatnonzero(flags.any(axis=0))
    return (
        slice(max(int(rows[0]) - margin, 0), int(rows[-1]) + margin + 1),
        slice(max(int(columns[0]) - margin, 0), int(columns[-1]) + margin + 1),
    )


def clusters(cells: Iterable[Cell], steps: Collection[Cell]) -> Iterator[tuple[Cell, ...]]:
    """Groups of cells of which each is some step away from another one, in order."""
    todo = set(cells)
    for first in sorted(todo):
        if first not in todo:
            continue
        todo.discard(first)
        cluster = [first]
        for i, j in cluster:
            for di, dj in steps:
                cell = i + di, j + dj
                if cell in todo:
                    todo.discard(cell)
                    cluster.append(cell)
        yield tuple(sorted(cluster))


@lru_cache(maxsize=16)
def cells_under_disc(radius: float, cell: float) -> tuple[Cell, ...]:
    """The cells that a disc reaches into whose middle is on that of cell (0, 0), which comes first."""
    most = ceil(radius / cell + 0.5)
    found = [
        (i, j)
        for i in range(-most, most + 1)
        for j in range(-most, most + 1)
        if hypot(max(abs(i) - 0.5, 0.0), max(abs(j) - 0.5, 0.0)) * cell < radius
    ]
    return tuple(sorted(found or [(0, 0)], key=lambda at: (at[0] ** 2 + at[1] ** 2, at)))


#: The occupancy grid grows by this many cells at a time.
_BLOCK = 32


class CellState(IntEnum):
    """The state of a cell."""

    UNKNOWN = 0
    FREE = 1
    OCCUPIED = 2


@dataclass(frozen=True, slots=True)
class OccupancySettings:
    """Settings of an occupancy grid.

    Attributes:
        cell: the side of a cell in metres, which should divide the body's step.
        radius: the body is a disc of this radius, in metres.
        lowest: what is lower than this is no obstacle (metres above the floor).
        highest: what is higher than this is none either.
        reach: what is deeper in the picture than this is not mapped (metres).
        pixels: a cell is occupied in a picture if at least so many pixels show a surface in it.
        stray: nor unless this part of it seems to be filled, as large as it is seen from there: of many
            pixels that show something next to it, noise puts some into it.
        company: of the pixels that are counted, the depth is the mean of so many or more; at the edges of
            things noise is large.
        sink: by which share of its depth a surface is pushed away from the camera, into the body that it
            belongs to. Surfaces tend to lie where cells meet, and noise would put half of them into the free
            one.
        halfway: from this distance (metres) a look counts half as much as from nearby, from twice that a
            fifth: noise grows with the distance, and what was seen from afar must not outlast a closer look.
        sure: how much evidence it takes to call a cell free or occupied; one look from nearby counts 1.
        plain: less evidence of an obstacle may be put in doubt; a few looks from nearby count more.
        most: evidence does not grow beyond this, so that a change is noticed however long it was otherwise.
        classes: whether a robot also keeps what it has seen in each cell, for pictures of the occupancy grid.
    """

    cell: float = 0.25
    radius: float = 0.175
    lowest: float = 0.1
    highest: float = 1.6
    reach: float = 5.0
    pixels: int = 3
    stray: float = 0.1
    company: int = 5
    sink: float = 0.013
    halfway: float = 1.0
    sure: float = 0.05
    plain: float = 2.0
    most: float = 6.0
    classes: bool = False


class OccupancyGrid:
    """A grid seen from above: per cell whether it is free or occupied, how high, and by what.

    Attributes:
        settings: how it is drawn.
        grid: where its cells lie.
        origin: the cell that index (0, 0) of every array stands for.
        heights: the height of the highest obstacle surface seen in each cell, in metres.
        blocked: the cells that the body tried to step on and could not.
        squeezes: whether the body also tries cells that are free by themselves, but too near to an obstacle
            as far as is known.
        classes: what has been seen in its cells.
        revision: grows whenever the state of a cell changes, so that what is derived can be kept
            until then.
    """

    def __init__(self, grid: Grid, settings: OccupancySettings | None = None) -> None:
        self.settings = settings or OccupancySettings(cell=grid.cell)
        self.grid = grid
        self.revision = 0
        self.squeezes = False
        self.origin: Cell = (0, 0)
        self._evidence: Floats = np.zeros((0, 0), dtype=np.float32)
        self.heights: Floats = np.zeros((0, 0), dtype=np.float32)
        self._trodden: Flags = np.zeros((0, 0), dtype=np.bool_)
        self.blocked: Flags = np.zeros((0, 0), dtype=np.bool_)
        self._states: NDArray[np.int8] = np.zeros((0, 0), dtype=np.int8)
        self._states_at = (0, (0, 0))
        self.classes = ClassLayer()
        self._looks: dict[Stance, int] = {}
        self._under = cells_under_disc(self.settings.radius, grid.cell)

    @classmethod
    def around(cls, stance: Stance, settings: OccupancySettings | None = None) -> OccupancyGrid:
        """An empty occupancy grid whose cells are where a body steps that stands somewhere."""
        settings = settings or OccupancySettings()
        return cls(Grid.around(stance.x, stance.y, settings.cell), settings)

    # -- asking ------------------------------------------------------------------------------------
    @property
    def shape(self) -> tuple[int, int]:
        """The number of cells along x and along y."""
        rows, columns = self._evidence.shape
        return rows, columns

    @property
    def states(self) -> NDArray[np.int8]:
        """The :class:`CellState` of every cell; the same array as long as nothing changes."""
        if self._states_at != (self.revision, self.shape):
            sure = self.settings.sure
            states: NDArray[np.int8] = (self._evidence >= sure) * np.int8(CellState.OCCUPIED)
            np.copyto(states, CellState.FREE, where=self._evidence <= -sure)
            np.copyto(states, CellState.FREE, where=self._trodden)
            states.setflags(write=False)
            self._states, self._states_at = states, (self.revision, self.shape)
        return self._states

    def index(self, cell: Cell) -> tuple[int, int] | None:
        """The index of a cell in the arrays; None if it is outside."""
        i, j = cell[0] - self.origin[0], cell[1] - self.origin[1]
        return (i, j) if 0 <= i < self.shape[0] and 0 <= j < self.shape[1] else None

    def state(self, cell: Cell) -> CellState:
        """The state of a cell."""
        at = self.index(cell)
        if at is None:
            return CellState.UNKNOWN
        if self._trodden[at] or self._evidence[at] <= -self.settings.sure:
            return CellState.FREE
        return CellState.OCCUPIED if self._evidence[at] >= self.settings.sure else CellState.UNKNOWN

    def height(self, cell: Cell) -> float:
        """The height of the highest obstacle surface seen in a cell, in metres."""
        at = self.index(cell)
        return 0.0 if at is None else float(self.heights[at])

    # -- learning ----------------------------------------------------------------------------------
    def update(
        self,
        depth: Floats,
        stance: Stance,
        lens: Lens,
        labels: NDArray[np.int16] | None = None,
        scores: Mapping[int, Mapping[str, float]] | None = None,
    ) -> None:
        """Add a depth image.

        A second picture from the same stance tells little that is new, since what misleads a detector there
        misleads it again: the n-th counts one n-th.

        Args:
            depth: for each pixel the distance along the camera's axis; infinite where nothing is seen.
            stance: how the camera stands.
            lens: how it is built.
            labels: for each pixel the mask that it belongs to, 0 for none.
            scores: by mask, its class scores.
        """
        self._stand(stance, self.settings.reach * sight.widest(lens, stance.pitch))
        self._looks[stance] = self._looks.get(stance, 0) + 1
        looks = np.float32(self._looks[stance])
        seen = sight.surfaces(depth, labels, stance, lens)
        with np.errstate(invalid="ignore"):
            # A pixel on its own may be the foot of a wall, that looks like floor behind it.
            is_floor = (np.abs(seen.height) < sight.FLOOR) & (seen.company > 1)
            is_near = (seen.depth < self.settings.reach) & (seen.company >= self.settings.company)
            is_solid = is_near & (seen.height > self.settings.lowest) & (seen.height < self.settings.highest)
        pixels = np.flatnonzero(is_solid)
        solid = self._cells_shown(seen, pixels, stance, lens)
        away = self._away(stance)
        self._learn_states(solid, self._count_floor(is_floor, stance, lens), looks, away, lens)
        np.maximum.at(self.heights.reshape(-1), solid, seen.height.reshape(-1).take(pixels))
        if labels is not None and scores:
            pixels = np.flatnonzero(is_near & (is_solid | (labels > 0)))
            cells = self._cells_shown(seen, pixels, stance, lens)
            self.classes.add(cells, labels.reshape(-1).take(pixels), scores, self._weight(away) / looks)

    def bump(self, stance: Stance, heading: int) -> None:
        """Note that the body could not step in the direction of a heading.

        The body cannot stand on the next cell, whatever it looks like. Which of the cells that it would have
        covered there is occupied it does not feel.
        """
        self._stand(stance, 1.0)
        i, j = self.grid.cell_at(stance.x, stance.y)
        di, dj = AHEAD[heading % 360]
        at = self.index((i + di, j + dj))
        assert at is not None
        if not self.blocked[at]:
            self.blocked[at] = True
            self.revision += 1

    def doubt_obstacles(self) -> None:
        """Forget where it could not step, and what little evidence speaks of; squeeze from now on."""
        self.blocked[:] = False
        self.squeezes = True
        self._evidence[(self._evidence > 0) & (self._evidence < self.settings.plain)] = 0.0
        self.revision += 1

    def set_states(self, origin: Cell, states: NDArray[np.int8]) -> None:
        """Take over the :class:`CellState` of cells as another mapper knows them, as certain as can be.

        Args:
            origin: the cell of the first state.
            states: the states, by cell along x and along y.
        """
        rows, columns = states.shape
        for corner in (origin, (origin[0] + rows - 1, origin[1] + columns - 1)):
            self._cover(corner, 0)
        i, j = origin[0] - self.origin[0], origin[1] - self.origin[1]
        part = self._evidence[i : i + rows, j : j + columns]
        part[states == CellState.FREE] = -self.settings.most
        part[states == CellState.OCCUPIED] = self.settings.most
        part[states == CellState.UNKNOWN] = 0.0
        self.revision += 1

    # -- inside ------------------------------------------------------------------------------------
    def _stand(self, stance: Stance, around: float) -> None:
        """Note that the body stands somewhere, and grow the arrays around it."""
        here = self.grid.cell_at(stance.x, stance.y)
        self._cover(here, int(around / self.grid.cell) + 2)
        i, j = here[0] - self.origin[0], here[1] - self.origin[1]
        under = [(i + di, j + dj) for di, dj in self._under]
        if not all(self._trodden[at] for at in under) or self.blocked[i, j]:
            for at in under:
                self._trodden[at] = True
            self.blocked[i, j] = False
            self.revision += 1

    def _cover(self, cell: Cell, around: int) -> None:
        """Grow, so that the cells so far around one are in the arrays, also those at the corners."""
        if not self._evidence.size:  # whole blocks, wherever it begins
            self.origin = cell[0] // _BLOCK * _BLOCK, cell[1] // _BLOCK * _BLOCK
        room = tuple(
            (
                max(0, -((at - around - low) // _BLOCK)) * _BLOCK,
                max(0, -((low + size - at - around - 1) // _BLOCK)) * _BLOCK,
            )
            for at, low, size in zip(cell, self.origin, self.shape, strict=True)
        )
        if not any(map(any, room)):
            return
        self.origin = self.origin[0] - room[0][0], self.origin[1] - room[1][0]
        self._evidence = np.pad(self._evidence, room)
        self.heights = np.pad(self.heights, room)
        self._trodden = np.pad(self._trodden, room)
        self.blocked = np.pad(self.blocked, room)
        self.classes.pad(room)

    def _weight(self, away: Floats) -> Floats:
        """The weight of a look at cells of a squared distance."""
        weights: Floats = 1 / (1 + away / np.float32(self.settings.halfway**2))
        return weights

    def _away(self, stance: Stance) -> Floats:
        """The squared distance of each cell, by flat index."""
        x0, y0 = self.grid.centre(self.origin)
        rows, columns = self.shape
        along = x0 - stance.x + self.grid.cell * np.arange(rows, dtype=np.float32)
        aside = y0 - stance.y + self.grid.cell * np.arange(columns, dtype=np.float32)
        away: Floats = np.maximum((along * along)[:, None] + aside * aside, np.float32(self.grid.cell**2))
        return away.reshape(-1)

    def _learn_states(
        self, solid: Counts, floor: Counts, looks: np.float32, away: Floats, lens: Lens
    ) -> None:
        """Update the evidence for free and occupied cells.

        Args:
            solid: for each pixel that shows something in the way, the flat index of its cell.
            floor: for each cell how many samples of the floor are seen in it.
            looks: how many looks from this stance there were, with this one.
            away: the squared distance of each cell.
            lens: how it is built.
        """
        pixels = np.bincount(solid, minlength=self._evidence.size)
        told = np.flatnonzero(pixels + floor)
        pixels, floor = pixels.take(told), floor.take(told)
        away = away.take(told)
        # Noise may well put so many pixels into a cell from next to it.
        side = lens.focal * self.grid.cell  # of a cell, in pixels, from a metre away
        stray = np.float32(self.settings.stray * side * side) / away
        hit = pixels >= np.maximum(self.settings.pixels, stray)
        # Floor is seen under tables too; of where a surface is seen as well, there is nothing to be said.
        known = np.flatnonzero(hit | (floor > pixels))
        told, hit, weight = told.take(known), hit.take(known), self._weight(away.take(known)) / looks
        evidence = self._evidence.reshape(-1)
        before = evidence.take(told)
        most, sure = self.settings.most, self.settings.sure
        after = np.minimum(np.maximum(before + np.where(hit, weight, -weight), -most), most)
        evidence[told] = after
        if ((before >= sure) != (after >= sure)).any() or ((before <= -sure) != (after <= -sure)).any():
            self.revision += 1

    def _count_floor(self, is_floor: Flags, stance: Stance, lens: Lens) -> Counts:
        """The number of floor samples seen in each cell."""
        samples = sight.floor_samples(lens, stance.pitch, stance.eye, self.grid.cell / 2, self.settings.reach)
        flat = is_floor.reshape(-1)
        seen = np.flatnonzero(flat.take(samples.upper) & flat.take(samples.lower))
        cells = self._cells(*sight.to_map(samples.ahead.take(seen), samples.left.take(seen), stance))
        return np.bincount(cells, minlength=self._evidence.size)

    def _cells_shown(self, seen: sight.SurfaceImage, pixels: Counts, stance: Stance, lens: Lens) -> Counts:
        """The flat indices of the cells in which there is what some pixels show."""
        # Not farther into it than half a cell, lest a surface comes out on the other side of a wall.
        at_most = self.grid.cell / 2
        return self._cells(*sight.places(seen, pixels, self.settings.sink, at_most, stance, lens))

    def _cells(self, x: Floats, y: Floats) -> Counts:
        """The flat indices of the cells in which points lie; those of points far outside are at the edge."""
        x0 = self.grid.x + self.origin[0] * self.grid.cell
        y0 = self.grid.y + self.origin[1] * self.grid.cell
        i = ((x - np.float32(x0)) * np.float32(1 / self.grid.cell)).astype(np.int32)
        j = ((y - np.float32(y0)) * np.float32(1 / self.grid.cell)).astype(np.int32)
        rows, columns = self.shape
        i = np.minimum(np.maximum(i, 0, out=i), rows - 1, out=i)
        j = np.minimum(np.maximum(j, 0, out=j), columns - 1, out=j)
        flat: Counts = (i * columns + j).astype(np.intp)
        return flat
