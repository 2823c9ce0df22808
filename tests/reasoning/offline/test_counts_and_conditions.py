"""Numbers that are meant exactly, and what a condition's "a mug" stands for in the request."""

from __future__ import annotations

import pytest

from foretree.planning.constraints.constraints import NeverUse
from foretree.planning.pddl.syntax import show
from foretree.reasoning.instruction_errors import InstructionError
from foretree.reasoning.offline.commands import CommandReasoner

ONE = "(exactly 1 (?x - pillow) (on ?x sofa1))"


@pytest.mark.parametrize(
    "said",
    [
        "make sure that there is exactly one pillow on the sofa",
        "there should only be one pillow on the sofa",
        "there should be just one pillow on the sofa",
        "I only want one pillow on the sofa",
        "only one pillow should be on the sofa",
        "just one pillow should be on the sofa",
    ],
)
def test_an_exact_number_stays_exact(situation, said):
    assert show(CommandReasoner().understand(said, situation).goal) == ONE


@pytest.mark.parametrize("said", ["a mug", "any mug", "one of the mugs"])
def test_the_dirty_mug_is_meant_and_no_clean_one(situation, said):
    understood = CommandReasoner().understand(f"if {said} is dirty, wash it", situation)
    assert show(understood.goal) == "(clean mug1)"


def test_a_dirty_mug_that_there_is_is_meant(situation):
    understood = CommandReasoner().understand("if there is a dirty mug, put it into the fridge", situation)
    assert show(understood.goal) == "(in mug1 fridge1)"


def test_one_that_is_left_alone_is_of_the_kind_spoken_of(situation):
    understood = CommandReasoner().understand(
        "put the clean mug into the fridge and don't touch the dirty one", situation
    )
    assert show(understood.goal) == "(in mug2 fridge1)"
    assert understood.constraints == (NeverUse(None, ("mug1",)),)


@pytest.mark.parametrize("said", ["don't touch it", "leave the dirty one alone"])
def test_what_stands_for_nothing_is_not_forbidden(situation, said):
    with pytest.raises(InstructionError):
        CommandReasoner().understand(said, situation)


@pytest.mark.parametrize(
    ("said", "goal"),
    [
        ("should the fridge be open, close it", "(not (open fridge1))"),  # it is not known to be closed
        ("should a mug still be dirty, then wash it", "(clean mug1)"),
        ("should pillow3 be lying on table2, put it on the sofa", "(on pillow3 sofa1)"),
        ("of the mugs, only one should be in the fridge", "(exactly 1 (?x - mug) (in ?x fridge1))"),
        (
            "put a pillow, whichever is easier for you, on the dresser",
            "(exists (?x - pillow) (on ?x dresser1))",
        ),
    ],
)
def test_turned_round_conditions_and_parts_are_read(situation, said, goal):
    assert show(CommandReasoner().understand(said, situation).goal) == goal


@pytest.mark.parametrize(
    ("said", "goal"),
    [
        ("go to the fridge and wash the dirty mug", "(clean mug1)"),
        ("walk to the sofa, pick up the coat and put it on the dresser", "(on coat1 dresser1)"),
        ("put the coat on the dresser and go to the fridge", "(and (on coat1 dresser1) (exists"),
    ],
)
def test_where_to_go_on_the_way_need_not_last(situation, said, goal):
    understood = CommandReasoner().understand(said, situation)
    assert show(understood.goal).startswith(goal)
    assert ("on the way" in understood.sentence) is ("exists" not in goal)


@pytest.mark.parametrize(
    "said",
    [
        "the pillow on the table goes on the sofa and you put the coat on the dresser",
        "put the pillow that is on the table on the sofa, and mind you put the coat on the dresser",
    ],
)
def test_what_you_are_told_to_do_besides_is_not_lost(situation, said):
    assert "(on coat1 dresser1)" in show(CommandReasoner().understand(said, situation).goal)


@pytest.mark.parametrize(
    "said",
    [
        "put the plate on table2 when it is clean",
        "when the plate is clean, put it on table2",
        "put the mango into the fridge, and when the plate is clean put it on table2",
    ],
)
def test_what_may_be_waited_for_is_not_left_undone(situation, said):
    with pytest.raises(InstructionError, match='"once" to have it made so first'):
        CommandReasoner().understand(said, situation)


@pytest.mark.parametrize(
    ("said", "goal"),
    [
        ("close the fridge when it is open", "(not (open fridge1))"),
        ("if the plate is clean, put it on table2", "(and)"),
        ("when the plate is clean, put it on table2, otherwise put it into the sink", "(in plate1 sink1)"),
    ],
)
def test_what_is_settled_either_way_is_not_asked_about(situation, said, goal):
    assert show(CommandReasoner().understand(said, situation).goal) == goal
