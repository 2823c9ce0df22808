"""What each skill does in the household, and when it is refused.

These are the rules of the *world*, written down without looking at any planning domain: when the two
disagree, the world is right and the plan fails. Each rule has a name, which a refusal reports, and says what
one would have had to see in order to know that it was broken.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import dist
from typing import TypeAlias

from foretree.errors import suggest
from foretree.simulation.scene import Node, relations_of
from foretree.simulation.things import House, Key, Rests, Thing
from foretree.skills.robot import Order, RobotError


@dataclass(frozen=True, slots=True)
class Attempt:
    """An order as the robot understands it: which things it found where the order said they would be.

    Attributes:
        order: what it was told.
        things: by parameter; None where nothing like it was found.
        nodes: by parameter (``from``, ``to``); None where there is no place to stand.
    """

    order: Order
    things: Mapping[str, Thing | None]
    nodes: Mapping[str, Node | None]

    def thing(self, parameter: str) -> Thing:
        """The thing that was found for a parameter; rules that come first made sure that there is one."""
        found = self.things[parameter]
        assert found is not None
        return found

    def node(self, parameter: str) -> Node:
        """The node that was found for a parameter."""
        found = self.nodes[parameter]
        assert found is not None
        return found

    @property
    def hand(self) -> str:
        """The hand to use."""
        assert self.order.hand is not None
        return self.order.hand


Test: TypeAlias = Callable[[House, Attempt], bool]
Deed: TypeAlias = Callable[[House, Attempt], None]
Shows: TypeAlias = Callable[[House, Attempt], tuple[Key, ...]]

#: A key that no view ever contains.
NEVER_SEEN: Key = ("never-seen",)


def _felt(house: House, attempt: Attempt) -> tuple[Key, ...]:
    """Nothing has to be seen: the robot knows its own body and its map."""
    return ()


@dataclass(frozen=True, slots=True)
class Rule:
    """Something that must be so for a skill to be possible.

    Attributes:
        name: what a refusal reports (``container-open``).
        says: the same for a person, as what has to be so.
        holds: whether it is so.
        shows: the keys that one has to see to know that it is not so.
        lasting: whether it must still be so when the skill ends, or only when it begins.
    """

    name: str
    says: str
    holds: Test
    shows: Shows = _felt
    lasting: bool = True


@dataclass(frozen=True, slots=True)
class Ability:
    """A skill as the world knows it.

    Attributes:
        targets: the parameters that an order must aim at something.
        rules: what must be so, in the order in which it is checked.
        effect: what it does.
        duration: seconds, or how to work them out.
        half: what it does when it goes half wrong; by default nothing at all.
        held: the parameter that the hand must hold; it is found in the hand, not by its position.
        uses_hand: whether it needs a hand.
        begin: what happens at once, before the effect.
        abandon: what happens when it is broken off after a part (0 to 1) of its duration.
    """

    targets: tuple[str, ...]
    rules: tuple[Rule, ...]
    effect: Deed
    duration: float | Callable[[House, Attempt], float] = 2.0
    half: Deed | None = None
    held: str | None = None
    uses_hand: bool = True
    begin: Deed | None = None
    abandon: Callable[[House, Attempt, float], None] | None = None

    def seconds(self, house: House, attempt: Attempt) -> float:
        """How long it takes."""
        return self.duration if isinstance(self.duration, float) else self.duration(house, attempt)

    def broken(self, house: House, attempt: Attempt, at_end: bool = False) -> Rule | None:
        """The first rule that is broken, if one is."""
        rules = (rule for rule in self.rules if rule.lasting or not at_end)
        return next((rule for rule in rules if not rule.holds(house, attempt)), None)


def understand(house: House, ability: Ability, order: Order) -> Attempt:
    """Find what an order is aimed at, by where things are and what they look like.

    Raises:
        RobotError: the order lacks a target, or a hand.
    """
    missing = [name for name in ability.targets if name not in order.targets]
    if missing:
        raise RobotError(
            f"The order {order.skill} lacks {' and '.join(missing)}; it needs {', '.join(ability.targets)}."
        )
    if ability.uses_hand and order.hand not in house.hands:
        raise RobotError(f"The robot has no hand {order.hand!r}. {suggest(order.hand or '', house.hands)}")
    things: dict[str, Thing | None] = {}
    nodes: dict[str, Node | None] = {}
    for name, target in order.targets.items():
        if name in ("robot", "hand"):
            continue
        if name in ("from", "to"):
            nodes[name] = house.find_node(target)
        elif name == ability.held:
            held = house.hands[order.hand] if order.hand else None
            thing = house[held] if held is not None else None
            things[name] = thing if thing is not None and house.looks_like(thing, target) else None
        elif name in _KINDS:
            things[name] = house.find_place(target, _KINDS[name])
        else:
            things[name] = house.find_item(target)
    return Attempt(order, things, nodes)


_KINDS = {"place": "asset", "door": "door", "person": "person"}


# -- rules -------------------------------------------------------------------------------------------


def _is_there(parameter: str) -> Rule:
    return Rule(
        f"{parameter}-there",
        f"the {parameter} has to be where the order says",
        lambda house, attempt: attempt.things[parameter] is not None,
        lambda house, attempt: (NEVER_SEEN,),
    )


def _rests_at_place(parameter: str, *relations: str) -> Rule:
    def holds(house: House, attempt: Attempt) -> bool:
        thing, place = attempt.things[parameter], attempt.thing("place")
        return thing is not None and thing.rests in [Rests(relation, place.id) for relation in relations]

    def shows(house: House, attempt: Attempt) -> tuple[Key, ...]:
        thing, place = attempt.things[parameter], attempt.thing("place")
        if thing is not None:
            return (("rests", thing.id),)
        # It is nowhere near: to know that, one has to see all of the place.
        return tuple(("found", r, place.id) for r in relations_of(place.known) if r in relations) or (
            ("is", place.id),
        )

    return Rule(f"{parameter}-there", f"the {parameter} has to be {' or '.join(relations)} it", holds, shows)


def _affords(parameter: str, affordance: str, says: str) -> Rule:
    return Rule(
        affordance,
        says,
        lambda house, attempt: attempt.thing(parameter).affords(affordance),
        lambda house, attempt: (("is", attempt.thing(parameter).id),),
    )


def _is(parameter: str, state: str, wanted: bool, name: str, says: str) -> Rule:
    return Rule(
        name,
        says,
        lambda house, attempt: (state in attempt.thing(parameter).states) is wanted,
        lambda house, attempt: ((state, attempt.thing(parameter).id),),
    )


def _stands_at(parameter: str) -> Rule:
    return Rule(
        f"at-{parameter}",
        f"the robot has to stand at the {parameter}",
        lambda house, attempt: house.node == house.node_of(attempt.thing(parameter)),
    )


def _lid(parameter: str, open_: bool, name: str, says: str) -> Rule:
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


def _reachable(house: House, attempt: Attempt) -> bool:
    item, place = attempt.thing("item"), attempt.thing("place")
    return place.is_open or item.rests != Rests("in", place.id)


_STANDS = Rule("standing", "the robot has to stand still", lambda house, attempt: house.node is not None)
_HAND_FREE = Rule(
    "hand-free", "the hand has to be free", lambda house, attempt: house.hands[attempt.hand] is None
)
_AT_PLACE = (_STANDS, _is_there("place"), _stands_at("place"))
_EMPTY_HANDED = (*_AT_PLACE, _HAND_FREE)


def _holding(parameter: str) -> Rule:
    return Rule(
        "holding",
        f"the hand has to hold the {parameter}",
        lambda house, attempt: (
            attempt.things[parameter] is not None and house.hands[attempt.hand] == attempt.thing(parameter).id
        ),
    )


def _passage_free(house: House, attempt: Attempt) -> bool:
    opening = house.opening_between(attempt.node("from").name, attempt.node("to").name)
    return opening is None or opening.door is None or house.named(opening.door).is_open


def _door_seen(house: House, attempt: Attempt) -> tuple[Key, ...]:
    opening = house.opening_between(attempt.node("from").name, attempt.node("to").name)
    return (("open", house.names[opening.door]),) if opening is not None and opening.door else ()


def _no_wall(house: House, attempt: Attempt) -> bool:
    origin, goal = attempt.node("from"), attempt.node("to")
    return origin.room == goal.room or house.opening_between(origin.name, goal.name) is not None


def _at_door(house: House, attempt: Attempt) -> bool:
    if house.node is None:
        return False
    door = attempt.thing("door")
    opening = house.scene.doors[house.name_of(door)]
    return house.node in [opening.side(room) for room in opening.rooms]


_MOVE = (
    Rule("standing", _STANDS.says, _STANDS.holds, lasting=False),
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
    Rule("no-wall", "no wall may be in the way", _no_wall),
    Rule("door-open", "the door on the way has to be open", _passage_free, _door_seen),
)


# -- effects -----------------------------------------------------------------------------------------


def _makes(parameter: str, *states: str, not_: str | None = None) -> Deed:
    def effect(house: House, attempt: Attempt) -> None:
        thing = attempt.thing(parameter)
        for state in states:
            house.set_state(thing, state)
        if not_ is not None:
            house.set_state(thing, not_, False)

    return effect


def _puts(relation: str) -> Deed:
    def effect(house: House, attempt: Attempt) -> None:
        house.put(attempt.thing("item"), relation, attempt.thing("place").id)

    return effect


def _grasps(house: House, attempt: Attempt) -> None:
    house.grasp(attempt.thing("item"), attempt.hand)


def _slips(house: House, attempt: Attempt) -> None:
    """The item slips out of the fingers and comes to lie beside where it was."""
    rests = attempt.thing("item").rests
    assert rests is not None
    house.put(attempt.thing("item"), *rests)


def _misses(wanted: str) -> Deed:
    """The item misses its place: it lies under it, on top of it, or has stayed in the hand."""

    def effect(house: House, attempt: Attempt) -> None:
        place = attempt.thing("place")
        for relation in ("under", "on"):
            if relation != wanted and relation in relations_of(place.known):
                house.put(attempt.thing("item"), relation, place.id)
                return

    return effect


def _gives(house: House, attempt: Attempt) -> None:
    house.put(attempt.thing("item"), "given", attempt.thing("person").id)


def _pours(house: House, attempt: Attempt) -> None:
    house.set_state(attempt.thing("item"), "filled", False)
    house.set_state(attempt.thing("target"), "filled")


def _spills(house: House, attempt: Attempt) -> None:
    house.set_state(attempt.thing("item"), "filled", False)


def _leaves(house: House, attempt: Attempt) -> None:
    house.leave()


def _arrives(house: House, attempt: Attempt) -> None:
    house.arrive(attempt.node("to").name)


def _stops_short(house: House, attempt: Attempt) -> None:
    """Half a way ends in the middle of the room, or where it began if it began there."""
    house.arrive(attempt.node("from").room)


def _turns_back(house: House, attempt: Attempt, progress: float) -> None:
    """A way that is broken off ends at the nearer end, unless a door has closed in between."""
    beyond = progress >= 0.5 and _passage_free(house, attempt)
    house.arrive(attempt.node("to" if beyond else "from").name)


def _driving(house: House, attempt: Attempt) -> float:
    way = dist(attempt.node("from").pose, attempt.node("to").pose)
    return round(way / house.scene.robot.speed + 0.5, 3)


# -- abilities ---------------------------------------------------------------------------------------

#: Everything that the household robot can do, by the skill's name.
ABILITIES: Mapping[str, Ability] = {
    "move": Ability(
        ("from", "to"),
        _MOVE,
        _arrives,
        _driving,
        half=_stops_short,
        uses_hand=False,
        begin=_leaves,
        abandon=_turns_back,
    ),
    "pick": Ability(
        ("item", "place"),
        (
            *_EMPTY_HANDED,
            _rests_at_place("item", "on", "in", "under", "hung_on"),
            Rule(
                "container-open",
                "the container has to be open",
                _reachable,
                lambda house, attempt: (("open", attempt.thing("place").id),),
            ),
        ),
        _grasps,
        half=_slips,
    ),
    "place_on": Ability(
        ("item", "place"),
        (*_AT_PLACE, _holding("item"), _affords("place", "surface", "there has to be a surface")),
        _puts("on"),
        half=_misses("on"),
        held="item",
    ),
    "place_in": Ability(
        ("item", "place"),
        (
            *_AT_PLACE,
            _holding("item"),
            _affords("place", "container", "it has to be a container"),
            _lid("place", True, "container-open", "the container has to be open"),
        ),
        _puts("in"),
        half=_misses("in"),
        held="item",
    ),
    "place_under": Ability(
        ("item", "place"),
        (*_AT_PLACE, _holding("item"), _affords("place", "has_space_under", "there has to be room under it")),
        _puts("under"),
        half=_misses("under"),
        held="item",
    ),
    "hang_on": Ability(
        ("item", "place"),
        (
            *_AT_PLACE,
            _holding("item"),
            _affords("place", "hanger", "there has to be something to hang it on"),
            _affords("item", "hangable", "it has to be something that hangs"),
        ),
        _puts("hung_on"),
        half=_misses("hung_on"),
        held="item",
    ),
    "handover": Ability(
        ("item", "person"),
        (_STANDS, _is_there("person"), _stands_at("person"), _holding("item")),
        _gives,
        held="item",
    ),
    "open": Ability(
        ("place",),
        (
            *_EMPTY_HANDED,
            _affords("place", "openable", "it has to be something that opens"),
            _is("place", "open", False, "closed", "it has to be closed"),
            _is("place", "turned_on", False, "switched-off", "it has to be switched off"),
        ),
        _makes("place", "open"),
        1.5,
    ),
    "close": Ability(
        ("place",),
        (
            *_EMPTY_HANDED,
            _affords("place", "openable", "it has to be something that closes"),
            _is("place", "open", True, "opened", "it has to be open"),
        ),
        _makes("place", not_="open"),
        1.5,
    ),
    "open_door": Ability(
        ("door",),
        (
            _STANDS,
            _is_there("door"),
            Rule("at-door", "the robot has to stand at the door", _at_door),
            _HAND_FREE,
            _is("door", "open", False, "closed", "it has to be closed"),
        ),
        _makes("door", "open"),
    ),
    "turn_on": Ability(
        ("place",),
        (
            *_EMPTY_HANDED,
            _affords("place", "switchable", "it has to have a switch"),
            _is("place", "turned_on", False, "switched-off", "it has to be switched off"),
            _lid("place", False, "closed", "it has to be closed"),
        ),
        _makes("place", "turned_on"),
        1.0,
    ),
    "turn_off": Ability(
        ("place",),
        (
            *_EMPTY_HANDED,
            _affords("place", "switchable", "it has to have a switch"),
            _is("place", "turned_on", True, "switched-on", "it has to be switched on"),
        ),
        _makes("place", not_="turned_on"),
        1.0,
    ),
    "wash": Ability(
        ("item", "place"),
        (*_AT_PLACE, _holding("item"), _affords("place", "washes", "there has to be a place to wash")),
        _makes("item", "clean"),
        4.0,
        held="item",
    ),
    "fill": Ability(
        ("item", "place"),
        (
            *_AT_PLACE,
            _holding("item"),
            _affords("place", "has_tap", "there has to be a tap"),
            _affords("item", "fillable", "it has to be something that holds water"),
        ),
        _makes("item", "filled"),
        held="item",
    ),
    "heat": Ability(
        ("item", "place"),
        (
            *_EMPTY_HANDED,
            _affords("place", "heats", "it has to be something that heats"),
            _rests_at_place("item", "in"),
            _lid("place", False, "closed", "it has to be closed"),
        ),
        _makes("item", "hot", not_="cold"),
        4.0,
        half=_makes("item", not_="cold"),
    ),
    "cool": Ability(
        ("item", "place"),
        (
            *_EMPTY_HANDED,
            _affords("place", "cools", "it has to be something that cools"),
            _rests_at_place("item", "in"),
            _lid("place", False, "closed", "it has to be closed"),
        ),
        _makes("item", "cold", not_="hot"),
        4.0,
        half=_makes("item", not_="hot"),
    ),
    "cut": Ability(
        ("tool", "item", "place"),
        (
            *_AT_PLACE,
            _holding("tool"),
            _affords("tool", "blade", "the tool has to have a blade"),
            _rests_at_place("item", "on"),
            _affords("item", "sliceable", "it has to be something to slice"),
        ),
        _makes("item", "sliced"),
        3.0,
        held="tool",
    ),
    "pour": Ability(
        ("item", "target", "place"),
        (
            *_AT_PLACE,
            _holding("item"),
            _is("item", "filled", True, "filled", "what is poured from has to be filled"),
            _rests_at_place("target", "on"),
            _affords("target", "fillable", "what is poured into has to hold water"),
        ),
        _pours,
        half=_spills,
        held="item",
    ),
    "stir": Ability(
        ("tool", "item", "place"),
        (
            *_AT_PLACE,
            _holding("tool"),
            _affords("tool", "stirrer", "the tool has to be one to stir with"),
            _rests_at_place("item", "on"),
            _is("item", "filled", True, "filled", "what is stirred has to be filled"),
        ),
        _makes("item", "stirred"),
        held="tool",
    ),
    "scoop": Ability(
        ("tool", "item", "place"),
        (
            *_AT_PLACE,
            _holding("tool"),
            _affords("tool", "scoop_tool", "the tool has to be one to scoop with"),
            _rests_at_place("item", "on"),
            _is("item", "filled", True, "filled", "what is scooped from has to be filled"),
        ),
        _makes("tool", "laden"),
        held="tool",
    ),
    "fold": Ability(
        ("item", "place"),
        (
            *_EMPTY_HANDED,
            _rests_at_place("item", "on"),
            _affords("item", "foldable", "it has to be something to fold"),
        ),
        _makes("item", "folded"),
        3.0,
    ),
    "wipe": Ability(
        ("tool", "place"),
        (
            *_AT_PLACE,
            _holding("tool"),
            _affords("tool", "wiper", "the tool has to be one to wipe with"),
            _affords("place", "wipeable", "it has to be something to wipe"),
        ),
        _makes("place", "wiped"),
        3.0,
        held="tool",
    ),
}
