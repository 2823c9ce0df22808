"""The place graph, and the connections that follow the doors."""

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foretree.world_model.beliefs.belief import Belief
from foretree.world_model.beliefs.facts import PredicateInfo, Truth, Vocabulary
from foretree.world_model.maps.places import MapError, Passage, Path, PlaceGraph, sync_doors

VOCABULARY = Vocabulary({"open": PredicateInfo(kind="attribute", observable=True)})


@pytest.fixture
def flat() -> PlaceGraph:
    places = PlaceGraph()
    places.add("hall", (0.0, 0.0, 0.0), "hall", kind="room")
    places.add("table1", (3.0, 0.0, 0.0), "kitchen", kind="asset")
    places.add("fridge1", (3.0, 4.0, 0.0), "kitchen", kind="asset")
    places.connect("hall", "table1", door="door1")
    places.connect("table1", "fridge1")
    places.connect("hall", "fridge1", cost=20)
    return places


def closed(*doors):
    return lambda door: door not in doors


def test_costs_default_to_the_distance(flat):
    assert flat.travel_costs()["travel_cost", "table1", "fridge1"] == 4
    assert flat.travel_costs()["travel_cost", "fridge1", "table1"] == 4


def test_the_cheapest_way_avoids_closed_doors(flat):
    assert flat.path("hall", "fridge1") == Path(("hall", "table1", "fridge1"), 7)
    assert flat.path("hall", "fridge1", closed("door1")) == Path(("hall", "fridge1"), 20)


def test_no_way_is_none(flat):
    flat.add("attic", (0.0, 0.0, 3.0), "attic")
    flat.connect("attic", "hall", door="hatch1")
    assert flat.path("attic", "fridge1", closed("hatch1")) is None
    assert flat.distances("attic", closed("hatch1")) == {"attic": 0}


def test_distances_come_nearest_first(flat):
    assert list(flat.distances("hall").items()) == [("hall", 0), ("table1", 3), ("fridge1", 7)]


def test_neighbours_through_open_doors(flat):
    assert flat.neighbours("hall") == ("table1", "fridge1")
    assert flat.neighbours("hall", closed("door1")) == ("fridge1",)


def test_a_passage_is_found_from_both_ends(flat):
    passage = Passage("hall", "table1", 3, "door1")
    assert flat.passage("hall", "table1") == flat.passage("table1", "hall") == passage
    assert flat.passage("hall", "attic") is None
    assert passage.beyond("hall") == "table1"
    assert passage.beyond("table1") == "hall"


def test_passages_at_a_node(flat):
    assert [passage.cost for passage in flat.passages_at("hall")] == [3, 20]
    assert [passage.cost for passage in flat.passages_at("hall", closed("door1"))] == [20]
    with pytest.raises(MapError, match="no node 'attic'"):
        flat.passages_at("attic")


def test_the_parts_that_closed_doors_leave(flat):
    flat.add("attic", (0.0, 0.0, 3.0), "attic")
    flat.connect("attic", "hall", door="hatch1")
    assert flat.components() == (frozenset({"hall", "table1", "fridge1", "attic"}),)
    assert flat.components(closed("hatch1")) == (
        frozenset({"hall", "table1", "fridge1"}),
        frozenset({"attic"}),
    )


def test_a_copy_is_another_map(flat):
    other = flat.copy()
    other.add("person1", (1.0, 0.0, 0.0), "hall", kind="person")
    other.connect("person1", "hall", door="door1")
    assert "person1" not in flat
    assert len(flat.door_edges("door1")) == 1
    assert len(list(flat.passages())) == 3
    assert set(other.passages()) - set(flat.passages()) == {Passage("person1", "hall", 1, "door1")}


def test_rooms(flat):
    assert flat.rooms() == ("hall", "kitchen")
    assert flat.room_of("fridge1") == "kitchen"
    assert flat.nodes_in("kitchen") == ("table1", "fridge1")


def test_connections_are_the_free_passages_both_ways(flat):
    free = set(flat.connections(closed("door1")))
    assert ("connected", "hall", "table1") not in free
    assert {("connected", "hall", "fridge1"), ("connected", "fridge1", "hall")} <= free
    assert set(flat.connections()) - free == {
        ("connected", "hall", "table1"),
        ("connected", "table1", "hall"),
    }


def test_doors_know_their_passages(flat):
    assert flat.doors() == ("door1",)
    assert [(p.one, p.other) for p in flat.door_edges("door1")] == [("hall", "table1")]
    assert set(flat.door_facts()) == {
        ("has_door", "door1", "hall", "table1"),
        ("has_door", "door1", "table1", "hall"),
    }


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda p: p.add("hall", (0, 0, 0), "x"), "already has a node 'hall', in hall"),
        (lambda p: p.connect("hall", "tabel1"), "no node 'tabel1'. Did you mean table1"),
        (lambda p: p.connect("hall", "hall"), "to itself"),
        (lambda p: p.connect("table1", "hall"), "already has a passage"),
        (lambda p: p.path("hall", "nowhere"), "no node 'nowhere'"),
    ],
)
def test_a_map_that_contradicts_itself_is_refused(flat, build, message):
    with pytest.raises(MapError, match=message):
        build(flat)


def test_negative_costs_are_refused(flat):
    flat.add("bed1", (9.0, 9.0, 0.0), "bedroom", kind="asset")
    with pytest.raises(MapError, match="costs are at least 0"):
        flat.connect("bed1", "hall", cost=-1)


# -- sync_doors --------------------------------------------------------------------------------------


def test_connections_follow_the_belief_about_doors(flat):
    belief = Belief(VOCABULARY)
    for atom in flat.connections():
        belief.tell(atom, source="map")
    belief.tell(("open", "door1"), False)
    sync_doors(belief, flat, 1.0)
    assert belief.truth(("connected", "hall", "table1")) is Truth.FALSE
    assert belief.truth(("connected", "table1", "hall")) is Truth.FALSE
    assert belief.truth(("connected", "table1", "fridge1")) is Truth.TRUE
    belief.tell(("open", "door1"), True, confidence=0.9)
    sync_doors(belief, flat, 2.0)
    assert belief.truth(("connected", "table1", "hall")) is Truth.TRUE
    assert belief.fact(("connected", "table1", "hall")).confidence == 0.9


def test_a_door_nobody_knows_about_counts_as_closed(flat):
    belief = Belief(VOCABULARY)
    for atom in flat.connections():
        belief.tell(atom, source="map")
    sync_doors(belief, flat, 1.0)
    assert belief.truth(("connected", "hall", "table1")) is Truth.FALSE


def test_nothing_is_told_twice(flat):
    belief = Belief(VOCABULARY)
    belief.tell(("open", "door1"))
    sync_doors(belief, flat, 1.0)
    version = belief.version
    sync_doors(belief, flat, 2.0)
    assert belief.version == version


# -- properties --------------------------------------------------------------------------------------

edges = st.lists(
    st.tuples(st.integers(0, 6), st.integers(0, 6), st.integers(0, 9), st.sampled_from([None, "d1", "d2"])),
    max_size=14,
)


@settings(max_examples=60, deadline=None)
@given(edges, st.sets(st.sampled_from(["d1", "d2"])))
def test_the_cheapest_way_is_the_cheapest_of_all_ways(edges, shut):
    places = PlaceGraph()
    for n in range(7):
        places.add(f"n{n}", (float(n), 0.0, 0.0), "room")
    cost: dict[tuple[str, str], int] = {}
    for one, other, price, door in edges:
        a, b = f"n{one}", f"n{other}"
        if a == b or (a, b) in cost:
            continue
        places.connect(a, b, cost=price, door=door)
        cost[a, b] = cost[b, a] = price if door not in shut else 10**6
    # Floyd and Warshall as the oracle.
    nodes = [place.name for place in places.places()]
    best = {(a, b): 0 if a == b else cost.get((a, b), 10**6) for a in nodes for b in nodes}
    for k in nodes:
        for a in nodes:
            for b in nodes:
                best[a, b] = min(best[a, b], best[a, k] + best[k, b])
    for goal in nodes:
        path = places.path("n0", goal, closed(*shut))
        if path is None:
            assert best["n0", goal] >= 10**6
        else:
            assert path.cost == best["n0", goal] == places.distances("n0", closed(*shut))[goal]
            assert path.nodes[0] == "n0"
            assert path.nodes[-1] == goal


@settings(max_examples=60, deadline=None)
@given(edges)
def test_among_equally_cheap_ways_the_one_of_networkx_is_taken(edges):
    places, peer = PlaceGraph(), nx.Graph()
    for n in range(7):
        places.add(f"n{n}", (float(n), 0.0, 0.0), "room")
        peer.add_node(f"n{n}")
    for one, other, price, _ in edges:
        a, b = f"n{one}", f"n{other}"
        if a != b and places.passage(a, b) is None:
            places.connect(a, b, cost=price % 3)  # so few different costs that ties are common
            peer.add_edge(a, b, cost=price % 3)
    assert [(p.one, p.other) for p in places.passages()] == [
        (p.one, p.other) for p in (places.passage(*edge) for edge in peer.edges)
    ]
    costs, ways = nx.single_source_dijkstra(peer, "n0", weight="cost")
    assert list(places.distances("n0").items()) == list(costs.items())
    for goal, way in ways.items():
        assert places.path("n0", goal) == Path(tuple(way), costs[goal])


# -- maps that change --------------------------------------------------------------------------------


def changing():
    places = PlaceGraph()
    for number, name in enumerate("abc"):
        places.add(name, (float(number), 0.0, 0.0), "hall")
    places.connect("a", "b", 2, door="d")
    places.connect("b", "c", 3)
    return places


def test_a_passage_can_be_taken_out_with_its_door():
    places = changing()
    places.disconnect("b", "a")
    assert places.passage("a", "b") is None
    assert places.doors() == ()
    assert places.path("a", "c") is None
    places.disconnect("a", "b")  # there is none any more


def test_a_node_can_be_taken_out_with_its_passages():
    places = changing()
    places.remove("b")
    assert "b" not in places
    assert list(places.passages()) == []
    assert places.travel_costs() == {}
    with pytest.raises(MapError, match="no node 'b'"):
        places.remove("b")


def test_a_node_can_turn_out_to_be_elsewhere():
    places = changing()
    places.move("a", (5.0, 5.0, 0.0))
    assert places.place("a").pose == (5.0, 5.0, 0.0)
    assert places.place("a").room == "hall"


def test_every_change_counts_and_nothing_else_does():
    places = changing()
    revision = places.revision
    places.move("a", places.place("a").pose)
    places.disconnect("a", "c")
    assert places.revision == revision
    for change in (
        lambda: places.move("a", (5.0, 5.0, 0.0)),
        lambda: places.disconnect("a", "b"),
        lambda: places.connect("a", "c"),
        lambda: places.remove("b"),
        lambda: places.add("e", (0.0, 0.0, 0.0), "hall"),
    ):
        change()
        assert places.revision > revision
        revision = places.revision
