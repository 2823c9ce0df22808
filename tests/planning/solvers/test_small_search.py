"""The search of small tasks, against exhaustive search, and where it leaves a task to others."""

from __future__ import annotations

from hypothesis import given, settings
from random_tasks import carrying, cheapest, problems

from foretree.planning.grounding.compilation import compile_away
from foretree.planning.grounding.grounding import ground
from foretree.planning.grounding.simplification import simplify
from foretree.planning.pddl.syntax import Problem
from foretree.planning.semantics.actions import validate
from foretree.planning.solvers.fast_downward._search_task import GroundedTask
from foretree.planning.solvers.finite_domain import small_search
from foretree.planning.solvers.finite_domain.small_search import search_small
from foretree.planning.solvers.finite_domain.task import FiniteDomainTask, SasEffect, SasOperator


def corridor(length: int) -> FiniteDomainTask:
    """A robot that can walk from each of so many cells to the next, and is to get to the last one."""
    operators = tuple(
        SasOperator(cell, {0: cell}, (SasEffect(0, cell + 1),), 1) for cell in range(length - 1)
    )
    return FiniteDomainTask(
        (tuple(f"cell{cell}" for cell in range(length)),), (None,), (), (0,), {0: length - 1}, operators
    )


def check(problem: Problem) -> None:
    compiled = compile_away(problem)
    grounding = ground(compiled.problem)
    if not grounding.solvable:
        return
    task = GroundedTask.of(compiled, simplify(grounding))
    found, expected = search_small(task.task), cheapest(problem)
    if found is None:
        return
    if expected is None:
        assert found.status == "unsolvable"
    else:
        assert (found.status, found.cost, found.lower_bound, found.proved) == (
            "solved",
            expected,
            expected,
            True,
        )
        assert validate(problem, task.steps(found.operators)).ok


@settings(max_examples=60, deadline=None)
@given(problem=problems())
def test_it_finds_what_exhaustive_search_finds(problem: Problem) -> None:
    check(problem)


@settings(max_examples=60, deadline=None)
@given(problem=carrying())
def test_the_same_where_things_are_carried(problem: Problem) -> None:
    check(problem)


def test_the_cheapest_way_comes_before_the_one_of_fewest_steps() -> None:
    operators = (
        SasOperator(0, {0: 0}, (SasEffect(0, 2),), 9),
        SasOperator(1, {0: 0}, (SasEffect(0, 1),), 1),
        SasOperator(2, {0: 1}, (SasEffect(0, 2),), 1),
    )
    task = FiniteDomainTask((("a", "b", "c"),), (None,), (), (0,), {0: 2}, operators)
    found = search_small(task)
    assert found is not None
    assert (found.operators, found.cost) == ((1, 2), 2)


def test_what_needs_nothing_can_be_done_anywhere_and_effects_ask_for_what_was_before() -> None:
    swap = SasOperator(0, {}, (SasEffect(0, 1, ((1, 1),)), SasEffect(1, 0), SasEffect(2, 0, ((1, 0),))), 1)
    task = FiniteDomainTask((("p", "q"),) * 3, (None,) * 3, (), (0, 1, 1), {0: 1, 1: 0, 2: 1}, (swap,))
    found = search_small(task)
    assert found is not None
    assert found.operators == (0,)


def test_where_nothing_leads_there_that_is_proved() -> None:
    task = FiniteDomainTask(
        (("a", "b", "c"),), (None,), (), (0,), {0: 2}, (SasOperator(0, {0: 0}, (SasEffect(0, 1),), 1),)
    )
    found = search_small(task)
    assert found is not None
    assert (found.status, found.expanded) == ("unsolvable", 2)


def test_what_is_not_small_is_left_to_others(monkeypatch) -> None:
    found = search_small(corridor(100))
    assert found is not None
    assert (found.cost, found.expanded) == (99, 99)
    assert search_small(corridor(2000)) is not None
    assert search_small(corridor(100), 98) is None, "not as many states may be expanded"
    monkeypatch.setattr(small_search, "_MOST_WORK", 100)
    assert search_small(corridor(100)) is None, "it takes too much work"
