"""Which things a task is about."""

from __future__ import annotations

import pytest
from floors import DOMAIN as FLOOR
from hypothesis import HealthCheck, given, settings
from tabletops import catalogue, problem_of, resting, scenes, selected, things

from foretree.planning.pddl.parser import parse_domain
from foretree.planning.pddl.syntax import Domain, constants_of
from foretree.planning.semantics.actions import validate
from foretree.planning.solvers.base import Limits
from foretree.planning.solvers.fast_downward.solver import shared_planner
from foretree.planning.task.object_selection import SupportRelations, find_support_relations
from foretree.skills.catalogue_file import load_catalogue

TRAYS = """
(define (domain trays)
  (:types robot hand item table - object tray - item)
  (:predicates (holding ?r - robot ?h - hand ?i - item) (hand_free ?r - robot ?h - hand)
               (lies ?i - item ?where - object) (upon ?i - item ?t - tray))
  (:action lift :parameters (?r - robot ?h - hand ?i - item ?t - table)
    :precondition (and (lies ?i ?t) (hand_free ?r ?h))
    :effect (and (holding ?r ?h ?i) (not (hand_free ?r ?h)) (not (lies ?i ?t))))
  (:action unload :parameters (?r - robot ?h - hand ?i - item ?t - {carrier})
    :precondition (and (upon ?i ?t) (hand_free ?r ?h))
    :effect (and (holding ?r ?h ?i) (not (hand_free ?r ?h)) (not (upon ?i ?t)))))
"""

SHELF = {
    "mango1": ("on", "table1"),
    "plate1": ("on", "table2"),
    "apple1": ("on", "plate1"),
    "tray1": ("on", "table3"),
    "cup1": ("on", "tray1"),
    "knife1": ("on", "couch1"),
    "mug1": ("in", "sink1"),
}


# -- how a domain speaks of what rests on what --------------------------------------------------------------
def test_the_tabletop_carries_things_on_things():
    found = resting()
    assert found.carried == "item"
    assert found.predicates[:4] == ("on", "in", "under", "hung_on")


@pytest.mark.parametrize("domain", [FLOOR, load_catalogue("household").domain, Domain("nothing")])
def test_where_nothing_carried_carries_there_is_nothing_to_select(domain):
    assert find_support_relations(domain) is None


def test_what_is_given_up_for_resting_somewhere_is_resting_too():
    cut = """
  (:action tear :parameters (?i ?of - item ?t - table)
    :precondition (and (part ?i ?of) (lies ?of ?t))
    :effect (and (lies ?i ?t) (not (part ?i ?of)) (torn ?of))))"""
    trays = TRAYS.replace("{carrier}", "tray").replace(
        "(upon ?i - item", "(part ?i ?of - item) (torn ?i - item) (upon ?i - item"
    )
    found = find_support_relations(parse_domain(trays.rstrip().removesuffix(")") + cut))
    assert found.predicates == ("lies", "part", "upon")


def test_predicates_may_be_called_anything():
    found = find_support_relations(parse_domain(TRAYS.replace("{carrier}", "tray")))
    assert found == SupportRelations(("lies", "upon"), "item")
    occupied = "(not (upon ?i ?t)) (not (taken ?t))"
    more = TRAYS.replace("{carrier}", "tray").replace("(not (upon ?i ?t))", occupied)
    more = more.replace("(hand_free ?r - robot", "(taken ?t - object) (hand_free ?r - robot")
    assert find_support_relations(parse_domain(more)).occupying == {("upon", "taken")}
    assert (
        find_support_relations(
            parse_domain(TRAYS.replace("{carrier}", "table").replace("?t - tray", "?t - object"))
        )
        is None
    )


# -- what is kept -------------------------------------------------------------------------------------------
def test_what_the_goal_names_and_nothing_else():
    assert things(selected(problem_of(SHELF, "(on mango1 couch1)")).problem) == {"mango1"}


def test_nothing_is_said_of_what_is_left_out():
    whole = problem_of(SHELF, "(on mango1 couch1)")
    small = selected(whole).problem
    gone = set(whole.objects) - set(small.objects)
    assert gone == set(SHELF) - {"mango1"}
    assert all(gone.isdisjoint(atom) for atom in small.init)
    assert {atom for atom in whole.init if gone.isdisjoint(atom)} == small.init


def test_what_it_rests_on():
    assert things(selected(problem_of(SHELF, "(on cup1 couch1)")).problem) == {"cup1", "tray1"}


def test_what_rests_on_it():
    assert things(selected(problem_of(SHELF, "(on tray1 couch1)")).problem) == {"cup1", "tray1"}


def test_a_tool():
    kept = selected(problem_of(SHELF, "(sliced mango1)"))
    assert {"mango1", "knife1"} <= things(kept.problem)
    assert "couch1" in kept.nodes
    assert not {"tray1", "cup1", "mug1"} & things(kept.problem)


def test_what_is_in_the_way():
    """The outlet of the coffee maker is taken by another cup; what stands next to the mug is in nobody's way."""
    rests = {"mug1": ("on", "table1"), "cup1": ("under", "coffee_maker1"), "cup2": ("on", "table1")}
    whole = problem_of(rests, "(has_coffee mug1)", [("occupied", "coffee_maker1")])
    assert things(selected(whole).problem) == {"mug1", "cup1"}


def test_what_is_held_though_nobody_needs_it():
    whole = problem_of({"mango1": ("on", "table1")}, "(on mango1 couch1)", held={"left": "cup1"})
    small = selected(whole).problem
    assert things(small) == {"mango1", "cup1"}
    assert ("holding", "robot1", "left", "cup1") in small.init


FRUIT = {
    "mango1": ("on", "table1"),
    "apple1": ("on", "table1"),
    "bread1": ("on", "table1"),
    "bowl1": ("on", "table1"),
    "bowl2": ("on", "table1"),
    "plate1": ("on", "table2"),
}


def test_something_to_carry_more_things_in_than_there_are_hands():
    goal = "(and (on mango1 couch1) (on apple1 couch1) (on bread1 couch1))"
    assert things(selected(problem_of(FRUIT, goal)).problem) == {"mango1", "apple1", "bread1", "bowl1"}


@pytest.mark.parametrize(
    "goal",
    [
        "(on mango1 couch1)",
        # What is so already has not to be carried.
        "(and (on mango1 couch1) (on apple1 table1) (on bread1 table1))",
    ],
)
def test_hands_that_suffice_need_nothing_to_carry_things_in(goal):
    assert not things(selected(problem_of(FRUIT, goal)).problem) & {"bowl1", "bowl2", "plate1"}


def test_what_somebody_asks_for():
    small = selected(problem_of(SHELF, "(on mango1 couch1)"), keep=["cup1"]).problem
    assert things(small) == {"mango1", "cup1", "tray1"}


def test_every_thing_of_a_choice():
    """The goal of the smaller problem speaks of nothing that is not in it."""
    small = selected(problem_of(SHELF, "(or (on mango1 couch1) (on mug1 couch1))")).problem
    assert constants_of(small.goal) <= set(small.objects)


@pytest.mark.parametrize(
    ("goal", "kept"),
    [
        ("(and (on mango1 table2) (exists (?c - cup) (on ?c tray1)))", {"mango1", "cup1", "tray1"}),
        ("(and (on mango1 couch1) (at-most 1 (?i - item) (on ?i couch1)))", {"mango1", "knife1"}),
        ("(and (on mango1 table2) (at-least 1 (?i - item) (on ?i couch1)))", {"mango1", "knife1"}),
        ("(and (on mango1 table2) (not (at-least 2 (?i - item) (on ?i couch1))))", {"mango1", "knife1"}),
    ],
)
def test_what_makes_a_part_of_the_goal_true_already(goal, kept):
    assert kept <= things(selected(problem_of(SHELF, goal)).problem)


def test_other_ways_than_the_cheapest():
    """The nearest vessel with milk in it is a cup; pouring from a carton is another kind of action."""
    rests = {
        "mug1": ("on", "table1"),
        "cup1": ("on", "table1"),
        "milk1": ("on", "table2"),
    }
    milk = [("filled", "milk1"), ("has_milk", "milk1"), ("filled", "cup1"), ("has_milk", "cup1")]
    whole = problem_of(rests, "(has_milk mug1)", milk)
    few = things(selected(whole, alternatives=False).problem)
    some = things(selected(whole, alternatives=True).problem)
    assert few <= some
    assert few == {"mug1", "cup1"}


# -- where ---------------------------------------------------------------------------------------------------
def test_the_nodes_of_what_is_kept_and_those_that_matter_anyway():
    kept = selected(problem_of(SHELF, "(on mango1 couch1)"), nodes=["trash_bin1"])
    assert {"table1", "couch1", "trash_bin1"} <= kept.nodes


def test_somewhere_near_to_put_things_down():
    """From the fridge and the bin, nothing can be put down on the fridge or the bin: a table or couch is near."""
    whole = problem_of({"mango1": ("in", "fridge1"), "plate1": ("in", "fridge1")}, "(in mango1 trash_bin1)")
    kept = selected(whole)
    assert kept.nodes == {"fridge1", "trash_bin1", "table1", "table2"}


def test_a_plate_is_no_place_near_to_put_things_down():
    """It is kept, and things can be put onto it, but it is in the fridge."""
    rests = {"plate1": ("in", "fridge1")}
    assert "table1" in selected(problem_of(rests, "(in plate1 trash_bin1)")).nodes


# -- whatever the scene --------------------------------------------------------------------------------------
@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
@given(scenes())
def test_a_plan_for_the_selection_is_a_plan_for_everything(scene):
    whole = problem_of(**scene)
    small = selected(whole).problem
    assert constants_of(whole.goal) <= set(small.objects)
    assert small.init <= whole.init
    found = shared_planner().solve(small, "satisficing", Limits(seconds=30))
    if found.status == "solved":
        check = validate(whole, found.steps)
        assert check.ok, check.reason


@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(scenes())
def test_more_ways_keep_more(scene):
    whole = problem_of(**scene)
    few, some = (selected(whole, alternatives=more) for more in (False, True))
    # A node that is kept for another way can make another instance the nearest.
    if not any(word in scene["goal"] for word in ("exists", "at-least", "or ")):
        assert things(few.problem) <= things(some.problem)
    again = selected(whole)
    assert (again.problem, again.nodes) == (some.problem, some.nodes)


def test_the_domain_stays_as_it_is():
    assert selected(problem_of(SHELF, "(on mango1 couch1)")).problem.domain is catalogue().domain
