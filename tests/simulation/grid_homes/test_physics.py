from __future__ import annotations

import pytest

from foretree.simulation.grid_homes._physics import settle


def states(thing) -> set[str]:
    return set(thing.states)


def test_a_microwave_heats_what_is_in_it_when_it_runs(lab) -> None:
    soup = lab.add("bowl", "in", "microwave", "cold")
    settle(lab.home)
    assert states(soup) == {"cold"}
    lab.must("toggle_on", "microwave")
    assert states(soup) == {"hot"}


def test_a_microwave_does_not_cook(lab) -> None:
    potato = lab.add("potato", "in", "microwave")
    lab.must("toggle_on", "microwave")
    assert states(potato) == {"hot"}


def test_a_fridge_cools_when_it_is_closed(lab) -> None:
    fridge = lab.the("fridge")
    lab.must("open", fridge)
    apple = lab.add("apple", "in", fridge, "hot")
    settle(lab.home)
    assert states(apple) == {"hot"}
    lab.must("close", fridge)
    assert states(apple) == {"cold"}


def test_what_is_in_a_thing_in_the_fridge_is_cooled_too(lab) -> None:
    apple = lab.add("apple", "in", lab.add("bowl", "in", "fridge"))
    settle(lab.home)
    assert states(apple) == {"cold"}


@pytest.mark.parametrize(
    ("vessel", "water", "thing", "cooked"),
    [
        ("pot", True, "potato", True),
        ("pot", False, "potato", False),
        ("pan", False, "potato", True),
        ("pan", False, "potato_slice", True),
        ("pan", False, "egg", True),
        ("pan", False, "apple", False),
        ("plate", False, "potato", False),
    ],
)
def test_a_fire_cooks(lab, vessel, water, thing, cooked) -> None:
    below = lab.add(vessel, "on", "stove", *(("filled", "has_water") if water else ()))
    food = lab.add(thing, below.object_class.holds, below)
    settle(lab.home)
    assert states(food) == set()
    lab.must("toggle_on", "stove")
    assert ("cooked" in food.states) is cooked
    assert "hot" in below.states


def test_what_is_put_on_a_fire_that_burns_is_cooked(lab) -> None:
    pan = lab.add("pan", "on", "stove")
    lab.must("toggle_on", "stove")
    egg = lab.add("egg", "on", "counter")
    lab.carry(egg, pan)
    assert {"cooked", "hot"} <= egg.states


@pytest.mark.parametrize(("thing", "cooked"), [("bread_slice", True), ("apple_slice", False)])
def test_a_toaster_toasts_bread(lab, thing, cooked) -> None:
    slice_ = lab.add(thing, "in", "toaster")
    lab.must("toggle_on", "toaster")
    assert ("cooked" in slice_.states) is cooked
    assert "hot" in slice_.states


def test_a_toaster_takes_two(lab) -> None:
    lab.add("bread_slice", "in", "toaster")
    lab.add("bread_slice", "in", "toaster")
    lab.hold("bread_slice")
    assert lab.do("put", "toaster").message == "there is no room in it"


@pytest.mark.parametrize(
    ("thing", "before", "after"),
    [
        ("mug", ("cold",), {"filled", "has_coffee", "hot"}),
        ("mug", ("filled", "has_water"), {"filled", "has_water"}),
        ("mug", ("broken",), {"broken"}),
        ("glass", (), set()),
    ],
)
def test_a_coffee_machine_fills_an_empty_cup(lab, thing, before, after) -> None:
    vessel = lab.add(thing, "under", "coffee_machine", *before)
    lab.must("toggle_on", "coffee_machine")
    assert states(vessel) == after


def test_nothing_happens_to_what_is_off(lab) -> None:
    things = [
        lab.add("mug", "under", "coffee_machine"),
        lab.add("egg", "in", lab.add("pan", "on", "stove")),
        lab.add("bread_slice", "in", "toaster"),
        lab.add("bowl", "in", "microwave"),
    ]
    settle(lab.home)
    assert [states(thing) for thing in things] == [set()] * 4
