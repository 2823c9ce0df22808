"""Requests without a verb of their own, what they come to, and words that stand for what was named."""

from __future__ import annotations

import pytest

from foretree.planning.pddl.syntax import show
from foretree.reasoning.instruction_errors import InstructionError

UNDERSTOOD = [
    ("A glass of milk next to the plate, please.",
     "(exists (?x - milk) (exists (?y - glass) (and (poured ?x ?y) (filled ?y) (on ?y table1))))"),
    ("A glass of milk on table2, please.",
     "(exists (?x - milk) (exists (?y - glass) (and (poured ?x ?y) (filled ?y) (on ?y table2))))"),
    ("Make this place nice: the mango in the fridge, the plate in the sink.",
     "(and (in mango1 fridge1) (in plate1 sink1))"),
    ("Help me out: put the mango in the fridge and wash the plate.", "(and (in mango1 fridge1) (clean plate1))"),
    ("Fetch me yesterday's plate and the mango, I can't find them.",
     "(and (given plate1 anna) (given mango1 anna))"),
    ("Put the mango in the fridge and close the thing.", "(and (in mango1 fridge1) (not (open fridge1)))"),
    ("Where's the plate? Lay it in the sink once you've found it.", "(in plate1 sink1)"),
    ("I'll be wanting the mango over here.", "(given mango1 anna)"),
    ("Hand me the mango, with the plate please.", "(and (given mango1 anna) (given plate1 anna))"),
]  # fmt: skip
TOLD = [
    # What is told of a thing that nobody has seen yet does not hide it.
    ("The umbrella I dried yesterday is ready by now. Put it in the fridge.",
     "(exists (?umbrella - umbrella) (in ?umbrella fridge1))"),
    ("I think I left my umbrella lying next to the plate last night, could you fetch it?",
     "(exists (?umbrella - umbrella) (given ?umbrella anna))"),
    # What people are about to have is none of the robot's business.
    ("Wash the plate, I'm about to have lunch.", "(clean plate1)"),
    ("The plate can be washed and put in the fridge now.", "(and (clean plate1) (in plate1 fridge1))"),
]  # fmt: skip
REFUSED = [
    "The plate cannot be washed and put in the fridge.",
    # What is headed so may be no request.
    "Do not clear the table: the mango in the fridge, the plate in the sink.",
    "Let's not tidy anything: the mango in the fridge.",
    # A state that is wished for, which nothing here brings about, is no description of the thing.
    "The towel I washed this morning should be dry.",
]


@pytest.mark.parametrize(("said", "goal"), UNDERSTOOD, ids=[case[0][:40] for case in UNDERSTOOD])
def test_what_is_put_without_a_verb_is_asked_for(reasoner, situation, said, goal):
    assert show(reasoner.understand(said, situation).goal) == goal


@pytest.mark.parametrize(("said", "goal"), TOLD, ids=[case[0][:40] for case in TOLD])
def test_what_is_told_hides_nothing_that_is_asked_for(reasoner, situation, said, goal):
    assert show(reasoner.understand(said, situation).goal) == goal


@pytest.mark.parametrize("said", REFUSED)
def test_what_may_be_meant_otherwise_is_refused(reasoner, situation, said):
    with pytest.raises(InstructionError):
        reasoner.understand(said, situation)
