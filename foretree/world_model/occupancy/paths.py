"""Shortest paths over an occupancy grid: the costs of steps, the paths, and the motions that follow them.

Distances are found by fast marching. Unlike along the edges of a graph, they are nearly those in the plane,
whichever way the grid lies.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from math import inf, isfinite
from types import ModuleType
from typing import Literal, TypeAlias
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from foretree.errors import ForetreeError
from foretree.world_model.occupancy.depth_points import Flags, Floats
from foretree.world_model.occupancy.occupancy_grid import (
    AHEAD,
    Cell,
    CellState,
    Grid,
    OccupancyGrid,
    beside,
    cells_under_disc,
    window,
)


class MissingMarcherError(ForetreeError):
    """The package for fast marching is not installed."""


def travel_costs(prices: Floats, start: tuple[int, int]) -> NDArray[np.float64]:
    """The cost of the cheapest path from one cell to every other; infinite where there is none.

    Every cell but the first has one beside it from which it is cheaper to get to the first.

    Args:
        prices: what it costs to cross each cell; infinite where one cannot.
        start: the index of the first, which may be one that cannot be crossed.

    Raises:
        MissingMarcherError: scikit-fmm is not installed.
    """
    marcher = _marcher()
    closed = ~np.isfinite(prices)
    closed[start] = False
    front = np.ones(prices.shape)
    front[start] = 0.0
    costs = np.full(prices.shape, np.inf)
    beside = (
        slice(max(start[0] - 1, 0), start[0] + 2),
        slice(max(start[1] - 1, 0), start[1] + 2),
    )
    if np.count_nonzero(~closed[beside]) == 1:
        costs[start] = 0.0  # walled in: the marcher wants somewhere to go
        return costs
    speed = 1 / np.where(closed, 1.0, np.where(np.isfinite(prices), prices, 1.0))
    # The first order: of the second, it is not certain that costs only fall on the way back.
    marched = marcher.travel_time(np.ma.MaskedArray(front, closed), speed, order=1)
    reached = ~np.ma.getmaskarray(marched)
    costs[reached] = np.asarray(marched)[reached]
    return costs


def _marcher() -> ModuleType:
    try:
        import skfmm
    except ImportError as error:
        raise MissingMarcherError(
            "Finding ways through homes takes the package scikit-fmm, which is missing. Install it with: "
            "pip install foretree[homes]"
        ) from error
    module: ModuleType = skfmm
    return module


#: The cost of a step onto unknown floor by default, in steps on known floor.
UNKNOWN_COST = 3.0
#: The cost of a step where the body hardly fits, where it tries that at all.
SQUEEZING_COST = 30.0
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
    part = window(known, _MARGIN)
    states = states[part]
    under = cells_under_disc(occupancy.settings.radius, occupancy.grid.cell)
    cost_unknown = np.float32(np.inf if unknown_cost is None else unknown_cost)
    costs = np.where(_covered(states == CellState.UNKNOWN, under, outside=True), cost_unknown, np.float32(1))
    closed = _covered(states == CellState.OCCUPIED, under, outside=False)
    np.copyto(costs, np.inf, where=closed)
    if occupancy.squeezes:
        np.copyto(costs, np.float32(SQUEEZING_COST), where=closed & (states == CellState.FREE))
    np.copyto(costs, np.inf, where=occupancy.blocked[part])
    costs.setflags(write=False)
    i0, j0 = occupancy.origin
    return Costmap(occupancy.grid, (i0 + part[0].start, j0 + part[1].start), costs)


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


#: By how much costs must fall for a step to lead back: more than the dust of the marcher.
_FALL = 1e-6


@dataclass(frozen=True, slots=True)
class GridPath:
    """A path over a costmap.

    Attributes:
        cells: its cells, each beside the last, from the start.
        cost: its cost: 1 for each step onto a cell that is known to be free, more for others.
    """

    cells: tuple[Cell, ...]
    cost: float

    @property
    def steps(self) -> int:
        """The number of steps."""
        return len(self.cells) - 1


class ShortestPaths:
    """The shortest paths from one cell to all others.

    Attributes:
        costmap: the costs of steps.
        start: the cell that the body stands on, even if it seems to be occupied.
    """

    def __init__(self, costmap: Costmap, start: Cell) -> None:
        self.costmap = costmap
        self.start = start

    @cached_property
    def _costs(self) -> list[list[float]]:
        return self.costmap.costs_from(self.start)

    def distance(self, cell: Cell) -> float:
        """The distance of a cell around obstacles, in metres on known floor; infinite if it is out of reach.

        Steps on unknown floor count as many metres as they cost.
        """
        return self._cost(cell) * self.costmap.grid.cell

    def reaches(self, cell: Cell) -> bool:
        """Return whether there is a path to a cell."""
        return isfinite(self._cost(cell))

    def nearest(self, cells: Iterable[Cell]) -> Cell | None:
        """The nearest of some cells; None if there is no path to any."""
        found = min(cells, key=lambda cell: (self._cost(cell), cell), default=None)
        return found if found is not None and self.reaches(found) else None

    def to(self, goal: Cell) -> GridPath | None:
        """The path to a cell; None if there is none.

        From the goal, costs fall on all the way back to the start. Where they fall in several directions, the
        path goes straight on if that costs no more: fewer turns.
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
        return GridPath(way, sum(self._price(cell) for cell in way[1:]))

    def _cost(self, cell: Cell) -> float:
        costs, (i0, j0) = self._costs, self.costmap.origin
        i, j = cell[0] - i0, cell[1] - j0
        return costs[i][j] if 0 <= i < len(costs) and 0 <= j < len(costs[0]) else inf

    def _price(self, cell: Cell) -> float:
        return 0.0 if cell == self.start else self.costmap.step_cost(cell)


def headings_along(way: GridPath) -> tuple[int, ...]:
    """The direction of each step of a path, as a heading."""
    of_step = {step: heading for heading, step in AHEAD.items()}
    return tuple(of_step[after[0] - before[0], after[1] - before[1]] for before, after in pairwise(way.cells))


#: A step or a turn; named as the controls of a body are.
Motion: TypeAlias = Literal[
    "move_ahead", "move_back", "strafe_left", "strafe_right", "rotate_left", "rotate_right"
]


#: Steps by their direction relative to the heading.
STEPS: dict[int, Motion] = {0: "move_ahead", 90: "strafe_left", 180: "move_back", 270: "strafe_right"}


_TURNS: tuple[tuple[Motion, int], ...] = (("rotate_left", 90), ("rotate_right", 270))


def cheapest_motions(
    directions: Sequence[int], heading: int, facing: int | None = None, blindness: float = 0.0
) -> tuple[Motion, ...]:
    """The cheapest steps and turns that follow a path.

    Each costs 1. A body can step sideways and back, but does not see then what it steps on: of equal costs,
    those motions are taken that have the fewest blind steps, and turn as early as possible.

    Args:
        directions: the direction of each step, as a heading.
        heading: the heading of the body.
        facing: its heading in the end; None if that does not matter.
        blindness: the additional cost of a blind step.
    """
    # For each step, by the heading before it: the least cost from there on, and the heading to take it with.
    onward = {h: (_turns(h, facing), (0.0, 0), h) for h in STEPS}
    choices = [onward]
    for direction in reversed(directions):
        onward = {
            h: min(
                (_plus(_turns(h, turned), step, after), step, turned)
                for turned, (after, _, _) in choices[-1].items()
                for step in [_step(turned, direction, blindness)]
            )
            for h in STEPS
        }
        choices.append(onward)
    walked: list[Motion] = []
    for direction, choice in zip(directions, reversed(choices), strict=False):
        _, _, best = choice[heading]
        walked += _turning(heading, best)
        walked.append(STEPS[(direction - best) % 360])
        heading = best
    return (*walked, *_turning(heading, facing))


#: A cost, and its number of blind steps.
_Cost: TypeAlias = tuple[float, int]


def _plus(*costs: _Cost) -> _Cost:
    return sum(cost for cost, _ in costs), sum(blind for _, blind in costs)


def _turns(heading: int, facing: int | None) -> _Cost:
    return float(len(_turning(heading, facing))), 0


def _step(heading: int, direction: int, blindness: float) -> _Cost:
    is_blind = heading != direction
    return 1 + blindness * is_blind, int(is_blind)


def _turning(heading: int, facing: int | None) -> tuple[Motion, ...]:
    """The turns from one heading to another; of two half turns the one to the left."""
    if facing is None or facing == heading:
        return ()
    for motion, degrees in _TURNS:
        if (heading + degrees) % 360 == facing:
            return (motion,)
    return ("rotate_left", "rotate_left")
