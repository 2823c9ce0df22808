"""Abilities of the household robot: those of a building, without what a household does not have, and its own.

In a household, things rest on furniture alone. A skill that has no counterpart in a building, or another
meaning there, has rules of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from foretree.simulation.household.household_state import House
from foretree.simulation.household.rules._building import BUILDING_ABILITIES
from foretree.simulation.household.rules._conditions import (
    HAND_FREE,
    affords,
    holding,
    is_,
    lid,
    rests_at_place,
    stands_at,
    state_seen,
)
from foretree.simulation.household.rules._effects import makes, recorded, stops_mid_room
from foretree.simulation.household.rules.ability import (
    ASSET,
    DOOR,
    ITEM,
    PERSON,
    Ability,
    Effect,
    Kinds,
    ResolvedOrder,
    Rule,
)

_ITEM_AT_PLACE: Mapping[str, Kinds] = {"item": ITEM, "place": ASSET}
_DEVICE: Mapping[str, Kinds] = {"place": ASSET}


#: Rules about things that rest on items, about places with room for one thing, and about special devices.
_BUILDING_ONLY = frozenset(
    {
        *("place-in-reach", "place-put-down", "not-buried", "both-hands", "nothing-on-it"),
        *("fits", "slot-free", "outlet-free", "lid-open", "on-its-base"),
    }
)


def _as_in_a_building(name: str, targets: Mapping[str, Kinds], **changes: Any) -> Ability:
    ability = BUILDING_ABILITIES[name]
    rules = tuple(rule for rule in ability.rules if rule.name not in _BUILDING_ONLY)
    return replace(ability, targets=targets, rules=rules, **changes)


def _gives(house: House, order: ResolvedOrder) -> None:
    house.put(order.thing("item"), "given", order.thing("person").id)


def _pours(house: House, order: ResolvedOrder) -> None:
    house.set_state(order.thing("item"), "filled", False)
    house.set_state(order.thing("target"), "filled")
    house.note("poured", order.thing("item"), order.thing("target"))


def _at_sink(rules: tuple[Rule, ...], effect: Effect, seconds: float = 2.0) -> Ability:
    return Ability(
        _ITEM_AT_PLACE, (*stands_at("place"), holding("item"), *rules), effect, seconds, held="item"
    )


def _in_device(affordance: str, says: str, event: str, state: str, not_: str) -> Ability:
    return Ability(
        _ITEM_AT_PLACE,
        (
            *stands_at("place"),
            HAND_FREE,
            affords("place", says, affordance),
            rests_at_place("item", "in"),
            lid("place", False, "closed", "it has to be closed"),
        ),
        recorded(makes("item", state, not_=not_), event, "item", "place"),
        4.0,
        half=makes("item", not_=not_),
    )


def _with_tool(affordance: str, says: str, rule: Rule, effect: Effect, seconds: float = 2.0) -> Ability:
    return Ability(
        {"tool": ITEM, **_ITEM_AT_PLACE},
        (
            *stands_at("place"),
            holding("tool"),
            affords("tool", says, affordance),
            rests_at_place("item", "on"),
            rule,
        ),
        effect,
        seconds,
        held="tool",
    )


#: Everything that the household robot can do, by the skill's name.
HOUSEHOLD_ABILITIES: Mapping[str, Ability] = {
    "move": replace(BUILDING_ABILITIES["move"], half=stops_mid_room),
    **{name: _as_in_a_building(name, {"door": DOOR}) for name in ("open_door", "close_door")},
    **{
        name: _as_in_a_building(name, _ITEM_AT_PLACE)
        for name in ("pick", "place_on", "place_in", "place_under", "hang_on")
    },
    **{name: _as_in_a_building(name, _DEVICE) for name in ("open", "close", "turn_off")},
    "turn_on": _as_in_a_building("turn_on", _DEVICE, effect=makes("place", "turned_on")),
    "handover": Ability(
        {"item": ITEM, "person": PERSON}, (*stands_at("person"), holding("item")), _gives, held="item"
    ),
    "wash": _at_sink(
        (affords("place", "there has to be a place to wash", "washes"),), makes("item", "clean"), 4.0
    ),
    "fill": _at_sink(
        (
            affords("place", "there has to be a tap", "has_tap"),
            affords("item", "it has to be something that holds water", "fillable"),
        ),
        recorded(makes("item", "filled"), "filled_at_tap", "item"),
    ),
    "heat": _in_device("heats", "it has to be something that heats", "heated_in", "hot", "cold"),
    "cool": _in_device("cools", "it has to be something that cools", "cooled_in", "cold", "hot"),
    "cut": _with_tool(
        "blade",
        "the tool has to have a blade",
        affords("item", "it has to be something to slice", "sliceable"),
        makes("item", "sliced"),
        3.0,
    ),
    "stir": _with_tool(
        "stirrer",
        "the tool has to be one to stir with",
        is_("item", "filled", True, "filled", "what is stirred has to be filled"),
        makes("item", "stirred"),
    ),
    "scoop": _with_tool(
        "scoop_tool",
        "the tool has to be one to scoop with",
        is_("item", "filled", True, "filled", "what is scooped from has to be filled"),
        recorded(makes("tool", "laden"), "scooped", "tool", "item"),
    ),
    "pour": Ability(
        {"item": ITEM, "target": ITEM, "place": ASSET},
        (
            *stands_at("place"),
            holding("item"),
            Rule(
                "filled",
                "what is poured from has to be filled",
                lambda house, order: any(order.thing("item").has(s) for s in ("filled", "dispenser")),
                state_seen("item", "filled"),
            ),
            rests_at_place("target", "on"),
            affords("target", "what is poured into has to hold water", "fillable"),
            is_("target", "filled", False, "room-in-it", "what is poured into has to be empty"),
        ),
        _pours,
        half=makes("item", not_="filled"),
        held="item",
    ),
    "fold": Ability(
        _ITEM_AT_PLACE,
        (
            *stands_at("place"),
            HAND_FREE,
            rests_at_place("item", "on"),
            affords("item", "it has to be something to fold", "foldable"),
        ),
        makes("item", "folded"),
        3.0,
    ),
    "wipe": Ability(
        {"tool": ITEM, "place": ASSET},
        (
            *stands_at("place"),
            holding("tool"),
            affords("tool", "the tool has to be one to wipe with", "wiper"),
            affords("place", "it has to be something to wipe", "wipeable"),
        ),
        makes("place", "wiped"),
        3.0,
        held="tool",
    ),
}
