from __future__ import annotations

from dataclasses import replace

import pytest

from foretree.config import find_config
from foretree.simulation.household.household_state import House
from foretree.simulation.household.scene import Item
from foretree.simulation.household.scene_file import load_scene
from foretree.simulation.household.true_grounding import TrueBody, TrueGrounding
from foretree.skills.catalogue_file import load_catalogue


@pytest.fixture(scope="module")
def catalogue():
    return load_catalogue("tabletop")


@pytest.fixture
def house(catalogue):
    """The office with little in it: a pile of blocks, a battery in a remote, and milk behind a closed door."""
    scene = load_scene(find_config("scenes", "office"), catalogue.ontology)
    items = [
        Item("red1", "red_block", "on", "table601"),
        Item("blue1", "blue_block", "on", "red1"),
        Item("remote1", "remote", "on", "table601"),
        Item("battery1", "old_battery", "in", "remote1"),
        Item("cup1", "cup", "in", "fridge1", frozenset({"filled", "has_milk", "cold"})),
    ]
    return House(replace(scene, items={item.name: item for item in items}))


def test_what_is_at_a_node_is_said_with_what_follows_from_it(house, catalogue):
    found = TrueGrounding(house, catalogue.domain).ground("table601")
    assert found.objects == {
        "table601": "table",
        "red1": "red_block",
        "blue1": "blue_block",
        "remote1": "remote",
        "battery1": "old_battery",
    }
    assert {
        ("obj_at_node", "table601", "table601"),
        ("surface", "table601"),
        ("on", "red1", "table601"),
        ("on", "blue1", "red1"),
        ("piled_at", "blue1", "table601"),
        ("occupied", "red1"),
        ("in", "battery1", "remote1"),
        ("occupied", "remote1"),
    } <= found.facts
    assert ("occupied", "blue1") not in found.facts
    assert {atom[0] for atom in found.facts} <= set(catalogue.domain.predicates)


def test_only_furniture_has_a_node_of_its_own(house, catalogue):
    found = TrueGrounding(house, catalogue.domain).ground("fridge1")
    assert [atom for atom in found.facts if atom[0] == "obj_at_node"] == [
        ("obj_at_node", "fridge1", "fridge1")
    ]
    assert {
        ("in", "cup1", "fridge1"),
        ("filled", "cup1"),
        ("has_milk", "cup1"),
        ("cold", "cup1"),
    } <= found.facts
    assert ("open", "fridge1") not in found.facts


def test_where_nothing_is_there_is_nothing_to_say(house, catalogue):
    found = TrueGrounding(house, catalogue.domain).ground("dock")
    assert (found.objects, found.facts) == ({}, frozenset())


def test_it_is_as_new_as_the_house(house, catalogue):
    grounding, body = TrueGrounding(house, catalogue.domain), TrueBody(house)
    assert "red1" in grounding.ground("table601").objects
    assert body.state().facts == {
        ("rob_at_node", "robot1", "dock"),
        ("rob_has_hand", "robot1", "left_hand"),
        ("rob_has_hand", "robot1", "right_hand"),
        ("hand_free", "robot1", "left_hand"),
        ("hand_free", "robot1", "right_hand"),
    }
    house.grasp(house.named("remote1"), "left_hand")
    house.arrive("fridge1")
    assert "remote1" not in grounding.ground("table601").objects
    # What the robot holds is where the robot is, with all that it carries.
    here = grounding.ground("fridge1")
    assert {"remote1", "battery1", "cup1"} <= set(here.objects)
    assert ("in", "battery1", "remote1") in here.facts
    assert not any(atom[:2] in {("on", "remote1"), ("held", "remote1")} for atom in here.facts)
    state = body.state()
    assert ("holding", "robot1", "left_hand", "remote1") in state.facts
    assert ("hand_free", "robot1", "left_hand") not in state.facts
    assert ("rob_at_node", "robot1", "fridge1") in state.facts
    assert state.objects["remote1"] == "remote"
