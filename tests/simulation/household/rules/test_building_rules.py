from __future__ import annotations

from itertools import pairwise

import pytest

from foretree.simulation.household.rules import BUILDING_ABILITIES
from foretree.skills.robot import Outcome, Target


def order(skill, **aim):
    return {"skill": skill, **aim}


def lift(item, place):
    return order("pick", other_hand="right", item=item, place=place)


def states(name, *so):
    return lambda d: all(d.is_(state, name) for state in so)


def rests(name, *how):
    return lambda d: d.rests(name) == how


ELSEWHERE = Target({}, (30.0, 30.0, 0.0))

#: What to do before, the order, and what is so afterwards.
ACCEPTED = {
    "move": ([], order("move", hand=None, from_="table1", to="sink1"), lambda d: d.house.node == "sink1"),
    "open_door": (
        ["go door1_kitchen_side"],
        order("open_door", door="door1", from_="door1_kitchen_side", to="door1_hall_side"),
        states("door1", "open"),
    ),
    "close_door": (
        ["go door1_kitchen_side", "set open door1"],
        order("close_door", door="door1", from_="door1_kitchen_side", to="door1_hall_side"),
        lambda d: not d.is_("open", "door1"),
    ),
    "pick from furniture": ([], order("pick", item="cup1", place="table1"), rests("cup1", "held", "left")),
    "pick from an item on an item": (
        [],
        order("pick", item="mango1", place="plate1"),
        rests("mango1", "held", "left"),
    ),
    "pick what carries something": (
        [],
        order("pick", item="plate1", place="tray1"),
        rests("plate1", "held", "left"),
    ),
    "pick from under an outlet": (
        ["go coffee_maker1"],
        order("pick", item="mug1", place="coffee_maker1"),
        rests("mug1", "held", "left"),
    ),
    "pick from the top of a pile": (
        [],
        order("pick", item="blue1", place="red1"),
        rests("blue1", "held", "left"),
    ),
    "pick out of an open box": (
        ["set open box1"],
        order("pick", item="keys1", place="box1"),
        rests("keys1", "held", "left"),
    ),
    "pick from a plate in an open fridge": (
        ["go fridge1", "set open fridge1"],
        order("pick", item="cake1", place="plate2"),
        rests("cake1", "held", "left"),
    ),
    "pick with both hands": (
        [],
        lift("tray1", "table1"),
        lambda d: set(d.house.hands.values()) == {d.house.names["tray1"]},
    ),
    "place_on furniture": (
        ["pick cup1 table1"],
        order("place_on", item="cup1", place="table1"),
        rests("cup1", "on", "table1"),
    ),
    "place_on an item": (
        ["pick cup1 table1"],
        order("place_on", item="cup1", place="tray1"),
        rests("cup1", "on", "tray1"),
    ),
    "place_on a pile": (
        ["pick green1 table1"],
        order("place_on", item="green1", place="blue1"),
        rests("green1", "on", "blue1"),
    ),
    "place_on with both hands": (
        ["lift tray1 table1"],
        order("place_on", other_hand="right", item="tray1", place="table1"),
        lambda d: d.rests("tray1") == ("on", "table1") and set(d.house.hands.values()) == {None},
    ),
    "place_in furniture": (
        ["pick cup1 table1", "go sink1"],
        order("place_in", item="cup1", place="sink1"),
        rests("cup1", "in", "sink1"),
    ),
    "place_in an item": (
        ["pick spoon1 table1", "set open box1"],
        order("place_in", item="spoon1", place="box1"),
        rests("spoon1", "in", "box1"),
    ),
    "place_in a slot": (
        ["pick battery2 table1"],
        order("place_in", item="battery2", place="remote2"),
        rests("battery2", "in", "remote2"),
    ),
    "place_under furniture": (
        ["pick cup1 table1"],
        order("place_under", item="cup1", place="table1"),
        rests("cup1", "under", "table1"),
    ),
    "place_under an outlet": (
        ["put mug1 on table1", "pick cup1 table1", "go coffee_maker1"],
        order("place_under", item="cup1", place="coffee_maker1"),
        rests("cup1", "under", "coffee_maker1"),
    ),
    "hang_on": (
        ["pick cloth1 table1", "go rack1"],
        order("hang_on", item="cloth1", place="rack1"),
        rests("cloth1", "hung_on", "rack1"),
    ),
    "open furniture": (["go fridge1"], order("open", place="fridge1"), states("fridge1", "open")),
    "open an item": ([], order("open", place="box1"), states("box1", "open")),
    "open what is in the other hand": (
        ["pick juice1 table1"],
        order("open", hand="right", place="juice1"),
        states("juice1", "open"),
    ),
    "close": (["set open laptop1"], order("close", place="laptop1"), lambda d: not d.is_("open", "laptop1")),
    "turn_on a lamp": ([], order("turn_on", place="lamp1"), states("lamp1", "turned_on")),
    "turn_on an open laptop": (
        ["set open laptop1"],
        order("turn_on", place="laptop1"),
        states("laptop1", "turned_on"),
    ),
    "turn_on what heats": (
        ["go microwave1"],
        order("turn_on", place="microwave1"),
        lambda d: d.is_("hot", "bowl1") and d.is_("hot", "egg1") and not d.is_("cold", "egg1"),
    ),
    "turn_on a tap": (
        ["go sink1"],
        order("turn_on", place="sink1"),
        states("glass1", "clean", "filled", "has_water"),
    ),
    "turn_on what brews": (
        ["go coffee_maker1"],
        order("turn_on", place="coffee_maker1"),
        states("mug1", "filled", "has_coffee", "hot"),
    ),
    "turn_on what boils": ([], order("turn_on", place="kettle1"), states("kettle1", "turned_on", "hot")),
    "turn_on what washes": (["go washer1"], order("turn_on", place="washer1"), states("shirt1", "clean")),
    "turn_off": (
        ["go tv1", "set turned_on tv1"],
        order("turn_off", place="tv1"),
        lambda d: not d.is_("turned_on", "tv1"),
    ),
    "pour": (
        ["pick cup2 table1"],
        order("pour", item="cup2", target="cup1"),
        lambda d: (
            states("cup1", "filled", "has_coffee", "hot")(d)
            and not (d.is_("filled", "cup2") or d.is_("has_coffee", "cup2"))
        ),
    ),
    "pour what is left in the carton": (
        ["pick milk1 table1"],
        order("pour", item="milk1", target="cup1"),
        lambda d: (
            states("cup1", "filled", "has_milk")(d)
            and not d.is_("hot", "cup1")
            and d.house.named("milk1").has("has_milk")
        ),
    ),
    "pour water on a plant": (
        ["pick kettle1 table1"],
        order("pour", item="kettle1", target="plant1"),
        lambda d: d.is_("watered", "plant1") and not d.is_("filled", "kettle1"),
    ),
    "pour water on a flower bed": (
        ["pick kettle1 table1", "go bed1"],
        order("pour", item="kettle1", target="bed1"),
        states("bed1", "watered"),
    ),
    "pour away": (
        ["pick cup2 table1", "go sink1"],
        order("pour", item="cup2", target="sink1"),
        lambda d: not d.is_("filled", "cup2"),
    ),
    "pour a spoonful": (
        ["pick spoon1 table1", "set laden spoon1", "set has_sugar spoon1"],
        order("pour", item="spoon1", target="cup2"),
        lambda d: (
            states("cup2", "has_sugar", "has_coffee")(d)
            and not (d.is_("laden", "spoon1") or d.is_("has_sugar", "spoon1"))
        ),
    ),
    "cut food": (
        ["pick knife1 table1"],
        order("cut", tool="knife1", item="bread1"),
        states("bread1", "sliced"),
    ),
    "cut food on a plate": (
        ["pick knife1 table1"],
        order("cut", tool="knife1", item="mango1"),
        states("mango1", "sliced"),
    ),
    "cut paper": (
        ["pick scissors1 table1"],
        order("cut", tool="scissors1", item="paper1"),
        states("paper1", "clipped"),
    ),
    "stir": (
        ["pick spoon1 table1"],
        order("stir", tool="spoon1", item="cup2"),
        lambda d: d.is_("stirred", "cup2") and not d.is_("sweetened", "cup2"),
    ),
    "stir sugar": (
        ["pick spoon1 table1", "set has_sugar cup2"],
        order("stir", tool="spoon1", item="cup2"),
        states("cup2", "stirred", "sweetened"),
    ),
    "scoop": (
        ["pick spoon1 table1", "set open sugar1"],
        order("scoop", tool="spoon1", item="sugar1"),
        states("spoon1", "laden", "has_sugar"),
    ),
    "fold": ([], order("fold", item="cloth1"), states("cloth1", "folded")),
    "wipe furniture": (
        ["pick sponge1 table1"],
        order("wipe", tool="sponge1", target="table1"),
        states("table1", "wiped"),
    ),
    "wipe a board": (
        ["pick eraser1 table1", "go board1"],
        order("wipe", tool="eraser1", target="board1"),
        states("board1", "wiped"),
    ),
    "wipe an item": (
        ["pick sponge1 table1"],
        order("wipe", tool="sponge1", target="plate1"),
        states("plate1", "clean"),
    ),
}

#: What to do before, the order, and the rule that refuses it.
REFUSED = [
    (["walk"], order("move", hand=None, from_="table1", to="sink1"), "robot-free"),
    ([], order("move", hand=None, from_="sink1", to="fridge1"), "starts-here"),
    ([], order("move", hand=None, from_="table1", to=ELSEWHERE), "somewhere"),
    ([], order("move", hand=None, from_="table1", to="table2"), "no-wall"),
    (
        ["go door1_kitchen_side"],
        order("move", hand=None, from_="door1_kitchen_side", to="door1_hall_side"),
        "door-open",
    ),
    (["block table1 sink1"], order("move", hand=None, from_="table1", to="sink1"), "way-free"),
    ([], order("open_door", door="door1", from_="table1", to="sink1"), "at-door"),
    ([], order("open_door", door=ELSEWHERE, from_="table1", to="sink1"), "door-there"),
    ([], order("close_door", door="door1", from_="table1", to="sink1"), "at-door"),
    ([], order("close_door", door=ELSEWHERE, from_="table1", to="sink1"), "door-there"),
    (
        ["pick cup1 table1", "go door1_kitchen_side"],
        order("close_door", door="door1", from_="door1_kitchen_side", to="door1_hall_side"),
        "hand-free",
    ),
    (
        ["go door1_kitchen_side", "set open door1"],
        order("open_door", door="door1", from_="door1_kitchen_side", to="door1_hall_side"),
        "closed",
    ),
    (
        ["go door1_kitchen_side"],
        order("close_door", door="door1", from_="door1_kitchen_side", to="door1_hall_side"),
        "opened",
    ),
    (
        ["pick cup1 table1", "go door1_kitchen_side"],
        order("open_door", door="door1", from_="door1_kitchen_side", to="door1_hall_side"),
        "hand-free",
    ),
    ([], order("pick", item="apple1", place="fridge1"), "at-place"),
    ([], order("pick", item="apple1", place=ELSEWHERE), "place-there"),
    (["go fridge1"], order("pick", item="apple1", place="fridge1"), "container-open"),
    (["go fridge1"], order("pick", item="cake1", place="plate2"), "place-in-reach"),
    ([], order("pick", item="keys1", place="box1"), "container-open"),
    ([], order("pick", item="mango1", place="tray1"), "item-there"),
    (["pick knife1 table1"], order("pick", item="cup1", place="table1"), "hand-free"),
    ([], order("pick", item="red1", place="table1"), "not-buried"),
    ([], order("pick", item="tray1", place="table1"), "both-hands"),
    ([], order("pick", other_hand="left", item="tray1", place="table1"), "both-hands"),
    (["hold cup1 right"], lift("tray1", "table1"), "hand-free"),
    ([], order("place_on", item="cup1", place="table1"), "holding"),
    (["pick cup1 table1"], order("place_on", hand="right", item="cup1", place="table1"), "holding"),
    (["pick cup1 table1", "go sink1"], order("place_on", item="cup1", place="sink1"), "surface"),
    (["pick cup1 table1"], order("place_on", item="cup1", place="cup2"), "surface"),
    (["pick green1 table1"], order("place_on", item="green1", place="red1"), "nothing-on-it"),
    (
        ["pick cup1 table1", "hold plate1 right"],
        order("place_on", item="cup1", place="plate1"),
        "place-put-down",
    ),
    (["hold plate1 left"], order("place_on", item="plate1", place="plate1"), "place-put-down"),
    (
        ["go fridge1", "hold cup1 left"],
        order("place_on", item="cup1", place="plate2"),
        "place-in-reach",
    ),
    (["pick cup1 table1"], order("place_in", item="cup1", place="table1"), "container"),
    (["pick spoon1 table1"], order("place_in", item="spoon1", place="box1"), "container-open"),
    (["pick spoon1 table1"], order("place_in", item="spoon1", place="remote2"), "fits"),
    (["pick battery2 table1"], order("place_in", item="battery2", place="remote1"), "slot-free"),
    (["pick cup1 table1", "go sink1"], order("place_under", item="cup1", place="sink1"), "has_space_under"),
    (
        ["pick cup1 table1", "go coffee_maker1"],
        order("place_under", item="cup1", place="coffee_maker1"),
        "outlet-free",
    ),
    (["pick cloth1 table1"], order("hang_on", item="cloth1", place="table1"), "hanger"),
    (["pick cup1 table1", "go rack1"], order("hang_on", item="cup1", place="rack1"), "hangable"),
    ([], order("open", place="table1"), "openable"),
    (["set open box1"], order("open", place="box1"), "closed"),
    (["go microwave1", "set turned_on microwave1"], order("open", place="microwave1"), "switched-off"),
    (["pick cup1 table1"], order("open", place="box1"), "hand-free"),
    (["put box1 in fridge1", "go fridge1"], order("open", place="box1"), "place-in-reach"),
    ([], order("close", place="table1"), "openable"),
    ([], order("close", place="box1"), "opened"),
    (["put box1 in fridge1", "go fridge1"], order("close", place="box1"), "place-in-reach"),
    ([], order("turn_on", place="table1"), "switchable"),
    (["set turned_on lamp1"], order("turn_on", place="lamp1"), "switched-off"),
    (["go microwave1", "set open microwave1"], order("turn_on", place="microwave1"), "closed"),
    ([], order("turn_on", place="laptop1"), "lid-open"),
    (["put kettle1 under table1"], order("turn_on", place="kettle1"), "on-its-base"),
    (["put lamp1 in fridge1", "go fridge1"], order("turn_on", place="lamp1"), "place-in-reach"),
    ([], order("turn_off", place="table1"), "switchable"),
    ([], order("turn_off", place="lamp1"), "switched-on"),
    (["put lamp1 in fridge1", "go fridge1"], order("turn_off", place="lamp1"), "place-in-reach"),
    ([], order("pour", item="cup2", target=ELSEWHERE), "target-there"),
    (["pick cup2 table1"], order("pour", item="cup2", target="sink1"), "at-target"),
    (["pick cup2 table1", "go microwave1"], order("pour", item="cup2", target="bowl1"), "target-in-reach"),
    (["pick cup2 table1", "hold cup1 right"], order("pour", item="cup2", target="cup1"), "target-put-down"),
    (["pick sponge1 table1"], order("pour", item="cup2", target="plant1"), "holding"),
    (["pick cup1 table1"], order("pour", item="cup1", target="plant1"), "something-in-it"),
    (["pick juice1 table1"], order("pour", item="juice1", target="cup1"), "item-open"),
    (["pick cup2 table1"], order("pour", item="cup2", target="bread1"), "takes-it"),
    (["pick cup2 table1"], order("pour", item="cup2", target="plant1"), "takes-it"),
    (["pick kettle1 table1"], order("pour", item="kettle1", target="cup2"), "room-in-it"),
    ([], order("cut", tool="knife1", item="bread1"), "holding"),
    (["pick knife1 table1"], order("cut", tool="knife1", item=ELSEWHERE), "item-there"),
    (["pick knife1 table1"], order("cut", tool="knife1", item="apple1"), "at-item"),
    (["pick knife1 table1", "go fridge1"], order("cut", tool="knife1", item="apple1"), "item-in-reach"),
    (
        ["pick knife1 table1", "go fridge1", "set open fridge1"],
        order("cut", tool="knife1", item="apple1"),
        "item-on-something",
    ),
    (["pick knife1 table1"], order("cut", tool="knife1", item="paper1"), "cuts-it"),
    (["pick scissors1 table1"], order("cut", tool="scissors1", item="bread1"), "cuts-it"),
    (["pick knife1 table1"], order("stir", tool="knife1", item="cup2"), "stirrer"),
    (["pick spoon1 table1"], order("stir", tool="spoon1", item="cup1"), "filled"),
    (["pick spoon1 table1", "hold cup2 right"], order("stir", tool="spoon1", item="cup2"), "item-put-down"),
    (["pick spoon1 table1", "go fridge1"], order("stir", tool="spoon1", item="apple1"), "item-in-reach"),
    (["pick knife1 table1"], order("scoop", tool="knife1", item="sugar1"), "scoop_tool"),
    (["pick spoon1 table1", "set laden spoon1"], order("scoop", tool="spoon1", item="sugar1"), "not-laden"),
    (["pick spoon1 table1"], order("scoop", tool="spoon1", item="cup2"), "powder_source"),
    (["pick spoon1 table1"], order("scoop", tool="spoon1", item="sugar1"), "item-open"),
    (
        ["pick spoon1 table1", "hold sugar1 right"],
        order("scoop", tool="spoon1", item="sugar1"),
        "item-put-down",
    ),
    (["pick spoon1 table1", "go fridge1"], order("scoop", tool="spoon1", item="apple1"), "item-in-reach"),
    ([], order("fold", item="bread1"), "foldable"),
    (["pick cup1 table1"], order("fold", item="cloth1"), "hand-free"),
    (["go rack1"], order("fold", item="towel1"), "item-on-something"),
    (["go washer1"], order("fold", item="shirt1"), "item-in-reach"),
    (["pick cup1 table1"], order("wipe", tool="cup1", target="table1"), "wiper"),
    (["pick sponge1 table1", "go board1"], order("wipe", tool="sponge1", target="board1"), "wiper"),
    (["pick eraser1 table1"], order("wipe", tool="eraser1", target="table1"), "wiper"),
    (["pick sponge1 table1", "go sink1"], order("wipe", tool="sponge1", target="sink1"), "wipeable"),
    (["pick sponge1 table1"], order("wipe", tool="sponge1", target="bread1"), "wipeable"),
    (
        ["pick sponge1 table1", "hold cup1 right"],
        order("wipe", tool="sponge1", target="cup1"),
        "target-put-down",
    ),
    (
        ["pick sponge1 table1", "go microwave1"],
        order("wipe", tool="sponge1", target="bowl1"),
        "target-in-reach",
    ),
]


def prepare(drive, steps):
    house = drive.house
    for step in steps:
        verb, *words = step.split()
        if verb == "go":
            drive.go(*words)
        elif verb == "set":
            house.set_state(house.named(words[1]), words[0])
        elif verb == "put":
            house.put(house.named(words[0]), words[1], house.names[words[2]])
        elif verb == "hold":
            house.grasp(house.named(words[0]), words[1])
        elif verb == "block":
            house.obstruct(*words)
        elif verb == "walk":
            drive.start("move", None, from_="table1", to="fridge1")
        else:
            asked = lift(*words) if verb == "lift" else order("pick", item=words[0], place=words[1])
            assert drive.do(**asked).outcome is Outcome.DONE


@pytest.mark.parametrize("case", ACCEPTED)
def test_what_the_rules_allow_is_done(at_work, case):
    steps, asked, so = ACCEPTED[case]
    d = at_work()
    prepare(d, steps)
    assert not so(d)
    end = d.do(**asked)
    assert end.outcome is Outcome.DONE, end
    assert so(d)
    assert d.world.illegal == []


def test_every_ability_is_tried():
    assert {asked["skill"] for _, asked, _ in ACCEPTED.values()} == set(BUILDING_ABILITIES)
    assert {asked["skill"] for _, asked, _ in REFUSED} == set(BUILDING_ABILITIES)
    assert len(BUILDING_ABILITIES) == 18


@pytest.mark.parametrize(
    ("steps", "asked", "rule"),
    REFUSED,
    ids=[f"{o['skill']}: {rule} {i}" for i, (_, o, rule) in enumerate(REFUSED)],
)
def test_what_the_rules_forbid_is_refused(at_work, steps, asked, rule):
    d = at_work()
    prepare(d, steps)
    before = d.house.revision
    end = d.start(**asked).poll()
    assert end.outcome is Outcome.FAILED
    assert end.reason.endswith(f"({rule})")
    assert [(i.skill, i.rule) for i in d.world.illegal] == [(asked["skill"], rule)]
    assert d.house.revision == before


def test_every_rule_of_every_ability_is_tried():
    tried = {(asked["skill"], rule) for _, asked, rule in REFUSED}
    common = {"standing", "holding", "hand-free"}
    common |= {f"at-{role}" for role in ("place", "item", "target")}
    common |= {f"{role}-there" for role in ("place", "item", "target")}
    common |= {f"place-{rule}" for rule in ("put-down", "in-reach")}
    missing = {
        (skill, rule.name)
        for skill, ability in BUILDING_ABILITIES.items()
        for rule in ability.rules
        if (skill, rule.name) not in tried and rule.name not in common
    }
    assert missing == set()


# -- what travels ------------------------------------------------------------------------------------


def test_what_rests_on_a_thing_goes_where_it_goes(at_work):
    d = at_work()
    prepare(d, ["lift tray1 table1", "go sink1"])
    x, y, _ = d.house.position
    for name in ("tray1", "plate1", "mango1"):
        assert d.house.pose_of(d.house.named(name))[:2] == pytest.approx((x, y), abs=0.1)
        assert d.house.node_of(d.house.named(name)) == "sink1"
    heights = [d.house.pose_of(d.house.named(name))[2] for name in ("tray1", "plate1", "mango1")]
    assert heights == sorted(heights)
    assert min(b - a for a, b in pairwise(heights)) > 0.2
    assert d.rests("mango1") == ("on", "plate1")


def test_both_hands_are_busy_with_something_bulky(at_work):
    d = at_work()
    prepare(d, ["lift tray1 table1"])
    assert d.do("pick", "right", item="cup1", place="table1").reason.endswith("(hand-free)")
    execution = d.start("place_on", "left", item="tray1", place="table1")
    assert d.start("fold", "right", item="cloth1").poll().reason.endswith("(robot-free)")
    assert d.end(execution).outcome is Outcome.DONE
    assert d.house.hands == {"left": None, "right": None}


def test_a_robot_with_one_hand_cannot_lift_something_bulky(at_work):
    d = at_work(scene={"robot": {"name": "robot1", "hands": ["left"], "at": "table1"}})
    assert d.do("pick", item="tray1", place="table1").reason.endswith("(both-hands)")


def test_what_boils_without_water_only_runs(at_work):
    d = at_work(scene={"items": {"kettle1": {"class": "kettle", "on": "table1"}}})
    assert d.do("turn_on", place="kettle1").outcome is Outcome.DONE
    assert not d.is_("hot", "kettle1")


@pytest.mark.parametrize(
    ("steps", "asked", "so"),
    [
        ([], order("pick", item="cup1", place="table1"), rests("cup1", "on", "table1")),
        (
            ["pick cup1 table1"],
            order("place_on", item="cup1", place="table1"),
            rests("cup1", "under", "table1"),
        ),
        (
            ["pick cup2 table1"],
            order("pour", item="cup2", target="cup1"),
            lambda d: not d.is_("filled", "cup1") and not d.is_("filled", "cup2"),
        ),
        ([], order("move", hand=None, from_="table1", to="sink1"), lambda d: d.house.node == "table1"),
    ],
)
def test_what_goes_half_wrong_leaves_something_that_can_be(at_work, steps, asked, so):
    d = at_work(faults=[f"after {sum('pick' in s for s in steps)}: half next action"])
    prepare(d, steps)
    assert d.do(**asked).outcome is Outcome.DONE
    assert so(d)
