"""Which searches an agent asks for, and what of their answers it remembers."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import replace

import pytest

from foretree.agent import planning_service
from foretree.agent.agent_file import read_agent
from foretree.agent.planning_service import PlanningService
from foretree.agent.settings import Settings
from foretree.planning.pddl.syntax import And, Domain, Or, Problem
from foretree.planning.solvers.base import Limits, Mode, Solution

PROBLEM = Problem("any", Domain("any"), {}, frozenset(), And(()))
OUT, SOLVED, UNSOLVABLE = (
    Solution("out-of-limits", expanded=8),
    Solution("solved", expanded=8),
    Solution("unsolvable", expanded=8),
)


class Solver:
    """Writes down what it is asked, and answers what it is told to."""

    def __init__(self, *answers: Solution) -> None:
        self.asked: list[tuple[Mode, int | None]] = []
        self.soon: list[int | None] = []
        self._answers = list(answers)

    def submit(self, problem: Problem, mode: Mode, limits: Limits) -> Future[Solution]:
        self.asked.append((mode, limits.expansions))
        self.soon.append(limits.soon)
        answer: Future[Solution] = Future()
        answer.set_result(self._answers.pop(0))
        return answer


@pytest.fixture
def use(monkeypatch):
    def to_be_used(solver: Solver) -> Solver:
        monkeypatch.setattr(planning_service, "find_solver", lambda name: solver)
        return solver

    return to_be_used


@pytest.mark.parametrize(
    ("plans", "asked"),
    [
        ("first", ("satisficing", 20)),
        ("good", ("good", 20)),
        ("fair", ("fair", 20)),
        ("optimal", ("optimal", 20)),
    ],
)
def test_the_solver_is_asked_once_for_what_is_wanted_and_how_far_is_soon(use, plans, asked) -> None:
    solver = use(Solver(OUT, OUT, OUT))
    service = PlanningService(Settings(plans=plans, good_expansions=7, expansions=20))
    assert service.submit(PROBLEM).result(0).status == "out-of-limits"
    assert solver.asked == [asked]
    assert solver.soon == [7]


def test_what_took_too_long_is_tried_again(use) -> None:
    """Otherwise what a session gets would depend on what else its process was busy with before."""
    late = Solution("out-of-limits", expanded=8, timed=True)
    solver = use(Solver(late, OUT))
    service = PlanningService(Settings(plans="fair"))
    assert service.submit(PROBLEM).result(0).timed
    assert service.submit(PROBLEM).result(0) == OUT
    assert service.submit(PROBLEM).result(0) == OUT
    assert len(solver.asked) == 2


def _later(number: int, things: int = 8) -> Problem:
    """The same task, of which a little more is known."""
    return replace(PROBLEM, objects={f"thing{number + each}": "thing" for each in range(things)})


def _asked(service: PlanningService, problem: Problem) -> Solution:
    solution = service.submit(problem).result(0)
    service.learn(problem, solution)
    return solution


@pytest.fixture
def searched(use):
    """What is searched for problems one after the other, by what comes of it."""

    def search(*answers: Solution) -> list[int | None]:
        solver = use(Solver(*answers))
        service = PlanningService(Settings(plans="first", good_expansions=80, expansions=100))
        for number in range(len(answers)):
            _asked(service, _later(number))
        return [expansions for _, expansions in solver.asked]

    return search


def test_what_was_searched_for_in_vain_is_searched_for_less_and_less(searched) -> None:
    assert searched(*[OUT] * 6) == [100, 50, 25, 12, 10, 10]


def test_a_plan_makes_patient_again_and_a_proof_that_there_is_none_does_not(searched) -> None:
    assert searched(OUT, OUT, SOLVED, OUT) == [100, 50, 25, 100]
    assert searched(OUT, OUT, UNSOLVABLE, OUT) == [100, 50, 25, 25]


def test_what_time_ended_says_nothing_of_the_goal(searched) -> None:
    assert searched(replace(OUT, timed=True), OUT) == [100, 100]


def test_the_very_same_problem_is_not_searched_again(use) -> None:
    solver = use(Solver(OUT, OUT))
    service = PlanningService(Settings(plans="first", expansions=100, good_expansions=8))
    for _ in range(3):
        assert _asked(service, _later(0)) == OUT
    assert len(solver.asked) == 1
    _asked(service, _later(1))
    assert [expansions for _, expansions in solver.asked] == [100, 50]


def test_where_only_the_best_plan_will_do_nothing_is_shortened(use) -> None:
    solver = use(Solver(OUT, OUT))
    service = PlanningService(Settings(plans="optimal", expansions=100, good_expansions=8))
    for number in range(2):
        _asked(service, _later(number))
    assert [expansions for _, expansions in solver.asked] == [100, 100]


def test_other_goals_have_nothing_to_do_with_it(use) -> None:
    solver = use(Solver(OUT, OUT))
    service = PlanningService(Settings(plans="first", expansions=100, good_expansions=8))
    for goal in (PROBLEM.goal, Or(())):
        _asked(service, replace(PROBLEM, goal=goal))
    assert [expansions for _, expansions in solver.asked] == [100, 100]


def test_a_smaller_form_of_a_problem_is_searched_as_long_as_ever(use) -> None:
    solver = use(Solver(OUT, UNSOLVABLE, OUT))
    service = PlanningService(Settings(plans="first", expansions=100, good_expansions=8))
    _asked(service, _later(0))
    service.submit(_later(1, things=3))
    service.submit(_later(1))
    assert [expansions for _, expansions in solver.asked] == [100, 100, 50]


def test_what_nobody_waits_for_any_more_teaches_nothing(use) -> None:
    solver = use(Solver(OUT, OUT))
    service = PlanningService(Settings(plans="first", expansions=100, good_expansions=8))
    for number in range(2):
        service.submit(_later(number))
    assert [expansions for _, expansions in solver.asked] == [100, 100]


def test_in_homes_all_searches_count() -> None:
    assert read_agent("homes").settings.plans == "fair"
