from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from foretree.planning.pddl.syntax import Literal
from foretree.regression.planning._true_world import TrueWorld
from foretree.regression.planning.factory import mapped_scene, scene_at_start
from foretree.regression.planning.suite import TaskStart
from foretree.simulation.household.household_state import House
from foretree.simulation.household.plan_execution import WorldStep
from foretree.simulation.household.scene import Item


@pytest.fixture
def world():
    hat = Item("hat1", "hat", "on", "table604", frozenset())
    doors = frozenset({"door605", "door604"})
    start = TaskStart({"hat1": hat}, {}, "office604", 1, doors, 3)
    return TrueWorld(House(scene_at_start(mapped_scene("office").scene, start)))


def move(*nodes):
    return [WorldStep("move", {"from": here, "to": there}) for here, there in pairwise(nodes)]


def test_a_plan_is_carried_out_up_to_what_the_world_refuses(world):
    pick = WorldStep("pick", {"item": "hat1", "place": "table604"}, ("left_hand",))
    through = WorldStep("open_door", {"door": "door604", "from": "door604_in", "to": "door604_out"})
    assert world.carry_out([*move("office604", "table604"), pick]) == ""
    assert world.holds(Literal(("holding", "robot1", "left_hand", "hat1")))
    refused = world.carry_out([*move("table604", "office604", "door604_in"), through])
    assert "hand" in refused
    assert world.house.node == "door604_in"


def test_the_robot_is_pushed_to_where_it_can_get(world):
    for seed in range(20):
        world.disturb(Random(seed), doors=False)
        assert world.house.nodes[world.house.node].room == "office604"
        assert not world.house.named("door604").is_open


def test_a_door_changes_and_the_robot_can_still_put_things_down(world):
    before = {name: world.house.named(name).is_open for name in world.house.scene.doors}
    world.disturb(Random(1), doors=True)
    after = {name: world.house.named(name).is_open for name in world.house.scene.doors}
    assert sum(before[name] != after[name] for name in before) == 1
    house = world.house
    for seed in range(30):
        world.disturb(Random(seed), doors=True)
        reached = house.scene.places.distances(house.node, lambda door: house.named(door).is_open)
        tables = {house.node_of(thing) for thing in house.furniture() if thing.affords("surface")}
        assert tables & set(reached)
