"""Relaxed plans bring their goals about where nothing is ever undone."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from random_tasks import problems

from foretree.planning.grounding.compilation import compile_away
from foretree.planning.grounding.ground_task import GroundOperator, SignedAtom, SignedEffect
from foretree.planning.grounding.grounding import ground
from foretree.planning.task._relaxed_plans import explore_relaxed


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(problems())
def test_a_relaxed_plan_brings_about_its_goal_in_some_order(problem) -> None:
    grounding = ground(compile_away(problem).problem)
    explored = explore_relaxed(grounding.operators, grounding.init)
    for operator in grounding.operators:
        plan = explored.plan(operator.precondition)
        assert plan is not None  # what can never run is not grounded
        reached: set[SignedAtom] = set()
        left = set(plan)
        while ready := {
            number
            for number in left
            if all(_holds(x, grounding.init, reached) for x in _needs(grounding, number))
        }:
            left -= ready
            for number in ready:
                reached |= {effect.literal for effect in grounding.operators[number].effects}
        assert not left
        assert all(_holds(literal, grounding.init, reached) for literal in operator.precondition)


def _needs(grounding, number: int) -> tuple[SignedAtom, ...]:
    return grounding.operators[number].precondition


def _holds(literal: SignedAtom, init, reached: set[SignedAtom]) -> bool:
    return (literal[0] in init) == literal[1] or literal in reached


def _operator(name: str, needs: str, makes: str, cost: int) -> GroundOperator:
    precondition = tuple(((atom,), True) for atom in needs.split())
    return GroundOperator(name, (), precondition, (SignedEffect(((makes,), True)),), cost)


def test_the_cheapest_ways_are_taken_and_what_is_shared_is_in_both_plans() -> None:
    operators = [
        _operator("detour", "start", "room", 9),
        _operator("walk", "start", "room", 5),
        _operator("take-a", "room", "a", 1),
        _operator("take-b", "room", "b", 1),
        _operator("never", "nowhere", "c", 1),
    ]
    explored = explore_relaxed(operators, {("start",)})
    assert explored.plan([(("a",), True)]) == {1, 2}
    assert explored.plan([(("a",), True), (("b",), True)]) == {1, 2, 3}
    assert explored.plan([(("start",), True), (("c",), False)]) == frozenset()
    assert explored.plan([(("c",), True)]) is None
