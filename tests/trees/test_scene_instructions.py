"""The instructions that scenes suggest, and rooms that instructions name."""

from __future__ import annotations

import pytest

from foretree.agent.plan_request import NoPlanError
from foretree.bringup.embedded import embedded_context, open_household
from foretree.bringup.options import Options, Wish
from foretree.bringup.understanding import make_plan, understand
from foretree.config import find_config
from foretree.planning.pddl.syntax import show
from foretree.reasoning.instruction_errors import AmbiguousError
from foretree.simulation.household.scene_file import load_scene


@pytest.fixture(scope="module")
def office():
    return embedded_context("office")


@pytest.mark.parametrize("name", ["kitchen", "studio", "flat"])
def test_the_suggested_instructions_are_understood(name):
    context, _ = embedded_context(name)
    scene = load_scene(find_config("scenes", name))
    assert scene.instructions
    for instruction in scene.instructions:
        assert understand(context, Wish(instruction)).goal, instruction


def test_those_of_the_office_are_understood(office):
    context, world = office
    for instruction in load_scene(find_config("scenes", "office")).instructions:
        goal = understand(context, Wish(instruction)).goal
        assert not world.holds(goal), instruction


@pytest.mark.slow
def test_those_of_the_office_can_be_carried_out():
    for instruction in load_scene(find_config("scenes", "office")).instructions:
        session, world = open_household("office", Wish(instruction), Options(faults=()))
        result = session.run()
        assert result.reached, instruction
        assert world.holds(result.goal)


@pytest.mark.parametrize("said", ["bring me cups", "wash all cups", "bring me the cup"])
def test_what_nobody_knows_of_is_no_goal_that_is_reached_already(said):
    context, _ = embedded_context("kitchen")
    with pytest.raises(
        NoPlanError, match=r"It is not known where to find a cup\. A run would look for it first"
    ):
        understand(context, Wish(said))


def test_a_goal_in_pddl_is_taken_at_its_word():
    context, _ = embedded_context("kitchen")
    mission = understand(context, Wish(goal="(forall (?x - cup) (clean ?x))"))
    assert make_plan(context, mission.goal).actions == ()


def test_what_is_in_a_basket_is_in_the_room_of_the_basket(office):
    with pytest.raises(AmbiguousError, match="apple1 in fridge1 or apple2 in basket1"):
        understand(office[0], Wish("wash the apple in the kitchen"))
    goal = understand(
        office[0], Wish("wash the yellow block in office 611")
    ).goal  # it is on a block on a table
    assert show(goal) == "(clean yellow_block1)"


@pytest.mark.parametrize(
    ("said", "goal"),
    [
        ("open the kitchen door", "(open kitchen_door)"),
        ("put everything on table605 into box1", "(and (in lamp2 box1) (in paper1 box1))"),
        ("open door 605", "(open door605)"),
        (
            "take the milk out of the fridge and close it",
            "(and (exists (?robot - robot ?hand - hand) (holding ?robot ?hand milk1)) (not (open fridge1)))",
        ),
        ("wipe kitchen table 2", "(wiped kitchen_table2)"),
        ("go to the kitchen", "(exists (?robot - robot) (rob_at_node ?robot kitchen))"),
    ],
)
def test_what_people_say_of_a_building_is_understood(office, said, goal):
    assert show(understand(office[0], Wish(said)).goal) == goal
