"""Rules and effects of skills with vessels: what can be poured where, and what is then in it."""

from __future__ import annotations

from foretree.simulation.household.household_state import House, HouseholdObject
from foretree.simulation.household.rules.ability import ResolvedOrder

#: Contents of a vessel, and of a spoon.
LIQUIDS = ("has_water", "has_milk", "has_coffee", "has_juice", "has_tea")
POWDERS = ("has_sugar", "has_soil", "has_cereal")


def takes_content(house: House, order: ResolvedOrder) -> bool:
    """Return whether the content of the item can be poured into the target."""
    item, target = order.thing("item"), order.thing("target")
    if target.affords("drain") or target.affords("fillable"):
        return True
    return target.affords("plant") and item.has("has_water")


def has_room(house: House, order: ResolvedOrder) -> bool:
    """Return whether the target has room: powder goes into a full vessel, a liquid needs an empty one."""
    item, target = order.thing("item"), order.thing("target")
    return item.has("laden") or not target.affords("fillable") or not target.has("filled")


def heat(house: House, thing: HouseholdObject) -> None:
    """Make a thing hot."""
    house.set_state(thing, "hot")
    house.set_state(thing, "cold", False)


def fill(house: House, vessel: HouseholdObject, liquid: str) -> bool:
    """Fill an empty vessel. Returns whether it was one."""
    is_empty = vessel.affords("fillable") and not vessel.has("filled")
    if is_empty:
        house.set_state(vessel, "filled")
        house.set_state(vessel, liquid)
    return is_empty


def _empty(house: House, thing: HouseholdObject) -> None:
    """Leave nothing in a vessel, or on a spoon, not even warmth; a carton never gets empty."""
    if not thing.affords("dispenser"):
        for state in ("filled", "hot", "laden", "stirred", "sweetened", *LIQUIDS, *POWDERS):
            house.set_state(thing, state, False)


def pours(house: House, order: ResolvedOrder) -> None:
    """Pour the content of the item into the target, or down the drain."""
    item, target = order.thing("item"), order.thing("target")
    if item.has("filled") and not target.affords("drain") and not item.affords("dispenser"):
        house.note("decanted", item)
    if target.affords("plant"):
        house.set_state(target, "watered")
    elif target.affords("fillable"):
        powder = item.has("laden")
        if not powder:
            house.note("poured", item, target)
        for state in POWDERS if powder else ("filled", *LIQUIDS):
            if item.has(state):
                house.set_state(target, state)
        if item.has("hot") and not powder:
            heat(house, target)
    _empty(house, item)


def spills(house: House, order: ResolvedOrder) -> None:
    """Spill the content of the item."""
    _empty(house, order.thing("item"))


def stirs(house: House, order: ResolvedOrder) -> None:
    """Stir the content of the item, which dissolves sugar."""
    vessel = order.thing("item")
    house.set_state(vessel, "stirred")
    if vessel.has("has_sugar"):
        house.set_state(vessel, "sweetened")


def scoops(house: House, order: ResolvedOrder) -> None:
    """Take powder from the item onto the tool."""
    tool, source = order.thing("tool"), order.thing("item")
    house.set_state(tool, "laden")
    for powder in POWDERS:
        house.set_state(tool, powder, source.has(powder))
