"""Effects of skills in any world, when they go well and when they go half wrong."""

from __future__ import annotations

from math import dist

from foretree.simulation.household.household_state import House
from foretree.simulation.household.rules._conditions import way_is_free
from foretree.simulation.household.rules.ability import Effect, ResolvedOrder
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
    return round(way / house.scene.robot.speed + 0.5, 3)
