"""Building maps in Python, and what is refused."""

from __future__ import annotations

import pytest

from foretree.world_model.maps.building_map import MapAsset, MapDoor, MapRoom, way_cost
from foretree.world_model.maps.map_builder import FaultyMapError, MapBuilder, check_classes
from foretree.world_model.maps.places import MapError, Passage, Place
from foretree.world_model.ontology import ObjectClass, Ontology


@pytest.fixture
def image(tmp_path):
    path = tmp_path / "fridge.png"
    path.write_bytes(b"")
    return path


@pytest.fixture
def flat(image):
    builder = MapBuilder("flat", "Two rooms.")
    builder.room("kitchen", (0, 0), (4, 4))
    builder.pose("door1_in", "kitchen", (3.5, 3))
    builder.room("hall", (4, 0), (8, 4), at=(6, 1), says="The hall.")
    builder.pose("door1_out", "hall", (4.5, 3))
    builder.asset("fridge1", "fridge", "kitchen", (1, 3), image=image, caption=" Keeps\n food  cold. ")
    builder.door("door1", (4, 3))
    builder.way("fridge1", "kitchen", "door1_in")
    builder.way("door1_out", "hall")
    builder.edge("door1_out", "door1_in", door="door1")
    return builder


def test_what_is_built(flat, image):
    building = flat.build()
    assert building.name == "flat"
    assert building.says == "Two rooms."
    assert building.rooms["hall"] == MapRoom("hall", (4, 0), (8, 4), "The hall.")
    assert building.asset("fridge1") == MapAsset(
        "fridge1", "fridge", "kitchen", (1, 3), image, "Keeps food cold."
    )
    assert building.door("door1") == MapDoor("door1", (4, 3), ("kitchen", "hall"))
    assert building.assets_in("kitchen") == (building.assets["fridge1"],)
    assert building.assets_in("hall") == ()
    assert building.doors_of("hall") == (building.doors["door1"],)
    assert list(building.places.places()) == [
        Place("kitchen", (2, 2, 0), "kitchen", "room"),
        Place("hall", (6, 1, 0), "hall", "room"),
        Place("door1_in", (3.5, 3, 0), "kitchen", "pose"),
        Place("door1_out", (4.5, 3, 0), "hall", "pose"),
        Place("fridge1", (1, 3, 0), "kitchen", "asset"),
    ]
    assert list(building.places.passages()) == [
        Passage("kitchen", "door1_in", 19),
        Passage("kitchen", "fridge1", 15),
        Passage("hall", "door1_out", 25),
        Passage("door1_in", "door1_out", 10, "door1"),
    ]


def test_names_that_are_not_there(flat):
    building = flat.build()
    with pytest.raises(MapError, match=r"The map flat has no asset 'frige1'\. Did you mean fridge1\?"):
        building.asset("frige1")
    with pytest.raises(MapError, match=r"The map flat has no door 'door2'\. Did you mean door1\?"):
        building.door("door2")


def test_the_cost_of_a_way_is_its_length_in_decimetres_rounded_up():
    assert way_cost((0, 0), (0.3, 0.4)) == 5
    assert way_cost((0, 0), (0.3, 0.41)) == 6
    assert way_cost((0, 0), (0.01, 0)) == 1


def test_a_cost_of_its_own(flat):
    flat.edge("fridge1", "door1_in", cost=0)
    passage = flat.build().places.passage("door1_in", "fridge1")
    assert passage is not None
    assert passage.cost == 0


def refusals(image):
    """What to do to the flat, where the mistake is, and what is said of it."""
    return [
        (lambda b: b.room("Hall", (0, 0), (1, 1)), "rooms.Hall", "a name starts with a small letter"),
        (lambda b: b.room("hall", (9, 0), (12, 4)), "rooms.hall", "taken already, in rooms"),
        (lambda b: b.pose("fridge1", "hall", (5, 1)), "poses.fridge1", "taken already, in assets"),
        (lambda b: b.door("door1_in", (4, 1)), "doors.door1_in", "taken already, in poses"),
        (lambda b: b.pose("door1", "hall", (5, 1)), "poses.door1", "taken already, in doors"),
        (lambda b: b.room("bath", (9, 4), (12, 0)), "rooms.bath", "from the corner with the smaller x and y"),
        (
            lambda b: b.room("bath", (7, 3), (12, 9)),
            "rooms.bath",
            r"it overlaps hall, which goes from \[4, 0\] to \[8, 4\]; rooms may share walls only",
        ),
        (
            lambda b: b.room("bath", (8, 0), (12, 4), at=(13, 1)),
            "rooms.bath.at",
            r"\[13, 1\] is outside bath, which goes from \[8, 0\] to \[12, 4\]",
        ),
        (lambda b: b.room("bath", (8, 0), (float("inf"), 4)), "rooms.bath", "is no point on a floor"),
        (lambda b: b.pose("spot", "hal", (5, 1)), "poses.spot.room", r"no room 'hal'\. Did you mean hall\?"),
        (lambda b: b.pose("spot", "hall", (1, 1)), "poses.spot.at", r"\[1, 1\] is outside hall"),
        (
            lambda b: b.asset("oven1", "oven", "kitchen", (1.5, 3), image=image, caption="Hot."),
            "assets.oven1.at",
            r"it is 0\.50 m from fridge1; leave at least 0\.9 m",
        ),
        (
            lambda b: b.asset(
                "oven1", "oven", "hall", (7, 3), image=image.with_name("no.png"), caption="Hot."
            ),
            "assets.oven1.image",
            r"there is no file .*no\.png; every asset has an image",
        ),
        (
            lambda b: b.asset("oven1", "oven", "hall", (7, 3), image=image, caption=" "),
            "assets.oven1.caption",
            "it says nothing; say what it is",
        ),
        (
            lambda b: b.asset("oven1", "oven", "hall", (7, 3), image=image, caption="Hot\x07."),
            "assets.oven1.caption",
            "has control characters",
        ),
        (
            lambda b: b.way("kitchen", "frigde1"),
            r"ways.2.1",
            r"no node 'frigde1'\. Did you mean fridge1\?",
        ),
        (lambda b: b.way("kitchen"), "ways.2", "at least two nodes"),
        (lambda b: b.way("kitchen", "fridge1"), "ways.2.1", "already is an edge between kitchen and fridge1"),
        (lambda b: b.edge("hall", "hall"), "edges.1", "from hall to itself"),
        (lambda b: b.edge("hall", "attic"), "edges.1.between.1", "no node 'attic'"),
        (
            lambda b: b.edge("fridge1", "door1_in", cost=-3),
            "edges.1.cost",
            r"it costs -3; a cost is 0 or more, up to 100,000,000, in decimetres",
        ),
        (
            lambda b: b.edge("kitchen", "hall", door="dor1"),
            "edges.1.door",
            r"no door 'dor1'\. Did you mean door1\?",
        ),
        (
            lambda b: b.edge("fridge1", "door1_in", door="door1"),
            "edges.1.door",
            "both in kitchen; a door is between two rooms",
        ),
        (
            lambda b: b.edge("kitchen", "hall", door="door1"),
            "edges.1.door",
            r"passes the wall at \[4, 1\.5\], 1\.50 m from door1, which is at \[4, 3\]; at most 0\.5 m",
        ),
    ]


@pytest.mark.parametrize("index", range(24))
def test_what_makes_no_sense_is_refused(flat, image, index):
    do, where, what = refusals(image)[index]
    with pytest.raises(FaultyMapError, match=what) as refused:
        do(flat)
    assert ".".join(map(str, refused.value.location)) == where
    assert str(refused.value) == f"{where}: {refused.value.problem}"


def test_every_refusal_is_tried(image):
    assert len(refusals(image)) == 24


def test_a_door_beside_its_wall(flat):
    flat.door("door2", (4.3, 1.5))
    with pytest.raises(
        FaultyMapError, match=r"not on the wall of kitchen and hall, from \[4, 0\] to \[4, 4\]"
    ) as bad:
        flat.edge("kitchen", "hall", door="door2")
    assert bad.value.location == ("doors", "door2", "at")


def test_a_door_between_other_rooms(flat):
    flat.room("bath", (4, 4), (8, 8))
    flat.room("attic", (0, 4), (4, 8))
    flat.pose("spot", "attic", (3.6, 4.3))
    flat.pose("tub", "bath", (4.4, 4.2))
    flat.pose("seat", "hall", (4.6, 3.8))
    flat.door("door2", (4, 4))
    flat.edge("tub", "spot", door="door2")
    with pytest.raises(FaultyMapError, match="door2 is between bath and attic, not bath and hall"):
        flat.edge("tub", "seat", door="door2")


def test_a_way_through_a_wall(flat):
    flat.room("bath", (8, 3), (12, 7))
    flat.pose("tub", "bath", (9, 6))
    with pytest.raises(
        FaultyMapError,
        match=r"from hall to tub goes through a wall; pass from hall to bath between \[8, 3\] and \[8, 4\]",
    ):
        flat.edge("hall", "tub")


def test_a_way_between_rooms_that_share_no_wall(flat):
    flat.room("shed", (20, 0), (22, 2))
    with pytest.raises(
        FaultyMapError, match=r"hall is in hall and shed in shed, but these rooms share no wall"
    ):
        flat.way("hall", "shed")


def test_a_map_without_a_name():
    with pytest.raises(FaultyMapError, match="map: it says nothing; a map has a name"):
        MapBuilder(" ")


def test_a_map_without_rooms():
    with pytest.raises(FaultyMapError, match="rooms: there are none; a map has at least one room"):
        MapBuilder("nowhere").build()


def test_a_door_that_no_edge_passes(flat):
    flat.door("door2", (4, 1))
    with pytest.raises(FaultyMapError, match=r"doors\.door2: no edge passes it; name it in the edge"):
        flat.build()


def test_nodes_that_are_too_close(flat):
    flat.pose("spot", "hall", (6.2, 1.1))
    flat.way("hall", "spot")
    with pytest.raises(
        FaultyMapError, match=r"poses\.spot\.at: it is 0\.22 m from hall; nodes are at least 0\.3 m"
    ):
        flat.build()


def test_an_asset_that_cannot_be_reached(flat, image):
    flat.pose("spot", "hall", (7, 1))
    flat.asset("couch1", "couch", "hall", (7, 3), image=image, caption="To sit on.")
    flat.way("spot", "couch1")
    with pytest.raises(
        FaultyMapError,
        match=r"assets\.couch1: it cannot be reached, even with all doors open: no way leads to it from hall and "
        r"the other 4 nodes\. Add an edge, for example between hall and couch1\.",
    ):
        flat.build()


def test_two_rooms_and_nothing_between_them():
    flat = MapBuilder("flat")
    flat.room("hall", (0, 0), (2, 2))
    flat.room("shed", (2, 0), (4, 2))
    with pytest.raises(FaultyMapError, match=r"no way leads to it from hall\. Add an edge"):
        flat.build()


def test_a_room_that_cannot_be_reached(flat):
    flat.room("shed", (20, 0), (22, 2))
    with pytest.raises(FaultyMapError, match=r"rooms\.shed: it cannot be reached"):
        flat.build()


def test_classes_are_those_of_assets():
    ontology = Ontology(
        {
            "fridge": ObjectClass("fridge", "asset"),
            "minibar": ObjectClass("minibar", "fridge"),
            "mug": ObjectClass("mug", "item"),
            "odd": ObjectClass("odd", "odd"),
        }
    )
    check_classes({"fridge1": "fridge", "bar1": "minibar"}, ontology)
    for wrong in ("mug", "odd", "fridg"):
        with pytest.raises(FaultyMapError, match=rf"assets\.x1\.class: there is no class of asset '{wrong}'"):
            check_classes({"x1": wrong}, ontology)
