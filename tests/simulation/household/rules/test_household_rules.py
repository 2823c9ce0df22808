from __future__ import annotations

import pytest

from foretree.simulation.household.rules import HOUSEHOLD_ABILITIES
from foretree.skills.robot import Outcome, RobotError, Target


def order(skill, **aim):
    return {"skill": skill, **aim}


#: What to do before, the order, and what is so afterwards.
ACCEPTED = {
    "move": (
        [],
        order("move", hand=None, from_="table1", to="fridge1"),
        lambda d: d.house.node == "fridge1",
    ),
    "pick on": (
        [],
        order("pick", item="mango1", place="table1"),
        lambda d: d.rests("mango1") == ("held", "left"),
    ),
    "pick under": (
        [],
        order("pick", item="shoe1", place="table1"),
        lambda d: d.rests("shoe1") == ("held", "left"),
    ),
    "pick hung": (
        ["go rack1"],
        order("pick", item="coat1", place="rack1"),
        lambda d: d.rests("coat1") == ("held", "left"),
    ),
    "pick in, no lid": (
        ["go sink1"],
        order("pick", item="sponge1", place="sink1"),
        lambda d: d.rests("sponge1") == ("held", "left"),
    ),
    "pick in, open": (
        ["go fridge1", "open fridge1"],
        order("pick", item="milk1", place="fridge1"),
        lambda d: d.rests("milk1") == ("held", "left"),
    ),
    "place_on": (
        ["pick mango1 table1"],
        order("place_on", item="mango1", place="table1"),
        lambda d: d.rests("mango1") == ("on", "table1") and d.house.hands["left"] is None,
    ),
    "place_in": (
        ["pick mango1 table1", "go fridge1", "set open fridge1"],
        order("place_in", item="mango1", place="fridge1"),
        lambda d: d.rests("mango1") == ("in", "fridge1"),
    ),
    "place_under": (
        ["pick mango1 table1"],
        order("place_under", item="mango1", place="table1"),
        lambda d: d.rests("mango1") == ("under", "table1"),
    ),
    "hang_on": (
        ["pick cloth1 table1", "go rack1"],
        order("hang_on", item="cloth1", place="rack1"),
        lambda d: d.rests("cloth1") == ("hung_on", "rack1"),
    ),
    "handover": (
        ["pick mango1 table1", "go person1"],
        order("handover", item="mango1", person="person1"),
        lambda d: d.rests("mango1") == ("given", "person1") and d.house.hands["left"] is None,
    ),
    "open": (["go fridge1"], order("open", place="fridge1"), lambda d: d.is_("open", "fridge1")),
    "close": (
        ["go fridge1", "set open fridge1"],
        order("close", place="fridge1"),
        lambda d: not d.is_("open", "fridge1"),
    ),
    "open_door": (
        ["go door1_kitchen_side"],
        order("open_door", door="door1", from_="door1_kitchen_side", to="door1_hall_side"),
        lambda d: d.is_("open", "door1"),
    ),
    "close_door": (
        ["go door1_kitchen_side", "set open door1"],
        order("close_door", door="door1", from_="door1_kitchen_side", to="door1_hall_side"),
        lambda d: not d.is_("open", "door1"),
    ),
    "turn_on": (["go lamp1"], order("turn_on", place="lamp1"), lambda d: d.is_("turned_on", "lamp1")),
    "turn_off": (
        ["go lamp1", "set turned_on lamp1"],
        order("turn_off", place="lamp1"),
        lambda d: not d.is_("turned_on", "lamp1"),
    ),
    "wash": (
        ["pick mug1 table1", "go sink1"],
        order("wash", item="mug1", place="sink1"),
        lambda d: d.is_("clean", "mug1"),
    ),
    "fill": (
        ["pick mug1 table1", "go sink1"],
        order("fill", item="mug1", place="sink1"),
        lambda d: d.is_("filled", "mug1"),
    ),
    "heat": (
        ["go microwave1", "set cold bread1"],
        order("heat", item="bread1", place="microwave1"),
        lambda d: d.is_("hot", "bread1") and not d.is_("cold", "bread1"),
    ),
    "cool": (
        ["go fridge1", "set hot milk1"],
        order("cool", item="milk1", place="fridge1"),
        lambda d: d.is_("cold", "milk1") and not d.is_("hot", "milk1"),
    ),
    "cut": (
        ["pick knife1 table1"],
        order("cut", tool="knife1", item="mango1", place="table1"),
        lambda d: d.is_("sliced", "mango1"),
    ),
    "pour": (
        ["pick kettle1 table1"],
        order("pour", item="kettle1", target="mug1", place="table1"),
        lambda d: d.is_("filled", "mug1") and not d.is_("filled", "kettle1"),
    ),
    "stir": (
        ["pick spoon1 table1", "set filled mug1"],
        order("stir", tool="spoon1", item="mug1", place="table1"),
        lambda d: d.is_("stirred", "mug1"),
    ),
    "scoop": (
        ["pick spoon1 table1", "set filled mug1"],
        order("scoop", tool="spoon1", item="mug1", place="table1"),
        lambda d: d.is_("laden", "spoon1"),
    ),
    "fold": ([], order("fold", item="cloth1", place="table1"), lambda d: d.is_("folded", "cloth1")),
    "wipe": (
        ["pick cloth1 table1"],
        order("wipe", tool="cloth1", place="table1"),
        lambda d: d.is_("wiped", "table1"),
    ),
}

#: What to do before, the order, and the rule that refuses it.
REFUSED = [
    (["walk"], order("move", hand=None, from_="table1", to="sink1"), "robot-free"),
    ([], order("move", hand=None, from_="sink1", to="fridge1"), "starts-here"),
    ([], order("move", hand=None, from_="table1", to=Target({}, (30.0, 30.0, 0.0))), "somewhere"),
    ([], order("move", hand=None, from_="table1", to="table2"), "no-wall"),
    (
        ["go door1_kitchen_side"],
        order("move", hand=None, from_="door1_kitchen_side", to="door1_hall_side"),
        "door-open",
    ),
    (["block table1 fridge1"], order("move", hand=None, from_="table1", to="fridge1"), "way-free"),
    ([], order("pick", item="milk1", place="fridge1"), "at-place"),
    ([], order("pick", item="mango1", place=Target({}, (30.0, 30.0, 0.0))), "place-there"),
    (["pick knife1 table1"], order("pick", item="mango1", place="table1"), "hand-free"),
    ([], order("pick", item=Target({"mango": 1.0}, (2.0, 2.0, 1.6)), place="table1"), "item-there"),
    ([], order("pick", item=Target({"sponge": 1.0}, (2.0, 2.0, 0.9)), place="table1"), "item-there"),
    ([], order("pick", item="milk1", place="table1"), "item-there"),
    (["go fridge1"], order("pick", item="milk1", place="fridge1"), "container-open"),
    ([], order("place_on", item="mango1", place="table1"), "holding"),
    (["pick mango1 table1"], order("place_on", hand="right", item="mango1", place="table1"), "holding"),
    (["pick mango1 table1", "go sink1"], order("place_on", item="mango1", place="sink1"), "surface"),
    (["pick mango1 table1"], order("place_in", item="mango1", place="table1"), "container"),
    (
        ["pick mango1 table1", "go fridge1"],
        order("place_in", item="mango1", place="fridge1"),
        "container-open",
    ),
    (
        ["pick mango1 table1", "go sink1"],
        order("place_under", item="mango1", place="sink1"),
        "has_space_under",
    ),
    (["pick cloth1 table1"], order("hang_on", item="cloth1", place="table1"), "hanger"),
    (["pick mango1 table1", "go rack1"], order("hang_on", item="mango1", place="rack1"), "hangable"),
    (["pick mango1 table1"], order("handover", item="mango1", person="person1"), "at-person"),
    (["go person1"], order("handover", item="mango1", person="person1"), "holding"),
    ([], order("handover", item="mango1", person=Target({}, None)), "person-there"),
    ([], order("open", place="table1"), "openable"),
    (["go fridge1", "set open fridge1"], order("open", place="fridge1"), "closed"),
    (["go microwave1", "set turned_on microwave1"], order("open", place="microwave1"), "switched-off"),
    (["pick mango1 table1", "go fridge1"], order("open", place="fridge1"), "hand-free"),
    ([], order("close", place="table1"), "openable"),
    (["go fridge1"], order("close", place="fridge1"), "opened"),
    ([], order("open_door", door="door1"), "at-door"),
    ([], order("open_door", door=Target({}, (0.0, 0.0, 0.0))), "door-there"),
    (["go door1_kitchen_side", "set open door1"], order("open_door", door="door1"), "closed"),
    ([], order("close_door", door="door1"), "at-door"),
    ([], order("close_door", door=Target({}, (0.0, 0.0, 0.0))), "door-there"),
    (["pick mango1 table1", "go door1_kitchen_side"], order("close_door", door="door1"), "hand-free"),
    (["go door1_kitchen_side"], order("close_door", door="door1"), "opened"),
    (["pick mango1 table1", "go door1_kitchen_side"], order("open_door", door="door1"), "hand-free"),
    ([], order("turn_on", place="table1"), "switchable"),
    (["go lamp1", "set turned_on lamp1"], order("turn_on", place="lamp1"), "switched-off"),
    (["go microwave1", "set open microwave1"], order("turn_on", place="microwave1"), "closed"),
    ([], order("turn_off", place="table1"), "switchable"),
    (["go lamp1"], order("turn_off", place="lamp1"), "switched-on"),
    (["pick mug1 table1"], order("wash", item="mug1", place="table1"), "washes"),
    (["pick mug1 table1"], order("fill", item="mug1", place="table1"), "has_tap"),
    (["pick mango1 table1", "go sink1"], order("fill", item="mango1", place="sink1"), "fillable"),
    ([], order("heat", item="mango1", place="table1"), "heats"),
    (["go microwave1"], order("heat", item="mango1", place="microwave1"), "item-there"),
    (
        ["go microwave1", "set open microwave1"],
        order("heat", item="bread1", place="microwave1"),
        "closed",
    ),
    ([], order("cool", item="mango1", place="table1"), "cools"),
    (["go fridge1", "set open fridge1"], order("cool", item="milk1", place="fridge1"), "closed"),
    ([], order("cut", tool="knife1", item="mango1", place="table1"), "holding"),
    (["pick spoon1 table1"], order("cut", tool="spoon1", item="mango1", place="table1"), "blade"),
    (["pick knife1 table1"], order("cut", tool="knife1", item="mug1", place="table1"), "sliceable"),
    (["pick knife1 table1"], order("cut", tool="knife1", item="bread1", place="table1"), "item-there"),
    (["pick mug1 table1"], order("pour", item="mug1", target="kettle1", place="table1"), "filled"),
    (
        ["pick kettle1 table1"],
        order("pour", item="kettle1", target="mango1", place="table1"),
        "fillable",
    ),
    (["pick knife1 table1"], order("stir", tool="knife1", item="mug1", place="table1"), "stirrer"),
    (
        ["pick kettle1 table1", "set filled mug1"],
        order("pour", item="kettle1", target="mug1", place="table1"),
        "room-in-it",
    ),
    (["pick spoon1 table1"], order("stir", tool="spoon1", item="mug1", place="table1"), "filled"),
    (["pick knife1 table1"], order("scoop", tool="knife1", item="mug1", place="table1"), "scoop_tool"),
    (["pick spoon1 table1"], order("scoop", tool="spoon1", item="mug1", place="table1"), "filled"),
    ([], order("fold", item="mango1", place="table1"), "foldable"),
    (["pick mango1 table1"], order("fold", item="cloth1", place="table1"), "hand-free"),
    (["pick mango1 table1"], order("wipe", tool="mango1", place="table1"), "wiper"),
    (["pick cloth1 table1", "go sink1"], order("wipe", tool="cloth1", place="sink1"), "wipeable"),
    (["busy left"], order("pick", item="mango1", place="table1"), "robot-free"),
]


def prepare(drive, steps):
    for step in steps:
        verb, *words = step.split()
        if verb == "go":
            drive.go(*words)
        elif verb == "set":
            drive.house.set_state(drive.house.named(words[1]), words[0])
        elif verb == "block":
            drive.house.obstruct(*words)
        elif verb == "walk":
            drive.start("move", None, from_="table1", to="fridge1")
        elif verb == "busy":
            drive.start("fold", words[0], item="cloth1", place="table1")
        elif verb == "open":
            assert drive.do("open", place=words[0]).outcome is Outcome.DONE
        else:
            assert drive.do(verb, item=words[0], place=words[1]).outcome is Outcome.DONE


@pytest.mark.parametrize("case", ACCEPTED)
def test_what_the_rules_allow_is_done(drive, case):
    steps, asked, so = ACCEPTED[case]
    d = drive()
    prepare(d, steps)
    assert not so(d)
    assert d.do(**asked).outcome is Outcome.DONE
    assert so(d)
    assert d.world.illegal == []


def test_every_ability_is_tried():
    assert {asked["skill"] for _, asked, _ in ACCEPTED.values()} == set(HOUSEHOLD_ABILITIES)
    assert {asked["skill"] for _, asked, _ in REFUSED} == set(HOUSEHOLD_ABILITIES)


@pytest.mark.parametrize(
    ("steps", "asked", "rule"),
    REFUSED,
    ids=[f"{o['skill']}: {rule} {i}" for i, (_, o, rule) in enumerate(REFUSED)],
)
def test_what_the_rules_forbid_is_refused(drive, steps, asked, rule):
    d = drive()
    prepare(d, steps)
    before = d.house.revision
    execution = d.start(**asked)
    end = execution.poll()
    assert end.outcome is Outcome.FAILED
    assert end.reason.startswith("refused: ")
    assert end.reason.endswith(f"({rule})")
    assert [(i.skill, i.rule) for i in d.world.illegal] == [(asked["skill"], rule)]
    assert d.house.revision == before


def test_every_rule_of_every_ability_is_tried():
    tried = {(asked["skill"], rule) for _, asked, rule in REFUSED}
    common = {"standing", "at-place", "place-there", "holding", "hand-free", "item-there", "target-there"}
    missing = {
        (skill, rule.name)
        for skill, ability in HOUSEHOLD_ABILITIES.items()
        for rule in ability.rules
        if (skill, rule.name) not in tried and rule.name not in common
    }
    assert missing == set()


def test_a_robot_on_its_way_can_do_nothing_else(drive):
    d = drive()
    d.start("move", None, from_="table1", to="fridge1")
    assert d.start("pick", item="mango1", place="table1").poll().reason.endswith("(robot-free)")


def test_two_hands_work_at_the_same_time(drive):
    d = drive()
    one = d.start("pick", "left", item="mango1", place="table1")
    other = d.start("pick", "right", item="mug1", place="table1")
    assert d.end(one).outcome is d.end(other).outcome is Outcome.DONE
    assert d.clock.now() == pytest.approx(2.0)


def test_an_order_must_make_sense(drive):
    d = drive()
    with pytest.raises(RobotError, match=r"no skill 'pickk'.*pick"):
        d.start("pickk", item="mango1", place="table1")
    with pytest.raises(RobotError, match="lacks place"):
        d.start("pick", item="mango1")
    with pytest.raises(RobotError, match=r"no hand 'middle'.*left, right"):
        d.start("pick", "middle", item="mango1", place="table1")


def test_the_thing_that_looks_right_is_taken_even_if_another_is_nearer(drive):
    d = drive()
    mug = d.house.pose_of(d.house.named("mug1"))
    knife = d.house.pose_of(d.house.named("knife1"))
    between = tuple(0.4 * m + 0.6 * k for m, k in zip(mug, knife, strict=True))
    assert d.do("pick", item=Target({"cup": 0.9}, between), place="table1").outcome is Outcome.DONE
    assert d.rests("mug1") == ("held", "left")


def test_what_somebody_spoils_during_an_action_makes_it_fail(drive):
    d = drive(faults=["during 1: move mango1 table2"])
    end = d.do("pick", item="mango1", place="table1")
    assert (end.outcome, d.world.illegal) == (Outcome.FAILED, [])
    assert end.reason.startswith("interrupted: ")
    assert d.rests("mango1") == ("on", "table2")


def test_a_door_that_closes_on_the_way_turns_the_robot_back(drive):
    d = drive(scene={"doors": {"door1": {"between": ["kitchen", "hall"], "at": [8, 3], "open": True}}},
              faults=["during 2: close door1"])  # fmt: skip
    d.go("door1_kitchen_side")
    end = d.do("move", None, from_="door1_kitchen_side", to="door1_hall_side")
    assert end.outcome is Outcome.FAILED
    assert d.house.node == "door1_kitchen_side"


def test_a_way_broken_off_beyond_a_door_that_has_closed_ends_where_it_began(drive):
    d = drive(faults=["during 1: close door1"])
    d.house.set_state(d.house.named("door1"), "open")
    d.house.arrive("door1_kitchen_side")
    execution = d.start("move", None, from_="door1_kitchen_side", to="door1_hall_side")
    d.wait(1.7)  # of 2.1 seconds
    execution.cancel()
    assert d.end(execution).outcome is Outcome.CANCELLED
    assert d.house.node == "door1_kitchen_side"


def test_a_move_takes_as_long_as_the_way_is(drive):
    d = drive()
    d.do("move", None, from_="table1", to="person1")
    assert d.clock.now() == pytest.approx(3.0 / 0.5 + 0.5, abs=0.11)
