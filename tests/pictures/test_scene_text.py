"""Scenes and grid homes in words."""

from __future__ import annotations

import pytest

from foretree.config import find_config
from foretree.pictures.scene_picture import open_site
from foretree.pictures.scene_text import describe_home, describe_scene, describe_site
from foretree.simulation.household.scene_file import load_scene
from foretree.world_model.maps.places import MapError


@pytest.fixture(scope="module")
def flat():
    return load_scene(find_config("scenes", "flat"))


def test_everything_of_a_scene_is_listed(flat):
    text = describe_scene(flat)
    for name in (*flat.rooms, *flat.doors, *flat.furniture, *flat.items, *flat.people, flat.robot.name):
        assert name in text
    assert "6 rooms, 4 doors, 26 pieces of furniture, 34 items." in text
    assert "under it: newspaper1" in text
    assert "hung on it: coat1, umbrella1" in text


def test_doors_are_as_at_the_start_or_closed(flat):
    assert "kitchen_door   open    kitchen and hall" in describe_scene(flat)
    assert "kitchen_door   closed  kitchen and hall" in describe_scene(flat, closed=["kitchen_door"])


def test_the_way_goes_through_open_doors(flat):
    assert "From fridge1 to tv1 it costs" in describe_scene(flat, path=("fridge1", "tv1"))
    assert "There is no way from fridge1 to bed1" in describe_scene(flat, path=("fridge1", "bed1"))
    with pytest.raises(MapError, match="no node 'tv2'"):
        describe_scene(flat, path=("fridge1", "tv2"))


def test_what_agents_can_do():
    text = describe_scene(load_scene(find_config("scenes", "helping_hand")), 200)
    assert "with gripper: move, pick, place_on, place_in, handover, inspect" in text
    assert "can be asked to open and turn_on" in text


def test_rooms_that_are_open_to_each_other():
    text = describe_scene(load_scene(find_config("scenes", "two_robots")))
    assert "kitchen  5 × 4 m  dining" in text
    assert "open to" not in describe_scene(load_scene(find_config("scenes", "kitchen")))


def test_a_home_by_classes():
    text = describe_home(open_site("l_kitchen/3"))
    assert text.startswith("l_kitchen/3: A home with 16 pieces of furniture")
    assert "on it: toaster (turned_on), lettuce" in text
    assert describe_site(open_site("l_kitchen/3")) == text


def test_lines_are_no_longer_than_asked(flat):
    assert max(map(len, describe_scene(flat, 60).splitlines())) <= 60
    assert max(map(len, describe_home(open_site("l_kitchen/3"), 60).splitlines())) <= 60
