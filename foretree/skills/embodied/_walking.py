"""Walking to a cell, step by step, and by another way when the first is not free."""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite

from foretree.skills.embodied._posture import WALKING, nod_to
from foretree.skills.embodied._routine import Routine, RoutineFailed
from foretree.skills.embodied._standing import Choice
from foretree.skills.embodied.body import Control
from foretree.skills.embodied.senses import Senses
from foretree.world_model.occupancy.costmap import Costmap, make_costmap
from foretree.world_model.occupancy.grid import Cell
from foretree.world_model.occupancy.paths import GridPath, ShortestPaths, cheapest_motions, headings_along

#: What a step costs more to where the body does not look, in steps.
_BLINDNESS = 0.25
#: The way to one place is looked for at most so many times.
_MOST = 60


def never() -> bool:
    """Return False."""
    return False


def walk(senses: Senses, choice: Choice, what: str, until: Callable[[], bool] = never) -> Routine:
    """Walk to the cell of some with the lowest cost, that of the way there included.

    Args:
        senses: what is known; more of it on the way.
        choice: where to go.
        what: to what, for saying why it cannot be done.
        until: whether one need not go any farther; asked after every step.

    Raises:
        Unable: there is no way.
    """
    for _ in range(_MOST):
        if until():
            return
        way = _way(senses, choice)
        if way is None:
            raise RoutineFailed(f"there is no way to {what}")
        if way.steps == 0:
            return
        yield from nod_to(senses, WALKING)
        yield from _follow(senses, way, until)
    raise RoutineFailed(f"no way to {what} stays free")


def _way(senses: Senses, choice: Choice) -> GridPath | None:
    ways = ShortestPaths(make_costmap(senses.occupancy), senses.cell)
    spots = choice(ways)
    goal = min(spots, key=lambda cell: (ways.distance(cell) + spots[cell], cell), default=None)
    return None if goal is None else ways.to(goal)


def _follow(senses: Senses, way: GridPath, until: Callable[[], bool]) -> Routine:
    """Walk a way as long as it seems free and the goal is not reached."""
    rest = list(way.cells[1:])
    revision = senses.occupancy.revision
    for motion in cheapest_motions(headings_along(way), senses.stance.heading, blindness=_BLINDNESS):
        if senses.occupancy.revision != revision:
            revision = senses.occupancy.revision
            if not _is_free(make_costmap(senses.occupancy), rest):
                return
        felt = yield Control(motion)
        if not felt.ok or until():
            return
        if rest and senses.cell == rest[0]:
            del rest[0]


def _is_free(costmap: Costmap, cells: list[Cell]) -> bool:
    return all(isfinite(costmap.step_cost(cell)) for cell in cells)
