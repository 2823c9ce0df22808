from __future__ import annotations

import random
from collections import Counter

import pytest
import yaml
from random_scripts import random_faults

from foretree.clock import SimulatedClock
from foretree.config import ConfigError, find_config
from foretree.simulation.household.initial_belief import initial_belief
from foretree.simulation.household.scene import scatter
from foretree.simulation.household.scene_file import load_scene, scene_domain
from foretree.simulation.household.states_and_relations import takes_one, ways_to_rest
from foretree.simulation.household.world import HouseholdWorld
from foretree.world_model.beliefs.facts import Truth
from foretree.world_model.tracking.tracker import Tracker

OFFICE = {
    "scene": "small",
    "domain": "tabletop",
    "map": "office",
    "states": {"door601": ["open"], "window1": ["open"]},
    "items": {
        "tray1": {"class": "tray", "on": "table601"},
        "cup1": {"class": "cup", "on": "tray1", "states": ["clean"]},
        "block1": {"class": "red_block", "on": "table601"},
    },
    "robot": {"at": "dock"},
}


@pytest.fixture(scope="module")
def floor(tabletop):
    return load_scene(find_config("scenes", "office"), tabletop)


@pytest.fixture(scope="session")
def small(tabletop, tmp_path_factory):
    def make(**changes):
        path = tmp_path_factory.mktemp("scenes") / "small.yaml"
        path.write_text(yaml.safe_dump({**OFFICE, **changes}, sort_keys=False))
        return load_scene(path, tabletop)

    return make


def test_the_office_floor_is_full_of_things(floor):
    assert len(floor.furniture) == 31
    assert len(floor.doors) == 18
    assert Counter(node.kind for node in floor.nodes()) == {"pose": 43, "room": 18, "asset": 31}
    assert len(floor.items) > 100
    assert len({item.place for item in floor.items.values()} & set(floor.furniture)) > 25
    assert 4 < sum(door.open for door in floor.doors.values()) < 14
    assert len(floor.instructions) == 12
    assert {item.class_name for item in floor.items.values()} <= set(floor.scattered)


def test_its_things_are_where_the_map_has_its_furniture(small):
    scene = small()
    assert scene.furniture["table601"].room == "office601_602"
    assert "open" in scene.furniture["window1"].states
    assert scene.doors["door601"].open
    assert not scene.doors["door602"].open
    assert set(scene.doors["door601"].rooms) == {"lobby", "office601_602"}
    world = HouseholdWorld(scene, SimulatedClock())
    assert world.house.node_of(world.house.named("cup1")) == "table601"


def test_one_drives_along_the_edges_of_the_map(small):
    places = small().places
    assert places.passage("dock", "door614_out") is not None
    assert places.passage("dock", "flower_bed1") is None


@pytest.mark.parametrize("hands", [["left_hand"], ["left_hand", "right_hand"]])
def test_the_agent_is_told_the_map(tabletop, hands):
    scene = load_scene(find_config("scenes", "office"), tabletop, {"robot.hands": f"[{', '.join(hands)}]"})
    belief = initial_belief(scene, SimulatedClock())
    for atom in [
        ("rob_at_node", "robot1", "dock"),
        ("obj_at_node", "fridge1", "fridge1"),
        ("connected", "dock", "door614_out"),
        ("connected", "door601_in", "door601_out"),
        ("has_door", "door603", "door603_in", "door603_out"),
        ("open", "door601"),
        ("class", "dock", "waypoint"),
        ("container", "fridge1"),
        ("on", "cup3", "tray1"),
        ("in", "old_battery1", "remote1"),
        *(("hand_free", "robot1", hand) for hand in hands),
    ]:
        assert belief.truth(atom) is Truth.TRUE, atom
    assert belief.truth(("connected", "door603_in", "door603_out")) is Truth.FALSE
    told = {atom for atom in belief.snapshot().true_atoms() if atom[0] == "rob_has_hand"}
    assert told == {("rob_has_hand", "robot1", hand) for hand in hands}
    at_node = {atom for atom in belief.snapshot().true_atoms() if atom[0] == "obj_at_node"}
    assert {atom[1] for atom in at_node} == set(scene.furniture)


def test_the_first_sight_confirms_what_was_told(floor):
    world = HouseholdWorld(floor, SimulatedClock())
    tracker = Tracker(initial_belief(floor, SimulatedClock()), floor.ontology, floor.places)
    for node in floor.furniture:
        world.house.arrive(node)
        for observation in world.robot.observations():
            changes = tracker.observe(observation)
            assert changes.appeared == changes.lost == changes.reclassified == changes.moved == (), node


def test_chance_and_scripts_of_faults_can_strike_there(floor):
    for seed in range(20):
        HouseholdWorld(floor, SimulatedClock(), faults=random_faults(floor, seed, rate=0.6))
    world = HouseholdWorld(
        floor,
        SimulatedClock(),
        faults=[
            "at 0: close door601",
            "at 0: block corridor_north kitchen_door_out",
            "at 0: move mango1 table601",
        ],
    )
    world.advance()
    house = world.house
    assert not house.named("door601").is_open
    assert not house.is_passable(house.passage_between("kitchen_door_out", "corridor_north"))
    assert house.node_of(house.named("mango1")) == "table601"


# -- mistakes ----------------------------------------------------------------------------------------

WRONG = {
    "an unknown map": ({"map": "offise"}, r"map: There is no map called 'offise'.*office"),
    "an unknown domain": ({"domain": "tabeltop"}, r"domain: .*tabletop"),
    "things of another domain": (
        {"domain": "household"},
        r"domain: its things are of the domain household, but are to be those of tabletop",
    ),
    "rooms as well": ({"rooms": {}}, r"rooms: there is no such key"),
    "a state of nothing": ({"states": {"door600": ["open"]}}, r"states\.door600: there is no asset or door"),
    "a state that cannot be": ({"states": {"table601": ["open"]}}, r"no state of a table 'open'.*wiped"),
    "a name of the map": ({"items": {"dock": {"class": "cup", "on": "table601"}}}, r"taken already, in map"),
    "a robot nowhere": ({"robot": {"at": "dick"}}, r"robot\.at: there is no node 'dick'.*dock"),
    "on itself": ({"items": {"tray1": {"class": "tray", "on": "tray1"}}}, r"items\.tray1: .* on tray1"),
    "in a circle": (
        {"items": {"a": {"class": "tray", "on": "b"}, "b": {"class": "tray", "on": "a"}}},
        r"items\.a: it rests, in the end, on",
    ),
    "on what holds nothing": (
        {"items": {"a": {"class": "apple", "on": "b"}, "b": {"class": "apple", "on": "table601"}}},
        r"items\.a\.on: a thing cannot be on a apple; nothing can be put there",
    ),
    "hung up what does not hang": (
        {"items": {"a": {"class": "cup", "hung_on": "drying_rack1"}}},
        r"items\.a\.hung_on: a cup cannot be hung_on a drying_rack",
    ),
    "no battery in a slot": (
        {"items": {"a": {"class": "pen", "in": "b"}, "b": {"class": "remote", "on": "table601"}}},
        r"a pen cannot be in a remote",
    ),
    "two things where there is room for one": (
        {
            "items": {
                "a": {"class": "cup", "under": "coffee_maker1"},
                "b": {"class": "cup", "under": "coffee_maker1"},
            }
        },
        r"items\.b\.under: only one thing can be under coffee_maker1, and a is",
    ),
    "scattered where it cannot lie": (
        {"scattered": [{"classes": ["cup"], "hung_on": ["drying_rack1"]}]},
        r"scattered\.0\.hung_on: a cup cannot just be left hung_on a drying_rack",
    ),
    "scattered where there is room for one": (
        {"scattered": [{"classes": ["cup"], "under": ["coffee_maker1"]}]},
        r"a cup cannot just be left under a coffee_maker",
    ),
    "scattered what is nothing": (
        {"scattered": [{"classes": ["cupp"], "on": ["table601"]}]},
        r"no class of item 'cupp'.*cup",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_mistake_is_explained(small, case):
    changes, says = WRONG[case]
    with pytest.raises(ConfigError, match=rf"small\.yaml:\d+.*{says}"):
        small(**changes)


# -- scattering --------------------------------------------------------------------------------------


def test_scattered_things_lie_where_such_things_lie(floor):
    ontology = floor.ontology
    for seed in range(20):
        scene = scatter(floor, random.Random(seed))
        assert list(scene.items) == list(floor.items)
        for item in scene.items.values():
            place = ontology[scene.class_of(item.place)]
            assert (item.relation, item.place) in scene.scattered[item.class_name]
            assert item.relation in ways_to_rest(ontology[item.class_name], place)
            assert not takes_one(item.relation, place)
            assert item.states == floor.items[item.name].states
        HouseholdWorld(scene, SimulatedClock())


def test_scattering_moves_things_doors_and_the_robot_and_repeats_itself(floor):
    scenes = [scatter(floor, random.Random(seed)) for seed in range(10)]
    again = [scatter(floor, random.Random(seed)) for seed in range(10)]
    assert [(s.items, s.doors, s.robot) for s in scenes] == [(s.items, s.doors, s.robot) for s in again]
    assert len({s.robot.start for s in scenes}) > 4
    assert len({tuple(sorted(n for n, d in s.doors.items() if d.open)) for s in scenes}) == 10
    assert len({s.items["mango1"].place for s in scenes}) > 2


def test_what_is_fixed_stays_with_all_that_it_rests_on(floor):
    fixed = ("old_battery1", "cup3", "door601", "robot1")
    for seed in range(10):
        scene = scatter(floor, random.Random(seed), fixed)
        for name in ("old_battery1", "remote1", "cup3", "tray1"):
            assert scene.items[name] == floor.items[name]
        assert scene.doors["door601"] == floor.doors["door601"]
        assert scene.robot == floor.robot


@pytest.mark.parametrize(("closed", "open_doors"), [(0.0, 18), (1.0, 0)])
def test_doors_are_closed_as_often_as_is_said(floor, closed, open_doors):
    doors = scatter(floor, random.Random(3), closed=closed).doors
    assert sum(door.open for door in doors.values()) == open_doors


def test_an_unknown_domain_is_told_by_its_place(tmp_path):
    path = tmp_path / "small.yaml"
    path.write_text("scene: small\nmap: office\ndomain: tabeltop\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"small\.yaml:3: domain: .*Did you mean tabletop"):
        scene_domain(path)
