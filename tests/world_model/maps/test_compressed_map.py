"""The compressed map: what it keeps, that it loses nothing, and that only what is touched is worked out anew."""

from __future__ import annotations

from itertools import chain, combinations, pairwise

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foretree.world_model.maps.compressed_map import CompressedMap
from foretree.world_model.maps.places import MapError, PassageState, PlaceGraph


def line_of(*passages, nodes=None):
    """A map from passages such as ``a-b:3`` or, with a door, ``a-b:3/door1``."""
    places = PlaceGraph()
    edges = []
    for text in passages:
        ends, _, rest = text.partition(":")
        cost, _, door = rest.partition("/")
        edges.append((*ends.split("-"), int(cost), door or None))
    for node in nodes or dict.fromkeys(end for edge in edges for end in edge[:2]):
        places.add(node, (0.0, 0.0, 0.0), "room")
    for one, other, cost, door in edges:
        places.connect(one, other, cost, door)
    return places


@pytest.fixture
def corridor() -> PlaceGraph:
    """Offices along a corridor c1 … c4, with a back door between the offices 2 and 3."""
    offices = [f"c{n}-o{n}:1/door{n}" for n in range(1, 5)]
    return line_of("c1-c2:5", "c2-c3:5", "c3-c4:5", *offices, "o2-o3:4/back")


def test_ways_run_between_the_kept_nodes_with_their_waypoints(corridor):
    layout = CompressedMap(corridor, ["o1", "c4"]).roadmap()
    assert layout.nodes == ("c4", "o1")
    assert [(path.nodes, path.cost) for path in layout.ways.values()] == [
        (("c4", "c3", "c2", "c1", "o1"), 16)
    ]
    assert layout.way("o1", "c4") == ("o1", "c1", "c2", "c3", "c4")
    assert layout.closed == ()


def test_a_way_through_another_kept_node_is_left_out(corridor):
    layout = CompressedMap(corridor, ["c1", "c2", "c3"]).roadmap()
    assert {frozenset(pair) for pair in layout.ways} == {frozenset(("c1", "c2")), frozenset(("c2", "c3"))}


def test_the_robot_is_kept_wherever_it_stands(corridor):
    floor = CompressedMap(corridor, ["c1", "c4"])
    floor.robot_at("o3")
    assert floor.roadmap().nodes == ("c1", "c4", "o3")
    floor.robot_at("c3", "o1")
    assert floor.roadmap().nodes == ("c1", "c3", "c4", "o1")


def test_a_closed_door_in_the_way_stays_with_its_sides(corridor):
    floor = CompressedMap(corridor, ["o1", "c4"])
    floor.set_door("door1", False)
    layout = floor.roadmap()
    assert [passage.door for passage in layout.closed] == ["door1"]
    assert layout.nodes == ("c1", "c4", "o1")
    assert {frozenset(pair) for pair in layout.ways} == {frozenset(("c1", "c4"))}
    assert layout.way("c1", "o1") == ("c1", "o1")


def test_closed_doors_that_nobody_has_to_open_vanish(corridor):
    floor = CompressedMap(corridor, ["c1", "c4"])
    for door in ("door1", "door2", "door3", "back"):
        floor.set_door(door, False)
    layout = floor.roadmap()
    assert layout.closed == ()
    assert layout.nodes == ("c1", "c4")


def test_a_closed_door_on_a_longer_way_is_kept_where_the_shorter_way_is_closed_as_well(corridor):
    floor = CompressedMap(corridor, ["o2", "c4"])
    for door in ("door2", "back", "door1"):
        floor.set_door(door, False)
    assert [passage.door for passage in floor.roadmap().closed] == ["door2", "back"]


def test_a_closed_short_cut_does_not_hide_the_detour():
    """A door between a and b, and a way round: one pair of nodes cannot have two costs."""
    places = line_of("a-b:1/door", "a-x:5", "x-y:5", "y-b:5")
    floor = CompressedMap(places, ["a", "b"])
    floor.set_door("door", False)
    layout = floor.roadmap()
    assert [passage.door for passage in layout.closed] == ["door"]
    assert layout.nodes == ("a", "b", "x")
    assert {frozenset(pair): path.cost for pair, path in layout.ways.items()} == {
        frozenset(("a", "x")): 5,
        frozenset(("x", "b")): 10,
    }


def test_a_closed_door_that_is_no_short_cut_vanishes():
    places = line_of("a-b:10/door", "a-x:5", "x-b:5")
    floor = CompressedMap(places, ["a", "b"])
    floor.set_door("door", False)
    assert floor.roadmap().closed == ()


def test_doors_that_a_goal_names_are_kept(corridor):
    floor = CompressedMap(corridor, ["c1"])
    floor.set_door("door4", False)
    floor.keep_doors(["door4", "door3"])
    layout = floor.roadmap()
    assert [passage.door for passage in layout.closed] == ["door4"]
    assert layout.nodes == ("c1", "c4", "o4")


def test_what_is_blocked_cannot_be_passed_or_opened(corridor):
    floor = CompressedMap(corridor, ["c1", "c4"])
    floor.set_passage("c2", "c3", PassageState.BLOCKED)
    layout = floor.roadmap()
    assert layout.way("c1", "c4") == ("c1", "c2", "o2", "o3", "c3", "c4")
    floor.set_passage("o3", "o2", PassageState.BLOCKED)
    assert floor.roadmap().ways == {}
    floor.set_door("back", False)
    assert floor.roadmap().closed == ()
    floor.set_passage("c3", "c2", PassageState.FREE)
    assert floor.roadmap().way("c1", "c4") == ("c1", "c2", "c3", "c4")
    floor.set_passage("c2", "c3", PassageState.BLOCKED)
    floor.set_passage("o2", "o3", PassageState.CLOSED)
    assert [passage.door for passage in floor.roadmap().closed] == ["back"]


def test_a_door_with_two_passages_opens_one_or_both():
    places = line_of("a-b:1/door", "a-c:9/door", "b-c:1")
    floor = CompressedMap(places, ["a", "c"])
    floor.set_door("door", False)
    assert not floor.is_open("door")
    floor.follow(lambda passage: PassageState.FREE if passage.other == "c" else PassageState.CLOSED)
    assert not floor.is_open("door")
    assert floor.roadmap().ways["a", "c"].cost == 9
    floor.set_door("door", True)
    assert floor.is_open("door")
    assert floor.roadmap().ways["a", "c"].cost == 2


# -- only what is touched ------------------------------------------------------------------------------------


def work_of(floor, change):
    """How many nodes are visited because of a change."""
    floor.roadmap()
    before = floor.work
    change(floor)
    floor.roadmap()
    return floor.work - before


def test_without_a_change_nothing_is_worked_out_again(corridor):
    floor = CompressedMap(corridor, ["o1", "o4", "c3"])
    layout = floor.roadmap()
    floor.set_door("door1", True)
    floor.set_terminals(["c3", "o4", "o1"])
    floor.robot_at()
    assert floor.roadmap() is layout


@pytest.fixture
def long_corridor() -> CompressedMap:
    """Two hundred offices; what matters is at one end."""
    passages = [f"c{n}-c{n + 1}:2" for n in range(200)] + [f"c{n}-o{n}:1/d{n}" for n in range(200)]
    floor = CompressedMap(line_of(*passages), ["o1", "o3", "c5"])
    floor.robot_at("c0")
    return floor


def test_what_happens_elsewhere_costs_nothing(long_corridor):
    for number in range(10, 200):
        assert work_of(long_corridor, lambda floor, door=f"d{number}": floor.set_door(door, False)) == 0
    assert work_of(long_corridor, lambda floor: floor.set_door("d100", True)) == 0
    assert work_of(long_corridor, lambda floor: floor.set_passage("c100", "c101", PassageState.BLOCKED)) == 0
    assert work_of(long_corridor, lambda floor: floor.set_passage("c100", "c101", PassageState.FREE)) == 0


def test_a_moving_robot_costs_one_search_as_far_as_the_kept_nodes(long_corridor):
    assert 0 < work_of(long_corridor, lambda floor: floor.robot_at("c2")) <= 15
    assert work_of(long_corridor, lambda floor: floor.robot_at("o3")) == 0  # kept anyway


def test_a_new_terminal_costs_one_search_as_far_as_the_kept_nodes(long_corridor):
    nodes = ["o1", "o3", "c5", "o6"]
    assert 0 < work_of(long_corridor, lambda floor: floor.set_terminals(nodes)) <= 40


def test_a_door_costs_what_lies_behind_it(long_corridor):
    assert work_of(long_corridor, lambda floor: floor.set_door("d3", False)) <= 20
    assert work_of(long_corridor, lambda floor: floor.set_door("d3", True)) <= 20


def test_a_large_floor_is_laid_out_with_the_work_of_a_small_one():
    def work(size):
        passages = [f"c{n}-c{n + 1}:2" for n in range(size)] + [f"c{n}-o{n}:1/d{n}" for n in range(size)]
        floor = CompressedMap(line_of(*passages), ["o1", "o3", "o8", "c5"])
        for number in range(0, size, 2):
            floor.set_door(f"d{number}", False)
        assert [passage.door for passage in floor.roadmap().closed] == ["d8"]
        return floor.work

    assert work(1000) == work(20)


# -- nothing is lost -----------------------------------------------------------------------------------------


@st.composite
def floors(draw):
    """A connected map of a few nodes, with loops, doors and passages that cost nothing."""
    size = draw(st.integers(2, 9))
    names = [f"n{number}" for number in range(size)]
    edges = {(draw(st.integers(0, number - 1)), number) for number in range(1, size)}
    for _ in range(draw(st.integers(0, 6))):
        a, b = draw(st.integers(0, size - 1)), draw(st.integers(0, size - 1))
        if a != b:
            edges.add((min(a, b), max(a, b)))
    places = PlaceGraph()
    for name in names:
        places.add(name, (0.0, 0.0, 0.0), "room")
    for number, (a, b) in enumerate(sorted(edges)):
        door = f"d{draw(st.sampled_from([number, number, 0]))}" if draw(st.booleans()) else None
        places.connect(names[a], names[b], draw(st.integers(0, 4)), door)
    return places


class Told:
    """A map, and what it was told of terminals and robots."""

    def __init__(self, floor, terminals=()):
        self.floor, self.terminals, self.robots = floor, list(terminals), []

    def tell(self, draw):
        """A random change."""
        floor = self.floor
        nodes = [place.name for place in floor.places.places()]
        passage = draw(st.sampled_from(list(floor.places.passages())))
        match draw(st.integers(0, 6)):
            case 0:
                self.terminals = draw(st.lists(st.sampled_from(nodes), max_size=4))
                floor.set_terminals(self.terminals)
            case 1:
                self.robots = draw(st.lists(st.sampled_from(nodes), max_size=2))
                floor.robot_at(*self.robots)
            case 2 | 3:
                possible = [
                    state for state in PassageState if passage.door or state is not PassageState.CLOSED
                ]
                floor.set_passage(passage.one, passage.other, draw(st.sampled_from(possible)))
            case _ if passage.door is not None:
                floor.set_door(passage.door, draw(st.booleans()))


def subsets(items):
    return chain.from_iterable(combinations(items, size) for size in range(len(items) + 1))


def distances(nodes, edges):
    graph = nx.Graph()
    graph.add_nodes_from(nodes)
    for one, other, cost in edges:
        if not graph.has_edge(one, other) or graph.edges[one, other]["weight"] > cost:
            graph.add_edge(one, other, weight=cost)
    return dict(nx.all_pairs_dijkstra_path_length(graph))


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_whatever_doors_are_opened_the_ways_cost_the_same(data):
    """For each set of closed doors that a plan might open, and each two terminals, after random changes."""
    draw = data.draw
    places = draw(floors())
    names = [place.name for place in places.places()]
    terminals = draw(st.lists(st.sampled_from(names), min_size=1, max_size=4))
    floor = CompressedMap(places, terminals)
    told = Told(floor, terminals)
    for _ in range(draw(st.integers(0, 6))):
        told.tell(draw)
        if draw(st.booleans()):
            floor.roadmap()
    layout = floor.roadmap()
    terminals = sorted({*told.terminals, *told.robots})
    assert set(terminals) <= set(layout.nodes)
    closed = [p for p in places.passages() if floor.state(p) is PassageState.CLOSED]
    free = [p for p in places.passages() if floor.state(p) is PassageState.FREE]
    for opened in subsets(closed[:6]):
        full = distances(names, [(p.one, p.other, p.cost) for p in [*free, *opened]])
        short = distances(
            layout.nodes,
            [(*pair, path.cost) for pair, path in layout.ways.items()]
            + [(p.one, p.other, p.cost) for p in opened if p in layout.closed],
        )
        for one in terminals:
            assert {t: c for t, c in full[one].items() if t in terminals} == {
                t: c for t, c in short[one].items() if t in terminals
            }
    for (one, other), path in layout.ways.items():
        assert path.nodes[0] == one
        assert path.nodes[-1] == other
        assert not set(path.nodes[1:-1]) & set(layout.nodes)
        steps = [{one, other} for one, other in pairwise(path.nodes)]
        assert path.cost == sum(min(p.cost for p in free if {p.one, p.other} == step) for step in steps)
    # No pair of nodes stands for two things of different cost.
    assert not {frozenset((p.one, p.other)) for p in layout.closed} & {
        frozenset(pair) for pair in layout.ways
    }


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_the_order_of_changes_leaves_no_trace(data):
    draw = data.draw
    places = draw(floors())
    floor = CompressedMap(places)
    told = Told(floor)
    for _ in range(draw(st.integers(1, 10))):
        told.tell(draw)
        floor.roadmap()
    fresh = CompressedMap(places, told.terminals)
    fresh.robot_at(*told.robots)
    fresh.follow(floor.state)
    assert floor.roadmap() == fresh.roadmap()


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_a_door_on_no_simple_way_between_terminals_is_not_kept(data):
    draw = data.draw
    places = draw(floors())
    names = [place.name for place in places.places()]
    terminals = draw(st.lists(st.sampled_from(names), min_size=1, max_size=3, unique=True))
    floor = CompressedMap(places, terminals)
    for door in places.doors():
        if draw(st.booleans()):
            floor.set_door(door, False)
    graph = nx.Graph([(p.one, p.other) for p in places.passages()])
    on_simple_ways = {
        frozenset(step)
        for one, other in combinations(terminals, 2)
        for way in nx.all_simple_paths(graph, one, other)
        for step in pairwise(way)
    }
    for passage in floor.roadmap().closed:
        assert frozenset((passage.one, passage.other)) in on_simple_ways


# -- mistakes ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mistake", "says"),
    [
        (lambda floor: floor.set_terminals(["c9"]), "no node 'c9'. Valid: c1"),
        (lambda floor: floor.robot_at("o9"), "no node 'o9'. Valid: c1"),
        (lambda floor: floor.set_door("door9", True), "no door 'door9'. Did you mean"),
        (lambda floor: floor.keep_doors(["dor1"]), "no door 'dor1'. Did you mean door1"),
        (lambda floor: floor.is_open("back1"), "no door 'back1'. Did you mean back"),
        (
            lambda floor: floor.set_passage("c1", "c3", PassageState.BLOCKED),
            "no passage between 'c1' and 'c3'. Next to 'c1': c2, o1.",
        ),
        (lambda floor: floor.roadmap().way("c1", "o3"), "no way from 'c1' to 'o3'"),
    ],
)
def test_mistakes_say_what_would_have_been_valid(corridor, mistake, says):
    floor = CompressedMap(corridor, ["c1", "c2"])
    with pytest.raises(MapError) as error:
        mistake(floor)
    assert says in str(error.value)
