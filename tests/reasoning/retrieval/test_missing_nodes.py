"""What the goal needs and was not retrieved."""

from dataclasses import replace

import pytest
from office import building, catalogue, office

from foretree.planning.pddl.parser import parse_domain
from foretree.planning.pddl.syntax import Problem
from foretree.planning.task.goals import parse_goal
from foretree.reasoning.retrieval.missing_nodes import find_missing_nodes
from foretree.simulation.household.scene import Item

OFFICE = office()
ALL = tuple(building().assets)


def completed(text, nodes=(), there=OFFICE):
    entities = {name: entity.best_class for name, entity in there.beliefs.entities().items()}
    goal = parse_goal(text, catalogue().domain, entities).formula
    return {
        hit.node: hit.why
        for hit in find_missing_nodes(nodes, there.problem(goal), there.where, building().places.distances)
    }


@pytest.mark.parametrize(
    ("goal", "needed"),
    [
        # What the goal names, and where that is.
        ("(in mango1 fridge1)", {"kitchen_table2", "fridge1"}),
        ("(on fork2 couch1)", {"kitchen_table3", "couch1"}),
        # What actions take.
        ("(hot bread1)", {"kitchen_table1", "microwave1"}),
        ("(sliced tomato1)", {"fridge1", "kitchen_table1"}),
        ("(has_coffee cup1)", {"kitchen_table1", "coffee_maker1"}),
        ("(wiped blackboard1)", {"blackboard1", "meeting_table1"}),
        ("(clipped paper1)", {"table605", "storage_drawers1"}),
        ("(hung_on paper1 blackboard1)", {"table605", "blackboard1"}),
        # As many as are asked for, and the nearest.
        ("(exists (?c - cup) (has_coffee ?c))", {"coffee_maker1", "kettle_table1"}),
        ("(at-least 2 (?p - paper) (in ?p trash_bin1))", {"trash_bin1", "table605", "table607"}),
        ("(forall (?p - paper) (in ?p trash_bin1))", {"trash_bin1", "table605", "table607"}),
        ("(at-most 0 (?h - hat) (on ?h couch1))", {"couch1"}),
        ("(not (exists (?h - hat) (on ?h couch1)))", {"couch1"}),
        # One of two.
        ("(or (on mango1 couch1) (on fork2 couch1))", {"couch1", "kitchen_table3"}),
        # Nothing to do, nothing needed but what is named.
        ("(on mango1 kitchen_table2)", {"kitchen_table2"}),
    ],
)
def test_what_is_needed(goal, needed):
    assert set(completed(goal, ["trash_bin1"])) == needed - {"trash_bin1"}


def test_a_chain_of_actions():
    """Sugar comes from the jar onto a spoon and into the cup; then it is stirred."""
    found = completed("(sweetened mug2)")
    assert {"table601", "kettle_table1"} <= set(found)
    assert len(found) <= 4


def test_nothing_is_added_to_everything():
    for goal in ("(sweetened mug2)", "(forall (?p - paper) (in ?p trash_bin1))", "(hot bread1)"):
        assert completed(goal, ALL) == {}


def test_what_is_there_already_is_preferred_to_what_is_near():
    assert set(completed("(sliced tomato1)", ["kitchen_table1"])) == {"fridge1"}
    assert set(completed("(clean mug2)", ["washing_machine1"])) - {"sink1"} == {"table601"}


def test_it_says_what_for():
    reasons = completed("(hot bread1)", ["kitchen_table1"])
    assert reasons == {"microwave1": "heat_in_microwave takes microwave1, for (hot bread1)"}
    assert completed("(on fork2 couch1)")["kitchen_table3"] == "the goal names fork2"


def test_the_nearest_knife_is_taken():
    items = {
        "knife1": Item("knife1", "knife", "on", "table614"),
        "knife2": Item("knife2", "knife", "on", "table606"),
    }
    there = office(items)
    knives = {"table614", "table606"}
    from_fridge = building().places.distances("fridge1")
    nearest = min(knives, key=lambda node: from_fridge[node])
    assert set(completed("(sliced tomato1)", there=there)) & knives == {nearest}


def test_what_cannot_be_is_left_to_the_planner_to_say():
    assert set(completed("(sliced pen1)")) == {"table603"}


LOCKS = """
(define (domain locks)
  (:types place thing - object key chest - thing)
  (:predicates (at ?t - thing ?p - place) (fits ?k - key ?c - chest) (locked ?c - chest) (oiled ?k - key)
               (oil ?t - thing))
  (:action oil :parameters (?k - key ?o - thing) :precondition (oil ?o) :effect (oiled ?k))
  (:action unlock :parameters (?k - key ?c - chest)
    :precondition (and (fits ?k ?c) (oiled ?k) (locked ?c)) :effect (not (locked ?c))))
"""


def test_any_domain_will_do():
    domain = parse_domain(LOCKS)
    objects = {"k1": "key", "k2": "key", "c": "chest", "can": "thing", "jug": "thing"}
    init = frozenset({("locked", "c"), ("oil", "can")})
    goal = parse_goal("(not (locked c))", domain, objects).formula
    problem = Problem("p", domain, objects, init, goal)
    where = {"k1": "far", "k2": "near", "c": "hall", "can": "shed", "jug": "hall"}
    found = find_missing_nodes([], problem, where, lambda node: {"far": 9, "near": 1, "shed": 5})
    assert {hit.node for hit in found} == {"hall", "near", "shed"}
    oiled = replace(problem, init=init | {("oiled", "k1")})
    assert {hit.node for hit in find_missing_nodes(["far"], oiled, where)} == {"hall"}
