"""The families of household tasks: what each asks for, and what it takes."""

from __future__ import annotations

from collections.abc import Mapping

from foretree.simulation.homes.bodies import Relation
from foretree.simulation.homes.goals import At, AtLeast, Condition, Every, Load, Task, Those, Together
from foretree.simulation.homes.physics import SLICES

#: How things come into states: with what furniture.
_BY: Mapping[str, tuple[str, ...]] = {
    "clean": ("sink",),
    "hot": ("microwave",),
    "cold": ("fridge",),
    "has_coffee": ("coffee_machine",),
    "has_water": ("sink",),
}


def pick_and_place(item: str, relation: Relation, place: str) -> Task:
    """One in its place."""
    return _placing("pick_and_place", item, 1, (), relation, place)


def pick_two_and_place(item: str, relation: Relation, place: str) -> Task:
    """Two in their place."""
    return _placing("pick_two_and_place", item, 2, (), relation, place)


def clean_and_place(item: str, relation: Relation, place: str) -> Task:
    """A clean one in its place."""
    return _placing("clean_and_place", item, 1, ("clean",), relation, place)


def heat_and_place(item: str, relation: Relation, place: str) -> Task:
    """A hot one in its place."""
    return _placing("heat_and_place", item, 1, ("hot",), relation, place)


def cool_and_place(item: str, relation: Relation, place: str) -> Task:
    """A cold one in its place."""
    return _placing("cool_and_place", item, 1, ("cold",), relation, place)


def stack_and_place(item: str, vessel: str, relation: Relation, place: str) -> Task:
    """One on or in something that carries it, and that in its place."""
    below = Those((vessel,), at=At(Those((place,)), (relation,)))
    stacked = Those((item,), at=At(below, ("on", "in")))
    return Task("stack_and_place", (AtLeast(1, stacked),), {item: 1, vessel: 1}, (place,))


def examine_in_light(item: str) -> Task:
    """One that was looked at near a lamp that shines, and the lamp still shines."""
    goal = (AtLeast(1, Those((item,), ("examined",))), AtLeast(1, Those(("lamp",), ("turned_on",))))
    return Task("examine_in_light", goal, {item: 1}, ("lamp",))


def make_coffee(vessel: str = "mug") -> Task:
    """A clean vessel full of coffee."""
    coffee = AtLeast(1, Those((vessel,), ("clean", "has_coffee")))
    return Task("make_coffee", (coffee,), {vessel: 1}, ("coffee_machine", "sink"))


def clean_all(item: str, count: int = 3) -> Task:
    """All clean; there are *count* of them, or more."""
    return Task("clean_all", (Every(Those((item,)), Those((item,), ("clean",))),), {item: count}, ("sink",))


def put_all_on(item: str, relation: Relation, place: str, count: int = 3) -> Task:
    """All in a place of a class, whichever."""
    goal = Every(Those((item,)), Those((item,), at=At(Those((place,)), (relation,))))
    return Task("put_all_on", (goal,), {item: count}, (place,))


def put_all_in_one(item: str, relation: Relation, place: str, count: int = 3) -> Task:
    """All in one and the same place."""
    goal = Together(Those((item,)), At(Those((place,)), (relation,)))
    return Task("put_all_in_one", (goal,), {item: count}, (place,))


def boil_potato() -> Task:
    """A whole potato, cooked."""
    boiled = AtLeast(1, Those(("potato",), ("cooked",), ("sliced",)))
    return Task("boil_potato", (boiled,), {"potato": 1, "pot": 1}, ("stove", "sink"))


def water_plant() -> Task:
    """A watered plant."""
    watered = AtLeast(1, Those(("plant",), ("watered",)))
    return Task("water_plant", (watered,), {"watering_can": 1, "mug": 1}, ("plant", "sink"))


def make_toast(count: int = 1) -> Task:
    """Slices of bread, toasted, on one clean plate."""
    toast = Load(count, Those(("bread_slice",), ("cooked",)))
    plate = AtLeast(1, Those(("plate",), ("clean",), bears=(toast,)))
    items = {"bread": _whole(count), "knife": 1, "plate": 1}
    return Task("make_toast", (plate,), items, ("toaster", "sink"))


def slices_in(count: int, item: str, vessel: str) -> Task:
    """So many slices of something on or in one and the same thing."""
    served = AtLeast(1, Those((vessel,), bears=(Load(count, Those((f"{item}_slice",))),)))
    return Task("slices_in", (served,), {item: _whole(count), "knife": 1, vessel: 1})


def cooked_slices(count: int, item: str, vessel: str) -> Task:
    """So many slices of something, cooked, on or in one and the same thing."""
    cooked = Load(count, Those((f"{item}_slice",), ("cooked",)))
    served = AtLeast(1, Those((vessel,), bears=(cooked,)))
    return Task(
        "cooked_slices", (served,), {item: _whole(count), "knife": 1, "pan": 1, vessel: 1}, ("stove",)
    )


def salad() -> Task:
    """On one clean plate a slice of lettuce, of tomato, and of cooked potato."""
    items = {"lettuce": 1, "tomato": 1, "potato": 1, "knife": 1, "pan": 1, "plate": 1}
    return Task("salad", (_plate(_SALAD),), items, ("stove", "sink"))


def sandwich() -> Task:
    """On one clean plate two slices of toast, a slice of lettuce and one of tomato."""
    items = {"bread": 1, "lettuce": 1, "tomato": 1, "knife": 1, "plate": 1}
    return Task("sandwich", (_plate(_SANDWICH),), items, ("toaster", "sink"))


def breakfast() -> Task:
    """A clean mug of coffee, and a slice of toast and one of apple on one clean plate, all on tables."""
    table = At(Those(("table",)), ("on",))
    loads = (Load(1, Those(("bread_slice",), ("cooked",))), Load(1, Those(("apple_slice",))))
    goal: tuple[Condition, ...] = (
        AtLeast(1, Those(("mug",), ("clean", "has_coffee"), at=table)),
        AtLeast(1, Those(("plate",), ("clean",), at=table, bears=loads)),
    )
    items = {"mug": 1, "plate": 1, "bread": 1, "apple": 1, "knife": 1}
    return Task("breakfast", goal, items, ("coffee_machine", "toaster", "sink", "table"))


_SALAD = (
    Load(1, Those(("lettuce_slice",))),
    Load(1, Those(("tomato_slice",))),
    Load(1, Those(("potato_slice",), ("cooked",))),
)
_SANDWICH = (
    Load(2, Those(("bread_slice",), ("cooked",))),
    Load(1, Those(("lettuce_slice",))),
    Load(1, Those(("tomato_slice",))),
)


def _plate(loads: tuple[Load, ...]) -> AtLeast:
    return AtLeast(1, Those(("plate",), ("clean",), bears=loads))


def _placing(
    family: str, item: str, count: int, states: tuple[str, ...], relation: Relation, place: str
) -> Task:
    goal = AtLeast(count, Those((item,), states, at=At(Those((place,)), (relation,))))
    by = [furniture for state in states for furniture in _BY[state]]
    return Task(family, (goal,), {item: count}, (*dict.fromkeys((*by, place)),))


def _whole(slices: int) -> int:
    """How many whole things make so many slices."""
    return -(-slices // SLICES)
