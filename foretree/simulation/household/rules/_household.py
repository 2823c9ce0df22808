"""What each skill does in the household, and when it is refused."""

from __future__ import annotations

from collections.abc import Mapping

from foretree.simulation.household.household_state import House
from foretree.simulation.household.rules._conditions import (
    AT_DOOR,
    AT_PLACE,
    CONTAINER_OPEN,
    EMPTY_HANDED,
    HAND_FREE,
    ON_THE_WAY,
    STANDS,
    affords,
    holding,
    is_,
    is_there,
    lid,
    rests_at_place,
    stands_at,
)
from foretree.simulation.household.rules._effects import (
    arrives,
    driving,
    grasps,
    leaves,
    makes,
    misses,
    puts,
    recorded,
    slips,
    turns_back,
)
from foretree.simulation.household.rules.ability import (
    ASSET,
    DOOR,
    ITEM,
    NODE,
    PERSON,
    Ability,
    Kinds,
    ResolvedOrder,
    Rule,
)

_ITEM_AT_PLACE: Mapping[str, Kinds] = {"item": ITEM, "place": ASSET}
_TOOL_AND_ITEM: Mapping[str, Kinds] = {"tool": ITEM, **_ITEM_AT_PLACE}


def _gives(house: House, attempt: ResolvedOrder) -> None:
    house.put(attempt.thing("item"), "given", attempt.thing("person").id)


def _pours(house: House, attempt: ResolvedOrder) -> None:
    house.set_state(attempt.thing("item"), "filled", False)
    house.set_state(attempt.thing("target"), "filled")
    house.note("poured", attempt.thing("item"), attempt.thing("target"))


def _spills(house: House, attempt: ResolvedOrder) -> None:
    house.set_state(attempt.thing("item"), "filled", False)


_SOMETHING_IN_IT = Rule(
    "filled",
    "what is poured from has to be filled",
    lambda house, attempt: any(attempt.thing("item").has(s) for s in ("filled", "dispenser")),
    lambda house, attempt: (("filled", attempt.thing("item").id),),
)


def _stops_short(house: House, attempt: ResolvedOrder) -> None:
    """Half a way ends in the middle of the room, or where it began if it began there."""
    house.arrive(attempt.node("from").room)


#: Everything that the household robot can do, by the skill's name.
HOUSEHOLD_ABILITIES: Mapping[str, Ability] = {
    "move": Ability(
        {"from": NODE, "to": NODE},
        ON_THE_WAY,
        arrives,
        driving,
        half=_stops_short,
        uses_hand=False,
        begin=leaves,
        abandon=turns_back,
    ),
    "pick": Ability(
        _ITEM_AT_PLACE,
        (
            *EMPTY_HANDED,
            rests_at_place("item", "on", "in", "under", "hung_on"),
            CONTAINER_OPEN,
        ),
        grasps,
        half=slips,
    ),
    "place_on": Ability(
        _ITEM_AT_PLACE,
        (*AT_PLACE, holding("item"), affords("place", "surface", "there has to be a surface")),
        puts("on"),
        half=misses("on"),
        held="item",
    ),
    "place_in": Ability(
        _ITEM_AT_PLACE,
        (
            *AT_PLACE,
            holding("item"),
            affords("place", "container", "it has to be a container"),
            lid("place", True, "container-open", "the container has to be open"),
        ),
        puts("in"),
        half=misses("in"),
        held="item",
    ),
    "place_under": Ability(
        _ITEM_AT_PLACE,
        (*AT_PLACE, holding("item"), affords("place", "has_space_under", "there has to be room under it")),
        puts("under"),
        half=misses("under"),
        held="item",
    ),
    "hang_on": Ability(
        _ITEM_AT_PLACE,
        (
            *AT_PLACE,
            holding("item"),
            affords("place", "hanger", "there has to be something to hang it on"),
            affords("item", "hangable", "it has to be something that hangs"),
        ),
        puts("hung_on"),
        half=misses("hung_on"),
        held="item",
    ),
    "handover": Ability(
        {"item": ITEM, "person": PERSON},
        (STANDS, is_there("person"), stands_at("person"), holding("item")),
        _gives,
        held="item",
    ),
    "open": Ability(
        {"place": ASSET},
        (
            *EMPTY_HANDED,
            affords("place", "openable", "it has to be something that opens"),
            is_("place", "open", False, "closed", "it has to be closed"),
            is_("place", "turned_on", False, "switched-off", "it has to be switched off"),
        ),
        makes("place", "open"),
        1.5,
    ),
    "close": Ability(
        {"place": ASSET},
        (
            *EMPTY_HANDED,
            affords("place", "openable", "it has to be something that closes"),
            is_("place", "open", True, "opened", "it has to be open"),
        ),
        makes("place", not_="open"),
        1.5,
    ),
    "open_door": Ability(
        {"door": DOOR},
        (
            STANDS,
            is_there("door"),
            AT_DOOR,
            HAND_FREE,
            is_("door", "open", False, "closed", "it has to be closed"),
        ),
        makes("door", "open"),
    ),
    "turn_on": Ability(
        {"place": ASSET},
        (
            *EMPTY_HANDED,
            affords("place", "switchable", "it has to have a switch"),
            is_("place", "turned_on", False, "switched-off", "it has to be switched off"),
            lid("place", False, "closed", "it has to be closed"),
        ),
        makes("place", "turned_on"),
        1.0,
    ),
    "turn_off": Ability(
        {"place": ASSET},
        (
            *EMPTY_HANDED,
            affords("place", "switchable", "it has to have a switch"),
            is_("place", "turned_on", True, "switched-on", "it has to be switched on"),
        ),
        makes("place", not_="turned_on"),
        1.0,
    ),
    "wash": Ability(
        _ITEM_AT_PLACE,
        (*AT_PLACE, holding("item"), affords("place", "washes", "there has to be a place to wash")),
        makes("item", "clean"),
        4.0,
        held="item",
    ),
    "fill": Ability(
        _ITEM_AT_PLACE,
        (
            *AT_PLACE,
            holding("item"),
            affords("place", "has_tap", "there has to be a tap"),
            affords("item", "fillable", "it has to be something that holds water"),
        ),
        recorded(makes("item", "filled"), "filled_at_tap", "item"),
        held="item",
    ),
    "heat": Ability(
        _ITEM_AT_PLACE,
        (
            *EMPTY_HANDED,
            affords("place", "heats", "it has to be something that heats"),
            rests_at_place("item", "in"),
            lid("place", False, "closed", "it has to be closed"),
        ),
        recorded(makes("item", "hot", not_="cold"), "heated_in", "item", "place"),
        4.0,
        half=makes("item", not_="cold"),
    ),
    "cool": Ability(
        _ITEM_AT_PLACE,
        (
            *EMPTY_HANDED,
            affords("place", "cools", "it has to be something that cools"),
            rests_at_place("item", "in"),
            lid("place", False, "closed", "it has to be closed"),
        ),
        recorded(makes("item", "cold", not_="hot"), "cooled_in", "item", "place"),
        4.0,
        half=makes("item", not_="hot"),
    ),
    "cut": Ability(
        _TOOL_AND_ITEM,
        (
            *AT_PLACE,
            holding("tool"),
            affords("tool", "blade", "the tool has to have a blade"),
            rests_at_place("item", "on"),
            affords("item", "sliceable", "it has to be something to slice"),
        ),
        makes("item", "sliced"),
        3.0,
        held="tool",
    ),
    "pour": Ability(
        {"item": ITEM, "target": ITEM, "place": ASSET},
        (
            *AT_PLACE,
            holding("item"),
            _SOMETHING_IN_IT,
            rests_at_place("target", "on"),
            affords("target", "fillable", "what is poured into has to hold water"),
            is_("target", "filled", False, "room-in-it", "what is poured into has to be empty"),
        ),
        _pours,
        half=_spills,
        held="item",
    ),
    "stir": Ability(
        _TOOL_AND_ITEM,
        (
            *AT_PLACE,
            holding("tool"),
            affords("tool", "stirrer", "the tool has to be one to stir with"),
            rests_at_place("item", "on"),
            is_("item", "filled", True, "filled", "what is stirred has to be filled"),
        ),
        makes("item", "stirred"),
        held="tool",
    ),
    "scoop": Ability(
        _TOOL_AND_ITEM,
        (
            *AT_PLACE,
            holding("tool"),
            affords("tool", "scoop_tool", "the tool has to be one to scoop with"),
            rests_at_place("item", "on"),
            is_("item", "filled", True, "filled", "what is scooped from has to be filled"),
        ),
        recorded(makes("tool", "laden"), "scooped", "tool", "item"),
        held="tool",
    ),
    "fold": Ability(
        _ITEM_AT_PLACE,
        (
            *EMPTY_HANDED,
            rests_at_place("item", "on"),
            affords("item", "foldable", "it has to be something to fold"),
        ),
        makes("item", "folded"),
        3.0,
    ),
    "wipe": Ability(
        {"tool": ITEM, "place": ASSET},
        (
            *AT_PLACE,
            holding("tool"),
            affords("tool", "wiper", "the tool has to be one to wipe with"),
            affords("place", "wipeable", "it has to be something to wipe"),
        ),
        makes("place", "wiped"),
        3.0,
        held="tool",
    ),
}
