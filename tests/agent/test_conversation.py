"""Answers to a question with choices."""

import pytest

from foretree.agent.dialogue.conversation import chosen

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
        ("the one on the shelf", None),
        ("the mug", None),
        ("on", None),
        ("the dirty one", None),
    ],
)
def test_an_answer_means_one_choice_or_none(said, choice):
    assert chosen(said, CHOICES) == choice
