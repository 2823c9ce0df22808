"""Grounding: only what can run, and only what matters."""

from __future__ import annotations

import pytest
from households import flat, kitchen

from foretree.planning.grounding.compilation import compile_away
from foretree.planning.grounding.ground_task import GroundTask
from foretree.planning.grounding.grounding import TooManyActionsError, ground
from foretree.planning.grounding.simplification import simplify
from foretree.planning.pddl.parser import parse_domain, parse_problem


def grounded(problem) -> GroundTask:
    return simplify(ground(compile_away(problem).problem))


def test_what_cannot_matter_is_not_looked_at() -> None:
    """Anything could be carried around, but only the mango has to be."""
    grounding = grounded(flat("(in mango1 fridge1)", seed=1))
    carried = {o.arguments[2] for o in grounding.operators if o.name.startswith(("pick", "place"))}
    assert carried == {"mango1"}


def test_a_hand_that_is_full_has_to_be_emptied() -> None:
    problem = kitchen("(in mango1 fridge1)", seed=1)
    init = frozenset(a for a in problem.init if a[0] != "hand_free" and a[1] not in ("egg1", "book1"))
    init |= {("holding", "robot", "left", "egg1"), ("holding", "robot", "right", "knife1")}
    init -= {a for a in init if a[0] in ("on", "in") and a[1] == "knife1"}
    full = type(problem)("full", problem.domain, problem.objects, init, problem.goal, problem.functions)
    carried = {o.arguments[2] for o in grounded(full).operators if o.name.startswith("place")}
    assert carried == {"mango1", "egg1", "knife1"}


def test_only_tools_that_serve_are_fetched() -> None:
    grounding = grounded(flat("(sliced bread1)", seed=1))
    carried = {o.arguments[2] for o in grounding.operators if o.name.startswith("pick")}
    assert carried == {"bread1", "knife1", "knife2"}


def test_what_can_never_run_is_left_out() -> None:
    grounding = grounded(kitchen("(and (clean mug1) (hot bread1))", seed=1))
    assert {o.arguments[3] for o in grounding.operators if o.name == "wash"} == {"sink1"}
    assert {o.arguments[3] for o in grounding.operators if o.name == "heat"} == {"microwave1"}


def test_costs_come_from_the_functions() -> None:
    problem = kitchen("(on mug1 table1)", seed=1)
    for operator in grounded(problem).operators:
        if operator.name == "move":
            _, start, end = operator.arguments
            assert operator.cost == problem.functions["travel_cost", start, end]


DOMAIN = parse_domain("""
(define (domain doors)
  (:requirements :adl)
  (:predicates (at ?x) (way ?x ?y) (locked ?x) (key ?x) (lit))
  (:action go :parameters (?x ?y) :precondition (and (at ?x) (way ?x ?y) (not (locked ?y)) (not (= ?x ?y)))
    :effect (and (at ?y) (not (at ?x)) (when (key ?y) (lit))))
  (:action unlock :parameters (?x) :precondition (and (at ?x) (lit)) :effect (forall (?y) (not (locked ?y)))))
""")


def doors(init: str) -> GroundTask:
    text = f"(define (problem p) (:domain doors) (:objects a b c) (:init {init}) (:goal (at c)))"
    return ground(compile_away(parse_problem(text, DOMAIN)).problem)


def test_what_waits_for_a_negative_literal_runs_once_it_is_reached() -> None:
    grounding = doors("(at a) (way a a) (way a b) (way b c) (locked c) (key b)")
    assert grounding.solvable
    assert ("locked", "c") in grounding.denied
    names = [(o.name, o.arguments) for o in grounding.operators]
    assert ("go", ("b", "c")) in names
    assert ("go", ("a", "a")) not in names


def test_without_it_the_goal_is_unreachable() -> None:
    grounding = doors("(at a) (way a b) (way b c) (locked c)")
    assert grounding.unreachable == ((("at", "c"), True),)
    assert not grounding.solvable


def test_static_conditions_of_effects_are_decided() -> None:
    assert not simplify(doors("(at a) (way a b) (way b c) (locked c) (key b)")).conditional_effects


def test_more_actions_than_anybody_wants_to_look_at() -> None:
    problem = compile_away(flat("(in mango1 fridge1)", seed=1)).problem
    there_are = len(ground(problem).operators)
    assert ground(problem, most=10 * there_are) == ground(problem)
    with pytest.raises(TooManyActionsError):
        ground(problem, most=there_are // 2)
