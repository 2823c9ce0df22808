"""What is so in turn ("and close it again"), and how many of all are meant ("all but one")."""

import pytest
from scene_situations import situation_in

from foretree.planning.constraints.constraints import InOrder, NeverUse, show_constraint
from foretree.planning.pddl.syntax import show
from foretree.reasoning.instruction_errors import InstructionError, NotUnderstoodError
from foretree.reasoning.offline.commands import CommandReasoner


def understood(said, speaker="person1"):
    return CommandReasoner().understand(said, situation_in("flat", speaker=speaker))


@pytest.mark.parametrize(
    ("said", "goal", "turns"),
    [
        (
            "open the microwave and shut it again",
            "(not (open microwave1))",
            "(sequence (open microwave1) (not (open microwave1)))",
        ),
        (
            "switch the lamp on and off again",
            "(not (turned_on lamp1))",
            "(sequence (turned_on lamp1) (not (turned_on lamp1)))",
        ),
        (
            "put the apple into the microwave, then put it on the counter",
            "(on apple1 counter1)",
            "(sequence (in apple1 microwave1) (on apple1 counter1))",
        ),
        (
            "put the apple into the sink in the kitchen, then take it out",
            "(exists (?robot - robot ?hand - hand) (holding ?robot ?hand apple1))",
            "(sequence (in apple1 sink1) (exists (?robot - robot ?hand - hand) (holding ?robot ?hand apple1)))",
        ),
        (
            "put the apple and the plate on the counter, then bring me the plate",
            "(and (on apple1 counter1) (given plate1 person1))",
            "(sequence (and (on apple1 counter1) (on plate1 counter1)) (given plate1 person1))",
        ),
        (
            "rinse the plate and put it back",
            "(and (clean plate1) (on plate1 table1))",
            "(sequence (clean plate1) (on plate1 table1))",
        ),
    ],
)
def test_states_are_passed_in_turn(said, goal, turns):
    found = understood(said)
    assert show(found.goal) == goal
    [kept] = found.constraints
    assert isinstance(kept, InOrder)
    assert show_constraint(kept) == turns


@pytest.mark.parametrize(
    "said", ["open the microwave and shut it", "put the apple into the sink and on table1"]
)
def test_without_a_word_of_it_nothing_is_in_turn(said):
    with pytest.raises(InstructionError):
        understood(said)


@pytest.mark.parametrize(
    ("said", "goal"),
    [
        ("put all the mugs but one into the dishwasher", "(exactly 2 (?x - mug) (in ?x dishwasher1))"),
        ("put all but two of the pillows on the bed", "(exactly 2 (?x - pillow) (on ?x bed1))"),
        ("all the pillows except one belong on the bed", "(exactly 3 (?x - pillow) (on ?x bed1))"),
    ],
)
def test_all_but_some_are_so_many(said, goal):
    assert show(understood(said).goal) == goal


@pytest.mark.parametrize(
    "said",
    ["put as many pillows on the bed as on the sofa", "bring as many mugs as possible to the kitchen"],
)
def test_numbers_that_depend_on_others_are_refused(said):
    with pytest.raises(NotUnderstoodError, match="Say a number"):
        understood(said)


def test_things_that_are_moved_one_at_a_time_are_in_one_hand():
    found = understood("put the apple and the mango into the sink in the kitchen, one at a time")
    assert NeverUse("pick", ("robot1", "right_hand")) in found.constraints


@pytest.mark.parametrize("said", ["bring me the mug on your right", "hand me the mug on your left"])
def test_where_things_are_as_somebody_sees_them_is_not_left_out(said):
    with pytest.raises(NotUnderstoodError, match="as seen by one of us"):
        understood(said)


def test_what_is_closed_behind_one_is_closed():
    assert show(understood("close the study door behind you").goal) == "(not (open study_door))"
