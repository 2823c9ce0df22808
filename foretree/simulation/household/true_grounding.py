"""Grounding that is never wrong: contents of a node and state of the robot, taken from the truth.

It offers the same to planning as a model that looks at pictures of a place.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from foretree.planning.pddl.syntax import Domain
from foretree.planning.task.problem_assembly import Contents
from foretree.simulation.household.household_state import House, HouseholdObject
from foretree.world_model.beliefs.consequences import class_facts, consequences
from foretree.world_model.beliefs.facts import OBJECT_AT, Atom, hand_free, has_hand, holding, robot_at


class TrueGrounding:
    """Contents of the nodes of a house.

    Args:
        house: the truth, as it is when asked.
        domain: facts are limited to its predicates.
        object_at: the predicate that says at which node furniture stands.
    """

    def __init__(self, house: House, domain: Domain, object_at: str = OBJECT_AT) -> None:
        self._house = house
        self._domain = domain
        self._object_at = object_at
        self._names = {thing_id: name for name, thing_id in house.names.items()}
        self._revision = -1
        self._things: dict[str, list[HouseholdObject]] = {}

    def ground(self, node: str) -> Contents:
        """Return everything at *node*, with all that rests on it; where the robot is, also what it holds."""
        house, ontology = self._house, self._house.scene.ontology
        classes = {self._names[thing.id]: thing.class_name for thing in self._at(node)}
        facts: set[Atom] = set()
        for thing in self._at(node):
            name = self._names[thing.id]
            facts.update(ontology.affordance_atoms(name, thing.class_name))
            facts.update((state, name) for state in thing.states)
            if thing.kind == "asset":
                facts.add((self._object_at, name, node))
            elif thing.rests is not None and thing.rests.support in house.things:
                facts.add((thing.rests.relation, name, self._names[thing.rests.support]))
        facts |= consequences(ontology.follows, [*facts, *class_facts(classes, ontology.type_of)])
        return Contents(classes, frozenset(fact for fact in facts if fact[0] in self._domain.predicates))

    def _at(self, node: str) -> list[HouseholdObject]:
        if self._revision != self._house.revision:
            self._revision = self._house.revision
            self._things = {}
            for thing in (*self._house.furniture(), *self._house.items()):
                self._things.setdefault(self._house.node_of(thing) or "", []).append(thing)
        return self._things.get(node, [])


class TrueBody:
    """State of the robot of a house."""

    def __init__(self, house: House) -> None:
        self._house = house

    @cached_property
    def name(self) -> str:
        """The robot's name."""
        return self._house.robot.name

    def state(self) -> Contents:
        """Return where the robot is, its hands, and their contents."""
        house = self._house
        objects: Mapping[str, str] = {self.name: "robot", **dict.fromkeys(house.hands, "hand")}
        facts: set[Atom] = {robot_at(self.name, house.last_node)}
        held: dict[str, str] = {}
        for name, thing_id in house.hands.items():
            hand = (self.name, name)
            facts.add(has_hand(hand))
            if thing_id is None:
                facts.add(hand_free(hand))
            else:
                thing = house.things[thing_id]
                held[house.name_of(thing)] = thing.class_name
                facts.add(holding(hand, house.name_of(thing)))
        return Contents({**objects, **held}, frozenset(facts))
