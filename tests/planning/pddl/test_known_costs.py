"""Actions whose cost nothing states cannot be done, as Fast Downward has it."""

from __future__ import annotations

import pytest

from foretree.planning.pddl._known_costs import with_known_costs
from foretree.planning.pddl.parser import parse_domain, parse_problem
from foretree.planning.semantics.actions import validate
from foretree.planning.solvers.base import Limits
from foretree.planning.solvers.fast_downward.solver import shared_planner

WAYS = """
(define (domain ways)
  (:requirements :typing :action-costs)
  (:types place)
  (:predicates (at ?p - place) (way ?p ?q - place))
  (:functions (total-cost) - number (length ?p ?q - place) - number)
  (:action go :parameters (?p ?q - place) :precondition (and (at ?p) (way ?p ?q))
   :effect (and (at ?q) (not (at ?p)) (increase (total-cost) (length ?p ?q)))))
"""


def roads(lengths, metric="(:metric minimize (total-cost))"):
    known = " ".join(f"(= (length {ways}) {length})" for ways, length in lengths.items())
    problem = parse_problem(
        f"""(define (problem roads) (:domain ways) (:objects a b c - place)
        (:init (at a) (way a b) (way b c) (way a c) (= (total-cost) 0) {known}) (:goal (at c)) {metric})""",
        parse_domain(WAYS),
    )
    return with_known_costs(problem)


@pytest.mark.parametrize("limits", [Limits(), Limits(soon=0)], ids=["agent", "foreign"])
@pytest.mark.parametrize("metric", ["(:metric minimize (total-cost))", ""], ids=["costs", "steps"])
def test_a_way_without_a_length_is_not_taken(metric, limits):
    problem = roads({"a b": 2, "b c": 3}, metric)
    solution = shared_planner().solve(problem, "good", limits)
    assert solution.steps == (("go", ("a", "b")), ("go", ("b", "c")))
    assert not validate(problem, [("go", ("a", "c"))]).ok
    assert shared_planner().solve(roads({"a b": 2}, metric), "good", limits).status == "unsolvable"


def test_a_task_in_which_all_that_can_be_done_has_a_cost_stays_as_it_is():
    problem = roads({"a b": 2, "b c": 3, "a c": 9})
    assert set(problem.domain.predicates) == {"at", "way"}
    assert shared_planner().solve(problem, "optimal").cost == 5
