"""Floors to plan on, with a small domain of carrying things about: for the tests and the benchmark of compression."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise

from foretree.planning.pddl.parser import parse_domain
from foretree.planning.pddl.syntax import Problem
from foretree.planning.task.goals import parse_goal
from foretree.world_model.beliefs.facts import Atom
from foretree.world_model.maps.compressed_map import CompressedMap
from foretree.world_model.maps.places import PlaceGraph

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


def office_floor(wings: int, seed: int = 0) -> Floor:
    """A plausible office building: each wing has a corridor, 18 rooms with doors, 31 assets and 110 items.

    Every wing has 96 nodes: 47 on the floor, 18 in the middle of rooms and 31 at assets. The corridors of
    neighbouring wings are joined at one end, and of every other pair at the other end too; some rooms have a
    second door to the room next to them; a third of the doors are closed.
    """
    rng = random.Random(seed)
    floor = Floor(PlaceGraph())
    for wing in range(wings):
        _wing(floor, f"w{wing}_", rng)
        if wing:
            floor.places.connect(f"w{wing - 1}_c0", f"w{wing}_c0", 120)
            if wing % 2:
                floor.places.connect(f"w{wing - 1}_c10", f"w{wing}_c10", 120, f"w{wing}_fire_door")
    floor.robot = "w0_c5"
    return floor


def _wing(floor: Floor, prefix: str, rng: random.Random) -> None:
    def node(name: str, room: str) -> str:
        floor.places.add(prefix + name, (0.0, 0.0, 0.0), prefix + room)
        return prefix + name

    corridor = [node(f"c{number}", "corridor") for number in range(11)]
    for one, other in pairwise(corridor):
        floor.places.connect(one, other, 30)
    assets = 0
    for number in range(18):
        room = f"r{number}"
        inside, middle, corner = (node(f"{room}_{part}", room) for part in ("door", "middle", "corner"))
        door = f"{prefix}door{number}"
        floor.places.connect(corridor[number // 2 + 1], inside, 10, door)
        if rng.random() < 1 / 3:
            floor.closed.add(door)
        floor.places.connect(inside, middle, rng.randint(10, 20))
        floor.places.connect(middle, corner, rng.randint(5, 20))
        if number % 4 == 2:
            floor.places.connect(f"{prefix}r{number - 2}_corner", corner, 15, f"{prefix}back{number}")
        for _ in range(2 if number < 13 else 1):
            asset = f"{prefix}asset{assets}"
            at = node(f"at_asset{assets}", room)
            floor.places.connect(rng.choice((middle, corner)), at, rng.randint(5, 15))
            floor.stands[asset] = at
            floor.traits[asset] = ((), ("openable",), ("has_tap",))[assets % 3]
            assets += 1
    for number in range(110):
        floor.lies[f"{prefix}item{number}"] = f"{prefix}asset{number % assets}"
