from __future__ import annotations

import pytest

from foretree.planning.task.goals import parse_goal
from foretree.simulation.household.household_state import House
from foretree.simulation.household.plan_execution import StepError, WorldStep, execute
from foretree.skills.catalogue_file import load_catalogue


def move(origin, goal):
    return WorldStep("move", {"from": origin, "to": goal})


def pick(item, place, *hands):
    return WorldStep("pick", {"item": item, "place": place}, hands or ("left",))


def put(relation, item, place, *hands):
    return WorldStep(f"place_{relation}", {"item": item, "place": place}, hands or ("left",))


LUNCH = (
    pick("tray1", "table1", "left", "right"),
    move("table1", "door1_kitchen_side"),
    put("on", "tray1", "table2", "left", "right"),
)


def test_a_plan_that_the_world_allows_reaches_its_end(office):
    steps = [
        pick("cup1", "table1"),
        put("on", "cup1", "tray1"),
        pick("tray1", "table1", "left", "right"),
        move("table1", "sink1"),
        move("sink1", "table1"),
        put("on", "tray1", "table1", "left", "right"),
        pick("kettle1", "table1"),
        WorldStep("pour", {"item": "kettle1", "target": "cup1"}, ("left",)),
    ]
    verdict = execute(office(), steps)
    assert verdict.possible
    assert verdict.refusal is None
    house = verdict.house
    assert house.named("cup1").states == {"filled", "has_water"}
    assert house.node == "table1"


def test_the_first_refusal_ends_it(office):
    verdict = execute(office(), [*LUNCH, pick("cup1", "table1")])
    assert not verdict.possible
    assert (verdict.refusal.index, verdict.refusal.rule) == (2, "at-place")
    assert str(verdict.refusal) == (
        "step 3, (place_on left right tray1 table2), was refused: the robot has to stand at the place (at-place)"
    )
    assert verdict.house.hands["right"] == verdict.house.names["tray1"]


def test_a_scene_is_left_as_it_is_and_a_house_is_changed(office):
    scene = office()
    house = House(scene)
    for _ in range(2):
        assert execute(scene, [pick("cup1", "table1")]).possible
    assert execute(house, [pick("cup1", "table1")]).possible
    assert execute(house, [pick("cup1", "table1")]).refusal.rule == "hand-free"


def test_a_robot_with_one_hand_need_not_be_told_which(office):
    scene = office(robot={"name": "robot1", "hands": ["left"], "at": "table1"})
    assert execute(scene, [WorldStep("pick", {"item": "cup1", "place": "table1"})]).possible
    assert execute(scene, [pick("tray1", "table1")]).refusal.rule == "both-hands"


def test_plans_of_a_household_are_carried_out_by_its_own_rules(lab):
    steps = [WorldStep("handover", {"item": "mango1", "person": "person1"}, ("left",))]
    assert execute(lab(), steps).refusal.rule == "at-person"


@pytest.mark.parametrize(
    ("step", "says"),
    [
        (WorldStep("pikc", {}), r"Step 1 of a plan in office, \(pikc\): there is no 'pikc'.*pick"),
        (WorldStep("pick", {"item": "cup1"}, ("left",)), r"it lacks 'place'; it needs item, place"),
        (pick("cup7", "table1"), r"no item 'cup7'.*cup1"),
        (pick("cup1", "door1"), r"no asset or item 'door1'"),
        (move("table1", "tabel2"), r"no node 'tabel2'.*table2"),
        (pick("cup1", "table1", "middle"), r"no hand 'middle'.*left, right"),
        (WorldStep("pick", {"item": "cup1", "place": "table1"}), r"has to name one hand, or two"),
    ],
)
def test_a_step_that_makes_no_sense_is_a_mistake(office, step, says):
    with pytest.raises(StepError, match=says):
        execute(office(), [step])


@pytest.mark.parametrize(
    ("goal", "so"),
    [
        ("(on mango1 plate1)", True),
        ("(and (on plate1 tray1) (not (on mango1 tray1)))", True),
        ("(exists (?c - cup) (and (on ?c table1) (has_coffee ?c)))", True),
        ("(forall (?b - item) (open ?b))", False),
        ("(and (open milk1) (not (open sugar1)) (open sink1))", True),
        ("(and (filled milk1) (has_milk milk1))", True),
        ("(obj_at_node mango1 table1)", True),
        ("(obj_at_node mango1 table2)", False),
        ("(hand_free robot1 left)", True),
        ("(rob_at_node robot1 table1)", True),
        ("(watered plant1)", False),
    ],
)
def test_goals_of_a_building_are_judged_by_the_truth(office, goal, so):
    verdict = execute(office(), [])
    domain = load_catalogue("tabletop").domain
    types = {name: verdict.house[i].class_name for name, i in verdict.house.names.items()}
    types |= {"robot1": "robot", "left": "hand", "right": "hand"}
    assert verdict.holds(parse_goal(goal, domain, types).formula) is so
