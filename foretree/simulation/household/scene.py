"""Scenes: the start state of a world, what the agent is told of it, and what will go wrong.

Names are the scene's own. The agent learns the names of rooms, furniture, doors and people, which are on its
map, and those of the items it is told about, but never the name of anything else.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias

from foretree.simulation.faults.fault_script import ActionMode, FaultRates, Probability
from foretree.world_model.maps.places import Place, PlaceGraph
from foretree.world_model.ontology import Ontology

if TYPE_CHECKING:
    from foretree.world_model.maps.building_map import BuildingMap, MapRoom

#: The domain of a scene that names none.
HOUSEHOLD = "household"

#: What people do who are asked: it, nothing but say so, or nothing.
PersonAnswer: TypeAlias = Literal["done", "refuses", "silent"]


@dataclass(frozen=True, slots=True)
class Door:
    """A door: between which rooms it is, and whether it is open at the start."""

    name: str
    rooms: tuple[str, ...]
    at: tuple[float, float]
    open: bool = False


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
    """Something that can be carried. It rests on furniture, or on another item."""

    name: str
    class_name: str
    relation: str
    place: str
    states: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class BelievedItem:
    """Place and states that the agent believes of an item at the start, rightly or wrongly."""

    relation: str
    place: str
    states: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class RobotBody:
    """A robot of a scene: its hands, where it starts, how fast it drives (metres per second), and its skills;
    None for all."""

    name: str
    hands: tuple[str, ...]
    start: str
    speed: float = 0.5
    skills: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class HelpfulPerson:
    """A person who can be asked.

    Attributes:
        helps: the skills that the agent believes the person can be asked for.
        answers: whether the person does it, refuses, or does not answer.
        seconds: how long the person takes for it.
        cost: what the person's time is worth, per action.
    """

    helps: tuple[str, ...]
    answers: PersonAnswer = "done"
    seconds: float = 15.0
    cost: int = 1000


@dataclass(frozen=True, slots=True)
class Noise:
    """Rates of wrong detections.

    Attributes:
        confusion: probability that a thing is taken for a look-alike.
        misread: probability that a state is read the wrong way round.
        missed: probability that an item in view is not detected.
    """

    confusion: Probability = 0.0
    misread: Probability = 0.0
    missed: Probability = 0.0

    __pydantic_config__: ClassVar[Any] = {"extra": "forbid", "allow_inf_nan": False}


@dataclass(frozen=True, slots=True)
class UnreliableAction:
    """A kind of action that often goes wrong in a scene.

    Attributes:
        action: the order.
        fails: how likely it goes wrong.
        object: only with this object, if one is named.
        how: in which way it goes wrong.
    """

    action: str
    fails: Probability
    object: str = ""
    how: ActionMode = "fail"

    __pydantic_config__: ClassVar[Any] = {"extra": "forbid", "allow_inf_nan": False}


@dataclass(frozen=True)
class Scene:
    """A world at the start, and what the agent is told about it.

    Attributes:
        places: places to stand and the passages between them: the agent's map.
        robot: the robot, or the first of several.
        teammates: the other robots.
        helpers: the people who can be asked, by name.
        domain: the domain whose classes its things are of, and whose actions its robot can do.
        known: the items that the agent knows of: ``everything``, ``map`` (none), or some by name.
        unexplored: the furniture that there may be more at than the agent knows of; None for all of it,
            unless it knows everything.
        rooms: its rooms, by name.
        building: the map that it is on, if it is on one: with captions, and rooms by name.
        unreliable: actions that often go wrong.
        scattered: by class, where things lie when they are scattered: relation and furniture.
    """

    name: str
    ontology: Ontology
    places: PlaceGraph
    doors: Mapping[str, Door]
    furniture: Mapping[str, Furniture]
    items: Mapping[str, Item]
    people: Mapping[str, Furniture]
    robot: RobotBody
    teammates: tuple[RobotBody, ...] = ()
    helpers: Mapping[str, HelpfulPerson] = field(default_factory=dict)
    domain: str = HOUSEHOLD
    says: str = ""
    known: str | tuple[str, ...] = "everything"
    unexplored: tuple[str, ...] | None = None
    believed: Mapping[str, BelievedItem] = field(default_factory=dict)
    noise: Noise = Noise()
    faults: tuple[str, ...] = ()
    chance: FaultRates = field(default_factory=FaultRates)
    unreliable: tuple[UnreliableAction, ...] = ()
    instructions: tuple[str, ...] = ()
    scattered: Mapping[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)
    rooms: Mapping[str, MapRoom] = field(default_factory=dict)
    building: BuildingMap | None = None
    source: Path | None = None

    @property
    def robots(self) -> tuple[RobotBody, ...]:
        """All robots, the first one first."""
        return (self.robot, *self.teammates)

    def nodes(self) -> Iterator[Place]:
        """Iterate over the places where the robot can stand."""
        return self.places.places()

    def tells(self, name: str) -> bool:
        """Return whether the agent learns a name at the start, as it does of everything on the map."""
        if name in self.items:
            listed = isinstance(self.known, tuple) and name in self.known
            return self.known == "everything" or listed or name in self.believed
        return name in self.furniture or name in self.people or name in self.doors or name in self.places

    def explored(self) -> tuple[str, ...]:
        """The furniture of which the agent knows from the start all that is there."""
        if self.unexplored is None and self.known != "everything":
            return ()
        return tuple(name for name in self.furniture if name not in (self.unexplored or ()))

    def types(self) -> dict[str, str]:
        """Everything that a goal may name, with its type: what the agent is told of and what it is not."""
        return {
            **{node.name: "waypoint" for node in self.nodes() if node.kind in ("pose", "room")},
            **{name: thing.class_name for name, thing in self.furniture.items()},
            **dict.fromkeys(self.people, "person"),
            **dict.fromkeys(self.doors, "door"),
            **{name: item.class_name for name, item in self.items.items()},
            **{robot.name: "robot" for robot in self.robots},
            **{hand: "hand" for robot in self.robots for hand in robot.hands},
        }

    def class_of(self, name: str) -> str | None:
        """The class of a thing by its name; None where there is no such thing."""
        if name in self.doors:
            return "door"
        thing = self.items.get(name) or self.furniture.get(name) or self.people.get(name)
        return thing.class_name if thing is not None else None

    def classes(self) -> dict[str, str]:
        """The class of each thing in it: furniture, doors, items and people, by name."""
        names = (*self.furniture, *self.items, *self.people, *self.doors)
        return {name: self.class_of(name) or "" for name in names}


def scatter(scene: Scene, rng: random.Random, fixed: Collection[str] = (), closed: float = 0.5) -> Scene:
    """Return a scene with its items at random places, of those that the scene lists for their classes.

    Things of classes that the list does not name stay where they are.

    Args:
        fixed: names of items and doors that stay as they are, with all that the items rest on; and of the
            robot, if it is to start where it does.
        closed: how likely each other door is to be closed at the start.
    """
    staying = set(fixed)
    for name in fixed:
        while name in scene.items:
            staying.add(name)
            name = scene.items[name].place
    items = {name: _elsewhere(scene, item, staying, rng) for name, item in sorted(scene.items.items())}
    doors = {
        name: door if name in staying else replace(door, open=rng.random() >= closed)
        for name, door in sorted(scene.doors.items())
    }
    start = rng.choice(sorted(node.name for node in scene.nodes()))
    robot = scene.robot if scene.robot.name in staying else replace(scene.robot, start=start)
    return replace(
        scene,
        items={name: items[name] for name in scene.items},
        doors={name: doors[name] for name in scene.doors},
        robot=robot,
        believed={},
    )


def _elsewhere(scene: Scene, item: Item, staying: Collection[str], rng: random.Random) -> Item:
    places = scene.scattered.get(item.class_name, ())
    if not places or item.name in staying:
        return item
    relation, place = rng.choice(places)
    return replace(item, relation=relation, place=place)
