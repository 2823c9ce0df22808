"""Abilities: targets and rules of a skill, and its effects on the world."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from foretree.errors import suggest
from foretree.simulation.household.household_state import House, HouseholdObject, Key
from foretree.skills.robot import Order, RobotError
from foretree.world_model.maps.places import Place


@dataclass(frozen=True, slots=True)
class ResolvedOrder:
    """An order with the things that the robot found where the order said they would be.

    Attributes:
        order: the order.
        things: by parameter; None where nothing like it was found.
        nodes: by parameter (``from``, ``to``); None where there is no place to stand.
    """

    order: Order
    things: Mapping[str, HouseholdObject | None] = field(default_factory=dict)
    nodes: Mapping[str, Place | None] = field(default_factory=dict)

    def thing(self, parameter: str) -> HouseholdObject:
        """The thing that was found for a parameter; earlier rules made sure that there is one."""
        found = self.things[parameter]
        assert found is not None
        return found

    def node(self, parameter: str) -> Place:
        """The node that was found for a parameter."""
        found = self.nodes[parameter]
        assert found is not None
        return found

    @property
    def hands(self) -> tuple[str, ...]:
        """The hand to use, or both if the order names two."""
        return tuple(dict.fromkeys(hand for hand in (self.order.hand, self.order.other_hand) if hand))


Condition: TypeAlias = Callable[[House, ResolvedOrder], bool]
Effect: TypeAlias = Callable[[House, ResolvedOrder], None]
Evidence: TypeAlias = Callable[[House, ResolvedOrder], tuple[Key, ...]]

#: A key that no view ever contains.
NEVER_SEEN: Key = ("never-seen",)

#: The kinds of things that an order can mean by a parameter.
Kinds: TypeAlias = tuple[str, ...]

ITEM: Kinds = ("item",)
ASSET: Kinds = ("asset",)
ANYTHING: Kinds = ("asset", "item")
DOOR: Kinds = ("door",)
PERSON: Kinds = ("person",)
NODE: Kinds = ("node",)


def no_evidence(house: House, order: ResolvedOrder) -> tuple[Key, ...]:
    """Nothing has to be seen: the robot knows its own body and its map."""
    return ()


@dataclass(frozen=True, slots=True)
class Rule:
    """A condition for a skill to be possible.

    Attributes:
        name: its name in a refusal (``container-open``).
        says: the same for a person, as what has to be so.
        holds: whether it is so.
        shows: the keys that one has to see to know that it is not so.
        lasting: whether it must still be so when the skill ends, or only when it begins.
    """

    name: str
    says: str
    holds: Condition
    shows: Evidence = no_evidence
    lasting: bool = True


@dataclass(frozen=True, slots=True)
class Ability:
    """A skill as the world knows it.

    Attributes:
        targets: the parameters that an order must aim at something, and at what kinds of things.
        rules: in the order in which they are checked.
        effect: its effect.
        duration: seconds, or a function that returns them.
        half: its effect when it goes half wrong; by default nothing at all.
        held: the parameter that the hand must hold; it is found in the hand, not by its position.
        uses_hand: whether it needs a hand.
        begin: the effect that it has at once.
        abandon: the effect of breaking it off after a part (0 to 1) of its duration.
        side_of: the skill that it is the other robot's side of; empty if it is a skill of its own.
    """

    targets: Mapping[str, Kinds]
    rules: tuple[Rule, ...]
    effect: Effect
    duration: float | Callable[[House, ResolvedOrder], float] = 2.0
    half: Effect | None = None
    held: str | None = None
    uses_hand: bool = True
    begin: Effect | None = None
    abandon: Callable[[House, ResolvedOrder, float], None] | None = None
    side_of: str = ""

    def seconds(self, house: House, order: ResolvedOrder) -> float:
        """Return how long it takes."""
        return self.duration if isinstance(self.duration, float) else self.duration(house, order)

    def broken(self, house: House, order: ResolvedOrder, at_end: bool = False) -> Rule | None:
        """Return the first rule that is broken, if one is."""
        rules = (rule for rule in self.rules if rule.lasting or not at_end)
        return next((rule for rule in rules if not rule.holds(house, order)), None)


def resolve_order(house: House, ability: Ability, order: Order) -> ResolvedOrder:
    """Find the targets of an order, by where things are and what they look like.

    Raises:
        RobotError: the order lacks a target, or a hand.
    """
    missing = [name for name in ability.targets if name not in order.targets]
    if missing:
        raise RobotError(
            f"The order {order.skill} lacks {' and '.join(missing)}; it needs {', '.join(ability.targets)}."
        )
    if ability.uses_hand:
        for hand in (order.hand, order.other_hand or order.hand):
            if hand not in house.hands:
                raise RobotError(f"The robot has no hand {hand!r}. {suggest(hand or '', house.hands)}")
    things: dict[str, HouseholdObject | None] = {}
    nodes: dict[str, Place | None] = {}
    for name, kinds in ability.targets.items():
        target = order.targets[name]
        if kinds == NODE:
            nodes[name] = house.find_node(target)
        elif name == ability.held:
            held = house.hands[order.hand] if order.hand else None
            thing = house[held] if held is not None else None
            things[name] = thing if thing is not None and house.looks_like(thing, target) else None
        else:
            things[name] = house.find(target, kinds)
    return ResolvedOrder(order, things, nodes)
