from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from foretree.simulation.grid_homes.camera.noise import load_noise
from foretree.simulation.grid_homes.disturbances import DisturbanceRates, Disturbances
from foretree.simulation.grid_homes.goals import HomeTask
from foretree.simulation.grid_homes.layouts.layout_generator import generate_layout
from foretree.simulation.grid_homes.layouts.spawning import spawn_home
from foretree.simulation.grid_homes.rules import HomeRules
from foretree.skills.embodied.body import Control

USUAL = load_noise().odds
ALWAYS = DisturbanceRates(fail=0.0, silent=0.0, change=1.0)


def busy_home():
    return spawn_home(generate_layout("l_kitchen/2"), HomeTask(), "diverse", Random(7))


def snapshot(home) -> dict[str, object]:
    return {one.id: (one.rests, one.extent, frozenset(one.states)) for one in home.things.values()}


def test_hands_fail_as_often_as_is_said() -> None:
    chance = Disturbances(1, USUAL)
    drawn = Counter(chance.next_outcome() for _ in range(20_000))
    assert 0.035 < drawn["fail"] / 20_000 < 0.045
    assert 0.016 < drawn["silent"] / 20_000 < 0.024


def test_somebody_else_comes_as_often_as_is_said(lab) -> None:
    chance = Disturbances(1, USUAL)
    came = sum(chance.intervene(lab.home) is not None for _ in range(20_000))
    assert 1 / 45 < came / 20_000 < 1 / 36


def test_the_same_seed_is_the_same_luck() -> None:
    def luck(seed):
        home = busy_home()
        chance = Disturbances(seed, USUAL.model_copy(update={"change": 0.5}))
        return [(chance.next_outcome(), chance.intervene(home)) for _ in range(60)], snapshot(home)

    assert luck(5) == luck(5)
    assert luck(5) != luck(6)


def test_the_luck_of_a_hand_does_not_depend_on_who_else_is_there(lab) -> None:
    alone, crowded = Disturbances(3, USUAL), Disturbances(3, USUAL.model_copy(update={"change": 1.0}))
    for _ in range(20):
        crowded.intervene(lab.home)
    assert [alone.next_outcome() for _ in range(200)] == [crowded.next_outcome() for _ in range(200)]


def test_a_failed_control_changes_nothing_and_says_so(lab) -> None:
    rules = HomeRules(lab.home, Disturbances(0, DisturbanceRates(fail=1.0, silent=0.0, change=0.0)))
    mug = lab.add("mug", "on", "table")
    lab.stand_before(mug)
    before = snapshot(lab.home)
    assert rules.do(Control("pick_up"), mug.id) == (False, "it did not work")
    assert snapshot(lab.home) == before
    assert not rules.log.refused
    assert not rules.log.pickups
    assert rules.log.disturbances[0].what == "pick_up failed"


def test_a_silent_failure_changes_nothing_and_does_not_say_so(lab) -> None:
    rules = HomeRules(lab.home, Disturbances(0, DisturbanceRates(fail=0.0, silent=1.0, change=0.0)))
    apple = lab.add("apple", "on", "table")
    lab.hold("knife")
    lab.stand_before(apple)
    assert rules.do(Control("slice"), apple.id) == (True, "")
    assert "sliced" not in apple.states
    assert not rules.log.irreversible
    assert rules.log.disturbances[0].what == "slice did nothing"


def test_what_is_refused_costs_no_luck(lab) -> None:
    rules = HomeRules(lab.home, Disturbances(0, DisturbanceRates(fail=1.0, silent=0.0, change=1.0)))
    assert rules.do(Control("pick_up"), None).message == "there is nothing there"
    assert not rules.log.disturbances


def test_somebody_else_does_everything_that_is_said() -> None:
    home = busy_home()
    chance = Disturbances(2, ALWAYS)
    what = Counter()
    for _ in range(400):
        before = snapshot(home)
        happened = chance.intervene(home)
        assert happened is not None
        words, things = happened
        what[words.split()[0]] += 1
        assert {one for one, how in snapshot(home).items() if how != before[one]} == set(things)
    assert set(what) == {"moved", "opened", "closed", "switched", "washed", "dirtied"}
    assert what["moved"] > 60


def test_somebody_else_carries_nothing_that_would_spill_or_fall(lab) -> None:
    lab.add("mug", "on", "table", "filled", "has_water")
    lab.add("apple", "on", lab.add("plate", "on", "table"))
    lab.add("bread", "on", "counter", "sliced")
    chance = Disturbances(5, ALWAYS)
    for _ in range(200):
        before = {one.id: (one.states & {"filled", "sliced"}, list(one.load)) for one in lab.home.items()}
        words, (moved,) = chance.intervene(lab.home)
        if words.startswith("moved"):
            assert before[moved] == (set(), [])


def test_somebody_else_opens_nothing_that_runs(lab) -> None:
    microwave = lab.the("microwave")
    lab.home.set_state(microwave, "turned_on")
    chance = Disturbances(6, ALWAYS)
    for _ in range(200):
        chance.intervene(lab.home)
        assert not {"open", "turned_on"} <= microwave.states


def test_somebody_else_leaves_alone_what_is_in_the_hand() -> None:
    home = busy_home()
    plate = home.of_class("plate") or home.of_class("mug")
    home.grasp(plate[0])
    before = set(plate[0].states)
    chance = Disturbances(4, ALWAYS)
    for _ in range(300):
        chance.intervene(home)
        assert home.held == plate[0].id
        assert plate[0].states == before


def test_somebody_else_breaks_and_burns_nothing() -> None:
    home = busy_home()
    rules = HomeRules(home, Disturbances(8, ALWAYS))
    burning = {one.id for one in home.furniture() if one.can("burns") and "turned_on" in one.states}
    for _ in range(300):
        chance = rules._disturbances.intervene(home)
        assert chance is not None
        assert not any("broken" in one.states for one in home.things.values())
        for one in home.furniture():
            assert not {"open", "turned_on"} <= one.states
            if one.can("burns") or one.can("heats"):
                assert "turned_on" not in one.states or one.id in burning or one.can("heats")


@pytest.mark.parametrize(
    ("names", "occasions"),
    [
        (["rotate_left", "look_up", "wait"], 0),
        (["move_ahead", "move_back", "rotate_left"], 0),
        (["move_ahead", "move_back", "look_up"], 1),
        (["move_ahead", "look_up", "look_down", "move_back", "wait"], 2),
    ],
)
def test_a_walk_is_over_when_the_robot_stops_to_look(lab, names, occasions) -> None:
    rules = HomeRules(lab.home, Disturbances(1, ALWAYS))
    for name in names:
        rules.do(Control(name))
    assert len(rules.log.disturbances) == occasions


def test_every_manipulation_is_an_occasion_and_so_is_the_walk_before_it(lab) -> None:
    rules = HomeRules(lab.home, Disturbances(1, ALWAYS))
    mug = lab.add("mug", "on", "sofa")
    lab.stand_before(mug)
    assert rules.do(Control("move_back")).ok
    rules.do(Control("pick_up"), mug.id)
    assert len(rules.log.disturbances) == 2
