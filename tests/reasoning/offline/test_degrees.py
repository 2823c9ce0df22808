"""Deeds that are to be done in part: refused, where other things may be said to be partly so."""

from __future__ import annotations

import pytest

from foretree.planning.pddl.syntax import show
from foretree.reasoning.instruction_errors import NotUnderstoodError


@pytest.mark.parametrize(
    "said",
    [
        "nearly shut the microwave",
        "could you partially open the fridge",
        "open the dishwasher a tad",
        "bring me the bottle and open the fridge slightly",
        "close the microwave, but not entirely",
        "shut the fridge, only a little",
        "the fridge should be almost closed",
        "I want the dishwasher slightly open",
        "slice the mango half way",
        "fill the bottle halfway with water",
    ],
)
def test_what_shall_be_done_in_part_is_refused(reasoner, situation, said):
    with pytest.raises(NotUnderstoodError, match="wholly or not at all"):
        reasoner.understand(said, situation)


@pytest.mark.parametrize(
    ("said", "goal"),
    [
        ("I almost forgot, open the fridge", "(open fridge1)"),
        ("the plate is slightly dirty, wash it", "(clean plate1)"),
        ("lunch is nearly ready, bring me the bottle", "(given bottle1 anna)"),
        ("cut the mango in half", "(sliced mango1)"),
        ("wash the plate a bit", "(clean plate1)"),
        ("warm the mango up a little", "(hot mango1)"),
    ],
)
def test_other_degrees_are_left(reasoner, situation, said, goal):
    assert show(reasoner.understand(said, situation).goal) == goal
