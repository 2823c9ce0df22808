"""What a thing may be that was of no use, and how things rest at what it is."""

from __future__ import annotations

import pytest

from foretree.skills.catalogue import load_catalogue
from foretree.world_model.association import associate
from foretree.world_model.belief import Belief
from foretree.world_model.observation import Detection, Observation


@pytest.fixture(scope="module")
def ontology():
    return load_catalogue("home").ontology


def test_what_was_of_no_use_is_less_likely_what_it_was_taken_for(ontology):
    classes = ontology.unlike({"toaster": 0.9, "coffee_machine": 0.1}, ["toasts"])
    assert classes["coffee_machine"] > classes["toaster"]
    assert sum(classes.values()) == pytest.approx(1.0)


def test_what_looks_alike_is_thought_of_after_a_while(ontology):
    classes = {"cabinet": 1.0}
    for _ in range(3):
        classes = ontology.unlike(classes, ["openable"])
    assert max(classes, key=classes.get) == "shelf"


def test_where_all_that_it_may_be_would_do_nothing_changes(ontology):
    assert ontology.unlike({"table": 0.7, "desk": 0.3}, ["surface"]) == {"table": 0.7, "desk": 0.3}


@pytest.mark.parametrize(
    ("relation", "class_name", "way"),
    [
        ("in", "shelf", "on"),
        ("on", "cabinet", "in"),
        ("on", "table", "on"),
        ("in", "dresser", "in"),
        ("on", "dresser", "on"),
        ("under", "table", "under"),
        ("in", "lamp", "in"),
    ],
)
def test_things_rest_as_they_can(ontology, relation, class_name, way):
    assert ontology.way_to_rest(relation, class_name) == way


def test_things_that_seem_to_rest_on_each_other_do_not_keep_anybody_busy_for_ever(ontology):
    vocabulary = load_catalogue("home").vocabulary
    ring = [
        Detection("d1", {"plate": 0.9}, (1.0, 1.0, 0.8), rests=("on", "d2")),
        Detection("d2", {"bowl": 0.9}, (1.1, 1.0, 0.8), rests=("on", "d1")),
    ]
    found = associate(Observation(1.0, "look", tuple(ring)), Belief(vocabulary).snapshot(), ontology)
    assert {match.how for match in found.values()} == {"new"}
