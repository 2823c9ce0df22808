"""Every family of tasks, carried out by hand: its goal is reached at the end, and part by part on the way."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from foretree.simulation.grid_homes.goals import HomeTask, goal_conditions, is_reached
from foretree.simulation.grid_homes.task_families import FAMILIES, TaskError, make_task
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
    for _ in range(2):
        lab.add("cup", "on", "table")
    for cup in lab.home.of_class("cup"):
        lab.must("pick_up", cup)
        lab.must("clean", "sink")
        lab.must("put", "counter")


def gather(lab, task):
    for place in ("table", "sofa", "counter"):
        lab.add("book", "on", place)
    for book in lab.home.of_class("book"):
        lab.carry(book, "shelf")


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
    toast(lab, lab.add("plate", "on", "table"), 1)


def serve(lab, task):
    cut(lab, "apple")
    bowl = lab.add("bowl", "on", "table")
    for one in lab.home.of_class("apple_slice"):
        lab.carry(one, bowl)


def cook(lab, task):
    cut(lab, "potato")
    fry(lab, lab.add("plate", "on", "table"), "potato_slice", 2)


def salad(lab, task):
    cut(lab, "lettuce", "tomato", "cucumber")
    plate = clean_plate(lab)
    for name in ("lettuce_slice", "tomato_slice", "cucumber_slice"):
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
    cut(lab, "bread")
    toast(lab, clean_plate(lab), 1)


#: The task, how it is carried out, and how many parts its goal has.
BY_HAND: list[tuple[HomeTask, Way, int]] = [
    (make_task(family, parameters), way, parts)
    for family, parameters, way, parts in (
        ("pick_and_place", {"item": "apple", "place": "counter"}, pick, 1),
        ("stack_and_place", {"item": "fork", "holder": "mug", "place": "table"}, stack, 3),
        ("pick_two_and_place", {"item": "apple", "place": "counter"}, two, 2),
        ("clean_and_place", {"item": "mug", "place": "counter"}, wash, 3),
        ("heat_and_place", {"item": "mug", "place": "counter"}, heat, 3),
        ("cool_and_place", {"item": "mug", "place": "counter"}, cool, 3),
        ("examine_in_light", {"item": "book"}, examine, 1),
        ("coffee", {"vessel": "mug"}, coffee, 3),
        ("clean_all", {"item": "cup"}, wash_all, 2),
        ("put_all_on", {"item": "book", "place": "shelf"}, gather, 3),
        ("put_all_in_one", {"item": "book", "place": "shelf"}, gather, 3),
        ("boil", {"item": "potato"}, boil, 2),
        ("water_plant", {"vessel": "watering_can"}, water, 1),
        ("toast", {}, make_toast, 3),
        ("slices", {"item": "apple", "number": 3, "holder": "bowl"}, serve, 3),
        ("cooked_slices", {"item": "potato", "number": 2, "holder": "plate"}, cook, 5),
        ("salad", {"holder": "plate"}, salad, 5),
        ("sandwich", {}, sandwich, 8),
        ("breakfast", {"vessel": "mug", "place": "table"}, breakfast, 10),
    )
]


@pytest.mark.parametrize(("task", "way", "parts"), BY_HAND, ids=[task.family for task, *_ in BY_HAND])
def test_a_task_is_done_when_it_is_done(lab, task: HomeTask, way: Way, parts: int) -> None:
    assert not is_reached(lab.home, task)
    assert not any(goal_conditions(lab.home, task))
    way(lab, task)
    assert is_reached(lab.home, task)
    found = goal_conditions(lab.home, task)
    assert all(found)
    assert len(found) == parts


def test_every_family_is_carried_out() -> None:
    assert [task.family for task, *_ in BY_HAND] == list(FAMILIES)


@pytest.mark.parametrize(("task", "way", "parts"), BY_HAND, ids=[task.family for task, *_ in BY_HAND])
def test_what_a_task_takes_is_known(lab, task: HomeTask, way: Way, parts: int) -> None:
    bodies = lab.home.classes
    assert set(task.items) <= set(bodies.items)
    assert set(task.furniture) <= set(bodies.furniture)
    assert not set(task.items) & {item.slices for item in bodies.items.values()}


def test_more_slices_than_a_thing_has_take_more_things() -> None:
    for number, wholes in ((3, 1), (4, 2)):
        task = make_task("slices", {"item": "apple", "number": number, "holder": "bowl"})
        assert task.items["apple"] == wholes


def test_two_things_in_two_places_are_not_two_in_one(lab) -> None:
    task = make_task("pick_two_and_place", {"item": "apple", "place": "counter"})
    for counter in lab.home.of_class("counter"):
        lab.add("apple", "on", counter)
    assert goal_conditions(lab.home, task) == [True, False]


@pytest.mark.parametrize(
    ("family", "parameters", "message"),
    [
        ("toasst", {}, "no family of tasks 'toasst'. Did you mean toast"),
        ("coffee", {"item": "mug"}, "The parameters of coffee are vessel, not item"),
        ("toast", {"item": "mug"}, "The parameters of toast are none, not item"),
        ("coffee", {"vessel": "mugg"}, "no class of things 'mugg'. Did you mean mug"),
    ],
)
def test_a_task_that_there_is_not(family: str, parameters: dict[str, str], message: str) -> None:
    with pytest.raises(TaskError, match=message):
        make_task(family, parameters)
