"""Goals: what they may say, what is said about mistakes, and which repairs are safe."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foretree.planning.pddl.parser import parse_domain
from foretree.planning.pddl.syntax import And, Count, Equal, Exists, Forall, Literal, Not, Or, Typed, show
from foretree.planning.task.goals import GoalError, parse_goal

DOMAIN = parse_domain(
    """(define (domain home)
      (:types item asset - object mug - item)
      (:constants sofa1 - asset)
      (:predicates
        (on ?i - item ?p - asset) (in ?i - item ?p - asset) (open ?p - asset) (clean ?i - item)))"""
)
OBJECTS = {"mug1": "mug", "mug2": "mug", "book1": "item", "table1": "asset", "fridge1": "asset"}
ON = Literal(("on", "mug1", "table1"))
IN = Literal(("in", "mug2", "fridge1"))
OPEN = Literal(("open", "fridge1"))


def goal(text: str):
    return parse_goal(text, DOMAIN, OBJECTS)


def refusal(text: str) -> str:
    with pytest.raises(GoalError) as caught:
        goal(text)
    message = str(caught.value)
    assert "\n" not in message
    return message


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("(on mug1 table1)", ON),
        ("(ON Mug1 table1)", ON),
        ("(and (on mug1 table1) (in mug2 fridge1))", And((ON, IN))),
        ("(on mug1 table1) (in mug2 fridge1)", And((ON, IN))),
        ("(or (on mug1 table1) (not (open fridge1)))", Or((ON, ~OPEN))),
        ("(imply (open fridge1) (on mug1 table1))", Or((~OPEN, ON))),
        ("(not (= mug1 mug2))", Not(Equal("mug1", "mug2"))),
        ("(exists (?m - mug) (on ?m sofa1))", Exists((Typed("?m", "mug"),), Literal(("on", "?m", "sofa1")))),
        ("(forall (?m - mug) (clean ?m))", Forall((Typed("?m", "mug"),), Literal(("clean", "?m")))),
        (
            "(at-least 2 (?m - mug) (clean ?m))",
            Count(Typed("?m", "mug"), Literal(("clean", "?m")), at_least=2),
        ),
        (
            "(at-most 1 (?m - mug) (clean ?m))",
            Count(Typed("?m", "mug"), Literal(("clean", "?m")), at_most=1),
        ),
        (
            "(exactly 1 (?m - mug) (clean ?m))",
            Count(Typed("?m", "mug"), Literal(("clean", "?m")), at_least=1, at_most=1),
        ),
    ],
)
def test_what_a_goal_may_say(text, formula):
    parsed = goal(text)
    assert parsed.formula == formula
    assert parsed.repair is None


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            "(onn mug1 table1)",
            'In the goal, column 2: "onn" is not a predicate. Did you mean (on ?i - item ?p - asset)',
        ),
        ("(and (xyz))", 'column 7: "xyz" is not a predicate. Valid: (clean ?i - item), (in ?i - item'),
        (
            "(on mug1 tabel1)",
            'column 10: "tabel1" is not a known object (an asset is expected here). Did you mean table1',
        ),
        (
            "(on mug1 xyz)",
            'column 10: "xyz" is not a known object (an asset is expected here). Valid: fridge1, sofa1,',
        ),
        (
            "(on table1 mug1)",
            'column 5: "table1" is of type asset, and (on ?i - item ?p - asset) takes an item there.',
        ),
        ("(on mug1)", 'column 1: "(on mug1)" has 1 argument; (on ?i - item ?p - asset) takes 2.'),
        ("(forall (?m - mug) (clean ?x))", 'column 27: Nothing binds the variable "?x". Bound here: ?m'),
        ("(exists (?m - cup) (clean ?m))", 'column 15: "cup" is not a type.'),
        ("", "column 1: The goal is empty"),
        ("on mug1 table1", 'column 1: "on" stands outside parentheses: write (on mug1 table1).'),
        ("on(mug1, table1)", 'column 1: "on" stands outside parentheses: write (predicate object …).'),
        ("(and (open fridge1)\n (opn fridge1))", 'line 2, column 3: "opn" is not a predicate'),
        (")(on mug1 table1", "column 1: This closing parenthesis closes nothing"),
    ],
)
def test_mistakes_name_the_column_and_what_is_valid(text, says):
    assert says in refusal(text)


# -- repairs ---------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "meant", "says"),
    [
        ("(on mug1 table1", ON, "Added 1 closing parenthesis at the end"),
        ("(and (on mug1 table1) (in mug2 fridge1", And((ON, IN)), "Added 2 closing parentheses at the end"),
        ("(and (on mug1 table1) (in mug2 fridge1)", And((ON, IN)), "Added 1 closing parenthesis at the end"),
        ("(or (on mug1 table1) (open fridge1)", Or((ON, OPEN)), "Added 1 closing parenthesis at the end"),
        ("(on mug1 table1) (in mug2 fridge1", And((ON, IN)), "Added 1 closing parenthesis at the end"),
        ("(on mug1 table1))", ON, "Removed 1 closing parenthesis at column 17"),
        ("(on mug1 table1)))", ON, "Removed 2 closing parentheses at column 17"),
        ("on mug1 table1)", ON, "Added 1 opening parenthesis at the beginning"),
        ("and (on mug1 table1) (in mug2 fridge1))", And((ON, IN)), "opening parenthesis at the beginning"),
        ("(and on mug1 table1) (in mug2 fridge1))", And((ON, IN)), "opening parenthesis at column 6"),
        ("(and (not (open fridge1) (on mug1 table1))", And((~OPEN, ON)), "closing parenthesis at column 25"),
        ("((on mug1 table1)", ON, "Removed 1 opening parenthesis at column 2"),
        (
            "(exists (?m - mug (on ?m table1))",
            Exists((Typed("?m", "mug"),), Literal(("on", "?m", "table1"))),
            "closing parenthesis at column 18",
        ),
    ],
)
def test_one_reasonable_repair_is_made_and_reported(text, meant, says):
    parsed = goal(text)
    assert _flat(parsed.formula) == meant
    assert says in parsed.repair
    assert parsed.repair.endswith(f"read the goal as {show(parsed.formula)}.")


@pytest.mark.parametrize(
    "text",
    [
        # The missing parenthesis may close the inner "or" after two alternatives or after three.
        "(and (or (on mug1 table1) (open fridge1) (clean mug2))",
        # The surplus one may have been meant to end the "or" later, or not at all.
        "(or (on mug1 table1) (open fridge1)) (clean mug2))",
    ],
)
def test_two_meanings_are_refused_and_both_are_shown(text):
    message = refusal(text)
    assert "it could mean" in message
    assert " or (" in message


def test_an_empty_conjunction_is_no_way_to_repair():
    assert goal("(and ((on mug1 table1) (in mug2 fridge1))").formula == And((ON, IN))
    assert "no change in a single place" in refusal("(and")


def test_very_long_goals_are_not_repaired():
    assert "too long to find out where" in refusal("(and " + "(open fridge1) " * 200)


def test_no_repair_for_a_goal_that_is_wrong_otherwise():
    message = refusal("(and (onn mug1 table1) (open fridge1)")
    assert "1 closing parenthesis is missing" in message
    assert '"onn" is not a predicate' in message


def _flat(formula):
    """Nested conjunctions as one, and disjunctions likewise."""
    if isinstance(formula, (And, Or)):
        kind = type(formula)
        parts = []
        for part in map(_flat, formula.parts):
            parts += part.parts if isinstance(part, kind) else [part]
        return kind(tuple(parts)) if len(parts) != 1 else parts[0]
    if isinstance(formula, Not):
        return Not(_flat(formula.part))
    if isinstance(formula, (Exists, Forall)):
        return type(formula)(formula.variables, _flat(formula.body))
    return formula


_MUG = (Typed("?m", "mug"),)
_LITERALS = st.sampled_from([ON, IN, OPEN, ~OPEN, Literal(("clean", "mug1"))])
_GOALS = st.recursive(
    _LITERALS,
    lambda inner: st.one_of(
        st.builds(And, st.lists(inner, min_size=2, max_size=3).map(tuple)),
        st.builds(Or, st.lists(inner, min_size=2, max_size=3).map(tuple)),
        st.builds(Not, inner.filter(lambda formula: not isinstance(formula, Literal))),
        st.builds(lambda kind, body: kind(_MUG, body), st.sampled_from([Exists, Forall]), inner),
    ),
    max_leaves=6,
)


@given(_GOALS)
def test_what_is_shown_is_read_back(formula):
    assert goal(show(formula)).formula == formula


@given(_GOALS, st.data())
def test_a_repair_never_changes_what_was_meant(formula, data):
    """Whichever parenthesis gets lost, or doubled, the goal is read as it was or refused."""
    text = show(formula)
    place = data.draw(st.sampled_from([at for at, character in enumerate(text) if character in "()"]))
    doubled = data.draw(st.booleans())
    replacement = text[place] * 2 if doubled else " "
    try:
        parsed = goal(text[:place] + replacement + text[place + 1 :])
    except GoalError:
        return
    assert parsed.repair is not None
    assert _flat(parsed.formula) == _flat(formula)


@given(_GOALS)
def test_a_forgotten_last_parenthesis_is_put_back_unless_another_place_means_something_else(formula):
    text = show(formula)[:-1]
    others = {text[:at] + ")" + text[at:] for at in range(len(text)) if text[at] == " "}
    others = {
        other for other in others if (read := _read(other)) is not None and _flat(read) != _flat(formula)
    }
    if others and _read(text) is None:
        return
    assert _flat(_read(text)) == _flat(formula)


def _read(text):
    try:
        return goal(text).formula
    except GoalError:
        return None
