from __future__ import annotations

from concurrent.futures import Future

import pytest

from foretree.planning.pddl.parser import parse_domain
from foretree.planning.pddl.syntax import And, Problem
from foretree.planning.solvers.base import Limits, Solution
from foretree.regression.planning.measured_planning import Stopwatch, improve_plan, solve_timed

PROBLEM = Problem("p", parse_domain("(define (domain d) (:predicates (a)))"), {}, frozenset(), And(()))
FIRST = Solution("solved", (("do", ()),), cost=9, seconds={"translate": 0.25, "search": 0.5})


class Answering:
    """A solver that has one answer to everything."""

    def __init__(self, answer: Solution) -> None:
        self.answer = answer
        self.limits: list[Limits] = []

    def solve(self, problem, mode="optimal", limits=None):
        self.limits.append(limits)
        return self.answer

    def improve(self, problem, limits=None, on_better=None):
        self.limits.append(limits)
        future: Future[Solution] = Future()
        future.set_result(self.answer)
        return future


def test_parts_do_not_count_what_is_counted_inside_them():
    watch = Stopwatch()
    with watch.part("whole"):
        watch.add("inside", 100.0)
    with watch.part("whole"):
        pass
    assert watch.parts["inside"] == 100.0
    assert watch.parts["whole"] == pytest.approx(-100.0, abs=1.0)
    assert watch.elapsed() >= 0


def test_the_parts_of_the_solvers_work_are_counted():
    watch = Stopwatch()
    assert solve_timed(Answering(FIRST), PROBLEM, "satisficing", 3.0, watch) is FIRST
    assert (watch.parts["translate"], watch.parts["search"]) == (0.25, 0.5)
    assert watch.parts["transfer"] == 0.0


@pytest.mark.parametrize(("seconds", "given"), [(3.0, 3.0), (-1.0, 0.0)])
def test_the_best_plan_is_what_the_solver_makes_of_it_in_the_time_that_is_left(seconds, given):
    best = Solution("solved", cost=7, lower_bound=6, why="the time was up")
    solver = Answering(best)
    assert improve_plan(solver, PROBLEM, FIRST, seconds) is best
    assert solver.limits == [Limits(seconds=given)]


def test_the_first_plan_stays_where_there_is_time_for_none():
    late = Solution("out-of-limits", seconds={"search": 0.1}, why="the time was up")
    found = improve_plan(Answering(late), PROBLEM, FIRST, 0.0)
    assert (found.steps, found.cost, found.optimal) == (FIRST.steps, 9, False)
    assert found.why == "the time was up"
