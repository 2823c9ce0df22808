"""The task behind a plan: objects, ground actions, and the simulation that revisions have to pass."""

from __future__ import annotations

from dataclasses import replace

import pytest
from at_home import AtHome, house

from foretree.planning.pddl.parser import parse_domain
from foretree.planning.plan import Action
from foretree.revision.plan_task import PlanTask
from foretree.world_model.beliefs.belief import Belief
from foretree.world_model.beliefs.facts import Entity, Truth


@pytest.fixture
def home():
    return AtHome(house(items={"egg1": {"class": "egg", "in": "fridge1"}}))


def test_objects_are_the_entities_that_are_believed(home):
    task = home.context.task
    assert task.objects.of_type("mug") == ("mug1",)
    assert "table1" in task.objects.of_type("asset")
    assert list(task.objects.of_type("item")) == sorted(task.objects.of_type("item"))


def test_new_things_and_changed_classes_are_taken_note_of(home):
    task = home.context.task
    action = Action("", "pick", ("robot1", "left", "mug1", "table1"))
    before = task.ground(action)
    assert task.ground(action) is before, "kept"
    home.believe("clean mug1")
    assert task.ground(action) is before, "facts make no difference to it"
    home.imagine("mug9", "mug", "on table2")
    assert task.objects.of_type("mug") == ("mug1", "mug9")
    assert task.ground(action) is not before
    home.take_for("mug1", "cup")
    assert task.objects.of_type("mug") == ("mug9",)


def test_what_was_worked_out_is_forgotten_with_the_objects(home):
    task = home.context.task
    task.worked_out["way"] = "there"
    home.believe("clean mug1")
    assert task.worked_out == {"way": "there"}
    home.imagine("mug9", "mug", "on table2")
    assert task.worked_out == {}


def test_the_types_of_all_objects(home):
    types = home.context.task.types
    assert types["mug1"] == "mug"
    assert types["fridge1"] == "fridge"


def test_things_of_no_type_of_the_domain_are_no_objects(home):
    home.imagine("pan1", "pan", "on table2")
    assert "pan1" in home.context.task.objects.of_type("item")
    entity = home.context.belief.entity("pan1")
    home.context.belief.put_entity(replace(entity, classes={"gargoyle": 1.0}))
    home.context.task.refresh(home.context.belief.snapshot())
    assert "pan1" not in home.context.task.objects.of_type("item")


def test_the_state_is_what_is_believed_and_what_is_assumed(home):
    home.forget("open fridge1", "on mug1 table1")
    state = home.context.task.state(home.context.belief.snapshot())
    assert ("on", "mango1", "table1") in state
    assert ("open", "fridge1") not in state, "assumed closed"
    assert ("on", "mug1", "table1") not in state, "must not be assumed"
    home.believe("on mango1 table1", truth=Truth.FALSE)
    state = home.context.task.state(home.context.belief.snapshot())
    assert ("on", "mango1", "table1") not in state


def test_costs_come_from_the_map(home):
    costs = home.context.places.travel_costs()
    action = Action("", "move", ("robot1", "kitchen", "table1"))
    assert home.context.task.ground(action).cost == costs["travel_cost", "kitchen", "table1"]


def reaches(home, goal, *steps):
    task = home.context.task
    state = task.state(home.context.belief.snapshot())
    return task.reaches(state, [task.ground(home.action(step)) for step in steps], home.goal(goal))


def test_a_plan_that_leads_to_the_goal_has_nothing_in_its_way(home):
    go, take = "move robot1 kitchen table1", "pick robot1 left mug1 table1"
    assert reaches(home, "(holding robot1 left mug1)", go, take) is None
    assert reaches(home, "(on mug1 table1)") is None


def test_a_step_out_of_turn_is_in_the_way(home):
    go, take = "move robot1 kitchen table1", "pick robot1 left mug1 table1"
    assert reaches(home, "(holding robot1 left mug1)", take, go) == (
        "(pick robot1 left mug1 table1) is not possible when its turn comes"
    )


def test_a_plan_that_leads_elsewhere_does_not_reach_the_goal(home):
    assert (
        reaches(home, "(holding robot1 left mug1)", "move robot1 kitchen table1")
        == "it does not reach the goal"
    )


def test_an_addition_wins_over_a_deletion_of_the_same(home):
    task = home.context.task
    state = task.state(home.context.belief.snapshot())
    stay = task.ground(Action("", "move", ("robot1", "kitchen", "kitchen")))
    assert ("rob_at_node", "robot1", "kitchen") in task.advance(state, stay)


def test_things_of_a_domain_without_types_are_objects():
    domain = parse_domain("(define (domain bare) (:predicates (p ?x)))", "bare")
    belief = Belief()
    belief.put_entity(Entity("a", {"object": 1.0}, fixed=True))
    task = PlanTask(domain)
    task.refresh(belief.snapshot())
    assert task.objects.of_type("object") == ("a",)
    assert task.types == {"a": "object"}
