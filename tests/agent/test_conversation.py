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
        ("robot1, stop", "stop"),
        ("robot1, please stop now", "stop"),
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


@pytest.mark.parametrize(
    ("said", "instruction"),
    [
        ("shut the cupboard afterwards", "shut the cupboard"),
        ("After that, wash the mug.", "wash the mug"),
        ("when you're done, go to the sofa", "go to the sofa"),
        ("go to the sofa as soon as you have finished that", "go to the sofa"),
        ("finally, turn off the lamp", "turn off the lamp"),
        ("keep the microwave shut", "keep the microwave shut"),
        ("please leave the lamp on", "please leave the lamp on"),
        ("the cupboard must stay closed", "the cupboard must stay closed"),
        ("make sure the window stays open", "make sure the window stays open"),
    ],
)
def test_what_comes_afterwards_or_is_kept_is_wanted_besides(said, instruction):
    assert intent_of(said) == ("extend", instruction)


@pytest.mark.parametrize(
    "said",
    [
        "first wash the mug, and put it away afterwards",
        "put the mug next to the plate",
        "after washing the mug, dry it",
        "turn off the microwave when it is done",
        "leave the kitchen",
        "bring me the kept letters",
    ],
)
def test_other_orders_take_the_place_of_the_first(said):
    assert intent_of(said)[0] == "instruct"
