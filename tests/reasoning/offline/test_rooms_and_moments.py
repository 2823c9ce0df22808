"""Rooms that are kept out of, and moments of the robot's way, as constraints."""

import pytest
from scene_situations import situation_in

from foretree.planning.constraints.constraints import Always, Before, NeverUse, show_constraint
from foretree.planning.pddl.syntax import constants_of, show
from foretree.reasoning.instruction_errors import InstructionError
from foretree.reasoning.offline.commands import CommandReasoner


@pytest.fixture
def flat_situation():
    return situation_in("flat", speaker="person1")


BATHROOM = {"bathroom", "sink2", "washing_machine1", "bathroom_door_bathroom_side"}


def understood(said, situation):
    return CommandReasoner().understand(said, situation)


@pytest.mark.parametrize(
    "said",
    [
        "before you leave the bathroom, close the washing machine",
        "close the washing machine before leaving the bathroom",
        "close the washing machine on your way out of the bathroom",
        "when you leave the bathroom, please close the washing machine",
        "close the washing machine before you get out of the bathroom",
    ],
)
def test_what_comes_before_leaving_a_room_is_kept(flat_situation, said):
    found = understood(said, flat_situation)
    assert show(found.goal) == "(not (open washing_machine1))"
    [kept] = found.constraints
    assert isinstance(kept, Before)
    assert show(kept.first) == "(not (open washing_machine1))"
    assert constants_of(kept.then) >= BATHROOM
    assert "(not (rob_at_node robot1 sink2))" in show(kept.then)


@pytest.mark.parametrize(
    "said",
    [
        "once you are in the bathroom, open the washing machine",
        "when you get to the bathroom, open the washing machine",
        "open the washing machine as soon as you're in the bathroom",
        "after entering the bathroom, open the washing machine",
        "on arrival in the bathroom open the washing machine",
    ],
)
def test_what_comes_after_reaching_a_room_is_kept(flat_situation, said):
    found = understood(said, flat_situation)
    assert show(found.goal) == "(open washing_machine1)"
    [kept] = found.constraints
    assert isinstance(kept, Before)
    assert show(kept.then) == "(open washing_machine1)"
    assert constants_of(kept.first) >= BATHROOM


def test_a_moment_is_said_for_its_own_request(flat_situation):
    found = understood("bring me the keys. before you leave the kitchen, close the fridge.", flat_situation)
    [kept] = found.constraints
    assert isinstance(kept, Before)
    assert show(kept.first) == "(not (open fridge1))"


def test_that_the_home_is_not_left_is_said(flat_situation):
    found = understood("before you leave the house, turn off the lamp", flat_situation)
    assert not found.constraints
    assert "I do not leave the home" in found.sentence


@pytest.mark.parametrize(
    "said",
    [
        "after you come back, close the fridge",
        "when you return from the study, wash the plate",
        "after leaving the study, wash the plate",  # it is not there
        "wash the plate before you leave the kitchen the mango",
        "before you leave the kitchen, don't open the fridge",
    ],
)
def test_moments_that_cannot_be_kept_are_refused(flat_situation, said):
    with pytest.raises(InstructionError):
        understood(said, flat_situation)


@pytest.mark.parametrize(
    "said",
    [
        "bring me the keys without entering the bathroom",
        "bring me the keys but stay out of the bathroom",
        "bring me the keys, and never set foot in the bathroom",
        "bring me the keys and don't go into the bathroom",
        "avoid the bathroom and bring me the keys",
        "I want you to bring me the keys, and please keep out of the bathroom",
        "bring me the keys without going through the bathroom",
    ],
)
def test_all_of_a_room_is_kept_out_of(flat_situation, said):
    found = understood(said, flat_situation)
    assert show(found.goal) == "(given keys1 person1)"
    [kept] = found.constraints
    assert isinstance(kept, Always)
    assert constants_of(kept.formula) >= BATHROOM
    assert "(not (rob_at_node robot1 sink2))" in show(kept.formula)


@pytest.mark.parametrize("said", ["without leaving the kitchen", "but stay in the kitchen"])
def test_a_room_is_not_left(flat_situation, said):
    [kept] = understood(f"wash the plate {said}", flat_situation).constraints
    assert isinstance(kept, Always)
    assert show(kept.formula).startswith("(or (rob_at_node robot1 kitchen)")


@pytest.mark.parametrize(
    "said",
    [
        "wash the plate with your left hand only",
        "use only your left hand to wash the plate",
        "wash the plate, using just your left hand",
        "wash the plate without using your right hand",
    ],
)
def test_one_hand_alone_is_used(flat_situation, said):
    found = understood(said, flat_situation)
    assert show(found.goal) == "(clean plate1)"
    assert found.constraints == (NeverUse(None, ("right_hand",)),)


def test_going_somewhere_before_is_going_anywhere_there(flat_situation):
    found = understood("before you go into the bathroom, wash the plate", flat_situation)
    [kept] = found.constraints
    assert "(rob_at_node ?robot sink2)" in show_constraint(kept)
