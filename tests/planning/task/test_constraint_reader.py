"""Constraints as text: what is read, what is said back, and what is refused."""

from __future__ import annotations

import pytest
from households import KITCHEN, household

from foretree.planning.constraints.constraints import (
    Always,
    AtMostOnce,
    Before,
    ConstraintError,
    InOrder,
    NeverUse,
    describe_constraint,
    show_constraint,
)
from foretree.planning.constraints.reader import parse_constraint, parse_constraints
from foretree.planning.pddl.syntax import Forall, Literal, Or, Typed

PROBLEM = household(list(KITCHEN), ["mug1", "knife1"], "(clean mug1)")
OPEN = Literal(("open", "drawer1"))
CLEAN = Literal(("clean", "mug1"))


def parse(text: str):
    return parse_constraint(text, PROBLEM.domain, PROBLEM.objects)


@pytest.mark.parametrize(
    ("text", "constraint"),
    [
        ("(always (not (open drawer1)))", Always(~OPEN)),
        ("(always (imply (clean mug1) (open drawer1)))", Always(Or((~CLEAN, OPEN)))),
        ("(sometime-before (open drawer1) (clean mug1))", Before(CLEAN, OPEN)),
        ("(at-most-once (clean mug1))", AtMostOnce(CLEAN)),
        ("(sometime (clean mug1))", InOrder((CLEAN,))),
        ("(sequence (clean mug1) (not (clean mug1)))", InOrder((CLEAN, ~CLEAN))),
        ("(never-use open drawer1)", NeverUse("open", ("drawer1",))),
        ("(never-use * mug1)", NeverUse(None, ("mug1",))),
        ("(forall (?i - item) (never-use wash ?i))", NeverUse("wash", (Typed("?i", "item"),))),
        (
            "(forall (?a - asset) (always (not (open ?a))))",
            Always(Forall((Typed("?a", "asset"),), Literal(("open", "?a"), False))),
        ),
    ],
)
def test_what_is_read_is_said_back_and_read_again(text, constraint):
    assert parse(text) == (constraint,)
    assert parse(show_constraint(constraint)) == (constraint,)


def test_several_constraints_make_one_list():
    texts = ["(and (never-use * mug1) (always (not (open drawer1))))", "(sometime (clean mug1))"]
    found = parse_constraints(texts, PROBLEM.domain, PROBLEM.objects)
    assert found == (NeverUse(None, ("mug1",)), Always(~OPEN), InOrder((CLEAN,)))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", ["empty", "(always F)"]),
        ("(never (open drawer1))", ['"never"', "(never-use ACTION OBJECT"]),
        ("(always (opened drawer1))", ["opened", "open"]),
        ("(always (open drawer9))", ["drawer9", "column 15"]),
        ("(always (at-least 2 (?i - item) (clean ?i)))", ["counts"]),
        ("(never-use opn drawer1)", ['"opn"', "open"]),
        ("(never-use *)", ["any action"]),
        ("(never-use open drawer9)", ['"drawer9"', "drawer1"]),
        ("(forall (?i - item) (sometime (clean ?i)))", ["within forall"]),
        ("(always (open drawer1)", ["never closed"]),
        ("(always (open drawer1) (clean mug1))", ["(always (predicate …))"]),
    ],
)
def test_what_is_wrong_is_said_in_a_paragraph(text, words):
    with pytest.raises(ConstraintError) as raised:
        parse(text)
    for word in words:
        assert word in str(raised.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("(always (not (open drawer1)))", "(not (open drawer1)) is never made false"),
        ("(never-use * mug1)", "no action with mug1"),
        ("(forall (?i - item) (never-use wash ?i))", "no wash with any item"),
        ("(sometime-before (open drawer1) (clean mug1))", "(clean mug1) comes before (open drawer1)"),
    ],
)
def test_constraints_in_words(text, words):
    (constraint,) = parse(text)
    assert describe_constraint(constraint) == words
