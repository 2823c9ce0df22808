"""Every family of tasks, carried out by hand: its goal is reached at the end, and part by part on the way."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from foretree.simulation.homes import families
from foretree.simulation.homes.goals import Task, goal_conditions, is_reached
from foretree.skills.embodied.body import Control

Way = Callable[[object], None]


def pick(lab, task):
    lab.carry(lab.add("apple", "on", "table"), "counter")


def two(lab, task):
    for _ in range(2):
        lab.carry(lab.add("apple", "on", "table"), "counter")


def stack(lab, task):
    fork, mug = lab.add("fork", "on", "counter"), lab.add("mug", "on", "counter")
    lab.carry(fork, mug)
    lab.carry(mug, "table")


def wash(lab, task):
    mug = lab.add("mug", "on", "table")
    lab.must("pick_up", mug)
    lab.must("clean", "sink")
    lab.must("put", "counter")


def heat(lab, task):
    through(lab, "mug", "microwave", run=True)


def cool(lab, task):
    through(lab, "mug", "fridge", run=False)


def through(lab, item, place, run):
    thing = lab.add(item, "on", "table")
    lab.must("open", place)
    lab.carry(thing, place)
    lab.must("close", place)
    if run:
        lab.must("toggle_on", place)
        lab.must("toggle_off", place)
    lab.must("open", place)
    lab.carry(thing, "counter")


def examine(lab, task):
    book = lab.add("book", "on", "table")
    lab.must("toggle_on", "lamp")
    lab.must("pick_up", book)
    lab.stand_before(lab.the("lamp"))
    lab.rules.do(Control("lift_held"))


def coffee(lab, task):
    lab.must("pick_up", lab.add("mug", "on", "table"))
    lab.must("clean", "sink")
    lab.must("put", "coffee_machine")
    lab.must("toggle_on", "coffee_machine")


def wash_all(lab, task):
    for _ in range(3):
        lab.add("cup", "on", "table")
    for cup in lab.home.of_class("cup"):
        lab.must("pick_up", cup)
        lab.must("clean", "sink")
        lab.must("put", "counter")


def gather(lab, task):
    for place in ("table", "sofa", "shelf"):
        lab.add("book", "on", place)
    for book in lab.home.of_class("book"):
        lab.carry(book, "sideboard", "on")


def boil(lab, task):
    pot, potato = lab.add("pot", "on", "counter"), lab.add("potato", "on", "counter")
    lab.must("pick_up", pot)
    lab.must("fill", "sink")
    lab.must("put", "stove")
    lab.carry(potato, pot)
    lab.must("toggle_on", "stove")


def water(lab, task):
    lab.must("pick_up", lab.add("watering_can", "on", "table"))
    lab.must("fill", "sink")
    lab.must("pour", "plant")


def cut(lab, *names):
    for name in names:
        lab.add(name, "on", "counter")
    lab.must("pick_up", lab.add("knife", "on", "table"))
    for name in names:
        lab.must("slice", name)
    lab.must("put", "table")


def clean_plate(lab):
    lab.must("pick_up", lab.add("plate", "on", "table"))
    lab.must("clean", "sink")
    lab.must("put", "table")
    return lab.the("plate")


def toast(lab, plate, count):
    slices = [one for one in lab.home.of_class("bread_slice") if not one.states][:count]
    for one in slices:
        lab.carry(one, "toaster")
    lab.must("toggle_on", "toaster")
    for one in slices:
        lab.carry(one, plate)


def fry(lab, plate, name, count):
    pan = lab.add("pan", "on", "stove")
    slices = lab.home.of_class(name)[:count]
    for one in slices:
        lab.carry(one, pan)
    lab.must("toggle_on", "stove")
    for one in slices:
        lab.carry(one, plate)


def make_toast(lab, task):
    cut(lab, "bread")
    toast(lab, clean_plate(lab), 2)


def serve(lab, task):
    cut(lab, "apple")
    bowl = lab.add("bowl", "on", "table")
    for one in lab.home.of_class("apple_slice"):
        lab.carry(one, bowl)


def cook(lab, task):
    cut(lab, "potato")
    fry(lab, lab.add("plate", "on", "table"), "potato_slice", 2)


def salad(lab, task):
    cut(lab, "lettuce", "tomato", "potato")
    plate = clean_plate(lab)
    fry(lab, plate, "potato_slice", 1)
    for name in ("lettuce_slice", "tomato_slice"):
        lab.carry(lab.the(name), plate)


def sandwich(lab, task):
    cut(lab, "bread", "lettuce", "tomato")
    plate = clean_plate(lab)
    toast(lab, plate, 2)
    for name in ("lettuce_slice", "tomato_slice"):
        lab.carry(lab.the(name), plate)


def breakfast(lab, task):
    coffee(lab, task)
    lab.carry(lab.the("mug"), "table")
    cut(lab, "bread", "apple")
    plate = clean_plate(lab)
    toast(lab, plate, 1)
    lab.carry(lab.the("apple_slice"), plate)


#: The task, how it is carried out, and how many parts its goal has.
BY_HAND: list[tuple[Task, Way, int]] = [
    (families.pick_and_place("apple", "on", "counter"), pick, 1),
    (families.pick_two_and_place("apple", "on", "counter"), two, 2),
    (families.stack_and_place("fork", "mug", "on", "table"), stack, 3),
    (families.clean_and_place("mug", "on", "counter"), wash, 3),
    (families.heat_and_place("mug", "on", "counter"), heat, 3),
    (families.cool_and_place("mug", "on", "counter"), cool, 3),
    (families.examine_in_light("book"), examine, 2),
    (families.make_coffee(), coffee, 3),
    (families.clean_all("cup"), wash_all, 3),
    (families.put_all_on("book", "on", "sideboard"), gather, 3),
    (families.put_all_in_one("book", "on", "sideboard"), gather, 3),
    (families.boil_potato(), boil, 2),
    (families.water_plant(), water, 1),
    (families.make_toast(2), make_toast, 6),
    (families.slices_in(3, "apple", "bowl"), serve, 3),
    (families.cooked_slices(2, "potato", "plate"), cook, 5),
    (families.salad(), salad, 6),
    (families.sandwich(), sandwich, 8),
    (families.breakfast(), breakfast, 10),
]


@pytest.mark.parametrize(("task", "way", "parts"), BY_HAND, ids=[task.family for task, *_ in BY_HAND])
def test_a_task_is_done_when_it_is_done(lab, task: Task, way: Way, parts: int) -> None:
    assert not is_reached(lab.home, task)
    assert not any(goal_conditions(lab.home, task))
    way(lab, task)
    assert is_reached(lab.home, task)
    found = goal_conditions(lab.home, task)
    assert all(found)
    assert len(found) == parts


def test_every_family_is_there_once() -> None:
    assert len({task.family for task, *_ in BY_HAND}) == len(BY_HAND) == 19
    made = {name for name in vars(families) if not name.startswith("_")}
    assert {task.family for task, *_ in BY_HAND} <= made


@pytest.mark.parametrize(("task", "way", "parts"), BY_HAND, ids=[task.family for task, *_ in BY_HAND])
def test_what_a_task_takes_is_known(lab, task: Task, way: Way, parts: int) -> None:
    bodies = lab.home.bodies
    assert set(task.items) <= set(bodies.items)
    assert set(task.furniture) <= set(bodies.furniture)
    assert not set(task.items) & bodies.slice_classes


def test_more_slices_than_a_thing_has_take_more_things() -> None:
    assert families.slices_in(3, "apple", "bowl").items["apple"] == 1
    assert families.slices_in(4, "apple", "bowl").items["apple"] == 2
