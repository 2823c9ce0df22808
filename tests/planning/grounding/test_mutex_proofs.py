"""Goals that can never be are refused without a search, and others are not."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_tasks import carrying, cheapest, reachable_states

from foretree.planning.grounding.compilation import compile_away
from foretree.planning.grounding.mutex_proofs import explain_cyclic_goal
from foretree.planning.pddl.parser import parse_domain, parse_problem
from foretree.planning.pddl.syntax import And, Literal, Problem
from foretree.planning.semantics.actions import TypedObjects
from foretree.planning.semantics.evaluation import evaluate, state_oracle
from foretree.world_model.beliefs.facts import Atom, Truth

BOXES = parse_domain("""
(define (domain boxes) (:requirements :typing :equality :negative-preconditions)
  (:types item table)
  (:predicates (holding ?i - item) (free) (on ?i - item ?t - table) (in ?i ?j - item) (tied ?i ?j - item))
  (:action take :parameters (?i - item ?t - table) :precondition (and (free) (on ?i ?t))
    :effect (and (holding ?i) (not (free)) (not (on ?i ?t))))
  (:action put :parameters (?i - item ?t - table) :precondition (holding ?i)
    :effect (and (free) (not (holding ?i)) (on ?i ?t)))
  (:action pack :parameters (?i ?j - item ?t - table) :precondition (and (holding ?i) (on ?j ?t))
    :effect (and (free) (not (holding ?i)) (in ?i ?j)))
  (:action unpack :parameters (?i ?j - item ?t - table) :precondition (and (free) (in ?i ?j) (on ?j ?t))
    :effect (and (holding ?i) (not (free)) (not (in ?i ?j))))
  (:action tie :parameters (?i ?j - item) :precondition (not (= ?i ?j)) :effect (tied ?i ?j)))
""")


def boxes(goal: str, init: str = "") -> Problem:
    text = f"""(define (problem p) (:domain boxes) (:objects a b c - item t - table)
               (:init (free) (on a t) (on b t) (on c t) {init}) (:goal {goal}))"""
    return parse_problem(text, BOXES)


def why(problem: Problem) -> str | None:
    return explain_cyclic_goal(compile_away(problem).problem)


@pytest.mark.parametrize("goal", ["(in a a)", "(and (on b t) (in a a))", "(tied a a)"])
def test_a_thing_in_itself_is_refused(goal: str) -> None:
    assert "a a) can never be: no action brings a into this relation to itself." in (why(boxes(goal)) or "")


@pytest.mark.parametrize("goal", ["(and (in a b) (in b a))", "(and (in a b) (in c a) (in b c))"])
def test_things_in_a_ring_are_refused(goal: str) -> None:
    reason = why(boxes(goal)) or ""
    assert "can never be together" in reason
    assert all(f"(in {pair})" in reason for pair in (["a b", "b a"] if "c" not in goal else ["a b", "b c"]))


@pytest.mark.parametrize(
    "goal", ["(in a b)", "(and (in a b) (on b t))", "(and (tied a b) (tied b a))", "(and (in a b) (in c b))"]
)
def test_what_can_be_is_not_refused(goal: str) -> None:
    problem = boxes(goal)
    assert why(problem) is None
    assert cheapest(problem) is not None


def test_what_is_so_already_is_not_refused() -> None:
    problem = boxes("(tied a a)", "(tied a a)")
    assert why(problem) is None


@cache
def everything(init: frozenset[Atom]) -> set[frozenset[Atom]]:
    """All states that can be reached from there: the same few beginnings come again and again."""
    return reachable_states(replace(boxes("(free)"), init=init), most=20_000)


_NAMES = st.sampled_from(["a", "b", "c"])
_PARTS = st.builds(lambda p, x, y: Literal((p, x, y)), st.sampled_from(["in", "tied"]), _NAMES, _NAMES)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(goal=st.lists(_PARTS, min_size=1, max_size=3), held=st.lists(_PARTS, max_size=1))
def test_what_is_refused_has_no_plan(goal: list[Literal], held: list[Literal]) -> None:
    problem = boxes("(free)")
    init = problem.init | {part.atom for part in held}
    problem = replace(problem, init=init, goal=And(tuple(goal)))
    if why(problem) is not None:
        objects = TypedObjects(problem.domain, problem.objects)
        assert not any(
            evaluate(problem.goal, state_oracle(state), objects) is Truth.TRUE for state in everything(init)
        )


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(problem=carrying())
def test_a_goal_without_a_ring_is_left_to_the_search(problem: Problem) -> None:
    assert why(problem) is None
