from dataclasses import replace
from math import prod

import pytest

from foretree.planning.pddl.parser import parse_domain, parse_problem
from foretree.planning.semantics.actions import validate
from foretree.planning.solvers.fast_downward.solver import shared_planner
from foretree.planning.task.success_costs import SCALE, success_cost, weigh

DOMAIN = """
(define (domain paths)
  (:requirements :strips :typing :action-costs)
  (:types tool thing - object)
  (:predicates (blade ?t - tool) (whole ?x - thing) (cut ?x - thing) (torn ?x - thing))
  (:functions (total-cost) (far ?x - thing))
  (:action slice :parameters (?t - tool ?x - thing)
    :precondition (and (blade ?t) (whole ?x))
    :effect (and (cut ?x) (not (whole ?x)) (increase (total-cost) 1)))
  (:action tear :parameters (?x - thing)
    :precondition (whole ?x) :effect (and (torn ?x) (increase (total-cost) 9)))
  (:action chop :parameters (?x - thing)
    :precondition (torn ?x)
    :effect (and (cut ?x) (not (whole ?x)) (increase (total-cost) (far ?x)))))
"""
PROBLEM = """
(define (problem p) (:domain paths)
  (:objects knife1 knife2 - tool bread - thing)
  (:init (blade knife1) (blade knife2) (whole bread) (= (far bread) 40) (= (total-cost) 0))
  (:goal (cut bread)) (:metric minimize (total-cost)))
"""


class Known:
    """Probabilities from two tables; what they do not list is unknown."""

    def __init__(self, operators=None, things=None):
        self.operators = operators or {}
        self.things = things or {}

    def of_operator(self, name):
        return self.operators.get(name, 1.0)

    def of_objects(self, atoms):
        known = [self.things[name] for _, name in atoms if name in self.things]
        return prod(known) if known else None


@pytest.fixture
def problem():
    return parse_problem(PROBLEM, parse_domain(DOMAIN))


def best(problem):
    solution = shared_planner().solve(problem, "optimal")
    assert solution.status == "solved"
    return solution


def test_where_nothing_is_known_the_costs_stay(problem):
    assert weigh(problem, Known()) == problem


def test_the_likelier_way_is_taken_however_much_dearer(problem):
    assert [name for name, _ in best(problem).steps] == ["slice"]
    weighed = weigh(problem, Known({"slice": 0.6, "tear": 0.9}))
    found = best(weighed)
    assert [name for name, _ in found.steps] == ["tear", "chop"]
    assert found.cost == success_cost(0.9) + 9 + 40
    assert validate(problem, found.steps).ok


def test_the_product_of_probabilities_decides_not_the_least_of_them(problem):
    weighed = weigh(problem, Known({"slice": 0.85, "tear": 0.9}, {"knife1": 0.9, "knife2": 0.5}))
    assert [name for name, _ in best(weighed).steps] == ["tear", "chop"]  # 0.9 > 0.85 · 0.9
    weighed = weigh(problem, Known({"slice": 0.95, "tear": 0.8}, {"knife1": 0.9, "knife2": 0.5}))
    assert best(weighed).steps == (("slice", ("knife1", "bread")),)  # 0.855 > 0.8


def test_the_thing_that_likelier_affords_it_is_used(problem):
    for good, bad in (("knife1", "knife2"), ("knife2", "knife1")):
        weighed = weigh(problem, Known({"tear": 0.1}, {good: 0.95, bad: 0.4}))
        assert best(weighed).steps == (("slice", (good, "bread")),)


def test_among_ways_that_are_equally_likely_the_cheapest_is_taken(problem):
    weighed = weigh(problem, Known({"slice": 0.9, "tear": 0.9}))
    assert [name for name, _ in best(weighed).steps] == ["slice"]


def test_a_name_of_the_domain_is_not_taken_twice(problem):
    domain = problem.domain
    taken = replace(domain, functions={**domain.functions, "doubt-slice": ()})
    weighed = weigh(replace(problem, domain=taken), Known({"tear": 0.1}, {"knife1": 0.5, "knife2": 0.6}))
    assert best(weighed).steps == (("slice", ("knife2", "bread")),)


def test_what_never_succeeds_is_dear_and_not_impossible():
    assert success_cost(0.0) == success_cost(0.001) < 10 * SCALE
    assert success_cost(1.0) == 0
