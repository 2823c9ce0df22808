"""Abilities in a building: what each skill does, and when it is refused.

Things rest on things there: the target of an order may be a plate on a tray on a table, and the robot has to
stand at the table. Some things take both hands, some are stacked, and devices change everything in them.
"""

from __future__ import annotations

from collections.abc import Mapping

from foretree.simulation.household.household_state import House, HouseholdObject
from foretree.simulation.household.rules._conditions import (
    AT_DOOR,
    HAND_FREE,
    ON_THE_WAY,
    STANDS,
    affords,
    content_seen,
    fits,
    holding,
    in_reach,
    is_,
    is_on_something,
    is_there,
    lid,
    put_down,
    rests_at_place,
    room_for_one,
    state_seen,
)
from foretree.simulation.household.rules._effects import (
    READY_TO_RUN,
    arrives,
    driving,
    grasps,
    has_room,
    leaves,
    makes,
    misses,
    pours,
    puts,
    scoops,
    slips,
    spills,
    stays,
    stirs,
    switches_on,
    takes_content,
    turns_back,
)
from foretree.simulation.household.rules.ability import (
    ANYTHING,
    DOOR,
    ITEM,
    NODE,
    Ability,
    Effect,
    Kinds,
    ResolvedOrder,
    Rule,
)
from foretree.simulation.household.states_and_relations import relations_of

_ITEM_AT_PLACE: Mapping[str, Kinds] = {"item": ITEM, "place": ANYTHING}
_TOOL_AND_ITEM: Mapping[str, Kinds] = {"tool": ITEM, "item": ITEM}
_EMPTY_HANDED = (*in_reach("place"), HAND_FREE)


def _is_reachable(house: House, order: ResolvedOrder) -> bool:
    return order.thing("place").is_open or order.thing("item").relation != "in"


def _is_unburdened(house: House, order: ResolvedOrder) -> bool:
    item = order.thing("item")
    return item.affords("carrier") or not any(house.resting(r, item.id) for r in relations_of(item.known))


def _is_battery(house: House, order: ResolvedOrder) -> bool:
    return not order.thing("place").affords("slot") or order.thing("item").affords("battery")


def _slices(tool: HouseholdObject, item: HouseholdObject) -> bool:
    return tool.affords("blade") and item.affords("sliceable")


def _clips(tool: HouseholdObject, item: HouseholdObject) -> bool:
    return tool.affords("clips") and item.affords("clippable")


def _cuts(house: House, order: ResolvedOrder) -> bool:
    tool, item = order.thing("tool"), order.thing("item")
    return _slices(tool, item) or _clips(tool, item)


def _cut_up(house: House, order: ResolvedOrder) -> None:
    tool, item = order.thing("tool"), order.thing("item")
    if _slices(tool, item):
        house.set_state(item, "sliced")
    if _clips(tool, item):
        house.set_state(item, "clipped")


def _wipes(house: House, order: ResolvedOrder) -> bool:
    tool, target = order.thing("tool"), order.thing("target")
    return tool.affords("erases" if target.affords("erasable") else "wiper")


def _wipes_clean(house: House, order: ResolvedOrder) -> None:
    target = order.thing("target")
    house.set_state(target, "wiped" if target.kind == "asset" else "clean")
    if target.kind == "item":
        house.note("wiped_down", target)


def _placing(relation: str, *rules: Rule) -> Ability:
    onto = (*in_reach("place"), put_down("place"), holding("item"))
    return Ability(_ITEM_AT_PLACE, (*onto, *rules), puts(relation), half=misses(relation), held="item")


def _operating(rules: tuple[Rule, ...], effect: Effect, seconds: float) -> Ability:
    return Ability({"place": ANYTHING}, (*_EMPTY_HANDED, *rules), effect, seconds)


#: Everything that a robot can do in a building, by the skill's name.
BUILDING_ABILITIES: Mapping[str, Ability] = {
    "move": Ability(
        {"from": NODE, "to": NODE},
        ON_THE_WAY,
        arrives,
        driving,
        half=stays,
        uses_hand=False,
        begin=leaves,
        abandon=turns_back,
    ),
    "open_door": Ability(
        {"door": DOOR, "from": NODE, "to": NODE},
        (
            STANDS,
            is_there("door"),
            AT_DOOR,
            HAND_FREE,
            is_("door", "open", False, "closed", "it has to be closed"),
        ),
        makes("door", "open"),
    ),
    "close_door": Ability(
        {"door": DOOR, "from": NODE, "to": NODE},
        (
            STANDS,
            is_there("door"),
            AT_DOOR,
            HAND_FREE,
            is_("door", "open", True, "opened", "it has to be open"),
        ),
        makes("door", not_="open"),
    ),
    "pick": Ability(
        _ITEM_AT_PLACE,
        (
            *_EMPTY_HANDED,
            rests_at_place("item", "on", "in", "under", "hung_on"),
            Rule(
                "container-open",
                "the container has to be open",
                _is_reachable,
                state_seen("place", "open"),
            ),
            Rule(
                "not-buried",
                "nothing may rest on the item, unless it is made for carrying things",
                _is_unburdened,
                content_seen("item"),
            ),
            Rule(
                "both-hands",
                "something bulky takes two hands at once",
                lambda house, order: not order.thing("item").affords("bulky") or len(order.hands) == 2,
            ),
        ),
        grasps,
        half=slips,
    ),
    "place_on": _placing(
        "on",
        affords("place", "there has to be a surface", "surface", "stackable"),
        room_for_one(
            "on", "place", "stackable", "nothing-on-it", "nothing may be on what things are stacked on"
        ),
    ),
    "place_in": _placing(
        "in",
        affords("place", "it has to be a container", "container", "slot"),
        lid("place", True, "container-open", "the container has to be open"),
        fits("fits", "only a battery goes there", _is_battery, "item", "place"),
        room_for_one("in", "place", "slot", "slot-free", "there is room for one thing only"),
    ),
    "place_under": _placing(
        "under",
        affords("place", "there has to be room under it", "has_space_under", "outlet"),
        room_for_one("under", "place", "outlet", "outlet-free", "there is room for one thing only"),
    ),
    "hang_on": _placing(
        "hung_on",
        affords("place", "there has to be something to hang it on", "hanger"),
        affords("item", "it has to be something that hangs", "hangable"),
    ),
    "open": _operating(
        (
            affords("place", "it has to be something that opens", "openable"),
            is_("place", "open", False, "closed", "it has to be closed"),
            is_("place", "turned_on", False, "switched-off", "it has to be switched off"),
        ),
        makes("place", "open"),
        1.5,
    ),
    "close": _operating(
        (
            affords("place", "it has to be something that closes", "openable"),
            is_("place", "open", True, "opened", "it has to be open"),
        ),
        makes("place", not_="open"),
        1.5,
    ),
    "turn_on": _operating(
        (
            affords("place", "it has to have a switch", "switchable"),
            is_("place", "turned_on", False, "switched-off", "it has to be switched off"),
            *READY_TO_RUN,
        ),
        switches_on,
        1.0,
    ),
    "turn_off": _operating(
        (
            affords("place", "it has to have a switch", "switchable"),
            is_("place", "turned_on", True, "switched-on", "it has to be switched on"),
        ),
        makes("place", not_="turned_on"),
        1.0,
    ),
    "pour": Ability(
        {"item": ITEM, "target": ANYTHING},
        (
            *in_reach("target"),
            put_down("target"),
            holding("item"),
            Rule(
                "something-in-it",
                "what is poured from has to be filled, or laden",
                lambda house, order: any(order.thing("item").has(s) for s in ("filled", "laden")),
                state_seen("item", "filled", "laden"),
            ),
            lid("item", True, "item-open", "what is poured from has to be open"),
            fits("takes-it", "it has to be something one pours this into", takes_content, "target"),
            Rule(
                "room-in-it",
                "what is poured into has to be empty",
                has_room,
                state_seen("target", "filled"),
            ),
        ),
        pours,
        half=spills,
        held="item",
    ),
    "cut": Ability(
        _TOOL_AND_ITEM,
        (
            *in_reach("item"),
            is_on_something("item"),
            holding("tool"),
            fits("cuts-it", "the tool has to cut such things", _cuts, "tool", "item"),
        ),
        _cut_up,
        3.0,
        held="tool",
    ),
    "stir": Ability(
        _TOOL_AND_ITEM,
        (
            *in_reach("item"),
            put_down("item"),
            holding("tool"),
            affords("tool", "the tool has to be one to stir with", "stirrer"),
            is_("item", "filled", True, "filled", "what is stirred has to be filled"),
        ),
        stirs,
        held="tool",
    ),
    "scoop": Ability(
        _TOOL_AND_ITEM,
        (
            *in_reach("item"),
            put_down("item"),
            holding("tool"),
            affords("tool", "the tool has to be one to scoop with", "scoop_tool"),
            is_("tool", "laden", False, "not-laden", "nothing may be on the tool"),
            affords("item", "it has to be something to scoop from", "powder_source"),
            lid("item", True, "item-open", "what is scooped from has to be open"),
        ),
        scoops,
        held="tool",
    ),
    "fold": Ability(
        {"item": ITEM},
        (
            *in_reach("item"),
            HAND_FREE,
            is_on_something("item"),
            affords("item", "it has to be something to fold", "foldable"),
        ),
        makes("item", "folded"),
        3.0,
    ),
    "wipe": Ability(
        {"tool": ITEM, "target": ANYTHING},
        (
            *in_reach("target"),
            put_down("target"),
            holding("tool"),
            fits("wiper", "the tool has to be one to wipe this with", _wipes, "tool", "target"),
            affords("target", "it has to be something to wipe", "wipeable", "erasable", "wipeable_item"),
        ),
        _wipes_clean,
        3.0,
        held="tool",
    ),
}
