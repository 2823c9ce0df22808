from __future__ import annotations

import pytest

from foretree.clock import SimulatedClock
from foretree.simulation.household.initial_belief import initial_belief
from foretree.world_model.beliefs.facts import Truth

YES, NO, UNKNOWN = Truth.TRUE, Truth.FALSE, Truth.UNKNOWN


def belief_of(scene):
    return initial_belief(scene, SimulatedClock())


def test_the_map_and_the_body_are_always_told(lab):
    belief = belief_of(lab(known="map"))
    for atom in [
        ("rob_at_node", "robot1", "table1"),
        ("rob_has_hand", "robot1", "left"),
        ("hand_free", "robot1", "right"),
        ("connected", "table1", "fridge1"),
        ("connected", "fridge1", "kitchen"),
        ("has_door", "door1", "door1_kitchen_side", "door1_hall_side"),
        ("container", "fridge1"),
        ("openable", "door1"),
        ("open", "sink1"),
        ("class", "fridge1", "fridge"),
        ("class", "person1", "person"),
    ]:
        assert belief.truth(atom) is YES, atom
    assert belief.truth(("connected", "table1", "table2")) is NO
    assert belief.truth(("connected", "door1_kitchen_side", "door1_hall_side")) is NO
    assert all(belief.entity(name).fixed for name in ("fridge1", "door1", "robot1", "left", "kitchen"))
    assert belief.entity("fridge1").pose == (1.0, 5.0, 0.0)


@pytest.mark.parametrize(
    ("known", "mango", "fridge"),
    [("everything", YES, NO), ("map", UNKNOWN, UNKNOWN), (["mango1"], YES, UNKNOWN)],
)
def test_what_is_told_of_items_and_states(lab, known, mango, fridge):
    belief = belief_of(lab(known=known))
    assert belief.truth(("on", "mango1", "table1")) is mango
    assert (belief.entity("mango1") is not None) is (mango is YES)
    assert belief.truth(("open", "fridge1")) is fridge
    assert (belief.entity("milk1") is not None) is (known == "everything")


def test_what_is_told_is_not_certain(lab):
    belief = belief_of(lab())
    fact = belief.fact(("on", "mango1", "table1"))
    assert (fact.confidence, fact.source) == (0.95, "told")
    assert belief.fact(("filled", "kettle1")).truth is YES
    assert belief.fact(("filled", "mug1")).truth is NO
    assert belief.truth(("sliceable", "mango1")) is YES
    entity = belief.entity("mango1")
    assert (entity.classes, entity.fixed) == ({"mango": 0.95}, False)


def test_items_are_told_where_the_world_has_them(lab, drive):
    belief, house = belief_of(lab()), drive().house
    for name in house.scene.items:
        assert belief.entity(name).pose == house.pose_of(house.named(name))


def test_a_stale_belief_is_told_as_if_it_were_so(lab):
    belief = belief_of(lab(known=["mug1"], believed={"mango1": {"in": "fridge1", "states": ["cold"]}}))
    assert belief.truth(("in", "mango1", "fridge1")) is YES
    assert belief.truth(("on", "mango1", "table1")) is NO
    assert belief.truth(("cold", "mango1")) is YES
    assert belief.entity("mango1").pose[:2] == (1.0, 5.0)
    assert belief.entity("mug1") is not None


def test_an_open_door_is_only_known_to_whom_knows_everything(lab):
    doors = {"door1": {"between": ["kitchen", "hall"], "open": True}}
    through = ("connected", "door1_kitchen_side", "door1_hall_side")
    assert belief_of(lab(doors=doors)).truth(through) is YES
    assert belief_of(lab(doors=doors, known="map")).truth(through) is NO


def test_the_place_graph_is_complete_in_a_room_and_costs_decimetres(lab):
    scene = lab()
    places = scene.places
    kitchen = places.nodes_in("kitchen")
    furniture = {"table1", "fridge1", "microwave1", "sink1", "rack1", "lamp1"}
    assert set(kitchen) == {*furniture, "kitchen", "person1", "door1_kitchen_side"}
    for node in kitchen:
        assert set(places.neighbours(node, lambda door: False)) == set(kitchen) - {node}
    assert places.path("table1", "fridge1").cost == 32  # 3.162 m, rounded up
    assert places.path("table1", "person1").cost == 30
    assert places.path("table1", "table2", lambda door: False) is None
    assert places.path("table1", "table2").nodes == (
        "table1",
        "door1_kitchen_side",
        "door1_hall_side",
        "table2",
    )


def test_a_passage_has_no_door(lab):
    scene = lab(doors={}, passages=[{"between": ["kitchen", "hall"], "at": [8, 1]}])
    belief = belief_of(scene)
    assert belief.truth(("connected", "kitchen_to_hall", "hall_to_kitchen")) is YES


@pytest.mark.parametrize("name", ["kitchen", "studio", "flat"])
def test_every_node_can_be_reached_through_open_doors(shipped, name):
    scene = shipped(name)
    belief = initial_belief(scene, SimulatedClock())
    assert set(scene.places.distances(scene.robot.start)) == {n.name for n in scene.nodes()}
    for place in scene.places.places():
        assert belief.entity(place.name).pose == place.pose
