"""Requests in whole sentences: reported ones, lists of deeds, states in a row, moments and topics."""

from __future__ import annotations

import pytest

from foretree.agent.dialogue.instruction_reader import situation
from foretree.bringup.embedded import open_household
from foretree.bringup.options import Options, Wish
from foretree.planning.pddl.syntax import show
from foretree.reasoning.instruction_errors import InstructionError
from foretree.reasoning.offline.commands import CommandReasoner


@pytest.fixture(scope="module")
def kitchen():
    session, _ = open_household("kitchen", Wish(goal="(filled mug1)"), Options())
    return situation(session.context)


@pytest.mark.parametrize(
    ("said", "goal"),
    [
        ("Mum says to put the apple in the fridge.", "(in apple1 fridge1)"),
        ("My wife asked whether you could wash the plate.", "(clean plate1)"),
        ("Grandma told me to tell you to close the cupboard.", "(not (open cupboard1))"),
        ("Aoife says you're to close the drawer.", "(not (open drawer1))"),
        ("My flatmate wants the plate in the sink.", "(in plate1 sink1)"),
        ("The robot has to close the fridge.", "(not (open fridge1))"),
        ("Could someone wash the plate?", "(clean plate1)"),
        ("All I'm asking is that you close the drawer.", "(not (open drawer1))"),
        ("The only thing I need is the counter wiped.", "(wiped counter1)"),
        ("I'd be ever so grateful if the drawer could be closed.", "(not (open drawer1))"),
    ],
)
def test_requests_within_other_clauses(kitchen, said, goal):
    assert show(CommandReasoner().understand(said, kitchen).goal) == goal


@pytest.mark.parametrize(
    "said", ["My wife told me to wash the plate.", "He thinks the fork is in the drawer."]
)
def test_what_is_reported_for_others_is_no_request(kitchen, said):
    with pytest.raises(InstructionError):
        CommandReasoner().understand(said, kitchen)


def test_what_somebody_does_not_want_is_not_done(kitchen):
    found = CommandReasoner().understand("My husband doesn't want you to open the fridge.", kitchen)
    assert show(found.goal) == "(and)"
    assert "not to open the fridge" in found.sentence


@pytest.mark.parametrize(
    ("said", "goal"),
    [
        ("I want the plate cleaned and back in the cupboard.", "(and (clean plate1) (in plate1 cupboard1))"),
        ("I'd like the egg sitting out on the counter.", "(on egg1 counter1)"),
        ("I'd like it if the fork were lying on the counter.", "(on fork1 counter1)"),
        (
            "The fork must be inside the drawer with the drawer shut.",
            "(and (in fork1 drawer1) (not (open drawer1)))",
        ),
        (
            "The fork must be inside the drawer with the door shut.",
            "(and (in fork1 drawer1) (not (open drawer1)))",
        ),
        ("The apple ought to be in the fridge, not on the table.", "(in apple1 fridge1)"),
        (
            "I need the bread warmed up and left on the counter.",
            "(and (hot bread1) (on bread1 counter1))",
        ),
        ("The milk should be nice and cold.", "(cold milk1)"),
    ],
)
def test_states_in_a_row(kitchen, said, goal):
    assert show(CommandReasoner().understand(said, kitchen).goal) == goal


@pytest.mark.parametrize(
    ("said", "goal"),
    [
        (
            "Start by opening the drawer, then wipe the counter, and finish up by washing the plate.",
            "(and (open drawer1) (wiped counter1) (clean plate1))",
        ),
        ("Begin with the apple: put it in the fridge.", "(in apple1 fridge1)"),
        (
            "Start by washing the plate, and you can finish up by giving the counter a wipe.",
            "(and (clean plate1) (wiped counter1))",
        ),
        (
            "Number one: wash the plate. Step two, shut the fridge.",
            "(and (clean plate1) (not (open fridge1)))",
        ),
        (
            "Wash the plate, and once you're through, shut the fridge.",
            "(and (clean plate1) (not (open fridge1)))",
        ),
        ("Last but not least, wipe the counter.", "(wiped counter1)"),
        (
            "So what I need is, one, the plate washed, two, the counter wiped, and three, the fridge shut.",
            "(and (clean plate1) (wiped counter1) (not (open fridge1)))",
        ),
        ("The plate, could you wash it?", "(clean plate1)"),
        ("As for the plate, wash it.", "(clean plate1)"),
    ],
)
def test_lists_and_topics(kitchen, said, goal):
    assert show(CommandReasoner().understand(said, kitchen).goal) == goal


def test_what_shall_be_so_at_a_later_moment_may_be_so_now(kitchen):
    found = CommandReasoner().understand(
        "When the cook gets here, the egg ought to be on the counter.", kitchen
    )
    assert show(found.goal) == "(on egg1 counter1)"
    with pytest.raises(InstructionError):
        CommandReasoner().understand("When the cook gets here, open the drawer.", kitchen)


def test_a_condition_is_one_of_all_that_a_clause_wishes(kitchen):
    said = "I want the plate washed and left on the counter if the fridge is open."
    assert show(CommandReasoner().understand(said, kitchen).goal) == "(and)"


@pytest.mark.parametrize(
    ("said", "goal"),
    [
        ("Bring me the fork, sorry, I meant the spoon.", "(given spoon1 person1)"),
        ("Bring me the fork. No, the spoon.", "(given spoon1 person1)"),
        ("Open the drawer, I mean the cupboard.", "(open cupboard1)"),
        ("Put the apple in the fridge, no wait, in the cupboard.", "(in apple1 cupboard1)"),
        ("Bin off the microwave, I mean turn it off.", "(not (turned_on microwave1))"),
        (
            "Wash the plate, or rather, wipe the counter and close the fridge.",
            "(and (wiped counter1) (not (open fridge1)))",
        ),
        ("Close the drawer, I mean, it's been open for ages.", "(not (open drawer1))"),
    ],
)
def test_corrections(kitchen, said, goal):
    assert show(CommandReasoner().understand(said, kitchen).goal) == goal


def test_a_correction_that_may_be_of_several_things_is_refused(kitchen):
    with pytest.raises(InstructionError, match="said in place of"):
        CommandReasoner().understand("Put the apple in the fridge, I mean the mango.", kitchen)


@pytest.mark.parametrize(
    ("said", "goal"),
    [
        ("Oi, microwave, off, now please!", "(not (turned_on microwave1))"),
        (
            "Neither the fridge nor the drawer should be open.",
            "(and (not (open fridge1)) (not (open drawer1)))",
        ),
        ("The plate gets washed and goes in the cupboard.", "(and (clean plate1) (in plate1 cupboard1))"),
        ("The plate comes off the table and goes in the sink.", "(in plate1 sink1)"),
        ("Here's your list: plate in the sink, drawer shut.", "(and (in plate1 sink1) (not (open drawer1)))"),
        ("I just want to be certain that the fridge is closed before I go to sleep.", "(not (open fridge1))"),
        ("Put the apple in the fridge, like a good lad.", "(in apple1 fridge1)"),
        ("Put the apple in the fridge, if it's not too much bother.", "(in apple1 fridge1)"),
        ("Lay the fork on the counter so as I don't forget it.", "(on fork1 counter1)"),
        ("Open the drawer for me and keep it that way.", "(open drawer1)"),
        ("Shut the drawer after you, will ya.", "(not (open drawer1))"),
    ],
)
def test_everyday_speech(kitchen, said, goal):
    assert show(CommandReasoner().understand(said, kitchen).goal) == goal
