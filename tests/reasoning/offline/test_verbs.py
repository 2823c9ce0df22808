"""What people say for the verbs of the skills, and which of it is left to no skill."""

from __future__ import annotations

import pytest

from foretree.planning.pddl.syntax import show
from foretree.reasoning.instruction_errors import InstructionError, NotUnderstoodError

ROBOT = "?robot - robot ?hand - hand"
UNDERSTOOD = [
    # -- a verb of its own for one with a particle -----------------------------------------------------
    ("activate the lamp", "(turned_on lamp1)"),
    ("fire up the dishwasher", "(turned_on dishwasher1)"),
    ("set the dishwasher going", "(turned_on dishwasher1)"),
    ("kill the lamp", "(not (turned_on lamp1))"),
    ("shut the dishwasher off", "(not (turned_on dishwasher1))"),
    ("stop the dishwasher", "(not (turned_on dishwasher1))"),
    # -- the particle, or what comes of it, behind the thing -------------------------------------------
    ("pull the fridge open", "(open fridge1)"),
    ("push the fridge shut", "(not (open fridge1))"),
    ("scrub the plate clean", "(clean plate1)"),
    ("warm the mango through", "(hot mango1)"),
    ("swill out the cup", "(clean cup1)"),
    # -- said over the place ---------------------------------------------------------------------------
    ("carry the mango over to the counter", "(on mango1 counter1)"),
    ("carry the mango across to the fridge", "(in mango1 fridge1)"),
    ("plonk the mango down on the counter", "(on mango1 counter1)"),
    # -- the deed as a noun ----------------------------------------------------------------------------
    ("give the plate a once-over", "(clean plate1)"),
    ("give the counter a quick wipe-down", "(wiped counter1)"),
    ("give the mango a quick blast in the microwave", "(and (heated_in mango1 microwave1) (hot mango1) (in mango1 microwave1))"),
    # -- the speaker goes without saying ---------------------------------------------------------------
    ("fetch the mango", "(given mango1 anna)"),
    ("bring the mango over", "(given mango1 anna)"),
    ("bring the mango here", "(given mango1 anna)"),
    ("hand over the mango", "(given mango1 anna)"),
    ("provide me with the mango", "(given mango1 anna)"),
    ("come here", "(exists (?robot - robot) (rob_at_node ?robot anna))"),
    ("get yourself over here", "(exists (?robot - robot) (rob_at_node ?robot anna))"),
    ("bring the mango and the plate to the counter", "(and (on mango1 counter1) (on plate1 counter1))"),
    # -- taking from somewhere -------------------------------------------------------------------------
    ("fish the fork out of the basket", f"(exists ({ROBOT}) (holding ?robot ?hand fork1))"),
    ("pull the cup out of the basket", f"(exists ({ROBOT}) (holding ?robot ?hand cup1))"),
    ("hold on to the mango", f"(exists ({ROBOT}) (holding ?robot ?hand mango1))"),
    # -- how it shall be done --------------------------------------------------------------------------
    ("cut the mango into chunks", "(sliced mango1)"),
    ("chop the mango up small", "(sliced mango1)"),
    ("fold the towel in half", "(folded towel1)"),
    ("fill the bottle to the brim", "(and (filled bottle1) (filled_at_tap bottle1))"),
    ("run some water into the bottle", "(and (filled bottle1) (filled_at_tap bottle1))"),
    ("run the plate under the tap", "(clean plate1)"),
    # -- looking and going -----------------------------------------------------------------------------
    ("have a rummage in the basket", "(inspected basket1)"),
    ("cast an eye over the counter", "(inspected counter1)"),
    ("go and stand by the sofa", "(exists (?robot - robot) (rob_at_node ?robot sofa1))"),
]  # fmt: skip
#: What no skill does, though it sounds alike.
REFUSED = [
    "fish the fork",
    "pull the cup",
    "run the mug",
    "turn up the lamp",
    "dim the lamp",
    "boil the mango",
    "toast the mango",
    "cut the dishwasher",
    "kill the mango",
    "slice the mango with the fork",
    "clear away the plate",
    "stop",
    "stop that",
]


@pytest.mark.parametrize(("said", "goal"), UNDERSTOOD)
def test_everyday_verbs_are_understood(reasoner, situation, said, goal):
    assert show(reasoner.understand(said, situation).goal) == goal


@pytest.mark.parametrize("said", REFUSED)
def test_verbs_of_other_deeds_are_refused(reasoner, situation, said):
    with pytest.raises(InstructionError):
        reasoner.understand(said, situation)


def test_what_asks_to_stop_is_told_so(reasoner, situation):
    for said in ("stop", "halt", "stop that", "stop it please"):
        with pytest.raises(NotUnderstoodError, match="is no task"):
            reasoner.understand(said, situation)


def test_what_the_speaker_goes_without_saying_is_in_the_sentence(reasoner, situation):
    assert "hand over mango1 to anna" in reasoner.understand("hand over the mango", situation).sentence
