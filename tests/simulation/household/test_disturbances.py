from __future__ import annotations

import random

import pytest
from random_scripts import random_faults

from foretree.clock import SimulatedClock
from foretree.simulation.faults.fault_script import FaultError
from foretree.simulation.household._disturbances import parse_disturbance, random_disturbance
from foretree.simulation.household.world import HouseholdWorld

#: Disturbances, and how they show.
DISTURBANCES = {
    "move mango1 table2": lambda d: d.rests("mango1") == ("on", "table2"),
    "move mango table2": lambda d: d.rests("mango1") == ("on", "table2"),
    "move mango1 to table2": lambda d: d.rests("mango1") == ("on", "table2"),
    "move mango1 under table2": lambda d: d.rests("mango1") == ("under", "table2"),
    "move mango1 fridge1": lambda d: d.rests("mango1") == ("in", "fridge1") and not d.is_("open", "fridge1"),
    "move cloth1 rack1": lambda d: d.rests("cloth1") == ("hung_on", "rack1"),
    "open fridge1": lambda d: d.is_("open", "fridge1"),
    "open door1": lambda d: d.is_("open", "door1"),
    "clean mug1": lambda d: d.is_("clean", "mug1"),
    "heat milk1": lambda d: d.is_("hot", "milk1") and not d.is_("cold", "milk1"),
    "switch on lamp1": lambda d: d.is_("turned_on", "lamp1"),
    "remove mango1": lambda d: d.rests("mango1") is None,
    "block table1 fridge1": lambda d: d.house.obstructed.get(
        d.house.passage_between("table1", "fridge1"), False
    ),
    "swap mango1 apple1": lambda d: (
        d.rests("mango1") == ("on", "table2") and d.rests("apple1") == ("on", "table1")
    ),
}


@pytest.fixture
def d(drive):
    d = drive()
    d.house.set_state(d.house.named("milk1"), "cold")
    return d


@pytest.mark.parametrize("text", DISTURBANCES)
def test_a_disturbance_is_done(d, text):
    so = DISTURBANCES[text]
    assert not so(d)
    disturbance = parse_disturbance(text.split(), d.house.scene)
    revision = d.house.revision
    disturbance.apply(d.house)
    assert so(d)
    assert d.house.revision > revision
    assert parse_disturbance(str(disturbance).split(), d.house.scene) == disturbance


@pytest.mark.parametrize(
    ("text", "state", "name"),
    [
        ("close fridge1", "open", "fridge1"),
        ("dirty mug1", "clean", "mug1"),
        ("switch off lamp1", "turned_on", "lamp1"),
    ],
)
def test_a_disturbance_undoes_a_state(d, text, state, name):
    d.house.set_state(d.house.named(name), state)
    disturbance = parse_disturbance(text.split(), d.house.scene)
    disturbance.apply(d.house)
    assert not d.is_(state, name)
    assert str(disturbance) == text


def test_what_is_taken_out_of_the_hand_leaves_it_free(d):
    d.do("pick", item="mango1", place="table1")
    parse_disturbance(["move", "mango1", "table2"], d.house.scene).apply(d.house)
    assert d.house.hands["left"] is None
    d.do("pick", item="mug1", place="table1")
    parse_disturbance(["remove", "mug1"], d.house.scene).apply(d.house)
    assert d.house.hands["left"] is None


def test_what_is_swapped_with_a_held_thing_is_in_the_hand(d):
    d.do("pick", item="mango1", place="table1")
    parse_disturbance(["swap", "mango1", "mug1"], d.house.scene).apply(d.house)
    assert d.rests("mug1") == ("held", "left")
    assert d.house.hands["left"] == d.house.names["mug1"]
    assert d.rests("mango1") == ("on", "table1")


def test_nothing_is_swapped_with_what_is_gone(d):
    d.house.remove(d.house.named("mango1"))
    parse_disturbance(["swap", "mango1", "mug1"], d.house.scene).apply(d.house)
    assert d.rests("mug1") == ("on", "table1")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("explode", r"'explode' is nothing that can happen\. Valid: move X .*disconnect for S"),
        ("move mango1", r"say 'move X Y'"),
        ("move mangoo table2", r"there is no item 'mangoo'\. Did you mean mango1"),
        ("move mango1 tabel2", r"there is no piece of furniture 'tabel2'.*table2"),
        ("move mango1 table", r"there are 2 of 'table': table1, table2"),
        ("move mango1 lamp1", r"nothing can be put on or in a lamp"),
        ("move mango1 in table2", r"a mango cannot be in a table\. Valid: on, under"),
        ("open table1", r"table1, a table, can never be open\. Valid: box1, door1, fridge1, microwave1"),
        ("switch on mango1", r"mango1, a mango, can never be turned_on"),
        ("clean", r"nothing that can happen"),
        ("move mango1 rack1", r"a mango cannot be put on or in a coat_rack"),
        ("block table1", r"nothing that can happen"),
        ("block table1 tabel2", r"there is no node 'tabel2' on the map.*table2"),
        ("unblock table1 table2", r"no passage leads from table1 to table2.*fridge1"),
    ],
)
def test_a_disturbance_that_cannot_be_is_explained(d, text, says):
    with pytest.raises(FaultError, match=says):
        parse_disturbance(text.split(), d.house.scene)


def test_random_faults_are_repeatable_and_valid(shipped):
    flat = shipped("flat")
    scripts = {random_faults(flat, seed, rate=0.5) for seed in range(30)}
    assert scripts == {random_faults(flat, seed, rate=0.5) for seed in range(30)}
    assert len(scripts) == 30
    for script in scripts:
        HouseholdWorld(flat, SimulatedClock(), faults=script)
    lines = [line for script in scripts for line in script]
    assert len(lines) == pytest.approx(30 * 12 * 0.5, rel=0.2)
    assert {line.split()[2] for line in lines} >= {
        "move",
        "open",
        "close",
        "clean",
        "dirty",
        "switch",
        "fail",
    }


def test_random_disturbances_need_something_to_be_done_to(lab):
    empty = lab(items={}, furniture={"table1": {"class": "table", "room": "kitchen", "at": [2, 2]}}, doors={})
    rng = random.Random(1)
    assert all(random_disturbance(kind, empty, rng) is None for kind in ("move", "open", "clean", "switch"))


@pytest.mark.parametrize(
    ("text", "so"),
    [
        ("move cup1 tray1", lambda d: d.rests("cup1") == ("on", "tray1")),
        ("move tray1 table2", lambda d: d.house.node_of(d.house.named("mango1")) == "table2"),
        ("remove tray1", lambda d: d.rests("mango1") is None and d.rests("plate1") is None),
        ("open box1", lambda d: d.is_("open", "box1")),
        ("switch on lamp1", lambda d: d.is_("turned_on", "lamp1")),
    ],
)
def test_things_in_a_building_are_done_something_to(at_work, text, so):
    d = at_work()
    assert not so(d)
    parse_disturbance(text.split(), d.house.scene).apply(d.house)
    assert so(d)


@pytest.mark.parametrize(
    "text",
    [
        "move tray1 plate1",
        "move tray1 tray1",
        "swap tray1 plate1",
        "move cup1 under coffee_maker1",
        "swap cup1 towel1",
    ],
)
def test_what_physics_forbids_nobody_does(at_work, text):
    d = at_work()
    before = {name: d.rests(name) for name in d.house.scene.items}
    parse_disturbance(text.split(), d.house.scene).apply(d.house)
    assert {name: d.rests(name) for name in d.house.scene.items} == before


def test_somebody_who_moves_things_at_random_puts_them_where_they_can_be(at_work):
    scene = at_work().house.scene
    rng = random.Random(1)
    moves = [str(random_disturbance("move", scene, rng)).split()[1:] for _ in range(200)]
    hung = {item for item, relation, _ in moves if relation == "hung_on"}
    assert hung
    assert all("hangable" in scene.ontology[scene.items[name].class_name].affords for name in hung)
    assert "coffee_maker1" not in {place for *_, place in moves}


def test_what_blocked_a_passage_can_be_taken_away(d):
    for text, free in (("block table1 fridge1", False), ("unblock fridge1 table1", True)):
        disturbance = parse_disturbance(text.split(), d.house.scene)
        disturbance.apply(d.house)
        assert d.house.is_passable(d.house.passage_between("table1", "fridge1")) is free
        assert str(disturbance) == text
