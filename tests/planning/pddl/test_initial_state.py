"""What of an initial state is kept, and what is said of the rest."""

from __future__ import annotations

import pytest

from foretree.planning.pddl.errors import DuplicateNameError, UnknownNameError
from foretree.planning.pddl.parser import parse_domain, parse_problem
from foretree.planning.semantics.actions import validate

DOMAIN = """(define (domain d) (:types person thing - object mug - thing)
  (:predicates (near ?p - person ?x - thing) (seen ?x - thing) (known ?x) (dark))
  (:functions (total-cost))
  %s
  (:action see :parameters (?p - person ?x - mug) :precondition (near ?p ?x) :effect (seen ?x)))"""


def problem(init: str, goal: str = "(seen cup)", extra: str = ""):
    domain = parse_domain(DOMAIN % extra, "d.pddl")
    objects = "ann - person cup - mug box - thing"
    text = f"(define (problem p) (:domain d) (:objects {objects}) (:init {init}) (:goal {goal}))"
    return parse_problem(text, domain, "p.pddl")


def test_a_fact_that_no_condition_can_ask_for_is_left_out():
    task = problem("(near ann cup) (near box cup)")
    assert task.init == {("near", "ann", "cup")}
    (warning,) = task.warnings
    assert '"box" is of type thing' in warning.problem
    assert "left out" in warning.problem
    assert validate(task, [("see", ("ann", "cup"))]).ok


@pytest.mark.parametrize(
    ("goal", "extra"),
    [
        ("(near box cup)", ""),
        ("(exists (?x - thing) (near ?x cup))", ""),
        ("(forall (?x - person) (imply (dark) (not (near box cup))))", ""),
        ("(dark)", "(:action a :parameters (?x - thing ?y - mug) :precondition (near ?x ?y) :effect (dark))"),
        ("(dark)", "(:action a :parameters (?y) :effect (forall (?x) (when (near ?x ?y) (dark))))"),
        ("(known cup)", "(:derived (known ?x) (exists (?y - thing) (near ?y ?x)))"),
    ],
)
def test_a_fact_counts_where_a_condition_takes_its_types(goal, extra):
    task = problem("(near box cup)", goal, extra)
    assert ("near", "box", "cup") in task.init
    assert any("counts all the same" in warning.problem for warning in task.warnings)


def test_facts_with_unknown_objects_are_refused_as_by_other_planners():
    with pytest.raises(UnknownNameError, match=r"p\.pddl:1:.*\"cap\" is not a known"):
        problem("(near box cap)")


def test_a_fact_that_is_both_true_and_false_is_refused_of_whatever_type():
    with pytest.raises(DuplicateNameError, match="true elsewhere"):
        problem("(near box cup) (not (near box cup))")


def test_a_fact_of_a_derived_predicate_is_left_out():
    task = problem("(known box)", extra="(:derived (known ?x) (exists (?p - person) (near ?p ?x)))")
    assert not task.init
    assert "is derived" in task.warnings[0].problem


def test_a_value_of_a_function_that_there_is_not_is_left_out():
    task = problem("(= (total-cost) 0) (= (distance ann cup) 3)")
    assert not task.functions
    assert "distance" in task.warnings[0].problem
