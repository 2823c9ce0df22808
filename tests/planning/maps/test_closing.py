"""Doors that are closed again: what does so is left out where no door has to be closed, and costs nothing there."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from floors import DOMAIN, Floor, goals, random_floor
from hypothesis import given, settings
from hypothesis import strategies as st

from foretree.planning.maps.closing import without_idle_closers
from foretree.planning.maps.navigation import NavigationError, find_navigation
from foretree.planning.pddl.parser import parse_operator
from foretree.planning.pddl.syntax import Problem
from foretree.planning.semantics.actions import validate
from foretree.planning.solvers.fast_downward.solver import FastDownward
from foretree.planning.task.goals import parse_goal
from foretree.planning.task.problem_forms import ProblemForms

CLOSE = """
(:action close_door
  :parameters (?robot - robot ?hand - hand ?door - door ?from ?to - node)
  :precondition (and (rob_at_node ?robot ?from) (has_door ?door ?from ?to) (hand_free ?robot ?hand)
                     (rob_has_hand ?robot ?hand) (connected ?from ?to))
  :effect (and (not (connected ?from ?to)) (not (connected ?to ?from)) (not (door_open ?door))
               (increase (total-cost) 1)))
"""
CLOSING = replace(DOMAIN, operators={**DOMAIN.operators, "close_door": parse_operator(CLOSE, DOMAIN)})


@pytest.fixture(scope="module")
def planner():
    with FastDownward() as planner:
        yield planner


def problem_on(floor: Floor, goal: str) -> Problem:
    """The problem in which open doors are known to be open and can be closed."""
    stated = floor.problem("(and)")
    ajar = {("door_open", door) for door in floor.places.doors() if door not in floor.closed}
    wanted = parse_goal(goal, CLOSING, stated.objects).formula
    return replace(stated, domain=CLOSING, init=stated.init | ajar, goal=wanted)


@pytest.mark.parametrize(
    ("goal", "wanted"),
    [
        ("(not (door_open {}))", True),
        ("(forall (?d - door) (not (door_open ?d)))", True),
        ("(not (forall (?d - door) (door_open ?d)))", True),
        ("(door_open {})", False),
        ("(clean cup0)", False),
    ],
)
def test_doors_can_be_closed_where_the_goal_may_want_one_closed(goal, wanted):
    floor = next(floor for floor in map(random_floor, map(random.Random, range(50))) if floor.places.doors())
    problem = problem_on(floor, goal.format(floor.places.doors()[0]))
    assert ("close_door" in without_idle_closers(problem).domain.operators) is wanted


def test_what_an_operator_needs_is_a_reason_to_close_doors():
    text = """(:action hush :parameters (?item - item ?door - door)
              :precondition (not (door_open ?door)) :effect (clean ?item))"""
    needy = replace(CLOSING, operators={**CLOSING.operators, "hush": parse_operator(text, CLOSING)})
    problem = replace(random_floor(random.Random(1)).problem("(clean cup0)"), domain=needy)
    assert without_idle_closers(problem) is problem


def test_a_door_is_closed_from_one_of_its_sides_in_both_directions():
    assert find_navigation(CLOSING).closers == ("close_door",)
    for part in ("(not (connected ?to ?from))", "(has_door ?door ?from ?to)", "(rob_at_node ?robot ?from)"):
        broken = parse_operator(CLOSE.replace(part, ""), DOMAIN)
        with pytest.raises(NavigationError, match="disconnects"):
            find_navigation(replace(CLOSING, operators={**CLOSING.operators, "close_door": broken}))


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 100_000))
def test_the_best_plan_that_closes_doors_costs_the_same_on_the_compressed_map(planner, seed):
    rng = random.Random(seed)
    floor = random_floor(rng, size=6)
    doors = floor.places.doors()
    shut = [f"(not (door_open {door}))" for door in rng.sample(doors, min(2, len(doors)))]
    if rng.random() < 0.3:
        shut = ["(forall (?d - door) (not (door_open ?d)))"]
    problem = problem_on(floor, f"(and {goals(floor, rng)} {' '.join(shut)})")
    best = planner.solve(problem, "optimal")
    form = ProblemForms(CLOSING, floor.places, rests=["on"], selecting=False).forms(problem)[0]
    found = planner.solve(form.problem, "optimal")
    assert (found.status, found.cost) == (best.status, best.cost)
    if found.status == "solved":
        assert validate(problem, form.refine(found.steps)).ok
