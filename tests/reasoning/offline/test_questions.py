"""Questions about what is believed, and the answers; what is no question stays a command."""

from __future__ import annotations

from dataclasses import replace

import pytest

from foretree.bringup.embedded import embedded_context
from foretree.bringup.options import Options, Wish
from foretree.bringup.understanding import read_wish
from foretree.planning.pddl.syntax import TRUE, show
from foretree.reasoning.offline.questions.answers import answer_question


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
        ("Where did you put the bottle?", "bottle1 is on counter1."),
        ("I wonder where the bottle has got to", "bottle1 is on counter1."),
        ("Where's the bottle, can you tell me without going there to look?", "bottle1 is on counter1."),
        ("you don't happen to know where the bottle is, do you?", "bottle1 is on counter1."),
        ("have you seen the towel anywhere?", "I do not know where towel1 is."),
        ("could you let me know whether mug2 is clean", "Yes, mug2 is clean."),
        ("mug1 isn't clean, is it?", "No, mug1 is not clean."),
        ("mug1 is clean?", "No, mug1 is not clean."),
        ("is mug1 clean or dirty?", "mug1 is dirty."),
        ("Is the mango on the table or in the fridge?", "mango1 is on table2."),
        ("Is the mango still on table2?", "Yes, mango1 is on table2."),
        ("Did I leave the bottle on the counter?", "Yes, bottle1 is on counter1."),
        ("are all the mugs clean?", "No: mug1 is not clean."),
        ("are any of the mugs dirty?", "Yes: mug1."),
        ("do we have any bananas?", "I know of no banana."),
        ("how many pillows have we got?", "I know of 3 pillows: pillow1, pillow2 and pillow3."),
        ("who has the bottle?", "No one that I know of: bottle1 is on counter1."),
        ("what are you holding?", "I hold nothing."),
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
        "there is milk in the fridge",
        "I have the mug",
        "the mug is dirty",
        "I wonder if you could wash the plate",
        "where is the mug? put it into the sink",
    ],
)
def test_what_is_no_question_about_the_belief_has_no_answer(situation, said: str) -> None:
    assert answer_question(said, situation) is None


def test_what_is_asked_is_what_the_request_after_it_speaks_of(reasoner, situation) -> None:
    understood = reasoner.understand("Where has the bottle got to? Put it into the sink.", situation)
    assert show(understood.goal) == "(in bottle1 sink1)"
    assert "bottle1 is on counter1." in understood.sentence
    understood = reasoner.understand("Can you tell me where the plate is and wash it?", situation)
    assert show(understood.goal) == "(clean plate1)"


def test_it_is_what_was_asked_about(reasoner, situation) -> None:
    asked = reasoner.understand("where is the bottle?", situation)
    after = replace(situation, spoken_of=asked.spoken_of)
    assert show(reasoner.understand("put it into the sink", after).goal) == "(in bottle1 sink1)"


def test_what_can_be_done_is_told_and_not_done(reasoner, situation) -> None:
    asked = []

    def feasible(goal, _constraints):
        asked.append(show(goal))
        return "Yes."

    able = replace(situation, feasible=feasible)
    for question in (
        "are you able to wash the plate?",
        "can you reach the bottle?",
        "can you get to the sink?",
    ):
        understood = reasoner.understand(question, able)
        assert (understood.goal, understood.answer) == (TRUE, "Yes.")
    assert asked[0] == "(clean plate1)"
    assert "holding" in asked[1]
    assert "rob_at_node" in asked[2]
    assert reasoner.understand("can you open the fridge?", able).answer == ""
    assert reasoner.understand("could you reach me the bottle?", able).answer == ""


def test_the_reasoner_answers_and_does_nothing(reasoner, situation) -> None:
    understood = reasoner.understand("where is the bottle?", situation)
    assert understood.goal == TRUE
    assert understood.answer == understood.sentence == "bottle1 is on counter1."
    assert reasoner.understand("bring me the bottle", situation).answer == ""


def test_a_robot_is_where_it_stands():
    context = embedded_context("two_robots", Options())[0]
    assert read_wish(context, Wish("where is robot2?")).answer == "robot2 is in the dining."
