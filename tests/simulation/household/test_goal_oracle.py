from __future__ import annotations

import pytest

from foretree.planning.pddl.syntax import And, Count, Equal, Exists, Forall, Literal, Not, Typed
from foretree.simulation.household.goal_oracle import UndecidableGoalError
from foretree.simulation.household.resting_poses import resting_pose


def atom(*terms):
    return Literal(terms)


@pytest.mark.parametrize(
    ("goal", "so"),
    [
        (atom("on", "mango1", "table1"), True),
        (atom("on", "mango1", "table2"), False),
        (atom("in", "milk1", "fridge1"), True),
        (atom("under", "shoe1", "table1"), True),
        (atom("hung_on", "coat1", "rack1"), True),
        (atom("filled", "kettle1"), True),
        (atom("filled", "mug1"), False),
        (atom("open", "fridge1"), False),
        (atom("open", "sink1"), True),
        (atom("open", "door1"), False),
        (atom("open", "table1"), False),
        (atom("container", "fridge1"), True),
        (atom("sliceable", "mug1"), False),
        (atom("class", "mango1", "mango"), True),
        (atom("class", "mango1", "apple"), False),
        (atom("rob_at_node", "robot1", "table1"), True),
        (atom("rob_has_hand", "robot1", "left"), True),
        (atom("hand_free", "robot1", "left"), True),
        (atom("holding", "robot1", "left", "mango1"), False),
        (atom("given", "mango1", "person1"), False),
        (atom("connected", "table1", "fridge1"), True),
        (atom("connected", "table1", "table2"), False),
        (atom("connected", "door1_kitchen_side", "door1_hall_side"), False),
        (atom("has_door", "door1", "door1_hall_side", "door1_kitchen_side"), True),
        (Not(atom("on", "mango1", "table1")), False),
        (Equal("mango1", "mango1"), True),
        (Exists((Typed("?m", "mug"),), Literal(("on", "?m", "table1"))), True),
        (Exists((Typed("?m", "mug"),), Literal(("filled", "?m"))), False),
        (Forall((Typed("?a", "asset"),), Literal(("turned_on", "?a"), False)), True),
        (Forall((Typed("?i", "item"),), Literal(("on", "?i", "table1"))), False),
        (Count(Typed("?i", "item"), Literal(("on", "?i", "table1")), 6, 6), True),
        (Count(Typed("?n", "node"), Literal(("rob_at_node", "robot1", "?n")), 1, 1), True),
        (Exists((Typed("?w", "waypoint"),), Literal(("connected", "table1", "?w"))), True),
    ],
)
def test_a_goal_is_judged_by_the_truth(drive, goal, so):
    assert drive().world.holds(goal) is so


def test_what_is_held_is_nowhere_else(drive):
    d = drive()
    d.do("pick", item="mango1", place="table1")
    assert d.world.holds(atom("holding", "robot1", "left", "mango1"))
    assert d.world.holds(Not(atom("on", "mango1", "table1")))
    assert not d.world.holds(atom("hand_free", "robot1", "left"))


def test_an_open_door_connects(drive):
    d = drive()
    d.house.set_state(d.house.named("door1"), "open")
    assert d.world.holds(atom("connected", "door1_kitchen_side", "door1_hall_side"))


def test_judging_lets_time_pass(drive):
    d = drive(faults=["at 5: open fridge1"])
    d.clock.sleep_until(6)
    assert d.world.holds(atom("open", "fridge1"))


def test_what_is_gone_counts_no_more(drive):
    d = drive()
    d.house.remove(d.house.named("mug1"))
    assert not d.world.holds(Exists((Typed("?m", "mug"),), And(())))


def test_the_agents_own_names_stand_for_what_is_there(drive):
    d = drive(scene={"known": "map"})
    mug = d.house.pose_of(d.house.named("mug1"))
    assert d.world.holds(atom("on", "thing7", "table1"), {"thing7": mug})
    assert d.world.holds(atom("class", "apple1", "mug"), {"apple1": mug})
    with pytest.raises(UndecidableGoalError, match="no 'thing7'"):
        d.world.holds(atom("on", "thing7", "table1"), {"thing7": (50.0, 50.0, 0.0)})


def test_a_name_that_the_agent_was_told_means_the_same_wherever_it_believes_it(drive):
    d = drive()
    mug = d.house.pose_of(d.house.named("mug1"))
    assert d.world.holds(atom("class", "mango1", "mango"), {"mango1": mug})
    assert d.world.holds(atom("open", "sink1"), {"sink1": resting_pose(mug, "on", 0)})


def test_a_goal_that_makes_no_sense_is_explained(drive):
    world = drive().world
    with pytest.raises(UndecidableGoalError, match=r"There is no 'mangoo' in lab\. Did you mean mango1"):
        world.holds(atom("on", "mangoo", "table1"))
    with pytest.raises(UndecidableGoalError, match=r"The world cannot decide \(likes mango1 table1\)"):
        world.holds(atom("likes", "mango1", "table1"))
