"""A* over a costmap, to compare ways with: written to be plainly right."""

from __future__ import annotations

from heapq import heappop, heappush
from math import inf, isfinite


def cheapest(costmap, start, goal):
    """What the cheapest way costs; infinite if there is none."""
    prices, (i0, j0) = costmap.costs.tolist(), costmap.origin

    def price(cell):
        i, j = cell[0] - i0, cell[1] - j0
        return prices[i][j] if 0 <= i < len(prices) and 0 <= j < len(prices[0]) else inf

    def at_least(cell):
        return abs(cell[0] - goal[0]) + abs(cell[1] - goal[1])

    known = {start: 0.0}
    todo = [(at_least(start), start)]
    done = set()
    while todo:
        _, cell = heappop(todo)
        if cell == goal:
            return known[cell]
        if cell in done:
            continue
        done.add(cell)
        for step in ((1, 0), (0, 1), (-1, 0), (0, -1)):
            other = cell[0] + step[0], cell[1] + step[1]
            cost = known[cell] + price(other)
            if isfinite(cost) and cost < known.get(other, inf):
                known[other] = cost
                heappush(todo, (cost + at_least(other), other))
    return inf
