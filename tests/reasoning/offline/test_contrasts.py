"""What is not to be dealt with, beside what is, and how things cannot be held."""

import pytest

from foretree.planning.constraints.constraints import show_constraint
from foretree.planning.pddl.syntax import show
from foretree.reasoning.instruction_errors import AmbiguousError, NotUnderstoodError
from foretree.reasoning.offline.commands import CommandReasoner

FORBIDDEN = [
    ("open the fridge but not the dishwasher", "(open fridge1)", ["(never-use open dishwasher1)"]),
    ("open the fridge, not the dishwasher", "(open fridge1)", ["(never-use open dishwasher1)"]),
    ("rinse the plate but not the mug", "(clean plate1)", ["(never-use wash mug1)", "(never-use wash mug2)"]),
    (
        "open neither the fridge nor the dishwasher",
        "(and)",
        ["(never-use open fridge1)", "(never-use open dishwasher1)"],
    ),
    (
        "neither open the fridge nor rinse the plate",
        "(and)",
        ["(never-use open fridge1)", "(never-use wash plate1)"],
    ),
    ("put the mango on table1, not the knife", "(on mango1 table1)", ["(always (not (on knife1 table1)))"]),
    ("never move the mango", "(and)", ["(never-use * mango1)"]),
    ("don't move the mango into the fridge", "(and)", ["(never-use place_in mango1 fridge1)"]),
]


@pytest.mark.parametrize(("said", "goal", "constraints"), FORBIDDEN, ids=[said for said, *_ in FORBIDDEN])
def test_what_is_set_against_the_request_is_forbidden(situation, said, goal, constraints):
    understood = CommandReasoner().understand(said, situation)
    assert show(understood.goal) == goal
    assert [show_constraint(constraint) for constraint in understood.constraints] == constraints


def test_it_is_asked_which_of_several_things_is_not_to_be_moved(situation):
    with pytest.raises(AmbiguousError, match="the mug"):
        CommandReasoner().understand("do not put the mug on the counter", situation)


@pytest.mark.parametrize("said", ["keep the bottle upright", "take the bottle to table1 without spilling it"])
def test_how_a_thing_is_held_is_not_promised(situation, said):
    with pytest.raises(NotUnderstoodError, match="cannot be watched"):
        CommandReasoner().understand(said, situation)
