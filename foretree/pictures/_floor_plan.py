"""The floor of a building in a picture: rooms, walls, openings and doors, to scale."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import atan2, degrees

from foretree.pictures._canvas import Canvas, Line, Rectangle
from foretree.pictures.palette import CLOSED_DOOR, GREY, HALL, INK, OPEN_DOOR, PAPER, WALL
from foretree.world_model.maps.building_map import MapRoom, Point, shared_wall

#: The thickness of a wall, in pixels.
WALL_WIDTH = 5

#: The width of a door, in metres.
_DOOR_WIDTH = 0.9

#: Lengths that the scale bar may have, in metres, how long it may be, and the size of its figures, in pixels.
_ROUND_LENGTHS, _BAR, _BAR_SIZE = (1, 2, 5, 10, 20, 50, 100), 330, 11


@dataclass(frozen=True, slots=True)
class Leaf:
    """A door seen from above, in metres: its hinge, its other end when it is closed, and when it is open."""

    hinge: Point
    latch: Point
    tip: Point


def leaf_of(at: Point, rooms: Iterable[MapRoom]) -> Leaf | None:
    """Return the leaf of a door at a point of the wall between the first two rooms that share one there.

    Open, it is swung into the first of the two. None if the point is in no such wall.
    """
    beside = [room for room in rooms if room.contains(*at)]
    for one in beside:
        for other in beside:
            wall = shared_wall(one, other) if one is not other else None
            if wall is not None:
                return _swung(at, one, 0 if wall[1][0] - wall[0][0] > wall[1][1] - wall[0][1] else 1)
    return None


def _swung(at: Point, into: MapRoom, along: int) -> Leaf:
    hinge, latch, tip = [*at], [*at], [*at]
    hinge[along] -= _DOOR_WIDTH / 2
    latch[along] += _DOOR_WIDTH / 2
    tip[along] = hinge[along]
    tip[1 - along] += _DOOR_WIDTH if into.middle[1 - along] > at[1 - along] else -_DOOR_WIDTH
    return Leaf((hinge[0], hinge[1]), (latch[0], latch[1]), (tip[0], tip[1]))


class FloorPlan:
    """Draws a floor, from *low* to *high* in metres, with its upper left corner at *corner* in pixels."""

    def __init__(self, pen: Canvas, low: Point, high: Point, scale: float, corner: Point) -> None:
        self.pen = pen
        self.low, self.high = low, high
        self.scale = scale
        self._corner = corner

    # -- from metres to pixels -----------------------------------------------------------------------
    def point(self, at: Sequence[float]) -> Point:
        """The pixel of a point."""
        x, y = self._corner
        return x + (at[0] - self.low[0]) * self.scale, y + (self.high[1] - at[1]) * self.scale

    def box(self, low: Point, high: Point) -> Rectangle:
        """The rectangle of pixels between two points."""
        (left, bottom), (right, top) = self.point(low), self.point(high)
        return Rectangle(left, top, right, bottom)

    def around(self, at: Sequence[float], wide: float, high: float | None = None) -> Rectangle:
        """The rectangle of pixels of a size in pixels around a point."""
        x, y = self.point(at)
        high = wide if high is None else high
        return Rectangle(x - wide / 2, y - high / 2, x + wide / 2, y + high / 2)

    # -- drawing -------------------------------------------------------------------------------------
    def rooms(self, rooms: Sequence[tuple[MapRoom, str]]) -> None:
        """Draw rooms, each in a colour, and the walls around them."""
        for room, fill in rooms:
            self.pen.box(self.box(room.low, room.high), fill)
        for room, _ in rooms:
            self.pen.box(self.box(room.low, room.high), None, WALL, WALL_WIDTH)

    def opening(self, start: Point, end: Point) -> None:
        """Open a wall between two points of it."""
        self.pen.line([self.point(start), self.point(end)], HALL, WALL_WIDTH + 2)

    def door(self, leaf: Leaf, closed: bool) -> None:
        """Draw a door: in the wall when it is closed, else swung into a room."""
        hinge, latch, tip = (self.point(end) for end in (leaf.hinge, leaf.latch, leaf.tip))
        if closed:
            self.pen.line((hinge, latch), CLOSED_DOOR, WALL_WIDTH + 2)
            return
        self.pen.line((hinge, latch), HALL, WALL_WIDTH + 2)
        self.pen.line((hinge, tip), OPEN_DOOR, 3)
        start, end = sorted(degrees(atan2(y - hinge[1], x - hinge[0])) for x, y in (latch, tip))
        if end - start > 180:
            start, end = end, start + 360
        self.pen.arc(hinge, _DOOR_WIDTH * self.scale, start, end, OPEN_DOOR)

    # -- for the layout of labels --------------------------------------------------------------------
    def doorway(self, leaf: Leaf) -> Rectangle:
        """The rectangle of a wall that a door takes up."""
        hinge, latch = self.point(leaf.hinge), self.point(leaf.latch)
        (left, right), (top, bottom) = (sorted(pair) for pair in zip(hinge, latch, strict=True))
        return Rectangle(left - WALL_WIDTH, top - WALL_WIDTH, right + WALL_WIDTH, bottom + WALL_WIDTH)

    def sides(self, leaf: Leaf) -> tuple[Line, Line]:
        """The lines that an open door takes up, nearly."""
        hinge, latch, tip = (self.point(end) for end in (leaf.hinge, leaf.latch, leaf.tip))
        return (*hinge, *tip), (*tip, *latch)

    def walls(self, rooms: Iterable[MapRoom]) -> list[Rectangle]:
        """The rectangles that the walls of rooms take up."""
        walls: list[Rectangle] = []
        half = WALL_WIDTH / 2 + 1
        for room in rooms:
            box = self.box(room.low, room.high)
            for x in (box.left, box.right):
                walls.append(Rectangle(x - half, box.top, x + half, box.bottom))
            for y in (box.top, box.bottom):
                walls.append(Rectangle(box.left, y - half, box.right, y + half))
        return walls


def scale_bar(pen: Canvas, right_end: Point, scale: float) -> None:
    """Draw a bar of a round length in metres, with its right end at a point."""
    metres = _ROUND_LENGTHS[bisect(_ROUND_LENGTHS, _BAR / scale) - 1]
    right, y = right_end
    left = right - metres * scale
    for fifth in range(5):
        start = left + fifth * (right - left) / 5
        box = Rectangle(start, y - 3, start + (right - left) / 5, y + 3)
        pen.box(box, PAPER if fifth % 2 else INK, INK)
    pen.text((left, y - 13), "0", _BAR_SIZE, GREY, "mm")
    pen.text((right, y - 13), f"{metres} m", _BAR_SIZE, GREY, "mm")
