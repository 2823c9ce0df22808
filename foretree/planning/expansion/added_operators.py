"""The operators that expansion adds: going to a node, opening and closing a door, pushing a thing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from foretree.planning.expansion._agents import Embodiment
from foretree.planning.pddl.syntax import Cost, Effect, Literal, Operator
from foretree.planning.semantics.evaluation import conjunction
from foretree.world_model.beliefs.facts import (
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
OPEN_DOOR, CLOSE_DOOR = "open_door", "close_door"

_HERE = Literal((ROBOT_AT, "?r", "?from"))
_WAY = Literal((CONNECTED, "?from", "?to"))


def push_name(kind: str) -> str:
    """The name of the operator that pushes things of a kind."""
    return f"push_{kind}"


def move_robot(embodiment: Embodiment, counts_cost: bool) -> Operator:
    """Go from one node to the next."""
    moved = _moved((ROBOT_AT, "?r"))
    return _operator(embodiment, MOVE_ROBOT, {}, (_HERE, _WAY), moved, _travel(counts_cost))


def turn_door(embodiment: Embodiment, name: str, door_open: str) -> Operator:
    """Open or close the door between two nodes from one of them; that holds for both directions."""
    door = Literal((HAS_DOOR, "?d", "?from", "?to"))
    opened = (_WAY, Literal((CONNECTED, "?to", "?from")), Literal((door_open, "?d")))
    before, after = (~_WAY, opened) if name == OPEN_DOOR else (_WAY, [~literal for literal in opened])
    things = {**_hand(embodiment), "?d": embodiment.kinds.door}
    conditions = (_HERE, door, *_free_hand(embodiment), before)
    return _operator(embodiment, name, things, conditions, after, Cost(constant=1))


def push(embodiment: Embodiment, kind: str, counts_cost: bool) -> Operator:
    """Push a thing of a kind, with all that rests on it, from one node to the next."""
    conditions = (_HERE, *_free_hand(embodiment), Literal((OBJECT_AT, "?o", "?from")), _WAY)
    moved = _moved((ROBOT_AT, "?r"), (OBJECT_AT, "?o"))
    things = {**_hand(embodiment), "?o": kind}
    return _operator(embodiment, push_name(kind), things, conditions, moved, _travel(counts_cost))


def _operator(
    embodiment: Embodiment,
    name: str,
    things: Mapping[str, str],
    conditions: Sequence[Literal],
    effects: Sequence[Literal],
    cost: Cost,
) -> Operator:
    """An operator of a robot between two nodes; *things* are its further parameters with their kinds."""
    kinds = embodiment.kinds
    variables = {"?r": kinds.robot, **things, "?from": kinds.node, "?to": kinds.node}
    return Operator(
        name,
        tuple(kinds.variable(variable, kind) for variable, kind in variables.items()),
        conjunction(*(g for v, kind in variables.items() for g in kinds.guard(v, kind)), *conditions),
        tuple(map(Effect, effects)),
        cost,
    )


def _moved(*located: tuple[str, str]) -> list[Literal]:
    """The effects by which things leave one node and get to the other."""
    return [Literal((*at, node), node == "?to") for node in ("?from", "?to") for at in located]


def _hand(embodiment: Embodiment) -> Mapping[str, str]:
    return {"?h": embodiment.kinds.hand} if embodiment.hands else {}


def _free_hand(embodiment: Embodiment) -> Sequence[Literal]:
    if not embodiment.hands:
        return (Literal((HAND_FREE, "?r")),)
    return Literal((HAS_HAND, "?r", "?h")), Literal((HAND_FREE, "?r", "?h"))


def _travel(counts_cost: bool) -> Cost:
    return Cost(function=(TRAVEL_COST, "?from", "?to")) if counts_cost else Cost(constant=1)
