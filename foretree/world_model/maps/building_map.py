"""The visual-topological map of a building: places, rooms and doors, and assets with images.

Three layers over the same nodes: the :class:`~foretree.world_model.maps.places.PlaceGraph` has the places and
the costs between them; rooms and doors divide the floor; and assets (furniture and appliances) have an image
and a caption each. Rooms are rectangles, and a straight way leads from one into the next.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil, dist
from pathlib import Path
from typing import TypeAlias

from foretree.errors import suggest
from foretree.world_model.maps.places import MapError, PlaceGraph

#: A point on the floor, in metres: x to the east, y to the north.
Point: TypeAlias = tuple[float, float]

#: What two walls may differ by and still be the same, in metres.
_TOLERANCE = 1e-6

#: The width of an opening in a wall, and what stays of the wall beside it, in metres.
_OPENING_WIDTH, _JAMB = 1.6, 0.1


@dataclass(frozen=True, slots=True)
class MapRoom:
    """A room: a rectangle on the floor.

    Attributes:
        name: its name, which is also that of the node in it.
        low: the corner with the smaller x and y, in metres.
        high: the opposite corner.
        says: a description for people.
    """

    name: str
    low: Point
    high: Point
    says: str = ""

    @property
    def middle(self) -> Point:
        """Its centre."""
        return (self.low[0] + self.high[0]) / 2, (self.low[1] + self.high[1]) / 2

    def contains(self, x: float, y: float) -> bool:
        """Return whether a point lies in the room, walls included."""
        return (
            self.low[0] - _TOLERANCE <= x <= self.high[0] + _TOLERANCE
            and self.low[1] - _TOLERANCE <= y <= self.high[1] + _TOLERANCE
        )


def overlap(one: MapRoom, other: MapRoom) -> bool:
    """Return whether two rooms have more in common than a wall."""
    return all(
        min(one.high[axis], other.high[axis]) - max(one.low[axis], other.low[axis]) > _TOLERANCE
        for axis in (0, 1)
    )


def shared_wall(one: MapRoom, other: MapRoom) -> tuple[Point, Point] | None:
    """The ends of the wall that two rooms share; None if they share none, or only a corner."""
    low = max(one.low[0], other.low[0]), max(one.low[1], other.low[1])
    high = min(one.high[0], other.high[0]), min(one.high[1], other.high[1])
    spans = [high[axis] - low[axis] for axis in (0, 1)]
    if min(spans) < -_TOLERANCE or max(spans) <= _TOLERANCE:
        return None
    return low, high


def crossing(one: MapRoom, other: MapRoom, start: Point, end: Point) -> Point | None:
    """The point where the straight way from *start*, in one room, to *end*, in the other, passes their wall.

    None if the way leaves the first room before it comes to the second: it would go through another wall.
    """
    leaves = _inside(one, start, end)
    enters = _inside(other, end, start)
    if leaves + enters < 1 - _TOLERANCE:
        return None
    return start[0] + leaves * (end[0] - start[0]), start[1] + leaves * (end[1] - start[1])


def openings(rooms: Mapping[str, MapRoom], places: PlaceGraph) -> tuple[tuple[Point, Point], ...]:
    """The gaps in walls through which passages lead that have no door, by their ends."""
    found: dict[tuple[Point, Point], None] = {}
    for passage in places.passages():
        start, end = places.place(passage.one), places.place(passage.other)
        one, other = rooms.get(start.room), rooms.get(end.room)
        if one is None or other is None or one is other or passage.door is not None:
            continue
        wall, at = shared_wall(one, other), crossing(one, other, start.pose[:2], end.pose[:2])
        if wall is not None and at is not None:
            found[_gap(wall, at)] = None
    return tuple(found)


def _gap(wall: tuple[Point, Point], at: Point) -> tuple[Point, Point]:
    """The part of a wall around a point that is open; a little of the wall stays at its ends."""
    along = 0 if wall[1][0] - wall[0][0] > wall[1][1] - wall[0][1] else 1
    low, high = [*at], [*at]
    low[along] = max(wall[0][along] + _JAMB, at[along] - _OPENING_WIDTH / 2)
    high[along] = min(wall[1][along] - _JAMB, at[along] + _OPENING_WIDTH / 2)
    return (low[0], low[1]), (high[0], high[1])


def way_cost(start: Point, end: Point) -> int:
    """Cost of a straight way: its length in decimetres, rounded up."""
    return max(1, ceil(round(10 * dist(start, end), 6)))


def _inside(room: MapRoom, start: Point, end: Point) -> float:
    """The share of the way from *start* to *end* that lies in the room of *start*, from 0 to 1."""
    share = 1.0
    for axis in (0, 1):
        way = end[axis] - start[axis]
        if way:
            wall = room.high[axis] if way > 0 else room.low[axis]
            share = min(share, (wall - start[axis]) / way)
    return max(share, 0.0)


@dataclass(frozen=True, slots=True)
class MapAsset:
    """A piece of furniture or an appliance that a robot works at.

    Attributes:
        name: its name, which is also that of the node at which the robot stands to work at it.
        class_name: its class (``fridge``).
        room: the room it is in.
        at: its position.
        image: a file that shows it.
        caption: a description: what it is, where it is and what it is for.
    """

    name: str
    class_name: str
    room: str
    at: Point
    image: Path
    caption: str


@dataclass(frozen=True, slots=True)
class MapDoor:
    """A door.

    Attributes:
        name: its name.
        at: its position in the wall.
        between: the rooms on its two sides.
    """

    name: str
    at: Point
    between: tuple[str, str]


@dataclass(frozen=True)
class BuildingMap:
    """A building's map. :class:`~foretree.world_model.maps.map_builder.MapBuilder` makes one.

    Attributes:
        name: its name.
        places: its nodes and passages. Costs are decimetres.
        rooms: by name; each has a node of the same name.
        assets: by name; each has a node of the same name.
        doors: by name; each is in at least one passage.
        says: a description for people, in one sentence.
        source: the file it was read from.
    """

    name: str
    places: PlaceGraph
    rooms: Mapping[str, MapRoom]
    assets: Mapping[str, MapAsset]
    doors: Mapping[str, MapDoor]
    says: str = ""
    source: Path | None = None

    def asset(self, name: str) -> MapAsset:
        """The asset of that name.

        Raises:
            MapError: there is none; the message lists those there are.
        """
        try:
            return self.assets[name]
        except KeyError:
            raise MapError(
                f"The map {self.name} has no asset {name!r}. {suggest(name, self.assets)}"
            ) from None

    def door(self, name: str) -> MapDoor:
        """The door of that name.

        Raises:
            MapError: there is none; the message lists those there are.
        """
        try:
            return self.doors[name]
        except KeyError:
            raise MapError(f"The map {self.name} has no door {name!r}. {suggest(name, self.doors)}") from None

    def assets_in(self, room: str) -> tuple[MapAsset, ...]:
        """The assets of a room, in the order of the map."""
        return tuple(asset for asset in self.assets.values() if asset.room == room)

    def doors_of(self, room: str) -> tuple[MapDoor, ...]:
        """The doors of a room, in the order of the map."""
        return tuple(door for door in self.doors.values() if room in door.between)


def relative_path(image: Path, folder: Path) -> str:
    """The path of an image as map files name it: relative to the folder that the file is in."""
    return Path(os.path.relpath(image.resolve(), folder)).as_posix()
