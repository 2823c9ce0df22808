"""The caption index."""

from __future__ import annotations

import pytest

from foretree.config import find_config
from foretree.world_model.belief import Belief
from foretree.world_model.captions import CaptionIndex
from foretree.world_model.entities import Entity
from foretree.world_model.map_file import load_map
from foretree.world_model.ontology import load_ontology


@pytest.fixture
def index():
    return CaptionIndex({"table1": "The table.", "fridge1": "The fridge."})


@pytest.fixture
def belief():
    belief = Belief(load_ontology(find_config("domains", "household")).vocabulary)
    for name, class_name in (("mug1", "coffee_mug"), ("tray1", "tray"), ("milk1", "milk")):
        belief.put_entity(Entity(name, {class_name: 1.0}))
    return belief


def test_the_index_of_a_map():
    office = load_map(find_config("maps", "office"))
    index = CaptionIndex.of(office)
    assert list(index.texts) == list(office.assets)
    assert index.texts["fridge1"] == office.assets["fridge1"].caption


def test_contents_are_in_the_text(index):
    later = index.with_contents("table1", ["mango", "red mug"])
    assert later.texts["table1"] == "The table. Seen there: mango, red mug."
    assert later.texts["fridge1"] == "The fridge."
    assert later.with_contents("table1", []).texts["table1"] == "The table."
    assert index.texts["table1"] == "The table."


def test_an_asset_that_is_not_there(index):
    with pytest.raises(KeyError):
        index.with_contents("table2", ["mango"])


def test_what_is_believed_to_be_there(index, belief):
    belief.tell(("on", "tray1", "table1"))
    belief.tell(("on", "mug1", "tray1"))
    belief.tell(("in", "milk1", "fridge1"))
    before = index.with_contents("table1", ["dust"])
    assert before.with_belief(belief.snapshot()).texts == {
        "table1": "The table. Seen there: coffee mug (mug1), tray (tray1).",
        "fridge1": "The fridge. Seen there: milk (milk1).",
    }
    belief.tell(("on", "milk1", "table1"))
    assert index.with_belief(belief.snapshot()).contents["fridge1"] == ()


def test_what_rests_on_itself_is_nowhere(index, belief):
    belief.tell(("on", "tray1", "mug1"))
    belief.tell(("on", "mug1", "tray1"))
    assert index.with_belief(belief.snapshot()).texts["table1"] == "The table."


def test_a_thing_nobody_has_introduced(index, belief):
    belief.tell(("on", "ghost1", "table1"))
    assert index.with_belief(belief.snapshot()).texts["table1"] == "The table. Seen there: ghost1."
