"""The mission: what is missing, and what counts as located."""

from __future__ import annotations

import pytest
from at_home import AtHome, house

from foretree.agent.mission import Mission, located, missing


@pytest.fixture
def home():
    return AtHome(house(items={"mug2": {"class": "mug", "in": "cupboard1"}}))


def gone(home, goal):
    return missing(home.goal(goal), home.context.belief.snapshot(), home.context.catalogue.domain)


def test_nothing_is_missing_when_all_is_located(home):
    assert gone(home, "(in mango1 fridge1)") == []
    assert gone(home, "(exists (?m - mug) (on ?m table2))") == []


def test_a_thing_that_is_lost_is_missing_by_its_name(home):
    home.forget("on mango1 table1")
    assert gone(home, "(in mango1 fridge1)") == ["mango1"]
    assert gone(home, "(and (in mug1 sink1) (not (on mango1 table2)))") == ["mango1"]


def test_things_are_named_once_and_in_order(home):
    home.forget("on mango1 table1", "on apple1 table3")
    goal = "(and (in mango1 fridge1) (in apple1 fridge1) (not (on mango1 table2)))"
    assert gone(home, goal) == ["apple1", "mango1"]


def test_what_a_thing_is_in_or_on_is_missing_in_its_place():
    home = AtHome(house(items={"tray1": {"class": "tray", "on": "table2"}}))
    home.believe("on mango1 tray1")
    assert gone(home, "(in mango1 fridge1)") == []
    home.forget("on tray1 table2")
    assert gone(home, "(in mango1 fridge1)") == ["tray1"]


def test_furniture_and_people_are_on_the_map(home):
    assert gone(home, "(open fridge1)") == []
    assert gone(home, "(rob_at_node robot1 person1)") == []
    assert gone(home, "(exists (?f - fridge) (open ?f))") == []


def test_a_class_of_which_nothing_is_located_is_missing_in_words(home):
    assert gone(home, "(exists (?b - banana) (on ?b table2))") == ["a banana"]
    assert gone(home, "(exists (?b - side_table) (open ?b))") == []
    home.forget("on mug1 table1", "in mug2 cupboard1")
    assert gone(home, "(exists (?m - mug) (on ?m table2))") == ["a mug"]


def test_another_one_than_those_that_are_known_may_be_missing(home):
    another = "(exists (?m - mug) (and (not (= ?m mug1)) (on ?m table2)))"
    assert gone(home, another) == []
    assert gone(home, another.replace("(not", "(not (= mug2 ?m)) (not")) == ["another mug"]
    home.forget("in mug2 cupboard1")
    assert gone(home, another) == ["another mug"]
    assert gone(home, another.replace("mug1", "table1")) == []


def test_where_the_goal_counts_one_more_may_be_missing(home):
    assert gone(home, "(at-least 2 (?m - mug) (on ?m table2))") == []
    home.forget("on mug1 table1")
    assert gone(home, "(at-least 2 (?m - mug) (on ?m table2))") == ["another mug"]
    home.forget("in mug2 cupboard1")
    assert gone(home, "(at-least 2 (?m - mug) (on ?m table2))") == ["a mug"]


def test_at_most_so_many_needs_none(home):
    assert gone(home, "(at-most 0 (?b - banana) (on ?b table2))") == []


def test_what_all_are_needed_for_names_nobody(home):
    assert gone(home, "(forall (?b - banana) (on ?b table2))") == []


@pytest.mark.parametrize(
    "place", ["on mug1 table2", "in mug1 sink1", "under mug1 table1", "given mug1 person1"]
)
def test_a_thing_is_located_wherever_it_rests(home, place):
    home.believe(place)
    assert located("mug1", home.context.belief.snapshot())


def test_a_thing_in_the_hand_is_located(home):
    home.believe("holding robot1 left mug1")
    assert located("mug1", home.context.belief.snapshot())


def test_a_thing_is_not_located_when_it_is_only_known_where_it_is_not(home):
    home.believe("not on mug1 table1")
    assert not located("mug1", home.context.belief.snapshot())
    assert not located("nobody", home.context.belief.snapshot())


def test_a_wanted_class_has_to_be_found_first(home):
    """``all bananas`` is not done because no banana is known."""
    mission = Mission(goal=home.goal("(forall (?b - banana) (in ?b fridge1))"), wanted=("banana",))
    beliefs, domain = home.context.belief.snapshot(), home.context.catalogue.domain
    assert mission.unfound(beliefs, domain) == ["a banana"]
    assert mission.missing(beliefs, domain) == ["a banana"]
    home.imagine("banana1", "banana", "on table2")
    assert mission.missing(home.context.belief.snapshot(), domain) == []


def test_a_tool_that_the_plan_relied_on_is_missing_too(home):
    mission = Mission(goal=home.goal("(sliced mango1)"))
    mission.plan = home.plan(
        "(sliced mango1)", "pick robot1 left knife1 table1", "cut robot1 left knife1 mango1 table1"
    )
    home.forget("on knife1 table1")
    beliefs = home.context.belief.snapshot()
    assert mission.missing(beliefs, home.context.catalogue.domain) == ["knife1"]
