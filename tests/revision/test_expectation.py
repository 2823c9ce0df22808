"""Expectations: how a belief measures up to them, and how they are said."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foretree.planning.pddl.syntax import And, Exists, Literal, Not, Or, Typed
from foretree.planning.semantics.evaluation import evaluate
from foretree.revision.expectation import (
    Expectation,
    ExpectationStatus,
    assess,
    describe,
    say,
    say_atom,
    say_facts,
)
from foretree.world_model.beliefs.belief import Belief
from foretree.world_model.beliefs.facts import BY_CLASS, Fact, PredicateInfo, Truth, Vocabulary

VOCABULARY = Vocabulary(
    {
        "on": PredicateInfo("place", True, None, 100.0, "rests"),
        "under": PredicateInfo("place", True, None, 100.0, "rests"),
        "clean": PredicateInfo("attribute", True, False, 60.0),
        "sliced": PredicateInfo("attribute", True, False),
        "rob_at_node": PredicateInfo("robot", False, False, None, "body"),
    }
)
HOLDS, BROKEN, UNSURE = ExpectationStatus.HOLDS, ExpectationStatus.BROKEN, ExpectationStatus.UNSURE


class Mugs:
    def of_type(self, type_name):
        return ("mug1", "mug2")


def lit(words: str) -> Literal:
    return Literal(tuple(words.removeprefix("not ").split()), not words.startswith("not "))


def belief_of(*lines, **more) -> Belief:
    belief = Belief(VOCABULARY)
    for line in lines:
        belief.tell(lit(line).atom, lit(line).positive, **more)
    return belief


def measured(formula, belief, now=0.0, certainty=0.6, purpose=False):
    return assess(Expectation("presence", "a1", formula, purpose), belief.snapshot(), Mugs(), now, certainty)


def verdict(formula, belief, **more):
    return measured(formula, belief, **more).verdict


def test_what_is_believed_holds_and_what_is_contradicted_is_broken():
    belief = belief_of("clean mug1")
    assert verdict(lit("clean mug1"), belief) is HOLDS
    assert verdict(lit("not clean mug1"), belief) is BROKEN


def test_what_nobody_knows_is_unsure():
    belief = belief_of()
    assert verdict(lit("clean mug1"), belief) is UNSURE
    assert verdict(lit("not clean mug1"), belief) is UNSURE
    assert verdict(lit("on mug1 table1"), belief) is UNSURE


def test_what_is_not_observable_is_false_until_told():
    assert verdict(lit("rob_at_node robot1 table1"), belief_of()) is BROKEN


@pytest.mark.parametrize("line", ["clean mug1", "not clean mug1"])
def test_what_is_older_than_its_shelf_life_is_unsure_either_way(line):
    belief = belief_of(line, time=5.0)
    assert verdict(lit("clean mug1"), belief, now=65.0) is not UNSURE, "60 s are still fresh"
    assert verdict(lit("clean mug1"), belief, now=65.1) is UNSURE


def test_what_has_no_shelf_life_keeps():
    assert verdict(lit("sliced mango1"), belief_of("sliced mango1"), now=1e6) is HOLDS


def test_what_follows_from_what_a_thing_is_does_not_grow_old():
    belief = belief_of("clean mug1", time=5.0, source=BY_CLASS)
    assert verdict(lit("clean mug1"), belief, now=1e6) is HOLDS
    belief.tell(("clean", "mug1"), False, time=6.0, source="action")
    assert verdict(lit("clean mug1"), belief, now=1e6) is UNSURE


@pytest.mark.parametrize("line", ["clean mug1", "not clean mug1"])
def test_what_is_less_certain_than_the_skill_demands_is_unsure(line):
    belief = belief_of(line, confidence=0.7)
    assert verdict(lit("clean mug1"), belief, certainty=0.7) is not UNSURE
    assert verdict(lit("clean mug1"), belief, certainty=0.71) is UNSURE


def test_an_exclusion_is_as_fresh_and_as_certain_as_what_excludes():
    belief = belief_of("on mug1 table2", confidence=0.9, time=0.0)
    assert verdict(lit("on mug1 table1"), belief) is BROKEN
    assert verdict(lit("on mug1 table1"), belief, certainty=0.95) is UNSURE
    assert verdict(lit("on mug1 table1"), belief, now=101.0) is UNSURE


def test_a_purpose_is_content_with_old_and_weak_beliefs_but_not_with_none():
    belief = belief_of("clean mug1", confidence=0.1)
    assert verdict(Not(lit("clean mug1")), belief, now=1e4, purpose=True) is BROKEN
    assert verdict(lit("clean mug1"), belief, now=1e4, purpose=True) is HOLDS
    assert verdict(Not(lit("clean mug2")), belief, purpose=True) is UNSURE


def test_a_disjunction_across_kinds_is_judged_as_a_whole():
    either = Or((lit("on mug1 table1"), lit("clean mug1")))
    assert verdict(either, belief_of("on mug1 table2", "clean mug1")) is HOLDS
    assert verdict(either, belief_of("on mug1 table2", "not clean mug1")) is BROKEN
    assert verdict(either, belief_of("on mug1 table2")) is UNSURE


def test_a_true_disjunction_stands_on_its_first_true_part_alone():
    """The other part is stale; that does not matter."""
    belief = belief_of("clean mug1", time=50.0)
    belief.tell(("on", "mug1", "table1"), time=0.0)
    either = Or((lit("clean mug1"), lit("on mug1 table1")))
    standing = measured(either, belief, now=105.0)
    assert standing.verdict is HOLDS
    assert [fact.atom for fact in standing.facts] == [("clean", "mug1")]


def test_a_false_disjunction_stands_on_all_its_parts():
    belief = belief_of("not clean mug1", "on mug1 table2")
    standing = measured(Or((lit("clean mug1"), lit("on mug1 table1"))), belief)
    assert {fact.atom for fact in standing.facts} == {("clean", "mug1"), ("on", "mug1", "table1")}
    assert all(fact.truth is Truth.FALSE for fact in standing.facts)


def test_a_false_conjunction_stands_on_one_of_its_false_parts():
    belief = belief_of("clean mug1", "not sliced mug1", "on mug1 table2")
    both = And((lit("clean mug1"), lit("sliced mug1"), lit("on mug1 table1")))
    standing = measured(both, belief)
    assert standing.verdict is BROKEN
    assert [fact.atom for fact in standing.facts] == [("sliced", "mug1")]


def test_a_true_conjunction_stands_on_all_its_parts_and_the_oldest_counts():
    belief = belief_of("clean mug1", time=100.0)
    belief.tell(("on", "mug1", "table1"), time=0.0)
    both = And((lit("clean mug1"), lit("on mug1 table1")))
    assert len(measured(both, belief, now=100.0).facts) == 2
    assert verdict(both, belief, now=101.0) is UNSURE


def test_an_unknown_formula_names_what_is_unknown():
    belief = belief_of("on mug1 table1")
    standing = measured(And((lit("on mug1 table1"), lit("clean mug1"), lit("sliced mug1"))), belief)
    assert [fact.atom for fact in standing.facts] == [("clean", "mug1"), ("sliced", "mug1")]
    either = Or((lit("on mug1 table2"), lit("clean mug1")))
    assert [fact.atom for fact in measured(either, belief).facts] == [("clean", "mug1")]


def test_the_facts_behind_a_negated_conjunction_are_those_of_the_conjunction():
    belief = belief_of("clean mug1", "sliced mug1")
    standing = measured(Not(And((lit("clean mug1"), lit("sliced mug1")))), belief, purpose=True)
    assert standing.verdict is BROKEN
    assert {fact.atom for fact in standing.facts} == {("clean", "mug1"), ("sliced", "mug1")}
    belief.tell(("sliced", "mug1"), False)
    standing = measured(Not(And((lit("clean mug1"), lit("sliced mug1")))), belief)
    assert standing.verdict is HOLDS
    assert [fact.atom for fact in standing.facts] == [("sliced", "mug1")]


def test_a_quantified_formula_is_measured_over_the_known_objects():
    some = Exists((Typed("?m", "mug"),), Literal(("clean", "?m")))
    assert verdict(some, belief_of("clean mug2", "not clean mug1")) is HOLDS
    assert verdict(some, belief_of("not clean mug2", "not clean mug1")) is BROKEN
    assert verdict(some, belief_of("not clean mug1")) is UNSURE


ATOMS = [("clean", "mug1"), ("clean", "mug2"), ("sliced", "mug1"), ("rob_at_node", "robot1", "table1")]
FORMULAS = st.recursive(
    st.builds(Literal, st.sampled_from(ATOMS), st.booleans()),
    lambda parts: st.one_of(
        st.builds(Not, parts),
        st.lists(parts, min_size=1, max_size=3).map(lambda p: And(tuple(p))),
        st.lists(parts, min_size=1, max_size=3).map(lambda p: Or(tuple(p))),
    ),
    max_leaves=6,
)
BELIEFS = st.fixed_dictionaries({atom: st.sampled_from([True, False, None]) for atom in ATOMS})


@given(FORMULAS, BELIEFS)
def test_the_deciding_facts_alone_decide(formula, told):
    """Whoever knows nothing but the facts that are named comes to the same conclusion."""
    belief = Belief(VOCABULARY)
    for atom, truth in told.items():
        if truth is not None:
            belief.tell(atom, truth)
    standing = measured(formula, belief)
    truth = evaluate(formula, belief.truth, Mugs())
    assert standing.verdict is {Truth.TRUE: HOLDS, Truth.FALSE: BROKEN, Truth.UNKNOWN: UNSURE}[truth]
    named = {fact.atom: fact.truth for fact in standing.facts}
    if truth is not Truth.UNKNOWN:
        assert evaluate(formula, lambda atom: named.get(atom, Truth.UNKNOWN), Mugs()) is truth
    else:
        assert named
        assert all(value is Truth.UNKNOWN for value in named.values())


# -- in words --------------------------------------------------------------------------------------------


def test_formulas_in_words():
    assert say(lit("on mango1 table2")) == "mango1 is on table2"
    assert say(lit("not open fridge1")) == "fridge1 is not open"
    assert say(Or((lit("on mug1 table1"), lit("under mug1 table1")))) == (
        "mug1 is on table1 or mug1 is under table1"
    )
    assert describe(Not(lit("clean mug1")), purpose=True) == "not yet: mug1 is clean"
    assert (
        describe(Not(And((lit("hot mug1"), lit("filled mug1"))))) == "mug1 is not hot or mug1 is not filled"
    )
    assert say(lit("connected hall kitchen")) == "the way hall – kitchen is free"
    assert say(lit("lies parcel1 bonn")) == "parcel1 lies bonn"
    assert describe(And((lit("clean mug1"), lit("open box1")))) == "mug1 is clean and box1 is open"
    assert str(Expectation("presence", "a1", lit("clean mug1"))) == "mug1 is clean"
    assert describe(And(())) == "nothing"


def test_atoms_in_words():
    assert say_atom(("class", "mug1", "cup")) == "mug1 is a cup"
    assert say_atom(("class", "mug1", "cup"), False) == "mug1 is not a cup"
    assert say_atom(("class", "it1", "apple")) == "it1 is an apple"
    assert say_atom(("robot_at", "robot1", "sink1")) == "robot1 is at sink1"
    assert say_atom(("rob_at_node", "robot1", "sink1"), False) == "robot1 is not at sink1"
    assert say_atom(("hand_free", "robot1", "left")) == "robot1's left is free"
    assert say_atom(("holding", "robot1", "left", "mug1"), False) == "robot1 is not holding mug1 in left"
    assert say_atom(("handempty",), False) == "not handempty"


def test_facts_in_words_come_once_each():
    fact = Fact(("clean", "mug1"), Truth.FALSE, 0.9, 0.0, "look")
    blank = Fact(("open", "box1"), Truth.UNKNOWN, 0.0, 0.0, "none")
    assert say_facts((fact, fact, blank)) == "mug1 is not clean, unknown whether box1 is open"
    assert say_facts(()) == "nothing known"
