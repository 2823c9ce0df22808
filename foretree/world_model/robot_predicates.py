"""What is said of the robot's own body: the few predicates that the program itself has to know.

Domains are data, but the robot feels where it stands and what its hands hold, so somebody must know what
that is called. It is written here and nowhere else.
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
