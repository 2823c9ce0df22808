"""States told by where things live, come out of and lie now, and things told by what they are not."""

import pytest

from foretree.planning.pddl.syntax import show
from foretree.reasoning.instruction_errors import InstructionError

TOLD = [
    ("from now on the plate's home is the dishwasher", "(in plate1 dishwasher1)"),
    ("henceforth the place for the plate is the dishwasher", "(in plate1 dishwasher1)"),
    ("the dishwasher is the plate's home from today on", "(in plate1 dishwasher1)"),
    ("the bottle lives in the fridge from now on", "(in bottle1 fridge1)"),
    ("the cup should be out of the basket and on the counter", "(on cup1 counter1)"),
    ("the bottle comes out onto table1", "(on bottle1 table1)"),
    ("everything in the basket has to come out and stand on the counter",
     "(and (on cup1 counter1) (on fork1 counter1))"),
    ("the coat should move to the coat rack", "(hung_on coat1 coat_rack1)"),
    ("open the fridge and put the bottle in it, but leave that open",
     "(and (in bottle1 fridge1) (open fridge1))"),
    ("I'd like to find the plate washed and in the sink", "(and (clean plate1) (in plate1 sink1))"),
    ("with the lamp off, put the mango on table1", "(and (not (turned_on lamp1)) (on mango1 table1))"),
    ("let's get the kitchen straight: wash the plate, then close the fridge",
     "(and (clean plate1) (not (open fridge1)))"),
    ("put the mango next to where the knife is lying", "(on mango1 counter1)"),
    ("take the knife, put it in the sink, and pop the mango in where it was",
     "(and (in knife1 sink1) (on mango1 counter1))"),
    ("wash the plate and set it back there", "(and (clean plate1) (on plate1 table1))"),
    ("wipe table1 and wash the mug that's standing there", "(and (wiped table1) (clean mug1))"),
    ("wash the plate and let me have it together with the knife",
     "(and (clean plate1) (given plate1 anna) (given knife1 anna))"),
    ("wash the plate, and mind you don't leave the fridge open", "(and (clean plate1) (not (open fridge1)))"),
]  # fmt: skip
OTHERS = [
    ("put everything on the counter that isn't a bottle in the sink", "(in knife1 sink1)"),
    ("everything on the counter that isn't the knife goes in the sink", "(in bottle1 sink1)"),
    ("put everything that is not a bottle on the counter in the sink", "(in knife1 sink1)"),
    ("put everything on table1 that isn't food in the sink", "(and (in mug1 sink1) (in plate1 sink1))"),
    ("put everything on table1 that you can't eat in the sink", "(and (in mug1 sink1) (in plate1 sink1))"),
]
REFUSED = [
    "from now on, wash the plate after dinner",
    "from now on, bring me the mug on table1",
    "the plate's home is the dishwasher",
    "leave that open",
    "with the mango, open the fridge",
    "wash the mango and the plate and put the bottle where it was",
    "the mug that's there should be washed",
]


@pytest.mark.parametrize(("said", "goal"), TOLD, ids=[case[0][:40] for case in TOLD])
def test_states_are_put_plainly(reasoner, situation, said, goal):
    assert show(reasoner.understand(said, situation).goal) == goal


@pytest.mark.parametrize(("said", "goal"), OTHERS, ids=[case[0][:40] for case in OTHERS])
def test_things_are_told_by_what_they_are_not(reasoner, situation, said, goal):
    assert show(reasoner.understand(said, situation).goal) == goal


@pytest.mark.parametrize("said", REFUSED)
def test_what_is_not_told_is_refused(reasoner, situation, said):
    with pytest.raises(InstructionError):
        reasoner.understand(said, situation)
