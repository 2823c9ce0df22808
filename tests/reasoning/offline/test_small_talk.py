"""Small talk is answered, and nothing moves; what asks for something is no small talk."""

import pytest

from foretree.planning.pddl.syntax import TRUE
from foretree.reasoning.offline.sentences.small_talk import answer_small_talk

ANSWERED = [
    ("Hello!", "Hello."),
    ("hey there robot", "Hello."),
    ("Good evening, my friend.", "Good evening."),
    ("hi! How are you today?", "I am well"),
    ("ok, how's it going?", "I am well"),
    ("thanks so much!", "You are welcome."),
    ("oh well, thanks anyway", None),
    ("very nice, thank you", "You are welcome."),
    ("Bravo!", "Thank you."),
    ("great work again, robot", "Thank you."),
    ("that's not what I meant", "I am sorry."),
    ("okay", "All right."),
    ("my mistake, sorry", "No harm done."),
    ("help!", "Say what is to be done"),
    ("see you tomorrow", "Goodbye."),
]
NO_SMALL_TALK = [
    "good morning, open the fridge",
    "hello, where is the mango?",
    "thanks, and now wash the plate",
    "well done meat is what I want",
    "fine dust is on the table",
    "",
    "robot",
    "!",
    "help me with the plate",
    "thank you for putting the mango into the fridge and then washing it all by yourself",
]


@pytest.mark.parametrize(("said", "begins"), ANSWERED)
def test_it_gets_a_short_answer(reasoner, situation, said, begins):
    answer = answer_small_talk(said)
    assert answer.startswith(begins) if begins else answer == ""
    if begins:
        found = reasoner.understand(said, situation)
        assert (found.goal, found.answer) == (TRUE, answer)
        assert len(answer) < 130


@pytest.mark.parametrize("said", NO_SMALL_TALK)
def test_what_asks_for_something_is_no_small_talk(said):
    assert answer_small_talk(said) == ""


def test_what_is_said_of_a_thing_that_is_not_here_is_told_so(reasoner, situation):
    from foretree.reasoning.instruction_errors import NoSuchThingError

    with pytest.raises(NoSuchThingError, match=r"I know of no vase here\."):
        reasoner.understand("this vase is broken", situation)
