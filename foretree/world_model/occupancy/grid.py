"""Square cells on the floor: their numbers and their positions."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import ceil, floor, hypot
from typing import TypeAlias

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
