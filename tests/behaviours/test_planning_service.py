"""Which searches an agent asks for, and what of their answers it remembers."""

from __future__ import annotations

from concurrent.futures import Future

import pytest

from foretree.behaviours import planning_service
from foretree.behaviours.planning_service import PlanningService
from foretree.behaviours.settings import Settings
from foretree.planning.solvers import Limits, Mode, Solution
from foretree.planning.syntax import And, Domain, Problem
from foretree.trees.agent import read_agent

PROBLEM = Problem("any", Domain("any"), {}, frozenset(), And(()))
OUT = Solution("out-of-limits", expanded=8)


class Solver:
    """Writes down what it is asked, and answers what it is told to."""

    def __init__(self, *answers: Solution) -> None:
        self.asked: list[tuple[Mode, int | None]] = []
        self._answers = list(answers)

    def submit(self, problem: Problem, mode: Mode, limits: Limits) -> Future[Solution]:
        self.asked.append((mode, limits.expansions))
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
        ("first", [("satisficing", 20)]),
        ("good", [("good", 7), ("fair", 7), ("satisficing", 20)]),
        ("fair", [("good", 7), ("fair", 20)]),
        ("optimal", [("optimal", 20)]),
    ],
)
def test_one_search_after_the_other_until_one_finds_a_plan(use, plans, asked) -> None:
    solver = use(Solver(OUT, OUT, OUT))
    service = PlanningService(Settings(plans=plans, good_expansions=7, expansions=20))
    assert service.submit(PROBLEM).result(0).status == "out-of-limits"
    assert solver.asked == asked


def test_what_took_too_long_is_tried_again(use) -> None:
    """Otherwise what a session gets would depend on what else its process was busy with before."""
    late = Solution("out-of-limits", expanded=8, timed=True)
    solver = use(Solver(late, Solution("solved"), OUT, OUT))
    service = PlanningService(Settings(plans="fair"))
    assert service.submit(PROBLEM).result(0).timed
    assert service.submit(PROBLEM).result(0) == OUT
    assert service.submit(PROBLEM).result(0) == OUT
    assert len(solver.asked) == 4


def test_in_homes_all_searches_count() -> None:
    assert read_agent("homes").settings.plans == "fair"
