"""Ways over an occupancy grid: valid, hardly longer than the shortest, and none where there is none."""

from __future__ import annotations

import sys
from itertools import pairwise
from math import inf, isfinite, sqrt

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from reference_paths import cheapest
from small_home import INSIDE, box, look_around, standing

from foretree.world_model.occupancy.occupancy_grid import Grid, beside
from foretree.world_model.occupancy.paths import (
    Costmap,
    MissingMarcherError,
    ShortestPaths,
    headings_along,
    make_costmap,
)


@st.composite
def footings(draw, unknown=True):
    """A costmap with obstacles, a start and a goal in it; as often as not, some of it is not known."""
    width, height = draw(st.integers(1, 22)), draw(st.integers(1, 22))
    seed, obstacles = draw(st.integers(0, 10_000)), draw(st.sampled_from([0.0, 0.1, 0.25, 0.4]))
    rng = np.random.default_rng(seed)
    prices = np.ones((width, height), dtype=np.float32)
    if unknown and draw(st.booleans()):
        prices[rng.random((width, height)) < 0.3] = 3.0
    prices[rng.random((width, height)) < obstacles] = np.inf
    origin = draw(st.integers(-9, 9)), draw(st.integers(-9, 9))
    cells = st.tuples(
        st.integers(origin[0], origin[0] + width - 1), st.integers(origin[1], origin[1] + height - 1)
    )
    return Costmap(Grid(), origin, prices), draw(cells), draw(cells)


@settings(max_examples=150, deadline=None)
@given(footings())
def test_a_way_is_found_where_there_is_one_and_is_hardly_dearer_than_the_cheapest(drawn):
    costmap, start, goal = drawn
    paths = ShortestPaths(costmap, start)
    least = cheapest(costmap, start, goal)
    way = paths.to(goal)
    assert paths.reaches(goal) == isfinite(least)
    if way is None:
        assert paths.distance(goal) == inf
        assert not isfinite(least)
        return
    assert (way.cells[0], way.cells[-1]) == (start, goal)
    assert len(set(way.cells)) == len(way.cells)
    for before, after in pairwise(way.cells):
        assert after in beside(before)
        assert isfinite(costmap.step_cost(after))
    assert way.cost == pytest.approx(sum(costmap.step_cost(cell) for cell in way.cells[1:]))
    assert least - 1e-6 <= way.cost <= 1.6 * least + 1e-6
    # As the bird flies: never longer than along the cells, and at most a diagonal shorter.
    assert least / sqrt(2) - 1e-6 <= paths.distance(goal) / costmap.grid.cell <= least + 1e-6


@settings(max_examples=80, deadline=None)
@given(footings(unknown=False))
def test_on_known_floor_ways_are_next_to_shortest(drawn):
    costmap, start, goal = drawn
    way = ShortestPaths(costmap, start).to(goal)
    assume(way is not None)
    least = cheapest(costmap, start, goal)
    assert way.cost <= 1.15 * least + 2


def test_ways_are_on_the_whole_as_short_as_the_shortest():
    """A single way may take the wrong side of an obstacle; on the mean that must not matter."""
    rng = np.random.default_rng(4)
    longer = []
    for number in range(60):
        prices = np.ones((20, 20), dtype=np.float32)
        prices[rng.random((20, 20)) < 0.2] = np.inf
        if number % 2:
            prices[(rng.random((20, 20)) < 0.3) & np.isfinite(prices)] = 3.0
        costmap, start = Costmap(Grid(), (0, 0), prices), (10, 10)
        for goal in ((0, 0), (19, 3), (4, 19)):
            way = ShortestPaths(costmap, start).to(goal)
            if way is not None:
                longer.append(way.cost / cheapest(costmap, start, goal))
    assert len(longer) > 60
    assert np.mean(longer) < 1.02


def test_in_the_open_a_way_turns_once():
    costmap = Costmap(Grid(), (0, 0), np.ones((20, 20), dtype=np.float32))
    way = ShortestPaths(costmap, (2, 3)).to((15, 11))
    directions = headings_along(way)
    assert way.steps == 13 + 8
    assert sum(one != other for one, other in pairwise(directions)) == 1
    assert set(directions) == {0, 90}


def test_all_ways_begin_where_the_body_stands_even_where_it_cannot():
    prices = np.ones((5, 5), dtype=np.float32)
    prices[2, 2] = np.inf
    paths = ShortestPaths(Costmap(Grid(), (0, 0), prices), (2, 2))
    assert paths.to((2, 2)).cells == ((2, 2),)
    assert paths.to((2, 4)).cells == ((2, 2), (2, 3), (2, 4))
    prices[1:4, 1:4] = np.inf
    paths = ShortestPaths(Costmap(Grid(), (0, 0), prices), (2, 2))
    assert paths.to((2, 2)).cost == 0.0
    assert paths.to((2, 4)) is None
    assert paths.to((50, 50)) is None, "off the occupancy grid"


def test_the_nearest_of_some():
    prices = np.ones((9, 3), dtype=np.float32)
    prices[3, :] = np.inf
    paths = ShortestPaths(Costmap(Grid(), (0, 0), prices), (1, 1))
    assert paths.nearest([(0, 0), (2, 1), (8, 1)]) == (2, 1)
    assert paths.nearest([(2, 0), (0, 0)]) == (0, 0), "of equally near ones always the same"
    assert paths.nearest([(8, 1)]) is None
    assert paths.nearest([]) is None


def test_the_body_keeps_its_distance_from_what_stands_there():
    occupancy = look_around((box((8, 0), (8, 7)),), [(3, 5), (12, 5), (8, 10)])
    costmap = make_costmap(occupancy, unknown_cost=None)
    for cell in INSIDE:
        i, j = cell
        fits = 1 <= i <= 14 and 1 <= j <= 10 and not (j <= 8 and abs(i - 8) <= 1 and not (j == 8 and i != 8))
        assert isfinite(costmap.step_cost(cell)) == fits, cell
    way = ShortestPaths(costmap, (3, 2)).to((12, 2))
    assert max(j for _, j in way.cells) == 9, "around its end"
    assert way.cost == way.steps == 9 + 2 * 7


def test_what_is_not_known_has_its_price():
    occupancy = look_around((box((8, 0), (8, 7), 2.5),), [(3, 3)])
    start, hidden = (3, 3), (13, 2)
    assert occupancy.index(hidden) is not None
    assert ShortestPaths(make_costmap(occupancy, None), start).to(hidden) is None
    cheap, dear = (ShortestPaths(make_costmap(occupancy, price), start).to(hidden) for price in (1.0, 5.0))
    assert cheap.cost == cheap.steps
    assert dear.cost > dear.steps
    assert make_costmap(occupancy, 5.0).step_cost(hidden) == 5.0


def test_bumps_close_the_cell_and_no_other():
    occupancy = look_around((), [(4, 4)])
    before = make_costmap(occupancy).costs.copy()
    occupancy.bump(standing((6, 6)), 0)
    after = make_costmap(occupancy)
    changed = np.argwhere(before != after.costs)
    assert [tuple(at) for at in changed] == [after.index((7, 6))]
    assert after.step_cost((7, 6)) == inf


def test_without_the_extra_it_is_said_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "skfmm", None)
    paths = ShortestPaths(Costmap(Grid(), (0, 0), np.ones((3, 3), dtype=np.float32)), (1, 1))
    with pytest.raises(MissingMarcherError, match=r"scikit-fmm.*pip install foretree\[homes\]") as caught:
        paths.to((2, 2))
    assert "\n" not in str(caught.value)
