"""Requests to put things where they usually are kept."""

import pytest

from foretree.planning.pddl.syntax import show
from foretree.reasoning.instruction_errors import InstructionError
from foretree.reasoning.offline.commands import CommandReasoner

ASKED = [
    ("put the coat where it belongs", "(hung_on coat1 coat_rack1)"),
    ("put the coat back in its usual place", "(hung_on coat1 coat_rack1)"),
    ("put the coat away", "(hung_on coat1 coat_rack1)"),
    ("tidy away the coat, please", "(hung_on coat1 coat_rack1)"),
    ("wash the bottle and put it where such things are kept", "(and (clean bottle1) (in bottle1 fridge1))"),
    ("put the mango where food stays fresh", "(in mango1 fridge1)"),
    ("the coat should go where it belongs", "(hung_on coat1 coat_rack1)"),
]


@pytest.mark.parametrize(("said", "goal"), ASKED, ids=[said for said, _ in ASKED])
def test_the_usual_place_that_is_here_is_meant(situation, said, goal):
    assert show(CommandReasoner().understand(said, situation).goal) == goal


def test_the_place_that_is_assumed_is_said(situation):
    understood = CommandReasoner().understand("put the coat where it belongs", situation)
    assert "coat: usually on coat_rack1" in understood.sentence


@pytest.mark.parametrize("said", ["put the basket where it belongs", "put the elephant away"])
def test_what_belongs_at_no_known_place_is_refused(situation, said):
    with pytest.raises(InstructionError):
        CommandReasoner().understand(said, situation)
