"""Scenes: one YAML file says what a world is at the start, what the agent is told, and what will go wrong.

Names in the file are the scene's own. The agent learns the names of rooms, furniture, doors and people, which
are on its map, and those of the items it is told about; of anything else it never hears the name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeAlias

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

#: How far from a door one stands to open it.
DOORSTEP = 0.4

Known: TypeAlias = Literal["everything", "map"]


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


def load_scene(path: Path, ontology: Ontology, changes: Mapping[str, str] | None = None) -> Scene:
    """Read a scene.

    Args:
        path: the YAML file.
        ontology: the classes that things in it can be of.
        changes: values that differ from the file's, by key: ``{"noise.confusion": "0.1"}``.

    Raises:
        ConfigError: the file cannot be read, or says something that makes no sense: with the line, the key
            and what would have been valid there.
    """
    # A scene made in Python needs no file model.
    from foretree.simulation.scene_file import read_scene_file

    return read_scene_file(path, ontology, changes)
