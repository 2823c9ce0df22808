"""Map files: what is read, what is refused and with which line, and writing them."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_maps import maps, said_by

from foretree.config import ConfigError, find_config
from foretree.world_model.maps.map_builder import MapBuilder
from foretree.world_model.maps.map_file import load_map, write_map
from foretree.world_model.ontology_file import load_ontology

FLAT = """\
map: flat
says: Two rooms.
rooms:
  kitchen: {from: [0, 0], to: [4, 4]}
  hall: {from: [4, 0], to: [8, 4], at: [6, 1], says: The hall.}
poses:
  door1_in: {room: kitchen, at: [3.5, 3]}
  door1_out: {room: hall, at: [4.5, 3]}
assets:
  fridge1: {class: fridge, room: kitchen, at: [1, 3], image: fridge.png, caption: Keeps food cold.}
  table1: {class: table, room: hall, at: [7, 3], image: fridge.png, caption: To put things on.}
doors:
  door1: {at: [4, 3]}
ways:
  - [fridge1, kitchen, door1_in]
  - [door1_out, hall, table1]
edges:
  - {between: [door1_in, door1_out], door: door1}
  - {between: [fridge1, door1_in], cost: 99}
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "fridge.png").write_bytes(b"")
    return tmp_path


def written(folder, text):
    path = folder / "flat.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_map_file(folder):
    path = written(folder, FLAT)
    flat = load_map(path, load_ontology(find_config("domains", "household")))
    assert flat.name == "flat"
    assert flat.source == path
    assert flat.rooms["hall"].says == "The hall."
    assert flat.places.place("hall").pose == (6, 1, 0)
    assert flat.assets["fridge1"].image == folder / "fridge.png"
    assert flat.doors["door1"].between == ("kitchen", "hall")
    assert flat.places.path("fridge1", "table1").cost == 15 + 19 + 10 + 25 + 23
    assert flat.places.passage("fridge1", "door1_in").cost == 99
    assert flat.places.path("fridge1", "table1", lambda door: False) is None


@pytest.mark.parametrize(
    ("old", "new", "line", "says"),
    [
        ("  hall: {from", "  kitchen: {from", 5, "'kitchen' stands here for the second time"),
        ("  table1: {class", "  fridge1: {class", 11, "'fridge1' stands here for the second time"),
        ("  door1_out:", "  fridge1:", 10, "assets.fridge1: the name is taken already, in poses."),
        ("  door1: {at", "  hall: {at", 13, "doors.hall: the name is taken already, in rooms."),
        (
            "cost: 99",
            "cost: -2",
            19,
            "edges.1.cost: it costs -2; a cost is 0 or more, up to 100,000,000, in decimetres.",
        ),
        ("cost: 99", "cost: 2.5", 19, "edges.1.cost: expected a whole number, not 2.5."),
        (
            "  - [door1_out, hall, table1]",
            "  - {between: [hall, table1]}",
            16,
            "ways.1: expected a list, not",
        ),
        (
            "  - [door1_out, hall, table1]",
            "  - [door1_out, hall]",
            11,
            "assets.table1: it cannot be reached, even with all doors open: no way leads to it from hall and the "
            "other 4 nodes. Add an edge, for example between hall and table1.",
        ),
        (
            " image: fridge.png, caption: To",
            " caption: To",
            11,
            "assets.table1: it has no image; say which file shows it, as in image: flat/table1.png.",
        ),
        (
            "fridge.png, caption: To",
            "table.png, caption: To",
            11,
            r"assets.table1.image: there is no file .*/table\.png; every asset has an image that shows it.",
        ),
        (", caption: To put things on.}", "}", 11, "assets.table1.caption: it says nothing; say what it is"),
        (
            "class: table",
            "class: tabel",
            11,
            "assets.table1.class: there is no class of asset 'tabel'. Did you mean",
        ),
        ("class: table", "class: mug", 11, "there is no class of asset 'mug'."),
        ("hall, table1]", "hall, tabel1]", 16, "ways.1.2: there is no node 'tabel1'. Did you mean table1?"),
        (
            "  door1: {at: [4, 3]}",
            "  door1: {at: [4, 3]}\n  door2: {at: [4, 1]}",
            14,
            "doors.door2: no edge passes it; name it in the edge that leads from one side of it to the other.",
        ),
        ("door: door1", "door: dor1", 18, "edges.0.door: there is no door 'dor1'. Did you mean door1?"),
        (
            "to: [4, 4]",
            "to: [5, 4]",
            5,
            r"rooms.hall: it overlaps kitchen, which goes from \[0, 0\] to \[5, 4\]; rooms may share walls only.",
        ),
        (
            "at: [4.5, 3]",
            "at: [3.5, 1]",
            8,
            r"poses.door1_out.at: \[3.5, 1\] is outside hall, which goes from \[4, 0\] to \[8, 4\].",
        ),
        (
            "room: hall, at: [7",
            "room: hal, at: [7",
            11,
            "assets.table1.room: there is no room 'hal'. Did you mean hall?",
        ),
        ("at: [7, 3]", "at: [.nan, 3]", 11, "assets.table1.at.0: expected a finite number, not nan."),
        ("says: The hall.", "say: The hall.", 5, "rooms.hall.say: there is no such key. Did you mean says?"),
        ("  - {between: [door1_in, door1_out], ", "  - {", 18, "edges.0.between: is missing."),
        ("map: flat\n", "", 1, "map: is missing."),
    ],
)
def test_bad_maps(folder, old, new, line, says):
    assert FLAT.count(old) == 1
    path = written(folder, FLAT.replace(old, new))
    with pytest.raises(ConfigError) as refused:
        load_map(path, load_ontology(find_config("domains", "household")))
    message = str(refused.value)
    assert "\n" not in message
    assert message.startswith(f"{path}:{line}:") or (line == 1 and message.startswith(str(path)))
    # Written with a regular expression only where there are brackets or a path.
    assert re.search(says if "\\" in says else re.escape(says), message), message


def test_without_an_ontology_any_class_will_do(folder):
    flat = load_map(written(folder, FLAT.replace("class: table", "class: spaceship")))
    assert flat.assets["table1"].class_name == "spaceship"


def test_a_file_that_cannot_be_written(folder):
    flat = load_map(written(folder, FLAT))
    with pytest.raises(ConfigError, match=r"Cannot write .*: No such file"):
        write_map(flat, folder / "nowhere" / "flat.yaml")


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(st.data())
def test_what_is_written_is_read_back(folder, data):
    building = data.draw(maps(folder / "fridge.png"))
    path = folder / "elsewhere" / "map.yaml"
    path.parent.mkdir(exist_ok=True)
    write_map(building, path)
    assert said_by(load_map(path)) == said_by(building)


@pytest.mark.parametrize("says", ["0\xa0", "=\xa0", "yes", "a: b", "# no comment", "- [1, 2]", "'", "…"])
def test_texts_that_yaml_could_misunderstand(folder, says):
    builder = MapBuilder(says, says)
    builder.room("null", (0, 0), (1, 1), says=says)
    hut = builder.build()
    write_map(hut, folder / "hut.yaml")
    assert said_by(load_map(folder / "hut.yaml")) == said_by(hut)


def test_the_office_is_written_and_read_back(tmp_path):
    office = load_map(find_config("maps", "office"))
    write_map(office, tmp_path / "office.yaml")
    assert said_by(load_map(tmp_path / "office.yaml")) == said_by(office)
