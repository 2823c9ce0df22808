"""What goes with verbs, put plainly."""

from __future__ import annotations

import pytest

from foretree.reasoning.offline.english.complements.plainly import plainer
from foretree.reasoning.offline.english.lexicon.lexicon_file import english_words
from foretree.reasoning.offline.english.words import Sentence

_NOUNS = [
    "mug",
    "counter",
    "rack",
    "coat",
    "desk",
    "box",
    "bed",
    "sofa",
    "lamp",
    "hall",
    "table",
    "plate",
    "bread",
    "milk",
    "vase",
    "knife",
    "sink",
    "fridge",
    "newspaper",
    "shelf",
    "door",
    "drawer",
    "apple",
]
_VERBS = [
    "put",
    "take",
    "get",
    "bring",
    "move",
    "go",
    "hang",
    "leave",
    "wipe",
    "cut",
    "close",
    "open",
    "turn",
    "cool",
    "pour",
    "give",
    "wash",
]


def plainest(said: str) -> str:
    """Return the last wording of a request."""
    words = tuple(said.split())
    found = [*plainer(Sentence(words, english_words(), _VERBS, _NOUNS))]
    return " ".join(found[-1]) if found else said


@pytest.mark.parametrize(
    ("said", "plain"),
    [
        ("hang the coat back up on the rack", "hang the coat on the rack"),
        ("get the newspaper up off the floor and onto the shelf", "put the newspaper onto the shelf"),
        ("tip the knife out of the box and onto the desk", "move the knife out of the box onto the desk"),
        ("leave the mug standing on the counter", "leave the mug on the counter"),
        ("leave the drawer hanging open", "leave the drawer open"),
        ("leave the coat hanging on the rack", "hang the coat on the rack"),
        ("rest the mug on the arm of the sofa", "rest the mug on the sofa"),
        ("put the milk on the top shelf of the fridge", "put the milk in the fridge"),
        ("stick the mug in the sink to soak", "stick the mug in the sink"),
        ("make your way through to the hall", "go to the hall"),
        ("wait for me by the sink", "go by the sink"),
        ("go and wait next to the sofa", "go and wait next to the sofa"),
        ("go stand in the hall", "go to the hall"),
        ("approach the table", "go to the table"),
        ("come back to me with the milk", "bring me the milk"),
        ("slide the plate along", "bring me the plate"),
        ("leave the apple with me", "bring me the apple"),
        ("make the bread nice and hot", "want the bread be hot"),
        ("get the apple cold in the fridge", "cool the apple in the fridge"),
        ("let me have the apple", "bring me the apple"),
        ("put a drop of water in the vase", "pour some water into the vase"),
        ("add a splash of milk to the mug", "pour some milk into the mug"),
        ("shove the drawer shut with your elbow", "shove the drawer shut"),
        ("take the apple in your right", "take the apple in your right hand"),
        ("give the plate a jolly good scrub", "give the plate a scrub"),
        ("switch the lamp on in the hall", "turn on the lamp in the hall"),
        ("pull the door to", "close the door"),
        ("leave the door open a crack", "leave the door open"),
        ("use the knife to cut the bread", "cut the bread with the knife"),
        ("drape the coat over the sofa", "put the coat on the sofa"),
        ("kick the plate under the bed", "put the plate under the bed"),
    ],
)
def test_complements_are_put_plainly(said: str, plain: str) -> None:
    assert plainest(said) == plain


@pytest.mark.parametrize(
    "said",
    [
        "turn the lamp off in the hall",
        "put the apple in the fridge",
        "put the apples in the fridge",
        "wait",
        "come with me",
        "pour the milk into the mug",
        "keep the apple away from the sink",
        "throw the knife across the table",
    ],
)
def test_what_is_left_as_it_is(said: str) -> None:
    assert "lamp in the hall off" not in plainest(said)
    assert plainest(said).split()[0] in (said.split()[0], "turn")
    assert ("away" in plainest(said)) == ("away" in said)
    assert ("across" in plainest(said)) == ("across" in said)
