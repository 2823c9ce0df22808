"""Reading of scene files: the keys of a file, and the checks that a model of keys and types cannot make."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from pydantic import Field

from foretree.changes import Changes
from foretree.config import find_config, read_yaml
from foretree.file_errors import KeyPath, error_at, errors_at
from foretree.schema import Strict, validate
from foretree.simulation.faults.fault_script import FaultRates
from foretree.simulation.household._drawn_rooms import DrawnRooms, RoomsFile
from foretree.simulation.household._file_checks import Checks, PlacedEntry
from foretree.simulation.household.rules import ABILITIES
from foretree.simulation.household.scene import (
    HOUSEHOLD,
    BelievedItem,
    Door,
    Furniture,
    HelpfulPerson,
    Item,
    Noise,
    RobotBody,
    Scene,
    UnreliableAction,
)
from foretree.simulation.household.states_and_relations import takes_one, ways_to_rest
from foretree.world_model.maps.building_map import BuildingMap, MapRoom
from foretree.world_model.maps.places import PlaceGraph
from foretree.world_model.ontology import Ontology
from foretree.world_model.ontology_file import load_ontology

#: A domain whose plans no simulated world carries out.
AFFORDANCES = "affordances"

__all__ = ["PlacedEntry", "load_scene", "scene_domain"]


class _Item(PlacedEntry):
    class_: str = Field(alias="class")
    states: tuple[str, ...] = ()


class _BelievedItem(PlacedEntry):
    states: tuple[str, ...] | None = None


class _Scattered(Strict):
    classes: tuple[str, ...] = Field(min_length=1)
    on: tuple[str, ...] = ()
    in_: tuple[str, ...] = Field(default=(), alias="in")
    under: tuple[str, ...] = ()
    hung_on: tuple[str, ...] = ()


class _OneOfSeveralRobots(Strict):
    hands: tuple[str, ...] = Field(default=(), min_length=1)
    at: str
    speed: float = Field(default=0.5, ge=0.001, le=1000)
    skills: tuple[str, ...] | None = None


class _Robot(_OneOfSeveralRobots):
    name: str = "robot1"
    hands: tuple[str, ...] = Field(default=("left_hand", "right_hand"), min_length=1)


class _File(Strict):
    scene: str
    domain: Literal["household", "tabletop"] = "household"
    says: str = ""
    items: dict[str, _Item] = Field(default_factory=dict)
    robot: _Robot | None = None
    robots: dict[str, _OneOfSeveralRobots] = Field(default_factory=dict)
    known: str | tuple[str, ...] = "everything"
    believed: dict[str, _BelievedItem] = Field(default_factory=dict)
    noise: Noise = Noise()
    faults: tuple[str, ...] = ()
    chance: FaultRates = FaultRates()
    unreliable: tuple[UnreliableAction, ...] = ()
    instructions: tuple[str, ...] = ()
    scattered: tuple[_Scattered, ...] = ()


class _RoomsFile(RoomsFile, _File):
    """A scene that draws its rooms."""


class _MapFile(_File):
    """A scene on a map."""

    map: str
    states: dict[str, tuple[str, ...]] = Field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Site:
    """Everything that does not move: places to stand, doors, furniture and people."""

    places: PlaceGraph
    rooms: Mapping[str, MapRoom]
    doors: Mapping[str, Door]
    furniture: Mapping[str, Furniture]
    people: Mapping[str, Furniture] = field(default_factory=dict)
    building: BuildingMap | None = None


def scene_domain(path: Path) -> str:
    """Return the domain of a scene file.

    Raises:
        ConfigError: the file cannot be read, or there is no such domain.
    """
    domain = str(read_yaml(path).get("domain", HOUSEHOLD))
    with errors_at(path, ("domain",)):
        find_config("domains", domain)
    return domain


def _check_domain(path: Path, domain: object) -> None:
    """Check that a scene is not of the domain of affordances, for which there is no world to act in.

    Raises:
        ConfigError: it is.
    """
    if domain == AFFORDANCES:
        raise error_at(
            path,
            ("domain",),
            f"Nothing acts in the domain {AFFORDANCES}: it is for planning only, from scenes as text, with "
            "`foretree regress --autogptp FOLDER`. Expected 'household' or 'tabletop'.",
        )


def load_scene(
    path: Path, ontology: Ontology | None = None, changes: Mapping[str, str] | None = None
) -> Scene:
    """Read a scene.

    Args:
        path: the YAML file.
        ontology: the classes that things in it can be of; by default those of the scene's domain.
        changes: values that differ from the file's, by key: ``{"noise.confusion": "0.1"}``.

    Raises:
        ConfigError: the file cannot be read, or says something that makes no sense: with the line, the key
            and what would have been valid there.
    """
    made = Changes("scene", changes or {})
    with made.blamed():
        data = made.made_in(read_yaml(path))
        _check_domain(path, data.get("domain"))
        read: _MapFile | _RoomsFile = (
            validate(_MapFile, data, path) if "map" in data else validate(_RoomsFile, data, path)
        )
        classes = ontology or load_ontology(find_config("domains", read.domain))
        if classes.source is not None and classes.source.stem in ABILITIES.keys() - {read.domain}:
            raise error_at(
                path,
                ("domain",),
                f"its things are of the domain {read.domain}, but are to be those of {classes.source.stem}.",
            )
        return _Reader(read, Checks(path, classes)).scene()


class _Reader:
    def __init__(self, read: _MapFile | _RoomsFile, checks: Checks) -> None:
        self.read = read
        self.checks = checks
        names: dict[str, Iterable[str]] = {"items": read.items}
        if read.robot is not None:
            names["robot"] = [read.robot.name, *read.robot.hands]
        names["robots"] = [
            one for name, robot in read.robots.items() for one in (name, *_hands_of(name, robot))
        ]
        if isinstance(read, _MapFile):
            with errors_at(checks.path, ("map",)):
                found = find_config("maps", read.map)
            from foretree.world_model.maps.map_file import load_map  # most scenes draw their own rooms

            floor = load_map(found, checks.ontology)
            checks.names({"map": [*(place.name for place in floor.places.places()), *floor.doors], **names})
            self.site = _site_on_map(floor, read, checks)
        else:
            checks.names(
                {
                    "rooms": read.rooms,
                    "doors": read.doors,
                    "furniture": read.furniture,
                    "people": read.people,
                    **names,
                }
            )
            rooms = DrawnRooms(read, checks)
            self.site = _Site(rooms.places, rooms.rooms, rooms.doors, rooms.furniture, rooms.people)

    def scene(self) -> Scene:
        read, site = self.read, self.site
        classes = {name: thing.class_name for name, thing in site.furniture.items()}
        for name, entry in read.items.items():
            classes[name] = self.checks.class_name(("items", name, "class"), entry.class_, "item")
        items = {}
        for name, entry in read.items.items():
            placement = self.checks.placement(("items", name), classes[name], entry, classes)
            states = self.checks.states(("items", name, "states"), classes[name], entry.states)
            items[name] = Item(name, classes[name], *placement, states)
        self._check_supports(items, classes)
        believed = {name: self._believed(name, items, classes) for name in read.believed}
        robot, *teammates = self._robots()
        return Scene(
            name=read.scene,
            ontology=self.checks.ontology,
            places=site.places,
            doors=site.doors,
            furniture=site.furniture,
            items=items,
            people=site.people,
            robot=robot,
            teammates=tuple(teammates),
            helpers=_helpers(read),
            domain=read.domain,
            says=read.says,
            known=self._known(items),
            believed=believed,
            noise=read.noise,
            faults=read.faults,
            chance=read.chance,
            unreliable=self._unreliable(classes),
            instructions=read.instructions,
            scattered=self._scattered(),
            rooms=site.rooms,
            building=site.building,
            source=self.checks.path,
        )

    def _robots(self) -> list[RobotBody]:
        """The robots, in the order of the file."""
        read, found = self.read, []
        nodes = [node.name for node in self.site.places.places()]
        if read.robot is not None:
            self.checks.one_of(("robot", "at"), read.robot.at, nodes, "node")
            found.append(_body(read.robot.name, read.robot.hands, read.robot))
        for name, robot in read.robots.items():
            self.checks.one_of(("robots", name, "at"), robot.at, nodes, "node")
            found.append(_body(name, _hands_of(name, robot), robot))
        if not found:
            raise self.checks.error((), "there is no robot: say robot, with at, or robots.")
        return found

    def _check_supports(self, items: Mapping[str, Item], classes: Mapping[str, str]) -> None:
        """Check that nothing rests on itself, and that only one thing is where there is room for one."""
        only: dict[tuple[str, str], str] = {}
        for item in items.values():
            below, seen = item.place, {item.name}
            while below in items:
                if below in seen:
                    raise self.checks.error(
                        ("items", item.name), f"it rests, in the end, on {below}, which rests on it."
                    )
                seen.add(below)
                below = items[below].place
            if takes_one(item.relation, self.checks.ontology[classes[item.place]]):
                other = only.setdefault((item.relation, item.place), item.name)
                if other != item.name:
                    raise self.checks.error(
                        ("items", item.name, item.relation),
                        f"only one thing can be {item.relation} {item.place}, and {other} is.",
                    )

    def _believed(self, name: str, items: Mapping[str, Item], classes: Mapping[str, str]) -> BelievedItem:
        key, entry = ("believed", name), self.read.believed[name]
        class_name = items[self.checks.one_of(key, name, items, "item")].class_name
        states = None if entry.states is None else self.checks.states(key, class_name, entry.states)
        return BelievedItem(*self.checks.placement(key, class_name, entry, classes), states)

    def _unreliable(self, classes: Mapping[str, str]) -> tuple[UnreliableAction, ...]:
        for index, entry in enumerate(self.read.unreliable):
            key = ("unreliable", index)
            self.checks.one_of((*key, "action"), entry.action, ABILITIES[self.read.domain], "action")
            if entry.object:
                self.checks.one_of((*key, "object"), entry.object, classes, "object")
        return self.read.unreliable

    def _scattered(self) -> Mapping[str, tuple[tuple[str, str], ...]]:
        checks, furniture = self.checks, self.site.furniture
        found: dict[str, tuple[tuple[str, str], ...]] = {}
        for index, entry in enumerate(self.read.scattered):
            said = {"on": entry.on, "in": entry.in_, "under": entry.under, "hung_on": entry.hung_on}
            spots = tuple((relation, place) for relation, places in said.items() for place in places)
            for name in entry.classes:
                class_name = checks.class_name(("scattered", index, "classes"), name, "item")
                for relation, place in spots:
                    key = ("scattered", index, relation)
                    kind = furniture[checks.one_of(key, place, furniture, "piece of furniture")].class_name
                    item, support = checks.ontology[class_name], checks.ontology[kind]
                    if relation not in ways_to_rest(item, support) or takes_one(relation, support):
                        raise checks.error(key, f"a {class_name} cannot just be left {relation} a {kind}.")
                found[class_name] = (*found.get(class_name, ()), *spots)
        return found

    def _known(self, items: Mapping[str, Item]) -> str | tuple[str, ...]:
        known = self.read.known
        if not isinstance(known, str):
            return tuple(self.checks.one_of(("known",), name, items, "item") for name in known)
        if known in ("everything", "map"):
            return known
        raise self.checks.error(("known",), f"say everything, map, or a list of items, not {known!r}.")


def _body(name: str, hands: tuple[str, ...], entry: _OneOfSeveralRobots) -> RobotBody:
    return RobotBody(name, hands, entry.at, entry.speed, entry.skills)


def _helpers(read: _MapFile | _RoomsFile) -> dict[str, HelpfulPerson]:
    """The people who can be asked for anything."""
    people = read.people if isinstance(read, _RoomsFile) else {}
    return {
        name: HelpfulPerson(entry.helps, entry.answers, entry.seconds, entry.cost)
        for name, entry in people.items()
        if entry.helps
    }


def _hands_of(name: str, robot: _OneOfSeveralRobots) -> tuple[str, ...]:
    """The names of a robot's hands: those of two robots differ."""
    return robot.hands or (f"{name}_left_hand", f"{name}_right_hand")


def _site_on_map(floor: BuildingMap, read: _MapFile, checks: Checks) -> _Site:
    kinds = {**{n: a.class_name for n, a in floor.assets.items()}, **dict.fromkeys(floor.doors, "door")}
    states: dict[str, frozenset[str]] = {}
    for name, said in read.states.items():
        key: KeyPath = ("states", name)
        class_name = kinds[checks.one_of(key, name, kinds, "asset or door")]
        states[name] = checks.states(key, class_name, said)
    furniture = {
        name: Furniture(name, asset.class_name, asset.room, asset.at, states.get(name, frozenset()))
        for name, asset in floor.assets.items()
    }
    doors = {
        name: Door(name, door.between, door.at, "open" in states.get(name, ()))
        for name, door in floor.doors.items()
    }
    return _Site(floor.places, floor.rooms, doors, furniture, building=floor)
