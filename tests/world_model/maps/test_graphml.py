"""GraphML: lossless there and back, and what is refused."""

from __future__ import annotations

import networkx as nx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_maps import maps, said_by

from foretree.config import find_config
from foretree.world_model.maps.graphml import GraphmlError, read_graphml, write_graphml
from foretree.world_model.maps.map_file import load_map
from foretree.world_model.ontology_file import load_ontology

FLAT = """\
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="k" for="node" attr.name="kind" attr.type="string"/>
  <key id="r" for="node" attr.name="room" attr.type="string"/>
  <key id="x" for="node" attr.name="x" attr.type="double"/>
  <key id="y" for="node" attr.name="y" attr.type="double"/>
  <key id="lx" for="node" attr.name="low_x" attr.type="double"/>
  <key id="ly" for="node" attr.name="low_y" attr.type="double"/>
  <key id="hx" for="node" attr.name="high_x" attr.type="double"/>
  <key id="hy" for="node" attr.name="high_y" attr.type="double"/>
  <key id="i" for="node" attr.name="image" attr.type="string"/>
  <key id="c" for="node" attr.name="class" attr.type="string"/>
  <key id="t" for="node" attr.name="caption" attr.type="string"/>
  <key id="o" for="edge" attr.name="cost" attr.type="string"/>
  <key id="d" for="edge" attr.name="door" attr.type="string"/>
  <key id="dx" for="edge" attr.name="door_x" attr.type="double"/>
  <key id="dy" for="edge" attr.name="door_y" attr.type="double"/>
  <graph edgedefault="undirected">
    <node id="fridge1">
      <data key="k">asset</data><data key="r">kitchen</data><data key="x">1</data><data key="y">3</data>
      <data key="c">fridge</data><data key="i">fridge.png</data><data key="t">Cold.</data>
    </node>
    <node id="kitchen">
      <data key="k">room</data><data key="r">kitchen</data><data key="x">2</data><data key="y">2</data>
      <data key="lx">0</data><data key="ly">0</data><data key="hx">4</data><data key="hy">4</data>
    </node>
    <node id="hall">
      <data key="k">room</data><data key="r">hall</data><data key="x">6</data><data key="y">2</data>
      <data key="lx">4</data><data key="ly">0</data><data key="hx">8</data><data key="hy">4</data>
    </node>
    <node id="seat">
      <data key="k">pose</data><data key="r">hall</data><data key="x">7</data><data key="y">3</data>
    </node>
    <edge source="fridge1" target="kitchen"/>
    <edge source="hall" target="kitchen">
      <data key="d">door1</data><data key="dx">4</data><data key="dy">2</data><data key="o">50</data>
    </edge>
    <edge source="hall" target="seat"><data key="o">20</data></edge>
  </graph>
</graphml>
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "fridge.png").write_bytes(b"")
    return tmp_path


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(st.data())
def test_nothing_is_lost(folder, data):
    building = data.draw(maps(folder / "fridge.png"))
    path = folder / "elsewhere" / "map.graphml"
    path.parent.mkdir(exist_ok=True)
    write_graphml(building, path)
    assert said_by(read_graphml(path)) == said_by(building)


def test_the_office_survives(tmp_path):
    office = load_map(find_config("maps", "office"))
    write_graphml(office, tmp_path / "office.graphml")
    assert said_by(read_graphml(tmp_path / "office.graphml")) == said_by(office)


def test_other_tools_read_it(tmp_path):
    write_graphml(load_map(find_config("maps", "office")), tmp_path / "office.graphml")
    graph = nx.read_graphml(tmp_path / "office.graphml")
    assert nx.is_connected(graph)
    assert graph.nodes["fridge1"]["class"] == "fridge"
    assert graph.edges["kitchen_door_in", "kitchen_door_out"] == {
        "cost": 10,
        "door": "kitchen_door",
        "door_x": 16.2,
        "door_y": 11.0,
    }


def test_a_map_from_elsewhere(folder):
    path = folder / "flat.graphml"
    path.write_text(FLAT)
    flat = read_graphml(path, load_ontology(find_config("domains", "household")))
    assert flat.name == "flat"  # the graph has no name: the file's
    assert flat.assets["fridge1"].image == folder / "fridge.png"
    assert flat.places.path("fridge1", "seat").cost == 15 + 50 + 20
    assert flat.doors["door1"].between == ("kitchen", "hall")


@pytest.mark.parametrize(
    ("old", "new", "line", "says"),
    [
        ("</graphml>", "</graph>", 39, "not valid XML: mismatched tag"),
        ('edgedefault="undirected"', 'edgedefault="directed"', 17, "edges of a map go both ways"),
        (">pose<", ">post<", 30, "seat: its 'kind' is 'post'. Did you mean pose?"),
        ('<data key="k">pose</data>', "", 30, "seat: it has no 'kind'; docs/maps.md lists"),
        ('<data key="i">fridge.png</data>', "", 18, "fridge1: it has no 'image'; docs/maps.md lists"),
        ("fridge.png", "photo.png", 18, "fridge1.image: there is no file"),
        ('<data key="t">Cold.</data>', "", 18, "fridge1.caption: it says nothing"),
        (
            ">fridge<",
            ">frige<",
            18,
            "fridge1.class: there is no class of asset 'frige'. Did you mean fridge?",
        ),
        ('<data key="lx">4</data>', '<data key="lx">3</data>', 26, "hall: it overlaps kitchen"),
        ('<data key="x">7</data>', '<data key="x">9</data>', 30, "seat.at: [9, 3] is outside hall"),
        (
            '<data key="x">7</data>',
            '<data key="x">nan</data>',
            30,
            "seat: its 'x' is 'nan'; it is a finite number.",
        ),
        (
            '<data key="o">20</data>',
            '<data key="o">-20</data>',
            37,
            "the edge between hall and seat: it costs -20",
        ),
        (
            '<data key="o">20</data>',
            '<data key="o">2.5</data>',
            37,
            "the edge between hall and seat: its 'cost' is 2.5; it is a whole number",
        ),
        (
            '<data key="o">20</data>',
            '<data key="o">far</data>',
            37,
            "the edge between hall and seat: its 'cost' is 'far'; it is a number.",
        ),
        (
            '<edge source="hall" target="seat"><data key="o">20</data></edge>',
            "",
            30,
            "seat: it cannot be reached",
        ),
        (
            '<data key="dx">4</data>',
            '<data key="dx">7</data>',
            34,
            "the edge between kitchen and hall: the way from kitchen to hall passes",
        ),
        ('<data key="dx">4</data>', "", 34, "the edge between kitchen and hall: it has no 'door_x'"),
        ('<data key="dx">4</data>', '<data key="dx">4.2</data>', 35, "door1.at: [4.2, 2] is not on the wall"),
        (
            '<data key="o">20</data>',
            '<data key="d">door1</data><data key="dx">5</data><data key="dy">2</data>',
            37,
            "the edge between hall and seat: door1 is at [5.0, 2.0] here, but at [4.0, 2.0] in another edge.",
        ),
        ('id="seat"', 'id="hall"', 30, "hall: the name is taken already, by another node."),
        ('target="seat"', 'target="seet"', 37, "there is no node 'seet'. Did you mean seat?"),
        (
            '<edge source="fridge1" target="kitchen"/>',
            '<edge source="fridge1" target="kitchen"/>\n<edge source="kitchen" target="fridge1"/>',
            34,
            "the edge between kitchen and fridge1: there already is an edge between them.",
        ),
        ('id="seat"', 'id="The seat"', 30, "The seat: a name starts with a small letter"),
    ],
)
def test_bad_graphs(folder, old, new, line, says):
    assert FLAT.count(old) == 1
    path = folder / "flat.graphml"
    text = FLAT.replace(old, new)
    path.write_text(text.replace('target="seat"', 'target="The seat"') if "The seat" in new else text)
    with pytest.raises(GraphmlError) as refused:
        read_graphml(path, load_ontology(find_config("domains", "household")))
    message = str(refused.value)
    assert message.startswith(f"{path}:{line}:"), message
    assert says in message
    assert "\n" not in message


@pytest.mark.parametrize(
    "text", ["<graphml/>", "<svg/>", '<graphml xmlns="http://graphml.graphdrawing.org/xmlns"/>']
)
def test_xml_that_is_no_graph(tmp_path, text):
    (tmp_path / "a.graphml").write_text(text)
    with pytest.raises(GraphmlError, match=r"a\.graphml: not valid GraphML"):
        read_graphml(tmp_path / "a.graphml")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (' attr.name="caption" attr.type="string"', ' attr.name="caption"'),  # text, by the format's schema
        (' attr.name="x" attr.type="double"', ' attr.name="x"'),
        ('<node id="seat">', '<node id="seat"><port name="north"/>'),
    ],
)
def test_what_is_left_to_the_format_is_no_matter_for_the_terminal(folder, old, new, recwarn):
    assert FLAT.count(old) == 1
    (folder / "plain.graphml").write_text(FLAT)
    (folder / "flat.graphml").write_text(FLAT.replace(old, new))
    read, plain = read_graphml(folder / "flat.graphml"), read_graphml(folder / "plain.graphml")
    assert (read.assets, read.rooms, read.doors) == (plain.assets, plain.rooms, plain.doors)
    assert not recwarn.list


def test_a_number_that_is_text_is_refused_in_our_words(folder, recwarn):
    text = FLAT.replace(' attr.name="x" attr.type="double"', ' attr.name="x"')
    (folder / "flat.graphml").write_text(text.replace('<data key="x">7</data>', '<data key="x">far</data>'))
    with pytest.raises(GraphmlError, match="seat: its 'x' is 'far'; it is a"):
        read_graphml(folder / "flat.graphml")
    assert not recwarn.list


def test_files_that_are_not_there(tmp_path):
    with pytest.raises(GraphmlError, match=r"Cannot read .*: No such file"):
        read_graphml(tmp_path / "a.graphml")
    with pytest.raises(GraphmlError, match=r"Cannot write .*: No such file"):
        write_graphml(load_map(find_config("maps", "office")), tmp_path / "no" / "a.graphml")
