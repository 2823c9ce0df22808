"""Layouts: the walls, rooms and furniture of a home, before anything lies in it."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

from foretree.simulation.grid_homes.layouts.geometry import AHEAD, CELL, Cell, Rectangle

#: A rectangle by its lower and its upper corner, in metres.
Strip: TypeAlias = "tuple[tuple[float, float], tuple[float, float]]"
RoomKind: TypeAlias = Literal["kitchen", "living", "bedroom", "bathroom", "hall", "studio"]


@dataclass(frozen=True, slots=True)
class Room:
    """A rectangle of floor: cells from (x0, y0) up to, not including, (x1, y1)."""

    kind: RoomKind
    x0: int
    y0: int
    x1: int
    y1: int

    @property
    def spans(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """The cells from and up to which it reaches, along x and along y."""
        return (self.x0, self.x1), (self.y0, self.y1)

    def __contains__(self, cell: Cell) -> bool:
        return self.x0 <= cell[0] < self.x1 and self.y0 <= cell[1] < self.y1


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of furniture.

    Attributes:
        class_name: its class.
        x, y: its lowest cell.
        nx, ny: the number of cells along x and y.
        facing: the heading in which its front looks; it is used from there.
        z: its height above the floor.
        base: the index of the piece that it stands on; None on the floor.
    """

    class_name: str
    x: int
    y: int
    nx: int
    ny: int
    facing: int
    z: float = 0.0
    base: int | None = None

    @property
    def foot(self) -> Rectangle:
        """The rectangle that it covers, in metres."""
        return self.x * CELL, self.y * CELL, (self.x + self.nx) * CELL, (self.y + self.ny) * CELL

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells that it covers."""
        return tuple((i, j) for i in range(self.x, self.x + self.nx) for j in range(self.y, self.y + self.ny))

    @property
    def area(self) -> tuple[slice, slice]:
        """The cells that it covers, of an array of all."""
        return slice(self.x, self.x + self.nx), slice(self.y, self.y + self.ny)

    @property
    def across(self) -> range:
        """The cells of its front, along the axis that runs across."""
        if self.facing in (0, 180):
            return range(self.y, self.y + self.ny)
        return range(self.x, self.x + self.nx)

    def before(self, across: int, away: int) -> Cell:
        """The cell *away* cells before its front, the first being 0, and at *across* along it."""
        if self.facing == 0:
            return self.x + self.nx + away, across
        if self.facing == 180:
            return self.x - 1 - away, across
        if self.facing == 90:
            return across, self.y + self.ny + away
        return across, self.y - 1 - away


@dataclass(frozen=True)
class Layout:
    """The walls, rooms and furniture of a home.

    Attributes:
        name: ``family/number``.
        family: the family that generated it.
        seen: whether its family may be learned from.
        width, height: the number of cells along x and y.
        walls: the cells that are wall, or outside.
        rooms: the rooms; their rectangles may overlap, and may have wall in them.
        pieces: the furniture.
    """

    name: str
    family: str
    seen: bool
    width: int
    height: int
    walls: frozenset[Cell]
    rooms: tuple[Room, ...]
    pieces: tuple[Piece, ...]

    @cached_property
    def standable(self) -> frozenset[Cell]:
        """The cells where the robot fits between walls and furniture."""
        return standable_cells(
            self.width, self.height, self.walls | {cell for piece in self.pieces for cell in piece.cells}
        )

    @cached_property
    def reachable(self) -> frozenset[Cell]:
        """The cells between which the robot can walk."""
        return largest_area(self.standable)

    @cached_property
    def floor(self) -> frozenset[Cell]:
        """The cells that are no wall."""
        cells = ((i, j) for i in range(self.width) for j in range(self.height))
        return frozenset(cell for cell in cells if cell not in self.walls)

    def floor_strips(self) -> Iterator[Strip]:
        """The floor, in strips."""
        return _strips(sorted(self.floor))

    def wall_strips(self) -> Iterator[Strip]:
        """The walls that have floor beside them, in strips."""
        return _strips(
            sorted(
                (i, j)
                for i, j in self.walls
                if any((i + di, j + dj) in self.floor for di in (-1, 0, 1) for dj in (-1, 0, 1))
            )
        )

    def spots_before(self, piece: Piece) -> tuple[Cell, ...]:
        """The cells from which a piece is used, before its front; nearest to its middle first."""
        front = piece if piece.base is None else self.pieces[piece.base]
        middle = sum(piece.across) / len(piece.across)
        spots = [
            front.before(across, 1) for across in sorted(piece.across, key=lambda a: (abs(a - middle), a))
        ]
        return tuple(spot for spot in spots if spot in self.reachable)

    def room_of(self, cell: Cell) -> Room | None:
        """The room that a cell is in; None in doorways."""
        return next((room for room in self.rooms if cell in room), None)

    def count(self, class_name: str) -> int:
        """The number of pieces of a class."""
        return sum(piece.class_name == class_name for piece in self.pieces)


def _strips(cells: Sequence[Cell]) -> Iterator[Strip]:
    """The strips that sorted cells make, each as long as it goes along y."""
    start = 0
    for index, (i, j) in enumerate(cells, 1):
        if index == len(cells) or cells[index] != (i, j + 1):
            yield (i * CELL, cells[start][1] * CELL), ((i + 1) * CELL, (j + 1) * CELL)
            start = index


def ways_on_top(
    class_name: str, width: int, depth: int, z: float, base: int, pieces: Sequence[Piece], spare: int = 0
) -> Iterator[Piece]:
    """Ways to put something at the back of a piece on which others may stand already.

    Args:
        class_name: of what is put.
        width, depth: the number of its cells.
        z: the height of the piece.
        base: the index of the piece.
        pieces: all that there are.
        spare: the number of adjacent cells that must stay free on the piece.
    """
    below = pieces[base]
    free = set(below.across).difference(*(other.across for other in pieces if other.base == base))
    for across in range(below.across[0], below.across[-1] - width + 2):
        nx, ny = (depth, width) if below.facing in (0, 180) else (width, depth)
        x = {0: below.x, 180: below.x + below.nx - depth}.get(below.facing, across)
        y = {90: below.y, 270: below.y + below.ny - depth}.get(below.facing, across)
        piece = Piece(class_name, x, y, nx, ny, below.facing, z, base)
        if free.issuperset(piece.across) and _longest(free.difference(piece.across)) >= spare:
            yield piece


def _longest(cells: set[int]) -> int:
    """The length of the longest run of adjacent cells."""
    longest = row = 0
    for cell in range(min(cells, default=0), max(cells, default=-1) + 1):
        row = row + 1 if cell in cells else 0
        longest = max(longest, row)
    return longest


def standable_cells(width: int, height: int, taken: Iterable[Cell]) -> frozenset[Cell]:
    """The cells of a grid that are free with the four next to them.

    The robot is a disc with a radius of 0.175 m. On the middle of a cell it reaches into the four next to it,
    but not over the corners.
    """
    solid = set(taken)
    return frozenset(
        (i, j)
        for i in range(1, width - 1)
        for j in range(1, height - 1)
        if (i, j) not in solid
        and (i + 1, j) not in solid
        and (i - 1, j) not in solid
        and (i, j + 1) not in solid
        and (i, j - 1) not in solid
    )


def steps_from(start: Cell, free: Set[Cell]) -> dict[Cell, int]:
    """The number of single steps to each cell that can be reached over free ones."""
    found = {start: 0}
    border = deque([start])
    while border:
        i, j = border.popleft()
        for di, dj in AHEAD.values():
            cell = i + di, j + dj
            if cell in free and cell not in found:
                found[cell] = found[i, j] + 1
                border.append(cell)
    return found


def largest_area(cells: frozenset[Cell]) -> frozenset[Cell]:
    """The largest part of some cells that is connected by single steps."""
    best: Set[Cell] = frozenset()
    left = set(cells)
    for first in sorted(cells):
        if first in left:
            area = steps_from(first, left).keys()
            left -= area
            if len(area) > len(best):
                best = area
    return frozenset(best)
