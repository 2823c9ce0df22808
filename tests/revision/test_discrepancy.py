"""Discrepancies, as sentences."""

from __future__ import annotations

from foretree.planning.pddl.syntax import Literal, Not
from foretree.planning.plan import Action
from foretree.revision.discrepancy import Discrepancy, describe_seen
from foretree.revision.expectation import Expectation
from foretree.world_model.beliefs.belief import Belief
from foretree.world_model.beliefs.facts import PredicateInfo, Truth, Vocabulary

PICK = Action("a1", "pick", ("robot1", "mango1", "table1"))


def discrepancy(**changes) -> Discrepancy:
    given = {"id": "d1", "action": PICK, "guard": "presence", "expected": "mango1 is on table1"}
    given.update(seen="mango1 is on table2", version=1)
    return Discrepancy(**{**given, **changes})


def belief_of(*atoms) -> Belief:
    places = {name: PredicateInfo("place", True, None, 100.0, "rests") for name in ("on", "in")}
    belief = Belief(Vocabulary({**places, "clean": PredicateInfo("attribute", True)}))
    for atom in atoms:
        belief.tell(atom)
    return belief


def test_an_expectation_that_does_not_hold():
    assert discrepancy().sentence == (
        "pick(robot1, mango1, table1) expects mango1 is on table1, but mango1 is on table2."
    )


def test_a_failure_says_why():
    assert discrepancy(guard="failure", seen="it slipped").sentence == (
        "pick(robot1, mango1, table1) failed: it slipped."
    )


def test_a_purpose_that_is_fulfilled():
    purpose = Expectation("attribute", "a1", Not(Literal(("clean", "mug1"))), purpose=True)
    sentence = discrepancy(expectation=purpose, seen="mug1 is clean").sentence
    assert sentence == "pick(robot1, mango1, table1) is not needed: mug1 is clean."


def test_a_goal_that_is_missed_at_the_end():
    assert discrepancy(action=None, guard="goal").sentence == "The plan is through, but mango1 is on table2."


def test_something_better_in_view():
    sentence = discrepancy(optional=True, expected="mug1", seen="mug2 is on table1").sentence
    assert (
        sentence == "pick(robot1, mango1, table1) is meant for mug1, but mug2 is on table1, which is nearer."
    )


def test_of_a_thing_that_is_elsewhere_it_says_where():
    beliefs = belief_of(("in", "mango1", "fridge1")).snapshot()
    facts = (beliefs.evidence(("on", "mango1", "table1")), beliefs.evidence(("in", "mango1", "box1")))
    assert describe_seen(facts, beliefs) == "mango1 is in fridge1"


def test_of_a_thing_that_is_nowhere_it_says_that_it_is_not_there():
    belief = belief_of(("on", "mango1", "table1"))
    belief.tell(("on", "mango1", "table1"), False)
    beliefs = belief.snapshot()
    assert (
        describe_seen((beliefs.evidence(("on", "mango1", "table1")),), beliefs) == "mango1 is not on table1"
    )


def test_of_what_nobody_knows_it_says_so():
    beliefs = belief_of().snapshot()
    fact = beliefs.evidence(("clean", "mug1"))
    assert fact.truth is Truth.UNKNOWN
    assert describe_seen((fact,), beliefs) == "unknown whether mug1 is clean"
    assert describe_seen((), beliefs) == "nothing is known about it"
