"""Which of many things a goal takes that asks for some of them."""

from __future__ import annotations

import os
from contextlib import nullcontext
from typing import Any

import pytest
from households import FLAT, household

from foretree.planning.pddl.parser import parse_domain, parse_problem
from foretree.planning.pddl.syntax import Problem, constants_of
from foretree.planning.semantics.actions import validate
from foretree.planning.solvers.base import Limits, Mode, Solution
from foretree.planning.solvers.fast_downward import _solve_request as solving
from foretree.planning.solvers.fast_downward._task_preparation import Surroundings
from foretree.planning.solvers.fast_downward._worker_messages import SolveRequest
from foretree.planning.solvers.fast_downward.solver import find_binary
from foretree.planning.task.goals import parse_goal
from foretree.planning.task.instance_choice import InstanceChoice, find_instance_choice
from foretree.planning.work_limit import TooMuchWorkError, WorkLimit

#: So many that a search does not choose among their things by itself.
_SHOPS = 12

SHOPS = """(define (domain shops) (:requirements :typing :action-costs) (:types thing shop)
  (:predicates (at ?s - shop) (sells ?s - shop ?t - thing) (have ?t - thing) (whole ?t - thing))
  (:functions (total-cost) (way ?a ?b - shop))
  (:action go :parameters (?a ?b - shop) :precondition (at ?a)
    :effect (and (at ?b) (not (at ?a)) (increase (total-cost) (way ?a ?b))))
  (:action buy :parameters (?s - shop ?t - thing) :precondition (and (at ?s) (sells ?s ?t) (whole ?t))
    :effect (and (have ?t) (increase (total-cost) 1))))"""


def shopping(goal: str, *, broken: tuple[str, ...] = (), have: tuple[str, ...] = ()) -> Problem:
    """Four things are sold in each shop; from home it is as far as the number of the shop says."""
    shops = [f"s{number}" for number in range(_SHOPS)]
    things = [f"t{number}{letter}" for number in range(_SHOPS) for letter in "abcd"]
    facts = ["(at home)", *(f"(sells s{name[1:-1]} {name})" for name in things)]
    facts += [f"(whole {name})" for name in things if name not in broken] + [
        f"(have {name})" for name in have
    ]
    ways = [f"(= (way {a} {b}) {10 * (1 + max(int(a[1:]), int(b[1:])))})" for a in shops for b in shops]
    ways += [f"(= (way home {shop}) {10 * (1 + int(shop[1:]))})" for shop in shops]
    ways += [f"(= (way {shop} home) 1000)" for shop in shops]
    ways += ["(= (way home home) 0)"]
    text = (
        f"(define (problem p) (:domain shops) (:objects home {' '.join(shops)} - shop {' '.join(things)} - thing)"
        f"(:init {' '.join(facts + ways)}) (:goal {goal}) (:metric minimize (total-cost)))"
    )
    return parse_problem(text, parse_domain(SHOPS))


def chosen(problem: Problem) -> set[str]:
    count = find_instance_choice(problem)
    assert count is not None
    smaller = InstanceChoice(problem, count, WorkLimit(1_000_000)).problem()
    assert smaller is not None
    return set(constants_of(smaller.goal))


def solve(problem: Problem, mode: Mode = "good") -> Solution:
    reading, writing = os.pipe()
    try:
        around = Surroundings(lambda _: nullcontext(), reading, lambda: False, lambda _: None)
        limits = Limits(expansions=200_000, soon=1_000)
        return solving.solve(SolveRequest(1, problem, mode, limits, str(find_binary())), around)
    finally:
        os.close(reading)
        os.close(writing)


# -- choosing ----------------------------------------------------------------------------------------------


def test_things_at_one_place_share_the_way() -> None:
    """The sixth thing of the first two shops costs less than the first one of any other."""
    assert chosen(shopping("(at-least 3 (?t - thing) (have ?t))")) <= {f"t0{letter}" for letter in "abcd"}
    assert {name[1:-1] for name in chosen(shopping("(at-least 6 (?t - thing) (have ?t))"))} == {"0", "1"}


def test_what_is_so_already_is_taken_first() -> None:
    assert chosen(shopping("(at-least 4 (?t - thing) (have ?t))", have=("t9a", "t7b"))) > {"t9a", "t7b"}


def test_what_can_never_be_so_is_not_taken() -> None:
    near = tuple(f"t0{letter}" for letter in "abcd")
    goal = "(at-least 3 (?t - thing) (have ?t))"
    assert {name[1:-1] for name in chosen(shopping(goal, broken=near))} == {"1"}
    goal = "(at-least 3 (?t - thing) (and (have ?t) (whole ?t)))"
    assert {name[1:-1] for name in chosen(shopping(goal, broken=near, have=near))} == {"1"}


def test_what_the_rest_of_the_goal_takes_costs_nothing_more() -> None:
    problem = shopping("(and (have t5a) (at-least 3 (?t - thing) (have ?t)))")
    assert {name[1:-1] for name in chosen(problem)} == {"5"}


def test_where_there_are_too_few_nothing_is_chosen() -> None:
    problem = shopping("(at-least 46 (?t - thing) (have ?t))", broken=("t0a", "t1a", "t2a"))
    count = find_instance_choice(problem)
    if count is not None:
        assert InstanceChoice(problem, count, WorkLimit(1_000_000)).problem() is None
    assert solve(problem).status == "unsolvable"


def test_choosing_counts_its_work() -> None:
    problem = shopping("(at-least 3 (?t - thing) (have ?t))")
    count = find_instance_choice(problem)
    assert count is not None
    with pytest.raises(TooMuchWorkError):
        InstanceChoice(problem, count, WorkLimit(50))


@pytest.mark.parametrize(
    "goal",
    [
        "(exists (?t - thing) (have ?t))",
        "(at-least 2 (?t - thing) (have ?t))",
        "(exactly 3 (?t - thing) (have ?t))",
        "(at-most 3 (?t - thing) (have ?t))",
        "(and (at-least 3 (?t - thing) (have ?t)) (at-least 4 (?t - thing) (whole ?t)))",
        "(at-least 3 (?t - thing) (or (have ?t) (whole ?t)))",
        "(forall (?t - thing) (have ?t))",
    ],
)
def test_other_goals_are_left_to_the_search(goal: str) -> None:
    assert find_instance_choice(shopping(goal)) is None


# -- planning with it --------------------------------------------------------------------------------------


def mugs(goal: str, seed: int) -> Problem:
    return household(FLAT, [f"mug{number}" for number in range(54)], goal, seed=seed, rooms=6)


@pytest.mark.parametrize(
    "goal",
    [
        "(at-least 3 (?i - item) (and (fillable ?i) (in ?i dishwasher1)))",
        "(at-least 4 (?i - item) (and (clean ?i) (on ?i bed1)))",
    ],
)
def test_plans_with_chosen_things_cost_hardly_more_than_those_found_among_all(monkeypatch, goal) -> None:
    """The first goal takes 45 instead of 44, the second one 287 instead of 458."""
    problems = [mugs(goal, seed) for seed in range(3)]
    found = [solve(problem) for problem in problems]
    monkeypatch.setattr(solving, "find_instance_choice", lambda problem: None)
    among_all = [solve(problem) for problem in problems]
    for problem, solution in zip(problems, found, strict=True):
        assert validate(problem, solution.steps).ok
        assert (solution.optimal, solution.lower_bound) == (False, 0)
    assert sum(solution.cost for solution in found) <= 1.1 * sum(solution.cost for solution in among_all)


def test_the_search_is_given_only_what_was_chosen(monkeypatch) -> None:
    sizes: list[int] = []

    def search(*arguments: Any) -> Any:
        sizes.append(len(arguments[2]))
        return solving_search(*arguments)

    solving_search = solving.search
    monkeypatch.setattr(solving, "search", search)

    def largest(number: int) -> int:
        sizes.clear()
        goal = "(at-least 3 (?i - item) (and (clean ?i) (on ?i bed1)))"
        problem = household(FLAT, [f"mug{i}" for i in range(number)], goal, rooms=6)
        assert validate(problem, solve(problem).steps).ok
        return max(sizes)

    assert largest(160) < 1.2 * largest(54)


def test_where_what_was_chosen_leads_nowhere_all_is_searched(monkeypatch) -> None:
    problem = shopping("(at-least 3 (?t - thing) (have ?t))")
    nowhere = shopping("(have t0a)", broken=("t0a",))
    monkeypatch.setattr(InstanceChoice, "problem", lambda self: nowhere)
    solution = solve(problem)
    assert validate(problem, solution.steps).ok


def test_an_optimal_plan_is_searched_for_among_all(monkeypatch) -> None:
    def refuse(*arguments: Any) -> None:
        raise AssertionError("nothing may be left out here")

    monkeypatch.setattr(solving, "InstanceChoice", refuse)
    problem = shopping("(at-least 3 (?t - thing) (have ?t))", have=("t9a", "t9b"))
    solution = solve(problem, "optimal")
    assert (solution.cost, solution.optimal) == (11, True)


def test_goals_read_as_people_write_them_are_chosen_for_too() -> None:
    problem = shopping("(have t0a)")
    goal = parse_goal("(at-least 3 (?t - thing) (have ?t))", problem.domain, problem.objects).formula
    assert find_instance_choice(Problem("p", problem.domain, problem.objects, problem.init, goal)) is not None
