"""The objects that a goal can need, where things are told apart by what they afford."""

from __future__ import annotations

import pytest

from foretree.planning.pddl.parser import parse_domain, parse_problem
from foretree.planning.solvers.fast_downward.solver import shared_planner
from foretree.planning.task.role_relevance import SPARE, select_roles

DOMAIN = parse_domain(
    """
(define (domain kitchen)
  (:types cut cuttable support - thing knife - cut apple - cuttable table - support plate - support agent)
  (:predicates (on ?x ?y - thing) (held ?x - thing) (free) (sliced ?x - thing) (blocked ?x - thing))
  (:action take :parameters (?x - thing ?y - thing) :precondition (and (free) (on ?x ?y) (not (blocked ?x)))
    :effect (and (held ?x) (not (free)) (not (on ?x ?y))))
  (:action put :parameters (?x - thing ?y - support) :precondition (held ?x)
    :effect (and (on ?x ?y) (free) (not (held ?x))))
  (:action clear :parameters (?x - thing) :precondition (blocked ?x) :effect (not (blocked ?x)))
  (:action slice :parameters (?k - cut ?x - cuttable ?y - support) :precondition (and (held ?k) (on ?x ?y))
    :effect (sliced ?x)))
"""
)


def problem(goal, knives=20, apples=20):
    things = [f"k{n}" for n in range(knives)], [f"a{n}" for n in range(apples)]
    facts = " ".join(f"(on {name} t)" for group in things for name in group)
    return parse_problem(
        f"""(define (problem p) (:domain kitchen)
          (:objects {" ".join(things[0])} - knife {" ".join(things[1])} - apple t - table p0 p1 - plate)
          (:init (free) {facts} (on p0 t) (on p1 t) (blocked a3)) (:goal {goal}))""",
        DOMAIN,
    )


def selected(goal, **more):
    return set(select_roles(problem(goal, **more), ["t"], lambda name: int(name[1:] or 0)).objects)


def test_what_lies_somewhere_is_taken_from_there():
    assert selected("(held a7)") == {"t", "a7"}


def test_a_tool_is_chosen_from_those_that_serve_the_nearest_first():
    assert selected("(sliced a7)") == {"t", "a7", *(f"k{n}" for n in range(SPARE))}


def test_what_a_state_prevents_takes_what_ends_it_and_what_is_so_takes_nothing():
    assert selected("(and (held a3) (on p1 t))") == {"t", "a3", "p1"}


@pytest.mark.parametrize(
    ("goal", "number"),
    [
        ("(exists (?a - apple) (on ?a p0))", 6),
        ("(forall (?a - apple) (on ?a p0))", 20),
        ("(or (on a1 p0) (on a2 p0))", 2),
    ],
)
def test_of_what_is_quantified_over_as_many_as_matter(goal, number):
    assert sum(name[0] == "a" for name in selected(goal)) == number


@pytest.mark.parametrize(
    "goal", ["(sliced a3)", "(and (sliced a7) (on a7 p1))", "(and (on a1 p0) (on k1 p0))"]
)
def test_the_best_plan_for_the_selection_costs_as_much_as_that_for_all(goal):
    whole = problem(goal, 6, 8)
    small = select_roles(whole, ["t"], lambda name: 0)
    assert len(small.objects) < len(whole.objects) / 2
    best = shared_planner().solve(whole)
    assert (shared_planner().solve(small).cost, best.status) == (best.cost, "solved")
