"""Compiling and grounding change neither whether a problem can be solved nor what its best plan costs."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, event, given, settings
from random_tasks import carrying, cheapest, problems, solve_plainly

from foretree.planning.grounding.compilation import CompilationError, compile_away
from foretree.planning.pddl.parser import parse_domain, parse_problem
from foretree.planning.pddl.syntax import And, Literal, Or, Problem
from foretree.planning.semantics.actions import validate


def check(problem: Problem) -> None:
    expected = check_cost(problem)
    event("solvable" if expected else "trivial" if expected == 0 else "unsolvable")


def check_cost(problem: Problem) -> int | None:
    expected = cheapest(problem)
    found = solve_plainly(problem)
    if expected is None:
        assert found is None
    else:
        assert found is not None
        cost, steps = found
        assert cost == expected
        assert validate(problem, steps).ok
    return expected


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(problems())
def test_any_problem_keeps_its_best_cost(problem: Problem) -> None:
    check(problem)


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(carrying())
def test_dropping_excursions_keeps_the_best_cost(problem: Problem) -> None:
    check(problem)


# -- one thing at a time -----------------------------------------------------------------------------------


def lamps(actions: str, init: str, goal: str, number: int = 6) -> Problem:
    names = " ".join(f"l{i}" for i in range(number))
    domain = parse_domain(f"""
        (define (domain lamps) (:requirements :adl)
          (:types lamp) (:constants {names} - lamp)
          (:predicates (lit ?l - lamp) (red ?l - lamp) (near ?l - lamp) (done) (big ?l - lamp))
          (:action go :parameters (?a ?b - lamp) :precondition (near ?a)
            :effect (and (near ?b) (not (near ?a))))
          (:action paint :parameters (?l - lamp) :precondition (big ?l) :effect (red ?l))
          {actions})""")
    text = f"(define (problem p) (:domain lamps) (:init {init}) (:goal {goal}))"
    return parse_problem(text, domain)


LIGHT = "(:action light :parameters (?l - lamp) :precondition (near ?l) :effect (lit ?l))"
FINISH = """(:action finish :parameters () :precondition (forall (?l - lamp) (or (lit ?l) (red ?l)))
              :effect (done))"""


def judged(problem: Problem) -> bool:
    return any(name.startswith("judge-") for name in compile_away(problem).problem.domain.operators)


def test_nothing_is_done_after_the_goal_is_judged() -> None:
    """Half of the goal is judged to hold, then lost while the other half is reached."""
    spoil = "(:action spoil :parameters () :effect (and (done) (not (lit l0))))"
    goal = "(and (done) (or (lit l0) (red l0)))"
    problem = lamps(spoil, "(near l0) (lit l0)", goal)
    assert judged(problem)
    assert solve_plainly(problem) is None
    assert solve_plainly(lamps(spoil + LIGHT, "(near l0) (lit l0)", goal))[0] == 2


def test_nothing_is_done_while_a_precondition_is_judged() -> None:
    """Only one lamp is near at a time: they must not be judged one after the other on the way."""
    finish = FINISH.replace("lit ?l", "near ?l")
    problem = lamps(finish, "(near l0)", "(done)")
    assert judged(problem)
    assert solve_plainly(problem) is None
    solvable = lamps(finish, "(near l0) (red l1) (red l2) (red l3) (red l4) (red l5)", "(done)")
    assert solve_plainly(solvable)[0] == 1


def test_a_goal_is_not_judged_while_an_operator_is_under_way() -> None:
    """The operator whose precondition is being judged takes away what the goal was judged by."""
    finish = FINISH.replace("(done)", "(and (done) (not (lit l0)) (red l0) (not (red l1)))")
    lit = " ".join(f"(lit l{i})" for i in range(6))
    goal = "(and (done) (or (lit l0) (red l1)))"
    problem = lamps(finish, f"(near l0) (red l1) {lit}", goal)
    assert judged(problem)
    assert solve_plainly(problem) is None


def test_a_judged_precondition_costs_what_its_action_costs_and_can_be_judged_again() -> None:
    finish = FINISH.replace(":effect (done)", ":effect (and (when (red l0) (done)) (red l0))")
    problem = lamps(LIGHT + finish, "(near l0) (red l1) (red l2) (red l3) (red l4) (red l5)", "(done)")
    cost, steps = solve_plainly(problem)
    assert [name for name, _ in steps] == ["light", "finish", "finish"]
    assert cost == cheapest(problem) == 3


# -- counting ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("goal", "cost"),
    [
        ("(at-least 3 (?l - lamp) (lit ?l))", 3),
        ("(exactly 2 (?l - lamp) (lit ?l))", 1),
        ("(at-most 0 (?l - lamp) (lit ?l))", None),
        ("(at-least 4 (?l - lamp) (or (lit ?l) (big ?l)))", 2),
        ("(and (at-least 2 (?l - lamp) (lit ?l)) (at-most 2 (?l - lamp) (lit ?l)))", 1),
        ("(not (at-most 2 (?l - lamp) (lit ?l)))", 3),
    ],
)
def test_counts_in_goals(goal: str, cost: int | None) -> None:
    problem = lamps(LIGHT, "(near l0) (lit l3) (big l1) (big l2)", goal)
    expected = None if cost is None else cheapest(problem)
    found = solve_plainly(problem)
    assert (found and found[0]) == expected
    if found:
        assert sum(name == "light" for name, _ in found[1]) <= cost
        assert validate(problem, found[1]).ok


def test_counting_many_stays_small() -> None:
    problem = lamps(LIGHT, "(near l0)", "(exactly 15 (?l - lamp) (lit ?l))", number=30)
    compiled = compile_away(problem).problem
    assert len(compiled.domain.operators) < 4 * 15 * 16 + 10


@pytest.mark.parametrize(("number", "needed"), [(40, 4), (20, 8)])
def test_counting_grows_with_the_things_times_the_number(number: int, needed: int) -> None:
    def size(number: int, needed: int) -> int:
        goal = f"(at-least {needed} (?l - lamp) (lit ?l))"
        compiled = compile_away(lamps(LIGHT, "(near l0)", goal, number=number)).problem
        return len(compiled.domain.operators) + len(compiled.domain.predicates)

    assert size(number, needed) < 2.2 * size(20, 4)


@pytest.mark.parametrize("count", ["at-least 2", "at-least 4", "at-most 1", "exactly 2"])
@pytest.mark.parametrize("lit", [(), (3,), (1, 2, 3), (0, 1, 2, 3)])
def test_counts_cost_the_same_whichever_hold_already(count: str, lit: tuple[int, ...]) -> None:
    douse = LIGHT.replace("light", "douse").replace("(lit ?l)", "(not (lit ?l))")
    holds = " ".join(f"(lit l{i})" for i in lit)
    check_cost(lamps(LIGHT + douse, f"(near l1) {holds}", f"({count} (?l - lamp) (lit ?l))", number=4))


# -- what comes out ----------------------------------------------------------------------------------------


def test_preconditions_and_goals_are_conjunctions_of_literals() -> None:
    problem = lamps(
        LIGHT + FINISH, "(near l0)", "(exists (?l - lamp) (and (lit ?l) (forall (?m - lamp) (not (red ?m)))))"
    )
    compiled = compile_away(problem).problem
    for condition in [compiled.goal, *(o.precondition for o in compiled.domain.operators.values())]:
        assert isinstance(condition, And)
        assert all(isinstance(part, Literal) for part in condition.parts)
    assert not compile_away(problem).conditional_effects


def test_conditional_effects_are_reported_unless_they_are_settled() -> None:
    effect = "(:action flash :parameters (?l - lamp) :effect (when ({condition}) (lit ?l)))"
    assert compile_away(lamps(effect.format(condition="near ?l"), "", "(lit l0)")).conditional_effects
    assert not compile_away(lamps(effect.format(condition="= ?l ?l"), "", "(lit l0)")).conditional_effects


def test_an_effect_with_too_many_alternatives_is_refused() -> None:
    body = "(forall (?m - lamp) (or (lit ?m) (red ?m)))"
    with pytest.raises(CompilationError, match="more than 1000 alternatives"):
        compile_away(lamps(f"{LIGHT} (:action x :effect (when {body} (done)))", "", "(done)", number=12))


def test_an_impossible_goal_stays_impossible() -> None:
    problem = lamps(LIGHT, "(near l0)", "(done)")
    never = Problem("p", problem.domain, problem.objects, problem.init, Or(()))
    assert solve_plainly(never) is None


def test_what_is_too_large_is_named_with_its_action_and_its_place():
    parts = " ".join(f"(or (p{i}) (q{i}))" for i in range(11))
    names = " ".join(f"(p{i}) (q{i})" for i in range(11))
    text = f"""(define (domain d) (:predicates {names} (r))
      (:action make :effect (and {names}))
      (:action act :effect (when (and {parts}) (r))))"""
    problem = parse_problem("(define (problem p) (:domain d) (:goal (r)))", parse_domain(text, "big.pddl"))
    with pytest.raises(CompilationError, match=r"^big\.pddl:3: The action act: an effect on r depends"):
        compile_away(problem)
