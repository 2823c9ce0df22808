"""Scenes that are drawn as rooms: rectangles side by side, with doors and openings in their walls.

Within a room the robot can go from any place to any other; from room to room only through an opening.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from math import ceil, dist

from foretree.simulation.scene import Furniture
from foretree.world_model.places import Place, PlaceGraph

#: How far from a door one stands to open it.
DOORSTEP = 0.4


@dataclass(frozen=True, slots=True)
class Room:
    """A rectangle on the floor."""

    name: str
    low: tuple[float, float]
    high: tuple[float, float]

    @property
    def middle(self) -> tuple[float, float]:
        """Its centre."""
        return (self.low[0] + self.high[0]) / 2, (self.low[1] + self.high[1]) / 2

    def contains(self, x: float, y: float) -> bool:
        """Whether a point lies in the room, walls included."""
        return self.low[0] <= x <= self.high[0] and self.low[1] <= y <= self.high[1]

    def inside(self, x: float, y: float, margin: float) -> tuple[float, float]:
        """The point nearest to (x, y) that is at least *margin* away from the walls."""

        def clamp(value: float, low: float, high: float) -> float:
            return (
                min(max(value, low + margin), high - margin) if high - low > 2 * margin else (low + high) / 2
            )

        return clamp(x, self.low[0], self.high[0]), clamp(y, self.low[1], self.high[1])


@dataclass(frozen=True, slots=True)
class Opening:
    """A way between two rooms: a door, or (without a name) an open passage."""

    rooms: tuple[str, str]
    at: tuple[float, float]
    door: str | None = None

    def side(self, room: str) -> str:
        """The name of the node on this side of it."""
        other = self.rooms[1] if room == self.rooms[0] else self.rooms[0]
        return f"{self.door}_{room}_side" if self.door else f"{room}_to_{other}"


@dataclass(frozen=True, slots=True)
class Dwelling:
    """Rooms, what is between them, and what stands in them."""

    rooms: tuple[Room, ...]
    openings: tuple[Opening, ...]
    furniture: tuple[Furniture, ...]
    people: tuple[Furniture, ...]

    def places(self) -> Iterator[Place]:
        """Everywhere the robot can stand: mid-room, at furniture and people, on both sides of openings."""
        for room in self.rooms:
            yield Place(room.name, (*room.middle, 0.0), room.name, "room")
            for thing in _inside(room, self.furniture):
                yield Place(thing.name, (*thing.at, 0.0), room.name, "asset")
            for person in _inside(room, self.people):
                yield Place(person.name, (*person.at, 0.0), room.name, "person")
            for opening in self.openings:
                if room.name in opening.rooms:
                    pose = (*room.inside(*opening.at, DOORSTEP), 0.0)
                    yield Place(opening.side(room.name), pose, room.name, "pose")

    def place_graph(self) -> PlaceGraph:
        """The map: all nodes of a room are connected with each other; costs are decimetres."""
        places = PlaceGraph()
        in_room: dict[str, list[str]] = {}
        for place in self.places():
            places.add(place.name, place.pose, place.room, place.kind)
            in_room.setdefault(place.room, []).append(place.name)
        for names in in_room.values():
            for one, other in combinations(names, 2):
                places.connect(one, other, _cost(places, one, other))
        for opening in self.openings:
            one, other = (opening.side(room) for room in opening.rooms)
            places.connect(one, other, _cost(places, one, other), opening.door)
        return places


def _inside(room: Room, standing: Iterable[Furniture]) -> Iterator[Furniture]:
    return (thing for thing in standing if thing.room == room.name)


def _cost(places: PlaceGraph, one: str, other: str) -> int:
    return max(1, ceil(round(10 * dist(places.place(one).pose, places.place(other).pose), 6)))
