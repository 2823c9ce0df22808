"""What skills of any world do, when they go well and when they go half wrong."""

from __future__ import annotations

from math import dist

from foretree.simulation.household.household_state import House
from foretree.simulation.household.rules._conditions import way_is_free
from foretree.simulation.household.rules.ability import Effect, ResolvedOrder
from foretree.simulation.household.states_and_relations import relations_of


def makes(parameter: str, *states: str, not_: str | None = None) -> Effect:
    """The thing comes into some states, and out of one."""

    def effect(house: House, attempt: ResolvedOrder) -> None:
        thing = attempt.thing(parameter)
        for state in states:
            house.set_state(thing, state)
        if not_ is not None:
            house.set_state(thing, not_, False)

    return effect


def recorded(effect: Effect, deed: str, *parameters: str) -> Effect:
    """The effect, and a note of what was done to which things: no state of theirs tells it afterwards."""

    def noted(house: House, attempt: ResolvedOrder) -> None:
        effect(house, attempt)
        house.note(deed, *(attempt.thing(parameter) for parameter in parameters))

    return noted


def puts(relation: str) -> Effect:
    """The item comes to rest at the place."""

    def effect(house: House, attempt: ResolvedOrder) -> None:
        house.put(attempt.thing("item"), relation, attempt.thing("place").id)

    return effect


def grasps(house: House, attempt: ResolvedOrder) -> None:
    """The item comes into the hand, or into both."""
    house.grasp(attempt.thing("item"), *attempt.hands)


def slips(house: House, attempt: ResolvedOrder) -> None:
    """The item slips out of the fingers and comes to lie beside where it was."""
    rests = attempt.thing("item").rests
    assert rests is not None
    house.put(attempt.thing("item"), *rests)


def misses(wanted: str) -> Effect:
    """The item misses its place: it lies under it, on top of it, or has stayed in the hand."""

    def effect(house: House, attempt: ResolvedOrder) -> None:
        place = attempt.thing("place")
        for relation in ("under", "on"):
            if relation != wanted and relation in relations_of(place.known):
                house.put(attempt.thing("item"), relation, place.id)
                return

    return effect


# -- on the way --------------------------------------------------------------------------------------


def leaves(house: House, attempt: ResolvedOrder) -> None:
    """The robot sets out."""
    house.leave()


def arrives(house: House, attempt: ResolvedOrder) -> None:
    """The robot is where the way leads."""
    house.arrive(attempt.node("to").name)


def turns_back(house: House, attempt: ResolvedOrder, progress: float) -> None:
    """A way that is broken off ends at the nearer end, unless it was closed in between."""
    beyond = progress >= 0.5 and way_is_free(house, attempt)
    house.arrive(attempt.node("to" if beyond else "from").name)


def driving(house: House, attempt: ResolvedOrder) -> float:
    """How long the way takes."""
    way = dist(attempt.node("from").pose, attempt.node("to").pose)
    return round(way / house.scene.robot.speed + 0.5, 3)
