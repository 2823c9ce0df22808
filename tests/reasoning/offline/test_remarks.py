"""Remarks about what things afford."""

from __future__ import annotations

import pytest

from foretree.agent.dialogue.instruction_reader import situation
from foretree.bringup.embedded import open_household
from foretree.bringup.options import Options, Wish
from foretree.planning.pddl.syntax import TRUE
from foretree.reasoning.instruction_errors import AmbiguousError, InstructionError
from foretree.reasoning.offline.commands import CommandReasoner
from foretree.reasoning.offline.knowledge.remarks import read_remark


@pytest.fixture(scope="module")
def kitchen():
    session, _ = open_household("kitchen", Wish(goal="(filled mug1)"), Options())
    return situation(session.context)


@pytest.mark.parametrize(
    ("said", "about", "what", "holds"),
    [
        ("This knife is broken.", "knife1", "broken", True),
        ("careful, the glass is cracked", "glass1", "broken", True),
        ("the fridge's out of order", "fridge1", "broken", True),
        ("the microwave doesn't work any more", "microwave1", "broken", True),
        ("the glass leaks", "glass1", "leaky", True),
        ("There's a hole in the bowl", "bowl1", "leaky", True),
        ("mug1 has a crack in it", "mug1", "leaky", True),
        ("that knife is too blunt", "knife1", "blunt", True),
        ("the knife isn't blunt any more", "knife1", "blunt", False),
        ("you can't cut with that knife", "knife1", "cut", False),
        ("One cannot slice bread with this knife.", "knife1", "cut", False),
        ("the knife won't cut properly", "knife1", "cut", False),
        ("nobody can drink out of the glass", "glass1", "drink", False),
        ("you can't put anything on the plate", "plate1", "support", False),
        ("the bowl can't hold water", "bowl1", "contain", False),
        ("the drawer won't open", "drawer1", "open", False),
        ("the kettle no longer boils water", "kettle1", "heat", False),
        ("the spoon is no good for stirring", "spoon1", "stir", False),
        ("the spoon can't be used for stirring", "spoon1", "stir", False),
        ("you can cut with the fork", "fork1", "cut", True),
        ("a vase is not for drinking", "vase", "drink", False),
        ("you can't cut with spoons", "spoon", "cut", False),
    ],
)
def test_what_is_kept_in_mind(kitchen, said, about, what, holds):
    understood = CommandReasoner().understand(said, kitchen)
    (remark,) = understood.remarks
    assert (remark.thing or remark.class_name, remark.affordance or remark.state, remark.holds) == (
        about,
        what,
        holds,
    )
    assert understood.goal == TRUE
    assert understood.answer.startswith(f"I keep in mind that {about} ")


def test_what_was_mended_is_in_no_such_state(kitchen):
    remarks = CommandReasoner().understand("the knife has been repaired", kitchen).remarks
    assert {remark.thing for remark in remarks} == {"knife1"}
    assert {"broken", "blunt"} <= {remark.state for remark in remarks}
    assert not any(remark.holds for remark in remarks)


def test_which_of_several_things_is_asked(kitchen):
    with pytest.raises(AmbiguousError, match='"the mug" could be mug1 or mug2') as error:
        CommandReasoner().understand("the mug leaks", kitchen)
    assert (error.value.words, error.value.among) == ("the mug", ("mug1", "mug2"))


@pytest.mark.parametrize(
    "said",
    [
        "bring me the mug that is on the table",
        "you can put the apple in the fridge",
        "you can cut the bread with the knife",
        "don't cut with that knife",
        "is the knife broken?",
        "what is broken?",
        "the apple is on the table",
        "the plate is dirty",
        "the plate is not clean",
        "the mango is rotten",
        "my leg is broken",
        "I can't see anything in here",
        "I can't reach the plate",
        "nothing works",
        "if the knife is broken, bring me a fork",
        "the knife is blunt, bring me a fork",
        "you can't put the mug on the table",
        "I'm cold",
        "it is broken",
    ],
)
def test_what_is_no_remark(kitchen, said):
    assert read_remark(said, kitchen) is None


def test_no_unknown_knife_is_taken_for_another(kitchen):
    with pytest.raises(InstructionError):
        CommandReasoner().understand("the axe is blunt", kitchen)
