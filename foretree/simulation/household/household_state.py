"""True state of the household: its things, their places and their states.

Things carry ids that mean nothing (``t17``). The scene's names are kept beside them for fault scripts and for
judging a run; nothing that the robot hears or reports contains them.

An item rests on furniture, on another item, or in a hand, and everything that rests on it moves with it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from copy import copy
from dataclasses import dataclass, field
from math import dist
from typing import NamedTuple, TypeAlias

from foretree.simulation.household.resting_poses import resting_pose
from foretree.simulation.household.scene import RobotBody, Scene
from foretree.simulation.household.states_and_relations import states_of
from foretree.skills.robot import Target
from foretree.world_model.beliefs.facts import Pose
from foretree.world_model.maps.places import Passage, Place
from foretree.world_model.ontology import ObjectClass

#: One thing that can be true or false, or have a value, in the household: ``("open", "t3")``,
#: ``("rests", "t9")``, ``("found", "in", "t3")`` (what is in it), ``("is", "t9")`` (that it is there at all).
Key: TypeAlias = tuple[str, ...]

#: How far from where it is believed to be an item, or a piece of furniture, is still found (metres).
ITEM_REACH = 0.25
PLACE_REACH = 0.6

#: How high a hand is.
_HAND_HEIGHT = 1.35


class RestingPlace(NamedTuple):
    """Support of a thing: ``on``, ``in``, ``under``, ``hung_on`` a thing, ``given`` to a person, or ``held``
    in a hand (the first of them, if it takes two)."""

    relation: str
    support: str


@dataclass(slots=True)
class HouseholdObject:
    """Something in the household.

    ``rests`` is None for what stands on the floor (furniture, doors, people) and for an item that was
    taken out of the house. ``possible`` are the states that it can be in.
    """

    id: str
    kind: str
    known: ObjectClass
    possible: tuple[str, ...] = ()
    rooms: tuple[str, ...] = ()
    pose: Pose = (0.0, 0.0, 0.0)
    states: set[str] = field(default_factory=set)
    rests: RestingPlace | None = None
    slot: int = 0

    @property
    def class_name(self) -> str:
        """The name of its class."""
        return self.known.name

    def affords(self, affordance: str) -> bool:
        """Return whether its class has an affordance."""
        return affordance in self.known.affords

    def has(self, state: str) -> bool:
        """Return whether it is in a state, perhaps by its class: a milk carton is always full."""
        return state in self.states or state in self.known.affords

    @property
    def relation(self) -> str | None:
        """The way in which it rests; None for what stands on the floor or is gone."""
        return self.rests.relation if self.rests is not None else None

    @property
    def is_open(self) -> bool:
        """Return whether one can reach into it, or through it; what cannot be closed is open."""
        return "open" in self.states or not self.affords("openable")


@dataclass(slots=True)
class BodyState:
    """A robot in the house.

    Attributes:
        body: the robot.
        node: where it stands; None on the way.
        last_node: where it stood last.
        position: its pose there.
        hands: by name, the id of what each holds.
    """

    body: RobotBody
    node: str | None
    last_node: str
    position: Pose
    hands: dict[str, str | None]


class House:
    """All things, and the robots among them, one of which it is seen by.

    Things are those of all robots; ``node``, ``hands`` and the like are those of the one robot.
    """

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.things: dict[str, HouseholdObject] = {}
        self.names: dict[str, str] = {}
        self.nodes: dict[str, Place] = {node.name: node for node in scene.nodes()}
        self.robots = {
            body.name: BodyState(
                body, body.start, body.start, self.nodes[body.start].pose, dict.fromkeys(body.hands)
            )
            for body in scene.robots
        }
        self._robot = self.robots[scene.robot.name]
        self._changes = [0]
        #: Events that no state of a thing shows, with their things.
        self.past_events: set[tuple[str, ...]] = set()
        #: Items that robots hold out for others to take, each with the robot.
        self.offered: dict[str, str] = {}
        #: Passages that something once stood in the way of, and whether it still does.
        self.obstructed: dict[Passage, bool] = {}
        self._fill()

    def seen_by(self, robot: str) -> House:
        """Return the same house as another of its robots sees it."""
        house = copy(self)
        house._robot = self.robots[robot]
        return house

    @property
    def revision(self) -> int:
        """The number of changes: what is derived from the state is derived again when it has grown."""
        return self._changes[0]

    @revision.setter
    def revision(self, revision: int) -> None:
        self._changes[0] = revision

    @property
    def robot(self) -> RobotBody:
        """The robot."""
        return self._robot.body

    @property
    def node(self) -> str | None:
        """Place where the robot stands; None on the way."""
        return self._robot.node

    @property
    def last_node(self) -> str:
        """Place where the robot stood last."""
        return self._robot.last_node

    @property
    def position(self) -> Pose:
        """Pose where the robot stands, or stood last, as a pose."""
        return self._robot.position

    @property
    def hands(self) -> dict[str, str | None]:
        """The robot's hands, with the id of what each holds."""
        return self._robot.hands

    def _fill(self) -> None:
        scene = self.scene
        for f in scene.furniture.values():
            self._add(f.name, "asset", f.class_name, (f.room,), (*f.at, 0.0), f.states)
        for p in scene.people.values():
            self._add(p.name, "person", "person", (p.room,), (*p.at, 0.0), frozenset())
        for d in scene.doors.values():
            self._add(d.name, "door", "door", d.rooms, (*d.at, 0.0), frozenset({"open"} if d.open else ()))
        for i in scene.items.values():
            self._add(i.name, "item", i.class_name, (), (0.0, 0.0, 0.0), i.states)
        for i in scene.items.values():
            self.put(self.named(i.name), i.relation, self.names[i.place])
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
    ) -> HouseholdObject:
        ontology = self.scene.ontology
        possible = states_of(ontology, class_name)
        number = f"t{len(self.things) + 1}"
        thing = HouseholdObject(number, kind, ontology[class_name], possible, rooms, pose, set(states))
        self.things[thing.id] = thing
        self.names[name] = thing.id
        return thing

    # -- asking ------------------------------------------------------------------------------------
    def __getitem__(self, thing_id: str) -> HouseholdObject:
        return self.things[thing_id]

    def named(self, name: str) -> HouseholdObject:
        """Return the thing of that name in the scene."""
        return self.things[self.names[name]]

    def name_of(self, thing: HouseholdObject) -> str:
        """Return the scene's name of a thing: for checks and logs, never for the robot."""
        return next(name for name, thing_id in self.names.items() if thing_id == thing.id)

    def of_kind(self, kind: str) -> Iterator[HouseholdObject]:
        """Iterate over the things of a kind (``asset``, ``item``, ``door``, ``person``), as in the scene."""
        return (thing for thing in self.things.values() if thing.kind == kind)

    def furniture(self) -> Iterator[HouseholdObject]:
        """Iterate over the furniture."""
        return self.of_kind("asset")

    def items(self) -> Iterator[HouseholdObject]:
        """Iterate over the items that are still in the house."""
        return (thing for thing in self.of_kind("item") if thing.rests is not None)

    def resting(self, relation: str, support: str) -> tuple[str, ...]:
        """Return the ids of what rests in one way on one thing."""
        rests = RestingPlace(relation, support)
        return tuple(thing.id for thing in self.of_kind("item") if thing.rests == rests)

    @property
    def room(self) -> str | None:
        """The room that the robot is in; None on the way."""
        return None if self.node is None else self.nodes[self.node].room

    def support_of(self, thing: HouseholdObject) -> HouseholdObject | None:
        """Return the support of a thing; None for what is in a hand or stands on the floor."""
        return self.things.get(thing.rests.support) if thing.rests is not None else None

    def supports_of(self, thing: HouseholdObject) -> Iterator[HouseholdObject]:
        """Iterate over the supports of a thing, down to what stands on the floor or is in a hand."""
        below = self.support_of(thing)
        while below is not None:
            yield below
            below = self.support_of(below)

    def level_of(self, thing: HouseholdObject) -> int:
        """Return the number of items below a thing."""
        return sum(below.kind == "item" for below in self.supports_of(thing))

    def carried_by(self, thing: HouseholdObject) -> tuple[HouseholdObject, ...]:
        """Return everything that rests on a thing, and on that, and so on, from the bottom up."""
        above = [other for other in self.of_kind("item") if self.support_of(other) is thing]
        return tuple(above) + tuple(t for other in above for t in self.carried_by(other))

    def hands_with(self, thing: HouseholdObject) -> tuple[str, ...]:
        """Return the hands, of whichever robot, that hold a thing itself."""
        return tuple(
            hand for robot in self.robots.values() for hand, held in robot.hands.items() if held == thing.id
        )

    def robot_with(self, hand: str) -> BodyState:
        """Return the robot that has a hand."""
        return next(robot for robot in self.robots.values() if hand in robot.hands)

    def in_hand(self, thing: HouseholdObject) -> bool:
        """Return whether a thing, or what it rests on, is in a hand."""
        return any(one.relation == "held" for one in (thing, *self.supports_of(thing)))

    def lid_above(self, thing: HouseholdObject) -> HouseholdObject | None:
        """Return the closed thing that one has to open to get at a thing, if there is one."""
        for below in self.supports_of(thing):
            if thing.relation == "in" and not below.is_open:
                return below
            thing = below
        return None

    def node_of(self, thing: HouseholdObject) -> str | None:
        """Return the node at which one handles a thing; for what is in a hand, that of the robot."""
        *_, bottom = (thing, *self.supports_of(thing))
        if bottom.rests is not None and bottom.relation == "held":
            return self.robot_with(bottom.rests.support).node
        return self._standing.get(bottom.id)

    def passage_between(self, one: str, other: str) -> Passage | None:
        """Return the passage of the map between two nodes that are next to each other."""
        return self.scene.places.passage(one, other)

    def is_passable(self, passage: Passage) -> bool:
        """Return whether one can get through: its door is open, and nothing stands in the way."""
        if self.obstructed.get(passage, False):
            return False
        return passage.door is None or self.named(passage.door).is_open

    def pose_of(self, thing: HouseholdObject) -> Pose | None:
        """Return where a thing is; None when it is not in the house any more."""
        if thing.kind != "item":
            return thing.pose
        if thing.rests is None:
            return None
        if thing.rests.relation == "held":
            robot = self.robot_with(thing.rests.support)
            side = list(robot.hands).index(thing.rests.support)
            x, y, _ = robot.position
            return x + 0.3 * side, y, _HAND_HEIGHT
        below = self.pose_of(self.things[thing.rests.support])
        assert below is not None
        return resting_pose(below, thing.rests.relation, thing.slot, self.level_of(thing))

    # -- finding -----------------------------------------------------------------------------------
    def find(self, target: Target, kinds: Collection[str]) -> HouseholdObject | None:
        """Return the thing of these kinds that looks like a target and is nearest to its believed pose."""
        if target.held_in is not None and "item" in kinds:
            held = self.things.get(self.hands.get(target.held_in) or "")
            return held if held is not None and self.looks_like(held, target) else None
        if target.pose is None:
            return None
        best: tuple[float, HouseholdObject] | None = None
        for thing in self.things.values():
            pose = self.pose_of(thing) if thing.kind in kinds and self.looks_like(thing, target) else None
            if pose is None:
                continue
            if thing.kind == "item":
                away = dist(pose, target.pose) / ITEM_REACH
            else:
                away = dist(pose[:2], target.pose[:2]) / PLACE_REACH
            if away <= 1.0 and (best is None or away < best[0]):
                best = away, thing
        return best[1] if best else None

    def find_node(self, target: Target) -> Place | None:
        """Return the node nearest to where a target is believed to be."""
        if target.pose is None:
            return None
        there = target.pose[:2]
        near = min(self.nodes.values(), key=lambda node: (dist(node.pose[:2], there), node.name))
        return near if dist(near.pose[:2], there) <= PLACE_REACH else None

    def looks_like(self, thing: HouseholdObject, target: Target) -> bool:
        """Return whether a thing could be taken for what a target is believed to be."""
        alike = self.scene.ontology.look_alike
        return not target.classes or any(
            name == thing.class_name or alike(name, thing.class_name) for name in target.classes
        )

    # -- changing ----------------------------------------------------------------------------------
    def note(self, event: str, *things: HouseholdObject) -> None:
        """Remember an event with its things, in the words of the domain: ``poured``, this, into that."""
        self.past_events.add((event, *(thing.id for thing in things)))

    def set_state(self, thing: HouseholdObject, state: str, value: bool = True) -> None:
        """Make a state true or false."""
        if (state in thing.states) is not value:
            (thing.states.add if value else thing.states.discard)(state)
            self.revision += 1

    def put(self, thing: HouseholdObject, relation: str, support: str) -> None:
        """Put an item somewhere, at the first free spot; where it lies already is not free."""
        self._let_go(thing)
        taken = {self.things[other].slot for other in self.resting(relation, support)}
        slot = 0
        while slot in taken:
            slot += 1
        thing.rests, thing.slot = RestingPlace(relation, support), slot
        self.revision += 1

    def grasp(self, thing: HouseholdObject, *hands: str) -> None:
        """Take an item into a hand, or into two at once."""
        self._let_go(thing)
        thing.rests = RestingPlace("held", hands[0])
        self._hold(hands, thing.id)
        self.revision += 1

    def remove(self, thing: HouseholdObject) -> None:
        """Take an item out of the house, with all that rests on it."""
        for gone in (*self.carried_by(thing), thing):
            self._let_go(gone)
            gone.rests = None
        self.revision += 1

    def exchange(self, one: HouseholdObject, other: HouseholdObject) -> None:
        """Let two items change places; nothing happens if one of them is not in the house, or rests on the
        other."""
        if one.rests is None or other.rests is None:
            return
        if one in self.supports_of(other) or other in self.supports_of(one):
            return
        ones, others = self.hands_with(one), self.hands_with(other)
        for thing, rests, slot in ((one, other.rests, other.slot), (other, one.rests, one.slot)):
            thing.rests, thing.slot = rests, slot
        for thing, hands in ((one, others), (other, ones)):
            self._hold(hands, thing.id)
        self.revision += 1

    def obstruct(self, one: str, other: str, blocked: bool = True) -> None:
        """Let something stand in the way between two nodes, or take it away."""
        passage = self.passage_between(one, other)
        assert passage is not None
        if self.obstructed.get(passage, False) is not blocked:
            self.obstructed[passage] = blocked
            self.revision += 1

    def leave(self) -> None:
        """Let the robot set out; on the way it is at no node."""
        self._robot.node = None
        self.revision += 1

    def arrive(self, node: str) -> None:
        """Let the robot stand at a node."""
        robot = self._robot
        robot.node = robot.last_node = node
        robot.position = self.nodes[node].pose
        self.revision += 1

    def _let_go(self, thing: HouseholdObject) -> None:
        self._hold(self.hands_with(thing), None)

    def _hold(self, hands: Collection[str], thing_id: str | None) -> None:
        for hand in hands:
            self.robot_with(hand).hands[hand] = thing_id
