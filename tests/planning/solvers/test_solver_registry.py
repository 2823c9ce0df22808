"""Solvers by name, and engines from unified-planning."""

from __future__ import annotations

import builtins
from dataclasses import replace

import pytest
from households import kitchen

from foretree.planning.semantics.actions import validate
from foretree.planning.solvers.base import SolverError
from foretree.planning.solvers.fast_downward.solver import FastDownward
from foretree.planning.solvers.registry import find_solver, solver_names

GOAL = "(and (clean mug1) (exists (?i - item) (and (sliceable ?i) (on ?i table1))))"


def test_fast_downward_is_called_directly() -> None:
    assert isinstance(find_solver("fast-downward"), FastDownward)


def test_an_unknown_name_lists_those_there_are() -> None:
    with pytest.raises(SolverError, match="fast-downward"):
        find_solver("fast-upward")


@pytest.fixture
def without_unified_planning(monkeypatch):
    real = builtins.__import__

    def fail(name, *args, **kwargs):
        if name.split(".")[0] == "unified_planning":
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", fail)


def test_without_the_extra_it_names_the_command(without_unified_planning) -> None:
    assert solver_names() == ("fast-downward",)
    with pytest.raises(SolverError, match=r"pip install 'foretree\[engines\]'"):
        find_solver("pyperplan")


def test_an_engine_of_unified_planning_solves_the_same() -> None:
    pytest.importorskip("unified_planning")
    problem = kitchen(GOAL, seed=1)
    with FastDownward() as planner:
        ours = planner.solve(problem)
    theirs = find_solver("fast-downward-opt").solve(problem)
    assert theirs.status == "solved"
    assert theirs.optimal
    assert validate(problem, theirs.steps).ok
    assert theirs.cost == ours.cost


def test_an_engine_is_not_asked_for_the_impossible() -> None:
    pytest.importorskip("unified_planning")
    problem = kitchen("(clean mug1)")
    problem = replace(problem, init=frozenset(a for a in problem.init if a[0] != "washes"))
    solution = find_solver("fast-downward-opt").solve(problem)
    assert solution.status == "unsolvable"
    assert "washes" in solution.why
