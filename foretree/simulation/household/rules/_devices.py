"""Rules and effects of switching devices on: they do their work at once, on everything in them."""

from __future__ import annotations

from collections.abc import Iterator

from foretree.simulation.household.household_state import House, HouseholdObject
from foretree.simulation.household.rules._conditions import state_seen
from foretree.simulation.household.rules._vessels import fill, heat
from foretree.simulation.household.rules.ability import ResolvedOrder, Rule


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
