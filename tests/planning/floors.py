"""Floors to plan on, with a small domain of carrying things about: for the tests and the benchmark of compression."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass, field

from foretree.planning.goals import parse_goal
from foretree.planning.parser import parse_domain
from foretree.planning.syntax import Problem
from foretree.world_model.compressed_map import CompressedMap
from foretree.world_model.facts import Atom
from foretree.world_model.places import PlaceGraph

DOMAIN = parse_domain("""
(define (domain floor)
  (:requirements :typing :negative-preconditions :action-costs)
  (:types robot hand door node item - object asset - object)
  (:predicates
    (rob_at_node ?robot - robot ?node - node) (rob_has_hand ?robot - robot ?hand - hand)
    (hand_free ?robot - robot ?hand - hand) (holding ?robot - robot ?hand - hand ?item - item)
    (connected ?from ?to - node) (has_door ?door - door ?from ?to - node) (door_open ?door - door)
    (obj_at_node ?asset - asset ?node - node) (on ?item - item ?asset - asset)
    (openable ?asset - asset) (opened ?asset - asset) (has_tap ?asset - asset) (clean ?item - item))
  (:functions (total-cost) (travel_cost ?from ?to - node))
  (:action move_robot
    :parameters (?robot - robot ?from ?to - node)
    :precondition (and (rob_at_node ?robot ?from) (connected ?from ?to))
    :effect (and (rob_at_node ?robot ?to) (not (rob_at_node ?robot ?from))
                 (increase (total-cost) (travel_cost ?from ?to))))
  (:action open_door
    :parameters (?robot - robot ?hand - hand ?door - door ?from ?to - node)
    :precondition (and (rob_at_node ?robot ?from) (has_door ?door ?from ?to) (hand_free ?robot ?hand)
                       (rob_has_hand ?robot ?hand) (not (connected ?from ?to)))
    :effect (and (connected ?from ?to) (connected ?to ?from) (door_open ?door) (increase (total-cost) 1)))
  (:action pick
    :parameters (?robot - robot ?hand - hand ?item - item ?asset - asset ?node - node)
    :precondition (and (rob_at_node ?robot ?node) (obj_at_node ?asset ?node) (on ?item ?asset)
                       (or (not (openable ?asset)) (opened ?asset)) (hand_free ?robot ?hand))
    :effect (and (holding ?robot ?hand ?item) (not (hand_free ?robot ?hand)) (not (on ?item ?asset))
                 (increase (total-cost) 1)))
  (:action place_on
    :parameters (?robot - robot ?hand - hand ?item - item ?asset - asset ?node - node)
    :precondition (and (rob_at_node ?robot ?node) (obj_at_node ?asset ?node) (holding ?robot ?hand ?item)
                       (or (not (openable ?asset)) (opened ?asset)))
    :effect (and (on ?item ?asset) (hand_free ?robot ?hand) (not (holding ?robot ?hand ?item))
                 (increase (total-cost) 1)))
  (:action open
    :parameters (?robot - robot ?hand - hand ?asset - asset ?node - node)
    :precondition (and (rob_at_node ?robot ?node) (obj_at_node ?asset ?node) (openable ?asset)
                       (not (opened ?asset)) (hand_free ?robot ?hand))
    :effect (and (opened ?asset) (increase (total-cost) 1)))
  (:action wash
    :parameters (?robot - robot ?hand - hand ?item - item ?asset - asset ?node - node)
    :precondition (and (rob_at_node ?robot ?node) (obj_at_node ?asset ?node) (has_tap ?asset)
                       (holding ?robot ?hand ?item))
    :effect (and (clean ?item) (increase (total-cost) 1))))
""")


@dataclass
class Floor:
    """A map, what stands and lies where, and which doors are closed.

    Attributes:
        stands: the node of each asset.
        traits: static and changing unary predicates of each asset.
        lies: the asset that each item is on.
    """

    places: PlaceGraph
    stands: dict[str, str] = field(default_factory=dict)
    traits: dict[str, tuple[str, ...]] = field(default_factory=dict)
    lies: dict[str, str] = field(default_factory=dict)
    closed: set[str] = field(default_factory=set)
    blocked: set[tuple[str, str]] = field(default_factory=set)
    robot: str = ""
    hands: tuple[str, ...] = ("left", "right")

    def objects(self, assets: Iterable[str]) -> dict[str, str]:
        """The whole map, some assets, and what is on them."""
        assets = set(assets)
        objects = {"robot1": "robot", **dict.fromkeys(self.hands, "hand")}
        objects |= dict.fromkeys((place.name for place in self.places.places()), "node")
        objects |= dict.fromkeys(self.places.doors(), "door")
        objects |= dict.fromkeys(sorted(assets), "asset")
        return objects | {item: "item" for item, asset in self.lies.items() if asset in assets}

    def problem(self, goal: str, assets: Iterable[str] | None = None) -> Problem:
        """The problem on the whole map, with some of the assets, or all."""
        objects = self.objects(self.stands if assets is None else assets)
        init: set[Atom] = {("rob_at_node", "robot1", self.robot)}
        for hand in self.hands:
            init |= {("rob_has_hand", "robot1", hand), ("hand_free", "robot1", hand)}
        for passage in self.places.passages():
            ends = (passage.one, passage.other)
            if passage.door not in self.closed and ends not in self.blocked:
                init |= {("connected", *ends), ("connected", *ends[::-1])}
            if passage.door is not None and ends not in self.blocked:
                init |= {("has_door", passage.door, *ends), ("has_door", passage.door, *ends[::-1])}
        for asset, node in self.stands.items():
            if asset in objects:
                init.add(("obj_at_node", asset, node))
                init |= {(trait, asset) for trait in self.traits.get(asset, ())}
        init |= {("on", item, asset) for item, asset in self.lies.items() if item in objects}
        functions = self.places.travel_costs()
        return Problem(
            "floor", DOMAIN, objects, frozenset(init), parse_goal(goal, DOMAIN, objects).formula, functions
        )

    def tell(self, floor: CompressedMap) -> None:
        """Bring a compressed map in step, door by door."""
        for door in self.places.doors():
            floor.set_door(door, door not in self.closed)


def random_floor(rng: random.Random, size: int = 8) -> Floor:
    """A few nodes with loops and doors, three assets and two items, adversarial rather than plausible."""
    places = PlaceGraph()
    names = [f"n{number}" for number in range(size)]
    for name in names:
        places.add(name, (0.0, 0.0, 0.0), "room")
    edges = {(rng.randrange(number), number) for number in range(1, size)}
    for _ in range(rng.randrange(size)):
        a, b = sorted(rng.sample(range(size), 2))
        edges.add((a, b))
    for number, (a, b) in enumerate(sorted(edges)):
        door = f"d{number}" if rng.random() < 0.5 else None
        places.connect(names[a], names[b], rng.randrange(5), door)
    floor = Floor(places, robot=rng.choice(names), hands=("left", "right")[: rng.choice((1, 1, 2))])
    for number in range(3):
        floor.stands[f"table{number}"] = rng.choice(names)
        floor.traits[f"table{number}"] = rng.choice(
            ((), (), ("openable",), ("openable", "opened"), ("has_tap",))
        )
    for number in range(2):
        floor.lies[f"cup{number}"] = rng.choice(list(floor.stands))
    floor.closed = {door for door in places.doors() if rng.random() < 0.6}
    return floor


def change(floor: Floor, rng: random.Random) -> None:
    """Something happens: a door, a thing, the robot, something in the way."""
    nodes = [place.name for place in floor.places.places()]
    doors = floor.places.doors()
    match rng.randrange(4):
        case 0:
            floor.robot = rng.choice(nodes)
        case 1:
            floor.lies[rng.choice(list(floor.lies))] = rng.choice(list(floor.stands))
        case 2:
            passage = rng.choice(list(floor.places.passages()))
            floor.blocked ^= {(passage.one, passage.other)}
        case _ if doors:
            floor.closed ^= {rng.choice(doors)}


def goals(floor: Floor, rng: random.Random) -> str:
    """A random goal."""
    cups, tables = list(floor.lies), list(floor.stands)
    parts = [f"(on {cup} {rng.choice(tables)})" for cup in cups if rng.random() < 0.7]
    if rng.random() < 0.2:
        parts.append(f"(rob_at_node robot1 {rng.choice([p.name for p in floor.places.places()])})")
    if rng.random() < 0.2 and floor.places.doors():
        parts.append(f"(door_open {rng.choice(floor.places.doors())})")
    if rng.random() < 0.2:
        parts.append(f"(clean {rng.choice(cups)})")
    return f"(and {' '.join(parts)})" if parts else f"(on {cups[0]} {tables[0]})"


def nodes_of(floor: Floor, assets: Iterable[str]) -> list[str]:
    """The nodes at which some assets stand."""
    return sorted({floor.stands[asset] for asset in assets})
