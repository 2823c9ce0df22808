from __future__ import annotations

import re
from collections import Counter
from itertools import combinations
from math import dist
from pathlib import Path

import pytest

from foretree.clock import SimulatedClock
from foretree.config import ConfigError, config_files
from foretree.simulation.household.scene_file import load_scene
from foretree.simulation.household.world import HouseholdWorld

SHIPPED = sorted(config_files("scenes"))


def test_three_scenes_are_shipped():
    assert {"kitchen", "studio", "flat"} <= set(SHIPPED)


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_scene_is_sound(shipped, name):
    scene = shipped(name)
    assert scene.name == name
    assert scene.instructions
    for one, other in combinations(scene.nodes(), 2):
        assert dist(one.pose, other.pose) >= 0.3, (one.name, other.name)
        assert one.name != other.name
    world = HouseholdWorld(scene, SimulatedClock())
    poses = [world.house.pose_of(thing) for thing in world.house.items()]
    assert all(dist(one, other) >= 0.099 for one, other in combinations(poses, 2))


def test_the_kitchen_is_as_the_first_example_needs_it(shipped):
    kitchen = shipped("kitchen")
    assert len(kitchen.places.rooms()) == 1
    assert (kitchen.items["mango1"].relation, kitchen.items["mango1"].place) == ("on", "table1")
    assert "open" not in kitchen.furniture["fridge1"].states
    assert {"table1", "table2"} <= set(kitchen.furniture)
    assert "mug1" in kitchen.items


def test_the_flat_has_six_rooms_and_sixty_things(shipped):
    flat = shipped("flat")
    classes = Counter(item.class_name for item in flat.items.values())
    assert len(flat.places.rooms()) == 6
    assert len(flat.furniture) + len(flat.items) == 60
    assert len(flat.doors) >= 3
    assert classes["mango"] == 1
    assert classes["mug"] >= 3
    assert classes["pillow"] >= 3


WRONG = {
    "a room twice over": (
        {"rooms": {"kitchen": {"from": [8, 0], "to": [0, 6]}, "hall": {"from": [8, 0], "to": [12, 6]}}},
        r"rooms\.kitchen: 'from' is the corner",
    ),
    "an unknown key": ({"itmes": {}}, r"itmes: there is no such key\. Did you mean items"),
    "an unknown key further in": (
        {"furniture": {"table1": {"clas": "table", "room": "kitchen", "at": [1, 1]}}},
        r"furniture\.table1\.clas: there is no such key\. Did you mean class",
    ),
    "a key that is missing": ({"robot": {"name": "robot1"}}, r"robot\.at: is missing"),
    "a number that is none": ({"noise": {"missed": "often"}}, r"noise\.missed: .*number.*'often'"),
    "a rate above one": ({"noise": {"missed": 1.5}}, r"noise\.missed: .*1\.5"),
    "an unknown class": ({"items": {"x": {"class": "mangoo", "on": "table1"}}}, r"items\.x\.class.*mango"),
    "furniture as an item": (
        {"items": {"x": {"class": "table", "on": "table1"}}},
        r"no class of item 'table'",
    ),
    "an unknown place": ({"items": {"x": {"class": "mug", "on": "tabel1"}}}, r"Did you mean table1"),
    "no place": ({"items": {"x": {"class": "mug"}}}, r"items\.x: say where it is with exactly one of on, in"),
    "two places": (
        {"items": {"x": {"class": "mug", "on": "table1", "in": "fridge1"}}},
        r"items\.x: say where it is with exactly one",
    ),
    "a way of resting that cannot be": (
        {"items": {"x": {"class": "mug", "in": "table1"}}},
        r"items\.x\.in: a thing cannot be in a table; it can be on or under it",
    ),
    "a place for nothing": ({"items": {"x": {"class": "mug", "on": "lamp1"}}}, r"nothing can be put there"),
    "a state that cannot be": (
        {"items": {"x": {"class": "mug", "on": "table1", "states": ["open"]}}},
        r"no state of a mug 'open'.*clean",
    ),
    "a name with a capital": (
        {"items": {"X": {"class": "mug", "on": "table1"}}},
        r"starts with a small letter",
    ),
    "a name twice": ({"items": {"table1": {"class": "mug", "on": "table1"}}}, r"taken already, in furniture"),
    "furniture outside": (
        {"furniture": {"table1": {"class": "table", "room": "hall", "at": [1, 1]}}},
        r"\[1\.0, 1\.0\] is outside hall, which goes from \[8\.0, 0\.0\]",
    ),
    "furniture too close": (
        {
            "furniture": {
                "table1": {"class": "table", "room": "kitchen", "at": [1, 1]},
                "table2": {"class": "table", "room": "kitchen", "at": [1, 1.5]},
            }
        },
        r"0\.50 m from table1; leave at least 0\.9",
    ),
    "a robot nowhere": ({"robot": {"at": "tabel1"}}, r"robot\.at: there is no node 'tabel1'.*table1"),
    "a door to an unknown room": (
        {"doors": {"d": {"between": ["kitchen", "hal"]}}},
        r"doors\.d\.between: there is no room 'hal'.*hall",
    ),
    "a door to the same room": (
        {"doors": {"d": {"between": ["hall", "hall"]}}},
        r"leads from 'hall' to itself",
    ),
    "a door off the wall": (
        {"doors": {"d": {"between": ["kitchen", "hall"], "at": [7, 3]}}},
        r"not on the wall of both rooms, from \[8\.0, 0\.0\] to \[8\.0, 6\.0\]",
    ),
    "known what": ({"known": "all"}, r"known: say everything, map, or a list of items, not 'all'"),
    "known whom": ({"known": ["mango7"]}, r"known: there is no item 'mango7'.*mango1"),
    "believed of whom": ({"believed": {"mango7": {"on": "table1"}}}, r"believed\.mango7: there is no item"),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_mistake_in_a_scene_is_explained(lab, case):
    changes, says = WRONG[case]
    with pytest.raises(ConfigError, match=says):
        lab(**changes)


def test_two_passages_between_the_same_rooms_are_one_too_many(lab):
    passages = [{"between": ["kitchen", "hall"], "at": [8, y]} for y in (1, 5)]
    with pytest.raises(ConfigError, match="two of them lead kitchen_to_hall"):
        lab(passages=passages)


def test_places_to_stand_are_apart(lab):
    with pytest.raises(ConfigError, match="kitchen and person1 are the same place to stand"):
        lab(people={"person1": {"room": "kitchen", "at": [4, 3]}})


def test_rooms_that_do_not_touch_have_no_door(lab):
    rooms = {"kitchen": {"from": [0, 0], "to": [8, 6]}, "hall": {"from": [9, 0], "to": [12, 6]}}
    with pytest.raises(ConfigError, match="share no wall"):
        lab(rooms=rooms)


def test_an_error_names_the_file(tmp_path, ontology):
    path = tmp_path / "mine.yaml"
    path.write_text("scene: mine\nrooms: {}\nfurniture: {}\nrobot: {at: x}\n")
    with pytest.raises(ConfigError, match=r"mine\.yaml:2: rooms: "):
        load_scene(path, ontology)


def test_a_door_without_a_place_is_in_the_middle_of_the_wall(lab):
    scene = lab(doors={"door1": {"between": ["kitchen", "hall"]}})
    sides = {node.name: node.pose for node in scene.nodes() if node.name.startswith("door1")}
    assert sides == {"door1_kitchen_side": (7.6, 3.0, 0.0), "door1_hall_side": (8.4, 3.0, 0.0)}
    assert not scene.doors["door1"].open


def test_the_example_in_the_docs_is_a_scene(tmp_path, ontology):
    docs = Path(__file__).parents[3] / "docs" / "scenes.md"
    example, _ = re.findall(r"```yaml\n(.*?)```", docs.read_text(), re.DOTALL)
    path = tmp_path / "pantry.yaml"
    path.write_text(example)
    scene = load_scene(path, ontology)
    assert HouseholdWorld(scene, SimulatedClock()).house.named("fridge1").is_open
    assert scene.chance.fail == 0.05
    assert scene.believed["mango1"].place == "shelf1"


def test_a_scene_of_the_domain_for_planning_only_is_refused_with_a_way(tmp_path):
    path = tmp_path / "bar.yaml"
    path.write_text("scene: bar\ndomain: affordances\nrooms: {}\n")
    with pytest.raises(ConfigError, match=r"foretree regress --autogptp FOLDER"):
        load_scene(path)
