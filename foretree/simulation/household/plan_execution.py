"""Execution of a plan by the names of things, without perception, time or faults.

It checks plans by the rules of the world, which are independent of the domain that a plan was made with.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from foretree.errors import ForetreeError, suggest
from foretree.planning.pddl.syntax import Formula
from foretree.simulation.household.goal_oracle import holds
from foretree.simulation.household.household_state import House, HouseholdObject
from foretree.simulation.household.rules import ABILITIES, Ability, ResolvedOrder
from foretree.simulation.household.rules.ability import NODE
from foretree.simulation.household.scene import Scene
from foretree.skills.robot import Order
from foretree.world_model.maps.places import Place


class StepError(ForetreeError):
    """A step of a plan says something that makes no sense in a scene, whatever the state of the world."""


@dataclass(frozen=True, slots=True)
class WorldStep:
    """One action, by names.

    Attributes:
        does: the skill of the robot (``place_on``).
        roles: the scene's name of the thing in each role (``{"item": "cup1", "place": "table1"}``).
        hands: the hand to use, or both; a robot with one hand need not be told.
    """

    does: str
    roles: Mapping[str, str] = field(default_factory=dict)
    hands: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"({' '.join((self.does, *self.hands, *self.roles.values()))})"


@dataclass(frozen=True, slots=True)
class Refusal:
    """The step that the world refused, counted from 0, and the rule that it broke."""

    index: int
    step: WorldStep
    rule: str
    says: str

    def __str__(self) -> str:
        return f"step {self.index + 1}, {self.step}, was refused: {self.says} ({self.rule})"


@dataclass(frozen=True, slots=True)
class PlanOutcome:
    """Result of a plan.

    Attributes:
        house: the truth after the last step that was possible.
        refusal: the step that was refused; None if every step was possible.
    """

    house: House
    refusal: Refusal | None = None

    @property
    def possible(self) -> bool:
        """Return whether every step was possible."""
        return self.refusal is None

    def holds(self, goal: Formula) -> bool:
        """Return whether a goal, which names things as the scene does, is true in the end.

        Raises:
            UndecidableGoalError: the goal names an unknown thing, or a predicate that cannot be decided.
        """
        return holds(self.house, goal, {})


def execute(where: Scene | House, steps: Iterable[WorldStep]) -> PlanOutcome:
    """Carry out the steps of a plan, one after the other, up to the first that the world refuses.

    Args:
        where: a scene, as it is at the start; or a house, which is changed.

    Raises:
        StepError: a step does not say what it is aimed at, or names something that there is not.
    """
    house = House(where) if isinstance(where, Scene) else where
    abilities = ABILITIES[house.scene.domain]
    for index, step in enumerate(steps):
        ability = abilities.get(step.does)
        if ability is None:
            raise _mistake(house, index, step, f"there is no {step.does!r}. {suggest(step.does, abilities)}")
        attempt = _attempt(house, index, step, ability)
        broken = ability.broken(house, attempt)
        if broken is not None:
            return PlanOutcome(house, Refusal(index, step, broken.name, broken.says))
        if ability.begin is not None:
            ability.begin(house, attempt)
        ability.effect(house, attempt)
    return PlanOutcome(house)


def _attempt(house: House, index: int, step: WorldStep, ability: Ability) -> ResolvedOrder:
    things: dict[str, HouseholdObject | None] = {}
    nodes: dict[str, Place | None] = {}
    for role, kinds in ability.targets.items():
        name = step.roles.get(role)
        if name is None:
            raise _mistake(house, index, step, f"it lacks {role!r}; it needs {', '.join(ability.targets)}.")
        if kinds == NODE:
            if name not in house.nodes:
                raise _mistake(house, index, step, f"there is no node {name!r}. {suggest(name, house.nodes)}")
            nodes[role] = house.nodes[name]
        else:
            valid = [n for n, i in house.names.items() if house.things[i].kind in kinds]
            if name not in valid:
                kind = " or ".join(kinds)
                raise _mistake(house, index, step, f"there is no {kind} {name!r}. {suggest(name, valid)}")
            thing = house.named(name)
            gone = thing.kind == "item" and thing.rests is None
            things[role] = None if gone else thing
    # A robot with one hand need not be told which.
    hands = tuple(house.hands) if not step.hands and len(house.hands) == 1 else step.hands
    if ability.uses_hand and not 1 <= len(hands) <= 2:
        raise _mistake(house, index, step, "it has to name one hand, or two.")
    for hand in hands:
        if hand not in house.hands:
            raise _mistake(house, index, step, f"there is no hand {hand!r}. {suggest(hand, house.hands)}")
    order = Order(
        step.does, hand=hands[0] if hands else None, other_hand=hands[1] if len(hands) == 2 else None
    )
    return ResolvedOrder(order, things, nodes)


def _mistake(house: House, index: int, step: WorldStep, problem: str) -> StepError:
    return StepError(f"Step {index + 1} of a plan in {house.scene.name}, {step}: {problem}")
