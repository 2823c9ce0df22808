"""Predicates, and one function, that the program itself knows by name: of the robot's body and of the map.

Domains are data, but the robot feels where it stands and what its hands hold, and maps become facts.
All other predicates come from domain files.
"""

from __future__ import annotations

from typing import TypeAlias

from foretree.world_model.beliefs.facts import Atom

#: A hand: the robot that it belongs to, and its name.
Hand: TypeAlias = tuple[str, str]

ROBOT_AT = "rob_at_node"
HAS_HAND = "rob_has_hand"
HAND_FREE = "hand_free"
HOLDING = "holding"

#: ``(obj_at_node ?thing ?node)``: where a thing is that rests on nothing else.
OBJECT_AT = "obj_at_node"
#: ``(connected ?from ?to)``: one can go from one node to the next, now.
CONNECTED = "connected"
#: ``(has_door ?door ?from ?to)``: a door, open or closed, is on the way.
HAS_DOOR = "has_door"
#: ``(travel_cost ?from ?to)``: what the way costs.
TRAVEL_COST = "travel_cost"


def robot_at(robot: str, node: str) -> Atom:
    """The robot stands at a node of the map."""
    return (ROBOT_AT, robot, node)


def has_hand(hand: Hand) -> Atom:
    """The robot has this hand."""
    return (HAS_HAND, *hand)


def hand_free(hand: Hand) -> Atom:
    """The hand holds nothing."""
    return (HAND_FREE, *hand)


def holding(hand: Hand, thing: str) -> Atom:
    """The hand holds a thing."""
    return (HOLDING, *hand, thing)


def hand_of(placement: Atom | None) -> Hand | None:
    """The hand that a thing is in; None when its *placement* is not in a hand, or not known."""
    if placement is None or placement[0] != HOLDING or len(placement) != 4:
        return None
    return placement[1], placement[2]
