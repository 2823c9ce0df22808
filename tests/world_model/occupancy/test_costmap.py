"""Where a body can stand, against a rule that looks at each cell on its own."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest
from small_home import box, look_around, standing

from foretree.world_model.occupancy.occupancy_grid import CellState, cells_under_disc
from foretree.world_model.occupancy.paths import SQUEEZING_COST, make_costmap


def price_by_the_rule(occupancy, cell, unknown_cost):
    """What a step onto a cell costs, cell by cell as the docstrings say."""
    at = occupancy.index(cell)
    if at is not None and occupancy.blocked[at]:
        return inf
    under = cells_under_disc(occupancy.settings.radius, occupancy.grid.cell)
    states = [occupancy.state((cell[0] + i, cell[1] + j)) for i, j in under]
    if CellState.OCCUPIED in states:
        return inf
    return unknown_cost if CellState.UNKNOWN in states else 1.0


@pytest.mark.parametrize("unknown_cost", [3.0, None])
def test_a_step_costs_what_is_known_of_all_that_the_body_covers_there(unknown_cost):
    occupancy = look_around([], cells=((3, 3), (12, 9)))
    occupancy.bump(standing((12, 9)), 0)
    costmap = make_costmap(occupancy, unknown_cost)
    rows, columns = costmap.costs.shape
    cells = [(costmap.origin[0] + i, costmap.origin[1] + j) for i in range(rows) for j in range(columns)]
    expected = [
        price_by_the_rule(occupancy, cell, inf if unknown_cost is None else unknown_cost) for cell in cells
    ]
    assert [costmap.step_cost(cell) for cell in cells] == expected
    assert {1.0, inf} <= set(expected)
    assert costmap.step_cost((costmap.origin[0] - 1, costmap.origin[1])) == inf


def test_states_are_those_that_are_said_of_each_cell():
    occupancy = look_around([], cells=((3, 3), (12, 9)))
    said = [
        [
            occupancy.state((occupancy.origin[0] + i, occupancy.origin[1] + j))
            for j in range(occupancy.shape[1])
        ]
        for i in range(occupancy.shape[0])
    ]
    assert np.array_equal(occupancy.states, said)
    assert {CellState.UNKNOWN, CellState.FREE, CellState.OCCUPIED} == set(occupancy.states.ravel().tolist())


def test_where_it_hardly_fits_a_body_goes_in_the_end_only():
    """Beside a wall that seems to reach into the way there is a cell that is free by itself."""
    occupancy = look_around((box((5, 3), (5, 9), 1.5),), [(i, j) for i in (2, 12) for j in (2, 6, 10)])
    beside = (4, 5)
    assert occupancy.state(beside) is CellState.FREE
    assert make_costmap(occupancy).step_cost(beside) == inf
    occupancy.doubt_obstacles()
    assert make_costmap(occupancy).step_cost(beside) == SQUEEZING_COST
    assert make_costmap(occupancy).step_cost((5, 5)) == inf
    occupancy.bump(standing((3, 5), 0), 0)
    assert make_costmap(occupancy).step_cost(beside) == inf, "it was tried"
