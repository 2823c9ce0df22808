"""Where a body can stand, against a rule that looks at each cell on its own."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest
from small_home import look_around, standing

from foretree.world_model.occupancy._disc import cells_under_disc
from foretree.world_model.occupancy.chart import State
from foretree.world_model.occupancy.costmap import find_footing


def price_by_the_rule(chart, cell, unknown_price):
    """What a step onto a cell costs, cell by cell as the docstrings say."""
    at = chart.index(cell)
    if at is not None and chart.blocked[at]:
        return inf
    under = cells_under_disc(chart.settings.radius, chart.grid.cell)
    states = [chart.state((cell[0] + i, cell[1] + j)) for i, j in under]
    if State.OCCUPIED in states:
        return inf
    return unknown_price if State.UNKNOWN in states else 1.0


@pytest.mark.parametrize("unknown_price", [3.0, None])
def test_a_step_costs_what_is_known_of_all_that_the_body_covers_there(unknown_price):
    chart = look_around([], cells=((3, 3), (12, 9)))
    chart.bump(standing((12, 9)), 0)
    footing = find_footing(chart, unknown_price)
    rows, columns = footing.prices.shape
    cells = [(footing.origin[0] + i, footing.origin[1] + j) for i in range(rows) for j in range(columns)]
    expected = [
        price_by_the_rule(chart, cell, inf if unknown_price is None else unknown_price) for cell in cells
    ]
    assert [footing.price(cell) for cell in cells] == expected
    assert {1.0, inf} <= set(expected)
    assert footing.price((footing.origin[0] - 1, footing.origin[1])) == inf


def test_states_are_those_that_are_said_of_each_cell():
    chart = look_around([], cells=((3, 3), (12, 9)))
    said = [
        [chart.state((chart.origin[0] + i, chart.origin[1] + j)) for j in range(chart.shape[1])]
        for i in range(chart.shape[0])
    ]
    assert np.array_equal(chart.states, said)
    assert {State.UNKNOWN, State.FREE, State.OCCUPIED} == set(chart.states.ravel().tolist())
