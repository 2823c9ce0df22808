"""What each skill does in a building, and when it is refused.

Here things rest on things: what a robot is told to act on may be a plate on a tray on a table, and it stands
where the table is. Some things take both hands, some are stacked, and devices do something to all that is in
them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from foretree.simulation.household.household_state import House, HouseholdObject, Key
from foretree.simulation.household.rules._conditions import (
    AT_DOOR,
    CONTAINER_OPEN,
    HAND_FREE,
    ON_THE_WAY,
    STANDS,
    affords,
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
    slips,
    turns_back,
)
from foretree.simulation.household.rules.ability import (
    ANYTHING,
    DOOR,
    ITEM,
    NODE,
    Ability,
    Condition,
    Kinds,
    ResolvedOrder,
    Rule,
)
from foretree.simulation.household.states_and_relations import relations_of

#: What a vessel can be filled with, and what a spoon can be laden with.
LIQUIDS = ("has_water", "has_milk", "has_coffee", "has_juice", "has_tea")
POWDERS = ("has_sugar", "has_soil", "has_cereal")

_ITEM_AT_PLACE: Mapping[str, Kinds] = {"item": ITEM, "place": ANYTHING}
_TOOL_AND_ITEM: Mapping[str, Kinds] = {"tool": ITEM, "item": ITEM}
_DEVICE: Mapping[str, Kinds] = {"place": ANYTHING}


# -- rules -------------------------------------------------------------------------------------------


def _seen(*parameters: str) -> Callable[[House, ResolvedOrder], tuple[Key, ...]]:
    """What things are shows as soon as they are seen."""
    return lambda house, attempt: tuple(("is", attempt.thing(parameter).id) for parameter in parameters)


def _what_is(relation: str, parameter: str) -> Callable[[House, ResolvedOrder], tuple[Key, ...]]:
    return lambda house, attempt: (("found", relation, attempt.thing(parameter).id),)


def _lid_above(parameter: str) -> Rule:
    def holds(house: House, attempt: ResolvedOrder) -> bool:
        return house.lid_above(attempt.thing(parameter)) is None

    def shows(house: House, attempt: ResolvedOrder) -> tuple[Key, ...]:
        closed = house.lid_above(attempt.thing(parameter))
        return (("open", closed.id),) if closed is not None else ()

    return Rule(f"{parameter}-in-reach", f"the {parameter} must not be inside something closed", holds, shows)


def _resting(parameter: str) -> Rule:
    return Rule(
        f"{parameter}-put-down",
        f"the {parameter} has to rest somewhere, not in a hand",
        lambda house, attempt: not house.in_hand(attempt.thing(parameter)),
    )


def _at(parameter: str) -> tuple[Rule, ...]:
    """The robot can get at it from where it stands."""
    return STANDS, is_there(parameter), stands_at(parameter), _lid_above(parameter)


def _on_something(parameter: str) -> Rule:
    def holds(house: House, attempt: ResolvedOrder) -> bool:
        rests = attempt.thing(parameter).rests
        return rests is not None and rests.relation == "on"

    return Rule(
        f"{parameter}-on-something",
        f"the {parameter} has to be on something",
        holds,
        lambda house, attempt: (("rests", attempt.thing(parameter).id),),
    )


def _holding(parameter: str) -> Rule:
    def holds(house: House, attempt: ResolvedOrder) -> bool:
        thing = attempt.things[parameter]
        return thing is not None and all(house.hands[hand] == thing.id for hand in attempt.hands)

    return Rule("holding", f"the hand has to hold the {parameter}", holds)


def _affords_any(parameter: str, says: str, *affordances: str) -> Rule:
    return Rule(
        affordances[0],
        says,
        lambda house, attempt: any(attempt.thing(parameter).affords(a) for a in affordances),
        _seen(parameter),
    )


def _fits(name: str, says: str, holds: Condition, *parameters: str) -> Rule:
    return Rule(name, says, holds, _seen(*parameters))


def _empty(relation: str, parameter: str, affordance: str, name: str, says: str) -> Rule:
    """Of what takes one thing only, there is none yet."""

    def holds(house: House, attempt: ResolvedOrder) -> bool:
        thing = attempt.thing(parameter)
        return not thing.affords(affordance) or not house.resting(relation, thing.id)

    return Rule(name, says, holds, _what_is(relation, parameter))


def _unburdened(house: House, attempt: ResolvedOrder) -> bool:
    item = attempt.thing("item")
    return item.affords("carrier") or not any(house.resting(r, item.id) for r in relations_of(item.known))


_NOT_BURIED = Rule(
    "not-buried",
    "nothing may rest on the item, unless it is made for carrying things",
    _unburdened,
    lambda house, attempt: tuple(
        ("found", relation, attempt.thing("item").id)
        for relation in relations_of(attempt.thing("item").known)
    ),
)
_BOTH_HANDS = Rule(
    "both-hands",
    "something bulky takes two hands at once",
    lambda house, attempt: not attempt.thing("item").affords("bulky") or len(attempt.hands) == 2,
)
_AT_PLACE = _at("place")
_EMPTY_HANDED = (*_AT_PLACE, HAND_FREE)
_ONTO = (*_AT_PLACE, _resting("place"), _holding("item"))


def _is_battery(house: House, attempt: ResolvedOrder) -> bool:
    return not attempt.thing("place").affords("slot") or attempt.thing("item").affords("battery")


_RIGHT_LID = (
    Rule(
        "closed",
        "it has to be closed",
        lambda house, attempt: (
            attempt.thing("place").affords("lid_open_to_run")
            or not attempt.thing("place").affords("openable")
            or not attempt.thing("place").has("open")
        ),
        lambda house, attempt: (("open", attempt.thing("place").id),),
    ),
    Rule(
        "lid-open",
        "its lid has to be open",
        lambda house, attempt: (
            not attempt.thing("place").affords("lid_open_to_run") or attempt.thing("place").has("open")
        ),
        lambda house, attempt: (("open", attempt.thing("place").id),),
    ),
)


def _on_its_base(house: House, attempt: ResolvedOrder) -> bool:
    place = attempt.thing("place")
    return not place.affords("boils") or (place.rests is not None and place.rests.relation == "on")


_ON_ITS_BASE = Rule(
    "on-its-base",
    "a kettle has to stand on something",
    _on_its_base,
    lambda house, attempt: (("rests", attempt.thing("place").id),),
)


def _takes_what_is_poured(house: House, attempt: ResolvedOrder) -> bool:
    item, target = attempt.thing("item"), attempt.thing("target")
    if target.affords("drain") or target.affords("fillable"):
        return True
    return target.affords("plant") and item.has("has_water")


def _has_room(house: House, attempt: ResolvedOrder) -> bool:
    """Powder goes into what is full of something else; a liquid needs an empty vessel."""
    item, target = attempt.thing("item"), attempt.thing("target")
    return item.has("laden") or not target.affords("fillable") or not target.has("filled")


def _cuts(house: House, attempt: ResolvedOrder) -> bool:
    tool, item = attempt.thing("tool"), attempt.thing("item")
    return _slices(tool, item) or _clips(tool, item)


def _slices(tool: HouseholdObject, item: HouseholdObject) -> bool:
    return tool.affords("blade") and item.affords("sliceable")


def _clips(tool: HouseholdObject, item: HouseholdObject) -> bool:
    return tool.affords("clips") and item.affords("clippable")


def _wipes(house: House, attempt: ResolvedOrder) -> bool:
    tool, target = attempt.thing("tool"), attempt.thing("target")
    return tool.affords("erases" if target.affords("erasable") else "wiper")


# -- effects -----------------------------------------------------------------------------------------


def _heat(house: House, thing: HouseholdObject) -> None:
    house.set_state(thing, "hot")
    house.set_state(thing, "cold", False)


def _inside(house: House, thing: HouseholdObject) -> Iterator[HouseholdObject]:
    """What is in a thing, with all that is in or on that."""
    for inner in house.resting("in", thing.id):
        yield house[inner]
        yield from house.carried_by(house[inner])


def _fill(house: House, vessel: HouseholdObject, liquid: str) -> None:
    if vessel.affords("fillable") and not vessel.has("filled"):
        house.set_state(vessel, "filled")
        house.set_state(vessel, liquid)


def _switches_on(house: House, attempt: ResolvedOrder) -> None:
    """The device runs, and has done its work as soon as it does."""
    device = attempt.thing("place")
    house.set_state(device, "turned_on")
    if device.affords("heats"):
        for thing in _inside(house, device):
            _heat(house, thing)
            house.note("heated", thing)
    if device.affords("washes"):
        for thing in _inside(house, device):
            house.set_state(thing, "clean")
    if device.affords("has_tap"):
        for below in house.resting("in", device.id):
            house.set_state(house[below], "clean")
            _fill(house, house[below], "has_water")
    if device.affords("brews"):
        for below in house.resting("under", device.id):
            if house[below].affords("fillable") and not house[below].has("filled"):
                _fill(house, house[below], "has_coffee")
                _heat(house, house[below])
                house.note("brewed", house[below])
    if device.affords("boils") and device.has("has_water"):
        _heat(house, device)
        house.note("boiled", device)


def _empties(house: House, thing: HouseholdObject) -> None:
    """Nothing is left in a vessel, or on a spoon, not even warmth; in a carton there is always more."""
    if thing.affords("dispenser"):
        return
    for state in ("filled", "hot", "laden", "stirred", "sweetened", *LIQUIDS, *POWDERS):
        house.set_state(thing, state, False)


def _pours(house: House, attempt: ResolvedOrder) -> None:
    item, target = attempt.thing("item"), attempt.thing("target")
    if item.has("filled") and not target.affords("drain") and not item.affords("dispenser"):
        house.note("decanted", item)
    if target.affords("plant"):
        house.set_state(target, "watered")
    elif target.affords("fillable"):
        powder = item.has("laden")
        if not powder:
            house.note("poured", item, target)
        for state in POWDERS if powder else ("filled", *LIQUIDS):
            if item.has(state):
                house.set_state(target, state)
        if item.has("hot") and not powder:
            _heat(house, target)
    _empties(house, item)


def _spills(house: House, attempt: ResolvedOrder) -> None:
    _empties(house, attempt.thing("item"))


def _cut_up(house: House, attempt: ResolvedOrder) -> None:
    tool, item = attempt.thing("tool"), attempt.thing("item")
    if _slices(tool, item):
        house.set_state(item, "sliced")
    if _clips(tool, item):
        house.set_state(item, "clipped")


def _stirs(house: House, attempt: ResolvedOrder) -> None:
    vessel = attempt.thing("item")
    house.set_state(vessel, "stirred")
    if vessel.has("has_sugar"):
        house.set_state(vessel, "sweetened")


def _scoops(house: House, attempt: ResolvedOrder) -> None:
    tool, source = attempt.thing("tool"), attempt.thing("item")
    house.set_state(tool, "laden")
    for powder in POWDERS:
        house.set_state(tool, powder, source.has(powder))


def _wipes_clean(house: House, attempt: ResolvedOrder) -> None:
    target = attempt.thing("target")
    house.set_state(target, "wiped" if target.kind == "asset" else "clean")
    if target.kind == "item":
        house.note("wiped_down", target)


def _stays(house: House, attempt: ResolvedOrder) -> None:
    """Half a way ends where it began: on a map there need not be a node in between."""
    house.arrive(attempt.node("from").name)


# -- abilities ---------------------------------------------------------------------------------------


def _placing(relation: str, *rules: Rule) -> Ability:
    return Ability(_ITEM_AT_PLACE, (*_ONTO, *rules), puts(relation), half=misses(relation), held="item")


#: Everything that a robot can do in a building, by the skill's name.
BUILDING_ABILITIES: Mapping[str, Ability] = {
    "move": Ability(
        {"from": NODE, "to": NODE},
        ON_THE_WAY,
        arrives,
        driving,
        half=_stays,
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
    "pick": Ability(
        _ITEM_AT_PLACE,
        (
            *_EMPTY_HANDED,
            rests_at_place("item", "on", "in", "under", "hung_on"),
            CONTAINER_OPEN,
            _NOT_BURIED,
            _BOTH_HANDS,
        ),
        grasps,
        half=slips,
    ),
    "place_on": _placing(
        "on",
        _affords_any("place", "there has to be a surface", "surface", "stackable"),
        _empty("on", "place", "stackable", "nothing-on-it", "nothing may be on what things are stacked on"),
    ),
    "place_in": _placing(
        "in",
        _affords_any("place", "it has to be a container", "container", "slot"),
        lid("place", True, "container-open", "the container has to be open"),
        _fits("fits", "only a battery goes there", _is_battery, "item", "place"),
        _empty("in", "place", "slot", "slot-free", "there is room for one thing only"),
    ),
    "place_under": _placing(
        "under",
        _affords_any("place", "there has to be room under it", "has_space_under", "outlet"),
        _empty("under", "place", "outlet", "outlet-free", "there is room for one thing only"),
    ),
    "hang_on": _placing(
        "hung_on",
        affords("place", "hanger", "there has to be something to hang it on"),
        affords("item", "hangable", "it has to be something that hangs"),
    ),
    "open": Ability(
        _DEVICE,
        (
            *_EMPTY_HANDED,
            affords("place", "openable", "it has to be something that opens"),
            is_("place", "open", False, "closed", "it has to be closed"),
            is_("place", "turned_on", False, "switched-off", "it has to be switched off"),
        ),
        makes("place", "open"),
        1.5,
    ),
    "close": Ability(
        _DEVICE,
        (
            *_EMPTY_HANDED,
            affords("place", "openable", "it has to be something that closes"),
            is_("place", "open", True, "opened", "it has to be open"),
        ),
        makes("place", not_="open"),
        1.5,
    ),
    "turn_on": Ability(
        _DEVICE,
        (
            *_EMPTY_HANDED,
            affords("place", "switchable", "it has to have a switch"),
            is_("place", "turned_on", False, "switched-off", "it has to be switched off"),
            *_RIGHT_LID,
            _ON_ITS_BASE,
        ),
        _switches_on,
        1.0,
    ),
    "turn_off": Ability(
        _DEVICE,
        (
            *_EMPTY_HANDED,
            affords("place", "switchable", "it has to have a switch"),
            is_("place", "turned_on", True, "switched-on", "it has to be switched on"),
        ),
        makes("place", not_="turned_on"),
        1.0,
    ),
    "pour": Ability(
        {"item": ITEM, "target": ANYTHING},
        (
            *_at("target"),
            _resting("target"),
            _holding("item"),
            Rule(
                "something-in-it",
                "what is poured from has to be filled, or laden",
                lambda house, attempt: any(attempt.thing("item").has(s) for s in ("filled", "laden")),
                lambda house, attempt: tuple((s, attempt.thing("item").id) for s in ("filled", "laden")),
            ),
            lid("item", True, "item-open", "what is poured from has to be open"),
            _fits("takes-it", "it has to be something one pours this into", _takes_what_is_poured, "target"),
            Rule(
                "room-in-it",
                "what is poured into has to be empty",
                _has_room,
                lambda house, attempt: (("filled", attempt.thing("target").id),),
            ),
        ),
        _pours,
        half=_spills,
        held="item",
    ),
    "cut": Ability(
        _TOOL_AND_ITEM,
        (
            *_at("item"),
            _on_something("item"),
            _holding("tool"),
            _fits("cuts-it", "the tool has to cut such things", _cuts, "tool", "item"),
        ),
        _cut_up,
        3.0,
        held="tool",
    ),
    "stir": Ability(
        _TOOL_AND_ITEM,
        (
            *_at("item"),
            _resting("item"),
            _holding("tool"),
            affords("tool", "stirrer", "the tool has to be one to stir with"),
            is_("item", "filled", True, "filled", "what is stirred has to be filled"),
        ),
        _stirs,
        held="tool",
    ),
    "scoop": Ability(
        _TOOL_AND_ITEM,
        (
            *_at("item"),
            _resting("item"),
            _holding("tool"),
            affords("tool", "scoop_tool", "the tool has to be one to scoop with"),
            is_("tool", "laden", False, "not-laden", "nothing may be on the tool"),
            affords("item", "powder_source", "it has to be something to scoop from"),
            lid("item", True, "item-open", "what is scooped from has to be open"),
        ),
        _scoops,
        held="tool",
    ),
    "fold": Ability(
        {"item": ITEM},
        (
            *_at("item"),
            HAND_FREE,
            _on_something("item"),
            affords("item", "foldable", "it has to be something to fold"),
        ),
        makes("item", "folded"),
        3.0,
    ),
    "wipe": Ability(
        {"tool": ITEM, "target": ANYTHING},
        (
            *_at("target"),
            _resting("target"),
            _holding("tool"),
            _fits("wiper", "the tool has to be one to wipe this with", _wipes, "tool", "target"),
            _affords_any("target", "it has to be something to wipe", "wipeable", "erasable", "wipeable_item"),
        ),
        _wipes_clean,
        3.0,
        held="tool",
    ),
}
