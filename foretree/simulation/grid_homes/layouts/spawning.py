"""Objects in an empty home: what a task needs, what else usually lies there, and the robot."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Literal, NamedTuple, TypeAlias

from foretree.config import find_config, read_yaml
from foretree.errors import ForetreeError, suggest
from foretree.file_errors import KeyPath, error_at
from foretree.schema import Strict, validate
from foretree.simulation.grid_homes._object_classes import (
    Colour,
    ItemClass,
    ObjectClasses,
    Relation,
    load_object_classes,
)
from foretree.simulation.grid_homes._physics import cut, fill_with, settle
from foretree.simulation.grid_homes.goals import At, AtLeast, Condition, Every, HomeTask, Selector, is_reached
from foretree.simulation.grid_homes.home import Home, HomeObject, Placement, Posture
from foretree.simulation.grid_homes.layouts.geometry import Extent
from foretree.simulation.grid_homes.layouts.layout import Layout, Room, RoomKind

#: ``fixed``: what a task is about begins in the state opposite to its goal, and all else dirty, closed and
#: switched off; ``diverse``: everything begins in random states.
Mode: TypeAlias = Literal["fixed", "diverse"]

#: The largest number of objects of one class, unless a task needs more; and how often objects are drawn anew
#: when a goal holds from the start.
_MOST = 3
_DRAWS = 20
#: Random states by trait, in the order in which they are drawn, with their probabilities; and of other
#: states.
_STATES = {
    "openable": ("open", 0.25),
    "switchable": ("turned_on", 0.2),
    "soil": ("watered", 0.4),
    "dish": ("clean", 0.5),
}
_HOT, _COLD, _FILLED, _COFFEE, _COOKED, _SLICED = 0.12, 0.12, 0.25, 0.4, 0.15, 0.12
#: The opposites of states, where that is more than not being in them.
_OPPOSITE: Mapping[str, str] = {"hot": "cold", "cold": "hot"}
#: How much the colour of an object differs from that of its class.
_SHADE = 14


class SpawnError(ForetreeError):
    """A home that cannot be furnished with what a task needs."""


def suits(layout: Layout, required: HomeTask) -> bool:
    """Tell whether a layout has the required furniture."""
    return all(layout.count(name) for name in required.furniture)


def spawn_home(layout: Layout, required: HomeTask, mode: Mode, rng: Random, things: int = 60) -> Home:
    """Draw a home with objects in it, of the classes and priors in ``configs/homes``.

    Args:
        layout: its walls and furniture.
        required: what must be there.
        mode: the states in which everything begins.
        rng: draws.
        things: the number of objects, furniture included, as far as there is room.

    Raises:
        SpawnError: the layout has no such furniture, or no room for what is required.
    """
    for name in required.furniture:
        if not layout.count(name):
            have = {piece.class_name for piece in layout.pieces}
            raise SpawnError(f"There is no {name} in {layout.name}. {suggest(name, have)}")
    for _ in range(_DRAWS):
        home = _draw(layout, required, mode, rng, things)
        if not required.goal or not is_reached(home, required):
            return home
    raise SpawnError(
        f"In {layout.name} what is asked for is so from the start, however often things are drawn."
    )


def _draw(layout: Layout, required: HomeTask, mode: Mode, rng: Random, count: int) -> Home:
    start = rng.choice(sorted(layout.reachable))
    home = Home(layout, load_object_classes(), Posture(start, rng.choice((0, 90, 180, 270))))
    spawner = _Spawner(home, rng, _wanted(required.goal) if mode == "fixed" else ())
    items = home.classes.items
    for name, number in sorted(required.items.items()):
        if name not in items:
            raise SpawnError(f"There is no item {name!r}. {suggest(name, items)}")
        for _ in range(number):
            if not spawner.add(items[name]):
                raise SpawnError(f"There is no room for another {name} in {layout.name}.")
    spawner.fill_up(count)
    if mode == "diverse":
        randomize_states(home, required.goal, rng)
    else:
        _set_opposite_states(home, required.goal)
    settle(home)
    return home


class _Spawner:
    """Puts objects into a home, drawn from the spawn priors, but not where a goal wants them."""

    def __init__(self, home: Home, rng: Random, avoided: Sequence[Selector]) -> None:
        self._home, self._rng, self._avoided = home, rng, avoided
        self._priors = load_spawn_priors()

    def add(self, item: ItemClass) -> bool:
        """Add an object of a class; return whether there was room."""
        found = draw_placement(
            self._home, item, self._priors, self._rng, lambda rests: not self._is_avoided(item, rests)
        )
        if found is None:
            return False
        self._home.add(item.name, set(), varied(item.colour, self._rng), *found)
        return True

    def fill_up(self, count: int) -> None:
        """Add objects of any class until there are enough, or none fits any more."""
        home = self._home
        usual = [
            home.classes.items[name]
            for name in self._priors.places
            if any(self._priors.at_home_in(room, name) for room in home.layout.rooms)
        ]
        refused = 0
        while usual and len(home.things) < count and refused < _DRAWS:
            item = self._rng.choice(usual)
            if len(home.of_class(item.name)) >= _MOST or not self.add(item):
                refused += 1

    def _is_avoided(self, item: ItemClass, rests: Placement) -> bool:
        support = self._home[rests.support]
        return any(_is_wanted_there(selector, item, rests, support) for selector in self._avoided)


def _is_wanted_there(selector: Selector, item: ItemClass, rests: Placement, support: HomeObject) -> bool:
    """Tell whether a goal wants objects of a class where, or as, one would be there."""
    if item.name not in selector.classes:
        return False
    if "cold" in selector.states and support.can("cools"):
        return True
    at = selector.at
    return at is not None and rests.relation in at.relations and support.class_name in at.place.classes


def varied(colour: Colour, rng: Random) -> Colour:
    """A colour that differs a little from that of a class."""
    by = [rng.randint(-_SHADE, _SHADE) for _ in range(3)]
    r, g, b = (min(255, max(0, part + d)) for part, d in zip(colour, by, strict=True))
    return r, g, b


def _wanted(goal: Sequence[Condition]) -> tuple[Selector, ...]:
    """Everything that a goal wants of objects, each as a selector of its own."""
    found: list[Selector] = []
    for condition in goal:
        if isinstance(condition, AtLeast):
            found.append(condition.things)
        elif isinstance(condition, Every):
            found.append(condition.such)
        else:
            found.append(Selector(condition.things.classes, at=condition.at))
    for selector in found:  # it grows meanwhile
        if selector.at is not None:
            found.append(selector.at.place)
        place = Selector(selector.classes)
        found += (replace(load.things, at=At(place, load.relations)) for load in selector.bears)
    return tuple(found)


def _set_opposite_states(home: Home, goal: Sequence[Condition]) -> None:
    """Bring what a goal is about into the opposite of the wanted states; nothing is in any state yet."""
    for selector in _wanted(goal):
        for thing in home.things.values():
            if thing.class_name in selector.classes:
                for state in selector.states:
                    if state in _OPPOSITE:
                        home.set_state(thing, _OPPOSITE[state])


def randomize_states(home: Home, goal: Sequence[Condition], rng: Random) -> None:
    """Bring everything into random states, but do not slice what a goal wants whole."""
    whole = {name for selector in _wanted(goal) if "sliced" in selector.lacks for name in selector.classes}
    for thing in tuple(home.things.values()):
        _randomize_states(home, thing, rng)
        sliceable = thing.object_class.slices is not None and thing.class_name not in whole
        if sliceable and rng.random() < _SLICED:
            cut(home, thing)


def _randomize_states(home: Home, thing: HomeObject, rng: Random) -> None:
    traits = thing.object_class.traits
    for trait, (state, rate) in _STATES.items():
        if trait in traits and rng.random() < rate and not (state == "turned_on" and "open" in thing.states):
            home.set_state(thing, state)
    if "dish" in traits:
        warm = rng.random()
        if warm < _HOT + _COLD:
            home.set_state(thing, "hot" if warm < _HOT else "cold")
    if "vessel" in traits and rng.random() < _FILLED:
        coffee = "cup" in traits and rng.random() < _COFFEE
        fill_with(home, thing, "has_coffee" if coffee else "has_water")
    if "cookable" in traits and rng.random() < _COOKED:
        home.set_state(thing, "cooked")


# -- usual places ---

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
        kinds = self.rooms.get(class_name)
        return room is not None and kinds is not None and (room.kind == "studio" or room.kind in kinds)


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
    found = first_with_room(home, item, [rests for *_, rests in sorted(drawn, reverse=True)], rng, may)
    if found is not None:
        return found
    anywhere = [
        Placement("on", thing.id) for thing in home.furniture() if "on" in thing.object_class.relations
    ]
    rng.shuffle(anywhere)
    return first_with_room(home, item, anywhere, rng, may)


def first_with_room(
    home: Home,
    item: ItemClass,
    ways: Sequence[Placement],
    rng: Random,
    may: Callable[[Placement], bool] = lambda _: True,
    full: float = _FULL,
) -> tuple[Placement, Extent] | None:
    """The first of some placements that has room for an object, and for a plate beside it if it ever has.

    Args:
        home: the home.
        item: the class of the object.
        ways: the placements.
        rng: draws.
        may: tells whether a placement is allowed.
        full: the share of a place that is covered before it counts as full.

    Returns:
        The placement and the extent, somewhere there; None if none has room.
    """
    for rests in ways:
        support = home[rests.support]
        if not may(rests) or _is_full(home, support, rests, full):
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


def _is_full(home: Home, support: HomeObject, rests: Placement, full: float) -> bool:
    regions = home.regions(support, rests.relation)
    whole = sum((x1 - x0) * (y1 - y0) for _, (x0, y0, x1, y1), _ in regions)
    there = [home[one].extent for one in support.load if home[one].rests == rests]
    return sum((x1 - x0) * (y1 - y0) for x0, y0, _, x1, y1, _ in there) > full * whole
