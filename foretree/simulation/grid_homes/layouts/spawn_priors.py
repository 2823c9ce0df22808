"""Spawn priors: the furniture and rooms where objects of a class usually lie."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import NamedTuple

from foretree.config import find_config, read_yaml
from foretree.errors import suggest
from foretree.file_errors import KeyPath, error_at
from foretree.schema import Strict, validate
from foretree.simulation.grid_homes._object_classes import (
    ItemClass,
    ObjectClasses,
    Relation,
    load_object_classes,
)
from foretree.simulation.grid_homes.home import Home, HomeObject, Placement
from foretree.simulation.grid_homes.layouts.geometry import Extent
from foretree.simulation.grid_homes.layouts.layout import Room, RoomKind

#: The share of a place that people cover before they use another, and the size for which they leave room.
_FULL = 0.35
_SPARE = (0.26, 0.26, 0.1)


class SpawnPlace(NamedTuple):
    """A relation to furniture of a class, and how often objects of some class lie there."""

    relation: Relation
    place: str
    weight: float


@dataclass(frozen=True, slots=True)
class SpawnPriors:
    """Usual places of objects.

    Attributes:
        places: by class, the furniture.
        rooms: by class, the kinds of rooms.
    """

    places: Mapping[str, Sequence[SpawnPlace]]
    rooms: Mapping[str, frozenset[str]]

    def at_home_in(self, room: Room | None, class_name: str) -> bool:
        """Tell whether objects of a class belong in a room."""
        return room is not None and (room.kind == "studio" or room.kind in self.rooms.get(class_name, ()))


class _HabitsFile(Strict):
    rooms: dict[RoomKind, tuple[str, ...]]
    places: dict[str, dict[str, float]]


def load_spawn_priors(name: str = "habits") -> SpawnPriors:
    """Load the priors in a file of ``configs/homes``.

    Raises:
        ConfigError: there is no such file, or something in it makes no sense.
    """
    return _read(find_config("homes", name))


@cache
def _read(path: Path) -> SpawnPriors:
    classes = load_object_classes()
    said = validate(_HabitsFile, read_yaml(path), path)
    rooms: dict[str, set[str]] = {}
    for room, names in said.rooms.items():
        for index, name in enumerate(names):
            _check_item(path, ("rooms", room, index), name, classes)
            rooms.setdefault(name, set()).add(room)
    places = {}
    for name, usual in said.places.items():
        _check_item(path, ("places", name), name, classes)
        places[name] = tuple(_usual(path, name, where, weight, classes) for where, weight in usual.items())
    return SpawnPriors(places, {name: frozenset(found) for name, found in rooms.items()})


def _check_item(path: Path, location: KeyPath, name: str, classes: ObjectClasses) -> None:
    if name not in classes.items:
        raise error_at(path, location, f"there is no item {name!r}. {suggest(name, classes.items)}")


def _usual(path: Path, name: str, where: str, weight: float, classes: ObjectClasses) -> SpawnPlace:
    how, _, place = where.partition(" ")
    location = ("places", name, where)
    if place not in classes.furniture:
        raise error_at(
            path, location, f"there is no furniture {place!r}. {suggest(place, classes.furniture)}"
        )
    relations = classes.furniture[place].relations
    relation = next((one for one in relations if one == how), None)
    if relation is None:
        valid = ", ".join(f"{one} {place}" for one in relations) or "nothing"
        raise error_at(path, location, f"nothing lies there like that. Valid: {valid}.")
    if weight <= 0:
        raise error_at(path, location, f"a weight is greater than 0, not {weight:g}.")
    return SpawnPlace(relation, place, weight)


def draw_placement(
    home: Home,
    item: ItemClass,
    priors: SpawnPriors,
    rng: Random,
    may: Callable[[Placement], bool] = lambda _: True,
) -> tuple[Placement, Extent] | None:
    """Draw a placement of an object from its priors; on any surface if there is no usual one.

    Args:
        home: the home.
        item: the class of the object.
        priors: usual places.
        rng: draws.
        may: tells whether a placement is allowed.

    Returns:
        The placement and the extent; None if there is no room.
    """
    drawn: list[tuple[bool, float, Placement]] = []
    for usual in priors.places.get(item.name, ()):
        there = home.of_class(usual.place)
        for thing in there:
            # The largest of these keys is each one with the probability of its weight.
            key = rng.random() ** (len(there) / usual.weight)
            at_home = priors.at_home_in(home.room_of(thing), item.name)
            drawn.append((at_home, key, Placement(usual.relation, thing.id)))
    found = _first_with_room(home, item, [rests for *_, rests in sorted(drawn, reverse=True)], rng, may)
    if found is not None:
        return found
    anywhere = [
        Placement("on", thing.id) for thing in home.furniture() if "on" in thing.object_class.relations
    ]
    rng.shuffle(anywhere)
    return _first_with_room(home, item, anywhere, rng, may)


def _first_with_room(
    home: Home, item: ItemClass, ways: Sequence[Placement], rng: Random, may: Callable[[Placement], bool]
) -> tuple[Placement, Extent] | None:
    for rests in ways:
        support = home[rests.support]
        if not may(rests) or _is_full(home, support, rests):
            continue
        z, (x0, y0, x1, y1), _ = rng.choice(home.regions(support, rests.relation))
        wish = (rng.uniform(x0, x1), rng.uniform(y0, y1), z)
        spot = home.spot(item.size, support, rests.relation, wish)
        if spot is None:
            continue
        roomy = any(
            x1 - x0 >= _SPARE[0] and y1 - y0 >= _SPARE[1]
            for _, (x0, y0, x1, y1), _ in home.regions(support, rests.relation)
        )
        if not roomy or home.spot(_SPARE, support, rests.relation, wish, also=spot) is not None:
            return rests, spot
    return None


def _is_full(home: Home, support: HomeObject, rests: Placement) -> bool:
    regions = home.regions(support, rests.relation)
    whole = sum((x1 - x0) * (y1 - y0) for _, (x0, y0, x1, y1), _ in regions)
    there = [home[one].extent for one in support.load if home[one].rests == rests]
    return sum((x1 - x0) * (y1 - y0) for x0, y0, _, x1, y1, _ in there) > _FULL * whole
