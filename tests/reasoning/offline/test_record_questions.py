"""Questions about what the agent does and has done, answered from its account of itself."""

from __future__ import annotations

from dataclasses import replace

import pytest

from foretree.planning.pddl.syntax import show
from foretree.reasoning.account import Account, Deed, SessionAccount
from foretree.reasoning.offline.questions.answers import answer_question

PICKED = Deed(
    "pick", ("mug1", "table1"), "pick up mug1", "done", needed_for=("I could not wash mug1 otherwise",)
)
GOING = Deed("move", ("table1", "sink1"), "move to sink1", "running", needed_for=("the goal",))
WASHING = Deed("wash", ("mug1", "sink1"), "wash mug1")
SKIPPED = Deed("wash", ("plate1", "sink1"), "wash plate1", "skipped", "plate1 is clean already")
BUSY = SessionAccount(
    "wash the mug and the plate",
    "wash mug1 and plate1",
    deeds=(PICKED, SKIPPED, GOING),
    coming=(WASHING,),
    troubles=("I expected mug1 on table1, and found it on table2.",),
    changes=("mug1 is on table2",),
    assumptions=("sink1 is open",),
    left_out=(("sing", "Singing cannot be done."),),
    keeps=("(never-use open drawer1)",),
    seconds_left=42.0,
)
ENDED = replace(BUSY, deeds=(PICKED,), coming=(), outcome="given-up", reason="mug1 could not be found")


@pytest.fixture
def ask(situation):
    """Returns the answer to a question to an agent with these sessions."""

    def asked(question, *sessions):
        account = Account(100.0, ("robot1",), sessions, ("pick", "wash"))
        return answer_question(question, replace(situation, account=lambda: account))

    return asked


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("what are you doing?", "Just now: move to sink1. It is for: wash mug1 and plate1."),
        ("What are you up to right now", "Just now: move to sink1. It is for: wash mug1 and plate1."),
        ("what will you do next?", "Next: wash mug1."),
        ("what's left to do?", "Still to do: move to sink1 and wash mug1."),
        ("are you done yet?", "No, I am still at it: 2 steps are left."),
        ("how long will it take?", "At the pace so far, 42 s more: 2 steps are left."),
        ("how much longer?", "At the pace so far, 42 s more: 2 steps are left."),
        ("why did you do that?", "I do it (move to sink1) for: wash mug1 and plate1."),
        ("Why are you going to the sink?", "I do it (move to sink1) for: wash mug1 and plate1."),
        (
            "why did you take the mug?",
            "I did it (pick up mug1) for: wash mug1 and plate1, since I could not wash mug1 otherwise.",
        ),
        ("why didn't you wash the plate?", "Wash plate1: skipped. plate1 is clean already."),
        ("why haven't you washed mug1?", "It is still to come: wash mug1."),
        ("have you washed the plate?", "No: wash plate1, skipped. plate1 is clean already."),
        ("did you take mug1?", "Yes: pick up mug1."),
        ("did you open the fridge?", "No, I have not done that: open the fridge."),
        ("what went wrong?", "I expected mug1 on table1, and found it on table2."),
        ("what changed?", "I changed the plan: mug1 is on table2."),
        ("what did you do?", "So far: pick up mug1."),
        ("What have you done so far?", "So far: pick up mug1."),
        ("what did you assume?", "I took for granted: sink1 is open."),
        ("how sure are you?", "I took for granted: sink1 is open. The rest is what I was told, did or saw."),
        ("what did I ask you to do?", '"wash the mug and the plate". I understood: wash mug1 and plate1.'),
        ("what must you not do?", "I keep to (never-use open drawer1)."),
    ],
)
def test_questions_while_something_is_done(ask, question, answer):
    assert ask(question, BUSY) == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("what are you doing?", "I am doing nothing just now."),
        ("are you done?", "No, it is not done: wash mug1 and plate1. mug1 could not be found."),
        ("what will you do next?", "Nothing. I am doing nothing just now."),
        ("why didn't you fold the shirt?", '"sing" is left out: Singing cannot be done.'),
    ],
)
def test_questions_after_it_was_given_up(ask, question, answer):
    assert ask(question, ENDED) == answer


def test_nothing_was_done_yet(ask):
    assert ask("what did you do?") == "I have done nothing yet."
    assert ask("what did I ask you to do?") == "Nothing was asked for yet."


def test_without_an_agent_there_is_no_account(situation):
    assert answer_question("what are you doing?", replace(situation, account=None)) is None


def test_what_can_be_done_is_told(ask):
    assert ask("what can you do?").startswith("I can pick and wash.")
    assert ask("help").startswith("I can pick and wash.")


# -- why things are so, and what they are good for ----------------------------------------------------------

WASHED = Deed("wash", ("mug2", "sink1"), "wash mug2", "done")
PUT = Deed("place_on", ("mug1", "table1"), "place mug1 on table1", "done")


@pytest.fixture
def told(situation, reasoner):
    """Returns the answer to a question, as the reasoner gives it, after some sessions."""

    def asked(question, *sessions):
        account = Account(100.0, ("robot1",), sessions, ())
        return reasoner.understand(question, replace(situation, account=lambda: account)).answer

    return asked


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("why is mug1 dirty?", "I do not know why mug1 is dirty: I have not done that. If you want"),
        ("how come mug2 is clean?", "I did it (wash mug2) for: tidy up."),
        ("do you know why mug2 is clean?", "I did it (wash mug2) for: tidy up."),
        ("why is mug1 clean?", "As far as I know, mug1 is not clean."),
        ("why is the fridge closed?", "I do not know whether fridge1 is closed."),
        ("why is the lamp off?", "I do not know whether lamp1 is off."),
        ("why is mug1 on the table?", "I did it (place mug1 on table1) for: tidy up."),
        ("why is the knife not in the drawer?", "I do not know why knife1 is not in the drawer"),
        ("what can you cut with?", "knife1."),
        ("what could be used for cutting bread?", "knife1."),
        ("which things can be sliced?", "apple1"),
        ("what can you open?", "dishwasher1, door1"),
        ("is the lamp on?", "I do not know whether lamp1 is on."),
    ],
)
def test_questions_about_reasons_and_uses_move_nothing(told, question, answer):
    assert told(question, SessionAccount("tidy up", "tidy up", "reached", deeds=(WASHED, PUT))).startswith(
        answer
    )


@pytest.mark.parametrize(
    ("said", "goal"),
    [
        ("why is the fridge still closed?", "(open fridge1)"),
        ("why is the lamp always off?", "(turned_on lamp1)"),
    ],
)
def test_complaints_are_needs(situation, reasoner, said, goal):
    understood = reasoner.understand(said, situation)
    assert (understood.answer, show(understood.goal)) == ("", goal)


def test_whether_something_can_be_done_to_a_thing_is_asked_and_not_ordered(situation, reasoner):
    able = replace(situation, feasible=lambda goal, _: f"Yes: {show(goal)}.")
    assert reasoner.understand("can mug1 be washed?", able).answer == "Yes: (clean mug1)."
    assert reasoner.understand("can mug1 be washed, please?", able).answer == ""
    assert reasoner.understand("could mug1 be washed?", able).answer == ""


def test_of_several_things_that_can_be_reached_it_is_said_which(situation, reasoner):
    able = replace(situation, feasible=lambda goal, _: f"Yes, {show(goal)}.")
    answer = reasoner.understand("can you reach the table?", able).answer
    assert answer.startswith("table1: Yes, ")
    assert "table2: Yes, " in answer
    assert reasoner.understand("can you reach the hamper?", able).answer.startswith("Yes, (exists")


def test_the_last_deed_is_explained_although_nothing_had_to_be_done_since(ask):
    idle = SessionAccount("open the door", "open door1", "reached")
    assert ask("why did you do that?", ENDED, idle).startswith("I did it (pick up mug1) for: wash mug1")
