"""Whether a goal is true in the household: asked of the truth, not of anybody's belief."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import dist

from foretree.errors import ForetreeError, suggest
from foretree.planning.pddl.syntax import Formula, constants_of, substitute
from foretree.planning.semantics.evaluation import evaluate
from foretree.simulation.household.household_state import House, HouseholdObject, RestingPlace
from foretree.simulation.household.states_and_relations import PAST_EVENTS, RELATIONS
from foretree.world_model.beliefs.entities import Pose
from foretree.world_model.beliefs.facts import Atom, Truth
from foretree.world_model.builtin_predicates import (
    CONNECTED,
    HAND_FREE,
    HAS_DOOR,
    HAS_HAND,
    HOLDING,
    OBJECT_AT,
    ROBOT_AT,
)


class UndecidableGoalError(ForetreeError):
    """A goal speaks of something that this world does not know."""


#: An agent's own name stands for the item nearest to where the agent has it, if one is this near (metres).
REACH = 0.6

#: Every type that is above the classes, by what is below it.
_TYPES: Mapping[str, tuple[str, ...]] = {
    "node": ("asset", "person", "waypoint"),
    "object": ("asset", "person", "waypoint", "item", "door", "robot", "hand"),
}


def holds(house: House, goal: Formula, names: Mapping[str, Pose]) -> bool:
    """Whether *goal* is true of *house*.

    Args:
        house: the truth.
        goal: its constants are names of the scene, or names in *names*.
        names: where the agent believes the items to be that it has names of its own for; names that the
            scene told it mean what they mean in the scene.

    Raises:
        UndecidableGoalError: the goal names an unknown thing, or a predicate that cannot be decided.
    """
    judge = _GoalOracle(house)
    binding = {constant: judge.resolve(constant, names) for constant in sorted(constants_of(goal))}
    return evaluate(substitute(goal, binding), judge.truth, judge) is Truth.TRUE


class _GoalOracle:
    def __init__(self, house: House) -> None:
        self._house = house
        self._known = {
            **{name: house.things[i].kind for name, i in house.names.items()},
            **{name: "waypoint" for name, node in house.nodes.items() if node.kind in ("pose", "room")},
            house.scene.robot.name: "robot",
            **dict.fromkeys(house.hands, "hand"),
        }

    def resolve(self, constant: str, names: Mapping[str, Pose]) -> str:
        """The scene's name for a constant of the goal."""
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

    def of_type(self, type_name: str) -> Sequence[str]:
        """The names of all things of a PDDL type or a class that are in the house, sorted."""
        types = _TYPES.get(type_name, (type_name,))
        found = []
        for name, kind in self._known.items():
            thing = self._thing(name)
            gone = thing is not None and thing.kind == "item" and thing.rests is None
            if not gone and (kind in types or (thing is not None and thing.class_name == type_name)):
                found.append(name)
        return sorted(found)

    def truth(self, atom: Atom) -> Truth:
        """Whether an atom is true of the house."""
        return Truth.TRUE if self._is_true(atom) else Truth.FALSE

    def _thing(self, name: str) -> HouseholdObject | None:
        thing_id = self._house.names.get(name)
        return self._house.things[thing_id] if thing_id is not None else None

    def _is_true(self, atom: Atom) -> bool:
        house = self._house
        predicate, *terms = atom
        things = [self._thing(term) for term in terms]
        first = things[0] if things else None
        if predicate in (*RELATIONS, "given") and len(terms) == 2:
            return first is not None and first.rests == RestingPlace(predicate, house.names.get(terms[1], ""))
        if predicate == HOLDING:
            return things[-1] is not None and things[-1].id in self._held(terms[:-1])
        if predicate == HAND_FREE:
            return None in self._held(terms)
        if predicate == HAS_HAND:
            return self._has_hand(terms)
        if predicate == ROBOT_AT:
            return terms[0] == house.scene.robot.name and house.node == terms[1]
        if predicate == "class":
            return first is not None and first.class_name == terms[1]
        if predicate == CONNECTED:
            return self._connected(*terms)
        if predicate == HAS_DOOR:
            passage = house.passage_between(terms[1], terms[2])
            return passage is not None and passage.door == terms[0]
        if predicate == OBJECT_AT and len(terms) == 2:
            return first is not None and not house.in_hand(first) and house.node_of(first) == terms[1]
        if predicate in PAST_EVENTS:
            return (predicate, *(house.names.get(term, term) for term in terms)) in house.done
        if len(terms) == 1 and first is not None:
            always = house.scene.ontology.affordance_atoms(terms[0], first.class_name)
            return predicate in first.states or atom in always
        raise UndecidableGoalError(f"Nobody can judge ({' '.join(atom)}) in {house.scene.name}.")

    def _has_hand(self, terms: Sequence[str]) -> bool:
        return terms[0] == self._house.scene.robot.name and terms[1] in self._house.hands

    def _held(self, terms: Sequence[str]) -> list[str | None]:
        """What the hands hold that are meant by a robot and one of its hands, or by a robot alone."""
        hands = self._house.hands
        if len(terms) == 1:
            return list(hands.values()) if terms[0] == self._house.scene.robot.name else []
        return [hands[terms[1]]] if self._has_hand(terms) else []

    def _connected(self, one: str, other: str) -> bool:
        passage = self._house.passage_between(one, other)
        return passage is not None and self._house.is_passable(passage)
