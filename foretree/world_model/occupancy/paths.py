"""Shortest paths over a costmap, and the steps and turns that follow them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import inf, isfinite
from typing import Literal, TypeAlias

from foretree.world_model.occupancy.costmap import Costmap
from foretree.world_model.occupancy.grid import AHEAD, Cell, beside

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
    # What it costs from each step on, by heading: before that step a body may turn.
    costs = [{h: _turns(h, facing) for h in STEPS}]
    for direction in reversed(directions):
        after = costs[-1]
        costs.append(
            {
                h: min(
                    _plus(_turns(h, turned), _step(turned, direction, blindness), after[turned])
                    for turned in STEPS
                )
                for h in STEPS
            }
        )
    costs.reverse()
    walked: list[Motion] = []
    for number, direction in enumerate(directions):
        best = min(
            STEPS,
            key=lambda turned: (
                _plus(
                    _turns(heading, turned),
                    _step(turned, direction, blindness),
                    costs[number + 1][turned],
                ),
                _step(turned, direction, blindness),
                turned,
            ),
        )
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
