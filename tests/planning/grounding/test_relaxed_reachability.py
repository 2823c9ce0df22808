"""A quick proof that a goal is out of reach: right whenever it says so, and it says so where it matters."""

from __future__ import annotations

from dataclasses import replace

import pytest
from households import kitchen
from hypothesis import given, settings
from random_tasks import cheapest, problems

from foretree.planning.grounding.relaxed_reachability import is_provably_unsolvable, is_relaxed_unreachable
from foretree.planning.pddl.syntax import And, Axiom, Count, Domain, Exists, Literal, Or, Problem, Typed


def without(problem: Problem, *words: str) -> Problem:
    """The problem without the facts that contain all the words."""
    return replace(problem, init=frozenset(a for a in problem.init if not set(words) <= set(a)))


@given(problem=problems())
@settings(max_examples=150)
def test_what_is_out_of_reach_has_no_plan(problem: Problem) -> None:
    if is_provably_unsolvable(problem):
        assert cheapest(problem) is None


@pytest.mark.parametrize(
    "goal",
    ["(in mango1 fridge1)", "(and (sliced apple1) (on mug1 table1))", "(clean mug1)", "(not (clean mug1))"],
)
def test_what_can_be_reached_is_not_out_of_reach(goal: str) -> None:
    assert not is_provably_unsolvable(kitchen(goal, seed=3))


def test_a_thing_that_is_nowhere_is_out_of_reach() -> None:
    problem = kitchen("(in mango1 fridge1)", seed=3)
    for place in ("on", "in"):
        problem = without(problem, place, "mango1")
    assert is_provably_unsolvable(problem)
    elsewhere = Literal(("clean", "mug1"))
    assert not is_provably_unsolvable(replace(problem, goal=elsewhere))
    assert is_provably_unsolvable(replace(problem, goal=And((elsewhere, problem.goal))))
    assert not is_provably_unsolvable(replace(problem, goal=Or((elsewhere, problem.goal))))


def test_without_a_tool_what_takes_one_is_out_of_reach() -> None:
    assert is_provably_unsolvable(without(kitchen("(sliced apple1)"), "blade"))


def test_of_what_is_only_quantified_over_any_thing_will_do() -> None:
    problem = kitchen("(clean mug1)")
    mug = Typed("?m", problem.objects["mug1"])
    clean = Literal(("clean", "?m"))
    assert not is_provably_unsolvable(replace(problem, goal=Exists((mug,), clean)))
    dirty = without(problem, "washes")
    dirty = replace(dirty, init=frozenset(a for a in dirty.init if a[0] != "clean"))
    assert is_provably_unsolvable(replace(dirty, goal=Exists((mug,), clean)))
    assert is_provably_unsolvable(replace(dirty, goal=Count(mug, clean, 1)))
    assert not is_provably_unsolvable(replace(dirty, goal=Count(mug, clean, 0, 0)))


def test_quantifiers_below_each_other_ask_for_things_of_all_their_types() -> None:
    problem = kitchen("(clean mug1)")
    mug, fridge = Typed("?x", problem.objects["mug1"]), Typed("?y", problem.objects["fridge1"])
    inside = Literal(("in", "?x", "?y"))
    goal = Exists((fridge,), Exists((mug,), inside))
    assert not is_relaxed_unreachable(replace(problem, goal=goal))
    for name in ("mug1", "fridge1"):
        others = {thing: kind for thing, kind in problem.objects.items() if kind != problem.objects[name]}
        init = frozenset(atom for atom in problem.init if set(atom[1:]) <= set(others))
        assert is_relaxed_unreachable(replace(problem, objects=others, init=init, goal=goal))


def test_as_many_things_have_to_be_there_as_the_goal_counts() -> None:
    problem = kitchen("(clean mug1)")
    kind = problem.objects["mug1"]
    mugs = sum(other == kind for other in problem.objects.values())
    clean = Literal(("clean", "?m"))
    for number in (1, mugs, mugs + 1):
        goal = Exists((), Count(Typed("?m", kind), clean, number))
        assert is_relaxed_unreachable(replace(problem, goal=goal)) == (number > mugs)


def test_of_several_things_some_may_meet_one_wish_and_others_another() -> None:
    """Two of p, q hold one atom each: together they are two, though neither atom holds of two."""
    domain = Domain(
        "d",
        types={"thing": "object"},
        predicates={name: (Typed("?t", "thing"),) for name in ("red", "blue")},
    )
    either = Or((Literal(("red", "?t")), Literal(("blue", "?t"))))
    goal = Count(Typed("?t", "thing"), either, 2)
    init = frozenset({("red", "p"), ("blue", "q")})
    problem = Problem("p", domain, {"p": "thing", "q": "thing"}, init, goal)
    assert not is_relaxed_unreachable(problem)


def test_variables_of_the_same_name_are_told_apart() -> None:
    problem = kitchen("(clean mug1)")
    one, other = (Typed("?x", problem.objects[name]) for name in ("mug1", "fridge1"))
    goal = And((Exists((one,), Literal(("clean", "?x"))), Exists((other,), Literal(("open", "?x")))))
    assert not is_relaxed_unreachable(replace(problem, goal=goal))


def test_what_is_derived_may_come_about() -> None:
    thing = (Typed("?t", "thing"),)
    predicates = dict.fromkeys(("red", "bright"), thing)
    rule = Axiom("bright", thing, Literal(("red", "?t")))
    domain = Domain("d", types={"thing": "object"}, predicates=predicates, axioms=(rule,))
    goal = Literal(("bright", "p"))
    for init in (frozenset({("red", "p")}), frozenset()):
        assert is_relaxed_unreachable(Problem("p", domain, {"p": "thing"}, init, goal)) == (not init)
