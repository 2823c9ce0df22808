"""Goals that are well-formed and can never hold, and those that only look so."""

from __future__ import annotations

from dataclasses import replace

import pytest

from foretree.planning.task.goals import parse_goal
from foretree.reasoning.goal_meaning import GoalMeaningError, check_meaning, refuse_excluded
from foretree.world_model.ontology import GoalCondition


@pytest.fixture
def check(situation):
    classes = {name: entity.best_class for name, entity in situation.beliefs.entities().items()}
    return lambda goal: check_meaning(parse_goal(goal, situation.domain, classes).formula, situation)


@pytest.mark.parametrize(
    ("goal", "said", "hint"),
    [
        (
            "(and (open fridge1) (not (open fridge1)))",
            "(open fridge1) is to hold and not to hold",
            "Leave one",
        ),
        (
            "(and (exists (?m - mug) (clean ?m)) (not (exists (?m - mug) (clean ?m))))",
            "(exists (?m - mug) (clean ?m)) is to hold and not to hold",
            "Leave one",
        ),
        (
            "(and (open fridge1) (clean mug1) (not (and (clean mug1) (open fridge1))))",
            "is to hold and not to hold",
            "Leave one",
        ),
        (
            "(and (forall (?m - mug) (clean ?m)) (not (forall (?m - mug) (clean ?m))))",
            "(forall (?m - mug) (clean ?m)) is to hold and not",
            "Leave one",
        ),
        (
            "(and (at-least 2 (?m - mug) (clean ?m)) (not (at-least 2 (?m - mug) (clean ?m))))",
            "is to hold and not",
            "Leave one",
        ),
        (
            "(and (or (clean mug1) (open fridge1)) (not (or (clean mug1) (open fridge1))))",
            "is to hold and not",
            "Leave one",
        ),
        ("(and (on mug1 table1) (in mug1 fridge1))", "mug1 can be in one place only", "(or (on mug1 table1)"),
        ("(and (holding robot1 left mug1) (on mug1 table1))", "exclude each other", "Keep one"),
        (
            "(exists (?m - mug) (and (on ?m table1) (in ?m sink1)))",
            "(on ?m table1) and (in ?m sink1)",
            "Keep",
        ),
        ("(in mug1 table2)", "(in mug1 table2) needs (container table2)", "dishwasher1, dresser1, fridge1"),
        ("(sliced mug1)", "needs (sliceable mug1)", "in place of mug1: apple1, apple2, mango1"),
        ("(not (clean mug2))", "no action makes (clean mug2) false", "Leave it out"),
        ("(surface fridge1)", "no action makes (surface fridge1) true", "Leave it out"),
        ("(and (hot mug1) (cold mug1))", "mug1 cannot be hot and cold at once", "Leave a part"),
        ("(forall (?m - mug) (and (on ?m table1) (on ?m table2)))", "exclude each other", "Keep one"),
        ("(at-least 2 (?m - mug) (and (on ?m table1) (in ?m sink1)))", "exclude each other", "Keep one"),
    ],
)
def test_what_can_never_hold_is_refused_with_a_hint(check, goal: str, said: str, hint: str) -> None:
    with pytest.raises(GoalMeaningError) as raised:
        check(goal)
    assert said in str(raised.value)
    assert hint in str(raised.value)


@pytest.mark.parametrize(
    "goal",
    [
        "(or (and (on mug1 table1) (in mug1 fridge1)) (on mug1 table2))",
        "(exists (?m - mug ?p - asset) (and (on ?m table1) (on ?m ?p)))",
        "(and (exists (?m - mug) (on ?m table1)) (exists (?m - mug) (in ?m sink1)))",
        "(forall (?m - mug) (or (not (clean ?m)) (in ?m dishwasher1)))",
        "(clean mug2)",
        "(not (on mug2 table1))",
        "(at-most 1 (?m - mug) (and (on ?m table1) (in ?m sink1)))",
        "(and)",
        "(in towel1 dresser1)",
    ],
)
def test_what_may_hold_is_not_objected_to(check, goal: str) -> None:
    check(goal)


def test_of_several_readings_the_one_with_fewest_violations_is_reported(check) -> None:
    many = "(and (on mug1 table1) (in mug1 fridge1) (sliced mug1) (sliced plate1))"
    with pytest.raises(GoalMeaningError, match="needs \\(container table1\\)"):
        check(f"(or {many} (in plate1 table1))")


def test_the_most_general_violation_is_reported_first(check) -> None:
    with pytest.raises(GoalMeaningError, match="is to hold and not to hold"):
        check("(and (sliced mug1) (on plate1 table1) (in plate1 sink1) (open door1) (not (open door1)))")


def test_goals_of_too_many_alternatives_are_left_to_planning(check) -> None:
    either = "(or (on mug1 table1) (in mug1 fridge1))"
    check(f"(and {' '.join([either] * 12)} (sliced mug1))")


def test_a_condition_looks_up_what_no_action_changes(situation) -> None:
    tidy = GoalCondition(
        ((("on", "?item", "?place"), True), (("wipeable", "?place"), True)), "Nothing goes on {place}."
    )
    situation = replace(situation, ontology=replace(situation.ontology, never=(tidy,)))
    classes = {name: entity.best_class for name, entity in situation.beliefs.entities().items()}
    check_meaning(parse_goal("(on mug1 sofa1)", situation.domain, classes).formula, situation)
    with pytest.raises(GoalMeaningError, match="Nothing goes on table1"):
        check_meaning(parse_goal("(on shirt1 table1)", situation.domain, classes).formula, situation)


@pytest.mark.parametrize(
    ("goal", "excluded"),
    [
        ("(in mug1 fridge1)", True),
        ("(exists (?x - mug) (in ?x fridge1))", True),
        ("(forall (?x - item) (in ?x fridge1))", True),
        ("(or (in mug1 fridge1) (in mug1 sink1))", False),
        ("(in plate1 fridge1)", False),
        ("(in mug1 sink1)", False),
        # What can never hold for another reason is left to planning.
        ("(and (open fridge1) (not (open fridge1)))", False),
    ],
)
def test_conditions_about_classes_are_checked_by_themselves(situation, goal, excluded):
    together = (("in", "?item", "?place"), ("class", "?item", "mug"), ("class", "?place", "fridge"))
    condition = GoalCondition(tuple((atom, True) for atom in together), "no {item} in {place}")
    known = replace(situation, ontology=replace(situation.ontology, never=(condition,)))
    classes = {name: entity.best_class for name, entity in situation.beliefs.entities().items()}
    formula = parse_goal(goal, situation.domain, classes).formula
    if not excluded:
        refuse_excluded(formula, known)
        return
    with pytest.raises(GoalMeaningError, match=r"no \w+ in fridge1\. Leave"):
        refuse_excluded(formula, known)
