"""Problems on a compressed map: the optimum stays, and the plans hold on the whole map."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from floors import DOMAIN, Floor, change, goals, nodes_of, random_floor
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from trolleys import NAMES, TROLLEYS

from foretree.planning.maps.compression import compress, map_costs, map_facts
from foretree.planning.maps.compression_loss import measure_loss
from foretree.planning.maps.navigation import NavigationError, find_navigation
from foretree.planning.pddl.parser import parse_domain
from foretree.planning.pddl.syntax import Literal, Problem
from foretree.planning.semantics.actions import validate
from foretree.planning.solvers.fast_downward.solver import FastDownward
from foretree.planning.task.goals import parse_goal
from foretree.world_model.maps.compressed_map import CompressedMap
from foretree.world_model.maps.places import MapError, PlaceGraph

NAVIGATION = find_navigation(DOMAIN)


@pytest.fixture(scope="module")
def planner():
    with FastDownward() as planner:
        yield planner


@pytest.fixture
def corridor() -> Floor:
    """Two offices along a corridor of four nodes, one of them with a fridge, the other with a table."""
    places = PlaceGraph()
    for name in ("c1", "c2", "c3", "c4", "o1", "o4", "at_table", "at_fridge"):
        places.add(name, (0.0, 0.0, 0.0), "room")
    for one, other, cost, door in (
        ("c1", "c2", 5, None), ("c2", "c3", 5, None), ("c3", "c4", 5, None), ("c1", "o1", 1, "door1"),
        ("c4", "o4", 1, "door4"), ("o1", "at_table", 2, None), ("o4", "at_fridge", 2, None),
    ):  # fmt: skip
        places.connect(one, other, cost, door)
    return Floor(
        places,
        {"table1": "at_table", "fridge1": "at_fridge"},
        {"fridge1": ("openable",)},
        {"cup1": "table1"},
        {"door4"},
        robot="c2",
        hands=("left",),
    )


def compressed(floor, goal, **more):
    return compress(floor.problem(goal), CompressedMap(floor.places), NAVIGATION, **more)


def test_nodes_that_are_only_passed_leave_the_problem(corridor):
    found = compressed(corridor, "(on cup1 fridge1)")
    assert found.layout.nodes == ("c2", "c4", "o4", "at_table", "at_fridge")
    problem = found.problem
    assert set(problem.objects) == {
        "robot1", "left", "c2", "c4", "o4", "at_table", "at_fridge", "door4", "table1", "fridge1", "cup1",
    }  # fmt: skip
    terms = {term for atom in problem.init for term in atom[1:]} | {
        t for a in problem.functions for t in a[1:]
    }
    assert terms <= set(problem.objects)
    assert ("connected", "c2", "at_table") in problem.init
    assert problem.functions["travel_cost", "at_table", "c2"] == 8
    assert ("has_door", "door4", "o4", "c4") in problem.init
    assert problem.functions["travel_cost", "c4", "o4"] == 1


def test_a_plan_is_refined_into_the_waypoints(corridor, planner):
    found = compressed(corridor, "(on cup1 fridge1)")
    solution = planner.solve(found.problem)
    steps = found.refine(solution.steps)
    moves = [arguments[2] for name, arguments in steps if name == "move_robot"]
    # One hand: the door and the fridge are opened first.
    there = ["c3", "c4", "o4", "at_fridge"]
    back = ["o4", "c4", "c3", "c2", "c1", "o1", "at_table"]
    assert moves == [*there, *back, "o1", "c1", "c2", *there]
    validation = validate(corridor.problem("(on cup1 fridge1)"), steps)
    assert (validation.ok, validation.cost) == (True, solution.cost)


def test_only_the_named_assets_stay_with_what_rests_there(corridor):
    corridor.stands["sink1"] = "c3"
    corridor.lies["cup2"] = "sink1"
    found = compressed(corridor, "(on cup1 fridge1)", keep=["at_fridge"], rests=("on",))
    # The goal's own things are kept wherever they are.
    assert {"cup1", "table1", "fridge1"} <= set(found.problem.objects)
    assert not {"sink1", "cup2"} & set(found.problem.objects)


def test_of_the_things_that_a_goal_quantifies_over_all_stay(corridor):
    corridor.stands["sink1"] = "c3"
    corridor.lies["cup2"] = "sink1"
    goal = "(forall (?i - item) (on ?i fridge1))"
    found = compressed(corridor, goal, keep=["at_fridge"], rests=("on",))
    assert {"cup1", "cup2", "sink1"} <= set(found.problem.objects)


def test_what_a_goal_names_is_kept(corridor):
    found = compressed(corridor, "(and (rob_at_node robot1 c3) (door_open door4))")
    assert {"c3", "c4", "o4"} <= set(found.layout.nodes)
    everywhere = compressed(
        corridor, "(exists (?n - node) (and (rob_at_node robot1 ?n) (rob_at_node robot1 ?n)))"
    )
    assert set(everywhere.layout.nodes) == {place.name for place in corridor.places.places()}
    all_doors = compressed(corridor, "(forall (?d - door) (door_open ?d))")
    assert {passage.door for passage in all_doors.layout.closed} == {"door4"}
    assert "door1" in all_doors.problem.objects


def test_the_map_follows_the_problem(corridor):
    floor = CompressedMap(corridor.places)
    problem = corridor.problem("(on cup1 fridge1)")
    compress(problem, floor, NAVIGATION)
    assert not floor.is_open("door4")
    corridor.closed = {"door1"}
    corridor.blocked = {("c3", "c4")}
    found = compress(corridor.problem("(on cup1 fridge1)"), floor, NAVIGATION)
    assert floor.is_open("door4")
    assert not any({"at_fridge", "c2"} == set(pair) for pair in found.layout.ways)


def test_the_facts_and_costs_of_a_map_go_both_ways(corridor):
    layout = compressed(corridor, "(on cup1 fridge1)").layout
    facts, costs = map_facts(layout, NAVIGATION), map_costs(layout, NAVIGATION)
    for atom in facts:
        assert (*atom[:-2], atom[-1], atom[-2]) in facts
    assert {(("travel_cost", *atom[-2:])) for atom in facts} == set(costs)


def solve_both(planner, floor, goal, compressed_map, assets=None):
    """The optimum on the whole map and on the compressed one, whose plan is checked on the whole one."""
    full = floor.problem(goal, assets)
    found = compress(full, compressed_map, NAVIGATION)
    whole, short = planner.solve(full), planner.solve(found.problem)
    assert whole.status == short.status
    if short.status == "solved":
        steps = found.refine(short.steps)
        validation = validate(full, steps)
        assert validation.ok, validation.reason
        assert validation.cost == short.cost == whole.cost
    return short


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**9))
def test_the_optimum_is_that_of_the_whole_map(planner, seed):
    """Also after doors, things and the robot have changed, on a map that is kept all along."""
    rng = random.Random(seed)
    floor = random_floor(rng)
    kept = CompressedMap(floor.places)
    for _ in range(2):
        solve_both(planner, floor, goals(floor, rng), kept)
        for _ in range(rng.randrange(1, 5)):
            change(floor, rng)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**9))
def test_a_trolley_is_pushed_along_the_waypoints(planner, seed):
    """Moves of more than the robot, in an untyped domain with other names."""
    rng = random.Random(seed)
    floor = random_floor(rng)
    domain = parse_domain(TROLLEYS)
    operators = {name: o for name, o in domain.operators.items() if name not in ("drop", "grab")}
    domain = replace(domain, operators=operators)
    navigation = find_navigation(domain, NAMES)
    renamed = {"connected": "way", "has_door": "door_in", "travel_cost": "length"}
    source = floor.problem("(on cup0 table0)")
    nodes = [place.name for place in floor.places.places()]
    init = {(renamed[atom[0]], *atom[1:]) for atom in source.init if atom[0] in renamed}
    init |= {("node", node) for node in nodes} | {("door", door) for door in floor.places.doors()}
    init |= {("robot", "r"), ("free", "r"), ("stands", "r", floor.robot)}
    init |= {("trolley", "t"), ("thing_at", "t", rng.choice(nodes))}
    costs = {(renamed[term[0]], *term[1:]): value for term, value in source.functions.items()}
    objects = dict.fromkeys(["r", "t", *nodes, *floor.places.doors()], "object")
    goal = Literal(("thing_at", "t", rng.choice(nodes)))
    problem = Problem("push", domain, objects, frozenset(init), goal, costs)
    found = compress(problem, CompressedMap(floor.places), navigation)
    whole, short = planner.solve(problem), planner.solve(found.problem)
    assert whole.status == short.status
    if short.status == "solved":
        validation = validate(problem, found.refine(short.steps))
        assert (validation.ok, validation.cost) == (True, whole.cost)


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 10**9))
def test_a_map_that_was_kept_gives_the_problem_of_a_fresh_one(seed):
    rng = random.Random(seed)
    floor = random_floor(rng, size=12)
    kept = CompressedMap(floor.places)
    for _ in range(6):
        problem = floor.problem(goals(floor, rng))
        assert compress(problem, kept, NAVIGATION) == compress(
            problem, CompressedMap(floor.places), NAVIGATION
        )
        change(floor, rng)


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**9))
def test_fewer_assets_never_make_a_plan_cheaper(planner, seed):
    rng = random.Random(seed)
    floor = random_floor(rng)
    problem = floor.problem(f"(on cup0 {rng.choice(list(floor.stands))})")
    keep = nodes_of(floor, ["table0"])
    loss = measure_loss(problem, CompressedMap(floor.places), NAVIGATION, keep, ["on"], planner)
    # Without a plan on few nodes there is nothing to compare; too many such floors would fail this test.
    assume(loss.chosen.status == "solved")
    assert loss.everything.status == "solved"
    assert loss.everything.cost <= loss.chosen.cost
    assert loss.share >= 0.0


def test_what_a_table_that_was_left_out_costs_is_measured(corridor, planner):
    """With one hand, and the door closed behind the robot, there is only one place to put the cup down."""
    corridor.places.add("at_bench", (0.0, 0.0, 0.0), "room")
    corridor.places.connect("at_bench", "c4", 1)
    corridor.stands["bench1"] = "at_bench"
    corridor.traits["fridge1"] = ()
    corridor.hands = ("left",)
    corridor.robot = "at_table"
    problem = corridor.problem("(and (on cup1 fridge1) (door_open door4))")
    loss = measure_loss(
        problem, CompressedMap(corridor.places), NAVIGATION, ["at_table", "at_fridge"], ["on"], planner
    )
    # There and back to open the door first, instead of putting the cup on the bench for it.
    assert loss.everything.cost == 30
    assert loss.chosen.cost == 60
    assert loss.share == 1.0


# -- mistakes ------------------------------------------------------------------------------------------------


def test_a_goal_about_the_map_is_refused(corridor):
    problem = corridor.problem("(on cup1 fridge1)")
    goal = parse_goal("(connected c1 c2)", DOMAIN, problem.objects).formula
    with pytest.raises(NavigationError, match=r"asks for \(connected c1 c2\).*Valid is"):
        compress(replace(problem, goal=goal), CompressedMap(corridor.places), NAVIGATION)


def test_a_node_that_is_not_on_the_map_is_refused(corridor):
    with pytest.raises(MapError, match="no node 'attic'"):
        compressed(corridor, "(on cup1 fridge1)", keep=["attic"])


def test_a_step_off_the_map_is_refused(corridor):
    found = compressed(corridor, "(on cup1 fridge1)")
    with pytest.raises(MapError, match="no way from 'c1' to 'c2'"):
        found.refine([("move_robot", ("robot1", "c1", "c2"))])
