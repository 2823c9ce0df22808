"""Disturbances of a household during a run, and their language in fault scripts.

* ``move mango1 table2``, ``move mango1 under table2``: in the usual way, or in a given one;
  what rests on the thing goes with it;
* ``open X``, ``close X``: a container or a door;
* ``switch on X``, ``switch off X``;
* ``clean X``, ``dirty X``, ``heat X``: an item;
* ``remove X``: out of the house;
* ``swap X Y``: two items change places;
* ``block A B``, ``unblock A B``: something stands in the way between two nodes of the map, or no longer does.

X and Y are names of the scene; a class is fine where there is only one such thing (``mango``). Disturbances
obey the physics: to put something into a closed fridge is to open it and close it again.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from foretree.errors import near_miss, suggest
from foretree.printable import quote
from foretree.simulation.faults.fault_script import FAILURE_MODES, FaultError
from foretree.simulation.household.household_state import House, HouseholdObject
from foretree.simulation.household.scene import Scene
from foretree.simulation.household.states_and_relations import (
    RELATIONS,
    relations_of,
    states_of,
    takes_one,
    ways_to_rest,
)


@dataclass(frozen=True, slots=True)
class HouseholdDisturbance:
    """A change that another agent makes. ``str()`` is its line in a fault script.

    Attributes:
        line: that line.
        apply: changes the house, as far as the physics allows.
    """

    line: str
    apply: Callable[[House], None] = field(compare=False)

    def __str__(self) -> str:
        return self.line


def _move(item: str, relation: str, place: str) -> HouseholdDisturbance:
    """Put an item somewhere, unless the place is full or rests on the item."""

    def apply(house: House) -> None:
        thing, support = house.named(item), house.named(place)
        taken = takes_one(relation, support.known) and house.resting(relation, support.id)
        if thing is not support and thing not in house.supports_of(support) and not taken:
            house.put(thing, relation, support.id)

    return HouseholdDisturbance(f"move {item} {relation} {place}", apply)


def _set(verb: str, name: str) -> HouseholdDisturbance:
    """Make a state of a thing true or false; what is heated is no longer cold."""
    state, value = _VERBS[verb]

    def apply(house: House) -> None:
        thing = house.named(name)
        house.set_state(thing, state, value)
        if verb == "heat":
            house.set_state(thing, "cold", False)

    return HouseholdDisturbance(f"{verb} {name}", apply)


def _swap(first: str, second: str) -> HouseholdDisturbance:
    """Let two items change places if each can rest as the other does."""

    def apply(house: House) -> None:
        one, other = house.named(first), house.named(second)
        if _can_rest_as(house, one, other) and _can_rest_as(house, other, one):
            house.exchange(one, other)

    return HouseholdDisturbance(f"swap {first} {second}", apply)


def _can_rest_as(house: House, item: HouseholdObject, other: HouseholdObject) -> bool:
    support = house.support_of(other)
    if support is None or other.rests is None or support.kind == "person":
        return True
    return other.rests.relation in ways_to_rest(item.known, support.known)


#: The state that something is brought into or out of, by verb.
_VERBS: dict[str, tuple[str, bool]] = {
    "open": ("open", True),
    "close": ("open", False),
    "clean": ("clean", True),
    "dirty": ("clean", False),
    "heat": ("hot", True),
    "switch on": ("turned_on", True),
    "switch off": ("turned_on", False),
}

_GRAMMAR = (
    "move X [on|in|under|hung_on] Y",
    "open X",
    "close X",
    "clean X",
    "dirty X",
    "heat X",
    "switch on X",
    "switch off X",
    "remove X",
    "swap X Y",
    "block A B",
    "unblock A B",
    *(f"{manner} next SKILL" for manner in FAILURE_MODES),
    "disconnect for S",
)


def parse_disturbance(words: list[str], scene: Scene) -> HouseholdDisturbance:
    """Read a disturbance.

    Raises:
        FaultError: it is not in the language, or cannot be done in this scene.
    """
    verb, *rest = words
    if verb == "move" and rest:
        return _parse_move(scene, rest)
    changing = " ".join(words[:-1])
    if changing in _VERBS:
        return _set(changing, _with_state(scene, words[-1], _VERBS[changing][0]))
    if verb == "remove" and len(rest) == 1:
        item = _item(scene, rest[0])
        return HouseholdDisturbance(f"remove {item}", lambda house: house.remove(house.named(item)))
    if verb == "swap" and len(rest) == 2:
        return _swap(_item(scene, rest[0]), _item(scene, rest[1]))
    if verb in ("block", "unblock") and len(rest) == 2:
        one, other = _passage(scene, *rest)
        return HouseholdDisturbance(
            f"{verb} {one} {other}", lambda house: house.obstruct(one, other, verb == "block")
        )
    near = near_miss(verb, {line.split()[0] for line in _GRAMMAR})
    valid = "; ".join(_GRAMMAR)
    raise FaultError(
        f"{quote(' '.join(words))} is nothing that can happen. {near and near + ' '}Valid: {valid}."
    )


# -- at random ---------------------------------------------------------------------------------------


def random_disturbance(kind: str, scene: Scene, rng: random.Random) -> HouseholdDisturbance | None:
    """Draw a disturbance of a kind: ``move``, ``open``, ``close``, ``clean``, ``dirty`` or ``switch``.

    None if there is nothing in the scene that it could be done to.
    """
    if kind == "move":
        if not scene.items:
            return None
        item = rng.choice(sorted(scene.items))
        spots = [(r, n) for n in sorted(scene.furniture) for r in _fitting(scene, item, n)]
        return _move(item, *rng.choice(spots)) if spots else None
    choices = sorted(_with_states(scene, "turned_on" if kind == "switch" else _VERBS[kind][0]))
    if not choices:
        return None
    name = rng.choice(choices)
    return _set(f"switch {'on' if rng.random() < 0.5 else 'off'}" if kind == "switch" else kind, name)


# -- names -------------------------------------------------------------------------------------------


def _parse_move(scene: Scene, words: list[str]) -> HouseholdDisturbance:
    item, *rest = [word for word in words if word != "to"]
    relation = rest.pop(0) if rest and rest[0] in RELATIONS else None
    if len(rest) != 1:
        raise FaultError("say 'move X Y' or 'move X on|in|under|hung_on Y'.")
    furniture = {n: f.class_name for n, f in scene.furniture.items()}
    others = {n: i.class_name for n, i in scene.items.items() if n == rest[0]}
    place = _name(rest[0], furniture | others, "piece of furniture")
    support = scene.ontology[scene.class_of(place) or ""]
    if not relations_of(support):
        raise FaultError(f"nothing can be put on or in a {support.name}.")
    item = _item(scene, item)
    thing = scene.ontology[scene.items[item].class_name]
    valid = ways_to_rest(thing, support)
    if not valid:
        raise FaultError(f"a {thing.name} cannot be put on or in a {support.name}.")
    if relation is not None and relation not in valid:
        raise FaultError(f"a {thing.name} cannot be {relation} a {support.name}. Valid: {', '.join(valid)}.")
    return _move(item, relation or valid[0], place)


def _fitting(scene: Scene, item: str, place: str) -> tuple[str, ...]:
    """Ways to put an item at furniture, except where there is room for one thing only: it may be taken."""
    thing, support = (scene.ontology[scene.class_of(name) or ""] for name in (item, place))
    return tuple(r for r in ways_to_rest(thing, support) if not takes_one(r, support))


def _passage(scene: Scene, one: str, other: str) -> tuple[str, str]:
    nodes = [place.name for place in scene.nodes()]
    for name in (one, other):
        if name not in nodes:
            raise FaultError(f"there is no node {name!r} on the map. {suggest(name, nodes)}")
    beside = scene.places.neighbours(one)
    if other not in beside:
        raise FaultError(f"no passage leads from {one} to {other}. {suggest(other, beside)}")
    return one, other


def _item(scene: Scene, word: str) -> str:
    return _name(word, {n: i.class_name for n, i in scene.items.items()}, "item")


def _with_state(scene: Scene, word: str, state: str) -> str:
    classes = _classes(scene)
    name = _name(word, classes, "thing")
    able = _with_states(scene, state)
    if name not in able:
        raise FaultError(f"{name}, a {classes[name]}, can never be {state}. {suggest(name, able)}")
    return name


def _with_states(scene: Scene, state: str) -> list[str]:
    """The names of what can be in a state."""
    classes = _classes(scene).items()
    return [name for name, class_name in classes if state in states_of(scene.ontology, class_name)]


def _classes(scene: Scene) -> dict[str, str]:
    return {
        **{n: f.class_name for n, f in scene.furniture.items()},
        **dict.fromkeys(scene.doors, "door"),
        **{n: i.class_name for n, i in scene.items.items()},
    }


def _name(word: str, classes: dict[str, str], kind: str) -> str:
    if word in classes:
        return word
    of_class = [name for name, class_name in classes.items() if class_name == word]
    if len(of_class) == 1:
        return of_class[0]
    if of_class:
        raise FaultError(f"there are {len(of_class)} of {word!r}: {', '.join(sorted(of_class))}.")
    raise FaultError(f"there is no {kind} {word!r}. {suggest(word, classes)}")
