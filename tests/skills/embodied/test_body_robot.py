"""A body as a robot: what it is told comes about in truth, and it knows of that only what it has seen."""

from __future__ import annotations

from dataclasses import replace
from math import dist

import pytest
from bodies_at_home import AtHome, middle

from foretree.errors import ForetreeError
from foretree.perception.frame import Frame
from foretree.skills.embodied import _handling as handling
from foretree.skills.embodied._approaching import SLACK, floor_distance
from foretree.skills.embodied.body import MISHAP, STEP_TIME, Control
from foretree.skills.embodied.senses import Senses
from foretree.skills.robot import End, LookRequest, Order, Outcome, RobotError, Target
from foretree.world_model.beliefs.facts import hand_free
from foretree.world_model.occupancy.occupancy_grid import AHEAD

DONE = End(Outcome.DONE)


@pytest.fixture
def studio() -> AtHome:
    """A robot in a studio that has had a look around."""
    at_home = AtHome()
    assert at_home.told(LookRequest()) == DONE
    at_home.nerves.controls.clear()
    at_home.seen.clear()
    return at_home


def centre(cell: tuple[int, int]) -> tuple[float, float]:
    return (cell[0] + 0.5) * 0.25, (cell[1] + 0.5) * 0.25


def failed(reason: str) -> End:
    return End(Outcome.FAILED, reason)


def unlike(reason: str) -> End:
    return End(Outcome.FAILED, reason, unlike=True)


# -- going -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["fridge", "sofa", "desk", "stove", "lamp"])
def test_it_goes_to_furniture_and_looks_at_it_from_where_it_can_be_handled(studio, name):
    place = studio.the(name)
    assert studio.told(studio.order("move", to=place)) == DONE
    assert studio.home.distance(place) <= studio.robot.senses.reach
    assert place.id in studio.body.seen.in_view
    assert not studio.body.rules.log.refused, "it bumped into something"


def test_what_is_on_the_floor_is_a_place_to_stand_on(studio):
    here = studio.home.posture.cell
    cell = min(sorted(studio.home.layout.reachable), key=lambda cell: abs(dist(cell, here) - 12))
    assert studio.told(Order("move", {"to": Target({"waypoint": 1.0}, (*centre(cell), 0.0))})) == DONE
    assert studio.home.posture.cell == cell


def test_it_finds_another_way_where_something_that_it_does_not_see_stops_it(studio):
    bumps = []

    def bar(control: Control, last: Frame) -> Frame | None:
        """The first step ahead is never possible."""
        if control.name == "move_ahead" and (not bumps or last.stance == bumps[0]):
            bumps.append(last.stance)
            return replace(last, ok=False, message="something is in the way")
        return None

    studio.nerves.spoil = bar
    lamp = studio.the("lamp")
    assert studio.told(studio.order("move", to=lamp)) == DONE
    assert studio.home.distance(lamp) <= studio.robot.senses.reach
    assert len(bumps) == 1, "it tries again what is not possible"
    i, j = studio.robot.occupancy.grid.cell_at(bumps[0].x, bumps[0].y)
    di, dj = AHEAD[bumps[0].heading]
    assert studio.robot.occupancy.blocked[studio.robot.occupancy.index((i + di, j + dj))]


def test_there_may_be_no_way(studio):
    nowhere = Target({"lamp": 0.9}, (-5.0, -5.0, 1.0))
    assert studio.told(Order("move", {"to": nowhere})) == failed("there is no way to the lamp")


def test_where_it_seems_walled_in_it_doubts_that_for_an_order_once_and_not_for_a_look(studio):
    def wall_in():
        for heading in AHEAD:
            occupancy.bump(studio.robot.senses.stance, heading)

    occupancy, lamp = studio.robot.occupancy, studio.the("lamp")
    wall_in()
    here = studio.home.posture.cell
    assert studio.told(LookRequest((studio.target(lamp),))) == DONE
    assert studio.home.posture.cell == here
    assert studio.told(studio.order("move", to=lamp)) == DONE
    assert studio.home.distance(lamp) <= studio.robot.senses.reach
    wall_in()
    assert studio.told(studio.order("move", to=studio.the("bed"))) == failed("there is no way to the bed")


def test_it_cannot_go_where_nobody_knows(studio):
    end = studio.told(Order("move", {"to": Target({"alarm_clock": 1.0}, None)}))
    assert end == failed("it is not known where the alarm clock is")


# -- handling --------------------------------------------------------------------------------------------


def test_it_picks_up_a_thing_and_puts_it_down_elsewhere(studio):
    pillow = next(item for item in studio.home.items() if item.class_name == "pillow")
    assert studio.told(studio.order("pick", item=pillow, place=studio.home.support_of(pillow))) == DONE
    assert studio.home.held == pillow.id
    assert studio.robot.senses.sight.body == {hand_free(("robot", "hand")): False}

    bed = studio.the("bed")
    assert studio.told(studio.order("place_on", item=pillow, place=bed)) == DONE
    assert pillow.rests == ("on", bed.id)
    assert studio.robot.senses.sight.body == {hand_free(("robot", "hand")): True}
    assert not studio.body.rules.log.refused


def test_to_what_nobody_knows_the_exact_place_of_it_goes_as_near_as_it_knows(studio):
    """So whoever has told it sees the thing, and can tell it again."""
    bed = studio.the("bed")
    pillow = studio.lay("pillow", bed)
    order = studio.order("pick", item=pillow, place=bed)
    unseen = replace(order, targets={**order.targets, "item": Target({"pillow": 1.0}, None)})
    assert studio.told(unseen) == failed("it is not known where the pillow is")
    assert pillow.id in studio.body.seen.in_view


def test_it_takes_things_from_before_the_front_of_what_they_are_in(studio):
    fridge = studio.the("fridge")
    milk = studio.lay("milk", fridge, relation="in")
    assert studio.told(studio.order("open", place=fridge)) == DONE
    assert "open" in fridge.states
    assert (studio.home.posture.heading + 180) % 360 == fridge.piece.facing
    assert studio.told(studio.order("pick", item=milk, place=fridge)) == DONE
    assert studio.home.held == milk.id


def test_it_puts_things_in_and_under(studio):
    mug = studio.hand_over("mug")
    machine = studio.the("coffee_machine")
    for other in list(machine.load):
        studio.home.put(studio.home[other], studio.the("table").rests or mug.rests, mug.extent)
    assert studio.told(studio.order("place_under", item=mug, place=machine)) == DONE
    assert mug.rests == ("under", machine.id)


@pytest.mark.parametrize(
    ("skill", "name", "state", "becomes"),
    [
        ("open", "microwave", "open", True),
        ("close", "microwave", "open", False),
        ("turn_on", "stove", "turned_on", True),
        ("turn_off", "stove", "turned_on", False),
    ],
)
def test_it_opens_closes_and_switches(studio, skill, name, state, becomes):
    place = studio.the(name)
    place.states.discard("turned_on")
    studio.home.set_state(place, "open", False)
    studio.home.set_state(place, state, not becomes)
    assert studio.told(studio.order(skill, place=place)).outcome is Outcome.DONE
    assert (state in place.states) is becomes


def test_what_is_open_already_has_been_opened(studio):
    cabinet = studio.the("cabinet")
    studio.home.set_state(cabinet, "open")
    assert studio.told(studio.order("open", place=cabinet)) == End(Outcome.DONE, "it is open already")
    assert [one.rule for one in studio.body.rules.log.refused] == ["closed"]


def test_it_washes_fills_and_pours(studio):
    pot, sink = studio.hand_over("pot"), studio.the("sink")
    assert studio.told(studio.order("clean", item=pot, place=sink)) == DONE
    assert "clean" in pot.states
    assert studio.told(studio.order("fill", item=pot, place=sink)) == DONE
    assert "has_water" in pot.states
    plant = studio.the("plant")
    assert studio.told(studio.order("pour", item=pot, target=plant)) == DONE
    assert "watered" in plant.states
    assert "has_water" not in pot.states


def test_it_washes_what_was_clean_before_without_end(studio):
    plate, sink = studio.hand_over("plate", {"clean"}), studio.the("sink")
    assert studio.told(studio.order("clean", item=plate, place=sink)) == DONE
    assert "clean" in plate.states


def test_it_cuts(studio):
    table = studio.the("table")
    apple = studio.lay("apple", table)
    knife = studio.hand_over("knife")
    assert studio.told(studio.order("cut", tool=knife, item=apple)) == DONE
    assert "sliced" in apple.states


def test_it_does_not_cut_what_looks_like_something_else(studio):
    tomato = studio.lay("tomato", studio.the("table"))
    knife = studio.hand_over("knife")
    targets = {
        "tool": studio.target(knife),
        "item": Target({"apple": 0.7, "tomato": 0.3}, middle(tomato.extent)),
    }
    end = studio.told(Order("cut", targets, "hand"))
    assert end == failed("nothing that looks like an apple is where it should be")
    assert "slice" not in studio.nerves.names()


# -- one view, at the moment of touching -----------------------------------------------------------------


def deceived(monkeypatch, sides, views):
    """A robot that is to take a candle, and in its first *views* near by sees it as a salt shaker; and where it stood."""
    studio = AtHome(sides=sides)
    studio.told(LookRequest())
    candle = studio.lay("candle", studio.the("table"))
    cells = []

    def seen():
        for one in Senses.seen(studio.robot.senses):
            if dist(one.detection.pose, middle(candle.extent)) < 0.2:
                cell = studio.robot.senses.cell
                if floor_distance(studio.robot.senses, one) > studio.robot.senses.reach - SLACK:
                    continue
                if cell not in cells:
                    cells.append(cell)
                if cells.index(cell) < views:
                    one = one._replace(
                        detection=replace(one.detection, classes={"salt_shaker": 0.99, "candle": 0.01})
                    )
            yield one

    monkeypatch.setattr(studio.robot.senses, "seen", seen)
    end = studio.told(studio.order("pick", item=candle, place=studio.the("table")))
    return end, cells


def test_without_further_sides_one_view_decides(monkeypatch):
    end, cells = deceived(monkeypatch, sides=False, views=1)
    assert end == unlike("what is where it should be looks like a salt shaker, not like a candle")
    assert len(cells) == 1


def test_without_further_sides_it_takes_what_looks_as_it_should(monkeypatch):
    end, _ = deceived(monkeypatch, sides=False, views=0)
    assert end == DONE


def test_with_further_sides_a_second_view_may_show_it_all_the_same(monkeypatch):
    end, cells = deceived(monkeypatch, sides=True, views=1)
    assert end == DONE
    assert len(cells) > 1


# -- what goes wrong -------------------------------------------------------------------------------------


def test_it_sees_when_something_else_is_there(studio):
    plate = studio.lay("plate", studio.the("bed"))
    end = studio.told(Order("pick", {"item": Target({"alarm_clock": 0.9}, middle(plate.extent))}))
    assert end == unlike("what is where it should be looks like a plate, not like an alarm clock")


def test_who_is_not_careful_takes_what_is_there():
    studio = AtHome(careful=False)
    studio.told(LookRequest())
    plate = studio.lay("plate", studio.the("bed"))
    assert studio.told(Order("pick", {"item": Target({"alarm_clock": 0.9}, middle(plate.extent))})) == DONE
    assert studio.home.held == plate.id


def test_who_is_not_careful_prefers_what_looks_as_it_should():
    studio = AtHome(careful=False)
    studio.told(LookRequest())
    plate, clock = (studio.lay(name, studio.the("table")) for name in ("plate", "alarm_clock"))
    between = tuple((a + b) / 2 for a, b in zip(middle(plate.extent), middle(clock.extent), strict=True))
    assert dist(middle(plate.extent), middle(clock.extent)) < 0.6, "both are near enough"
    assert studio.told(Order("pick", {"item": Target({"alarm_clock": 0.9}, between)})) == DONE
    assert studio.home.held == clock.id


def test_who_is_not_careful_does_not_take_what_the_thing_should_lie_in():
    studio = AtHome(careful=False)
    studio.told(LookRequest())
    toaster = studio.the("toaster")
    bread = Target({"bread_slice": 0.9}, middle(toaster.extent))
    studio.told(Order("pick", {"item": bread, "place": studio.target(toaster)}, "hand"))
    assert not [one for one in studio.body.rules.log.refused if toaster.id in one.involved]


def test_who_is_not_careful_cuts_with_and_into_what_there_is():
    studio = AtHome(careful=False)
    studio.told(LookRequest())
    apple = studio.lay("apple", studio.the("table"))
    knife = studio.hand_over("knife")
    targets = {
        "tool": Target({"spoon": 0.9}, None, (), "hand"),
        "item": replace(studio.target(apple), classes={"alarm_clock": 1.0}),
    }
    assert studio.told(Order("cut", targets, "hand")) == DONE
    assert studio.home.held == knife.id
    assert "sliced" in apple.states


def test_it_sees_when_nothing_is_there(studio):
    x, y, _ = middle(studio.the("bed").extent)
    end = studio.told(Order("pick", {"item": Target({"mug": 0.9}, (x, y, 1.2))}))
    assert end == failed("nothing that looks like a mug is where it should be")
    assert not studio.body.rules.log.refused


def test_its_hand_holds_one_thing(studio):
    studio.hand_over("mug")
    end = studio.told(studio.order("pick", item=next(studio.home.items())))
    assert end == failed("the hand is full: it holds a mug")
    assert studio.told(studio.order("open", place=studio.the("fridge"))) == end


def test_it_needs_in_its_hand_what_it_is_to_use(studio):
    sink, plate = studio.the("sink"), studio.lay("plate", studio.the("table"))
    order = studio.order("clean", item=plate, place=sink)
    assert studio.told(order) == failed("there is nothing in the hand")
    studio.hand_over("keys")
    cut = studio.order("cut", tool=plate, item=plate)
    assert studio.told(cut) == unlike("what is in the hand looks like keys, not like a plate")


def test_what_the_body_refuses_it_passes_on_in_the_words_of_the_body(studio):
    plate = studio.hand_over("plate")
    fridge = studio.the("fridge")
    studio.home.set_state(fridge, "open", False)
    end = studio.told(studio.order("place_in", item=plate, place=fridge))
    assert end.outcome is Outcome.FAILED
    assert end.reason.endswith("is closed")


def test_it_does_not_break_a_plate_where_it_sees_that_there_is_no_room(studio):
    home, low_table = studio.home, studio.the("coffee_table")
    plate = studio.lay("plate", studio.the("table"))
    assert studio.told(studio.order("pick", item=plate)) == DONE
    while home.spot(plate.object_class.size, low_table, "on", middle(low_table.extent)) is not None:
        studio.lay("pillow" if home.spot((0.38, 0.3, 0.1), low_table, "on", (0, 0, 0)) else "bowl", low_table)
    end = studio.told(studio.order("place_on", item=plate, place=low_table))
    assert end == failed("there is no room on the coffee table")
    assert "broken" not in plate.states


@pytest.mark.parametrize("fits", [True, False])
def test_where_a_plate_may_not_fit_it_looks_again_from_aside(studio, monkeypatch, fits):
    looked_from = []

    def may_not_fit(sights, support, size):
        looked_from.append(sights[-1].viewpoint)
        return len(looked_from) == 1 or not fits

    monkeypatch.setattr(handling, "may_not_fit", may_not_fit)
    plate, low_table = studio.lay("plate", studio.the("table")), studio.the("coffee_table")
    assert studio.told(studio.order("pick", item=plate)) == DONE
    end = studio.told(studio.order("place_on", item=plate, place=low_table))
    assert end == (DONE if fits else failed("there is no room on the coffee table"))
    assert len(set(looked_from)) == len(looked_from) == 2


@pytest.mark.parametrize("silent", [True, False])
def test_it_tries_again_what_went_wrong_by_mishap(studio, silent):
    mishaps = []

    def fail_twice(control: Control, last: Frame) -> Frame | None:
        if control.name != "pick_up" or len(mishaps) == 2:
            return None
        mishaps.append(control)
        return replace(last, ok=silent, message="" if silent else MISHAP, step=last.step + len(mishaps))

    studio.nerves.spoil = fail_twice
    mug = studio.lay("mug", studio.the("bed"))
    assert studio.told(studio.order("pick", item=mug)) == DONE
    assert studio.nerves.names().count("pick_up") == 3


@pytest.mark.parametrize(("silent", "reason"), [(True, "everything looks as it did before"), (False, MISHAP)])
def test_it_gives_up_what_never_works(studio, silent, reason):
    def fail(control: Control, last: Frame) -> Frame | None:
        if control.name != "toggle_on":
            return None
        return replace(last, ok=silent, message="" if silent else MISHAP)

    studio.nerves.spoil = fail
    lamp = studio.the("lamp")
    studio.home.set_state(lamp, "turned_on", False)
    assert studio.told(studio.order("turn_on", place=lamp)) == failed(reason)


# -- looking ---------------------------------------------------------------------------------------------


def test_a_look_around_sees_in_all_directions_ahead_and_down():
    at_home = AtHome()
    at_home.pass_time(0)
    at_home.seen.clear()
    here = at_home.robot.stance
    stances = set()
    step = at_home.nerves.step

    def watch(control: Control) -> Frame:
        frame = step(control)
        stances.add((frame.stance.heading, frame.stance.pitch))
        return frame

    at_home.nerves.step = watch
    assert at_home.told(LookRequest()) == DONE
    assert {(heading, pitch) for heading in AHEAD for pitch in (0, -30)} <= stances | {
        (here.heading, here.pitch)
    }
    assert all(seen.source == "look" for seen in at_home.seen)
    assert at_home.clock.now() <= 10, "a look takes no longer than the agent is prepared to wait"


def test_a_look_at_something_brings_it_into_view(studio):
    shelf = studio.the("shelf")
    studio.told(studio.order("move", to=shelf))
    studio.home.posture.heading = (studio.home.posture.heading + 180) % 360
    studio.told(LookRequest(at=(Target({}, None),)))
    assert studio.told(LookRequest(at=(studio.target(shelf),))) == DONE
    assert shelf.id in studio.body.seen.in_view


def test_looking_again_is_looking_from_elsewhere(studio):
    mug = studio.lay("mug", studio.the("table"))
    studio.told(studio.order("move", to=studio.the("table")))
    request, cells = LookRequest(at=(studio.target(mug),)), []
    for _ in range(4):
        assert studio.told(request) == DONE
        assert mug.id in studio.body.seen.in_view
        cells.append(studio.home.posture.cell)
    assert len(set(cells)) == 4


def test_who_has_changed_something_looks_again_from_where_it_stands(studio):
    mug = studio.lay("mug", studio.the("table"))
    studio.told(studio.order("move", to=studio.the("table")))
    request = LookRequest(at=(studio.target(mug),))
    assert studio.told(request) == DONE
    assert studio.told(studio.order("pick", item=mug)) == DONE
    assert studio.told(studio.order("place_on", item=mug, place=studio.the("table"))) == DONE
    cell = studio.home.posture.cell
    assert studio.told(LookRequest(at=(studio.target(mug),))) == DONE
    assert studio.home.posture.cell == cell


def test_what_is_far_off_is_looked_at_from_near_by(studio):
    mug = studio.lay("mug", studio.the("table"))
    there = middle(mug.extent)[:2]
    far = max(sorted(studio.home.layout.reachable), key=lambda cell: dist(centre(cell), there))
    assert dist(centre(far), there) > 3.5
    studio.told(Order("move", {"to": Target({"waypoint": 1.0}, (*centre(far), 0.0))}))
    assert studio.told(LookRequest(at=(studio.target(mug),))) == DONE
    assert dist(centre(studio.home.posture.cell), there) < 3.0
    assert mug.id in studio.body.seen.in_view


def test_it_does_not_walk_far_only_to_look_again_at_what_it_stands_before(studio):
    table, senses = studio.the("table"), studio.robot.senses
    studio.told(studio.order("move", to=table))
    request, here = LookRequest(at=(studio.target(table),)), studio.home.posture.cell
    around = [(here[0] + i, here[1] + j) for i in range(-8, 9) for j in range(-8, 9)]
    senses.looked_from = lambda pose: [cell for cell in around if dist(cell, here) <= 8]
    assert studio.told(request) == DONE
    assert studio.home.posture.cell == here, "the other side of the table is three metres of way from here"


def test_what_is_held_is_shown_from_a_new_side_each_time_until_all_were_seen(studio):
    mug = studio.hand_over("mug")
    grips = set()
    for _ in range(4):
        assert studio.told(LookRequest(at=(studio.target(mug),))) == DONE
        grips |= {
            seen.viewpoint_of(one) for seen in studio.seen for one in seen.detections if one.id in seen.held
        }
    assert len(grips) == 12


# -- as a robot ------------------------------------------------------------------------------------------


def test_every_control_takes_its_time_and_is_observed(studio):
    begun = studio.clock.now()
    assert studio.told(studio.order("move", to=studio.the("bed"))) == DONE
    times = [seen.time for seen in studio.seen]
    assert len(times) == len(studio.nerves.controls)
    assert times == pytest.approx([begun + STEP_TIME * (n + 1) for n in range(len(times))])
    assert {seen.source for seen in studio.seen} == {"view"}


def test_it_is_observed_on_the_way_and_not_only_when_it_has_arrived(studio):
    execution = studio.tell(studio.order("move", to=studio.the("bed")))
    studio.clock.sleep_until(studio.clock.now() + 3 * STEP_TIME)
    assert len(studio.robot.observations()) == 3
    assert studio.robot.observations() == []
    assert execution.poll() is None


def test_cancelled_it_stops_after_the_step_that_it_takes(studio):
    execution = studio.tell(studio.order("move", to=studio.the("bed")))
    studio.pass_time(2.2 * STEP_TIME)
    execution.cancel()
    assert execution.poll() is None
    studio.pass_time(STEP_TIME)
    assert execution.poll() == End(Outcome.CANCELLED, "cancelled")
    assert len(studio.nerves.controls) == 3
    studio.pass_time(10)
    assert len(studio.nerves.controls) == 3
    execution.cancel()
    assert execution.poll() == End(Outcome.CANCELLED, "cancelled")


def test_what_is_done_before_it_is_cancelled_is_done(studio):
    nothing_to_do = studio.tell(studio.order("move", to=studio.the("bed")))
    assert studio.end_of(nothing_to_do) == DONE
    nothing_to_do.cancel()
    assert nothing_to_do.poll() == DONE

    lamp = studio.the("lamp")
    studio.home.set_state(lamp, "turned_on", False)
    studio.told(studio.order("move", to=lamp))
    execution = studio.tell(studio.order("turn_on", place=lamp))
    execution.cancel()
    studio.pass_time(STEP_TIME)
    assert execution.poll() == DONE
    assert "turned_on" in lamp.states


def test_stopped_it_does_nothing_more(studio):
    execution = studio.tell(studio.order("move", to=studio.the("bed")))
    studio.pass_time(STEP_TIME)
    studio.robot.stop()
    assert execution.poll() == End(Outcome.CANCELLED, "stopped")
    studio.pass_time(5)
    assert len(studio.nerves.controls) == 1
    assert studio.told(studio.order("move", to=studio.the("bed"))) == DONE


def test_a_look_comes_in_between_and_the_walk_goes_on(studio):
    bed = studio.the("bed")
    walk = studio.tell(studio.order("move", to=bed))
    studio.pass_time(2 * STEP_TIME)
    look = studio.tell(LookRequest())
    assert studio.end_of(look) == DONE
    assert walk.poll() is None
    turned = studio.nerves.names()[3:]
    assert not any(name.startswith(("move", "strafe")) for name in turned[:-1])
    assert studio.end_of(walk) == DONE
    assert studio.home.distance(bed) <= studio.robot.senses.reach


def test_an_order_during_a_look_is_carried_out_after_it(studio):
    look = studio.tell(LookRequest())
    studio.pass_time(STEP_TIME)
    look.cancel()
    walk = studio.tell(studio.order("move", to=studio.the("bed")))
    studio.pass_time(STEP_TIME)
    assert look.poll() == End(Outcome.CANCELLED, "cancelled")
    assert studio.end_of(walk) == DONE


def test_it_does_one_thing_at_a_time(studio):
    walk = studio.tell(studio.order("move", to=studio.the("bed")))
    end = studio.told(studio.order("open", place=studio.the("fridge")))
    assert end == failed("the robot has to be done with what it does")
    assert studio.end_of(walk) == DONE


def test_the_same_order_under_the_same_id_is_the_same(studio):
    order = studio.order("move", to=studio.the("bed"))
    execution = studio.robot.start(order, "again")
    assert studio.robot.start(order, "again") is execution
    assert studio.robot.attach("again") is execution
    assert studio.robot.attach("never") is None
    with pytest.raises(RobotError, match="'again' is taken by another order"):
        studio.robot.look(LookRequest(), "again")


def test_what_it_cannot_do_it_says(studio):
    with pytest.raises(RobotError, match=r"robot has no skill 'pik'. Did you mean .*pick"):
        studio.robot.start(Order("pik"), "x")


def test_without_its_body_everything_is_lost(studio):
    walk = studio.tell(studio.order("move", to=studio.the("bed")))

    def vanish(control: Control, last: Frame) -> Frame | None:
        raise ForetreeError("The process of the body has ended.")

    studio.nerves.spoil = vanish
    studio.pass_time(STEP_TIME)
    assert walk.poll() == End(Outcome.LOST, "The process of the body has ended.")
    for ask in (
        lambda: studio.robot.start(Order("move"), "y"),
        lambda: studio.robot.look(LookRequest(), "y"),
        lambda: studio.robot.attach("e1"),
    ):
        with pytest.raises(RobotError, match="The body of robot is gone: The process"):
            ask()
