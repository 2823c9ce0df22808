from __future__ import annotations

import pytest

from foretree.planning.pddl.syntax import show
from foretree.regression.language.autogptp.goal_text import GoalTextError, read_goal
from foretree.regression.language.autogptp.trial import scenario_domain

OBJECTS = {
    "apple0": "apple",
    "plate0": "plate",
    "cup0": "cup",
    "cup1": "cup",
    "table0": "table",
    "robot0": "robot",
    "milk0": "milk",
}
A, B, C, D = "(on apple0 plate0)", "(clean cup0)", "(clean cup1)", "(opened milk0)"


def read(text):
    return read_goal(text, scenario_domain().catalogue().domain, OBJECTS)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("on apple0 plate0", A),
        ("(on apple0 plate0)", A),
        ("ON Apple:0 plate:0", A),
        (f"and {A} {B}", f"(and {A} {B})"),
        (f"(and {A} {B})", f"(and {A} {B})"),
        (f"or (and {A} {B}) {C}", f"(or (and {A} {B}) {C})"),
        (f"or (and {A} {B}) (and {C} {D})", f"(or (and {A} {B}) (and {C} {D}))"),
        (f"not {A}", "(not (on apple0 plate0))"),
        ("visited table0", "(visited table0)"),
        ("visited robot0 table0", "(visited_by robot0 table0)"),
    ],
)
def test_goals_with_no_more_than_the_outermost_parentheses_missing(text, meant):
    found = read(text)
    assert (found.text, show(found.formula)) == (meant, meant)
    assert not found.mended


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        (f"and {A} (or {B} {C}", f"(and {A} (or {B} {C}))"),
        (f"and {A} {B[:-1]}", f"(and {A} {B})"),
        (f"and {A[:-1]} {B}", f"(and {A} {B})"),
        (f"and {A}) {B}", f"(and {A} {B})"),
        (f"and {A} {B}))", f"(and {A} {B})"),
        (f"and ({A} {B}", f"(and {A} {B})"),
        (f"{A} {B}", f"(and {A} {B})"),
        # Closed only at the end, the conjunction would be all that there is to choose from.
        (f"or (and {A} {B} (and {C} {D})", f"(or (and {A} {B}) (and {C} {D}))"),
        (f"and (or {A} {B} {C}", f"(and (or {A} {B}) {C})"),
    ],
)
def test_goals_with_unbalanced_parentheses(text, meant):
    assert read(text).text == meant


def test_a_goal_that_could_be_closed_in_several_ways_is_not_guessed():
    with pytest.raises(GoalTextError, match=r"could mean (?s:.*) or "):
        read(f"and (or {A} {B} {C} {D}")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "is empty"),
        (")", "says nothing"),
        ("and", "Nothing follows"),
        (f"and {A} (", "a predicate should follow"),
        ("onto apple0 plate0", "no predicate"),
        ("on apple0", r"write \(on ITEM BELOW\)"),
        ("on apple0 plate7", "Did you mean plate0"),
    ],
)
def test_what_no_goal_is(text, says):
    with pytest.raises(GoalTextError, match=says):
        read(text)
