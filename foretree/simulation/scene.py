"""Scenes: one YAML file says what a world is at the start, what the agent is told, and what will go wrong.

Names in the file are the scene's own. The agent learns the names of rooms, furniture, doors and people, which
are on its map, and those of the items it is told about; of anything else it never hears the name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from math import dist
from pathlib import Path
from typing import Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from foretree.config import ConfigError, read_yaml
from foretree.errors import suggest
from foretree.world_model.entities import Pose
from foretree.world_model.ontology import Ontology, ThingClass

#: How a thing can rest on furniture, and what the furniture must afford for it.
RELATIONS: Mapping[str, str] = {
    "on": "surface",
    "in": "container",
    "under": "has_space_under",
    "hung_on": "hanger",
}

#: The states of each type of thing, and what a thing must afford to have them at all.
STATES: Mapping[str, Mapping[str, str | None]] = {
    "asset": {"open": "openable", "turned_on": "switchable", "wiped": "wipeable"},
    "door": {"open": "openable"},
    "item": {
        "clean": None,
        "hot": None,
        "cold": None,
        "sliced": "sliceable",
        "filled": "fillable",
        "stirred": "fillable",
        "laden": "scoop_tool",
        "folded": "foldable",
    },
}

#: Furniture stands at least this far apart, so that a position tells one piece from the next.
ELBOW_ROOM = 0.9

#: Places to stand are at least this far apart.
STEP = 0.3

#: How far from a door one stands to open it.
DOORSTEP = 0.4

Known: TypeAlias = Literal["everything", "map"]


class SceneError(ConfigError):
    """A scene file says something that makes no sense."""


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
    open: bool = True

    def side(self, room: str) -> str:
        """The name of the node on this side of it."""
        other = self.rooms[1] if room == self.rooms[0] else self.rooms[0]
        return f"{self.door}_{room}_side" if self.door else f"{room}_to_{other}"


@dataclass(frozen=True, slots=True)
class Furniture:
    """Something that stays where it is, or a person who does."""

    name: str
    class_name: str
    room: str
    at: tuple[float, float]
    states: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Item:
    """Something that can be carried."""

    name: str
    class_name: str
    relation: str
    place: str
    states: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Belonging:
    """Where the agent wrongly or rightly believes an item to be."""

    relation: str
    place: str
    states: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class RobotBody:
    """The robot of a scene: its hands, where it starts, how fast it drives (metres per second)."""

    name: str
    hands: tuple[str, ...]
    start: str
    speed: float = 0.5


@dataclass(frozen=True, slots=True)
class Noise:
    """How often a detection is wrong.

    Attributes:
        confusion: probability that a thing is taken for a look-alike.
        misread: probability that a state is read the wrong way round.
        missed: probability that an item in view is not detected.
    """

    confusion: float = 0.0
    misread: float = 0.0
    missed: float = 0.0


@dataclass(frozen=True, slots=True)
class Chance:
    """The probability, per action, of each thing that can go wrong of its own accord.

    The first six are what somebody else does to a random thing; the rest is the robot's own trouble.
    """

    move: float = 0.0
    open: float = 0.0
    close: float = 0.0
    clean: float = 0.0
    dirty: float = 0.0
    switch: float = 0.0
    fail: float = 0.0
    silent: float = 0.0
    hang: float = 0.0
    half: float = 0.0
    disconnect: float = 0.0


@dataclass(frozen=True, slots=True)
class Node:
    """Somewhere the robot can stand: a waypoint, or a piece of furniture or a person to stand at."""

    name: str
    pose: Pose
    room: str
    kind: Literal["pose", "room", "asset", "person"]


@dataclass(frozen=True)
class Scene:
    """A world at the start, and what the agent is told about it."""

    name: str
    ontology: Ontology
    rooms: Mapping[str, Room]
    openings: tuple[Opening, ...]
    furniture: Mapping[str, Furniture]
    items: Mapping[str, Item]
    people: Mapping[str, Furniture]
    robot: RobotBody
    says: str = ""
    known: Known | tuple[str, ...] = "everything"
    believed: Mapping[str, Belonging] = field(default_factory=dict)
    noise: Noise = Noise()
    faults: tuple[str, ...] = ()
    chance: Chance = Chance()
    instructions: tuple[str, ...] = ()
    source: Path | None = None

    @property
    def doors(self) -> dict[str, Opening]:
        """The openings that have a door, by its name."""
        return {opening.door: opening for opening in self.openings if opening.door}

    def nodes(self) -> Iterator[Node]:
        """Everywhere the robot can stand: mid-room, at furniture and people, on both sides of openings."""
        for room in self.rooms.values():
            yield Node(room.name, (*room.middle, 0.0), room.name, "room")
            for thing in self.furniture.values():
                if thing.room == room.name:
                    yield Node(thing.name, (*thing.at, 0.0), room.name, "asset")
            for person in self.people.values():
                if person.room == room.name:
                    yield Node(person.name, (*person.at, 0.0), room.name, "person")
            for opening in self.openings:
                if room.name in opening.rooms:
                    pose = (*room.inside(*opening.at, DOORSTEP), 0.0)
                    yield Node(opening.side(room.name), pose, room.name, "pose")

    def tells(self, name: str) -> bool:
        """Whether the agent learns a name at the start: everything on the map, and some items or all."""
        if name in self.items:
            listed = isinstance(self.known, tuple) and name in self.known
            return self.known == "everything" or listed or name in self.believed
        return name in {*self.furniture, *self.people, *self.doors, *(node.name for node in self.nodes())}


def states_of(known: ThingClass) -> tuple[str, ...]:
    """The states that things of a class can be in."""
    return tuple(
        state
        for state, needs in STATES.get(known.parent, {}).items()
        if needs is None or needs in known.affords
    )


def relations_of(known: ThingClass) -> tuple[str, ...]:
    """How things can rest on furniture of a class; the usual way first."""
    return tuple(relation for relation, needs in RELATIONS.items() if needs in known.affords)


# -- the file ----------------------------------------------------------------------------------------

_Point: TypeAlias = tuple[float, float]
_Rate: TypeAlias = float


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class _Room(_Strict):
    from_: _Point = Field(alias="from")
    to: _Point


class _Passage(_Strict):
    between: tuple[str, str]
    at: _Point | None = None


class _Door(_Passage):
    open: bool = False


class _Furniture(_Strict):
    class_: str = Field(alias="class")
    room: str
    at: _Point
    states: list[str] = []


class _Placed(_Strict):
    on: str | None = None
    in_: str | None = Field(default=None, alias="in")
    under: str | None = None
    hung_on: str | None = None


class _Item(_Placed):
    class_: str = Field(alias="class")
    states: list[str] = []


class _Believed(_Placed):
    states: list[str] | None = None


class _Person(_Strict):
    room: str
    at: _Point


class _Robot(_Strict):
    name: str = "robot1"
    hands: list[str] = Field(default=["left_hand", "right_hand"], min_length=1)
    at: str
    speed: float = Field(default=0.5, gt=0)


class _Noise(_Strict):
    confusion: float = Field(default=0.0, ge=0, le=1)
    misread: float = Field(default=0.0, ge=0, le=1)
    missed: float = Field(default=0.0, ge=0, le=1)


class _Chance(_Strict):
    move: float = Field(default=0.0, ge=0, le=1)
    open: float = Field(default=0.0, ge=0, le=1)
    close: float = Field(default=0.0, ge=0, le=1)
    clean: float = Field(default=0.0, ge=0, le=1)
    dirty: float = Field(default=0.0, ge=0, le=1)
    switch: float = Field(default=0.0, ge=0, le=1)
    fail: float = Field(default=0.0, ge=0, le=1)
    silent: float = Field(default=0.0, ge=0, le=1)
    hang: float = Field(default=0.0, ge=0, le=1)
    half: float = Field(default=0.0, ge=0, le=1)
    disconnect: float = Field(default=0.0, ge=0, le=1)


class _File(_Strict):
    scene: str
    says: str = ""
    rooms: dict[str, _Room] = Field(min_length=1)
    doors: dict[str, _Door] = {}
    passages: list[_Passage] = []
    furniture: dict[str, _Furniture] = Field(min_length=1)
    items: dict[str, _Item] = {}
    people: dict[str, _Person] = {}
    robot: _Robot
    known: str | list[str] = "everything"
    believed: dict[str, _Believed] = {}
    noise: _Noise = _Noise()
    faults: list[str] = []
    chance: _Chance = _Chance()
    instructions: list[str] = []


def load_scene(path: Path, ontology: Ontology) -> Scene:
    """Read a scene.

    Args:
        path: the YAML file.
        ontology: the classes that things in it can be of.

    Raises:
        ConfigError: the file cannot be read.
        SceneError: with the file, the key and what would have been valid there.
    """
    return scene_from(read_yaml(path), ontology, path)


def scene_from(data: Mapping[str, Any], ontology: Ontology, source: Path | None = None) -> Scene:
    """A scene from what its file says; *source* is named in errors.

    Raises:
        SceneError: with the key and what would have been valid there.
    """
    where = str(source) if source else "scene"
    try:
        read = _File.model_validate(dict(data))
    except ValidationError as error:
        raise SceneError(f"{where}: {_first_mistake(error)}") from error
    return _Builder(read, ontology, where).build(source)


class _Builder:
    """Checks what pydantic cannot: that names name something, and that things can be where they are."""

    def __init__(self, read: _File, ontology: Ontology, where: str) -> None:
        self.read = read
        self.ontology = ontology
        self.where = where

    def build(self, source: Path | None) -> Scene:
        read = self.read
        self._check_names()
        rooms = {name: self._room(name, room) for name, room in read.rooms.items()}
        openings = tuple(
            [self._opening(f"doors.{n}", d, rooms, n, d.open) for n, d in read.doors.items()]
            + [self._opening(f"passages.{i}", p, rooms) for i, p in enumerate(read.passages)]
        )
        furniture = {
            n: Furniture(
                n,
                self._class(f"furniture.{n}.class", f.class_, "asset"),
                self._in_room(f"furniture.{n}", f.room, f.at, rooms),
                f.at,
                self._states(f"furniture.{n}.states", f.class_, f.states),
            )
            for n, f in read.furniture.items()
        }
        people = {
            n: Furniture(n, "person", self._in_room(f"people.{n}", p.room, p.at, rooms), p.at)
            for n, p in read.people.items()
        }
        self._check_distances([*furniture.values(), *people.values()])
        items = {}
        for n, i in read.items.items():
            kind = self._class(f"items.{n}.class", i.class_, "item")
            relation, place = self._placement(f"items.{n}", i, furniture)
            items[n] = Item(n, kind, relation, place, self._states(f"items.{n}.states", kind, i.states))
        believed = {}
        for n, b in read.believed.items():
            item = items[self._one_of(f"believed.{n}", n, items, "item")]
            states = None if b.states is None else self._states(f"believed.{n}", item.class_name, b.states)
            believed[n] = Belonging(*self._placement(f"believed.{n}", b, furniture), states)
        robot = read.robot
        scene = Scene(
            name=read.scene,
            ontology=self.ontology,
            rooms=rooms,
            openings=openings,
            furniture=furniture,
            items=items,
            people=people,
            robot=RobotBody(robot.name, tuple(robot.hands), robot.at, robot.speed),
            says=read.says,
            known=self._known(items),
            believed=believed,
            noise=Noise(**read.noise.model_dump()),
            faults=tuple(read.faults),
            chance=Chance(**read.chance.model_dump()),
            instructions=tuple(read.instructions),
            source=source,
        )
        nodes = list(scene.nodes())
        for one, other in combinations(nodes, 2):
            if dist(one.pose, other.pose) < STEP:
                raise self._fail(
                    "rooms",
                    f"{one.name} and {other.name} are the same place to stand; move one {STEP} m away.",
                )
        self._one_of("robot.at", robot.at, [node.name for node in nodes], "node")
        return scene

    def _fail(self, key: str, mistake: str) -> SceneError:
        return SceneError(f"{self.where}: {key}: {mistake}")

    def _one_of(self, key: str, name: str, valid: Iterable[str], kind: str) -> str:
        names = list(valid)
        if name not in names:
            raise self._fail(key, f"there is no {kind} {name!r}. {suggest(name, names)}")
        return name

    def _check_names(self) -> None:
        read = self.read
        owner: dict[str, str] = {}
        groups: dict[str, Iterable[str]] = {
            "rooms": read.rooms,
            "doors": read.doors,
            "furniture": read.furniture,
            "items": read.items,
            "people": read.people,
            "robot.name": [read.robot.name],
            "robot.hands": read.robot.hands,
        }
        for group, names in groups.items():
            for name in names:
                if not re.fullmatch(r"[a-z][a-z0-9_-]*", name):
                    raise self._fail(
                        f"{group}.{name}",
                        "a name starts with a small letter and goes on with small letters, digits, _ and -.",
                    )
                if name in owner:
                    raise self._fail(f"{group}.{name}", f"the name is taken already, in {owner[name]}.")
                owner[name] = group

    def _room(self, name: str, room: _Room) -> Room:
        if room.from_[0] >= room.to[0] or room.from_[1] >= room.to[1]:
            raise self._fail(
                f"rooms.{name}", "'from' is the corner with the smaller x and y, 'to' the opposite."
            )
        return Room(name, room.from_, room.to)

    def _opening(
        self,
        key: str,
        way: _Passage,
        rooms: Mapping[str, Room],
        door: str | None = None,
        is_open: bool = True,
    ) -> Opening:
        one, other = (rooms[self._one_of(f"{key}.between", name, rooms, "room")] for name in way.between)
        if one is other:
            raise self._fail(f"{key}.between", f"it leads from {one.name!r} to itself.")
        wall = _shared_wall(one, other)
        if wall is None:
            raise self._fail(f"{key}.between", f"{one.name!r} and {other.name!r} share no wall.")
        at = way.at or ((wall[0][0] + wall[1][0]) / 2, (wall[0][1] + wall[1][1]) / 2)
        if not (one.contains(*at) and other.contains(*at)):
            raise self._fail(
                f"{key}.at",
                f"{list(at)} is not on the wall of both rooms, from {list(wall[0])} to {list(wall[1])}.",
            )
        return Opening((one.name, other.name), at, door, is_open)

    def _class(self, key: str, name: str, parent: str) -> str:
        names = [c.name for c in self.ontology.classes.values() if c.parent == parent]
        return self._one_of(key, name, names, f"class of {parent}")

    def _states(self, key: str, class_name: str, states: Iterable[str]) -> frozenset[str]:
        valid = states_of(self.ontology[class_name])
        return frozenset(self._one_of(key, state, valid, f"state of a {class_name}") for state in states)

    def _in_room(self, key: str, room: str, at: _Point, rooms: Mapping[str, Room]) -> str:
        where = rooms[self._one_of(f"{key}.room", room, rooms, "room")]
        if not where.contains(*at):
            raise self._fail(
                f"{key}.at",
                f"{list(at)} is outside {room}, which goes from {list(where.low)} to {list(where.high)}.",
            )
        return room

    def _check_distances(self, standing: list[Furniture]) -> None:
        for one, other in combinations(standing, 2):
            if dist(one.at, other.at) < ELBOW_ROOM:
                raise self._fail(
                    f"furniture.{other.name}.at",
                    f"it is {dist(one.at, other.at):.2f} m from {one.name}; leave at least {ELBOW_ROOM} m.",
                )

    def _placement(self, key: str, thing: _Placed, furniture: Mapping[str, Furniture]) -> tuple[str, str]:
        said = {"on": thing.on, "in": thing.in_, "under": thing.under, "hung_on": thing.hung_on}
        given = [(relation, place) for relation, place in said.items() if place is not None]
        if len(given) != 1:
            raise self._fail(key, f"say where it is with exactly one of {', '.join(RELATIONS)}.")
        relation, place = given[0]
        kind = furniture[self._one_of(f"{key}.{relation}", place, furniture, "piece of furniture")].class_name
        valid = relations_of(self.ontology[kind])
        if relation not in valid:
            can = f"it can be {' or '.join(valid)} it" if valid else "nothing can be put there"
            raise self._fail(f"{key}.{relation}", f"a thing cannot be {relation} a {kind}; {can}.")
        return relation, place

    def _known(self, items: Mapping[str, Item]) -> Known | tuple[str, ...]:
        known = self.read.known
        if isinstance(known, str):
            if known == "everything":
                return "everything"
            if known == "map":
                return "map"
            raise self._fail("known", f"say everything, map, or a list of items, not {known!r}.")
        return tuple(self._one_of("known", name, items, "item") for name in known)


def _shared_wall(one: Room, other: Room) -> tuple[_Point, _Point] | None:
    low = max(one.low[0], other.low[0]), max(one.low[1], other.low[1])
    high = min(one.high[0], other.high[0]), min(one.high[1], other.high[1])
    if low[0] > high[0] or low[1] > high[1]:
        return None
    return low, high


def _first_mistake(error: ValidationError) -> str:
    mistake = error.errors(include_url=False)[0]
    where = ".".join(map(str, mistake["loc"]))
    if mistake["type"] == "extra_forbidden":
        return (
            f"{where}: there is no such key. {suggest(str(mistake['loc'][-1]), _keys_beside(mistake['loc']))}"
        )
    if mistake["type"] == "missing":
        return f"{where}: is missing."
    return f"{where}: {mistake['msg']}, not {mistake['input']!r}."


_SECTIONS: Mapping[str, type[BaseModel]] = {
    "rooms": _Room,
    "doors": _Door,
    "passages": _Passage,
    "furniture": _Furniture,
    "items": _Item,
    "people": _Person,
    "robot": _Robot,
    "believed": _Believed,
    "noise": _Noise,
    "chance": _Chance,
}


def _keys_beside(location: tuple[int | str, ...]) -> list[str]:
    model = _SECTIONS.get(str(location[0]), _File) if len(location) > 1 else _File
    return [info.alias or name for name, info in model.model_fields.items()]
