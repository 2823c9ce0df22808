"""Families of household tasks: what each asks of the true state, and what a home needs for it.

Here a task is a family and its parameters. Instructions, and goals for a planner, are in
:mod:`foretree.regression.homes.household_tasks`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import signature
from typing import TypeAlias

from foretree.errors import ForetreeError, suggest
from foretree.simulation.grid_homes._object_classes import ObjectClasses, Relation, load_object_classes
from foretree.simulation.grid_homes._physics import SLICES
from foretree.simulation.grid_homes.goals import (
    At,
    AtLeast,
    Condition,
    Every,
    HomeTask,
    Load,
    Selector,
    Together,
)

#: A goal, and the number of objects of each class that it takes.
_Demand: TypeAlias = tuple[Condition, Mapping[str, int]]


class TaskError(ForetreeError):
    """A task of an unknown family, or with parameters that the family does not have."""


def make_task(
    family: str, parameters: Mapping[str, str | int], classes: ObjectClasses | None = None
) -> HomeTask:
    """Make the task of a family with some parameters.

    Args:
        family: its name, one of :data:`FAMILIES`.
        parameters: classes of objects, and numbers of slices; of a place also how things are to rest there,
            ``on dresser``.
        classes: the object classes; those of ``configs/homes`` unless given.

    Raises:
        TaskError: there is no such family, parameter or class.
    """
    classes = classes or load_object_classes()
    if family not in FAMILIES:
        raise TaskError(f"There is no family of tasks {family!r}. {suggest(family, FAMILIES)}")
    names = list(signature(FAMILIES[family]).parameters)[1:]
    if set(names) != set(parameters):
        raise TaskError(
            f"The parameters of {family} are {', '.join(names) or 'none'}, not {', '.join(parameters)}."
        )
    for name, value in parameters.items():
        known = [*classes.items, *classes.furniture]
        if isinstance(value, str) and (class_at(value) if name == "place" else value) not in known:
            raise TaskError(f"There is no class of things {value!r}. {suggest(value, known)}")
    goal, takes = FAMILIES[family](classes, **parameters)
    takes = _uncut(classes, takes)
    items = {name: count for name, count in takes.items() if name in classes.items}
    return HomeTask(family, (goal,), items, tuple(name for name in takes if name not in items))


# -- one or two things to be put somewhere -----------------------------------------------------------------
def _pick_and_place(classes: ObjectClasses, item: str, place: str) -> _Demand:
    """One in its place."""
    return _placing(classes, item, (), place)


def _pick_two_and_place(classes: ObjectClasses, item: str, place: str) -> _Demand:
    """Two in one and the same place."""
    load = Load(2, Selector((item,)), (_relation(classes, place),))
    return AtLeast(1, Selector((class_at(place),), bears=(load,))), {item: 2, class_at(place): 1}


def _in_state_and_place(state: str, tool: str) -> Callable[[ObjectClasses, str, str], _Demand]:
    """One in a state and in its place."""

    def demand(classes: ObjectClasses, item: str, place: str) -> _Demand:
        return _placing(classes, item, (state,), place, tool)

    return demand


def _stack_and_place(classes: ObjectClasses, item: str, holder: str, place: str) -> _Demand:
    """One on or in something that carries it, and that in its place."""
    load = Load(1, Selector((item,)), (_relation(classes, holder),))
    laden = Selector((holder,), at=_at(classes, place), bears=(load,))
    return AtLeast(1, laden), {item: 1, holder: 1, class_at(place): 1}


def _examine_in_light(classes: ObjectClasses, item: str) -> _Demand:
    """One that was looked at near a lamp that shone."""
    return AtLeast(1, Selector((item,), ("examined",))), {item: 1, "lamp": 1}


# -- several things, or several steps to one ---------------------------------------------------------------
def _coffee(classes: ObjectClasses, vessel: str) -> _Demand:
    """A clean vessel full of coffee."""
    return AtLeast(1, _coffee_in(vessel)), {vessel: 1, "coffee_machine": 1, "sink": 1}


def _clean_all(classes: ObjectClasses, item: str) -> _Demand:
    """All of them clean."""
    return Every(Selector((item,)), Selector((item,), ("clean",))), {item: 2, "sink": 1}


def _put_all_on(classes: ObjectClasses, item: str, place: str) -> _Demand:
    """All of them in places of a class, whichever."""
    return Every(Selector((item,)), Selector((item,), at=_at(classes, place))), {item: 2, place: 1}


def _put_all_in_one(classes: ObjectClasses, item: str, place: str) -> _Demand:
    """All of them in one and the same place."""
    return Together(Selector((item,)), _at(classes, place)), {item: 2, place: 1}


def _boil(classes: ObjectClasses, item: str) -> _Demand:
    """A whole one, cooked."""
    goal = AtLeast(1, Selector((item,), ("cooked",), lacks=("sliced",)))
    return goal, {item: 1, "pot": 1, "stove": 1, "sink": 1}


def _water_plant(classes: ObjectClasses, vessel: str) -> _Demand:
    """A watered plant; the vessel is what there is to do it with."""
    return AtLeast(1, Selector(("plant",), ("watered",))), {"plant": 1, vessel: 1, "sink": 1}


def _toast(classes: ObjectClasses) -> _Demand:
    """A slice of toast on a plate."""
    return _served(classes, "plate", (), _TOAST), {"bread": 1, "knife": 1, "plate": 1, "toaster": 1}


def _slices(classes: ObjectClasses, item: str, number: int, holder: str) -> _Demand:
    """So many slices on or in one and the same thing."""
    goal = _served(classes, holder, (), Load(number, Selector((f"{item}_slice",))))
    return goal, {item: _whole(number), "knife": 1, holder: 1}


def _cooked_slices(classes: ObjectClasses, item: str, number: int, holder: str) -> _Demand:
    """So many slices, cooked, on or in one and the same thing."""
    goal = _served(classes, holder, (), Load(number, Selector((f"{item}_slice",), ("cooked",))))
    return goal, {item: _whole(number), "knife": 1, "pan": 1, holder: 1, "stove": 1}


def _salad(classes: ObjectClasses, holder: str) -> _Demand:
    """In one clean thing a slice each of lettuce, tomato and cucumber."""
    wholes = ("lettuce", "tomato", "cucumber")
    goal = _served(classes, holder, ("clean",), *(Load(1, Selector((f"{one}_slice",))) for one in wholes))
    return goal, {**dict.fromkeys(wholes, 1), "knife": 1, holder: 1, "sink": 1}


def _sandwich(classes: ObjectClasses) -> _Demand:
    """On one clean plate two slices of toast, a slice of lettuce and one of tomato."""
    lettuce, tomato = (Load(1, Selector((name,))) for name in ("lettuce_slice", "tomato_slice"))
    goal = _served(classes, "plate", ("clean",), Load(2, _TOAST.things), lettuce, tomato)
    takes = ("bread", "lettuce", "tomato", "knife", "plate", "toaster", "sink")
    return goal, dict.fromkeys(takes, 1)


def _breakfast(classes: ObjectClasses, vessel: str, place: str) -> _Demand:
    """In one and the same place a clean vessel full of coffee, and a clean plate with a slice of toast."""
    relation = _relation(classes, place)
    plate = _served(classes, "plate", ("clean",), _TOAST).things
    loads = (Load(1, _coffee_in(vessel), (relation,)), Load(1, plate, (relation,)))
    goal = AtLeast(1, Selector((place,), bears=loads))
    takes = ("bread", "knife", "plate", vessel, place, "coffee_machine", "toaster", "sink")
    return goal, dict.fromkeys(takes, 1)


#: Every family by name; the parameters are those of its function after the first.
FAMILIES: Mapping[str, Callable[..., _Demand]] = {
    "pick_and_place": _pick_and_place,
    "stack_and_place": _stack_and_place,
    "pick_two_and_place": _pick_two_and_place,
    "clean_and_place": _in_state_and_place("clean", "sink"),
    "heat_and_place": _in_state_and_place("hot", "microwave"),
    "cool_and_place": _in_state_and_place("cold", "fridge"),
    "examine_in_light": _examine_in_light,
    "coffee": _coffee,
    "clean_all": _clean_all,
    "put_all_on": _put_all_on,
    "put_all_in_one": _put_all_in_one,
    "boil": _boil,
    "water_plant": _water_plant,
    "toast": _toast,
    "slices": _slices,
    "cooked_slices": _cooked_slices,
    "salad": _salad,
    "sandwich": _sandwich,
    "breakfast": _breakfast,
}

#: What slices are cut with.
_BLADE = "knife"

_TOAST = Load(1, Selector(("bread_slice",), ("cooked",)))


def _coffee_in(vessel: str) -> Selector:
    return Selector((vessel,), ("clean", "has_coffee"))


def _placing(classes: ObjectClasses, item: str, states: tuple[str, ...], place: str, *tools: str) -> _Demand:
    goal = AtLeast(1, Selector((item,), states, at=_at(classes, place)))
    return goal, {item: 1, class_at(place): 1, **dict.fromkeys(tools, 1)}


def _at(classes: ObjectClasses, place: str) -> At:
    return At(Selector((class_at(place),)), (_relation(classes, place),))


def class_at(place: str) -> str:
    """The class of a place: of ``on dresser``, or of ``dresser``."""
    return place.rpartition(" ")[2]


def _served(classes: ObjectClasses, holder: str, states: tuple[str, ...], *loads: Load) -> AtLeast:
    """All of some loads on or in one and the same thing."""
    relation = _relation(classes, holder)
    there = tuple(Load(load.count, load.things, (relation,)) for load in loads)
    return AtLeast(1, Selector((holder,), states, bears=there))


def _relation(classes: ObjectClasses, place: str) -> Relation:
    """The relation in which objects are to rest there: the one that is said, else the usual one.

    Raises:
        TaskError: nothing rests there like that.
    """
    how, _, name = place.rpartition(" ")
    body = classes.furniture.get(name) or classes.items[name]
    if not how:
        return "in" if "in" in body.relations else "on"
    relation = next((one for one in body.relations if one == how), None)
    if relation is None:
        valid = " or ".join(f"{one} {name}" for one in body.relations) or "nothing"
        raise TaskError(f"Nothing rests {place}. Valid: {valid}.")
    return relation


def _uncut(classes: ObjectClasses, takes: Mapping[str, int]) -> Mapping[str, int]:
    """Return what a task takes: of slices, what they are cut from, and something to cut it with."""
    whole = {item.slices: name for name, item in classes.items.items() if item.slices is not None}
    found: dict[str, int] = {}
    for name, count in takes.items():
        if name in whole:
            found[whole[name]] = found.get(whole[name], 0) + _whole(count)
            found.setdefault(_BLADE, 1)
        else:
            found[name] = max(count, found.get(name, 0))
    return found


def _whole(slices: int) -> int:
    """The number of objects that make so many slices."""
    return -(-slices // SLICES)
