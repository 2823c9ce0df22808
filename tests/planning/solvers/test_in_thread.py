"""Solvers that can only be waited for: one problem after the other, and never for ever."""

from __future__ import annotations

import threading
from concurrent.futures import Future

import pytest

from foretree.planning.pddl.syntax import And, Domain, Problem
from foretree.planning.solvers.base import Limits, Mode, Solution, SolverError
from foretree.planning.solvers.in_thread import InThread

SOLVED = Solution("solved")
NO_LIMITS = Limits()


def problem(name: str) -> Problem:
    return Problem(name, Domain("any"), {}, frozenset(), And(()))


class Engine:
    """Answers only what it is let; keeps note of how many problems it is at."""

    def __init__(self) -> None:
        self.let = {name: threading.Event() for name in ("one", "two", "never")}
        self.at, self.most = 0, 0

    def solve(self, problem: Problem, mode: Mode = "optimal", limits: Limits = NO_LIMITS) -> Solution:
        self.at += 1
        self.most = max(self.most, self.at)
        self.let[problem.name].wait()
        self.at -= 1
        if problem.name == "two":
            raise SolverError("it cannot take this")
        return SOLVED


def ask(aside: InThread, name: str, seconds: float | None = None) -> Future[Solution]:
    return aside.submit(problem(name), "good", Limits(seconds=seconds))


def test_it_answers_or_raises_what_the_engine_does_one_after_the_other():
    engine = Engine()
    aside = InThread(engine)
    one, two = ask(aside, "one"), ask(aside, "two")
    assert not one.done()
    for event in engine.let.values():
        event.set()
    assert one.result(120) == SOLVED
    with pytest.raises(SolverError, match="cannot take"):
        two.result(120)
    assert engine.most == 1


def test_an_engine_that_never_answers_is_not_waited_for_and_neither_is_what_comes_behind_it():
    aside = InThread(Engine(), patience=0.05)
    for name in ("never", "one"):
        answer = ask(aside, name).result(120)
        assert (answer.status, answer.timed) == ("out-of-limits", True)
        assert answer.why == "The planner did not answer within 0.05 s."


def test_what_is_cancelled_is_not_begun():
    engine = Engine()
    aside = InThread(engine)
    one, two = ask(aside, "one"), ask(aside, "two")
    assert two.cancel()
    engine.let["one"].set()
    assert one.result(120) == SOLVED
    ask(aside, "one").result(120)
    assert engine.most == 1, "had it been begun, it would never have ended"
