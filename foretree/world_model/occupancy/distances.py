"""Distances between many areas of a costmap, all at once.

Fast marching finds the distances from one cell. Here every area is a bit of a word in each cell, and all of
them spread by one step at a time: so the distances between forty pieces of furniture take as long as marching
does for two of them, and they are those that a body walks, in steps along the grid.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from foretree.world_model.occupancy.depth_points import Flags, Floats
from foretree.world_model.occupancy.occupancy_grid import window, with_neighbours

#: For each cell the areas that reach it, one bit each.
Words: TypeAlias = NDArray[np.uint64]
#: Flat indices of cells.
Indices: TypeAlias = NDArray[np.intp]

#: So many areas fit into a word.
_WORD = 64
#: What takes more than this many steps to cross is not crossed.
_DEAREST = 8


def step_costs(prices: Floats, areas: Sequence[Indices]) -> NDArray[np.float64]:
    """The cost of the cheapest path from each area (row) to each other (column), between any of their cells.

    Args:
        prices: the costs of a costmap; they are rounded to whole steps.
        areas: by their cells, as flat indices into *prices*; those that cannot be stepped on do not count.

    Returns:
        Costs in steps on known floor; infinite where there is no path, or an area has no cell to stand on.
    """
    count = len(areas)
    costs = np.full((count, count), np.inf)
    np.fill_diagonal(costs, 0.0)
    standable = np.isfinite(prices).reshape(-1)
    standing = [area[standable[area]] for area in areas]
    usable = [number for number in range(count) if len(standing[number])]
    if not usable:
        return costs
    part = window(np.isfinite(prices))
    inside = np.full(prices.shape, -1, dtype=np.intp)
    rows, columns = part[0].stop - part[0].start, part[1].stop - part[1].start
    inside[part] = np.arange(rows * columns).reshape(rows, columns)
    moved = [inside.reshape(-1)[standing[number]] for number in usable]
    steps = np.where(
        np.isfinite(prices[part]), np.clip(np.rint(np.nan_to_num(prices[part], posinf=0)), 1, _DEAREST), 0
    )
    for start in range(0, len(usable), _WORD):
        found = _spread(steps.astype(np.int64), moved[start : start + _WORD], moved)
        costs[np.ix_(usable[start : start + _WORD], usable)] = found
    np.fill_diagonal(costs, 0.0)
    return costs


def within(passable: Flags, areas: Sequence[Indices], steps: int) -> list[Indices]:
    """The cells within so many steps of each area, over *passable* cells; those of the area count as such."""
    found: list[Indices] = []
    for start in range(0, len(areas), _WORD):
        part = areas[start : start + _WORD]
        words = np.zeros(passable.size, dtype=np.uint64)
        for bit, area in enumerate(part):
            words[area] |= np.uint64(1 << bit)
        grid = words.reshape(passable.shape)
        for _ in range(steps):
            grid = grid | np.where(passable, with_neighbours(grid), np.uint64(0))
        flat = grid.reshape(-1)
        found += [np.flatnonzero(flat & np.uint64(1 << bit)) for bit in range(len(part))]
    return found


def closed(costs: NDArray[np.float64]) -> NDArray[np.float64]:
    """Costs after also going by way of other areas (Floyd and Warshall)."""
    found: NDArray[np.float64] = costs.copy()
    for via in range(len(found)):
        np.minimum(found, found[:, via : via + 1] + found[via : via + 1, :], out=found)
    return found


def _spread(
    steps: NDArray[np.int64], sources: Sequence[Indices], targets: Sequence[Indices]
) -> NDArray[np.float64]:
    """The time at which each source (row) first reaches each target (column)."""
    # With a rim that nothing steps on the grid is flat: a neighbour is so many places on.
    rows, columns = steps.shape
    width = columns + 2
    rimmed = np.zeros((rows + 2, width), dtype=np.int64)
    rimmed[1:-1, 1:-1] = steps
    middle = rimmed.reshape(-1)[width:-width]
    grid = np.zeros(rimmed.size, dtype=np.uint64)
    inner = grid[width:-width]
    above, below, left, right = grid[: -2 * width], grid[2 * width :], grid[width - 1 :], grid[width + 1 :]
    left, right = left[: inner.size], right[: inner.size]

    def flat(area: Indices) -> Indices:
        places: Indices = (area // columns + 1) * width + area % columns + 1
        return places

    for bit, area in enumerate(sources):
        grid[flat(area)] |= np.uint64(1 << bit)
    prices = [int(price) for price in np.unique(steps) if price]
    onto = [(price, np.where(middle == price, ~np.uint64(0), np.uint64(0))) for price in prices]
    slowest = max(prices)
    ends = np.concatenate([flat(area) for area in targets])
    offsets = np.cumsum([0, *(len(area) for area in targets[:-1])])
    arrived = np.zeros(len(targets), dtype=np.uint64)
    costs = np.full((len(sources), len(targets)), np.inf)
    everybody = np.uint64((1 << len(sources)) - 1)
    bits = np.arange(len(sources), dtype=np.uint64)[:, None]
    past: deque[Words] = deque(maxlen=slowest)
    before = np.zeros_like(grid)
    time = 0
    while True:
        there = np.bitwise_or.reduceat(grid.take(ends), offsets)
        fresh = there & ~arrived
        if fresh.any():
            costs[((fresh >> bits) & np.uint64(1)).astype(bool)] = time
            arrived |= there
            if bool((arrived == everybody).all()):
                return costs
        if time % (slowest + 1) == 0:
            if np.array_equal(before, grid):
                return costs  # for as long as the dearest step takes nothing has come
            before = grid.copy()
        beside = above | below
        beside |= left
        beside |= right
        # An area that was beside a cell of cost three reaches it three steps later.
        past.append(beside)
        for price, there_on in onto:
            if len(past) >= price:
                inner |= past[-price] & there_on
        time += 1
