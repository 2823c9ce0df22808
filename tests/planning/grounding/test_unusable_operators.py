"""Which operators have a cast."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import HealthCheck, given, settings
from random_tasks import cheapest, problems
from tabletops import problem_of

from foretree.planning.grounding.relaxed_reachability import without_unusable_operators
from foretree.planning.pddl.parser import parse_domain
from foretree.planning.pddl.syntax import Domain, Problem
from foretree.planning.task.goals import parse_goal

KITCHEN = parse_domain("""
(define (domain kitchen)
  (:types food tool - object)
  (:constants spoon - tool)
  (:predicates (blade ?x - object) (soft ?x - object) (cut ?x - food) (used ?x - tool) (stirred ?x - food))
  (:action slice :parameters (?f - food ?t - tool) :precondition (and (blade ?t) (not (soft ?f)))
    :effect (and (cut ?f) (used ?t)))
  (:action stir :parameters (?f - food ?t - tool) :precondition (not (blade ?t)) :effect (stirred ?f))
  (:action tear :parameters (?f - food) :precondition (soft ?f) :effect (cut ?f))
  (:action again :parameters (?t - tool) :precondition (used ?t) :effect (not (used ?t)))
  (:action either :parameters (?f - food) :precondition (or (soft ?f) (blade ?f)) :effect (stirred ?f)))
""")


def left(objects: dict[str, str], *init: tuple[str, ...]) -> set[str]:
    goal = parse_goal("(used spoon)", KITCHEN, objects).formula
    return set(
        without_unusable_operators(Problem("p", KITCHEN, objects, frozenset(init), goal)).domain.operators
    )


def test_by_type():
    assert left({}) == {"again"}
    assert "stir" in left({"soup": "food"})


def test_by_what_things_are_for_good():
    things = {"bread": "food", "knife": "tool"}
    assert left(things) == {"stir", "again", "either"}
    assert left(things, ("blade", "knife")) == {"slice", "stir", "again", "either"}
    assert left(things, ("blade", "knife"), ("soft", "bread")) == {"stir", "tear", "again", "either"}


def test_by_what_they_must_not_be():
    assert "stir" not in left({"bread": "food"}, ("blade", "spoon"))


def test_what_may_become_so_is_left_open():
    """Nothing is used at first, and only using something could be in the way of it."""
    assert "again" in left({"bread": "food"})


def test_nothing_else_changes():
    problem = problem_of({"mango1": ("on", "table1")}, "(in mango1 fridge1)")
    cast = without_unusable_operators(problem)
    assert len(cast.domain.operators) < len(problem.domain.operators) / 3
    assert replace(cast, domain=problem.domain) == problem
    assert replace(cast.domain, operators=problem.domain.operators) == problem.domain
    assert without_unusable_operators(replace(problem, domain=Domain("nothing"))).domain.operators == {}


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(problems())
def test_the_best_plan_costs_the_same(problem):
    assert cheapest(without_unusable_operators(problem)) == cheapest(problem)
