"""The office floor that comes with Foretree."""

from __future__ import annotations

import importlib.util
from collections import Counter
from itertools import combinations
from math import dist
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from foretree.config import find_config
from foretree.world_model.maps.map_file import load_map

DESKS = [f"table{number}" for number in (*range(601, 613), 614)]
OTHERS = [
    "fridge1",
    "drying_rack1",
    "coffee_maker1",
    "kettle_table1",
    "washing_machine1",
    "couch1",
    "blackboard1",
    "microwave1",
    "sink1",
    "kitchen_table1",
    "kitchen_table2",
    "kitchen_table3",
    "storage_table1",
    "storage_drawers1",
    "meeting_table1",
    "trash_bin1",
    "flower_bed1",
    "window1",
]


@pytest.fixture(scope="module")
def office():
    return load_map(find_config("maps", "office"))


def test_what_there_is(office):
    kinds = Counter(place.kind for place in office.places.places())
    assert kinds == {"pose": 43, "room": 18, "asset": 31}
    assert len(office.rooms) == len(office.doors) == 18
    assert sorted(office.assets) == sorted(DESKS + OTHERS)


def test_nodes_are_where_their_room_is(office):
    for place in office.places.places():
        assert office.rooms[place.room].contains(*place.pose[:2]), place
    for name, asset in office.assets.items():
        assert office.places.place(name).pose == (*asset.at, 0.0)
        assert office.places.room_of(name) == asset.room


def test_nodes_can_be_told_apart_by_position(office):
    for one, other in combinations(office.places.places(), 2):
        assert dist(one.pose, other.pose) >= (0.9 if one.kind == other.kind == "asset" else 0.3)


def test_no_edge_goes_through_a_wall(office):
    """Walked in steps of a centimetre: from one room into the other it goes in one place, near its door."""
    for passage in office.places.passages():
        ends = [office.places.place(node) for node in (passage.one, passage.other)]
        rooms = [office.rooms[end.room] for end in ends]
        steps = max(1, round(100 * dist(ends[0].pose, ends[1].pose)))
        for step in range(steps + 1):
            x, y = (
                a + (b - a) * step / steps for a, b in zip(ends[0].pose[:2], ends[1].pose[:2], strict=True)
            )
            assert any(room.contains(x, y) for room in rooms), passage
            if all(room.contains(x, y) for room in rooms) and rooms[0] is not rooms[1]:
                assert passage.door is None or dist((x, y), office.doors[passage.door].at) < 0.5
        assert (rooms[0] is rooms[1]) <= (passage.door is None)


def test_everything_can_be_reached(office):
    assert len(office.places.components()) == 1


def test_there_are_dead_ends_and_loops(office):
    ways_in = {room: len(office.doors_of(room)) for room in office.rooms}
    assert ways_in["office605"] == ways_in["storage"] == 1
    for door in ("door601", "door602", "lobby_door", "kitchen_door", "pantry_door", "dining_door"):
        assert len(office.places.components(lambda name, shut=door: name != shut)) == 1
    assert len(office.places.components(lambda door: False)) == 15


def test_closed_doors_change_the_way(office):
    """For many pairs of assets some closed door makes the way another one, without parting them."""
    open_ways = {pair: office.places.path(*pair) for pair in combinations(office.assets, 2)}
    changed = {
        pair
        for pair, way in open_ways.items()
        for door in office.doors
        if (detour := office.places.path(*pair, lambda name, shut=door: name != shut)) and detour != way
    }
    assert len(changed) / len(open_ways) >= 0.25


def test_costs_are_the_length_of_the_way(office):
    for passage in office.places.passages():
        length = dist(*(office.places.place(node).pose for node in (passage.one, passage.other)))
        assert -1e-6 < passage.cost - 10 * length < 1


def test_every_asset_is_shown_and_described(office):
    captions = [asset.caption for asset in office.assets.values()]
    assert len(set(captions)) == len(captions)
    for name in DESKS:
        assert f"office {name.removeprefix('table')}" in office.assets[name].caption
    for name, asset in office.assets.items():
        assert asset.class_name == name.rstrip("0123456789")
        assert asset.image == find_config("maps", "office").parent / "office" / f"{name}.png"
        assert asset.image.stat().st_size < 10_000
        assert Image.open(asset.image).size == (160, 120)


def test_the_images_are_those_that_are_drawn(office):
    script = Path(__file__).parents[3] / "docs" / "draw_assets.py"
    specification = importlib.util.spec_from_file_location("draw_assets", script)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    for name, asset in office.assets.items():
        drawn, there = module.drawing(name).convert("RGB"), Image.open(asset.image).convert("RGB")
        # Text and smoothing may differ a little between versions of Pillow.
        histogram = ImageChops.difference(drawn, there).convert("L").histogram()
        assert sum(histogram[40:]) < 0.02 * 160 * 120, name
