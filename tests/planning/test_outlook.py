"""A quick proof that a goal is out of reach: right whenever it says so, and it says so where it matters."""

from __future__ import annotations

from dataclasses import replace

import pytest
from households import kitchen
from hypothesis import given, settings
from random_tasks import cheapest, problems

from foretree.planning.outlook import out_of_reach
from foretree.planning.syntax import And, Count, Exists, Literal, Or, Problem, Typed


def without(problem: Problem, *words: str) -> Problem:
    """The problem without the facts that contain all the words."""
    return replace(problem, init=frozenset(a for a in problem.init if not set(words) <= set(a)))


@given(problem=problems())
@settings(max_examples=150)
def test_what_is_out_of_reach_has_no_plan(problem: Problem) -> None:
    if out_of_reach(problem):
        assert cheapest(problem) is None


@pytest.mark.parametrize(
    "goal",
    ["(in mango1 fridge1)", "(and (sliced apple1) (on mug1 table1))", "(clean mug1)", "(not (clean mug1))"],
)
def test_what_can_be_reached_is_not_out_of_reach(goal: str) -> None:
    assert not out_of_reach(kitchen(goal, seed=3))


def test_a_thing_that_is_nowhere_is_out_of_reach() -> None:
    problem = kitchen("(in mango1 fridge1)", seed=3)
    for place in ("on", "in"):
        problem = without(problem, place, "mango1")
    assert out_of_reach(problem)
    elsewhere = Literal(("clean", "mug1"))
    assert not out_of_reach(replace(problem, goal=elsewhere))
    assert out_of_reach(replace(problem, goal=And((elsewhere, problem.goal))))
    assert not out_of_reach(replace(problem, goal=Or((elsewhere, problem.goal))))


def test_without_a_tool_what_takes_one_is_out_of_reach() -> None:
    assert out_of_reach(without(kitchen("(sliced apple1)"), "blade"))


def test_of_what_is_only_quantified_over_any_thing_will_do() -> None:
    problem = kitchen("(clean mug1)")
    mug = Typed("?m", problem.objects["mug1"])
    clean = Literal(("clean", "?m"))
    assert not out_of_reach(replace(problem, goal=Exists((mug,), clean)))
    dirty = without(problem, "washes")
    dirty = replace(dirty, init=frozenset(a for a in dirty.init if a[0] != "clean"))
    assert out_of_reach(replace(dirty, goal=Exists((mug,), clean)))
    assert out_of_reach(replace(dirty, goal=Count(mug, clean, 1)))
    assert not out_of_reach(replace(dirty, goal=Count(mug, clean, 0, 0)))
