from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foretree.simulation.grid_homes._object_classes import FurnitureClass
from foretree.simulation.grid_homes.disturbances import DisturbanceRates, Disturbances
from foretree.simulation.grid_homes.goals import HomeTask
from foretree.simulation.grid_homes.home import Box, Home, HomeObject, Placement
from foretree.simulation.grid_homes.layouts.geometry import foot_of, overlap
from foretree.simulation.grid_homes.layouts.layout_generator import generate_layout
from foretree.simulation.grid_homes.layouts.spawning import spawn_home
from foretree.simulation.grid_homes.rules import HomeRules
from foretree.skills.embodied.body import MANIPULATIONS, Control


def boxes_of(home: Home, thing: HomeObject) -> list[Box]:
    return [box for box in home.boxes() if box.thing == thing.id]


def check(home: Home) -> None:
    """Whatever was done: what is where fits together."""
    for thing in home.items():
        if thing.id == home.held:
            assert thing.rests is None
            continue
        assert thing.rests is not None
        support = home[thing.rests.support]
        assert thing.id in support.load
        if thing.states & {"sliced", "broken"} or thing.class_name.endswith("_slice"):
            continue
        x0, y0, x1, y1 = foot_of(thing.extent)
        assert any(
            region.z == pytest.approx(thing.extent[2])
            and region.within[0] - 1e-6 <= x0
            and region.within[1] - 1e-6 <= y0
            and x1 <= region.within[2] + 1e-6
            and y1 <= region.within[3] + 1e-6
            and thing.extent[5] - thing.extent[2] <= region.clearance + 1e-6
            for region in home.regions(support, thing.rests.relation)
        ), (thing, support)
        for other in (home[one] for one in support.load):
            if other is not thing and other.rests == thing.rests and "broken" not in other.states:
                apart = abs(other.extent[2] - thing.extent[2]) > 0.01
                assert apart or not overlap(foot_of(other.extent), foot_of(thing.extent))
    assert sum(thing.rests is None for thing in home.items()) == (home.held is not None)


def test_things_carry_ids_that_mean_nothing(lab) -> None:
    mug = lab.add("mug", "on", "table")
    assert mug.id == f"t{len(lab.home.things)}"
    assert all(thing_id.startswith("t") for thing_id in lab.home.things)


def test_what_is_closed_is_one_box_and_hides_what_is_in_it(lab) -> None:
    apple = lab.add("apple", "in", "fridge")
    fridge = lab.the("fridge")
    assert [box.part for box in boxes_of(lab.home, fridge)] == ["body"]
    assert [box.hidden for box in boxes_of(lab.home, apple)] == [True]
    assert lab.home.lid_above(apple) is fridge
    lab.home.set_state(fridge, "open")
    parts = [box.part for box in boxes_of(lab.home, fridge)]
    assert parts.count("side") == 3
    assert parts.count("board") == 5
    assert [box.hidden for box in boxes_of(lab.home, apple)] == [False]
    assert lab.home.lid_above(apple) is None


def test_what_lies_on_top_of_something_closed_is_not_hidden(lab) -> None:
    book = lab.add("book", "on", "sideboard")
    keys = lab.add("keys", "in", "sideboard")
    assert lab.home.lid_above(book) is None
    assert lab.home.lid_above(keys) is lab.the("sideboard")


def test_what_lies_in_a_closed_box_in_the_open_is_hidden(lab) -> None:
    box = lab.add("box", "on", "table")
    keys = lab.add("keys", "in", box)
    assert lab.home.lid_above(keys) is box
    lab.home.set_state(box, "open")
    assert lab.home.lid_above(keys) is None
    assert {part.part for part in boxes_of(lab.home, box)} == {"body", "rim"}


def test_the_open_front_of_a_cabinet_is_towards_who_stands_before_it(lab) -> None:
    cabinet = lab.the("cabinet")
    lab.home.set_state(cabinet, "open")
    front = cabinet.extent[4]
    middle = (cabinet.extent[0] + cabinet.extent[3]) / 2
    sides = [box.extent for box in boxes_of(lab.home, cabinet) if box.part == "side"]
    assert not any(side[4] == front and side[0] < middle < side[3] for side in sides)
    assert any(side[1] == cabinet.extent[1] and side[0] < middle < side[3] for side in sides)


def test_parts_stay_within_what_they_are_parts_of() -> None:
    home = spawn_home(generate_layout("hall_flat/0"), HomeTask(), "diverse", Random(1))
    for thing in home.things.values():
        home.set_state(thing, "open")
    for box in home.boxes():
        whole = home[box.thing].extent
        body = home[box.thing].object_class
        back = body.back if isinstance(body, FurnitureClass) else 0.0
        for axis in range(3):
            assert whole[axis] - 1e-9 <= box.extent[axis] < box.extent[axis + 3], box
            assert box.extent[axis + 3] <= whole[axis + 3] + (back if axis == 2 else 0.0) + 1e-9


def test_what_rests_on_a_thing_goes_where_it_goes(lab) -> None:
    tray = lab.add("tray", "on", "table")
    mug = lab.add("mug", "on", tray)
    spoon = lab.add("spoon", "in", mug)
    before = spoon.extent
    lab.carry(tray, "sofa")
    assert list(lab.home.supports_of(spoon)) == [mug, tray, lab.the("sofa")]
    shift = [b - a for a, b in zip(tray.extent[:3], before[:3], strict=True)]
    assert spoon.extent != before
    assert mug.extent[2] == pytest.approx(tray.extent[5])
    assert shift != pytest.approx([0, 0, 0])


def test_what_is_in_the_hand_has_no_boxes(lab) -> None:
    tray = lab.add("tray", "on", "table")
    mug = lab.add("mug", "on", tray)
    lab.must("pick_up", tray)
    assert not boxes_of(lab.home, tray)
    assert not boxes_of(lab.home, mug)
    assert lab.home.is_held(mug)
    lab.must("put", "table")
    assert boxes_of(lab.home, mug)


def test_a_slim_thing_stands_in_what_it_is_too_long_for(lab) -> None:
    mug = lab.add("mug", "on", "table")
    fork = lab.add("fork", "on", "table")
    lab.carry(fork, mug)
    assert fork.rests == Placement("in", mug.id)
    assert fork.extent[5] - fork.extent[2] == pytest.approx(0.19)
    lab.carry(fork, "table")
    assert fork.extent[5] - fork.extent[2] == pytest.approx(0.02)


def test_a_place_for_one_thing_takes_one(lab) -> None:
    machine = lab.the("coffee_machine")
    lab.add("mug", "under", machine)
    assert lab.home.spot((0.05, 0.05, 0.05), machine, "under", machine.extent[:3]) is None


def test_nothing_lies_where_it_is_too_high(lab) -> None:
    microwave = lab.the("microwave")
    assert lab.home.spot((0.1, 0.1, 0.25), microwave, "in", microwave.extent[:3]) is not None
    assert lab.home.spot((0.1, 0.1, 0.35), microwave, "in", microwave.extent[:3]) is None


def test_a_thing_is_put_at_the_height_that_was_wished_for(lab) -> None:
    fridge = lab.the("fridge")
    x, y, *_ = fridge.extent
    for height in (0.15, 0.6, 1.05, 1.4):
        spot = lab.home.spot((0.1, 0.1, 0.1), fridge, "in", (x, y, height))
        assert spot is not None
        assert spot[2] == pytest.approx(height)


def test_distance_is_measured_to_the_nearest_edge(lab) -> None:
    lab.stand_before(lab.the("table"))
    assert lab.home.distance(lab.the("table")) == pytest.approx(0.375)
    mug = lab.hold("mug")
    assert lab.home.distance(mug) == 0.0


def test_the_revision_grows_with_every_change_and_only_then(lab) -> None:
    before = lab.home.revision
    assert lab.home.boxes() is lab.home.boxes()
    lab.rules.do(Control("wait"))
    assert lab.home.revision == before
    lab.home.set_state(lab.the("fridge"), "open")
    assert lab.home.revision > before


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from(["u_kitchen/1", "hall_flat/4", "long_bathroom/7"]))
def test_whatever_a_robot_is_told_things_fit_together(seed: int, name: str) -> None:
    rng = Random(seed)
    home = spawn_home(generate_layout(name), HomeTask(), "diverse", rng)
    rules = HomeRules(home, Disturbances(seed, DisturbanceRates(fail=0.04, silent=0.02, change=0.2)))
    for _ in range(80):
        thing = rng.choice(list(home.things.values()))
        *_, bottom = (thing, *home.supports_of(thing))
        if bottom.piece is not None:
            home.posture.cell = home.layout.spots_before(bottom.piece)[0]
        rules.do(Control("wait"))  # what is held where it is light has been examined now
        before = home.revision
        answer = rules.do(Control(rng.choice(MANIPULATIONS)), thing.id)
        assert answer.ok or answer.message
        if rules.log.refused and rules.log.refused[-1].step == rules.step - 1:
            assert home.revision == before
        for one in home.things.values():
            assert not {"hot", "cold"} <= one.states
            assert ("filled" in one.states) == bool(one.states & {"has_water", "has_coffee"})
    check(home)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from(["l_kitchen/1", "twin_bedroom/4", "bathroom/7"]))
def test_whatever_is_done_things_fit_together(seed: int, name: str) -> None:
    rng = Random(seed)
    home = spawn_home(generate_layout(name), HomeTask(), "diverse", rng)
    check(home)
    for _ in range(30):
        if home.held is None:
            home.grasp(rng.choice([thing for thing in home.items() if thing.rests is not None]))
            continue
        held = home[home.held]
        support = rng.choice([thing for thing in home.things.values() if not home.is_held(thing)])
        x0, y0, z0, x1, y1, z1 = held.extent
        for relation in support.object_class.relations:
            size = (x1 - x0, y1 - y0, z1 - z0)
            spot = home.spot(size, support, relation, support.extent[:3], turned=False)
            if spot is not None:
                home.put(held, Placement(relation, support.id), spot)
                break
        fresh = [box for thing in home.things.values() for box in home._boxes_of(thing)]
        assert list(home.boxes()) == fresh
    check(home)
