"""What a relative clause asks for is done, or refused; it is never passed over."""

from __future__ import annotations

import pytest

from foretree.planning.pddl.syntax import show
from foretree.reasoning.instruction_errors import NotUnderstoodError
from foretree.reasoning.offline.sentences.rewording.obligations import with_obligations_told


@pytest.mark.parametrize(
    ("said", "goal"),
    [
        (
            "put the mango into the fridge, which must be closed afterwards",
            "(and (in mango1 fridge1) (not (open fridge1)))",
        ),
        (
            "place the mango in the fridge which has to be shut after that",
            "(and (in mango1 fridge1) (not (open fridge1)))",
        ),
    ],
)
def test_what_shall_be_afterwards_is_part_of_the_goal(reasoner, situation, said, goal):
    assert show(reasoner.understand(said, situation).goal) == goal


@pytest.mark.parametrize(
    "said",
    [
        "wash the plate, which should be on the counter afterwards",
        "put it in the drawer of the desk, which must be closed afterwards",
    ],
)
def test_where_it_is_not_clear_of_what_it_is_asked_nothing_is_done(said):
    with pytest.raises(NotUnderstoodError, match="afterwards"):
        with_obligations_told(said)


@pytest.mark.parametrize(
    "said",
    [
        "hang up the towel, which must be dry by now",
        "bring me the milk, which should be in the fridge",
        "put the mug on the table which is by the door",
    ],
)
def test_what_is_only_taken_to_be_so_stays_a_description(said):
    assert with_obligations_told(said) == said


def test_a_clause_is_no_name_of_a_thing_that_is_left_out(reasoner, situation):
    said = "clear table1: the mango goes in the sink, the bottle in the fridge"
    assert not reasoner.understand(said, situation).left_out
