"""Abilities of household robots that do something together: one holds a thing out, the other takes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from foretree.simulation.household.household_state import House, HouseholdObject
from foretree.simulation.household.rules._conditions import HAND_FREE, STANDS, holding
from foretree.simulation.household.rules.ability import ITEM, NODE, Ability, ResolvedOrder, Rule

#: Rules that the robot stands where both are to stand.
_STANDS_THERE = (
    STANDS,
    Rule(
        "at-place",
        "the robot has to stand where the other one does",
        lambda house, order: order.nodes["at"] is not None and house.node == order.node("at").name,
    ),
)


def _offered(house: House, order: ResolvedOrder) -> HouseholdObject | None:
    """Return the thing like the order's that another robot holds out where this one stands."""
    own, wanted = house.robot.name, order.order.targets.get("item")
    found = (
        house[item]
        for item, giver in house.offered.items()
        if giver != own
        and house.robots[giver].node == house.node
        and item in house.robots[giver].hands.values()
    )
    return next((one for one in found if wanted is None or house.looks_like(one, wanted)), None)


def _offers(house: House, order: ResolvedOrder) -> None:
    house.offered[order.thing("item").id] = house.robot.name


def _withdraws(house: House, order: ResolvedOrder) -> None:
    house.offered.pop(order.thing("item").id, None)


def _takes_over(house: House, order: ResolvedOrder) -> None:
    item = _offered(house, order)
    assert item is not None
    house.grasp(item, *order.hands)


#: What two robots do together, by the skill's name. The giver's side is longer, so that it does not withdraw
#: what the other one is about to take.
JOINT_ABILITIES: Mapping[str, Ability] = {
    "hand_over": Ability(
        {"item": ITEM, "at": NODE},
        (*_STANDS_THERE, replace(holding("item"), lasting=False)),
        _withdraws,
        3.0,
        held="item",
        begin=_offers,
        abandon=lambda house, order, _: _withdraws(house, order),
    ),
    "receive": Ability(
        {"at": NODE},
        (
            *_STANDS_THERE,
            HAND_FREE,
            Rule(
                "offered",
                "a robot at the same place has to hold something out",
                lambda house, order: _offered(house, order) is not None,
            ),
        ),
        _takes_over,
        side_of="hand_over",
    ),
}
