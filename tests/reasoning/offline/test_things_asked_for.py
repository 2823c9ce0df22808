"""Requests for a thing that are put as questions after it, or as praise of it."""

from __future__ import annotations

import pytest

from foretree.reasoning.offline.sentences.rewording.rewordings import rewordings
from foretree.reasoning.offline.sentences.rewording.roundabout.things_asked_for import with_things_asked_for


@pytest.mark.parametrize(
    ("said", "plain"),
    [
        ("Have you got a pen for me?", "bring me a pen?"),
        ("Do you have a newspaper I could read on the train?", "bring me a newspaper?"),
        ("It is dark. Is there any lamp for us to read by?", "It is dark. bring me some lamp?"),
        ("Haven't we got a blanket that I can borrow?", "bring me a blanket?"),
    ],
)
def test_what_is_asked_after_for_somebody_is_asked_for(said: str, plain: str) -> None:
    assert with_things_asked_for(said) == plain


@pytest.mark.parametrize(
    "said",
    [
        "Have you got a pen?",
        "Is there a plate for me to wash?",
        "Is there anything for you to do?",
        "Find out if there is a pen for me.",
    ],
)
def test_a_question_stays_one(said: str) -> None:
    assert with_things_asked_for(said) == said


@pytest.mark.parametrize(
    ("said", "plain"),
    [
        ("a cold apple would really hit the spot", "bring me a cold apple"),
        ("oh, some bread would be lovely right now", "oh , bring me some bread"),
        ("i am tired. a pillow would do me good", "i am tired . bring me a pillow"),
    ],
)
def test_what_is_praised_as_welcome_is_asked_for(said: str, plain: str) -> None:
    assert plain in [one.text for one in rewordings(said, ("bring", "put"))]


@pytest.mark.parametrize("said", ["a mango would be too much", "it would be nice", "the mug would not help"])
def test_what_is_no_praise_is_not(said: str) -> None:
    assert not [one.text for one in rewordings(said, ("bring", "put")) if "bring me" in one.text]
