"""The operators that expansion adds: going somewhere, opening a door, pushing what can be pushed."""

from __future__ import annotations

from collections.abc import Iterator

from foretree.planning.expansion._agents import Embodiment
from foretree.planning.expansion._implied_literals import conjunction
from foretree.planning.pddl.syntax import Cost, Effect, Formula, Literal, Operator, Typed
from foretree.world_model.builtin_predicates import (
    CONNECTED,
    HAND_FREE,
    HAS_DOOR,
    HAS_HAND,
    OBJECT_AT,
    ROBOT_AT,
    TRAVEL_COST,
)

DOOR_OPEN = "door_open"
MOVE_ROBOT = "move_robot"
OPEN_DOOR = "open_door"


def push_name(kind: str) -> str:
    """What the operator that pushes things of a kind is called."""
    return f"push_{kind}"


def move_robot(bodies: Embodiment, counts_cost: bool) -> Operator:
    """Go from one node to the next."""
    kinds = bodies.kinds
    robot = kinds.variable("?r", kinds.robot)
    start, end = _ends(bodies)
    return Operator(
        MOVE_ROBOT,
        (robot, start, end),
        conjunction(
            *_guards(bodies, (robot, kinds.robot), (start, kinds.node), (end, kinds.node)),
            Literal((ROBOT_AT, "?r", "?from")),
            Literal((CONNECTED, "?from", "?to")),
        ),
        (
            Effect(Literal((ROBOT_AT, "?r", "?from"), False)),
            Effect(Literal((ROBOT_AT, "?r", "?to"))),
        ),
        _travel(counts_cost),
    )


def open_door(bodies: Embodiment, door_open: str) -> Operator:
    """Open the door between two nodes from one of them; the way is open from both then."""
    kinds = bodies.kinds
    robot, door = kinds.variable("?r", kinds.robot), kinds.variable("?d", kinds.door)
    start, end = _ends(bodies)
    hands, free = _free_hand(bodies)
    return Operator(
        OPEN_DOOR,
        (robot, *hands, door, start, end),
        conjunction(
            *_guards(bodies, (robot, kinds.robot), *((hand, kinds.hand) for hand in hands)),
            *_guards(bodies, (door, kinds.door), (start, kinds.node), (end, kinds.node)),
            Literal((ROBOT_AT, "?r", "?from")),
            Literal((HAS_DOOR, "?d", "?from", "?to")),
            *free,
            Literal((CONNECTED, "?from", "?to"), False),
        ),
        (
            Effect(Literal((CONNECTED, "?from", "?to"))),
            Effect(Literal((CONNECTED, "?to", "?from"))),
            Effect(Literal((door_open, "?d"))),
        ),
    )


def push(bodies: Embodiment, kind: str, counts_cost: bool) -> Operator:
    """Push a thing of a kind, with all that rests on it, from one node to the next."""
    kinds = bodies.kinds
    robot, thing = kinds.variable("?r", kinds.robot), kinds.variable("?o", kind)
    start, end = _ends(bodies)
    hands, free = _free_hand(bodies)
    return Operator(
        push_name(kind),
        (robot, *hands, thing, start, end),
        conjunction(
            *_guards(bodies, (robot, kinds.robot), *((hand, kinds.hand) for hand in hands)),
            *_guards(bodies, (thing, kind), (start, kinds.node), (end, kinds.node)),
            Literal((ROBOT_AT, "?r", "?from")),
            *free,
            Literal((OBJECT_AT, "?o", "?from")),
            Literal((CONNECTED, "?from", "?to")),
        ),
        (
            Effect(Literal((ROBOT_AT, "?r", "?from"), False)),
            Effect(Literal((OBJECT_AT, "?o", "?from"), False)),
            Effect(Literal((ROBOT_AT, "?r", "?to"))),
            Effect(Literal((OBJECT_AT, "?o", "?to"))),
        ),
        _travel(counts_cost),
    )


def _ends(bodies: Embodiment) -> tuple[Typed, Typed]:
    kinds = bodies.kinds
    return kinds.variable("?from", kinds.node), kinds.variable("?to", kinds.node)


def _free_hand(bodies: Embodiment) -> tuple[tuple[Typed, ...], tuple[Formula, ...]]:
    """The hand that it takes, and that it is free."""
    if not bodies.hands:
        return (), (Literal((HAND_FREE, "?r")),)
    hand = bodies.kinds.variable("?h", bodies.kinds.hand)
    return (hand,), (Literal((HAS_HAND, "?r", "?h")), Literal((HAND_FREE, "?r", "?h")))


def _guards(bodies: Embodiment, *variables: tuple[Typed, str]) -> Iterator[Formula]:
    for variable, kind in variables:
        yield from bodies.kinds.guard(variable.name, kind)


def _travel(counts_cost: bool) -> Cost:
    return Cost(function=(TRAVEL_COST, "?from", "?to")) if counts_cost else Cost(constant=1)
