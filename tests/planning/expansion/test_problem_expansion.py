"""Problems of a tabletop, put into a building."""

from __future__ import annotations

from dataclasses import replace

import pytest
from expansions import base_problem

from foretree.planning.expansion.expand import expand
from foretree.planning.expansion.expansion_errors import ProblemExpansionError
from foretree.planning.expansion.options import Expansion
from foretree.planning.expansion.problem_expansion import Building, expand_problem, usual_building
from foretree.planning.pddl.parser import parse_problem
from foretree.planning.pddl.syntax import Problem, show

BUILDING = Building(
    robots={"ann": ("left", "right")},
    nodes=("hall", "kitchen", "office"),
    edges={("hall", "kitchen"): 4, ("kitchen", "hall"): 4, ("hall", "office"): 7, ("office", "hall"): 7},
    doors={"door1": ("hall", "office"), "door2": ("hall", "kitchen")},
    closed=("door1",),
    where={"b": "kitchen"},
    stands={"ann": "kitchen"},
)
OPTIONS = Expansion(doors=True, hands=2, costs=True)


def lifted(name="blocks", options=OPTIONS, building: Building | None = BUILDING, **changes) -> Problem:
    problem = replace(base_problem(name), **changes)
    return expand_problem(problem, expand(problem.domain, options), building)


def facts(problem: Problem, *predicates: str) -> set[tuple[str, ...]]:
    return {atom for atom in problem.init if atom[0] in predicates}


def test_robots_and_hands():
    problem = lifted()
    assert facts(problem, "rob_has_hand") == {
        ("rob_has_hand", "ann", "left"),
        ("rob_has_hand", "ann", "right"),
    }
    assert facts(problem, "hand_free") == {("hand_free", "ann", "left"), ("hand_free", "ann", "right")}
    assert facts(problem, "robot", "hand") == {("robot", "ann"), ("hand", "left"), ("hand", "right")}


def test_places_and_ways():
    problem = lifted()
    assert facts(problem, "rob_at_node") == {("rob_at_node", "ann", "kitchen")}
    assert facts(problem, "obj_at_node") == {
        ("obj_at_node", "a", "hall"),
        ("obj_at_node", "b", "kitchen"),
        ("obj_at_node", "c", "hall"),
    }
    assert facts(problem, "connected") == {("connected", "hall", "kitchen"), ("connected", "kitchen", "hall")}
    assert facts(problem, "door_open") == {("door_open", "door2")}
    assert ("has_door", "door1", "office", "hall") in problem.init
    assert problem.functions["travel_cost", "hall", "office"] == 7


def test_what_is_held_and_what_is_carried_has_no_node():
    tray = base_problem("tray")
    init = (tray.init - {("hand_empty",), ("on", "cup1", "kitchen_table")}) | {("holding", "cup1")}
    problem = lifted("tray", OPTIONS | Expansion(carry=("on",)), replace(BUILDING, where={}), init=init)
    assert facts(problem, "holding") == {("holding", "ann", "left", "cup1")}
    assert facts(problem, "hand_free") == {("hand_free", "ann", "right")}
    assert {atom[1] for atom in facts(problem, "obj_at_node")} == {"kitchen_table", "office_table"}


def test_robots_and_hands_of_the_problem_stay():
    arms = base_problem("arms")
    domain = expand(arms.domain, OPTIONS)
    building = usual_building(domain, arms)
    assert building.robots == {"r2": ("left",)}
    problem = expand_problem(arms, domain)
    assert problem.objects == {**arms.objects, "node1": "node"}
    assert facts(problem, "hand_free") == {("hand_free", "r2", "left")}


def test_each_robot_of_the_problem_has_its_own_hands():
    arms = base_problem("arms")
    two = replace(
        arms,
        objects={**arms.objects, "c3": "robot", "right": "arm"},
        init=arms.init | {("arm_free", "c3", "right")},
    )
    assert usual_building(expand(arms.domain, OPTIONS), two).robots == {"c3": ("right",), "r2": ("left",)}


def test_costs_are_minimised_if_they_were_asked_for():
    workshop = replace(base_problem("workshop"), minimise_cost=False)
    assert expand_problem(workshop, expand(workshop.domain, OPTIONS)).minimise_cost
    without = expand(workshop.domain, Expansion(navigation=True))
    assert not expand_problem(workshop, without).minimise_cost


def test_as_many_robots_and_hands_as_the_domain_is_for():
    blocks = base_problem("blocks")
    two = usual_building(expand(blocks.domain, Expansion(robots=2, hands=3)), blocks)
    assert two.robots["robot2"] == ("robot2_hand1", "robot2_hand2", "robot2_hand3")
    assert usual_building(expand(blocks.domain, OPTIONS), blocks).robots == {"robot1": ("hand1", "hand2")}


@pytest.mark.parametrize(
    ("goal", "becomes"),
    [
        ("(holding a)", "(exists (?any_robot - object ?any_hand - object) (holding ?any_robot ?any_hand a))"),
        ("(handempty)", "(and (hand_free ann left) (hand_free ann right))"),
        (
            "(and (on a b) (not (handempty)))",
            "(and (on a b) (not (and (hand_free ann left) (hand_free ann right))))",
        ),
        (
            "(forall (?x) (not (holding ?x)))",
            "(forall (?x - object) (not (exists (?any_robot - object ?any_hand - object) "
            "(holding ?any_robot ?any_hand ?x))))",
        ),
        ("(at-least 2 (?x) (on ?x a))", "(at-least 2 (?x - object) (on ?x a))"),
        ("(or (on a b) (= a b))", "(or (on a b) (= a b))"),
    ],
)
def test_goals(goal, becomes):
    base = base_problem("blocks")
    text = f"(define (problem p) (:domain blocks) (:objects a b c) (:goal {goal}))"
    assert show(lifted(goal=parse_problem(text, base.domain).goal).goal) == becomes


def test_goals_about_each_robot():
    base = base_problem("crew")
    text = "(define (problem p) (:domain crew) (:goal (forall (?r - robot) (idle ?r))))"
    goal = parse_problem(text, base.domain).goal
    problem = expand_problem(replace(base, goal=goal), expand(base.domain, OPTIONS))
    assert show(problem.goal) == (
        "(forall (?r - robot) (forall (?any_hand - hand) (or (not (rob_has_hand ?r ?any_hand)) "
        "(hand_free ?r ?any_hand))))"
    )


def test_costs_alone_leave_a_problem_as_it_is():
    base = base_problem("blocks")
    problem = expand_problem(base, expand(base.domain, Expansion(costs=True)))
    assert (problem.init, problem.objects, problem.goal) == (base.init, base.objects, base.goal)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"where": {"d": "hall"}}, '"d" is not an object of the problem "swap"'),
        ({"where": {"a": "hal"}}, '"hal" is not a node of the building. Did you mean hall'),
        ({"stands": {"bob": "hall"}}, '"bob" is not a robot here'),
        ({"closed": ("door3",)}, '"door3" is not a door of the building. Did you mean'),
        ({"edges": {("hall", "attic"): 3}}, '"attic" is not a node'),
        ({"robots": {"a": ("left",)}}, '"a" is the name of an object of the problem "swap" already'),
    ],
)
def test_buildings_that_do_not_fit(changes, says):
    with pytest.raises(ProblemExpansionError, match=says):
        lifted(building=replace(BUILDING, **changes))


def test_more_is_held_than_there_are_hands():
    init = base_problem("blocks").init | {("holding", name) for name in "abc"}
    with pytest.raises(ProblemExpansionError, match=r"\(holding c\) holds .* no hand is left for it"):
        lifted(init=init)
