"""Constraints on compressed maps: what can be reached within them is, and the plans hold on the whole map."""

from __future__ import annotations

import random

import pytest
from courses import Course
from floors import DOMAIN, Floor, goals, random_floor
from hypothesis import given, settings
from hypothesis import strategies as st

from foretree.planning.constraints.compilation import constrain
from foretree.planning.constraints.reader import parse_constraint
from foretree.planning.semantics.actions import apply, instantiate, validate
from foretree.planning.semantics.evaluation import conjunction
from foretree.planning.solvers.fast_downward.solver import FastDownward
from foretree.planning.task.problem_forms import ProblemForms, WholeProblem
from foretree.world_model.maps.places import PlaceGraph


@pytest.fixture(scope="module")
def planner():
    with FastDownward() as planner:
        yield planner


def constrained(floor: Floor, goal: str, text: str):
    """The problem with a constraint, and the judge of its plans."""
    problem = floor.problem(goal)
    constraints = parse_constraint(text, DOMAIN, problem.objects)
    made = constrain(DOMAIN, constraints)
    course = Course(problem, constraints)
    init = set(problem.init)
    for memory in made.memories:
        if course.holds(memory.formula, init) and (memory.since is None or memory.since in init):
            init.add(memory.atom)
    goal = conjunction(problem.goal, made.required)
    whole = type(problem)("floor", made.domain, problem.objects, frozenset(init), goal, problem.functions)
    return whole, course


def a_constraint(floor: Floor, rng: random.Random) -> str:
    nodes = [place.name for place in floor.places.places()]
    doors = floor.places.doors() or ("d0",)
    here, there = (f"(rob_at_node robot1 {rng.choice(nodes)})" for _ in range(2))
    cup, table = rng.choice(list(floor.lies)), rng.choice(list(floor.stands))
    choices = [
        f"(always (not {here}))",
        f"(always (or (not {here}) (hand_free robot1 left)))",
        f"(always (or (not {here}) (on {cup} {table})))",
        f"(sometime-before (on {cup} {table}) {here})",
        f"(sometime-before {here} {there})",
        f"(sometime-before {here} (holding robot1 left {cup}))",
        f"(sequence {here} {there})",
        f"(at-most-once {here})",
        f"(never-use * {table})",
        f"(always (not (opened {table})))",
        f"(forall (?n - node) (never-use pick {cup} ?n))",
    ]
    if floor.places.doors():
        door = rng.choice(doors)
        choices += [f"(never-use open_door {door})", f"(always (not (door_open {door})))"] * 3
    return rng.choice(choices)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 100_000))
def test_plans_within_constraints_are_found_and_hold_on_the_whole_map(planner, seed):
    rng = random.Random(seed)
    floor = random_floor(rng, size=6)
    goal, text = goals(floor, rng), a_constraint(floor, rng)
    whole, course = constrained(floor, goal, text)
    best = planner.solve(whole, "optimal")
    forms = ProblemForms(DOMAIN, floor.places, rests=["on"], selecting=False).forms(whole)
    answers = ((form, planner.solve(form.problem, "optimal")) for form in forms)
    form, found = next((pair for pair in answers if pair[1].status == "solved"), (None, None))
    assert (found is not None) == (best.status == "solved"), text
    if form is not None:
        assert found.cost >= best.cost
        assert found.cost == best.cost or len(forms) > 1, text  # ways round a node are tried only if need be
        steps = form.refine(found.steps)
        assert validate(whole, steps).ok, text
        state, memory = (
            course.problem.init,
            course.memory((0,) * len(course.constraints), course.problem.init),
        )
        for name, arguments in steps:
            action = instantiate(DOMAIN.operators[name], arguments, course.objects)
            after = apply(action, state, course.objects)
            assert course.allows(state, memory, action, after), (text, action)
            state, memory = after, course.memory(memory, after)
        assert course.done(memory)


@pytest.fixture
def two_ways() -> Floor:
    """A table behind two doors: a short way through one, a long way through the other."""
    places = PlaceGraph()
    for name in ("here", "near", "far", "there"):
        places.add(name, (0.0, 0.0, 0.0), "room")
    places.connect("here", "near", 1)
    places.connect("here", "far", 9)
    places.connect("near", "there", 1, "near_door")
    places.connect("far", "there", 9, "far_door")
    closed = {"near_door", "far_door"}
    return Floor(
        places,
        {"table1": "there", "desk1": "here"},
        {},
        {"cup1": "desk1"},
        closed,
        robot="here",
        hands=("left",),
    )


@pytest.mark.parametrize(
    ("text", "through"),
    [
        ("(never-use open_door far_door)", "near_door"),
        ("(never-use open_door near_door)", "far_door"),
        ("(always (not (door_open near_door)))", "far_door"),
        ("(always (not (rob_at_node robot1 near)))", "far_door"),
    ],
)
def test_a_door_that_may_not_be_opened_hides_no_other_way(planner, two_ways, text, through):
    whole, _ = constrained(two_ways, "(rob_at_node robot1 there)", text)
    form = ProblemForms(DOMAIN, two_ways.places).forms(whole)[-1]
    assert not isinstance(form, WholeProblem)
    steps = form.refine(planner.solve(form.problem, "optimal").steps)
    assert [arguments[2] for name, arguments in steps if name == "open_door"] == [through]


@pytest.mark.parametrize(
    "text",
    [
        "(always (not (rob_at_node robot1 near)))",
        "(always (forall (?n - node) (or (= ?n here) (= ?n there) (= ?n far) (not (rob_at_node robot1 ?n)))))",
    ],
)
def test_no_way_leads_through_a_node_that_may_not_be_entered(planner, two_ways, text):
    two_ways.closed.clear()
    whole, _ = constrained(two_ways, "(rob_at_node robot1 there)", text)
    form = ProblemForms(DOMAIN, two_ways.places).forms(whole)[-1]
    assert not isinstance(form, WholeProblem)
    steps = form.refine(planner.solve(form.problem, "optimal").steps)
    assert [arguments[-1] for _, arguments in steps] == ["far", "there"]


def test_a_way_round_is_found_where_a_node_may_be_entered_only_at_some_times(planner, two_ways):
    two_ways.closed.clear()
    clean = "(always (or (not (rob_at_node robot1 near)) (clean cup1)))"
    whole, _ = constrained(two_ways, "(rob_at_node robot1 there)", clean)
    forms = ProblemForms(DOMAIN, two_ways.places).forms(whole)
    shown = [planner.solve(form.problem, "optimal").status for form in forms]
    assert shown[0] == "unsolvable"
    assert shown[1] == "solved"
    steps = forms[1].refine(planner.solve(forms[1].problem, "optimal").steps)
    assert validate(whole, steps).ok
