"""Furniture in place of some that is not here."""

from __future__ import annotations

import pytest

from foretree.planning.pddl.syntax import show
from foretree.reasoning.instruction_errors import InstructionError
from foretree.reasoning.offline.commands import CommandReasoner
from foretree.reasoning.offline.knowledge.furniture_in_place import with_furniture_in_place


def test_what_is_for_the_same_is_taken_and_said(situation):
    found = with_furniture_in_place("put the mango in the oven until it is hot", situation)
    assert found is not None
    assert found.text == "put the mango in the microwave until it is hot"
    assert found.note == "microwave is taken in place of oven"
    goal = CommandReasoner().understand("put the mango in the oven until it is hot", situation).goal
    assert show(goal) == "(and (in mango1 microwave1) (hot mango1))"


@pytest.mark.parametrize(
    "said", ["put the bread in the oven", "put the milk in the freezer", "sit the mug on the piano"]
)
def test_it_has_to_be_said_what_for(situation, said):
    assert with_furniture_in_place(said, situation) is None


def test_what_is_here_is_not_replaced(situation):
    assert with_furniture_in_place("heat the bread in the microwave", situation) is None


@pytest.mark.parametrize(
    ("said", "goal"),
    [
        (
            "put the mango in the microwave till it is nice and hot",
            "(and (in mango1 microwave1) (hot mango1))",
        ),
        ("leave the mango in the fridge until it's cold, then bring it to me", "(cold mango1)"),
    ],
)
def test_what_a_thing_is_left_for_is_wanted(situation, said, goal):
    assert goal in show(CommandReasoner().understand(said, situation).goal)


def test_a_wish_to_be_left_alone_is_none(situation):
    try:
        goal = show(CommandReasoner().understand("don't touch the bread until it is cold", situation).goal)
    except InstructionError:
        goal = ""
    assert "cold" not in goal
