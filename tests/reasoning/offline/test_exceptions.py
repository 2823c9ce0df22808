"""Wishes about an exception are carried out, and is never done with what it is an exception from."""

from __future__ import annotations

import pytest

from foretree.planning.pddl.syntax import show
from foretree.reasoning.offline._kept_readings import clauses_of, grammar_of
from foretree.reasoning.offline.lexicon import tokens_of
from foretree.reasoning.offline.sentences.rewording.exceptions import with_exceptions_told


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (
            "move everything to the shelf, apart from the vase, which has to be rinsed",
            "move everything to the shelf, apart from the vase. the vase has to be rinsed",
        ),
        (
            "all the books but the atlas on the desk, which goes in the box",
            "all the books but the atlas on the desk. the atlas goes in the box",
        ),
        ("the rug stays where it is, only folded", "the rug should be folded. Put it back where it was"),
        (
            "the rug should be folded and stay where it is",
            "the rug should be folded. Put it back where it was",
        ),
        (
            "First my hat, then my scarf, but you need not bring me that, just put it on the chair",
            "bring me my hat. put my scarf on the chair",
        ),
    ],
)
def test_it_is_asked_for_by_itself(said, told):
    assert with_exceptions_told(said) == told


@pytest.mark.parametrize(
    "said",
    [
        "wash everything except the mug, which is clean",
        "wash everything except the mug that is on the shelf",
        "the rug stays where it is",
        "bring me my hat, but you need not hurry",
    ],
)
def test_what_describes_an_exception_is_left(said):
    assert with_exceptions_told(said) == said


@pytest.mark.parametrize(
    ("said", "goal"),
    [
        (
            "Put all the fruit in the sink except the mango. Slice it.",
            "(and (in apple1 sink1) (in apple2 sink1) (sliced mango1))",
        ),
        (
            "put all the fruit in the sink apart from the mango, which should be cut up",
            "(and (in apple1 sink1) (in apple2 sink1) (sliced mango1))",
        ),
    ],
)
def test_a_pronoun_goes_back_to_the_one_thing_that_is_left_out(reasoner, situation, said, goal):
    assert show(reasoner.understand(said, situation).goal) == goal


def test_what_should_be_somewhere_is_asked_for_and_not_only_named(situation):
    said = "Whatever is lying on the sofa should move to table1. Wash the plate and put it back."
    reading = clauses_of(tokens_of(said, marks=True), situation, grammar_of(situation))
    assert not any(statement.mentioned for statement in reading.statements)
