"""Effects of skills in any world, when they go well and when they go half wrong; vessels and devices.

A device that is switched on does its work at once, on everything in it.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import dist

from foretree.simulation.household.household_state import House, HouseholdObject
from foretree.simulation.household.rules._conditions import state_seen, way_is_free
from foretree.simulation.household.rules.ability import Effect, ResolvedOrder, Rule
from foretree.simulation.household.states_and_relations import relations_of


def makes(parameter: str, state: str | None = None, not_: str | None = None) -> Effect:
    """Bring a thing into a state, and out of another."""

    def effect(house: House, order: ResolvedOrder) -> None:
        if state is not None:
            house.set_state(order.thing(parameter), state)
        if not_ is not None:
            house.set_state(order.thing(parameter), not_, False)

    return effect


def recorded(effect: Effect, event: str, *parameters: str) -> Effect:
    """Have the effect, and note the event with its things where no state of theirs shows it afterwards."""

    def noted(house: House, order: ResolvedOrder) -> None:
        effect(house, order)
        house.note(event, *(order.thing(parameter) for parameter in parameters))

    return noted


def puts(relation: str) -> Effect:
    """Put the item at the place."""
    return lambda house, order: house.put(order.thing("item"), relation, order.thing("place").id)


def grasps(house: House, order: ResolvedOrder) -> None:
    """Take the item into the hand, or into both."""
    house.grasp(order.thing("item"), *order.hands)


def slips(house: House, order: ResolvedOrder) -> None:
    """Let the item slip out of the fingers, beside where it was."""
    rests = order.thing("item").rests
    assert rests is not None
    house.put(order.thing("item"), *rests)


def misses(wanted: str) -> Effect:
    """Let the item miss its place: it lies under it, on top of it, or stays in the hand."""

    def effect(house: House, order: ResolvedOrder) -> None:
        place = order.thing("place")
        for relation in ("under", "on"):
            if relation != wanted and relation in relations_of(place.known):
                house.put(order.thing("item"), relation, place.id)
                return

    return effect


# -- ways --------------------------------------------------------------------------------------------


def leaves(house: House, order: ResolvedOrder) -> None:
    """Let the robot set out."""
    house.leave()


def arrives(house: House, order: ResolvedOrder) -> None:
    """Let the robot stand at the end of the way."""
    house.arrive(order.node("to").name)


def stays(house: House, order: ResolvedOrder) -> None:
    """End half a way where it began: on a map there need not be a node in between."""
    house.arrive(order.node("from").name)


def stops_mid_room(house: House, order: ResolvedOrder) -> None:
    """End half a way in the middle of the room, or where it began if it began there."""
    house.arrive(order.node("from").room)


def turns_back(house: House, order: ResolvedOrder, progress: float) -> None:
    """End a way that is broken off at its nearer end, unless it was closed in between."""
    beyond = progress >= 0.5 and way_is_free(house, order)
    house.arrive(order.node("to" if beyond else "from").name)


def driving(house: House, order: ResolvedOrder) -> float:
    """Return the seconds that the way takes."""
    way = dist(order.node("from").pose, order.node("to").pose)
    return round(way / house.robot.speed + 0.5, 3)


# -- vessels ---

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


# -- devices ---


def _is_closed(house: House, order: ResolvedOrder) -> bool:
    device = order.thing("place")
    return device.affords("lid_open_to_run") or not device.affords("openable") or not device.has("open")


def _is_lid_open(house: House, order: ResolvedOrder) -> bool:
    device = order.thing("place")
    return not device.affords("lid_open_to_run") or device.has("open")


def _is_on_its_base(house: House, order: ResolvedOrder) -> bool:
    device = order.thing("place")
    return not device.affords("boils") or device.relation == "on"


#: Rules for a device to be switched on, besides that it is off.
READY_TO_RUN = (
    Rule("closed", "it has to be closed", _is_closed, state_seen("place", "open")),
    Rule("lid-open", "its lid has to be open", _is_lid_open, state_seen("place", "open")),
    Rule(
        "on-its-base",
        "a kettle has to stand on something",
        _is_on_its_base,
        lambda house, order: (("rests", order.thing("place").id),),
    ),
)


def _content(house: House, device: HouseholdObject) -> Iterator[HouseholdObject]:
    """Everything in a device, with all that is in or on that."""
    for inner in house.resting("in", device.id):
        yield house[inner]
        yield from house.carried_by(house[inner])


def switches_on(house: House, order: ResolvedOrder) -> None:
    """Switch the device on; it has done its work as soon as it runs."""
    device = order.thing("place")
    house.set_state(device, "turned_on")
    if device.affords("heats"):
        for thing in _content(house, device):
            heat(house, thing)
            house.note("heated", thing)
    if device.affords("washes"):
        for thing in _content(house, device):
            house.set_state(thing, "clean")
    if device.affords("has_tap"):
        for below in house.resting("in", device.id):
            house.set_state(house[below], "clean")
            fill(house, house[below], "has_water")
    if device.affords("brews"):
        for below in house.resting("under", device.id):
            if fill(house, house[below], "has_coffee"):
                heat(house, house[below])
                house.note("brewed", house[below])
    if device.affords("boils") and device.has("has_water"):
        heat(house, device)
        house.note("boiled", device)
