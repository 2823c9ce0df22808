"""Compounds, which name a thing of their own."""

from __future__ import annotations

import pytest

from foretree.planning.pddl.syntax import show
from foretree.reasoning.instruction_errors import InstructionError
from foretree.reasoning.offline.commands import CommandReasoner
from foretree.reasoning.offline.sentences.rewording.compounds import with_joined_compounds


@pytest.mark.parametrize(
    ("said", "compound"),
    [
        ("bring me the mango juice", "mango juice"),
        ("put the mug holder on the table", "mug holder"),
        ("throw away the mango's skin, and the mango peel", "mango peel"),
        ("get me the cat food", "cat food"),
        ("put the coat hangers into the basket", "coat hangers"),
    ],
)
def test_no_part_of_a_compound_is_taken_for_the_whole(situation, said, compound):
    assert tuple(with_joined_compounds(said, situation).words.values()) == (compound,)
    assert compound.split()[0] + "1" not in _answer(said, situation)


def _answer(said, situation):
    """Return the goal, or what is said instead."""
    try:
        return show(CommandReasoner().understand(said, situation).goal)
    except InstructionError as error:
        return str(error).split("Things here")[0]


def test_a_refusal_names_the_compound_as_it_was_said(situation):
    assert '"mug holder"' in _answer("put the mug holder on the table", situation)


@pytest.mark.parametrize(
    "said", ["put the mango on the table", "let the pillow cover the towel", "give me a coat"]
)
def test_other_words_stay(situation, said):
    assert with_joined_compounds(said, situation).text == said
