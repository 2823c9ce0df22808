"""Constraints compiled into domains, against a search that looks at whole courses of states."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from itertools import product

import pytest
from courses import Course
from households import KITCHEN, household
from hypothesis import given, settings
from hypothesis import strategies as st
from random_tasks import cheapest, formulas, problems, solve_plainly

from foretree.planning.constraints.compilation import constrain
from foretree.planning.constraints.constraints import (
    Always,
    AtMostOnce,
    Before,
    InOrder,
    NeverUse,
)
from foretree.planning.constraints.contradictions import Forbidden
from foretree.planning.constraints.reader import parse_constraint
from foretree.planning.pddl.syntax import Count, Problem, Typed, walk
from foretree.planning.semantics.actions import TypedObjects, applicable, apply, instantiate, validate
from foretree.planning.semantics.evaluation import conjunction, evaluate, state_oracle
from foretree.planning.solvers.fast_downward.solver import shared_planner
from foretree.world_model.beliefs.facts import Truth


def disagreement(problem: Problem, constraints, most: int = 40, single: Collection[str] = ()):
    """The first action on which the compiled domain and a look at the course disagree, in states within reach."""
    course = Course(problem, constraints)
    compiled = constrained(problem, constraints, single)
    remembered = compiled.domain.predicates.keys() - problem.domain.predicates.keys()
    actions = [
        tuple(
            instantiate(domain.operators[operator.name], arguments, course.objects, problem.functions)
            for domain in (problem.domain, compiled.domain)
        )
        for operator in problem.domain.operators.values()
        for arguments in product(*(problem.of_type(p.type) for p in operator.parameters))
    ]
    start = (compiled.init, course.memory((0,) * len(constraints), problem.init))
    known, new = {start}, [start]
    while new and len(known) < most:
        both, memory = new.pop(0)
        state = frozenset(atom for atom in both if atom[0] not in remembered)
        reached = course.holds(problem.goal, state) and course.done(memory)
        if course.holds(compiled.goal, both) != reached:
            return "goal", both
        for plain, careful in actions:
            if not applicable(plain, state, course.objects):
                continue
            after = apply(plain, state, course.objects)
            if course.allows(state, memory, plain, after) != applicable(careful, both, course.objects):
                return plain, both
            if applicable(careful, both, course.objects):
                reached = apply(careful, both, course.objects), course.memory(memory, after)
                if reached not in known:
                    known.add(reached)
                    new.append(reached)
    return None


def constrained(problem: Problem, constraints, single: Collection[str] = ()) -> Problem:
    """The problem with the constraints compiled away, and what held at the start remembered."""
    made = constrain(problem.domain, constraints, single=single)
    init = set(problem.init)
    objects = TypedObjects(problem.domain, problem.objects)
    for memory in made.memories:
        known = memory.since is None or memory.since in init
        if known and evaluate(memory.formula, state_oracle(init), objects) is Truth.TRUE:
            init.add(memory.atom)
    goal = conjunction(problem.goal, made.required)
    return replace(problem, domain=made.domain, init=frozenset(init), goal=goal)


def uncounted(formula) -> bool:
    return not any(isinstance(part, Count) for part in walk(formula))


FORMULAS = formulas(["a", "b", "c"], 2).filter(uncounted)
CONSTRAINTS = st.one_of(
    st.builds(Always, FORMULAS),
    st.builds(Before, FORMULAS, FORMULAS),
    st.builds(InOrder, st.lists(FORMULAS, min_size=1, max_size=3).map(tuple)),
    st.builds(AtMostOnce, FORMULAS),
    st.builds(
        NeverUse,
        st.sampled_from(["one", "two", "three"]),
        st.lists(st.sampled_from(["a", "b", Typed("?x", "blue"), Typed("?x", "thing")]), max_size=2).map(
            tuple
        ),
    ),
    st.builds(NeverUse, st.none(), st.just(("c",))),
)


@settings(max_examples=400, deadline=None)
@given(problems(), st.lists(CONSTRAINTS, min_size=1, max_size=2))
def test_the_compiled_domain_allows_what_the_course_allows(problem, constraints):
    assert disagreement(problem, constraints) is None


@settings(max_examples=60, deadline=None)
@given(problems(), CONSTRAINTS)
def test_plans_of_the_compiled_domain_are_as_cheap_as_can_be(problem, constraint):
    compiled = constrained(problem, [constraint])
    found = solve_plainly(compiled)
    assert (None if found is None else found[0]) == cheapest(compiled)


def forbidden(problem: Problem, constraint) -> bool:
    objects = TypedObjects(problem.domain, problem.objects)
    now = state_oracle(problem.init)
    found = Forbidden(
        problem.domain,
        problem.objects,
        lambda formula: evaluate(formula, now, objects) is Truth.TRUE,
    )
    return found.by(constraint, problem.goal)


@settings(max_examples=400, deadline=None)
@given(problems(), CONSTRAINTS)
def test_what_is_forbidden_has_no_plan(problem, constraint):
    if forbidden(problem, constraint):
        assert solve_plainly(constrained(problem, [constraint])) is None


@pytest.mark.parametrize(
    ("text", "goal", "is_so"),
    [
        ("(always (not (on mug1 table1)))", "(on mug1 table1)", True),
        ("(always (forall (?x - item) (not (on ?x table1))))", "(on mug1 table1)", True),
        ("(always (forall (?x - item) (not (on ?x table1))))", "(exists (?m - item) (on ?m table1))", True),
        ("(always (not (on mug1 table1)))", "(exists (?m - item) (on ?m table1))", False),
        ("(always (not (on mug1 table1)))", "(or (on mug1 table1) (clean mug1))", False),
        ("(always (not (clean mug1)))", "(and (on mug1 table1) (clean mug1))", True),
        ("(never-use * mug1)", "(clean mug1)", True),
        ("(never-use open drawer1)", "(open drawer1)", True),
        ("(never-use open cupboard1)", "(open drawer1)", False),
        ("(never-use open drawer1)", "(not (open drawer1))", False),
        ("(at-most-once (open drawer1))", "(open drawer1)", False),
    ],
)
def test_what_is_plainly_forbidden(text, goal, is_so):
    problem = household(list(KITCHEN), ["mango1", "mug1"], goal)
    (constraint,) = parse_constraint(text, problem.domain, problem.objects)
    assert forbidden(problem, constraint) is is_so


@pytest.mark.parametrize(
    "text",
    [
        "(sometime-before (and (not (rob_at_node robot fridge1)) (not (rob_at_node robot sink1))) (open fridge1))",
        "(always (or (rob_at_node robot fridge1) (rob_at_node robot sink1)))",
        "(always (or (open fridge1) (rob_at_node robot counter1) (rob_at_node robot sink1)))",
    ],
)
def test_that_one_is_at_one_place_at_a_time_changes_no_meaning(text):
    problem = household(["fridge1", "sink1", "counter1"], ["mug1"], "(open fridge1)")
    constraints = parse_constraint(text, problem.domain, problem.objects)
    assert disagreement(problem, constraints, most=60, single={"rob_at_node"}) is None
    move = constrained(problem, constraints, {"rob_at_node"}).domain.operators["move"]
    plain = constrained(problem, constraints).domain.operators["move"]
    assert move.precondition != plain.precondition


def kept(text: str, goal: str, furniture=KITCHEN):
    """The plan for a goal in a kitchen, with constraints, checked by looking at every state."""
    problem = household(list(furniture), ["mango1", "mug1"], goal)
    constraints = parse_constraint(text, problem.domain, problem.objects)
    solution = shared_planner().solve(constrained(problem, constraints), "satisficing")
    if solution.status == "solved":
        assert validate(constrained(problem, constraints), solution.steps).ok
        course = Course(problem, constraints)
        state, memory = problem.init, course.memory((0,) * len(constraints), problem.init)
        for name, arguments in solution.steps:
            action = instantiate(problem.domain.operators[name], arguments, course.objects)
            after = apply(action, state, course.objects)
            assert course.allows(state, memory, action, after), action
            state, memory = after, course.memory(memory, after)
        assert course.holds(problem.goal, state)
        assert course.done(memory)
    return solution


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("(always (not (open drawer1)))", "unsolvable"),
        ("(never-use * drawer1)", "unsolvable"),
        ("(never-use open drawer1)", "unsolvable"),
        ("(always (not (open cupboard1)))", "solved"),
        ("(always (forall (?a - asset) (not (open ?a))))", "unsolvable"),
        ("(forall (?a - asset) (never-use open ?a))", "unsolvable"),
        ("(sometime-before (open drawer1) (open cupboard1))", "solved"),
        ("(and (sometime-before (open drawer1) (open cupboard1)) (never-use open cupboard1))", "unsolvable"),
        ("(sequence (open cupboard1) (clean mug1) (not (clean mug1)))", "unsolvable"),
        ("(sequence (open cupboard1) (clean mug1) (open microwave1))", "solved"),
        ("(always (imply (open drawer1) (open cupboard1)))", "solved"),
        ("(and (always (imply (open drawer1) (open fridge1))) (always (not (open fridge1))))", "unsolvable"),
        ("(at-most-once (open drawer1))", "solved"),
    ],
)
def test_the_planner_keeps_what_is_asked_of_the_way(text, status):
    assert kept(text, "(open drawer1)").status == status
