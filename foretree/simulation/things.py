"""The truth of the household: what there is, where it is, how it is.

Things carry ids that mean nothing (``t17``). The scene's names are kept beside them for fault scripts and for
judging a run; nothing that the robot hears or reports contains them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import dist
from typing import NamedTuple, TypeAlias

from foretree.simulation.scene import Node, Opening, Scene, states_of
from foretree.skills.robot import Target
from foretree.world_model.entities import Pose
from foretree.world_model.ontology import ThingClass

#: One thing that can be true or false, or have a value, in the household: ``("open", "t3")``,
#: ``("rests", "t9")``, ``("found", "in", "t3")`` (what is in it), ``("is", "t9")`` (that it is there at all).
Key: TypeAlias = tuple[str, ...]

#: How far from where it is believed to be an item, or a piece of furniture, is still found (metres).
ITEM_REACH = 0.25
PLACE_REACH = 0.6

#: Items on the same furniture lie this far apart.
SLOT = 0.2

#: How high things are, by how they rest: far enough apart that a position tells the ways of resting apart.
_HEIGHT = {"under": 0.1, "in": 0.45, "on": 0.9, "hung_on": 1.8, "given": 1.1}
_HAND_HEIGHT = 1.35


class Rests(NamedTuple):
    """How a thing rests: ``on``, ``in``, ``under``, ``hung_on`` furniture, ``given`` to a person, ``held`` in
    a hand."""

    relation: str
    support: str


@dataclass(slots=True)
class Thing:
    """Something in the household.

    ``rests`` is None for what stands on the floor (furniture, doors, people) and for an item that somebody
    took out of the house.
    """

    id: str
    kind: str
    known: ThingClass
    rooms: tuple[str, ...] = ()
    pose: Pose = (0.0, 0.0, 0.0)
    states: set[str] = field(default_factory=set)
    rests: Rests | None = None
    slot: int = 0

    @property
    def class_name(self) -> str:
        """What it is."""
        return self.known.name

    def affords(self, affordance: str) -> bool:
        """Whether it can be used in a way."""
        return affordance in self.known.affords

    @property
    def is_open(self) -> bool:
        """Whether one can reach into it, or through it; what cannot be closed is open."""
        return "open" in self.states or not self.affords("openable")


class House:
    """All things, and where the robot is among them.

    ``revision`` grows with every change, so that whoever derives something knows when to derive it again.
    """

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.things: dict[str, Thing] = {}
        self.names: dict[str, str] = {}
        self.revision = 0
        self.nodes: dict[str, Node] = {node.name: node for node in scene.nodes()}
        self.node: str | None = scene.robot.start
        self.last_node = scene.robot.start
        self.position: Pose = self.nodes[scene.robot.start].pose
        self.hands: dict[str, str | None] = dict.fromkeys(scene.robot.hands)
        self._openings: dict[frozenset[str], Opening] = {
            frozenset(opening.side(room) for room in opening.rooms): opening for opening in scene.openings
        }
        self._fill()

    def _fill(self) -> None:
        scene = self.scene
        for f in scene.furniture.values():
            self._add(f.name, "asset", f.class_name, (f.room,), (*f.at, 0.0), f.states)
        for p in scene.people.values():
            self._add(p.name, "person", "person", (p.room,), (*p.at, 0.0), frozenset())
        for name, opening in scene.doors.items():
            states = frozenset({"open"} if opening.open else ())
            self._add(name, "door", "door", opening.rooms, (*opening.at, 0.0), states)
        for i in scene.items.values():
            thing = self._add(i.name, "item", i.class_name, (), (0.0, 0.0, 0.0), i.states)
            self.put(thing, i.relation, self.names[i.place])
        self._standing = {
            self.names[node.name]: node.name
            for node in self.nodes.values()
            if node.kind in ("asset", "person")
        }

    def _add(
        self,
        name: str,
        kind: str,
        class_name: str,
        rooms: tuple[str, ...],
        pose: Pose,
        states: frozenset[str],
    ) -> Thing:
        thing = Thing(
            f"t{len(self.things) + 1}", kind, self.scene.ontology[class_name], rooms, pose, set(states)
        )
        self.things[thing.id] = thing
        self.names[name] = thing.id
        return thing

    # -- asking ------------------------------------------------------------------------------------
    def __getitem__(self, thing_id: str) -> Thing:
        return self.things[thing_id]

    def named(self, name: str) -> Thing:
        """The thing of that name in the scene."""
        return self.things[self.names[name]]

    def name_of(self, thing: Thing) -> str:
        """What the scene calls a thing: for judges and logs, never for the robot."""
        return next(name for name, thing_id in self.names.items() if thing_id == thing.id)

    def of_kind(self, kind: str) -> Iterator[Thing]:
        """Every thing of a kind (``asset``, ``item``, ``door``, ``person``), in the order of the scene."""
        return (thing for thing in self.things.values() if thing.kind == kind)

    def furniture(self) -> Iterator[Thing]:
        """Every piece of furniture."""
        return self.of_kind("asset")

    def items(self) -> Iterator[Thing]:
        """Every item that is still in the house."""
        return (thing for thing in self.of_kind("item") if thing.rests is not None)

    def resting(self, relation: str, support: str) -> tuple[str, ...]:
        """The ids of what rests in one way on one thing."""
        rests = Rests(relation, support)
        return tuple(thing.id for thing in self.of_kind("item") if thing.rests == rests)

    @property
    def room(self) -> str | None:
        """The room that the robot is in; None on the way."""
        return None if self.node is None else self.nodes[self.node].room

    def node_of(self, thing: Thing) -> str | None:
        """The node at which one stands to handle a piece of furniture or a person."""
        return self._standing.get(thing.id)

    def opening_between(self, one: str, other: str) -> Opening | None:
        """The way through the wall whose two sides these nodes are."""
        return self._openings.get(frozenset((one, other)))

    def value(self, key: Key) -> object:
        """The truth of a key."""
        what, *rest = key
        if what == "found":
            return frozenset(self.resting(rest[0], rest[1]))
        if what == "is":
            return True
        thing = self.things[rest[0]]
        return thing.rests if what == "rests" else what in thing.states

    def pose_of(self, thing: Thing) -> Pose | None:
        """Where a thing is; None when it is not in the house any more."""
        if thing.kind != "item":
            return thing.pose
        if thing.rests is None:
            return None
        if thing.rests.relation == "held":
            side = list(self.hands).index(thing.rests.support)
            x, y, _ = self.position
            return x + 0.3 * side, y, _HAND_HEIGHT
        return resting_pose(self.things[thing.rests.support].pose, thing.rests.relation, thing.slot)

    # -- finding -----------------------------------------------------------------------------------
    def find_item(self, target: Target) -> Thing | None:
        """The item nearest to where a target is believed to be that looks like it."""
        if target.held_in is not None:
            held = self.hands.get(target.held_in)
            return (
                self.things[held] if held is not None and self.looks_like(self.things[held], target) else None
            )
        return self._nearest(self.items(), target, ITEM_REACH)

    def find_place(self, target: Target, kind: str) -> Thing | None:
        """The piece of furniture, door or person nearest to where a target is believed to be."""
        return self._nearest(self.of_kind(kind), target, PLACE_REACH)

    def find_node(self, target: Target) -> Node | None:
        """The node nearest to where a target is believed to be."""
        if target.pose is None:
            return None
        there = target.pose[:2]
        near = min(self.nodes.values(), key=lambda node: (dist(node.pose[:2], there), node.name))
        return near if dist(near.pose[:2], there) <= PLACE_REACH else None

    def looks_like(self, thing: Thing, target: Target) -> bool:
        """Whether a thing could be taken for what a target is believed to be."""
        alike = self.scene.ontology.look_alike
        return not target.classes or any(
            name == thing.class_name or alike(name, thing.class_name) for name in target.classes
        )

    def _nearest(self, things: Iterator[Thing], target: Target, reach: float) -> Thing | None:
        if target.pose is None:
            return None
        best: tuple[float, Thing] | None = None
        for thing in things:
            pose = self.pose_of(thing)
            if pose is None or not self.looks_like(thing, target):
                continue
            flat = thing.kind != "item"
            away = dist(pose[:2], target.pose[:2]) if flat else dist(pose, target.pose)
            if away <= reach and (best is None or away < best[0]):
                best = away, thing
        return best[1] if best else None

    # -- changing ----------------------------------------------------------------------------------
    def set_state(self, thing: Thing, state: str, value: bool = True) -> None:
        """Make a state so."""
        if (state in thing.states) is not value:
            (thing.states.add if value else thing.states.discard)(state)
            self.revision += 1

    def put(self, thing: Thing, relation: str, support: str) -> None:
        """Put an item somewhere, at the first free spot; where it lies already is not free."""
        self._let_go(thing)
        taken = {self.things[other].slot for other in self.resting(relation, support)}
        slot = 0
        while slot in taken:
            slot += 1
        thing.rests, thing.slot = Rests(relation, support), slot
        self.revision += 1

    def grasp(self, thing: Thing, hand: str) -> None:
        """Take an item into a hand."""
        self._let_go(thing)
        thing.rests = Rests("held", hand)
        self.hands[hand] = thing.id
        self.revision += 1

    def remove(self, thing: Thing) -> None:
        """Take an item out of the house."""
        self._let_go(thing)
        thing.rests = None
        self.revision += 1

    def exchange(self, one: Thing, other: Thing) -> None:
        """Let two items change places; nothing happens if one of them is not in the house."""
        if one.rests is None or other.rests is None:
            return
        for thing, rests, slot in ((one, other.rests, other.slot), (other, one.rests, one.slot)):
            thing.rests, thing.slot = rests, slot
            if rests.relation == "held":
                self.hands[rests.support] = thing.id
        self.revision += 1

    def leave(self) -> None:
        """Let the robot set out; on the way it is at no node."""
        self.node = None
        self.revision += 1

    def arrive(self, node: str) -> None:
        """Let the robot stand at a node."""
        self.node = self.last_node = node
        self.position = self.nodes[node].pose
        self.revision += 1

    def _let_go(self, thing: Thing) -> None:
        if thing.rests is not None and thing.rests.relation == "held":
            self.hands[thing.rests.support] = None


def resting_pose(support: Pose, relation: str, slot: int) -> Pose:
    """Where a thing is that rests at one of the spots of a piece of furniture."""
    dx, dy = _spiral(slot)
    return round(support[0] + SLOT * dx, 3), round(support[1] + SLOT * dy, 3), _HEIGHT[relation]


def state_names(thing: Thing) -> tuple[str, ...]:
    """The states that a thing can be in."""
    return states_of(thing.known)


def _spiral(index: int) -> tuple[int, int]:
    """The cells of a grid, from the middle outwards: each index has its own."""
    x = y = 0
    dx, dy = 0, -1
    for _ in range(index):
        if x == y or (x < 0 and x == -y) or (x > 0 and x == 1 - y):
            dx, dy = -dy, dx
        x, y = x + dx, y + dy
    return x, y
