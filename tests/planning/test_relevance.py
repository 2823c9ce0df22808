"""What matters for a goal: each condition of the proof in the module, by a problem that needs it."""

from __future__ import annotations

from random_tasks import cheapest, solve_plainly

from foretree.planning.compilation import compile_away
from foretree.planning.parser import parse_domain, parse_problem
from foretree.planning.relevance import relevant_templates
from foretree.planning.syntax import Problem


def problem(actions: str, init: str, goal: str) -> Problem:
    domain = parse_domain(f"""
        (define (domain hands) (:requirements :adl) (:constants x y z)
          (:predicates (free) (holding ?i) (loose ?i) (lifted ?i) (ok ?i) (late) (warm) (done ?i) (calm))
          (:action grab :parameters (?i) :precondition (and (free) (loose ?i))
            :effect (and (holding ?i) (not (free)) (not (loose ?i))))
          {actions})""")
    text = f"(define (problem p) (:domain hands) (:init {init}) (:goal {goal}))"
    return parse_problem(text, domain)


DROP = """(:action drop :parameters (?i) :precondition (holding ?i)
            :effect (and (free) (loose ?i) (not (holding ?i))))"""


def check(task: Problem, cost: int | None) -> None:
    assert cheapest(task) == cost
    found = solve_plainly(task)
    assert (None if found is None else found[0]) == cost


def test_a_hand_that_was_filled_for_a_purpose_is_emptied() -> None:
    """Filling it matters for another reason than holding, so emptying it matters as well."""
    lift = """(:action lift :parameters (?i) :precondition (and (free) (loose ?i))
                :effect (and (holding ?i) (lifted ?i) (not (free)) (not (loose ?i))))"""
    check(problem(DROP + lift, "(free) (loose x)", "(and (lifted x) (free))"), 2)


def test_a_hand_that_is_full_from_the_start_is_emptied() -> None:
    check(problem(DROP, "(holding x)", "(free)"), 1)


def test_something_that_takes_the_hand_without_needing_it() -> None:
    """Condition C: with something in the hand, the shock does no harm."""
    shock = """(:action shock :parameters () :precondition (calm)
                 :effect (and (done x) (not (free)) (not (calm))))"""
    check(problem(DROP + shock, "(free) (loose y) (calm)", "(and (done x) (free))"), 3)


def test_a_hand_that_is_free_and_full_at_once() -> None:
    """Condition D: by grabbing z, the robot saves the freedom that it could not use twice."""
    more = """(:action drop :parameters (?i) :precondition (and (holding ?i) (ok ?i))
                :effect (and (free) (not (holding ?i))))
              (:action wait :parameters () :effect (and (late) (not (ok x))))
              (:action use :parameters (?i) :precondition (and (free) (late) (loose ?i))
                :effect (and (done ?i) (not (free))))"""
    init = "(free) (holding x) (ok x) (ok z) (loose z) (loose y) (loose x)"
    check(problem(more, init, "(and (done x) (done y))"), 6)


def test_what_a_condition_depends_on_matters_either_way() -> None:
    """Cooling matters only because the heat would take the calm away."""
    more = """(:action cool :parameters () :effect (not (warm)))
              (:action act :parameters () :effect (and (done x) (when (warm) (not (calm)))))"""
    check(problem(more, "(warm) (calm)", "(and (done x) (calm))"), 2)


def test_two_parameters_that_are_the_same_object() -> None:
    odd = """(:action odd :parameters (?i ?j) :precondition (and (holding ?i) (not (holding ?j)) (ok ?j))
               :effect (done ?i))"""
    check(problem(odd, "(holding x) (ok x)", "(done x)"), None)
    check(problem(odd, "(holding x) (ok y)", "(done x)"), 1)


def test_what_nobody_does_need_not_be_undone() -> None:
    """Switching on would matter only in order to switch off; what hangs on it matters no more."""
    more = """(:action heat :parameters (?i) :precondition (holding ?i) :effect (warm))
              (:action cool :parameters () :precondition (warm) :effect (not (warm)))
              (:action act :parameters () :precondition (not (warm)) :effect (late))"""
    task = problem(DROP + more, "(free) (loose x) (loose y)", "(late)")
    check(task, 1)
    assert {t.operator for t in relevant_templates(compile_away(task).problem)} == {"act"}


def test_what_is_so_from_the_start_is_undone() -> None:
    more = """(:action cool :parameters () :precondition (warm) :effect (not (warm)))
              (:action act :parameters () :precondition (not (warm)) :effect (late))"""
    check(problem(more, "(warm)", "(late)"), 2)


def test_what_is_done_for_another_reason_is_undone() -> None:
    more = """(:action heat :parameters (?i) :precondition (loose ?i) :effect (and (warm) (done ?i)))
              (:action cool :parameters () :precondition (warm) :effect (not (warm)))
              (:action act :parameters () :precondition (not (warm)) :effect (late))"""
    check(problem(more, "(loose x)", "(and (done x) (late) (not (warm)))"), 3)
    check(problem(more, "(loose x) (calm)", "(and (done x) (not (warm)))"), 2)
