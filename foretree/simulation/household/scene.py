"""Scenes: one YAML file says what a world is at the start, what the agent is told, and what will go wrong.

Names in the file are the scene's own. The agent learns the names of rooms, furniture, doors and people, which
are on its map, and those of the items it is told about; of anything else it never hears the name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from foretree.config import ConfigError, find_config, read_yaml
from foretree.file_errors import error_at
from foretree.simulation.faults.fault_script import FaultRates
from foretree.world_model.maps.places import Place, PlaceGraph
from foretree.world_model.ontology import ObjectClass, Ontology

if TYPE_CHECKING:
    from foretree.world_model.maps.building_map import BuildingMap

#: The domain of a scene that does not say otherwise.
HOUSEHOLD = "household"

#: How a thing can rest on another, and what the other must afford for it: one of these.
RELATIONS: Mapping[str, tuple[str, ...]] = {
    "on": ("surface", "stackable"),
    "in": ("container", "slot"),
    "under": ("has_space_under", "outlet"),
    "hung_on": ("hanger",),
}

#: What a liquid, or a powder, can be in or on.
_HOLDS_LIQUID = ("fillable",)
_HOLDS_POWDER = ("fillable", "scoop_tool")

#: The states of each type of thing, and what a thing must afford to have them: one of these, or nothing.
STATES: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "asset": {
        "open": ("openable",),
        "turned_on": ("switchable",),
        "wiped": ("wipeable", "erasable"),
        "watered": ("plant",),
    },
    "door": {"open": ("openable",)},
    "item": {
        "clean": (),
        "hot": (),
        "cold": (),
        "sliced": ("sliceable",),
        "clipped": ("clippable",),
        "filled": _HOLDS_LIQUID,
        "has_water": _HOLDS_LIQUID,
        "has_milk": _HOLDS_LIQUID,
        "has_coffee": _HOLDS_LIQUID,
        "has_juice": _HOLDS_LIQUID,
        "has_tea": _HOLDS_LIQUID,
        "has_sugar": _HOLDS_POWDER,
        "has_soil": _HOLDS_POWDER,
        "has_cereal": _HOLDS_POWDER,
        "stirred": ("fillable",),
        "sweetened": ("fillable",),
        "laden": ("scoop_tool",),
        "folded": ("foldable",),
        "watered": ("plant",),
        "open": ("openable",),
        "turned_on": ("switchable",),
    },
}

#: What a domain calls deeds that no state of a thing tells afterwards.
DONE = (
    *("poured", "decanted", "scooped", "filled_at_tap", "wiped_down"),
    *("heated", "heated_in", "cooled_in", "boiled", "brewed"),
)

Known: TypeAlias = Literal["everything", "map"]


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


@dataclass(frozen=True)
class Scene:
    """A world at the start, and what the agent is told about it.

    Attributes:
        places: where the robot can stand, and what lies between: what the agent gets as its map.
        domain: the domain whose classes its things are of, and whose actions its robot can do.
        building: the map that it is on, if it is on one: with captions, and rooms by name.
        scattered: where things of a class lie when they are scattered: how, and at which furniture.
    """

    name: str
    ontology: Ontology
    places: PlaceGraph
    doors: Mapping[str, Door]
    furniture: Mapping[str, Furniture]
    items: Mapping[str, Item]
    people: Mapping[str, Furniture]
    robot: RobotBody
    domain: str = HOUSEHOLD
    says: str = ""
    known: Known | tuple[str, ...] = "everything"
    believed: Mapping[str, Belonging] = field(default_factory=dict)
    noise: Noise = Noise()
    faults: tuple[str, ...] = ()
    chance: FaultRates = field(default_factory=FaultRates)
    instructions: tuple[str, ...] = ()
    scattered: Mapping[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)
    building: BuildingMap | None = None
    source: Path | None = None

    def nodes(self) -> Iterator[Place]:
        """Everywhere the robot can stand."""
        return self.places.places()

    def tells(self, name: str) -> bool:
        """Whether the agent learns a name at the start: everything on the map, and some items or all."""
        if name in self.items:
            listed = isinstance(self.known, tuple) and name in self.known
            return self.known == "everything" or listed or name in self.believed
        return name in self.furniture or name in self.people or name in self.doors or name in self.places

    def class_of(self, name: str) -> str | None:
        """The class of a thing by its name; None where there is no such thing."""
        if name in self.doors:
            return "door"
        thing = self.items.get(name) or self.furniture.get(name) or self.people.get(name)
        return thing.class_name if thing is not None else None


def states_of(ontology: Ontology, class_name: str) -> tuple[str, ...]:
    """The states that things of a class can be in: what the domain has a word for, the class allows, and is
    not always so."""
    known = ontology[class_name]
    return tuple(
        state
        for state, needs in STATES.get(known.parent, {}).items()
        if state in ontology.vocabulary.predicates
        and state not in known.affords
        and (not needs or any(need in known.affords for need in needs))
    )


def relations_of(known: ObjectClass) -> tuple[str, ...]:
    """How things can rest on a thing of a class; the usual way first."""
    return tuple(r for r, needs in RELATIONS.items() if any(need in known.affords for need in needs))


def scene_domain(path: Path) -> str:
    """The domain that a scene's file says its things are of.

    Raises:
        ConfigError: the file cannot be read, or there is no such domain.
    """
    domain = str(read_yaml(path).get("domain", HOUSEHOLD))
    try:
        find_config("domains", domain)
    except ConfigError as error:
        raise error_at(path, ("domain",), str(error)) from error
    return domain


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
    # A scene made in Python needs no file model.
    from foretree.simulation.household._scene_file import read_scene_file

    return read_scene_file(path, ontology, changes)
