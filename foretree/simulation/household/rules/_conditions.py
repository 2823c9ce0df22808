"""Rules that any skill can ask for: that a thing is there, that a hand is free, that a door is open."""

from __future__ import annotations

from foretree.simulation.household.household_state import House, Key, RestingPlace
from foretree.simulation.household.rules.ability import NEVER_SEEN, Condition, Evidence, ResolvedOrder, Rule
from foretree.simulation.household.states_and_relations import relations_of
from foretree.world_model.maps.places import Passage

# -- evidence ----------------------------------------------------------------------------------------


def seen(*parameters: str) -> Evidence:
    """The things themselves: their classes show as soon as they are seen."""
    return lambda house, order: tuple(("is", order.thing(parameter).id) for parameter in parameters)


def state_seen(parameter: str, *states: str) -> Evidence:
    """States of a thing."""
    return lambda house, order: tuple((state, order.thing(parameter).id) for state in states)


def content_seen(parameter: str, *relations: str) -> Evidence:
    """Everything that rests on a thing in some ways; in any way if none is given."""
    return lambda house, order: tuple(
        ("found", relation, order.thing(parameter).id)
        for relation in relations or relations_of(order.thing(parameter).known)
    )


# -- things ------------------------------------------------------------------------------------------


def is_there(parameter: str) -> Rule:
    """Something like the target was found where the order says."""
    return Rule(
        f"{parameter}-there",
        f"the {parameter} has to be where the order says",
        lambda house, order: order.things[parameter] is not None,
        lambda house, order: (NEVER_SEEN,),
    )


def rests_at_place(parameter: str, *relations: str) -> Rule:
    """The thing rests at the place, in one of these ways."""

    def holds(house: House, order: ResolvedOrder) -> bool:
        thing, place = order.things[parameter], order.thing("place")
        return thing is not None and thing.rests in [RestingPlace(one, place.id) for one in relations]

    def shows(house: House, order: ResolvedOrder) -> tuple[Key, ...]:
        thing, place = order.things[parameter], order.thing("place")
        if thing is not None:
            return (("rests", thing.id),)
        # It is nowhere near: to know that, one has to see all of the place.
        return tuple(("found", r, place.id) for r in relations_of(place.known) if r in relations) or (
            ("is", place.id),
        )

    return Rule(f"{parameter}-there", f"the {parameter} has to be {' or '.join(relations)} it", holds, shows)


def affords(parameter: str, says: str, *affordances: str) -> Rule:
    """The class of a thing has one of these affordances; the first names the rule."""
    return Rule(
        affordances[0],
        says,
        lambda house, order: any(order.thing(parameter).affords(one) for one in affordances),
        seen(parameter),
    )


def fits(name: str, says: str, holds: Condition, *parameters: str) -> Rule:
    """The classes of things go together."""
    return Rule(name, says, holds, seen(*parameters))


def is_(parameter: str, state: str, wanted: bool, name: str, says: str) -> Rule:
    """A thing is in a state, or is not."""
    return Rule(
        name,
        says,
        lambda house, order: order.thing(parameter).has(state) is wanted,
        state_seen(parameter, state),
    )


def lid(parameter: str, open_: bool, name: str, says: str) -> Rule:
    """A container is open, or shut; one without a lid counts as both, since nothing is in the way."""
    return Rule(
        name,
        says,
        lambda house, order: (
            not order.thing(parameter).affords("openable") or order.thing(parameter).has("open") is open_
        ),
        state_seen(parameter, "open"),
    )


def put_down(parameter: str) -> Rule:
    """The thing is not in a hand."""
    return Rule(
        f"{parameter}-put-down",
        f"the {parameter} has to rest somewhere, not in a hand",
        lambda house, order: not house.in_hand(order.thing(parameter)),
    )


def is_on_something(parameter: str) -> Rule:
    """The thing rests on another."""
    return Rule(
        f"{parameter}-on-something",
        f"the {parameter} has to be on something",
        lambda house, order: order.thing(parameter).relation == "on",
        lambda house, order: (("rests", order.thing(parameter).id),),
    )


def room_for_one(relation: str, parameter: str, affordance: str, name: str, says: str) -> Rule:
    """Nothing rests yet on a thing that has room for one thing only."""
    return Rule(
        name,
        says,
        lambda house, order: (
            not order.thing(parameter).affords(affordance)
            or not house.resting(relation, order.thing(parameter).id)
        ),
        content_seen(parameter, relation),
    )


# -- the robot ---------------------------------------------------------------------------------------

STANDS = Rule("standing", "the robot has to stand still", lambda house, order: house.node is not None)
HAND_FREE = Rule(
    "hand-free",
    "the hand has to be free",
    lambda house, order: all(house.hands[hand] is None for hand in order.hands),
)


def holding(parameter: str) -> Rule:
    """The hand, or both if the order names two, holds the thing."""

    def holds(house: House, order: ResolvedOrder) -> bool:
        thing = order.things[parameter]
        return thing is not None and all(house.hands[hand] == thing.id for hand in order.hands)

    return Rule("holding", f"the hand has to hold the {parameter}", holds)


def stands_at(parameter: str) -> tuple[Rule, ...]:
    """The robot stands where one handles the thing."""
    return (
        STANDS,
        is_there(parameter),
        Rule(
            f"at-{parameter}",
            f"the robot has to stand at the {parameter}",
            lambda house, order: house.node == house.node_of(order.thing(parameter)),
        ),
    )


def in_reach(parameter: str) -> tuple[Rule, ...]:
    """The robot stands where one handles the thing, and nothing closed is around it."""

    def shows(house: House, order: ResolvedOrder) -> tuple[Key, ...]:
        closed = house.lid_above(order.thing(parameter))
        return (("open", closed.id),) if closed is not None else ()

    return (
        *stands_at(parameter),
        Rule(
            f"{parameter}-in-reach",
            f"the {parameter} must not be inside something closed",
            lambda house, order: house.lid_above(order.thing(parameter)) is None,
            shows,
        ),
    )


# -- ways --------------------------------------------------------------------------------------------


def _passage(house: House, order: ResolvedOrder) -> Passage | None:
    return house.passage_between(order.node("from").name, order.node("to").name)


def _is_passage(house: House, order: ResolvedOrder) -> bool:
    return order.node("from") == order.node("to") or _passage(house, order) is not None


def _door_open(house: House, order: ResolvedOrder) -> bool:
    passage = _passage(house, order)
    return passage is None or passage.door is None or house.named(passage.door).is_open


def _door_seen(house: House, order: ResolvedOrder) -> tuple[Key, ...]:
    passage = _passage(house, order)
    return (("open", house.names[passage.door]),) if passage is not None and passage.door else ()


def _is_unblocked(house: House, order: ResolvedOrder) -> bool:
    passage = _passage(house, order)
    return passage is None or not house.obstructed.get(passage, False)


def _passage_seen(house: House, order: ResolvedOrder) -> tuple[Key, ...]:
    passage = _passage(house, order)
    return (("passable", passage.one, passage.other),) if passage is not None else ()


def way_is_free(house: House, order: ResolvedOrder) -> bool:
    """Return whether the robot can get to the end of the way: no door is closed, and nothing stands in it."""
    return _door_open(house, order) and _is_unblocked(house, order)


def _at_door(house: House, order: ResolvedOrder) -> bool:
    passages = house.scene.places.door_edges(house.name_of(order.thing("door")))
    return any(house.node in (passage.one, passage.other) for passage in passages)


AT_DOOR = Rule("at-door", "the robot has to stand at the door", _at_door)

#: Rules for a way from one node to another.
ON_THE_WAY = (
    Rule("standing", STANDS.says, STANDS.holds, lasting=False),
    Rule(
        "starts-here",
        "the robot has to be where the way starts",
        lambda house, order: order.nodes["from"] is not None and order.node("from").name == house.node,
        lasting=False,
    ),
    Rule(
        "somewhere",
        "the way has to lead to a place on the map",
        lambda house, order: order.nodes["to"] is not None,
    ),
    Rule("no-wall", "a passage of the map has to lead there", _is_passage),
    Rule("door-open", "the door on the way has to be open", _door_open, _door_seen),
    Rule("way-free", "nothing may stand in the way", _is_unblocked, _passage_seen),
)
