"""Maps in words."""

from __future__ import annotations

import pytest

from foretree.config import find_config
from foretree.pictures.map_text import describe_map
from foretree.world_model.maps.map_builder import MapBuilder
from foretree.world_model.maps.map_file import load_map
from foretree.world_model.maps.places import MapError


@pytest.fixture
def flat(tmp_path):
    image = tmp_path / "fridge.png"
    image.write_bytes(b"")
    builder = MapBuilder("flat", "Three rooms.")
    builder.room("kitchen", (0, 0), (4, 4))
    builder.room("hall", (4, 0), (8, 4), says="The hall.")
    builder.room("bath", (8, 0), (12, 4))
    builder.asset("fridge1", "fridge", "kitchen", (1, 2), image=image, caption="The fridge: keeps food cold.")
    builder.door("door1", (4, 2))
    builder.way("fridge1", "kitchen")
    builder.way("hall", "bath")
    builder.edge("kitchen", "hall", door="door1")
    return builder.build()


def test_a_page(flat):
    assert describe_map(flat, 60).splitlines() == [
        "flat: Three rooms.",
        "4 nodes (0 poses, 3 rooms, 1 asset), 3 edges, 1 door. With",
        "every door closed it falls into 2 parts.",
        "",
        "room     size     what it is, and what is next to it",
        "kitchen  4 × 4 m  To hall (door1).",
        "hall     4 × 4 m  The hall. To kitchen (door1), bath.",
        "bath     4 × 4 m  To hall.",
        "",
        "asset    room     caption",
        "fridge1  kitchen  The fridge: keeps food cold.",
    ]


def test_nothing_falls_apart_where_there_are_no_doors():
    builder = MapBuilder("cell")
    builder.room("cell", (0, 0), (2, 3))
    assert describe_map(builder.build()).splitlines()[1] == (
        "1 node (0 poses, 1 room, 0 assets), 0 edges, 0 doors."
    )


def test_closed_doors_and_a_path(flat):
    text = describe_map(flat, 70, ["door1"], ("fridge1", "bath"))
    assert (
        "With door1 closed the map falls into 2 parts:\n  2 nodes: kitchen\n  2 nodes: hall, bath\n" in text
    )
    assert text.endswith("There is no way from fridge1 to bath through the doors that are open.")


def test_a_path(flat):
    text = describe_map(flat, 70, (), ("fridge1", "bath"))
    assert text.endswith(
        "From fridge1 to bath it costs 90, as much as 9 m do:\n  fridge1 – kitchen – [door1] – hall – bath"
    )


def test_a_door_that_parts_nothing():
    office = load_map(find_config("maps", "office"))
    text = describe_map(office, 80, ["lobby_door", "kitchen_door"])
    assert text.endswith("\n\nWith kitchen_door, lobby_door closed every node can still be reached.")


def test_names_that_are_not_there(flat):
    with pytest.raises(MapError, match="no door 'door2'"):
        describe_map(flat, 70, ["door2"])
    with pytest.raises(MapError, match="no node 'attic'"):
        describe_map(flat, 70, (), ("hall", "attic"))
