"""Decides goals by the truth of a household, not by a belief."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import dist

from foretree.errors import ForetreeError, suggest
from foretree.planning.pddl.syntax import Formula, constants_of, substitute
from foretree.planning.semantics.evaluation import evaluate
from foretree.simulation.household.household_state import House, HouseholdObject
from foretree.simulation.household.states_and_relations import PAST_EVENTS, RELATIONS
from foretree.world_model.beliefs.facts import (
    CONNECTED,
    HAND_FREE,
    HAS_DOOR,
    HAS_HAND,
    HOLDING,
    OBJECT_AT,
    ROBOT_AT,
    Atom,
    Pose,
    Truth,
)


class UndecidableGoalError(ForetreeError):
    """A goal speaks of something that this world does not know."""


#: An agent's own name stands for the item nearest to where it believes the item to be, within this (metres).
REACH = 0.6

#: Types above the classes, each with the kinds below it.
_TYPES: Mapping[str, tuple[str, ...]] = {
    "node": ("asset", "person", "waypoint"),
    "object": ("asset", "person", "waypoint", "item", "door", "robot", "hand"),
}


def holds(house: House, goal: Formula, names: Mapping[str, Pose]) -> bool:
    """Return whether *goal* is true of *house*.

    Args:
        house: the truth.
        goal: its constants are names of the scene, or names in *names*.
        names: the agent's own names of items, with the believed poses; names that the scene told it mean
            the same as in the scene.

    Raises:
        UndecidableGoalError: the goal names an unknown thing, or a predicate that cannot be decided.
    """
    oracle = GoalOracle(house)
    binding = {constant: oracle.resolve(constant, names) for constant in sorted(constants_of(goal))}
    return evaluate(substitute(goal, binding), oracle.truth, oracle) is Truth.TRUE


class GoalOracle:
    """The things of a house, what they are called, and what is true of them."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._known = {
            **{name: house.things[i].kind for name, i in house.names.items()},
            **{name: "waypoint" for name, node in house.nodes.items() if node.kind in ("pose", "room")},
            **dict.fromkeys(house.robots, "robot"),
            **{hand: "hand" for robot in house.robots.values() for hand in robot.hands},
        }
        self._deciders: Mapping[tuple[str, int], Callable[..., bool]] = {
            **{(relation, 2): partial(self._rests, relation) for relation in (*RELATIONS, "given")},
            **{(HOLDING, arity): self._holds for arity in (2, 3)},
            **{(HAND_FREE, arity): lambda *terms: None in self._held(*terms) for arity in (1, 2)},
            (HAS_HAND, 2): lambda robot, hand: bool(self._held(robot, hand)),
            (ROBOT_AT, 2): lambda robot, node: robot in house.robots and house.robots[robot].node == node,
            ("class", 2): self._has_class,
            (OBJECT_AT, 2): self._object_at,
            (CONNECTED, 2): self._connected,
            (HAS_DOOR, 3): self._has_door,
        }

    def resolve(self, constant: str, names: Mapping[str, Pose]) -> str:
        """Return the scene's name for a constant of a goal.

        Raises:
            UndecidableGoalError: there is no such thing.
        """
        pose = names.get(constant)
        if pose is not None and not self._house.scene.tells(constant):
            near = self._nearest(pose)
            if near is not None:
                return near
        if constant not in self._known and constant not in self._house.scene.ontology:
            raise UndecidableGoalError(
                f"There is no {constant!r} in {self._house.scene.name}. {suggest(constant, self._known)}"
            )
        return constant

    def _nearest(self, pose: Pose) -> str | None:
        best: tuple[float, str] | None = None
        for name, thing_id in self._house.names.items():
            thing = self._house[thing_id]
            there = self._house.pose_of(thing) if thing.kind == "item" else None
            if there is not None and (best is None or dist(there, pose) < best[0]):
                best = dist(there, pose), name
        return best[1] if best is not None and best[0] <= REACH else None

    def kind(self, name: str) -> str:
        """Return what a thing is: an item, an asset, a door, a person, a robot, a hand or a waypoint."""
        return self._known[name]

    def of_type(self, type_name: str) -> Sequence[str]:
        """Return the names of all things of a PDDL type or a class that are in the house, sorted."""
        types = _TYPES.get(type_name, (type_name,))
        found = []
        for name, kind in self._known.items():
            thing = self._thing(name)
            gone = thing is not None and thing.kind == "item" and thing.rests is None
            if not gone and (kind in types or (thing is not None and thing.class_name == type_name)):
                found.append(name)
        return sorted(found)

    def truth(self, atom: Atom) -> Truth:
        """Decide an atom.

        Raises:
            UndecidableGoalError: the world has no such predicate.
        """
        return Truth.TRUE if self._is_true(atom) else Truth.FALSE

    def _is_true(self, atom: Atom) -> bool:
        house = self._house
        predicate, *terms = atom
        decide = self._deciders.get((predicate, len(terms)))
        if decide is not None:
            return decide(*terms)
        if predicate in PAST_EVENTS:
            return (predicate, *(house.names.get(term, term) for term in terms)) in house.past_events
        thing = self._thing(terms[0]) if len(terms) == 1 else None
        if thing is None:
            raise UndecidableGoalError(f"The world cannot decide ({' '.join(atom)}) in {house.scene.name}.")
        return predicate in thing.states or atom in house.scene.ontology.affordance_atoms(
            terms[0], thing.class_name
        )

    def _thing(self, name: str) -> HouseholdObject | None:
        thing_id = self._house.names.get(name)
        return self._house.things[thing_id] if thing_id is not None else None

    def _rests(self, relation: str, item: str, support: str) -> bool:
        thing = self._thing(item)
        return thing is not None and thing.rests == (relation, self._house.names.get(support, ""))

    def _holds(self, *terms: str) -> bool:
        thing = self._thing(terms[-1])
        return thing is not None and thing.id in self._held(*terms[:-1])

    def _held(self, robot: str, *hands: str) -> list[str | None]:
        """The contents of some hands of a robot; of all, if none is named."""
        known = self._house.robots.get(robot)
        held = {} if known is None else known.hands
        return [held[hand] for hand in hands or held if hand in held]

    def _has_class(self, name: str, class_name: str) -> bool:
        thing = self._thing(name)
        return thing is not None and thing.class_name == class_name

    def _object_at(self, name: str, node: str) -> bool:
        thing = self._thing(name)
        return thing is not None and not self._house.in_hand(thing) and self._house.node_of(thing) == node

    def _connected(self, one: str, other: str) -> bool:
        passage = self._house.passage_between(one, other)
        return passage is not None and self._house.is_passable(passage)

    def _has_door(self, door: str, one: str, other: str) -> bool:
        passage = self._house.passage_between(one, other)
        return passage is not None and passage.door == door
