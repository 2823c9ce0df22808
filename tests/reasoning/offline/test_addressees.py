"""Robots that are addressed by name: who does what is a constraint, or refused."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from foretree.clock import SimulatedClock
from foretree.config import find_config
from foretree.planning.constraints.constraints import show_constraint
from foretree.planning.pddl.syntax import show
from foretree.reasoning.instruction_errors import InstructionError
from foretree.reasoning.offline.commands import CommandReasoner
from foretree.reasoning.reasoner import Situation
from foretree.simulation.household.initial_belief import initial_belief
from foretree.simulation.household.scene_file import load_scene
from foretree.skills.catalogue_file import load_catalogue


@cache
def situation(name: str) -> Situation:
    catalogue = load_catalogue("household")
    scene = load_scene(find_config("scenes", name), catalogue.ontology)
    catalogue = catalogue.of_a_team if scene.teammates else catalogue
    belief = initial_belief(scene, SimulatedClock())
    forms = tuple(form for skill in catalogue.skills.values() for form in skill.forms)
    rooms = {place.name: place.room for place in scene.places.places()}
    return Situation(
        belief.snapshot(), catalogue.domain, catalogue.ontology, forms, speaker="person1", rooms=rooms
    )


def understood(said, scene="two_robots"):
    return CommandReasoner().understand(said, situation(scene))


def meaning(said, scene="two_robots"):
    found = understood(said, scene)
    return show(found.goal), [show_constraint(rule) for rule in found.constraints]


@pytest.mark.parametrize(
    "said",
    [
        "robot2, rinse the bowl",
        "robot 2, please rinse the bowl",
        "Robot two should rinse the bowl.",
        "rinse the bowl, robot2",
        "have robot2 rinse the bowl",
        "I would like robot2 to rinse the bowl",
        "could robot2 rinse the bowl?",
        "robot2 rinses the bowl",
        "the bowl should be rinsed by robot2",
        "use robot2 to rinse the bowl",
    ],
)
def test_one_robot_is_to_do_it(said):
    assert meaning(said) == ("(clean bowl1)", ["(never-use wash robot1 bowl1)"])


def test_what_is_asked_of_the_robot_itself():
    goal, rules = meaning("robot2 should drive to the kitchen")
    assert (goal, rules) == ("(rob_at_node robot2 kitchen)", [])
    assert (
        meaning("ask robot1 to pick up the fork")[0] == "(exists (?hand - hand) (holding robot1 ?hand fork1))"
    )


def test_all_of_a_kind():
    assert meaning("robot1 must put all the bowls in the cupboard")[1] == [
        "(forall (?x - bowl) (never-use place_in robot2 ?x cupboard1))"
    ]


def test_each_robot_its_own():
    found = understood("let robot1 rinse the bowl and robot2 put the fork on the table")
    assert show(found.goal) == "(and (clean bowl1) (on fork1 table1))"
    assert {show_constraint(rule) for rule in found.constraints} == {
        "(never-use wash robot2 bowl1)",
        "(never-use place_on robot1 fork1 table1)",
    }


def test_the_order_is_kept():
    goal, rules = meaning("rinse the bowl, then robot2 should put it on the shelf")
    assert goal == "(and (clean bowl1) (on bowl1 shelf1))"
    assert "(sometime-before (on bowl1 shelf1) (clean bowl1))" in rules


def test_a_condition_before():
    goal, rules = meaning("if the bowl is dirty, robot1 should wash it")
    assert (goal, rules) == ("(clean bowl1)", ["(never-use wash robot2 bowl1)"])


@pytest.mark.parametrize(
    ("said", "rules"),
    [
        ("put the book on the shelf without robot1", ["(never-use * robot1)"]),
        ("put the book on the shelf, but not with robot1", ["(never-use * robot1)"]),
        ("put the book on the shelf without the help of robot1", ["(never-use * robot1)"]),
    ],
)
def test_a_robot_is_spared(said, rules):
    assert meaning(said) == ("(on book1 shelf1)", rules)


@pytest.mark.parametrize(
    ("said", "rule"),
    [
        ("robot1 must not open the fridge", "(never-use open robot1 fridge1)"),
        ("only robot2 may open the fridge", "(never-use open robot1 fridge1)"),
        ("don't let robot1 touch the book", "(never-use * robot1 book1)"),
        ("robot1 should never go to the dining room", "(never-use move robot1 dining)"),
        ("robot1 shouldn't help", "(never-use * robot1)"),
    ],
)
def test_what_a_robot_must_not_do(said, rule):
    goal, rules = meaning(said)
    assert (goal, rules) == ("(and)", [rule])


def test_what_a_robot_is_able_to():
    asked = []

    def feasible(goal, rules):
        asked.append((show(goal), [show_constraint(rule) for rule in rules]))
        return "Yes."

    able = replace(situation("two_robots"), feasible=feasible)
    assert CommandReasoner().understand("can robot2 reach the fridge?", able).answer == "Yes."
    CommandReasoner().understand("is robot2 able to rinse the bowl?", able)
    assert asked == [
        ("(rob_at_node robot2 fridge1)", []),
        ("(clean bowl1)", ["(never-use wash robot1 bowl1)"]),
    ]


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("robot3, rinse the bowl", "no robot3 here"),
        ("robot 7 should rinse the bowl", "no robot7 here"),
        ("the other robot should rinse the bowl", "by its name"),
        ("let both robots rinse the bowl", "by its name"),
        ("robot2 should rinse the bowl before robot1 washes the fork", '"robot1 washes"'),
        ("robot1 rinses the bowl while robot2 is opening the fridge", '"robot2 is"'),
        (
            "if the bowl is dirty, robot1 should wash it and robot2 should open the fridge",
            "one thing at a time",
        ),
    ],
)
def test_what_is_refused(said, why):
    with pytest.raises(InstructionError, match=why):
        understood(said)


HELD = "(exists (?into - hand) (holding robot2 ?into bowl1))"


@pytest.mark.parametrize(
    ("said", "rules"),
    [
        ("hand the bowl over to robot2", ["(never-use pick robot2 bowl1)"]),
        ("pass robot2 the bowl", ["(never-use pick robot2 bowl1)"]),
        ("robot1, give robot2 the bowl", ["(never-use pick robot2 bowl1)"]),
        ("give the bowl to robot2", []),
        ("bring robot 2 the bowl", []),
    ],
)
def test_things_are_given_to_robots(said, rules):
    assert meaning(said) == (HELD, rules)


def test_what_is_handed_over_goes_on():
    goal, rules = meaning("robot1 should hand the bowl to robot2 and robot2 should put it on the table")
    assert goal == "(on bowl1 table1)"
    assert f"(sometime {HELD})" in rules
    assert "(never-use place_on robot1 bowl1 table1)" in rules


def test_a_robot_that_gives_nothing_to_another():
    assert meaning("robot1 must not hand robot2 the bowl")[1] == ["(never-use hand_over robot1 bowl1 robot2)"]
    assert meaning("hand me the bowl") == ("(given bowl1 person1)", [])


def test_where_there_is_one_robot():
    assert meaning("robot1, wash the plate", "kitchen") == ("(clean plate1)", [])
    with pytest.raises(InstructionError, match="no robot2 here; the robot here is robot1"):
        understood("robot2, wash the plate", "kitchen")
    with pytest.raises(InstructionError, match="the only robot"):
        understood("wash the plate without robot1", "kitchen")


def test_robots_with_names_of_their_own():
    assert meaning("the cart should open the dresser", "arm_and_cart")[1] == ["(never-use open arm dresser1)"]
    assert meaning("arm, open the dresser", "arm_and_cart")[1] == ["(never-use open cart dresser1)"]
