from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

from foretree.simulation.grid_homes.event_log import Rule
from foretree.simulation.grid_homes.home import Placement
from foretree.simulation.grid_homes.rules import REACH
from foretree.skills.embodied.body import MANIPULATIONS, Control


def refused(lab, name, target, rule, message, relation="") -> None:
    """A control has to be refused, and nothing may have changed."""
    before, held = lab.home.revision, lab.home.held
    answer = lab.do(name, target, relation)
    assert answer == (False, message)
    assert (lab.home.revision, lab.home.held) == (before, held)
    assert lab.rules.log.refused[-1].rule == rule
    assert lab.rules.log.refused[-1].control == name
    assert not lab.rules.log.irreversible


# -- what concerns all manipulations ---------------------------------------------------------------------
@pytest.mark.parametrize("name", MANIPULATIONS)
def test_there_has_to_be_something(lab, name) -> None:
    refused(lab, name, None, "target", "there is nothing there")


@pytest.mark.parametrize("name", MANIPULATIONS)
def test_it_has_to_be_near(lab, name) -> None:
    mug = lab.add("mug", "on", "table")
    lab.stand_before(lab.the("fridge"))
    answer = lab.rules.do(Control(name), mug.id)
    assert answer == (False, "it is too far away")
    assert lab.rules.log.refused[-1].involved == (mug.id,)


def test_near_is_as_far_as_the_arm_reaches(lab) -> None:
    sofa = lab.the("sofa")
    lab.stand_before(sofa)
    x, y = lab.home.posture.cell
    lab.home.posture.cell = (x, y + 4)
    assert lab.home.distance(sofa) == pytest.approx(1.375)
    assert lab.rules.do(Control("open"), sofa.id).message == "it does not open"
    lab.home.posture.cell = (x, y + 5)
    assert lab.home.distance(sofa) > REACH
    assert lab.rules.do(Control("open"), sofa.id).message == "it is too far away"


@pytest.mark.parametrize("name", ["pick_up", "put", "slice", "pour"])
def test_what_is_shut_away_is_out_of_reach(lab, name) -> None:
    refused(
        lab, name, lab.add("apple", "in", "fridge"), "container-open", "it is in something that is closed"
    )


@pytest.mark.parametrize("name", ["put", "slice", "pour", "clean", "fill"])
def test_some_things_are_done_with_what_is_in_the_hand(lab, name) -> None:
    refused(lab, name, "sink", "holding", "there is nothing in the hand")


@pytest.mark.parametrize("name", ["pick_up", "open", "close", "toggle_on", "toggle_off"])
def test_other_things_take_an_empty_hand(lab, name) -> None:
    mug = lab.hold("mug")
    refused(lab, name, "fridge", "hand-free", "the hand is full")
    assert lab.rules.log.refused[-1].involved == (mug.id,)


def test_no_message_says_what_a_thing_is(lab) -> None:
    for held in (None, "mug", "knife", "laptop", "statue"):
        if lab.home.held is not None:
            lab.home.put(lab.home[lab.home.held], *lab_spot(lab))
        if held is not None:
            lab.hold(held)
        for thing in list(lab.home.things.values()):
            for name in MANIPULATIONS:
                if lab.home.held is None and name == "pick_up":
                    continue
                message = lab.do(name, thing).message
                assert not any(
                    word in message.split() for word in ("mug", "knife", "laptop", thing.class_name)
                )


def lab_spot(lab):
    held = lab.home[lab.home.held]
    table = lab.the("table")
    spot = lab.home.spot(held.object_class.size, table, "on", table.extent[:3])
    return Placement("on", table.id), spot


# -- taking and putting ----------------------------------------------------------------------------------
def test_a_thing_is_picked_up_and_put_down(lab) -> None:
    mug = lab.add("mug", "on", "table")
    lab.must("pick_up", mug)
    assert lab.home.held == mug.id
    assert [(one.thing, one.class_name) for one in lab.rules.log.pickups] == [(mug.id, "mug")]
    lab.must("put", "counter")
    assert lab.home.held is None
    assert mug.rests == Placement("on", lab.the("counter").id)


def test_furniture_is_too_heavy(lab) -> None:
    refused(lab, "pick_up", "table", "movable", "it is too heavy")


def test_shards_are_left_where_they_lie(lab) -> None:
    refused(lab, "pick_up", lab.add("mug", "on", "table", "broken"), "whole", "it is in pieces")


def test_things_go_where_they_usually_go_or_as_one_says(lab) -> None:
    book = lab.add("book", "on", "sofa")
    lab.must("open", "sideboard")
    lab.carry(book, "sideboard")
    assert book.rests == Placement("in", lab.the("sideboard").id)
    lab.carry(book, "sideboard", "on")
    assert book.rests == Placement("on", lab.the("sideboard").id)
    lab.carry(book, "table", "under")
    assert book.rests == Placement("under", lab.the("table").id)


def test_a_closed_thing_takes_nothing_in_but_something_on_it(lab) -> None:
    lab.hold("book")
    refused(lab, "put", "sideboard", "container-open", "it is closed")
    lab.must("put", "sideboard", "on")


@pytest.mark.parametrize(("place", "relation"), [("fridge", "on"), ("lamp", ""), ("sofa", "in")])
def test_things_do_not_lie_everywhere(lab, place, relation) -> None:
    lab.hold("mug")
    lab.home.set_state(lab.the("fridge"), "open")
    refused(lab, "put", place, "affords", f"nothing can be put {relation or 'on'} it", relation)


def test_a_thing_is_not_put_on_itself(lab) -> None:
    tray = lab.add("tray", "on", "table")
    mug = lab.add("mug", "on", tray)
    lab.must("pick_up", tray)
    for target in (tray, mug):
        refused(lab, "put", target, "apart", "one cannot put a thing on itself")


def test_where_there_is_no_room_nothing_is_put(lab) -> None:
    lab.add("mug", "on", "table")
    lab.hold("pillow")
    refused(lab, "put", "mug", "room", "there is no room in it")


def test_what_can_break_breaks_where_there_is_no_room(lab) -> None:
    lab.add("cup", "under", "coffee_machine")
    mug = lab.hold("mug", "filled", "has_water")
    machine = lab.the("coffee_machine")
    lab.must("put", machine)
    assert mug.states == {"broken"}
    assert mug.rests == Placement("under", machine.id)
    (mistake,) = lab.rules.log.irreversible
    assert (mistake.kind, mistake.thing, mistake.class_name) == ("break", mug.id, "mug")
    assert mistake.involved == (machine.id, lab.the("cup").id)


def test_nothing_stays_on_a_round_thing(lab) -> None:
    apple = lab.add("apple", "on", "table")
    lab.hold("book")
    refused(lab, "put", apple, "stable", "nothing stays on it")


def test_what_can_break_falls_from_a_round_thing(lab) -> None:
    ball = lab.add("ball", "on", "sofa")
    vase = lab.hold("vase")
    lab.must("put", ball)
    assert "broken" in vase.states
    assert vase.rests == ball.rests


def test_a_pile_has_an_end(lab) -> None:
    below = lab.the("table")
    for _ in range(4):
        below = lab.add("book", "on", below)
    lab.hold("book")
    refused(lab, "put", below, "stable", "the pile is too high")


def test_a_laden_thing_needs_room_for_what_is_on_it(lab) -> None:
    tray = lab.add("tray", "on", "table")
    lab.add("bottle", "on", tray)
    lab.must("open", "microwave")
    lab.must("pick_up", tray)
    refused(lab, "put", "microwave", "room", "there is no room in it")


# -- lids and switches -----------------------------------------------------------------------------------
def test_what_opens_is_opened_and_closed(lab) -> None:
    fridge = lab.the("fridge")
    refused(lab, "close", fridge, "opened", "it is closed already")
    lab.must("open", fridge)
    assert "open" in fridge.states
    refused(lab, "open", fridge, "closed", "it is open already")
    lab.must("close", fridge)
    assert "open" not in fridge.states


def test_a_box_opens_too(lab) -> None:
    lab.must("open", lab.add("box", "on", "table"))
    assert "open" in lab.the("box").states


@pytest.mark.parametrize(("name", "message"), [("open", "it does not open"), ("close", "it does not close")])
def test_not_everything_has_a_lid(lab, name, message) -> None:
    refused(lab, name, "table", "openable", message)


@pytest.mark.parametrize("name", ["toggle_on", "toggle_off"])
def test_not_everything_has_a_switch(lab, name) -> None:
    refused(lab, name, "table", "switchable", "it has no switch")


def test_what_has_a_switch_is_switched_on_and_off(lab) -> None:
    lamp = lab.the("lamp")
    refused(lab, "toggle_off", lamp, "switched-on", "it is off already")
    lab.must("toggle_on", lamp)
    assert "turned_on" in lamp.states
    refused(lab, "toggle_on", lamp, "switched-off", "it is on already")
    lab.must("toggle_off", lamp)
    assert "turned_on" not in lamp.states


def test_a_microwave_runs_closed(lab) -> None:
    microwave = lab.the("microwave")
    lab.must("open", microwave)
    refused(lab, "toggle_on", microwave, "closed", "it has to be closed first")
    lab.must("close", microwave)
    lab.must("toggle_on", microwave)
    refused(lab, "open", microwave, "switched-off", "it is running: switch it off first")


def test_metal_ruins_a_microwave(lab) -> None:
    spoon = lab.add("spoon", "in", "microwave")
    phone = lab.add("phone", "in", "microwave")
    microwave = lab.the("microwave")
    lab.must("toggle_on", microwave)
    assert microwave.states == {"broken"}
    assert ("broken" in spoon.states, "broken" in phone.states) == (False, True)
    (mistake,) = lab.rules.log.irreversible
    assert (mistake.kind, mistake.thing) == ("ruin", microwave.id)
    assert mistake.involved == (spoon.id, phone.id)
    assert lab.do("toggle_on", microwave) == (False, "it is broken")


# -- slicing and pouring ---------------------------------------------------------------------------------
def test_slicing_takes_a_knife_and_something_to_slice(lab) -> None:
    apple, book = lab.add("apple", "on", "table"), lab.add("book", "on", "table")
    lab.hold("fork")
    refused(lab, "slice", apple, "blade", "one cannot cut with what is in the hand")
    lab.must("put", "sofa")
    lab.hold("knife")
    refused(lab, "slice", book, "sliceable", "it cannot be sliced")


def test_slices_appear_beside_what_is_sliced(lab) -> None:
    bread = lab.add("bread", "on", lab.add("cutting_board", "on", "counter"))
    lab.home.set_state(bread, "cold")
    knife = lab.hold("knife")
    lab.must("slice", bread)
    slices = lab.home.of_class("bread_slice")
    assert len(slices) == 3
    assert "sliced" in bread.states
    for one in slices:
        assert one.rests == bread.rests
        assert one.states == {"cold"}
    (deed,) = lab.rules.log.irreversible
    assert (deed.kind, deed.thing, deed.class_name, deed.involved) == (
        "slice",
        bread.id,
        "bread",
        (knife.id,),
    )
    assert lab.do("slice", bread) == (False, "it is sliced already")


def test_slices_find_a_place_where_there_is_none(lab) -> None:
    potato = lab.add("potato", "under", "coffee_machine")
    lab.hold("knife")
    lab.must("slice", potato)
    assert [one.rests for one in lab.home.of_class("potato_slice")] == [potato.rests] * 3


def test_pouring_takes_something_to_pour(lab) -> None:
    lab.hold("mug")
    refused(lab, "pour", "sink", "filled", "there is nothing to pour in what is in the hand")


@pytest.mark.parametrize("content", ["has_water", "has_coffee"])
def test_what_is_poured_goes_from_vessel_to_vessel(lab, content) -> None:
    bowl = lab.add("bowl", "on", "table")
    mug = lab.hold("mug", "filled", content)
    lab.must("pour", bowl)
    assert bowl.states == {"filled", content}
    assert mug.states == set()
    assert lab.rules.log.irreversible[-1].kind == "pour"


def test_a_full_vessel_takes_no_more(lab) -> None:
    bowl = lab.add("bowl", "on", "table", "filled", "has_water")
    lab.hold("mug", "filled", "has_water")
    refused(lab, "pour", bowl, "empty", "it is full already")


def test_water_goes_down_the_drain(lab) -> None:
    mug = lab.hold("mug", "filled", "has_water")
    lab.must("pour", "sink")
    assert mug.states == set()
    assert "filled" not in lab.the("sink").states


@pytest.mark.parametrize(("content", "kind"), [("has_water", "pour"), ("has_coffee", "spill")])
def test_a_plant_wants_water(lab, content, kind) -> None:
    lab.hold("mug", "filled", content)
    lab.must("pour", "plant")
    assert ("watered" in lab.the("plant").states) == (content == "has_water")
    assert lab.rules.log.irreversible[-1].kind == kind


def test_water_ruins_a_laptop(lab) -> None:
    laptop = lab.add("laptop", "on", "table")
    lab.hold("mug", "filled", "has_coffee")
    lab.must("pour", laptop)
    assert "broken" in laptop.states
    (mistake,) = lab.rules.log.irreversible
    assert (mistake.kind, mistake.class_name) == ("ruin", "laptop")


def test_water_puts_out_what_runs(lab) -> None:
    lamp = lab.the("lamp")
    lab.must("toggle_on", lamp)
    lab.hold("mug", "filled", "has_water")
    lab.must("pour", lamp)
    assert lamp.states == {"broken"}


def test_what_is_spilt_makes_dirty(lab) -> None:
    plate = lab.add("plate", "on", "table", "clean")
    lab.hold("mug", "filled", "has_coffee")
    lab.must("pour", plate)
    assert "clean" not in plate.states
    assert lab.rules.log.irreversible[-1].kind == "spill"


# -- water -----------------------------------------------------------------------------------------------
def test_dishes_are_washed_at_a_tap(lab) -> None:
    mug = lab.hold("mug", "filled", "has_coffee")
    refused(lab, "clean", "table", "tap", "it has no tap")
    lab.must("clean", "sink")
    assert mug.states == {"clean"}


def test_not_everything_is_washed(lab) -> None:
    lab.hold("book")
    refused(lab, "clean", "sink", "washable", "what is in the hand is nothing to wash")


def test_washing_ruins_a_phone(lab) -> None:
    phone = lab.hold("phone")
    lab.must("clean", "sink")
    assert "broken" in phone.states
    assert lab.rules.log.irreversible[-1].kind == "ruin"


def test_vessels_are_filled_at_a_tap(lab) -> None:
    mug = lab.hold("mug")
    refused(lab, "fill", "fridge", "tap", "it has no tap")
    lab.must("fill", "sink")
    assert mug.states == {"filled", "has_water"}
    refused(lab, "fill", "sink", "empty", "what is in the hand is full already")


def test_not_everything_holds_water(lab) -> None:
    lab.hold("plate")
    refused(lab, "fill", "sink", "vessel", "what is in the hand holds no water")


# -- light -----------------------------------------------------------------------------------------------
def test_what_is_held_to_a_light_has_been_examined(lab) -> None:
    book = lab.hold("book")
    lamp = lab.the("lamp")
    lab.stand_before(lamp)
    lab.rules.do(Control("wait"))
    assert "examined" not in book.states
    lab.home.set_state(lamp, "turned_on")
    lab.rules.do(Control("rotate_left"))
    assert "examined" not in book.states
    lab.rules.do(Control("rotate_right"))
    assert "examined" in book.states


def test_light_does_not_reach_far(lab) -> None:
    book = lab.hold("book")
    lamp = lab.the("lamp")
    lab.home.set_state(lamp, "turned_on")
    lab.stand_before(lamp)
    x, y = lab.home.posture.cell
    lab.home.posture.cell = (x, y + 6)
    lab.rules.do(Control("wait"))
    assert "examined" not in book.states


# -- the log ---------------------------------------------------------------------------------------------
def test_the_log_knows_what_was_in_view(lab) -> None:
    laptop = lab.add("laptop", "on", "table")
    mug = lab.hold("mug", "filled", "has_water")
    lab.do("open", laptop, in_view=frozenset())
    assert lab.rules.log.refused[-1].in_view, "one knows what one holds"
    lab.do("put", "fridge", in_view=frozenset())
    lab.do("put", "fridge", in_view=frozenset({lab.the("fridge").id}))
    assert [one.in_view for one in lab.rules.log.refused[-2:]] == [False, True]
    lab.do("pour", laptop, in_view=frozenset({laptop.id}))
    (mistake,) = lab.rules.log.irreversible
    assert mistake.involved == (mug.id,)
    assert mistake.in_view
    assert mistake.step == lab.rules.step - 1


def test_the_documentation_names_every_rule() -> None:
    page = Path(__file__).parents[3] / "docs" / "home_world.md"
    said = page.read_text(encoding="utf-8")
    assert [rule for rule in get_args(Rule) if f"`{rule}`" not in said] == []
