"""Attempts in turn: one future for all of them."""

from __future__ import annotations

from concurrent.futures import CancelledError, Future
from dataclasses import replace

import pytest

from foretree.planning.solvers.base import Solution
from foretree.planning.solvers.fallback import Fallback, solve_with_fallbacks

SOLVED, NONE = Solution("solved", cost=3), Solution("unsolvable")


def enough(solution):
    return solution.status == "solved"


def attempts(count, **more):
    futures = [Future() for _ in range(count)]
    begun = []

    def begin(number):
        begun.append(number)
        return futures[number]

    return futures, begun, [Fallback(lambda n=n: begin(n), **more) for n in range(count)]


def test_the_first_that_is_enough_is_the_answer():
    futures, begun, tries = attempts(3)
    answer = solve_with_fallbacks(tries, enough)
    assert begun == [0]
    futures[0].set_result(NONE)
    assert begun == [0, 1]
    assert not answer.done()
    futures[1].set_result(SOLVED)
    assert answer.result() is SOLVED
    assert begun == [0, 1]


def test_the_last_answer_counts_when_none_is_enough():
    futures, _, tries = attempts(2)
    answer = solve_with_fallbacks(tries, enough)
    for future in futures:
        future.set_result(NONE)
    assert answer.result() is NONE


def test_each_solution_is_turned_into_one_of_what_was_asked_for():
    futures, _, tries = attempts(1, then=lambda solution: replace(solution, cost=7))
    answer = solve_with_fallbacks(tries, enough)
    futures[0].set_result(SOLVED)
    assert answer.result().cost == 7


def test_cancelling_ends_the_attempt_that_runs_and_no_other_begins():
    futures, begun, tries = attempts(3)
    answer = solve_with_fallbacks(tries, enough)
    futures[0].set_result(NONE)
    assert answer.cancel()
    assert futures[1].cancelled()
    assert begun == [0, 1]


def test_an_attempt_that_is_cancelled_or_breaks_ends_all():
    futures, _, tries = attempts(2)
    answer = solve_with_fallbacks(tries, enough)
    futures[0].cancel()
    with pytest.raises(CancelledError):
        answer.result()
    futures, _, tries = attempts(2)
    answer = solve_with_fallbacks(tries, enough)
    futures[0].set_exception(RuntimeError("broken"))
    with pytest.raises(RuntimeError, match="broken"):
        answer.result()


def test_a_solution_that_cannot_be_turned_back_is_an_error():
    def then(solution):
        raise ValueError("no way")

    futures, _, tries = attempts(1, then=then)
    answer = solve_with_fallbacks(tries, enough)
    futures[0].set_result(SOLVED)
    with pytest.raises(ValueError, match="no way"):
        answer.result()


def test_what_follows_on_an_attempt_that_the_clock_ended_depends_on_the_clock():
    futures, _, tries = attempts(2)
    answer = solve_with_fallbacks(tries, enough)
    futures[0].set_result(Solution("out-of-limits", timed=True))
    futures[1].set_result(SOLVED)
    assert answer.result() == replace(SOLVED, timed=True)
