"""The four guards in the embedded household, without noise: what each typical surprise leads to.

The robot must never be told anything that is not allowed: all of it was in view.
"""

from __future__ import annotations

import pytest
from at_home import AtHome, F, S, catalogue, house, with_puppet

from foretree.agent.planning_service import PlanningService
from foretree.revision.planner import PlannerReviser
from foretree.revision.revision import NoRevisionError
from foretree.revision.rules.reviser import RuleReviser

MANGO = (
    "move robot1 kitchen table1",
    "pick robot1 left mango1 table1",
    "move robot1 table1 fridge1",
    "open robot1 right fridge1",
    "place_in robot1 left mango1 fridge1",
)
GOAL = "(in mango1 fridge1)"


def planner(home):
    return PlannerReviser(PlanningService(home.context.settings), home.clock, latency=0.2)


def carried_out(home, goal=GOAL, steps=MANGO):
    node = home.node(goal, *steps)
    assert home.run(node) is S, node.reason
    assert home.holds(goal)
    assert home.world.illegal == []
    return node


# -- nothing happens ---------------------------------------------------------------------------------------


def test_without_surprises_the_plan_is_carried_out_as_it_is():
    home = AtHome()
    node = carried_out(home)
    assert home.told() == [
        "move kitchen table1",
        "pick mango1 table1",
        "move table1 fridge1",
        "open fridge1",
        "place_in mango1 fridge1",
    ]
    assert home.found() == []
    assert home.looks() == [], "everything is in view on the way; nothing grows stale"
    assert node.tally == {"done": 5}


# -- presence ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("when", ["during 1", "after 1"])
def test_a_thing_that_was_moved_is_fetched_from_where_it_is(when):
    home = AtHome(faults=[f"{when}: move mango1 table2"])
    node = carried_out(home)
    assert "pick mango1 table2" in home.told()
    assert "pick mango1 table1" not in home.told(None)
    (found,) = home.found()
    assert found[0] == "presence"
    assert found[1].endswith("but mango1 is on table2.")
    assert node.tally["revised"] == 1
    assert "Instead of pick(robot1, left, mango1, table1)" in home.revisions()[0]


def test_a_thing_that_was_moved_is_noticed_at_the_sight_of_it_not_at_the_failure():
    home = AtHome(faults=["during 1: move mango1 table2"])
    carried_out(home)
    struck = home.tape.of("fault.injected")[0].tick
    found = home.tape.of("discrepancy.found")[0].tick
    arrived = home.tape.of("action.ended")[0].tick
    assert struck < found <= arrived + 1


def test_a_container_that_stands_open_is_not_opened():
    home = AtHome(faults=["during 1: open fridge1"])
    carried_out(home)
    assert "open fridge1" not in home.told(None)
    assert home.revisions()[0].endswith("Skip open(robot1, right, fridge1).")


def test_a_thing_that_somebody_has_taken_out_of_the_cupboard_spares_the_opening():
    """The plan would open the cupboard for the mug; by now the mug stands on the table."""
    scene = house(items={"mug2": {"class": "mug", "in": "cupboard1"}})
    home = AtHome(scene, faults=["during 1: move mug2 table2"])
    home.take_for("mug1", "cup")
    steps = (
        "move robot1 kitchen cupboard1",
        "open robot1 left cupboard1",
        "pick robot1 left mug2 cupboard1",
        "move robot1 cupboard1 sink1",
        "place_in robot1 left mug2 sink1",
    )
    node = carried_out(home, "(in mug2 sink1)", steps)
    assert "pick mug2 table2" in home.told()
    # A closed cupboard tells nothing: that the mug is not in it shows when it is open. What stands on the
    # table is another mug, until the one in the cupboard turns out to be gone.
    assert home.found()[0][1].endswith("but mug2 is on table2.")
    assert node.tally["revised"] == 1


def test_a_thing_that_is_gone_is_not_reached_for():
    home = AtHome(faults=["during 1: remove mango1"])
    node = home.node(GOAL, *MANGO)
    assert home.run(node) is F
    assert home.told(None) == ["move kitchen table1"]
    assert home.found()[0][1].endswith("but mango1 is not on table1.")
    assert "mango1 is not on table1" in node.reason
    assert home.world.illegal == []


def test_a_nearer_thing_is_taken_where_the_goal_does_not_say_which():
    """A mug in the hall is meant; on the way a mug appears on a table in the kitchen."""
    scene = house(items={"mug1": {"class": "mug", "on": "table3"}, "mug2": {"class": "mug", "in": "box1"}})
    home = AtHome(scene, faults=["at 1: move mug2 table2"])
    home.context.belief.remove_entity("mug2")
    fetch = (
        "move robot1 kitchen door1_kitchen_side",
        "move robot1 door1_kitchen_side door1_hall_side",
        "move robot1 door1_hall_side table3",
        "pick robot1 left mug1 table3",
        "move robot1 table3 door1_hall_side",
        "move robot1 door1_hall_side door1_kitchen_side",
        "move robot1 door1_kitchen_side sink1",
        "place_in robot1 left mug1 sink1",
    )
    node = carried_out(home, "(exists (?m - mug) (in ?m sink1))", fetch)
    assert home.told()[1:3] == ["move door1_kitchen_side table2", "pick mug2 table2"]
    (found,) = home.found()
    assert "is meant for mug1, but mug2 is on table2, which is nearer" in found[1]
    assert node.tally["revised"] == 1

    named = AtHome(scene, faults=["at 1: move mug2 table2"])
    named.context.belief.remove_entity("mug2")
    carried_out(named, "(in mug1 sink1)", fetch)
    assert "pick mug1 table3" in named.told()
    assert named.found() == []


# -- appearance --------------------------------------------------------------------------------------------

MUG = (
    "move robot1 kitchen table1",
    "pick robot1 left mug1 table1",
    "move robot1 table1 sink1",
    "place_in robot1 left mug1 sink1",
)
ANY_MUG = "(exists (?m - mug) (in ?m sink1))"


def two_cups():
    return house(items={"mug1": {"class": "cup", "on": "table1"}, "mug2": {"class": "mug", "on": "table2"}})


def test_a_cup_that_was_taken_for_a_mug_is_left_and_a_mug_is_taken():
    home = AtHome(two_cups())
    home.take_for("mug1", "mug", cup=0.3)
    carried_out(home, ANY_MUG, MUG)
    assert "pick mug2 table2" in home.told()
    assert "pick mug1 table1" not in home.told(None)
    assert home.found()[0] == (
        "appearance",
        "pick(robot1, left, mug1, table1) expects mug1 is a mug, but mug1 is a cup.",
    )


def test_a_cup_that_shows_itself_in_the_hand_is_put_back_and_a_mug_is_taken():
    scene = house(items={"mug2": {"class": "mug", "on": "table2"}})
    home = AtHome(scene)
    home.context.revisers = (RuleReviser(), planner(home))
    node = home.node(ANY_MUG, *MUG)
    home.until(node, "action.ended")
    home.until(node, "action.ended")
    assert home.told()[-1] == "pick mug1 table1"
    home.world.house.named("mug1").known = catalogue().ontology["cup"]
    assert home.run(node) is S, node.reason
    assert home.found()[0][0] == "appearance"
    assert home.believes("(in mug2 sink1)")
    assert home.holds("(in mug2 sink1)")
    assert not home.holds("(in mug1 sink1)")
    assert home.tape.of("revision.made")[0].data["reviser"] == "planner"
    assert home.world.illegal == []


def test_a_thing_that_the_goal_names_is_taken_whatever_it_turns_out_to_be():
    """Its class is no part of the goal, and the plan is as good with it as it was."""
    home = AtHome(two_cups())
    home.take_for("mug1", "mug", cup=0.3)
    node = home.node("(in mug1 sink1)", *MUG)
    assert home.run(node) is S, node.reason
    assert home.holds("(in mug1 sink1)")
    assert not any("mug2" in step for step in home.told(None))
    assert [guard for guard, _ in home.found()] == ["appearance"], "found once, and taken note of"
    assert home.revisions()[0].endswith("the plan is good all the same.")
    assert node.plan.classes == {"mug1": "cup"}


def test_a_thing_that_will_not_do_as_what_it_is_is_not_used():
    """The potato is to be sliced; it turns out to be an egg."""
    home = AtHome(house(items={"egg1": {"class": "egg", "on": "table1"}}))
    home.take_for("egg1", "potato", egg=0.3)
    steps = (
        "move robot1 kitchen table1",
        "pick robot1 left knife1 table1",
        "cut robot1 left knife1 egg1 table1",
    )
    node = home.node("(sliced egg1)", *steps)
    assert home.run(node) is F
    assert "egg1 is not sliceable" in node.reason
    assert not any(step.startswith("cut") for step in home.told(None))
    assert home.world.illegal == []


def test_what_a_revision_brings_in_is_guarded_like_anything_else():
    home = AtHome(two_cups())
    home.take_for("mug1", "mug", cup=0.3)
    node = home.node(ANY_MUG, *MUG)
    home.until(node, "revision.made")
    pick = next(child for child in node.children if child.name and "mug2" in str(child.action))
    assert "appearance" in [below.name for below in pick.iterate()]
    assert node.plan.classes["mug2"] == "mug"


# -- attribute ---------------------------------------------------------------------------------------------

WASH = (
    "move robot1 kitchen table1",
    "pick robot1 left mug1 table1",
    "move robot1 table1 sink1",
    "wash robot1 left mug1 sink1",
    "move robot1 sink1 cupboard1",
    "open robot1 right cupboard1",
    "place_in robot1 left mug1 cupboard1",
)


@pytest.mark.parametrize("when", [1, 2, 3])
def test_a_clean_mug_is_not_washed(when):
    home = AtHome(faults=[f"during {when}: clean mug1"])
    carried_out(home, "(and (clean mug1) (in mug1 cupboard1))", WASH)
    assert not any(step.startswith("wash") for step in home.told(None))
    skipped = [e.data["why"] for e in home.tape.of("action.skipped")]
    not_needed = "wash(robot1, left, mug1, sink1) is not needed: mug1 is clean."
    assert skipped or home.found() == [("attribute", not_needed)]


def test_a_running_microwave_is_switched_off_before_it_is_opened():
    steps = (
        "move robot1 kitchen microwave1",
        "open robot1 left microwave1",
        "move robot1 microwave1 table1",
        "pick robot1 left mango1 table1",
        "move robot1 table1 microwave1",
        "place_in robot1 left mango1 microwave1",
    )
    home = AtHome(faults=["during 1: switch on microwave1"])
    carried_out(home, "(in mango1 microwave1)", steps)
    assert home.told()[1:3] == ["turn_off microwave1", "open microwave1"]
    assert home.found()[0] == (
        "attribute",
        "open(robot1, left, microwave1) expects microwave1 is not turned on, but microwave1 is turned on.",
    )


# -- relationship ------------------------------------------------------------------------------------------

PILLOWS = "(at-least 2 (?p - pillow) (on ?p sofa1))"
TWO = (
    "move robot1 kitchen table1",
    "pick robot1 left pillow1 table1",
    "move robot1 table1 door1_kitchen_side",
    "move robot1 door1_kitchen_side door1_hall_side",
    "move robot1 door1_hall_side table3",
    "pick robot1 right pillow2 table3",
    "move robot1 table3 sofa1",
    "place_on robot1 left pillow1 sofa1",
    "place_on robot1 right pillow2 sofa1",
)


def test_a_pillow_that_is_on_the_sofa_already_is_left_alone():
    home = AtHome(faults=["after 2: move pillow2 sofa1"])
    carried_out(home, PILLOWS, TWO)
    assert "place_on pillow1 sofa1" in home.told()
    assert not any("pillow2" in step for step in home.told(None))


def test_another_pillow_is_taken_where_the_goal_only_counts():
    """One of the two that were meant is gone; there is a third one."""
    scene = house(items={"pillow3": {"class": "pillow", "on": "table2"}})
    home = AtHome(scene, faults=["during 1: remove pillow1"])
    carried_out(home, PILLOWS, TWO)
    assert "pick pillow3 table2" in home.told()
    assert "place_on pillow3 sofa1" in home.told()
    assert "place_on pillow2 sofa1" in home.told()


def test_when_both_are_there_nothing_is_left_to_do():
    home = AtHome(faults=["during 5: move pillow2 sofa1"])
    node = home.node(PILLOWS, *TWO)
    home.do("move pillow2 sofa1")
    home.do("move pillow1 sofa1")
    home.believe("on pillow1 sofa1", "on pillow2 sofa1")
    assert home.run(node) is S
    assert home.told(None) == []


# -- several at once, and while an action runs ---------------------------------------------------------------


def test_several_discrepancies_at_once_make_one_revision():
    home = AtHome(faults=["during 1: move mango1 table2", "during 1: open fridge1"])
    node = carried_out(home)
    assert {guard for guard, _ in home.found()} == {"presence", "attribute"}
    assert node.tally["revised"] == 1
    assert len(home.tape.of("revision.made")) == 1
    assert "open fridge1" not in home.told(None)
    assert "pick mango1 table2" in home.told()


class Listening:
    """A reviser that has nothing to offer, but remembers what it was asked."""

    name = "listening"
    time_out = 1.0

    def __init__(self):
        self.asked = []

    def propose(self, situation):
        self.asked.append(situation)
        raise NoRevisionError("nothing")


def test_all_that_is_wrong_with_an_action_is_told_at_once():
    """Neither is what it was taken for, though both would do: no link of the plan says so, only the guard."""
    listening = Listening()
    spoon = {"spoon1": {"class": "spoon", "on": "table1"}}
    home = AtHome(house(items=spoon), revisers=[listening], looks=0)
    home.context, _ = with_puppet(home)
    home.believe(
        "rob_at_node robot1 table1", "holding robot1 left spoon1", "not hand_free robot1 left", "filled mug1"
    )
    node = home.node("(stirred mug1)", "stir robot1 left spoon1 mug1 table1")
    home.take_for("spoon1", "ladle")
    home.take_for("mug1", "cup")
    home.tick(node)
    seen = [discrepancy.seen for discrepancy in listening.asked[0].discrepancies]
    assert seen == ["spoon1 is a ladle", "mug1 is a cup"]


def test_a_fridge_that_is_shut_while_one_places_into_it_is_opened_again():
    home = AtHome(faults=["during 5: close fridge1"])
    carried_out(home)
    assert home.told("cancelled") == ["place_in mango1 fridge1"]
    assert home.told()[-2:] == ["open fridge1", "place_in mango1 fridge1"]
    assert home.told().count("open fridge1") == 2
    cancelled = next(e for e in home.tape.of("action.ended") if e.data["outcome"] == "cancelled")
    struck = home.tape.of("fault.injected")[0]
    assert cancelled.tick - struck.tick <= 1, "preempted at once, not when it fails"


APPLE = (
    "move robot1 kitchen door1_kitchen_side",
    "move robot1 door1_kitchen_side door1_hall_side",
    "move robot1 door1_hall_side table3",
    "pick robot1 left apple1 table3",
)


def test_a_door_that_is_shut_on_the_way_is_opened():
    home = AtHome(faults=["during 1: close door1"])
    carried_out(home, "(holding robot1 left apple1)", APPLE)
    assert home.told()[1] == "open_door door1 door1_kitchen_side door1_hall_side"
    assert home.found()[0][0] == "presence"


def test_a_door_that_is_shut_while_one_goes_through_is_opened():
    home = AtHome(faults=["during 2: close door1"])
    carried_out(home, "(holding robot1 left apple1)", APPLE)
    assert "open_door door1 door1_kitchen_side door1_hall_side" in home.told()


def test_without_guards_nothing_is_noticed_before_it_fails():
    home = AtHome(faults=["during 1: move mango1 table2"], guards=())
    node = home.node(GOAL, *MANGO)
    home.run(node)
    assert home.looks() == []
    assert home.tape.of("guard.checked") == []
    assert len(home.world.illegal) > 0


def test_what_is_not_known_is_looked_at_before_it_is_touched():
    """Nobody has told it whether the fridge is open."""
    home = AtHome()
    node = home.node("(open fridge1)", "move robot1 kitchen fridge1", "open robot1 left fridge1")
    home.context.sync()
    home.forget("open fridge1")
    assert home.run(node) is S
    assert home.world.illegal == []
