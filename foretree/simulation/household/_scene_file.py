"""Reading scenes: what a scene file may say, and the checks that a model of keys and types cannot make."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from math import dist
from pathlib import Path
from typing import TYPE_CHECKING, Generic, Literal, TypeVar

from pydantic import Field

from foretree.changes import Changes
from foretree.config import ConfigError, find_config, read_yaml
from foretree.errors import suggest
from foretree.file_errors import KeyPath, error_at
from foretree.schema import Position, Strict, validate
from foretree.simulation.faults.fault_script import FaultRates
from foretree.simulation.household._drawn_rooms import Dwelling, Opening
from foretree.simulation.household._support import takes_one, ways_to_rest
from foretree.simulation.household.placement import Placed
from foretree.simulation.household.rules import ABILITIES
from foretree.simulation.household.scene import (
    Belonging,
    Door,
    Furniture,
    Item,
    Known,
    Noise,
    RobotBody,
    Scene,
    relations_of,
    states_of,
)
from foretree.world_model.maps.floor_plan import MapRoom, shared_wall
from foretree.world_model.maps.places import PlaceGraph
from foretree.world_model.ontology import Ontology
from foretree.world_model.ontology_file import load_ontology

if TYPE_CHECKING:
    from foretree.world_model.maps.building_map import BuildingMap

#: Furniture stands at least this far apart, so that a position tells one piece from the next.
ELBOW_ROOM = 0.9

#: Places to stand are at least this far apart.
STEP = 0.3


class _Room(Strict):
    from_: Position = Field(alias="from")
    to: Position


class _Passage(Strict):
    between: tuple[str, str]
    at: Position | None = None


class _Door(_Passage):
    open: bool = False


class _Furniture(Strict):
    class_: str = Field(alias="class")
    room: str
    at: Position
    states: tuple[str, ...] = ()


class _Item(Placed):
    class_: str = Field(alias="class")
    states: tuple[str, ...] = ()


class _Believed(Placed):
    states: tuple[str, ...] | None = None


class _Scattered(Strict):
    classes: tuple[str, ...] = Field(min_length=1)
    on: tuple[str, ...] = ()
    in_: tuple[str, ...] = Field(default=(), alias="in")
    under: tuple[str, ...] = ()
    hung_on: tuple[str, ...] = ()


class _Person(Strict):
    room: str
    at: Position


class _Robot(Strict):
    name: str = "robot1"
    hands: tuple[str, ...] = Field(default=("left_hand", "right_hand"), min_length=1)
    at: str
    speed: float = Field(default=0.5, ge=0.001, le=1000)


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
    domain: Literal["household", "tabletop"] = "household"
    says: str = ""
    items: dict[str, _Item] = Field(default_factory=dict)
    robot: _Robot
    known: str | tuple[str, ...] = "everything"
    believed: dict[str, _Believed] = Field(default_factory=dict)
    noise: _Noise = _Noise()
    faults: tuple[str, ...] = ()
    chance: _Chance = _Chance()
    instructions: tuple[str, ...] = ()
    scattered: tuple[_Scattered, ...] = ()


class _RoomsFile(_File):
    rooms: dict[str, _Room] = Field(min_length=1)
    doors: dict[str, _Door] = Field(default_factory=dict)
    passages: tuple[_Passage, ...] = ()
    furniture: dict[str, _Furniture] = Field(min_length=1)
    people: dict[str, _Person] = Field(default_factory=dict)


class _MapFile(_File):
    map: str
    states: dict[str, tuple[str, ...]] = Field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Ground:
    """What does not move: where one can stand, the doors, and what stands there."""

    places: PlaceGraph
    doors: Mapping[str, Door]
    furniture: Mapping[str, Furniture]
    people: Mapping[str, Furniture] = field(default_factory=dict)
    building: BuildingMap | None = None


def read_scene_file(
    path: Path, ontology: Ontology | None = None, changes: Mapping[str, str] | None = None
) -> Scene:
    """Read a scene, with some values of the file changed.

    Raises:
        ConfigError: with the file, the line, the key and what would have been valid there.
    """
    made = Changes("scene", changes or {})
    with made.blamed():
        said = made.made_in(read_yaml(path))
        read: _MapFile | _RoomsFile = (
            validate(_MapFile, said, path) if "map" in said else validate(_RoomsFile, said, path)
        )
        classes = ontology or load_ontology(find_config("domains", read.domain))
        if classes.source is not None and classes.source.stem in ABILITIES.keys() - {read.domain}:
            raise error_at(
                path,
                ("domain",),
                f"its things are of the domain {read.domain}, but are to be those of {classes.source.stem}.",
            )
        builder = _OnMap(read, classes, path) if isinstance(read, _MapFile) else _InRooms(read, classes, path)
        return builder.build()


F = TypeVar("F", bound=_File)


class _Builder(ABC, Generic[F]):
    """Checks what pydantic cannot: that names name something, and that things can be where they are."""

    def __init__(self, read: F, ontology: Ontology, path: Path) -> None:
        self.read = read
        self.ontology = ontology
        self.path = path

    @abstractmethod
    def ground(self) -> _Ground:
        """What the file says, or its map, of what does not move."""

    @abstractmethod
    def fixed_names(self) -> dict[str, Iterable[str]]:
        """The names of what does not move, by the key under which the file has them."""

    def build(self) -> Scene:
        read = self.read
        self._check_names()
        ground = self.ground()
        classes = {name: thing.class_name for name, thing in ground.furniture.items()}
        for n, i in read.items.items():
            classes[n] = self._class(("items", n, "class"), i.class_, "item")
        items = {}
        for n, i in read.items.items():
            relation, place = self._placement(("items", n), n, i, classes)
            states = self._states(("items", n, "states"), classes[n], i.states)
            items[n] = Item(n, classes[n], relation, place, states)
        self._check_supports(items, classes)
        believed = {}
        for n, b in read.believed.items():
            item = items[self._one_of(("believed", n), n, items, "item")]
            believed_states = (
                None if b.states is None else self._states(("believed", n), item.class_name, b.states)
            )
            believed[n] = Belonging(*self._placement(("believed", n), n, b, classes), believed_states)
        robot = read.robot
        scene = Scene(
            name=read.scene,
            ontology=self.ontology,
            places=ground.places,
            doors=ground.doors,
            furniture=ground.furniture,
            items=items,
            people=ground.people,
            robot=RobotBody(robot.name, tuple(robot.hands), robot.at, robot.speed),
            domain=read.domain,
            says=read.says,
            known=self._known(items),
            believed=believed,
            noise=Noise(**read.noise.model_dump()),
            faults=tuple(read.faults),
            chance=FaultRates(**read.chance.model_dump()),
            instructions=tuple(read.instructions),
            scattered=self._scattered(ground.furniture),
            building=ground.building,
            source=self.path,
        )
        self._one_of(("robot", "at"), robot.at, [node.name for node in scene.nodes()], "node")
        return scene

    def _fail(self, key: KeyPath, mistake: str) -> ConfigError:
        return error_at(self.path, key, mistake)

    def _one_of(self, key: KeyPath, name: str, valid: Iterable[str], kind: str) -> str:
        names = list(valid)
        if name not in names:
            raise self._fail(key, f"there is no {kind} {name!r}. {suggest(name, names)}")
        return name

    def _check_names(self) -> None:
        read = self.read
        owner: dict[str, str] = {}
        groups = {
            **self.fixed_names(),
            "items": read.items,
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

    def _class(self, key: KeyPath, name: str, parent: str) -> str:
        names = [c.name for c in self.ontology.classes.values() if c.parent == parent]
        return self._one_of(key, name, names, f"class of {parent}")

    def _states(self, key: KeyPath, class_name: str, states: Iterable[str]) -> frozenset[str]:
        valid = states_of(self.ontology, class_name)
        return frozenset(self._one_of(key, state, valid, f"state of a {class_name}") for state in states)

    def _placement(
        self, key: KeyPath, name: str, thing: Placed, classes: Mapping[str, str]
    ) -> tuple[str, str]:
        relation, place = thing.placement(self.path, key)
        kind = classes[self._one_of((*key, relation), place, classes, "piece of furniture or item")]
        item, support = self.ontology[classes[name]], self.ontology[kind]
        if relation not in relations_of(support):
            valid = relations_of(support)
            can = f"it can be {' or '.join(valid)} it" if valid else "nothing can be put there"
            raise self._fail((*key, relation), f"a thing cannot be {relation} a {kind}; {can}.")
        if relation not in ways_to_rest(item, support):
            raise self._fail((*key, relation), f"a {item.name} cannot be {relation} a {kind}.")
        return relation, place

    def _check_supports(self, items: Mapping[str, Item], classes: Mapping[str, str]) -> None:
        """Nothing rests on itself, and where there is room for one thing there is one."""
        only: dict[tuple[str, str], str] = {}
        for item in items.values():
            below, seen = item.place, {item.name}
            while below in items:
                if below in seen:
                    raise self._fail(
                        ("items", item.name), f"it rests, in the end, on {below}, which rests on it."
                    )
                seen.add(below)
                below = items[below].place
            if takes_one(item.relation, self.ontology[classes[item.place]]):
                other = only.setdefault((item.relation, item.place), item.name)
                if other != item.name:
                    raise self._fail(
                        ("items", item.name, item.relation),
                        f"only one thing can be {item.relation} {item.place}, and {other} is.",
                    )

    def _scattered(self, furniture: Mapping[str, Furniture]) -> dict[str, tuple[tuple[str, str], ...]]:
        found: dict[str, tuple[tuple[str, str], ...]] = {}
        for index, entry in enumerate(self.read.scattered):
            said = {"on": entry.on, "in": entry.in_, "under": entry.under, "hung_on": entry.hung_on}
            for class_name in entry.classes:
                item = self.ontology[self._class(("scattered", index, "classes"), class_name, "item")]
                for relation, places in said.items():
                    for place in places:
                        key = ("scattered", index, relation)
                        kind = furniture[self._one_of(key, place, furniture, "piece of furniture")].class_name
                        support = self.ontology[kind]
                        if relation not in ways_to_rest(item, support) or takes_one(relation, support):
                            raise self._fail(key, f"a {class_name} cannot just be left {relation} a {kind}.")
                spots = tuple((relation, place) for relation, places in said.items() for place in places)
                found[class_name] = (*found.get(class_name, ()), *spots)
        return found

    def _known(self, items: Mapping[str, Item]) -> Known | tuple[str, ...]:
        known = self.read.known
        if isinstance(known, str):
            if known == "everything":
                return "everything"
            if known == "map":
                return "map"
            raise self._fail(("known",), f"say everything, map, or a list of items, not {known!r}.")
        return tuple(self._one_of(("known",), name, items, "item") for name in known)


class _InRooms(_Builder[_RoomsFile]):
    """A scene that is drawn as rooms."""

    def fixed_names(self) -> dict[str, Iterable[str]]:
        read = self.read
        return {"rooms": read.rooms, "doors": read.doors, "furniture": read.furniture, "people": read.people}

    def ground(self) -> _Ground:
        read = self.read
        rooms = {name: self._room(name, room) for name, room in read.rooms.items()}
        openings = tuple(
            [self._opening(("doors", n), d, rooms, n) for n, d in read.doors.items()]
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
        dwelling = Dwelling(
            tuple(rooms.values()), openings, tuple(furniture.values()), tuple(people.values())
        )
        for one, other in combinations(dwelling.places(), 2):
            if one.name == other.name:
                raise self._fail(("passages",), f"two of them lead {one.name}; only doors can be several.")
            if dist(one.pose, other.pose) < STEP:
                raise self._fail(
                    ("rooms",),
                    f"{one.name} and {other.name} are the same place to stand; move one {STEP} m away.",
                )
        doors = {o.door: Door(o.door, o.rooms, o.at, read.doors[o.door].open) for o in openings if o.door}
        return _Ground(dwelling.place_graph(), doors, furniture, people)

    def _room(self, name: str, room: _Room) -> MapRoom:
        if room.from_[0] >= room.to[0] or room.from_[1] >= room.to[1]:
            raise self._fail(
                ("rooms", name), "'from' is the corner with the smaller x and y, 'to' the opposite."
            )
        return MapRoom(name, room.from_, room.to)

    def _opening(
        self,
        key: KeyPath,
        way: _Passage,
        rooms: Mapping[str, MapRoom],
        door: str | None = None,
    ) -> Opening:
        one, other = (rooms[self._one_of((*key, "between"), name, rooms, "room")] for name in way.between)
        if one is other:
            raise self._fail((*key, "between"), f"it leads from {one.name!r} to itself.")
        wall = shared_wall(one, other)
        if wall is None:
            raise self._fail((*key, "between"), f"{one.name!r} and {other.name!r} share no wall.")
        at = way.at or ((wall[0][0] + wall[1][0]) / 2, (wall[0][1] + wall[1][1]) / 2)
        if not (one.contains(*at) and other.contains(*at)):
            raise self._fail(
                (*key, "at"),
                f"{list(at)} is not on the wall of both rooms, from {list(wall[0])} to {list(wall[1])}.",
            )
        return Opening((one.name, other.name), at, door)

    def _in_room(self, key: KeyPath, room: str, at: Position, rooms: Mapping[str, MapRoom]) -> str:
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


class _OnMap(_Builder[_MapFile]):
    """A scene on a floor of which there is a map."""

    @cached_property
    def _map(self) -> BuildingMap:
        try:
            found = find_config("maps", self.read.map)
        except ConfigError as error:
            raise self._fail(("map",), str(error)) from error
        from foretree.world_model.maps.map_file import load_map  # most scenes draw their own rooms

        return load_map(found, self.ontology)

    def fixed_names(self) -> dict[str, Iterable[str]]:
        return {"map": [*(place.name for place in self._map.places.places()), *self._map.doors]}

    def ground(self) -> _Ground:
        floor, said = self._map, self.read.states
        kinds = {**{n: a.class_name for n, a in floor.assets.items()}, **dict.fromkeys(floor.doors, "door")}
        states = {
            self._one_of(("states", n), n, kinds, "asset or door"): self._states(("states", n), kinds[n], s)
            for n, s in said.items()
        }
        furniture = {
            n: Furniture(n, a.class_name, a.room, a.at, states.get(n, frozenset()))
            for n, a in floor.assets.items()
        }
        doors = {
            n: Door(n, d.between, d.at, "open" in states.get(n, frozenset())) for n, d in floor.doors.items()
        }
        return _Ground(floor.places, doors, furniture, building=floor)
