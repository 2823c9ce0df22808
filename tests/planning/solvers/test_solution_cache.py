"""What planners answered before."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import replace

import pytest
from households import kitchen

from foretree.planning.pddl.syntax import Problem
from foretree.planning.solvers.base import Solution
from foretree.planning.solvers.solution_cache import SolutionCache


class Planner:
    """Takes down what it is asked, and answers when told to."""

    def __init__(self) -> None:
        self.asked: list[tuple[Problem, Future[Solution]]] = []

    def submit(self, problem: Problem) -> Future[Solution]:
        self.asked.append((problem, Future()))
        return self.asked[-1][1]

    def answer(self, solution: Solution) -> None:
        self.asked[-1][1].set_result(solution)


def test_nobody_is_asked_twice() -> None:
    answers, planner = SolutionCache(), Planner()
    first = answers.ask(kitchen("(sliced apple1)"), planner.submit)
    planner.answer(Solution("unsolvable", why="no knife"))
    again = answers.ask(kitchen("(sliced apple1)"), planner.submit)
    assert again.result(0) is first.result(0)
    assert len(planner.asked) == 1


@pytest.mark.parametrize(
    "other",
    [
        kitchen("(sliced mango1)"),
        kitchen("(sliced apple1)", seed=1),
        replace(kitchen("(sliced apple1)"), functions={("travel_cost", "room1", "sink1"): 1000}),
    ],
)
def test_another_problem_is_another_matter(other: Problem) -> None:
    answers, planner = SolutionCache(), Planner()
    answers.ask(kitchen("(sliced apple1)"), planner.submit)
    planner.answer(Solution("solved"))
    assert not answers.ask(other, planner.submit).done()
    assert planner.asked[1][0] is other


def test_what_was_asked_first_is_forgotten_when_all_begin_with_too_many_facts() -> None:
    problems = [kitchen(goal) for goal in ("(sliced apple1)", "(sliced mango1)", "(clean mug1)")]
    answers, planner = SolutionCache(most_facts=2 * len(problems[0].init)), Planner()
    for problem in [*problems, problems[2]]:
        known = answers.ask(problem, planner.submit).done()
        planner.answer(Solution("solved")) if not known else None
    assert len(planner.asked) == 3
    assert answers.ask(problems[1], planner.submit).done()
    assert not answers.ask(problems[0], planner.submit).done()


def test_what_was_not_answered_is_asked_again() -> None:
    answers, planner = SolutionCache(), Planner()
    problem = kitchen("(sliced apple1)")
    answers.ask(problem, planner.submit).cancel()
    answers.ask(problem, planner.submit)
    planner.asked[-1][1].set_exception(OSError("gone"))
    assert not answers.ask(problem, planner.submit).done()
    assert len(planner.asked) == 3


def test_only_the_last_ones_are_remembered() -> None:
    answers, planner = SolutionCache(most=2), Planner()
    problems = [kitchen(f"(clean {name})") for name in ("mug1", "mug2", "plate1")]
    for problem in problems:
        answers.ask(problem, planner.submit)
        planner.answer(Solution("solved"))
    assert answers.ask(problems[1], planner.submit).done()
    assert answers.ask(problems[2], planner.submit).done()
    assert not answers.ask(problems[0], planner.submit).done()


def test_what_the_clock_ended_is_not_remembered() -> None:
    answers, planner = SolutionCache(), Planner()
    problem = kitchen("(sliced apple1)")
    answers.ask(problem, planner.submit)
    planner.answer(Solution("out-of-limits", timed=True))
    assert not answers.ask(problem, planner.submit).done()
