"""Scenes that are drawn as rooms: rectangles side by side, with doors and openings in their walls.

Within a room the robot can go from any place to any other; from room to room only through an opening.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import dist

from pydantic import Field

from foretree.file_errors import KeyPath
from foretree.schema import Position, Strict
from foretree.simulation.household._file_checks import Checks
from foretree.simulation.household.scene import Door, Furniture, PersonAnswer
from foretree.world_model.maps.building_map import MapRoom, Point, shared_wall, way_cost
from foretree.world_model.maps.places import NodeKind, Place, PlaceGraph

#: Furniture stands at least this far apart, so that a position tells one piece from the next (metres).
ELBOW_ROOM = 0.9
#: Places to stand are at least this far apart (metres).
STEP = 0.3
#: Distance from a door at which one stands to open it (metres).
DOORSTEP = 0.4


class RoomEntry(Strict):
    """A room, by two of its corners."""

    from_: Position = Field(alias="from")
    to: Position


class PassageEntry(Strict):
    """An opening between two rooms; in the middle of their wall unless stated."""

    between: tuple[str, str]
    at: Position | None = None


class DoorEntry(PassageEntry):
    """A door between two rooms."""

    open: bool = False


class PersonEntry(Strict):
    """A person who stays in a room."""

    room: str
    at: Position


class HelperEntry(PersonEntry):
    """A person, and what the person can be asked for."""

    helps: tuple[str, ...] = ()
    answers: PersonAnswer = "done"
    seconds: float = Field(default=15.0, ge=0, le=3600)
    cost: int = Field(default=1000, ge=0, le=1_000_000)


class FurnitureEntry(PersonEntry):
    """A piece of furniture."""

    class_: str = Field(alias="class")
    states: tuple[str, ...] = ()


class RoomsFile(Strict):
    """The keys of a scene file that draws its rooms."""

    rooms: dict[str, RoomEntry] = Field(min_length=1)
    doors: dict[str, DoorEntry] = Field(default_factory=dict)
    passages: tuple[PassageEntry, ...] = ()
    furniture: dict[str, FurnitureEntry] = Field(min_length=1)
    people: dict[str, HelperEntry] = Field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Opening:
    """A way between two rooms: a door, or (without a name) an open passage."""

    rooms: tuple[str, str]
    at: Point
    door: str | None = None

    def side(self, room: str) -> str:
        """The name of the node on this side of it."""
        other = self.rooms[1] if room == self.rooms[0] else self.rooms[0]
        return f"{self.door}_{room}_side" if self.door else f"{room}_to_{other}"


class DrawnRooms:
    """Everything in a file of rooms that does not move, checked.

    Attributes:
        rooms: by name.
        places: places to stand, and the ways between them.
        doors: by name.
        furniture: by name.
        people: by name.
    """

    def __init__(self, read: RoomsFile, checks: Checks) -> None:
        self._checks = checks
        self.rooms = {name: self._room(name, room) for name, room in read.rooms.items()}
        self._openings = (
            *(self._opening(("doors", name), door, name) for name, door in read.doors.items()),
            *(self._opening(("passages", i), passage) for i, passage in enumerate(read.passages)),
        )
        self.furniture = {
            name: Furniture(
                name,
                checks.class_name(("furniture", name, "class"), entry.class_, "asset"),
                self._room_of(("furniture", name), entry),
                entry.at,
                checks.states(("furniture", name, "states"), entry.class_, entry.states),
            )
            for name, entry in read.furniture.items()
        }
        self.people = {
            name: Furniture(name, "person", self._room_of(("people", name), entry), entry.at)
            for name, entry in read.people.items()
        }
        self._check_distances([*self.furniture.values(), *self.people.values()])
        self.doors = {
            o.door: Door(o.door, o.rooms, o.at, read.doors[o.door].open) for o in self._openings if o.door
        }
        self.places = self._place_graph()

    def _room(self, name: str, room: RoomEntry) -> MapRoom:
        if room.from_[0] >= room.to[0] or room.from_[1] >= room.to[1]:
            raise self._checks.error(
                ("rooms", name), "'from' is the corner with the smaller x and y, 'to' the opposite."
            )
        return MapRoom(name, room.from_, room.to)

    def _opening(self, key: KeyPath, entry: PassageEntry, door: str | None = None) -> _Opening:
        error, between = self._checks.error, (*key, "between")
        one, other = (
            self.rooms[self._checks.one_of(between, name, self.rooms, "room")] for name in entry.between
        )
        if one is other:
            raise error(between, f"it leads from {one.name!r} to itself.")
        wall = shared_wall(one, other)
        if wall is None:
            raise error(between, f"{one.name!r} and {other.name!r} share no wall.")
        at = entry.at or ((wall[0][0] + wall[1][0]) / 2, (wall[0][1] + wall[1][1]) / 2)
        if not (one.contains(*at) and other.contains(*at)):
            raise error(
                (*key, "at"),
                f"{list(at)} is not on the wall of both rooms, from {list(wall[0])} to {list(wall[1])}.",
            )
        return _Opening((one.name, other.name), at, door)

    def _room_of(self, key: KeyPath, entry: PersonEntry) -> str:
        room = self.rooms[self._checks.one_of((*key, "room"), entry.room, self.rooms, "room")]
        if not room.contains(*entry.at):
            raise self._checks.error(
                (*key, "at"),
                f"{list(entry.at)} is outside {room.name}, "
                f"which goes from {list(room.low)} to {list(room.high)}.",
            )
        return room.name

    def _check_distances(self, standing: Sequence[Furniture]) -> None:
        for one, other in combinations(standing, 2):
            if dist(one.at, other.at) < ELBOW_ROOM:
                raise self._checks.error(
                    ("furniture", other.name, "at"),
                    f"it is {dist(one.at, other.at):.2f} m from {one.name}; leave at least {ELBOW_ROOM} m.",
                )

    def _nodes(self) -> Iterator[Place]:
        """Places to stand: mid-room, at furniture and people, on both sides of openings."""
        for room in self.rooms.values():
            yield Place(room.name, (*room.middle, 0.0), room.name, "room")
            for thing in (*self.furniture.values(), *self.people.values()):
                if thing.room == room.name:
                    kind: NodeKind = "asset" if thing.name in self.furniture else "person"
                    yield Place(thing.name, (*thing.at, 0.0), room.name, kind)
            for opening in self._openings:
                if room.name in opening.rooms:
                    pose = (*_away_from_walls(room, *opening.at), 0.0)
                    yield Place(opening.side(room.name), pose, room.name, "pose")

    def _place_graph(self) -> PlaceGraph:
        """The map: all nodes of a room are connected with each other; costs are decimetres."""
        nodes = list(self._nodes())
        for one, other in combinations(nodes, 2):
            if one.name == other.name:
                raise self._checks.error(
                    ("passages",), f"two of them lead {one.name}; only doors can be several."
                )
            if dist(one.pose, other.pose) < STEP:
                raise self._checks.error(
                    ("rooms",),
                    f"{one.name} and {other.name} are the same place to stand; move one {STEP} m away.",
                )
        places = PlaceGraph()
        for node in nodes:
            places.add(node.name, node.pose, node.room, node.kind)
        for room in self.rooms:
            for one, other in combinations([node for node in nodes if node.room == room], 2):
                places.connect(one.name, other.name, way_cost(one.pose[:2], other.pose[:2]))
        for opening in self._openings:
            one, other = (places.place(opening.side(room)) for room in opening.rooms)
            places.connect(one.name, other.name, way_cost(one.pose[:2], other.pose[:2]), opening.door)
        return places


def _away_from_walls(room: MapRoom, x: float, y: float) -> Point:
    """The point of a room nearest to (x, y) that is a doorstep away from the walls."""

    def clamp(value: float, low: float, high: float) -> float:
        low, high = low + DOORSTEP, high - DOORSTEP
        return min(max(value, low), high) if low < high else (low + high) / 2

    return clamp(x, room.low[0], room.high[0]), clamp(y, room.low[1], room.high[1])
