"""What a goal needs: things, what is in the way, and where things can be put down.

Which nodes are needed in a whole building is tested with what completes a retrieval, in tests/reasoning.
"""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from tabletops import distances, problem_of, scenes

from foretree.planning.pddl.parser import parse_domain
from foretree.planning.pddl.syntax import Problem
from foretree.planning.task.goals import parse_goal
from foretree.planning.task.relaxed_relevance import Relevance, find_relevant, possible_supports

RESTS = {
    "mug1": ("on", "table1"),
    "mug2": ("on", "table3"),
    "milk1": ("on", "table2"),
    "jug1": ("on", "table3"),
    "knife1": ("on", "couch1"),
    "mango1": ("on", "table1"),
    "cloth1": ("on", "table3"),
}
MILK = (("filled", "milk1"), ("has_milk", "milk1"))


def needed(goal: str, states=(), nodes=(), **more: bool) -> Relevance:
    problem = problem_of(RESTS, goal, (*MILK, *states))
    where = {name: name for name in problem.of_type("asset")} | {n: place for n, (_, place) in RESTS.items()}
    return find_relevant(problem, where, distances, nodes, **more)


def test_things_and_their_nodes():
    found = needed("(on mango1 table2)")
    assert {"mango1", "table2"} <= found.things
    assert found.things.isdisjoint(RESTS.keys() - {"mango1"})
    assert set(found.nodes) == {"table1", "table2"}
    assert found.nodes["table1"] == "the goal names mango1"


def test_nodes_that_are_known_to_matter_are_not_told_again():
    assert set(needed("(on mango1 table2)", nodes=["table1"]).nodes) == {"table2"}


def test_what_is_so_already_takes_nothing():
    assert needed("(on mango1 table1)").things == {"mango1", "table1"}


def test_a_tool_that_an_action_takes():
    found = needed("(sliced mango1)")
    assert {"mango1", "knife1"} <= found.things
    assert not {"mug1", "mug2", "milk1", "cloth1"} & found.things


def test_the_nearest_of_what_the_goal_does_not_name():
    assert "mug1" in needed("(exists (?m - mug) (has_milk ?m))", nodes=["table1"]).things
    assert "mug2" in needed("(exists (?m - mug) (has_milk ?m))", nodes=["table3"]).things


def test_a_state_that_has_to_end_is_in_the_way():
    full = [("filled", "mug1"), ("has_water", "mug1")]
    assert needed("(has_milk mug1)", full).in_the_way == {"mug1"}
    assert needed("(has_milk mug1)").in_the_way == set()


@pytest.mark.parametrize(
    ("goal", "kept"),
    [
        ("(exists (?i - item) (on ?i couch1))", {"knife1"}),
        ("(at-least 1 (?m - mug) (on ?m table1))", {"mug1"}),
        ("(at-most 3 (?i - item) (on ?i table3))", {"mug2", "jug1", "cloth1"}),
        ("(not (at-least 4 (?i - item) (on ?i table3)))", {"mug2", "jug1", "cloth1"}),
        ("(or (on mango1 couch1) (on knife1 couch1))", {"knife1"}),
    ],
)
def test_a_goal_that_is_reached_takes_what_it_is_reached_by(goal, kept):
    places = {"couch1", "table1", "table3"}
    assert needed(goal).things - places == kept


def test_of_many_that_would_do_as_many_as_are_asked_for():
    states = [("clean", name) for name in ("mug1", "mug2")]
    found = needed("(at-least 1 (?m - mug) (clean ?m))", states, nodes=["table3"])
    assert found.things == {"mug2"}


def test_every_kind_of_action_that_is_ready_or_only_the_cheapest():
    """Coffee comes from the machine, or from a jug with coffee in it; the jug is nearer."""
    coffee = [("filled", "jug1"), ("has_coffee", "jug1")]
    few = needed("(has_coffee mug2)", coffee, nodes=["table3"])
    some = needed("(has_coffee mug2)", coffee, nodes=["table3"], alternatives=True)
    assert "jug1" in few.things
    assert "coffee_maker1" not in few.things
    assert {"jug1", "coffee_maker1"} <= some.things


def test_where_things_can_be_put_down():
    problem = problem_of({"plate1": ("on", "table1"), "mango1": ("on", "table2")}, "(on mango1 couch1)")
    assert set(possible_supports(problem, "on")) == {"plate1", "table1", "table2", "table3", "couch1"}
    assert "fridge1" in possible_supports(problem, "in")


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(scenes())
def test_the_order_of_things_does_not_matter(scene):
    """Nothing that is remembered on the way to one answer spoils another."""
    problem = problem_of(**scene)
    where = {name: name for name in problem.of_type("asset")}
    for name, (_, place) in scene["rests"].items():
        where[name] = where.get(place, place)
    for alternatives in (False, True):
        once = find_relevant(problem, where, distances, (), alternatives=alternatives)
        turned = problem_of(**{**scene, "rests": dict(reversed(scene["rests"].items()))})
        assert find_relevant(turned, where, distances, (), alternatives=alternatives) == once


# -- what belongs together, and what is undone on the way ----------------------------------------------
CAFE = parse_domain("""
(define (domain cafe)
  (:types cup loaf crumb thing - object)
  (:predicates (of ?crumb - crumb ?loaf - loaf) (loose ?crumb - crumb) (fresh ?loaf - loaf)
               (clean ?cup - cup) (full ?cup - cup) (tap ?thing - thing) (machine ?thing - thing))
  (:action break :parameters (?loaf - loaf ?crumb - crumb)
    :precondition (and (of ?crumb ?loaf) (fresh ?loaf)) :effect (loose ?crumb))
  (:action bake :parameters (?loaf - loaf ?oven - thing)
    :precondition (machine ?oven) :effect (fresh ?loaf))
  (:action wash :parameters (?cup - cup ?tap - thing)
    :precondition (tap ?tap) :effect (and (clean ?cup) (not (full ?cup))))
  (:action brew :parameters (?cup - cup ?machine - thing)
    :precondition (machine ?machine) :effect (full ?cup)))
""")
CAFE_THINGS = {
    "cup1": "cup",
    "loaf1": "loaf",
    "loaf2": "loaf",
    "crumb1": "crumb",
    "sink1": "thing",
    "maker1": "thing",
}


def of_the_cafe(goal: str, *facts: tuple[str, ...]) -> frozenset[str]:
    init = {("of", "crumb1", "loaf2"), ("fresh", "loaf1"), ("tap", "sink1"), ("machine", "maker1"), *facts}
    formula = parse_goal(goal, CAFE, CAFE_THINGS).formula
    return find_relevant(Problem("cafe", CAFE, CAFE_THINGS, frozenset(init), formula), {}).things


def test_of_what_belongs_together_for_good_the_one_is_needed_with_the_other():
    """The crumb is of the loaf that is not fresh, so that is needed, and what makes it so."""
    assert of_the_cafe("(loose crumb1)") == {"crumb1", "loaf2", "maker1"}


def test_what_an_action_undoes_that_is_asked_for_takes_what_makes_it_so_again():
    both = "(and (clean cup1) (full cup1))"
    assert of_the_cafe(both, ("full", "cup1")) == {"cup1", "sink1", "maker1"}
    assert of_the_cafe("(clean cup1)", ("full", "cup1")) == {"cup1", "sink1"}
