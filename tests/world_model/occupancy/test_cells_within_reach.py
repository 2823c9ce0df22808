"""From which cells a body reaches what stands on the floor."""

import numpy as np

from foretree.world_model.occupancy.occupancy_grid import CellState, Grid
from foretree.world_model.occupancy.paths import Costmap
from foretree.world_model.occupancy.standing_spots import cells_within_reach


class Drawn:
    """An occupancy grid that somebody has drawn: ``#`` is a wall, ``t`` a table, ``.`` the floor."""

    def __init__(self, rows):
        signs = np.array([list(row) for row in rows]).T
        self.grid = Grid(0.25)
        self.origin = (0, 0)
        self.states = np.where(signs == ".", CellState.FREE, CellState.OCCUPIED)
        self.heights = np.select([signs == "#", signs == "t"], [2.0, 0.7], 0.0)
        self.costmap = Costmap(self.grid, (0, 0), np.where(signs == ".", 1.0, np.inf).astype(np.float32))

    def around(self, extent, reach=1.0):
        (cells,) = cells_within_reach(self, self.costmap, [extent], reach)
        return {divmod(at, self.states.shape[1]) for at in cells.tolist()}


ROOM = Drawn(["..........", "..........", "..tttt....", "..tttt....", "##########", ".........."])


def test_one_stands_beside_a_thing_and_not_beyond_the_wall():
    cells = ROOM.around((0.5, 0.5, 0.0, 1.5, 1.0, 0.7))
    assert cells
    assert all(j < 4 for _, j in cells)
    assert (3, 1) in cells


def test_one_reaches_over_what_is_low():
    cells = ROOM.around((0.75, 0.8, 0.7, 1.0, 1.0, 1.0))
    assert (3, 1) in cells


def test_where_one_stands_near_one_need_not_stand_far_away():
    cells = ROOM.around((0.5, 0.5, 0.0, 1.5, 1.0, 0.7), reach=2.0)
    middle = (1.0, 0.75)
    away = [np.hypot((i + 0.5) * 0.25 - middle[0], (j + 0.5) * 0.25 - middle[1]) for i, j in cells]
    assert max(away) <= 0.93


def test_what_is_off_the_grid_is_out_of_reach():
    assert ROOM.around((9.0, 9.0, 0.0, 9.5, 9.5, 1.0)) == set()
