"""What a thing may be that was of no use, and how things rest at what it is."""

from __future__ import annotations

import pytest

from foretree.skills.catalogue import load_catalogue
from foretree.world_model.beliefs.belief import Belief
from foretree.world_model.observation import Detection, Observation
from foretree.world_model.tracking._association import associate


@pytest.fixture(scope="module")
def ontology():
    return load_catalogue("home").ontology


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
