"""How far many areas are from each other, all at once."""

import heapq

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from foretree.world_model.occupancy.distances import closed, step_costs, within

INF = np.inf
PRICES = arrays.arrays(
    np.float32, st.tuples(st.integers(2, 7), st.integers(2, 9)), elements=st.sampled_from([1.0, 3.0, INF])
)


def dijkstra(prices, area):
    """What the cheapest way costs from any cell of an area, by the book."""
    rows, columns = prices.shape
    costs = {int(at): 0.0 for at in area if np.isfinite(prices.reshape(-1)[at])}
    queue = [(0.0, at) for at in costs]
    while queue:
        cost, at = heapq.heappop(queue)
        i, j = divmod(at, columns)
        for a, b in ((i + 1, j), (i - 1, j), (i, j + 1), (i, j - 1)):
            if 0 <= a < rows and 0 <= b < columns and np.isfinite(prices[a, b]):
                further = cost + float(prices[a, b])
                if further < costs.get(a * columns + b, INF):
                    costs[a * columns + b] = further
                    heapq.heappush(queue, (further, a * columns + b))
    return costs


@settings(max_examples=80, deadline=None)
@given(st.data())
def test_costs_are_those_of_the_cheapest_ways(data):
    prices = data.draw(PRICES)
    cells = st.lists(st.integers(0, prices.size - 1), min_size=0, max_size=4)
    areas = [np.array(area, dtype=np.intp) for area in data.draw(st.lists(cells, min_size=1, max_size=5))]
    costs = step_costs(prices, areas)
    for row, area in enumerate(areas):
        reached = dijkstra(prices, area)
        for column, other in enumerate(areas):
            expected = min((reached.get(int(at), INF) for at in other), default=INF) if row != column else 0.0
            assert costs[row, column] == expected


def test_there_may_be_more_areas_than_bits_in_a_word():
    prices = np.ones((1, 150), dtype=np.float32)
    areas = [np.array([at]) for at in range(150)]
    costs = step_costs(prices, areas)
    assert costs[0, 149] == costs[149, 0] == 149
    assert costs[70, 65] == 5


def test_where_nobody_can_stand_nobody_goes():
    prices = np.full((3, 3), INF, dtype=np.float32)
    costs = step_costs(prices, [np.array([0]), np.array([8])])
    assert costs.tolist() == [[0.0, INF], [INF, 0.0]]


def test_what_is_within_some_steps_does_not_lead_through_walls():
    passable = np.ones((5, 5), dtype=bool)
    passable[:, 2] = False
    left, right = within(passable, [np.array([10]), np.array([14])], 2)
    assert {at % 5 for at in left.tolist()} == {0, 1}
    assert {at % 5 for at in right.tolist()} == {3, 4}
    assert 10 in left.tolist()


def test_an_area_is_within_reach_of_itself_even_where_nothing_is_passable():
    assert within(np.zeros((2, 2), dtype=bool), [np.array([3])], 5)[0].tolist() == [3]


def test_no_way_is_dearer_than_by_way_of_somewhere_else():
    costs = np.array([[0.0, 9.0, 2.0], [9.0, 0.0, 3.0], [2.0, 3.0, 0.0]])
    assert closed(costs)[0, 1] == 5.0
    assert costs[0, 1] == 9.0
