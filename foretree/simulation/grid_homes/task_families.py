"""The families of household tasks: what each asks for of the truth, and what it takes.

How people say it and how it is written for a planner is another matter. Here a task is a family and its
parameters.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import signature

from foretree.errors import ForetreeError, suggest
from foretree.simulation.grid_homes._object_classes import ObjectClasses, Relation, load_object_classes
from foretree.simulation.grid_homes._physics import SLICES
from foretree.simulation.grid_homes.goals import At, AtLeast, Every, HomeTask, Load, Selector, Together


class TaskError(ForetreeError):
    """A task of a family, or with parameters, that there is not."""


def make_task(
    family: str, parameters: Mapping[str, str | int], bodies: ObjectClasses | None = None
) -> HomeTask:
    """The task of a family with some parameters.

    Args:
        family: its name, one of :data:`FAMILIES`.
        parameters: classes of things, and numbers of slices.
        bodies: the classes that there are; those of ``configs/homes`` unless given.

    Raises:
        TaskError: there is no such family, parameter or class.
    """
    bodies = bodies or load_object_classes()
    if family not in FAMILIES:
        raise TaskError(f"There is no family of tasks {family!r}. {suggest(family, FAMILIES)}")
    names = list(signature(FAMILIES[family]).parameters)[1:]
    if set(names) != set(parameters):
        raise TaskError(
            f"The parameters of {family} are {', '.join(names) or 'none'}, not {', '.join(parameters)}."
        )
    for value in parameters.values():
        if isinstance(value, str) and value not in bodies.items and value not in bodies.furniture:
            known = [*bodies.items, *bodies.furniture]
            raise TaskError(f"There is no class of things {value!r}. {suggest(value, known)}")
    return FAMILIES[family](bodies, **parameters)


# -- one or two things to be put somewhere -----------------------------------------------------------------
def _pick_and_place(bodies: ObjectClasses, item: str, place: str) -> HomeTask:
    """One in its place."""
    return _placing(bodies, "pick_and_place", item, (), place)


def _pick_two_and_place(bodies: ObjectClasses, item: str, place: str) -> HomeTask:
    """Two in one and the same place."""
    goal = AtLeast(1, Selector((place,), bears=(Load(2, Selector((item,)), (_relation(bodies, place),)),)))
    return _task(bodies, "pick_two_and_place", (goal,), {item: 2, place: 1})


def _clean_and_place(bodies: ObjectClasses, item: str, place: str) -> HomeTask:
    """A clean one in its place."""
    return _placing(bodies, "clean_and_place", item, ("clean",), place, "sink")


def _heat_and_place(bodies: ObjectClasses, item: str, place: str) -> HomeTask:
    """A hot one in its place."""
    return _placing(bodies, "heat_and_place", item, ("hot",), place, "microwave")


def _cool_and_place(bodies: ObjectClasses, item: str, place: str) -> HomeTask:
    """A cold one in its place."""
    return _placing(bodies, "cool_and_place", item, ("cold",), place, "fridge")


def _stack_and_place(bodies: ObjectClasses, item: str, holder: str, place: str) -> HomeTask:
    """One on or in something that carries it, and that in its place."""
    load = Load(1, Selector((item,)), (_relation(bodies, holder),))
    there = At(Selector((place,)), (_relation(bodies, place),))
    goal = AtLeast(1, Selector((holder,), at=there, bears=(load,)))
    return _task(bodies, "stack_and_place", (goal,), {item: 1, holder: 1, place: 1})


def _examine_in_light(bodies: ObjectClasses, item: str) -> HomeTask:
    """One that was looked at near a lamp that shone."""
    goal = AtLeast(1, Selector((item,), ("examined",)))
    return _task(bodies, "examine_in_light", (goal,), {item: 1, "lamp": 1})


# -- several things, or several steps to one ---------------------------------------------------------------
def _coffee(bodies: ObjectClasses, vessel: str) -> HomeTask:
    """A clean vessel full of coffee."""
    goal = AtLeast(1, _coffee_in(vessel))
    return _task(bodies, "coffee", (goal,), {vessel: 1, "coffee_machine": 1, "sink": 1})


def _clean_all(bodies: ObjectClasses, item: str) -> HomeTask:
    """All of them clean."""
    goal = Every(Selector((item,)), Selector((item,), ("clean",)))
    return _task(bodies, "clean_all", (goal,), {item: 2, "sink": 1})


def _put_all_on(bodies: ObjectClasses, item: str, place: str) -> HomeTask:
    """All of them in places of a class, whichever."""
    there = At(Selector((place,)), (_relation(bodies, place),))
    goal = Every(Selector((item,)), Selector((item,), at=there))
    return _task(bodies, "put_all_on", (goal,), {item: 2, place: 1})


def _put_all_in_one(bodies: ObjectClasses, item: str, place: str) -> HomeTask:
    """All of them in one and the same place."""
    goal = Together(Selector((item,)), At(Selector((place,)), (_relation(bodies, place),)))
    return _task(bodies, "put_all_in_one", (goal,), {item: 2, place: 1})


def _boil(bodies: ObjectClasses, item: str) -> HomeTask:
    """A whole one, cooked."""
    goal = AtLeast(1, Selector((item,), ("cooked",), lacks=("sliced",)))
    return _task(bodies, "boil", (goal,), {item: 1, "pot": 1, "stove": 1, "sink": 1})


def _water_plant(bodies: ObjectClasses, vessel: str) -> HomeTask:
    """A watered plant; the vessel is what there is to do it with."""
    goal = AtLeast(1, Selector(("plant",), ("watered",)))
    return _task(bodies, "water_plant", (goal,), {"plant": 1, vessel: 1, "sink": 1})


def _toast(bodies: ObjectClasses) -> HomeTask:
    """A slice of toast on a plate."""
    goal = _served(bodies, "plate", (), _TOAST)
    return _task(bodies, "toast", (goal,), {"bread": 1, "knife": 1, "plate": 1, "toaster": 1})


def _slices(bodies: ObjectClasses, item: str, number: int, holder: str) -> HomeTask:
    """So many slices on or in one and the same thing."""
    goal = _served(bodies, holder, (), Load(number, Selector((f"{item}_slice",))))
    return _task(bodies, "slices", (goal,), {item: _whole(number), "knife": 1, holder: 1})


def _cooked_slices(bodies: ObjectClasses, item: str, number: int, holder: str) -> HomeTask:
    """So many slices, cooked, on or in one and the same thing."""
    goal = _served(bodies, holder, (), Load(number, Selector((f"{item}_slice",), ("cooked",))))
    takes = {item: _whole(number), "knife": 1, "pan": 1, holder: 1, "stove": 1}
    return _task(bodies, "cooked_slices", (goal,), takes)


def _salad(bodies: ObjectClasses, holder: str) -> HomeTask:
    """In one clean thing a slice each of lettuce, tomato and cucumber."""
    wholes = ("lettuce", "tomato", "cucumber")
    goal = _served(bodies, holder, ("clean",), *(Load(1, Selector((f"{one}_slice",))) for one in wholes))
    return _task(bodies, "salad", (goal,), {**dict.fromkeys(wholes, 1), "knife": 1, holder: 1, "sink": 1})


def _sandwich(bodies: ObjectClasses) -> HomeTask:
    """On one clean plate two slices of toast, a slice of lettuce and one of tomato."""
    lettuce, tomato = (Load(1, Selector((name,))) for name in ("lettuce_slice", "tomato_slice"))
    goal = _served(bodies, "plate", ("clean",), Load(2, _TOAST.things), lettuce, tomato)
    takes = ("bread", "lettuce", "tomato", "knife", "plate", "toaster", "sink")
    return _task(bodies, "sandwich", (goal,), dict.fromkeys(takes, 1))


def _breakfast(bodies: ObjectClasses, vessel: str, place: str) -> HomeTask:
    """In one and the same place a clean vessel full of coffee, and a clean plate with a slice of toast."""
    relation = _relation(bodies, place)
    plate = _served(bodies, "plate", ("clean",), _TOAST).things
    loads = (Load(1, _coffee_in(vessel), (relation,)), Load(1, plate, (relation,)))
    goal = AtLeast(1, Selector((place,), bears=loads))
    takes = ("bread", "knife", "plate", vessel, place, "coffee_machine", "toaster", "sink")
    return _task(bodies, "breakfast", (goal,), dict.fromkeys(takes, 1))


#: Every family by name; the parameters are those of its function after the first.
FAMILIES: Mapping[str, Callable[..., HomeTask]] = {
    "pick_and_place": _pick_and_place,
    "stack_and_place": _stack_and_place,
    "pick_two_and_place": _pick_two_and_place,
    "clean_and_place": _clean_and_place,
    "heat_and_place": _heat_and_place,
    "cool_and_place": _cool_and_place,
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

_TOAST = Load(1, Selector(("bread_slice",), ("cooked",)))


def _coffee_in(vessel: str) -> Selector:
    return Selector((vessel,), ("clean", "has_coffee"))


def _placing(
    bodies: ObjectClasses, family: str, item: str, states: tuple[str, ...], place: str, *tools: str
) -> HomeTask:
    goal = AtLeast(1, Selector((item,), states, at=At(Selector((place,)), (_relation(bodies, place),))))
    return _task(bodies, family, (goal,), {item: 1, place: 1, **dict.fromkeys(tools, 1)})


def _served(bodies: ObjectClasses, holder: str, states: tuple[str, ...], *loads: Load) -> AtLeast:
    """All of some loads on or in one and the same thing."""
    relation = _relation(bodies, holder)
    there = tuple(Load(load.count, load.things, (relation,)) for load in loads)
    return AtLeast(1, Selector((holder,), states, bears=there))


def _task(
    bodies: ObjectClasses, family: str, goal: tuple[AtLeast | Every | Together, ...], takes: Mapping[str, int]
) -> HomeTask:
    items = {name: count for name, count in takes.items() if name in bodies.items}
    return HomeTask(family, goal, items, tuple(name for name in takes if name not in items))


def _relation(bodies: ObjectClasses, place: str) -> Relation:
    """How things rest there when nothing else is said."""
    body = bodies.furniture.get(place) or bodies.items[place]
    return "in" if "in" in body.relations else "on"


def _whole(slices: int) -> int:
    """How many whole things make so many slices."""
    return -(-slices // SLICES)
