from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foretree.simulation.grid_homes.goals import AtLeast, HomeTask, Selector, goal_conditions, is_reached
from foretree.simulation.grid_homes.home import Home
from foretree.simulation.grid_homes.layouts.geometry import centre_of, distance_to, foot_of
from foretree.simulation.grid_homes.layouts.layout_generator import generate_layout, layout_names
from foretree.simulation.grid_homes.layouts.spawning import SpawnError, spawn_home, suits
from foretree.simulation.grid_homes.rules import REACH
from foretree.simulation.grid_homes.task_families import make_task

KITCHENS = ["l_kitchen/0", "galley_kitchen/3", "island_kitchen/5", "studio/1", "quad_flat/2"]
TASKS: list[HomeTask] = [
    make_task("pick_and_place", {"item": "apple", "place": "counter"}),
    make_task("pick_two_and_place", {"item": "mug", "place": "counter"}),
    make_task("stack_and_place", {"item": "spoon", "holder": "bowl", "place": "counter"}),
    make_task("clean_and_place", {"item": "plate", "place": "counter"}),
    make_task("heat_and_place", {"item": "mug", "place": "counter"}),
    make_task("cool_and_place", {"item": "apple", "place": "counter"}),
    make_task("coffee", {"vessel": "cup"}),
    make_task("clean_all", {"item": "cup"}),
    make_task("put_all_in_one", {"item": "fork", "place": "counter"}),
    make_task("put_all_on", {"item": "fork", "place": "cabinet"}),
    make_task("boil", {"item": "potato"}),
    make_task("toast", {}),
    make_task("slices", {"item": "tomato", "number": 4, "holder": "bowl"}),
    make_task("salad", {"holder": "bowl"}),
    make_task("sandwich", {}),
]


def told(home: Home) -> list[object]:
    return [
        (one.id, one.class_name, one.rests, one.extent, sorted(one.states), one.colour)
        for one in home.things.values()
    ]


@pytest.mark.parametrize("task", TASKS, ids=[task.family for task in TASKS])
@pytest.mark.parametrize("mode", ["fixed", "diverse"])
def test_a_home_has_what_a_task_takes_and_is_not_done_with_it(task: HomeTask, mode) -> None:
    for name in KITCHENS:
        home = spawn_home(generate_layout(name), task, mode, Random(name))
        for class_name, count in task.items.items():
            assert len(home.of_class(class_name)) >= count
        assert not is_reached(home, task)


@pytest.mark.parametrize("task", TASKS, ids=[task.family for task in TASKS])
def test_in_fixed_homes_nothing_of_what_is_asked_for_is_so(task: HomeTask) -> None:
    for name in KITCHENS:
        home = spawn_home(generate_layout(name), task, "fixed", Random(name))
        assert not any(goal_conditions(home, task)), name
        assert not any(
            {"open", "turned_on", "clean", "filled", "sliced"} & one.states for one in home.things.values()
        )


@pytest.mark.parametrize(
    ("task", "state"),
    [
        (make_task("heat_and_place", {"item": "mug", "place": "counter"}), "cold"),
        (make_task("cool_and_place", {"item": "apple", "place": "counter"}), "hot"),
    ],
)
def test_the_opposite_of_hot_is_cold(task: HomeTask, state: str) -> None:
    home = spawn_home(generate_layout("l_kitchen/0"), task, "fixed", Random(0))
    for name in task.items:
        assert all(state in one.states for one in home.of_class(name))


def test_in_diverse_homes_things_are_in_all_kinds_of_states() -> None:
    found: set[str] = set()
    for seed in range(8):
        home = spawn_home(generate_layout("l_kitchen/0"), HomeTask(), "diverse", Random(seed))
        found |= {state for one in home.things.values() for state in one.states}
    assert found >= {
        "open", "turned_on", "clean", "hot", "cold", "filled", "has_water", "has_coffee", "cooked", "sliced"
    }  # fmt: skip
    assert not found & {"broken", "examined"}


def test_what_has_to_be_whole_is_never_sliced_from_the_start() -> None:
    needs = make_task("boil", {"item": "potato"})
    for seed in range(40):
        home = spawn_home(generate_layout("l_kitchen/0"), needs, "diverse", Random(seed))
        assert not any("sliced" in one.states for one in home.of_class("potato"))


def test_nothing_runs_open() -> None:
    for seed in range(60):
        home = spawn_home(generate_layout("galley_kitchen/1"), HomeTask(), "diverse", Random(seed))
        for one in home.furniture():
            assert not {"open", "turned_on"} <= one.states


def test_the_same_seed_makes_the_same_home() -> None:
    layout, needs = generate_layout("hall_flat/1"), HomeTask(items={"mug": 2})
    one, other, third = (spawn_home(layout, needs, "diverse", Random(seed)) for seed in (3, 3, 4))
    assert told(one) == told(other)
    assert one.posture == other.posture
    assert told(one) != told(third)


def test_a_home_is_filled_up_to_a_number_of_things() -> None:
    for count in (40, 60):
        home = spawn_home(generate_layout("row_flat/1"), HomeTask(), "fixed", Random(0), things=count)
        assert len(home.things) == count
    roomy = [spawn_home(generate_layout(name), HomeTask(), "fixed", Random(0)) for name in KITCHENS]
    assert all(len(home.things) == 60 for home in roomy)


@settings(max_examples=20, deadline=None)
@given(st.sampled_from(layout_names()), st.sampled_from(["fixed", "diverse"]), st.integers(0, 999))
def test_everything_is_within_reach_of_somewhere(name: str, mode, seed: int) -> None:
    home = spawn_home(generate_layout(name), HomeTask(), mode, Random(seed))
    assert home.posture.cell in home.layout.reachable
    for thing in home.items():
        *_, bottom = home.supports_of(thing)
        piece = bottom.piece
        assert piece is not None
        spots = [centre_of(cell) for cell in home.layout.spots_before(piece)]
        assert min(distance_to(spot, foot_of(thing.extent)) for spot in spots) <= REACH


@pytest.mark.parametrize(
    ("needs", "message"),
    [
        (HomeTask(furniture=("bed",)), "There is no bed in l_kitchen/0"),
        (HomeTask(items={"mugg": 1}), "There is no item 'mugg'. Did you mean mug"),
        (HomeTask(items={"blanket": 200}), "There is no room for another blanket in l_kitchen/0"),
    ],
)
def test_what_cannot_be_furnished(needs: HomeTask, message: str) -> None:
    with pytest.raises(SpawnError, match=message):
        spawn_home(generate_layout("l_kitchen/0"), needs, "fixed", Random(0))


def test_what_is_always_so_is_no_task() -> None:
    with pytest.raises(SpawnError, match="so from the start"):
        spawn_home(
            generate_layout("l_kitchen/0"),
            HomeTask(goal=(AtLeast(1, Selector(("stove",))),)),
            "fixed",
            Random(0),
        )


def test_a_layout_suits_what_it_has_the_furniture_for() -> None:
    assert suits(generate_layout("l_kitchen/0"), HomeTask(furniture=("stove",)))
    assert not suits(generate_layout("l_kitchen/0"), HomeTask(furniture=("stove", "bed")))
