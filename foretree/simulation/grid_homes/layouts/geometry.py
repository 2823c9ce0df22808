"""Geometry of homes: cells, rectangles and boxes.

A home lies on a grid of square cells. Cell (i, j) reaches from ``i * CELL`` to ``(i + 1) * CELL`` along x,
and from ``j * CELL`` to ``(j + 1) * CELL`` along y. A heading of 0 looks along x, one of 90 along y.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import product
from math import hypot
from typing import TypeAlias

#: The side of a cell in metres; a step of the robot.
CELL = 0.25

Cell: TypeAlias = tuple[int, int]
#: A part of the floor, or of a surface: x0, y0, x1, y1 in metres.
Rectangle: TypeAlias = tuple[float, float, float, float]
#: A part of the room: x0, y0, z0, x1, y1, z1 in metres.
Extent: TypeAlias = tuple[float, float, float, float, float, float]

#: One cell farther, by heading.
AHEAD: dict[int, Cell] = {0: (1, 0), 90: (0, 1), 180: (-1, 0), 270: (0, -1)}

#: Two things lie at least this far apart.
GAP = 0.01
#: The step and the number of rings in which places around the preferred one are tried.
_STEP, _RINGS = 0.08, 3
_TOLERANCE = 1e-9


def centre_of(cell: Cell) -> tuple[float, float]:
    """The centre of a cell, in metres."""
    return (cell[0] + 0.5) * CELL, (cell[1] + 0.5) * CELL


def foot_of(extent: Extent) -> Rectangle:
    """The footprint of an extent."""
    return extent[0], extent[1], extent[3], extent[4]


def moved(extent: Extent, by: tuple[float, float, float]) -> Extent:
    """An extent moved by an offset."""
    x, y, z = by
    return (extent[0] + x, extent[1] + y, extent[2] + z, extent[3] + x, extent[4] + y, extent[5] + z)


def overlap(one: Rectangle, other: Rectangle, gap: float = 0.0) -> bool:
    """Tell whether two rectangles share more than an edge, or come nearer than *gap*."""
    return (
        one[0] < other[2] + gap - _TOLERANCE
        and other[0] < one[2] + gap - _TOLERANCE
        and one[1] < other[3] + gap - _TOLERANCE
        and other[1] < one[3] + gap - _TOLERANCE
    )


def distance_to(point: tuple[float, float], rectangle: Rectangle) -> float:
    """The distance of a point from the nearest point of a rectangle, in metres."""
    x, y = point
    away_x = max(rectangle[0] - x, 0.0, x - rectangle[2])
    away_y = max(rectangle[1] - y, 0.0, y - rectangle[3])
    return hypot(away_x, away_y)


def free_spot(
    within: Rectangle,
    taken: Collection[Rectangle],
    size: tuple[float, float],
    wish: tuple[float, float],
) -> Rectangle | None:
    """Find a free place for something of a size, near a point; None if there is none.

    It is found if there is one: what fits somewhere also fits when it is pushed to the left and down until it
    touches something, so that only the corners between the edges of what is there are tried.

    Args:
        within: the rectangle in which it has to lie.
        taken: rectangles that are occupied.
        size: its width along x and along y.
        wish: the preferred centre.
    """
    wide, deep = size
    left, low = within[0], within[1]
    right, high = within[2] - wide, within[3] - deep
    if right < left - _TOLERANCE or high < low - _TOLERANCE:
        return None

    # Where the lower left corner may not lie. The comparisons are written out because spawning spends its
    # time here.
    gap = GAP - _TOLERANCE
    barred = [(x0 - wide - gap, y0 - deep - gap, x1 + gap, y1 + gap) for x0, y0, x1, y1 in taken]

    def try_at(x: float, y: float) -> Rectangle | None:
        x = left if x < left else min(x, max(right, left))
        y = low if y < low else min(y, max(high, low))
        for x0, y0, x1, y1 in barred:
            if x0 < x < x1 and y0 < y < y1:
                return None
        return x, y, x + wide, y + deep

    wished_x, wished_y = wish[0] - wide / 2, wish[1] - deep / 2
    for dx, dy in _RING:
        spot = try_at(wished_x + dx, wished_y + dy)
        if spot is not None:
            return spot
    xs = [left, *(other[2] + GAP for other in taken if left <= other[2] + GAP <= right)]
    ys = [low, *(other[3] + GAP for other in taken if low <= other[3] + GAP <= high)]
    corners = sorted(product(xs, ys), key=lambda at: (hypot(at[0] - wished_x, at[1] - wished_y), at))
    return next((spot for spot in (try_at(x, y) for x, y in corners) if spot is not None), None)


_RING = sorted(
    ((a * _STEP, b * _STEP) for a, b in product(range(-_RINGS, _RINGS + 1), repeat=2)),
    key=lambda at: (hypot(*at), at),
)
