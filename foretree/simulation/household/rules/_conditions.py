"""What can be asked for by any skill: that a thing is there, that a hand is free, that a door is open."""

from __future__ import annotations

from foretree.simulation.household.household_state import House, Key, RestingPlace
from foretree.simulation.household.rules.ability import NEVER_SEEN, ResolvedOrder, Rule
from foretree.simulation.household.states_and_relations import relations_of


def is_there(parameter: str) -> Rule:
    """Something like it was found where the order says."""
    return Rule(
        f"{parameter}-there",
        f"the {parameter} has to be where the order says",
        lambda house, attempt: attempt.things[parameter] is not None,
        lambda house, attempt: (NEVER_SEEN,),
    )


def rests_at_place(parameter: str, *relations: str) -> Rule:
    """It rests at the place, in one of these ways."""

    def holds(house: House, attempt: ResolvedOrder) -> bool:
        thing, place = attempt.things[parameter], attempt.thing("place")
        return thing is not None and thing.rests in [
            RestingPlace(relation, place.id) for relation in relations
        ]

    def shows(house: House, attempt: ResolvedOrder) -> tuple[Key, ...]:
        thing, place = attempt.things[parameter], attempt.thing("place")
        if thing is not None:
            return (("rests", thing.id),)
        # It is nowhere near: to know that, one has to see all of the place.
        return tuple(("found", r, place.id) for r in relations_of(place.known) if r in relations) or (
            ("is", place.id),
        )

    return Rule(f"{parameter}-there", f"the {parameter} has to be {' or '.join(relations)} it", holds, shows)


def affords(parameter: str, affordance: str, says: str) -> Rule:
    """It is of a class that can be used in this way."""
    return Rule(
        affordance,
        says,
        lambda house, attempt: attempt.thing(parameter).affords(affordance),
        lambda house, attempt: (("is", attempt.thing(parameter).id),),
    )


def is_(parameter: str, state: str, wanted: bool, name: str, says: str) -> Rule:
    """It is in a state, or is not."""
    return Rule(
        name,
        says,
        lambda house, attempt: attempt.thing(parameter).has(state) is wanted,
        lambda house, attempt: ((state, attempt.thing(parameter).id),),
    )


def stands_at(parameter: str) -> Rule:
    """The robot stands where one handles it."""
    return Rule(
        f"at-{parameter}",
        f"the robot has to stand at the {parameter}",
        lambda house, attempt: house.node == house.node_of(attempt.thing(parameter)),
    )


def lid(parameter: str, open_: bool, name: str, says: str) -> Rule:
    """A container is open, or shut; one without a lid counts as both, since nothing is in the way."""
    return Rule(
        name,
        says,
        lambda house, attempt: (
            not attempt.thing(parameter).affords("openable")
            or ("open" in attempt.thing(parameter).states) is open_
        ),
        lambda house, attempt: (("open", attempt.thing(parameter).id),),
    )


def _reachable(house: House, attempt: ResolvedOrder) -> bool:
    item, place = attempt.thing("item"), attempt.thing("place")
    return place.is_open or item.rests != RestingPlace("in", place.id)


CONTAINER_OPEN = Rule(
    "container-open",
    "the container has to be open",
    _reachable,
    lambda house, attempt: (("open", attempt.thing("place").id),),
)

STANDS = Rule("standing", "the robot has to stand still", lambda house, attempt: house.node is not None)
HAND_FREE = Rule(
    "hand-free",
    "the hand has to be free",
    lambda house, attempt: all(house.hands[hand] is None for hand in attempt.hands),
)
AT_PLACE = (STANDS, is_there("place"), stands_at("place"))
EMPTY_HANDED = (*AT_PLACE, HAND_FREE)


def holding(parameter: str) -> Rule:
    """The hand holds it."""
    return Rule(
        "holding",
        f"the hand has to hold the {parameter}",
        lambda house, attempt: (
            attempt.things[parameter] is not None and house.hands[attempt.hand] == attempt.thing(parameter).id
        ),
    )


# -- on the way --------------------------------------------------------------------------------------


def _is_passage(house: House, attempt: ResolvedOrder) -> bool:
    one, other = attempt.node("from").name, attempt.node("to").name
    return one == other or house.passage_between(one, other) is not None


def _door_open(house: House, attempt: ResolvedOrder) -> bool:
    passage = house.passage_between(attempt.node("from").name, attempt.node("to").name)
    return passage is None or passage.door is None or house.named(passage.door).is_open


def _door_seen(house: House, attempt: ResolvedOrder) -> tuple[Key, ...]:
    passage = house.passage_between(attempt.node("from").name, attempt.node("to").name)
    return (("open", house.names[passage.door]),) if passage is not None and passage.door else ()


def _nothing_in_the_way(house: House, attempt: ResolvedOrder) -> bool:
    passage = house.passage_between(attempt.node("from").name, attempt.node("to").name)
    return passage is None or not house.obstructed.get(passage, False)


def _way_seen(house: House, attempt: ResolvedOrder) -> tuple[Key, ...]:
    passage = house.passage_between(attempt.node("from").name, attempt.node("to").name)
    return (("passable", passage.one, passage.other),) if passage is not None else ()


def way_is_free(house: House, attempt: ResolvedOrder) -> bool:
    """Whether one can get to the end of the way: no door is closed, and nothing stands in it."""
    return _door_open(house, attempt) and _nothing_in_the_way(house, attempt)


def _at_door(house: House, attempt: ResolvedOrder) -> bool:
    passages = house.scene.places.door_edges(house.name_of(attempt.thing("door")))
    return any(house.node in (passage.one, passage.other) for passage in passages)


AT_DOOR = Rule("at-door", "the robot has to stand at the door", _at_door)

#: What a way from one node to another must be like.
ON_THE_WAY = (
    Rule("standing", STANDS.says, STANDS.holds, lasting=False),
    Rule(
        "starts-here",
        "the robot has to be where the way starts",
        lambda house, attempt: attempt.nodes["from"] is not None and attempt.node("from").name == house.node,
        lasting=False,
    ),
    Rule(
        "somewhere",
        "the way has to lead to a place on the map",
        lambda house, attempt: attempt.nodes["to"] is not None,
    ),
    Rule("no-wall", "a passage of the map has to lead there", _is_passage),
    Rule("door-open", "the door on the way has to be open", _door_open, _door_seen),
    Rule("way-free", "nothing may stand in the way", _nothing_in_the_way, _way_seen),
)
