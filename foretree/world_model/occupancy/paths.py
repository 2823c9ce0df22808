"""Ways over a chart from where a body stands, and the steps and turns that they take."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import inf, isfinite

from foretree.world_model.occupancy.costmap import Footing
from foretree.world_model.occupancy.grid import AHEAD, Cell, beside

#: By how much costs must fall for a step to lead back: more than the dust of the marcher.
_FALL = 1e-6


@dataclass(frozen=True, slots=True)
class Way:
    """A way over a chart.

    Attributes:
        cells: the cells it leads over, each beside the last; the first is where the body stands.
        cost: what it costs: one for each step onto a cell that is known to be free, more for others.
    """

    cells: tuple[Cell, ...]
    cost: float

    @property
    def steps(self) -> int:
        """How many steps it takes."""
        return len(self.cells) - 1


class Ways:
    """The ways from one cell to all others. A chart that changes takes new ones.

    Attributes:
        footing: where the body can stand.
        start: where it stands. It can go from there even if that seems impossible.
    """

    def __init__(self, footing: Footing, start: Cell) -> None:
        self.footing = footing
        self.start = start

    @cached_property
    def _costs(self) -> list[list[float]]:
        return self.footing.costs_from(self.start)

    def distance(self, cell: Cell) -> float:
        """How far away a cell is: as a bird flies that flies around obstacles, in metres on known floor.

        Steps on floor that is not known count as many metres as they cost. Infinite if one does not get
        there.
        """
        return self._cost(cell) * self.footing.grid.cell

    def reaches(self, cell: Cell) -> bool:
        """Whether one gets to a cell."""
        return isfinite(self._cost(cell))

    def nearest(self, cells: Iterable[Cell]) -> Cell | None:
        """The nearest of some cells; None if one gets to none of them."""
        found = min(cells, key=lambda cell: (self._cost(cell), cell), default=None)
        return found if found is not None and self.reaches(found) else None

    def to(self, goal: Cell) -> Way | None:
        """The way to a cell; None if one does not get there.

        From the goal, costs fall on all the way back to the start. Where they fall in several directions, the
        way keeps its own if that is no dearer: fewer turns.
        """
        if not self.reaches(goal):
            return None
        cells = [goal]
        direction: Cell | None = None
        while cells[-1] != self.start:
            here = cells[-1]
            limit = self._cost(here) - _FALL
            falling = [cell for cell in beside(here) if self._cost(cell) < limit]
            best = min(falling, key=lambda cell: (self._cost(cell), cell))
            if direction is not None:
                onward = here[0] + direction[0], here[1] + direction[1]
                if onward in falling and self._price(onward) <= self._price(best):
                    best = onward
            direction = best[0] - here[0], best[1] - here[1]
            cells.append(best)
        way = tuple(reversed(cells))
        return Way(way, sum(self._price(cell) for cell in way[1:]))

    def _cost(self, cell: Cell) -> float:
        costs, (i0, j0) = self._costs, self.footing.origin
        i, j = cell[0] - i0, cell[1] - j0
        return costs[i][j] if 0 <= i < len(costs) and 0 <= j < len(costs[0]) else inf

    def _price(self, cell: Cell) -> float:
        return 0.0 if cell == self.start else self.footing.price(cell)


def headings_along(way: Way) -> tuple[int, ...]:
    """In which direction each step of a way goes, as a heading."""
    of_step = {step: heading for heading, step in AHEAD.items()}
    return tuple(of_step[after[0] - before[0], after[1] - before[1]] for before, after in pairwise(way.cells))
