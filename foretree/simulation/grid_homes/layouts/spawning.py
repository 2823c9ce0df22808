"""Putting things into an empty home: what a task takes, whatever else usually lies there, and the robot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Literal, TypeAlias

from foretree.errors import ForetreeError, suggest
from foretree.simulation.grid_homes._object_classes import (
    Colour,
    ItemClass,
    ObjectClasses,
    load_object_classes,
)
from foretree.simulation.grid_homes._physics import cut, fill_with, settle
from foretree.simulation.grid_homes.goals import At, AtLeast, Condition, Every, HomeTask, Selector, is_reached
from foretree.simulation.grid_homes.home import Home, HomeObject, Placement, Posture
from foretree.simulation.grid_homes.layouts.layout import Layout
from foretree.simulation.grid_homes.layouts.spawn_priors import SpawnPriors, draw_placement, load_spawn_priors

#: ``fixed``: whatever a task is about begins in the state opposite to its goal, and everything else dirty,
#: closed and switched off; ``diverse``: everything begins anyhow.
Mode: TypeAlias = Literal["fixed", "diverse"]

#: How many things of one class there are at most, unless a task takes more; and how often things are drawn
#: anew when what a task asks for is so from the start.
_MOST = 3
_DRAWS = 20
#: How often things are in a state when they begin anyhow.
_OPEN, _ON, _CLEAN, _HOT, _COLD, _FILLED, _COFFEE, _COOKED, _SLICED, _WATERED = (
    0.25, 0.2, 0.5, 0.12, 0.12, 0.25, 0.4, 0.15, 0.12, 0.4,
)  # fmt: skip
#: The opposites of states, where that is more than not being in them.
_OPPOSITE: Mapping[str, str] = {"hot": "cold", "cold": "hot"}
#: How much the colour of a thing differs from that of its class.
_SHADE = 14


class SpawnError(ForetreeError):
    """A home cannot be furnished with what a task takes."""


@dataclass(frozen=True, slots=True)
class Requirements:
    """What a home must have.

    Attributes:
        items: how many items of which classes, at least.
        furniture: the classes of furniture of which there must be some.
        goal: what must not be so from the start, or not all of it.
    """

    items: Mapping[str, int] = field(default_factory=dict)
    furniture: tuple[str, ...] = ()
    goal: tuple[Condition, ...] = ()

    @staticmethod
    def of(task: HomeTask) -> Requirements:
        """What a task takes."""
        return Requirements(task.items, task.furniture, task.goal)


def suits(layout: Layout, needs: Requirements) -> bool:
    """Whether a layout has the furniture that is needed."""
    return all(layout.count(name) for name in needs.furniture)


def spawn_home(
    layout: Layout,
    needs: Requirements,
    mode: Mode,
    rng: Random,
    things: int = 60,
    bodies: ObjectClasses | None = None,
    habits: SpawnPriors | None = None,
) -> Home:
    """A home with things in it.

    Args:
        layout: its walls and furniture.
        needs: what must be there.
        mode: how it all begins.
        rng: draws.
        things: how many things there are in all, furniture included, as far as there is room.
        bodies: the classes of things; those of ``configs/homes`` unless given.
        habits: where they lie; likewise.

    Raises:
        StockError: the layout has no such furniture, or no room for what is needed.
    """
    bodies, habits = bodies or load_object_classes(), habits or load_spawn_priors()
    for name in needs.furniture:
        if not layout.count(name):
            have = {piece.class_name for piece in layout.pieces}
            raise SpawnError(f"There is no {name} in {layout.name}. {suggest(name, have)}")
    task = HomeTask("", needs.goal)
    for _ in range(_DRAWS):
        home = _draw(layout, needs, mode, rng, things, bodies, habits)
        if not needs.goal or not is_reached(home, task):
            return home
    raise SpawnError(
        f"In {layout.name} what is asked for is so from the start, however often things are drawn."
    )


def _draw(
    layout: Layout,
    needs: Requirements,
    mode: Mode,
    rng: Random,
    count: int,
    bodies: ObjectClasses,
    habits: SpawnPriors,
) -> Home:
    start = rng.choice(sorted(layout.reachable))
    home = Home(layout, bodies, Posture(start, rng.choice((0, 90, 180, 270))))
    opposed = _opposed(needs.goal) if mode == "fixed" else ()
    stock = _Stock(home, habits, rng, opposed)
    for name, number in sorted(needs.items.items()):
        if name not in bodies.items:
            raise SpawnError(f"There is no item {name!r}. {suggest(name, bodies.items)}")
        for _ in range(number):
            if not stock.add(bodies.items[name]):
                raise SpawnError(f"There is no room for another {name} in {layout.name}.")
    stock.fill_up(count)
    if mode == "diverse":
        _mix(home, needs.goal, rng)
    else:
        _oppose(home, needs.goal)
    settle(home)
    return home


class _Stock:
    """Puts things into a home, each where such things lie."""

    def __init__(self, home: Home, habits: SpawnPriors, rng: Random, opposed: Sequence[Selector]) -> None:
        self._home, self._habits, self._rng, self._opposed = home, habits, rng, opposed

    def add(self, item: ItemClass) -> bool:
        """Put one more thing of a class somewhere; whether there was room."""
        found = draw_placement(
            self._home, item, self._habits, self._rng, lambda rests: not self._is_goal(item, rests)
        )
        if found is None:
            return False
        self._home.add(item.name, set(), _shade(item.colour, self._rng), *found)
        return True

    def fill_up(self, count: int) -> None:
        """Put things of any class somewhere until there are enough, or none fits any more."""
        home = self._home
        rooms = home.layout.rooms
        usual = [
            home.classes.items[name]
            for name in self._habits.places
            if any(self._habits.at_home_in(room, name) for room in rooms)
        ]
        refused = 0
        while usual and len(home.things) < count and refused < _DRAWS:
            item = self._rng.choice(usual)
            if len(home.of_class(item.name)) >= _MOST or not self.add(item):
                refused += 1

    def _is_goal(self, item: ItemClass, rests: Placement) -> bool:
        """Whether a thing put there would be where, or as, a task wants it."""
        support = self._home[rests.support]
        return any(_is_wanted_there(those, item, rests, support) for those in self._opposed)


def _is_wanted_there(those: Selector, item: ItemClass, rests: Placement, support: HomeObject) -> bool:
    if item.name not in those.classes:
        return False
    if "cold" in those.states and support.can("cools"):
        return True
    at = those.at
    return at is not None and rests.relation in at.relations and support.class_name in at.place.classes


def _shade(colour: Colour, rng: Random) -> Colour:
    by = [rng.randint(-_SHADE, _SHADE) for _ in range(3)]
    r, g, b = (min(255, max(0, part + d)) for part, d in zip(colour, by, strict=True))
    return r, g, b


# -- everything the other way round --------------------------------------------------------------------------
def _opposed(goal: Sequence[Condition]) -> tuple[Selector, ...]:
    """What a goal wants of things, as far as they must not begin like that."""
    found: list[Selector] = []
    for condition in goal:
        if isinstance(condition, AtLeast):
            found.append(condition.things)
        elif isinstance(condition, Every):
            found.append(condition.such)
        else:
            found.append(Selector(condition.things.classes, at=condition.at))
    for those in found:  # it grows while one goes through it
        if those.at is not None:
            found.append(those.at.place)
        place = Selector(those.classes)
        found += (replace(load.things, at=At(place, load.relations)) for load in those.bears)
    return tuple(found)


def _oppose(home: Home, goal: Sequence[Condition]) -> None:
    """Bring what a goal is about into the opposite of the states that it asks for; nothing is in any yet."""
    for those in _opposed(goal):
        for thing in home.things.values():
            if thing.class_name in those.classes:
                for state in those.states:
                    if state in _OPPOSITE:
                        home.set_state(thing, _OPPOSITE[state])


# -- everything anyhow ---------------------------------------------------------------------------------------
def _mix(home: Home, goal: Sequence[Condition], rng: Random) -> None:
    """Bring everything into some state or other, but do not slice what a goal wants whole."""
    whole = {name for those in _opposed(goal) if "sliced" in those.lacks for name in those.classes}
    for thing in tuple(home.things.values()):
        traits = thing.object_class.traits
        if "openable" in traits and rng.random() < _OPEN:
            home.set_state(thing, "open")
        if "switchable" in traits and rng.random() < _ON and "open" not in thing.states:
            home.set_state(thing, "turned_on")
        if "soil" in traits and rng.random() < _WATERED:
            home.set_state(thing, "watered")
        if "dish" in traits:
            if rng.random() < _CLEAN:
                home.set_state(thing, "clean")
            warm = rng.random()
            if warm < _HOT + _COLD:
                home.set_state(thing, "hot" if warm < _HOT else "cold")
        if "vessel" in traits and rng.random() < _FILLED:
            coffee = "cup" in traits and rng.random() < _COFFEE
            fill_with(home, thing, "has_coffee" if coffee else "has_water")
        if "cookable" in traits and rng.random() < _COOKED:
            home.set_state(thing, "cooked")
        sliceable = isinstance(thing.object_class, ItemClass) and thing.object_class.slices is not None
        if sliceable and thing.class_name not in whole and rng.random() < _SLICED:
            cut(home, thing)
