"""How and where things shall be at once, and things that are added to others or taken out of them."""

import pytest

from foretree.planning.pddl.syntax import show
from foretree.reasoning.instruction_errors import InstructionError

AT_ONCE = [
    ("the shirt should lie folded on the dresser", "(and (folded shirt1) (on shirt1 dresser1))"),
    ("I want the towel folded up on the dresser", "(and (folded towel1) (on towel1 dresser1))"),
    ("leave the mango sliced on table1", "(and (sliced mango1) (on mango1 table1))"),
    ("the plate must be rinsed in the sink", "(clean plate1)"),
    ("the plate should be washed and end up in the dishwasher", "(and (clean plate1) (in plate1 dishwasher1))"),
    ("the bottle should be over here with me", "(given bottle1 anna)"),
    ("the bottle should be on the dresser or on the counter", "(or (on bottle1 dresser1) (on bottle1 counter1))"),
    ("whatever is dirty among the mugs and plates must be washed",
     "(and (clean mug1) (clean plate1))"),
]  # fmt: skip
MOVED = [
    ("put the plate on table1 and add the knife", "(and (on plate1 table1) (on knife1 table1))"),
    ("open the dishwasher, insert the plate and close it", "(and (in plate1 dishwasher1) (not (open dishwasher1)))"),
    ("unload the basket onto table1", "(and (on cup1 table1) (on fork1 table1))"),
    ("clear the dresser onto the sofa", "(on fork2 sofa1)"),
    ("empty mug1", "(not (filled mug1))"),
    ("put everything on the dresser or on the counter onto table1",
     "(and (on bottle1 table1) (on fork2 table1) (on knife1 table1))"),
    ("put the mango on the table that holds the plate", "(on mango1 table1)"),
]  # fmt: skip


@pytest.mark.parametrize(("said", "goal"), AT_ONCE, ids=[case[0][:50] for case in AT_ONCE])
def test_a_state_and_a_place_are_wished_for_at_once(reasoner, situation, said, goal):
    assert show(reasoner.understand(said, situation).goal) == goal


@pytest.mark.parametrize(("said", "goal"), MOVED, ids=[case[0][:50] for case in MOVED])
def test_contents_and_additions_are_moved(reasoner, situation, said, goal):
    assert show(reasoner.understand(said, situation).goal) == goal


@pytest.mark.parametrize("said", ["add the knife", "the coat should lie purple on the sofa"])
def test_what_has_no_place_or_state_is_refused(reasoner, situation, said):
    with pytest.raises(InstructionError):
        reasoner.understand(said, situation)


@pytest.mark.parametrize(
    ("said", "goal"),
    [
        ("put either the mango or the bottle in the fridge and the other one on the counter",
         "(or (and (in mango1 fridge1) (on bottle1 counter1)) (and (in bottle1 fridge1) (on mango1 counter1)))"),
        ("at the end, the bottle is in the fridge and the lamp is on",
         "(and (in bottle1 fridge1) (turned_on lamp1))"),
        ("the plate should be in the dishwasher by tonight", "(in plate1 dishwasher1)"),
        ("bottle to me, knife on table1", "(and (given bottle1 anna) (on knife1 table1))"),
        ("take first the mango, then put it in the fridge", "(in mango1 fridge1)"),
        ("wash the plate and after that put the mango in the fridge", "(and (clean plate1) (in mango1 fridge1))"),
        ("put the mango in the fridge, the bottle too, and wash the plate",
         "(and (in mango1 fridge1) (in bottle1 fridge1) (clean plate1))"),
        ("if there is any mango put it in the fridge, otherwise wash the plate", "(in mango1 fridge1)"),
    ],
)  # fmt: skip
def test_what_is_said_in_few_words_is_told_apart(reasoner, situation, said, goal):
    assert show(reasoner.understand(said, situation).goal) == goal
