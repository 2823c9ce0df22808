"""Reading scenes: what a scene file may say, and the checks that a model of keys and types cannot make."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import combinations
from math import dist
from pathlib import Path
from typing import TypeAlias

from pydantic import Field

from foretree.changes import Changes
from foretree.config import ConfigError, read_yaml
from foretree.errors import suggest
from foretree.schema import Location, Strict, mistake_at, validate
from foretree.simulation.rooms import Dwelling, Opening, Room
from foretree.simulation.scene import (
    HOUSEHOLD,
    RELATIONS,
    Belonging,
    Chance,
    Furniture,
    Item,
    Door,
    Known,
    Noise,
    RobotBody,
    Scene,
    relations_of,
    states_of,
)
from foretree.world_model.ontology import Ontology

#: Furniture stands at least this far apart, so that a position tells one piece from the next.
ELBOW_ROOM = 0.9

#: Places to stand are at least this far apart.
STEP = 0.3

_Point: TypeAlias = tuple[float, float]


class _Room(Strict):
    from_: _Point = Field(alias="from")
    to: _Point


class _Passage(Strict):
    between: tuple[str, str]
    at: _Point | None = None


class _Door(_Passage):
    open: bool = False


class _Furniture(Strict):
    class_: str = Field(alias="class")
    room: str
    at: _Point
    states: tuple[str, ...] = ()


class _Placed(Strict):
    on: str | None = None
    in_: str | None = Field(default=None, alias="in")
    under: str | None = None
    hung_on: str | None = None


class _Item(_Placed):
    class_: str = Field(alias="class")
    states: tuple[str, ...] = ()


class _Believed(_Placed):
    states: tuple[str, ...] | None = None


class _Person(Strict):
    room: str
    at: _Point


class _Robot(Strict):
    name: str = "robot1"
    hands: tuple[str, ...] = Field(default=("left_hand", "right_hand"), min_length=1)
    at: str
    speed: float = Field(default=0.5, gt=0)


class _Noise(Strict):
    confusion: float = Field(default=0.0, ge=0, le=1)
    misread: float = Field(default=0.0, ge=0, le=1)
    missed: float = Field(default=0.0, ge=0, le=1)


class _Chance(Strict):
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


class _File(Strict):
    scene: str
    says: str = ""
    rooms: dict[str, _Room] = Field(min_length=1)
    doors: dict[str, _Door] = Field(default_factory=dict)
    passages: tuple[_Passage, ...] = ()
    furniture: dict[str, _Furniture] = Field(min_length=1)
    items: dict[str, _Item] = Field(default_factory=dict)
    people: dict[str, _Person] = Field(default_factory=dict)
    robot: _Robot
    known: str | tuple[str, ...] = "everything"
    believed: dict[str, _Believed] = Field(default_factory=dict)
    noise: _Noise = _Noise()
    faults: tuple[str, ...] = ()
    chance: _Chance = _Chance()
    instructions: tuple[str, ...] = ()


def read_scene_file(path: Path, ontology: Ontology, changes: Mapping[str, str] | None = None) -> Scene:
    """Read a scene, with some values of the file changed.

    Raises:
        ConfigError: with the file, the line, the key and what would have been valid there.
    """
    made = Changes("scene", changes or {})
    with made.blamed():
        return _Builder(validate(_File, made.made_in(read_yaml(path)), path), ontology, path).build()


class _Builder:
    """Checks what pydantic cannot: that names name something, and that things can be where they are."""

    def __init__(self, read: _File, ontology: Ontology, path: Path) -> None:
        self.read = read
        self.ontology = ontology
        self.path = path

    def build(self) -> Scene:
        read = self.read
        self._check_names()
        rooms = {name: self._room(name, room) for name, room in read.rooms.items()}
        openings = tuple(
            [self._opening(("doors", n), d, rooms, n, d.open) for n, d in read.doors.items()]
            + [self._opening(("passages", i), p, rooms) for i, p in enumerate(read.passages)]
        )
        furniture = {
            n: Furniture(
                n,
                self._class(("furniture", n, "class"), f.class_, "asset"),
                self._in_room(("furniture", n), f.room, f.at, rooms),
                f.at,
                self._states(("furniture", n, "states"), f.class_, f.states),
            )
            for n, f in read.furniture.items()
        }
        people = {
            n: Furniture(n, "person", self._in_room(("people", n), p.room, p.at, rooms), p.at)
            for n, p in read.people.items()
        }
        self._check_distances([*furniture.values(), *people.values()])
        items = {}
        for n, i in read.items.items():
            kind = self._class(("items", n, "class"), i.class_, "item")
            relation, place = self._placement(("items", n), i, furniture)
            items[n] = Item(n, kind, relation, place, self._states(("items", n, "states"), kind, i.states))
        believed = {}
        for n, b in read.believed.items():
            item = items[self._one_of(("believed", n), n, items, "item")]
            states = None if b.states is None else self._states(("believed", n), item.class_name, b.states)
            believed[n] = Belonging(*self._placement(("believed", n), b, furniture), states)
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
            source=self.path,
        )
        nodes = list(scene.nodes())
        for one, other in combinations(nodes, 2):
            if one.name == other.name:
                raise self._fail(("passages",), f"two of them lead {one.name}; only doors can be several.")
            if dist(one.pose, other.pose) < STEP:
                raise self._fail(
                    ("rooms",),
                    f"{one.name} and {other.name} are the same place to stand; move one {STEP} m away.",
                )
        self._one_of(("robot", "at"), robot.at, [node.name for node in nodes], "node")
        return scene

    def _fail(self, key: Location, mistake: str) -> ConfigError:
        return mistake_at(self.path, key, mistake)

    def _one_of(self, key: Location, name: str, valid: Iterable[str], kind: str) -> str:
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
            "robot": [read.robot.name, *read.robot.hands],
        }
        for group, names in groups.items():
            for name in names:
                if not re.fullmatch(r"[a-z][a-z0-9_-]*", name):
                    raise self._fail(
                        (group, name),
                        "a name starts with a small letter and goes on with small letters, digits, _ and -.",
                    )
                if name in owner:
                    raise self._fail((group, name), f"the name is taken already, in {owner[name]}.")
                owner[name] = group

    def _room(self, name: str, room: _Room) -> Room:
        if room.from_[0] >= room.to[0] or room.from_[1] >= room.to[1]:
            raise self._fail(
                ("rooms", name), "'from' is the corner with the smaller x and y, 'to' the opposite."
            )
        return Room(name, room.from_, room.to)

    def _opening(
        self,
        key: Location,
        way: _Passage,
        rooms: Mapping[str, Room],
        door: str | None = None,
        is_open: bool = True,
    ) -> Opening:
        one, other = (rooms[self._one_of((*key, "between"), name, rooms, "room")] for name in way.between)
        if one is other:
            raise self._fail((*key, "between"), f"it leads from {one.name!r} to itself.")
        wall = _shared_wall(one, other)
        if wall is None:
            raise self._fail((*key, "between"), f"{one.name!r} and {other.name!r} share no wall.")
        at = way.at or ((wall[0][0] + wall[1][0]) / 2, (wall[0][1] + wall[1][1]) / 2)
        if not (one.contains(*at) and other.contains(*at)):
            raise self._fail(
                (*key, "at"),
                f"{list(at)} is not on the wall of both rooms, from {list(wall[0])} to {list(wall[1])}.",
            )
        return Opening((one.name, other.name), at, door, is_open)

    def _class(self, key: Location, name: str, parent: str) -> str:
        names = [c.name for c in self.ontology.classes.values() if c.parent == parent]
        return self._one_of(key, name, names, f"class of {parent}")

    def _states(self, key: Location, class_name: str, states: Iterable[str]) -> frozenset[str]:
        valid = states_of(self.ontology[class_name])
        return frozenset(self._one_of(key, state, valid, f"state of a {class_name}") for state in states)

    def _in_room(self, key: Location, room: str, at: _Point, rooms: Mapping[str, Room]) -> str:
        where = rooms[self._one_of((*key, "room"), room, rooms, "room")]
        if not where.contains(*at):
            raise self._fail(
                (*key, "at"),
                f"{list(at)} is outside {room}, which goes from {list(where.low)} to {list(where.high)}.",
            )
        return room

    def _check_distances(self, standing: list[Furniture]) -> None:
        for one, other in combinations(standing, 2):
            if dist(one.at, other.at) < ELBOW_ROOM:
                raise self._fail(
                    ("furniture", other.name, "at"),
                    f"it is {dist(one.at, other.at):.2f} m from {one.name}; leave at least {ELBOW_ROOM} m.",
                )

    def _placement(
        self, key: Location, thing: _Placed, furniture: Mapping[str, Furniture]
    ) -> tuple[str, str]:
        said = {"on": thing.on, "in": thing.in_, "under": thing.under, "hung_on": thing.hung_on}
        given = [(relation, place) for relation, place in said.items() if place is not None]
        if len(given) != 1:
            raise self._fail(key, f"say where it is with exactly one of {', '.join(RELATIONS)}.")
        relation, place = given[0]
        kind = furniture[self._one_of((*key, relation), place, furniture, "piece of furniture")].class_name
        valid = relations_of(self.ontology[kind])
        if relation not in valid:
            can = f"it can be {' or '.join(valid)} it" if valid else "nothing can be put there"
            raise self._fail((*key, relation), f"a thing cannot be {relation} a {kind}; {can}.")
        return relation, place

    def _known(self, items: Mapping[str, Item]) -> Known | tuple[str, ...]:
        known = self.read.known
        if isinstance(known, str):
            if known == "everything":
                return "everything"
            if known == "map":
                return "map"
            raise self._fail(("known",), f"say everything, map, or a list of items, not {known!r}.")
        return tuple(self._one_of(("known",), name, items, "item") for name in known)


def _shared_wall(one: Room, other: Room) -> tuple[_Point, _Point] | None:
    low = max(one.low[0], other.low[0]), max(one.low[1], other.low[1])
    high = min(one.high[0], other.high[0]), min(one.high[1], other.high[1])
    if low[0] > high[0] or low[1] > high[1]:
        return None
    return low, high
