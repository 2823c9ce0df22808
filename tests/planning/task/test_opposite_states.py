"""Problems in which what the goal asks for is not so yet, whatever was seen."""

from __future__ import annotations

import pytest

from foretree.planning.pddl.parser import parse_domain, parse_problem
from foretree.planning.task.opposite_states import with_opposite_states

DOMAIN = parse_domain(
    """(define (domain home)
      (:types mug table - object)
      (:predicates (clean ?m - mug) (hot ?m - mug) (broken ?m - mug) (on ?m - mug ?t - table))
      (:action wash :parameters (?m - mug) :precondition () :effect (clean ?m))
      (:action cool :parameters (?m - mug) :precondition () :effect (not (hot ?m))))"""
)
STATES = ("clean", "hot", "broken")


def changed(goal):
    text = f"""(define (problem p) (:domain home) (:objects a b - mug t - table)
      (:init (clean a) (hot b) (on a t)) (:goal {goal}))"""
    return set(with_opposite_states(parse_problem(text, DOMAIN), STATES).init)


@pytest.mark.parametrize(
    ("goal", "init"),
    [
        ("(exists (?m - mug) (and (clean ?m) (on ?m t)))", {("hot", "b"), ("on", "a", "t")}),
        (
            "(forall (?m - mug) (not (hot ?m)))",
            {("clean", "a"), ("on", "a", "t"), ("hot", "a"), ("hot", "b")},
        ),
    ],
)
def test_every_state_that_the_goal_asks_for_is_not_so_yet_of_anything(goal, init):
    assert changed(goal) == init


def test_places_are_as_believed_and_so_is_what_nothing_brings_about():
    before = {("clean", "a"), ("hot", "b"), ("on", "a", "t")}
    assert changed("(and (on a t) (not (broken a)))") == before
