"""The map in a film: rooms, furniture and people as they stand, and on it what moves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import hypot

from foretree.pictures._canvas import Canvas, Label, Line, Rectangle, lay_out
from foretree.pictures._floor_plan import FloorPlan, leaf_of
from foretree.pictures._furnished_floor import draw_body, spread
from foretree.pictures.films._moments import Moment, Story
from foretree.pictures.films._world import Thing
from foretree.pictures.palette import (
    FURNITURE,
    FURNITURE_EDGE,
    GREY,
    INK,
    MARKED,
    PAPER,
    PATH,
    PLANNED,
    ROBOT,
    ROOM,
    ROOM_NODE,
    THING,
)
from foretree.world_model.maps.building_map import Point

#: The side of a piece of furniture and the least extent of a map, in metres, and what is left around it.
_SIDE, _LEAST, _MARGIN = 0.5, 3.0, 0.6

#: Sizes for a film that is 800 pixels wide.
_NAME, _ROOM, _DOT, _SMALL_DOT, _BODY, _WAY = 11.0, 13.0, 5.0, 2.6, 11.0, 3.0


@dataclass(frozen=True, slots=True)
class _Name:
    """A name in the map, near the box of what it names."""

    text: str
    mark: Rectangle
    size: float
    colour: str


class MapView:
    """The map of a story, in a box of the frame that it is scaled into."""

    def __init__(self, story: Story, pen: Canvas, box: Rectangle, unit: float) -> None:
        self._story, self._unit = story, unit
        self._low, self._high = extent(story)
        wide, deep = self._high[0] - self._low[0], self._high[1] - self._low[1]
        scale = min((box.right - box.left) / wide, (box.bottom - box.top) / deep)
        left = box.left + (box.right - box.left - wide * scale) / 2
        top = box.top + (box.bottom - box.top - deep * scale) / 2
        self._plan = FloorPlan(pen, self._low, self._high, scale, (left, top))
        self._page = Rectangle(left, top, left + wide * scale, top + deep * scale)
        #: The names of what stands, and what that was when they were laid out.
        self._standing: tuple[object, list[tuple[_Name, Rectangle]]] | None = None
        self._leaves = {
            door.name: leaf
            for door in story.floor.doors
            if (leaf := leaf_of(door.at, story.floor.rooms)) is not None
        }
        end, ways = story.moments[-1].time, story.ways
        paths = [[self._plan.point(at) for at in ways.until(robot, end)] for robot in ways.robots()]
        #: Where robots stop, along which lines they go, and open doors: names are better elsewhere.
        self._stops = [_square(at, 2 * _BODY * unit) for path in paths for at in path]
        self._lines: list[Line] = [(*start, *stop) for path in paths for start, stop in pairwise(path)]
        self._lines += [side for leaf in self._leaves.values() for side in self._plan.sides(leaf)]
        self._draw_still(pen)

    # -- what does not move --------------------------------------------------------------------------
    def _draw_still(self, pen: Canvas) -> None:
        floor, plan = self._story.floor, self._plan
        if floor.rooms:
            plan.rooms([(room, ROOM) for room in floor.rooms])
            for start, end in floor.openings:
                plan.opening(start, end)
        else:
            pen.box(self._page, ROOM, round_by=6 * self._unit)

    def _furniture_box(self, thing: Thing) -> Rectangle:
        return self._plan.around(thing.at, max(_SIDE * self._plan.scale, 5 * self._unit))

    # -- what moves ----------------------------------------------------------------------------------
    def draw(self, pen: Canvas, moment: Moment, time: float) -> None:
        """Draw what there is to be seen at a time of a moment."""
        plan, unit, world = self._plan, self._unit, moment.world
        plan.pen = pen
        for name, leaf in self._leaves.items():
            plan.door(leaf, name not in world.open_doors)
        for thing in world.furniture:
            pen.box(self._furniture_box(thing), FURNITURE, FURNITURE_EDGE, 1.2 * unit, 3 * unit)
        for person in world.people:
            draw_body(pen, plan.point(person.at), 0.8 * _BODY * unit, is_robot=False)
        robots = {robot: self._story.ways.at(robot, time) for robot in self._story.ways.robots()}
        for robot in robots:
            self._way(pen, robot, time)
        dots = dict(self._dots(moment, robots))
        for name, at in dots.items():
            if name not in self._story.relevant:
                pen.dot(at, _SMALL_DOT * unit, PLANNED, PAPER, 0.6 * unit)
        self._draw_names(pen, moment, robots, dots)
        for robot, at in robots.items():
            heading = self._story.ways.heading(robot, time)
            draw_body(pen, plan.point(at), _BODY * unit, is_robot=True, heading=heading)
        for name, at in dots.items():
            if name in self._story.relevant:
                pen.dot(at, _DOT * unit, THING, PAPER, 1.2 * unit)
            if name in moment.marked:
                pen.ring(at, 2.3 * _DOT * unit, MARKED, 2.2 * unit)

    def _way(self, pen: Canvas, robot: str, time: float) -> None:
        points = [self._plan.point(at) for at in self._story.ways.until(robot, time)]
        if len(points) > 1:
            pen.line(points, PATH, _WAY * self._unit)

    def _dots(self, moment: Moment, robots: dict[str, Point]) -> Iterator[tuple[str, Point]]:
        """The dot of each thing, those that the run is about first where there is room for a few."""
        boxes = {thing.name: self._furniture_box(thing) for thing in moment.world.furniture}
        shift = 1.3 * _BODY * self._unit
        for robot, at in robots.items():
            x, y = self._plan.point(at)
            boxes[robot] = Rectangle(x + 0.4 * shift, y - 1.6 * shift, x + 1.6 * shift, y - 0.4 * shift)
        for person in moment.world.people:
            x, y = self._plan.point(person.at)
            boxes[person.name] = Rectangle(x + shift / 2, y - shift, x + 1.5 * shift, y)
        held: dict[str, list[Thing]] = {}
        for item in moment.world.items:
            if item.holder in boxes:
                held.setdefault(item.holder, []).append(item)
            else:
                yield item.name, self._plan.point(item.at)
        for holder, items in held.items():
            items.sort(key=lambda item: item.name not in self._story.relevant)
            pitch = 2.3 * _DOT * self._unit
            yield from zip(
                (item.name for item in items), spread(boxes[holder], len(items), pitch), strict=False
            )

    # -- names ---------------------------------------------------------------------------------------
    def _draw_names(
        self, pen: Canvas, moment: Moment, robots: dict[str, Point], dots: dict[str, Point]
    ) -> None:
        """Draw the names there is room for: of what stands, then of what moves."""
        unit, plan = self._unit, self._plan
        standing = self._standing_names(pen, moment)
        holders = {thing.name: self._furniture_box(thing) for thing in moment.world.furniture}
        marks = [*holders.values()]
        marks += [plan.around(thing.at, 2 * _BODY * unit) for thing in moment.world.people]
        bodies = {robot: plan.around(at, 2 * _BODY * unit) for robot, at in robots.items()}
        things = {
            name: _square(at, 2 * _DOT * unit) for name, at in dots.items() if name in self._story.relevant
        }
        rests = {item.name: holders.get(item.holder) for item in moment.world.items}
        names = [_Name(name, rests.get(name) or mark, _NAME, THING) for name, mark in things.items()]
        if len(bodies) > 1:
            names += [_Name(name, mark, _NAME, ROBOT) for name, mark in bodies.items()]
        taken = [*marks, *bodies.values(), *things.values()]
        moving = self._laid_out(pen, names, taken, [box for _, box in standing])
        covered = [*bodies.values(), *(box for _, box in moving)]
        standing = [each for each in standing if not any(each[1].overlaps(box) for box in covered)]
        for name, box in (*standing, *moving):
            middle = (box.left + box.right) / 2, (box.top + box.bottom) / 2
            pen.text(middle, name.text, name.size * unit, name.colour, "mm", halo=ROOM)

    def _standing_names(self, pen: Canvas, moment: Moment) -> list[tuple[_Name, Rectangle]]:
        """The names of furniture, people and rooms, which stay where they are while those do."""
        world, relevant = moment.world, self._story.relevant
        marks = {thing.name: self._furniture_box(thing) for thing in world.furniture}
        marks |= {thing.name: self._plan.around(thing.at, 2 * _BODY * self._unit) for thing in world.people}
        key = tuple(marks.items())
        if self._standing is None or self._standing[0] != key:
            names = [_Name(name, mark, _NAME, INK) for name, mark in marks.items() if name in relevant]
            names += [
                _Name(room.name, self._plan.around(room.middle, 1), _ROOM, ROOM_NODE)
                for room in self._story.floor.rooms
            ]
            names += [_Name(name, mark, _NAME, GREY) for name, mark in marks.items() if name not in relevant]
            self._standing = key, self._laid_out(pen, names, list(marks.values()), self._stops)
        return self._standing[1]

    def _laid_out(
        self,
        pen: Canvas,
        names: Sequence[_Name],
        taken: Sequence[Rectangle],
        avoided: Sequence[Rectangle],
    ) -> list[tuple[_Name, Rectangle]]:
        """Names with their places. One that would be far off what it names is left out.

        What is *avoided* is covered only by names that the run is about, where there is no other room.
        """
        placed = self._placed(pen, names, [*taken, *avoided], self._lines)
        found = {name for name, _ in placed}
        missing = [name for name in names if name not in found and name.text in self._story.relevant]
        return placed + self._placed(pen, missing, [*taken, *(box for _, box in placed)])

    def _placed(
        self,
        pen: Canvas,
        names: Sequence[_Name],
        taken: Sequence[Rectangle],
        lines: Sequence[Line] = (),
    ) -> list[tuple[_Name, Rectangle]]:
        """Those of some names for which there is room near what they name, with their places."""
        unit = self._unit
        labels = [
            Label(
                pen.width_of(name.text, name.size * unit) + 2,
                name.size * unit * 1.3,
                name.mark,
                self._within(name.mark),
            )
            for name in names
        ]
        walls = self._plan.walls(self._story.floor.rooms)
        places = zip(names, lay_out(labels, [*taken, *walls], lines, self._page), strict=True)
        return [
            (name, box)
            for name, box in places
            if box is not None and (name.size == _ROOM or gap(box, name.mark) <= name.size * unit)
        ]

    def _within(self, mark: Rectangle) -> Rectangle | None:
        """The box of the room that the middle of a mark is in."""
        for room in self._story.floor.rooms:
            box = self._plan.box(room.low, room.high)
            if box.left <= (mark.left + mark.right) / 2 <= box.right and (
                box.top <= (mark.top + mark.bottom) / 2 <= box.bottom
            ):
                return box
        return None


def extent(story: Story) -> tuple[Point, Point]:
    """The corners of the floor that a story takes place on."""
    points = [corner for room in story.floor.rooms for corner in (room.low, room.high)]
    margin = 0.1
    if not points:
        margin, robots = _MARGIN, tuple(story.ways.robots())
        for moment in story.moments:
            world = moment.world
            points += [thing.at for thing in (*world.furniture, *world.people)]
            points += [item.at for item in world.items if item.holder not in robots]
        for robot in robots:
            points += story.ways.until(robot, story.moments[-1].time)
    low, high = (
        [min(point[axis] for point in points) - margin for axis in (0, 1)],
        [max(point[axis] for point in points) + margin for axis in (0, 1)],
    )
    for axis in (0, 1):
        short = max(0.0, _LEAST - (high[axis] - low[axis])) / 2
        low[axis] -= short
        high[axis] += short
    return (low[0], low[1]), (high[0], high[1])


def has_map(story: Story) -> bool:
    """Return whether there is anything to draw a map of."""
    return bool(story.floor.rooms) or any(
        moment.world.furniture or moment.world.items for moment in story.moments
    )


def gap(one: Rectangle, other: Rectangle) -> float:
    """Distance of two boxes."""
    across = max(one.left - other.right, other.left - one.right, 0.0)
    down = max(one.top - other.bottom, other.top - one.bottom, 0.0)
    return hypot(across, down)


def _square(at: Point, side: float) -> Rectangle:
    return Rectangle(at[0] - side / 2, at[1] - side / 2, at[0] + side / 2, at[1] + side / 2)
