"""Questions about what is believed, and the answers; what is no question stays a command."""

from __future__ import annotations

import pytest

from foretree.planning.pddl.syntax import TRUE
from foretree.reasoning.offline.questions import answer_question


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Where is the bottle?", "bottle1 is on counter1."),
        ("where's mug 1", "mug1 is on table1."),
        ("Where are the mugs?", "mug1 is on table1. mug2 is on table2."),
        ("do you know where the knife is?", "knife1 is on counter1."),
        ("Where is the towel?", "I do not know where towel1 is."),
        ("where is the sofa", "sofa1 is in the living room."),
        ("where is the banana?", "I know of no banana."),
        ("What is on table1?", "apple1, mug1 and plate1."),
        ("what's on the table?", "table1: apple1, mug1 and plate1. table2: mango1, mug2 and pillow3."),
        ("What is there in the fridge?", "apple2."),
        ("what is in the sink?", "I know of nothing in the sink."),
        ("Is the mug on table2 clean?", "Yes, mug2 is clean."),
        ("is mug1 clean", "No, mug1 is not clean."),
        ("is mug1 dirty", "Yes, mug1 is dirty."),
        ("is the plate hot?", "I do not know whether plate1 is hot."),
        ("Is the mango on table2?", "Yes, mango1 is on table2."),
        ("is the mango in the fridge?", "No, mango1 is on table2."),
        ("is the towel in the fridge?", "I do not know where towel1 is."),
        ("How many pillows are there?", "I know of 3 pillows: pillow1, pillow2 and pillow3."),
        ("how many pillows are on the sofa", "I know of 2 pillows on the sofa: pillow1 and pillow2."),
        ("how many bananas are there?", "I know of no bananas."),
        ("Which mugs are clean?", "mug2."),
        ("which mugs are hot?", "I know of no mugs that are hot."),
        ("which things are in the basket?", "cup1 and fork1."),
        ("Is there a fork?", "Yes: fork1 and fork2."),
        ("are there any bananas in the fridge?", "I know of no banana in the fridge."),
        ("Tell me, what is on the counter, please?", "bottle1 and knife1."),
    ],
)
def test_questions_are_answered_from_what_is_believed(situation, question: str, answer: str) -> None:
    assert answer_question(question, situation) == answer


@pytest.mark.parametrize(
    "said",
    [
        "can you open the fridge?",
        "bring me the mug that is on the table",
        "where should I put the mug?",
        "what is the capital of France?",
        "is it going to rain?",
        "",
        "is",
        "where",
        "what is on",
        "how many",
        "what is on the table and put it into the fridge",
    ],
)
def test_what_is_no_question_about_the_belief_has_no_answer(situation, said: str) -> None:
    assert answer_question(said, situation) is None


def test_the_reasoner_answers_and_does_nothing(reasoner, situation) -> None:
    understood = reasoner.understand("where is the bottle?", situation)
    assert understood.goal == TRUE
    assert understood.answer == understood.sentence == "bottle1 is on counter1."
    assert reasoner.understand("bring me the bottle", situation).answer == ""
