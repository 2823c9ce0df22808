"""Answers to a question with choices."""

import pytest

from foretree.agent.dialogue.conversation import any_will_do, chosen, intent_of

CHOICES = ("mug1 on table1", "mug2 in cupboard1")


@pytest.mark.parametrize(
    ("said", "choice"),
    [
        ("mug1", 0),
        ("the one on the table", 0),
        ("the cupboard", 1),
        ("the one in cupboard1, please", 1),
        ("the second one", 1),
        ("2", 1),
        ("number two", 1),
        ("option 1", 0),
        ("the third one", None),
        ("number three", None),
        ("the one on the shelf", None),
        ("the mug", None),
        ("on", None),
        ("the dirty one", None),
    ],
)
def test_an_answer_means_one_choice_or_none(said, choice):
    assert chosen(said, CHOICES) == choice


@pytest.mark.parametrize(
    ("said", "intent"),
    [
        ("wait", "wait"),
        ("Please hold on!", "wait"),
        ("just a moment", "wait"),
        ("wait for a minute, please", "wait"),
        ("wait, the other one", "instruct"),
        ("wait at the table", "instruct"),
        ("hold the mug", "instruct"),
        ("go on", "proceed"),
        ("OK, you can continue now", "proceed"),
        ("go to the table", "instruct"),
        ("go on with the mug", "instruct"),
        ("stop", "stop"),
        ("and the plate", "extend"),
    ],
)
def test_orders_to_the_robot_itself_are_no_instructions(said, intent):
    assert intent_of(said)[0] == intent


@pytest.mark.parametrize(
    ("said", "any_one"),
    [
        ("either", True),
        ("whichever you like", True),
        ("I do not care which one", True),
        ("both are fine", True),
        ("either mug but not the plate", False),
        ("any mug in the sink", False),
        ("neither", False),
        ("both", False),
    ],
)
def test_any_will_do_only_where_nothing_else_is_said(said, any_one):
    assert any_will_do(said) is any_one
