"""Surprises in a home: changes that a person who watches the robot asks for, in the words of fault scripts.

* ``move X Y``, ``move X in Y``: an item, with what rests on it
* ``open X``, ``close X``; ``switch on X``, ``switch off X``; ``clean X``, ``dirty X``
* ``remove X``: an item, with what rests on it, out of the home

X and Y are names that the robot gave, so they stand for what is there in truth: the thing of that class that
is nearest to where the robot believes it to be.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import dist

from foretree.errors import suggest
from foretree.printable import quote
from foretree.simulation.faults.fault_script import FaultError
from foretree.simulation.grid_homes._physics import settle
from foretree.simulation.grid_homes.disturbances import is_harmless
from foretree.simulation.grid_homes.event_log import Disturbance
from foretree.simulation.grid_homes.home import Home, HomeObject, Placement, whole_size
from foretree.simulation.grid_homes.rules import HomeRules
from foretree.world_model.beliefs.facts import Entity, centre

#: A thing this far from where the robot believes it to be, in metres, is taken for another one.
_NEAR = 1.0
#: By verb: the trait of what can be in the state, the state, and its new value.
_STATES: Mapping[str, tuple[str, str, bool]] = {
    "open": ("openable", "open", True),
    "close": ("openable", "open", False),
    "switch on": ("switchable", "turned_on", True),
    "switch off": ("switchable", "turned_on", False),
    "clean": ("dish", "clean", True),
    "dirty": ("dish", "clean", False),
}
_GRAMMAR = ("move X [on|in|under] Y", *(f"{verb} X" for verb in _STATES), "remove X")


class HomeSurprises:
    """Surprises in a home.

    Args:
        rules: the home's, which note what happens.
        believed: returns what the robot believes to exist, by its names.
    """

    def __init__(self, rules: HomeRules, believed: Callable[[], Mapping[str, Entity]]) -> None:
        self._rules = rules
        self._believed = believed

    def strike(self, line: str) -> None:
        """Let something happen now.

        Raises:
            FaultError: the line makes no sense, or cannot happen in this home.
        """
        match line.split():
            case [*verb, name] if (change := _STATES.get(" ".join(verb))) is not None:
                things = [self._set(line, name, *change)]
            case ["remove", name]:
                things = [self._remove(name)]
            case ["move", name, place]:
                things = [self._move(name, "", place)]
            case ["move", name, relation, place] if relation in ("on", "in", "under"):
                things = [self._move(name, relation, place)]
            case _:
                raise FaultError(
                    f"{quote(line)} is nothing that can happen in a home. Valid: {'; '.join(_GRAMMAR)}."
                )
        settle(self._rules.home)
        log = self._rules.log
        log.disturbances.append(Disturbance(self._rules.step, line, tuple(thing.id for thing in things)))

    # -- changes -------------------------------------------------------------------------------------
    def _set(self, line: str, name: str, trait: str, state: str, value: bool) -> HomeObject:
        thing = self._named(name)
        if not thing.can(trait):
            raise FaultError(f"{quote(line)}: that cannot be done with a {thing.class_name}.")
        if not is_harmless(thing, state):
            raise FaultError(f"{quote(line)}: as the {thing.class_name} is now, that would do harm.")
        self._rules.home.set_state(thing, state, value)
        return thing

    def _remove(self, name: str) -> HomeObject:
        item = self._item(name)
        self._rules.home.remove(item)
        return item

    def _move(self, name: str, relation: str, place: str) -> HomeObject:
        item, support = self._item(name), self._named(place)
        home = self._rules.home
        below = (support, *home.supports_of(support))
        if item in below or home.is_held(support):
            raise FaultError(
                f"{name} cannot be put onto {place}: that is in the robot's hand, or rests on it."
            )
        ways = [way for way in support.object_class.relations if relation in ("", way)]
        for way in ways:
            room = home.spot(whole_size(item, not item.load), support, way, _middle(support))
            if room is not None:
                home.put(item, Placement(way, support.id), room)
                return item
        if ways:
            raise FaultError(f"There is no room for {name} {' or '.join(ways)} {place}.")
        valid = ", ".join(support.object_class.relations) or "nothing rests there"
        raise FaultError(f"Nothing can be {relation or 'put on'} a {support.class_name}. Valid: {valid}.")

    # -- names ---------------------------------------------------------------------------------------
    def _item(self, name: str) -> HomeObject:
        thing = self._named(name)
        if thing.is_furniture:
            raise FaultError(f"{name} is furniture: it stays where it is.")
        if self._rules.home.is_held(thing):
            raise FaultError(f"{name} is in the robot's hand.")
        return thing

    def _named(self, name: str) -> HomeObject:
        """Return what is in truth what the robot calls *name*.

        Raises:
            FaultError: the robot knows of no such thing, or it is not there.
        """
        believed = self._believed()
        entity = believed.get(name)
        if entity is None:
            raise FaultError(f"The robot knows of no {quote(name)}. {suggest(name, believed)}")
        at = entity.pose
        if at is None:
            raise FaultError(f"Where {name} is, the robot does not know, so which thing is meant is open.")
        home: Home = self._rules.home
        alike = home.of_class(entity.best_class)
        nearest = min(alike, key=lambda thing: dist(centre(thing.extent), at), default=None)
        if nearest is None or dist(centre(nearest.extent), at) > _NEAR:
            raise FaultError(
                f"In truth there is no {entity.best_class} where the robot believes {name} to be."
            )
        return nearest


def _middle(support: HomeObject) -> tuple[float, float, float]:
    x, y, _ = centre(support.extent)
    return x, y, support.extent[5]
