"""Scenes that are drawn as rooms: rectangles side by side, with doors and openings in their walls.

Within a room the robot can go from any place to any other; from room to room only through an opening.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations

from foretree.simulation.household.scene import Furniture
from foretree.world_model.maps.floor_plan import MapRoom, Point, way_cost
from foretree.world_model.maps.places import Place, PlaceGraph

#: How far from a door one stands to open it.
DOORSTEP = 0.4


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

    rooms: tuple[MapRoom, ...]
    openings: tuple[Opening, ...]
    furniture: tuple[Furniture, ...]
    people: tuple[Furniture, ...]

    def places(self) -> Iterator[Place]:
        """Everywhere the robot can stand: mid-room, at furniture and people, on both sides of openings."""
        for room in self.rooms:
            yield Place(room.name, (*room.middle, 0.0), room.name, "room")
            for thing in _standing_in(room, self.furniture):
                yield Place(thing.name, (*thing.at, 0.0), room.name, "asset")
            for person in _standing_in(room, self.people):
                yield Place(person.name, (*person.at, 0.0), room.name, "person")
            for opening in self.openings:
                if room.name in opening.rooms:
                    pose = (*_away_from_walls(room, *opening.at), 0.0)
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


def _standing_in(room: MapRoom, standing: Iterable[Furniture]) -> Iterator[Furniture]:
    return (thing for thing in standing if thing.room == room.name)


def _away_from_walls(room: MapRoom, x: float, y: float) -> Point:
    """The point of a room nearest to (x, y) that is a doorstep away from the walls."""

    def clamp(value: float, low: float, high: float) -> float:
        low, high = low + DOORSTEP, high - DOORSTEP
        return min(max(value, low), high) if low < high else (low + high) / 2

    return clamp(x, room.low[0], room.high[0]), clamp(y, room.low[1], room.high[1])


def _cost(places: PlaceGraph, one: str, other: str) -> int:
    start, end = (places.place(name).pose for name in (one, other))
    return way_cost(start[:2], end[:2])
