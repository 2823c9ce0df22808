"""Hints at where things are, in what people say besides."""

import pytest

from foretree.reasoning.dialogs.place_hints import PlaceHint, place_hints
from foretree.skills.catalogue_file import load_catalogue


@pytest.fixture(scope="module")
def ontology():
    return load_catalogue().ontology


def pairs(ontology, *texts):
    return [(hint.thing, hint.place) for hint in place_hints(texts, ontology)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The mug is in the cupboard.", [("mug", "cupboard")]),
        ("There is a knife on the table", [("knife", "table")]),
        ("Take the mango out of the refrigerator.", [("mango", "fridge")]),
        ("Pick up the clean plate that is on the table", [("plate", "table")]),
        ("Open the cupboard and take out the mug", [("mug", "cupboard")]),
        ("Grab the knife from the table and put it in the sink", [("knife", "table")]),
        ("The mug is not in the cupboard.", []),
        ("If the mug is in the cupboard, wash it.", []),
        ("Put the mug in the sink.", []),
        ("Pick up the mug next to the sink.", []),
        ("Pick up the mug to the left of the sink on the table.", [("mug", "table")]),
        ("The mug is on the shelf above the sink.", [("mug", "shelf")]),
        ("Turn around and walk forward.", []),
        ("", []),
    ],
)
def test_a_sentence(ontology, text, found):
    assert pairs(ontology, text) == found


def test_a_thing_is_taken_where_the_robot_was_sent_before(ontology):
    assert pairs(ontology, "Turn left and go to the table.", "Pick up the mango.") == [("mango", "table")]
    assert pairs(ontology, "Go to the table.", "Turn.", "Turn.", "Turn.", "Turn.", "Pick up the mango.") == []


def test_what_was_put_somewhere_is_no_longer_where_it_was(ontology):
    steps = (
        "Pick up the mango from the table.",
        "Put the mango in the fridge.",
        "Take the mango out of the fridge.",
    )
    assert pairs(ontology, *steps) == [("mango", "table")]


def test_a_further_thing_may_be_elsewhere(ontology):
    steps = (
        "Pick up the mango from the table.",
        "Put it in the fridge.",
        "Go to the shelf.",
        "Pick up the other mango.",
        "Put the mango in the fridge.",
    )
    assert pairs(ontology, *steps) == [("mango", "table"), ("mango", "shelf")]


def test_it_is_what_was_spoken_of(ontology):
    assert pairs(ontology, "Wash the mug.", "It is in the cupboard.") == [("mug", "cupboard")]


def test_a_hint_has_its_sentence_and_what_else_is_called_so():
    found = place_hints(["The keys are on the table."], load_catalogue("home").ontology)
    assert [(hint.thing, hint.place, hint.words) for hint in found] == [
        ("keys", "table", "the keys are on the table")
    ]
    assert {"side_table", "coffee_table", "desk"} <= set(found[0].alike)
    assert PlaceHint("keys", "table").alike == ()
