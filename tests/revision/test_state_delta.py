"""Imagined states, as what differs from the facts they are over."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from foretree.planning.semantics.atom_index import AtomIndex
from foretree.revision._simulator import StateDelta, UndoableState

ATOMS = [(p, a, b) for p in ("on", "in") for a in ("mug1", "mug2") for b in ("table1", "sink1")]
SETS = st.frozensets(st.sampled_from(ATOMS))


@given(SETS, st.lists(st.tuples(SETS, SETS), max_size=5))
def test_it_is_the_state_that_one_would_have_copied(start, changes):
    delta, copied = StateDelta(AtomIndex(start)), set(start)
    for adds, deletes in changes:
        delta = delta.after(adds, deletes)
        copied = (copied - deletes) | adds
    assert [atom in delta for atom in ATOMS] == [atom in copied for atom in ATOMS]
    for predicate in ("on", "in"):
        assert sorted(delta.matching(predicate)) == sorted(a for a in copied if a[0] == predicate)
        expected = sorted(atom for atom in copied if atom[0] == predicate and atom[2] == "sink1")
        assert sorted(delta.matching(predicate, (2, "sink1"))) == expected
    assert StateDelta(AtomIndex(start)).after(copied, set(start) - copied).key == delta.key


def test_facts_are_found_in_a_fixed_order():
    facts = AtomIndex(frozenset(ATOMS))
    assert facts.of("on") == sorted(atom for atom in ATOMS if atom[0] == "on")
    assert facts.with_term("in", 1, "mug2") == [("in", "mug2", "sink1"), ("in", "mug2", "table1")]
    assert facts.with_term("in", 1, "nobody") == []
    assert facts.of("under") == []


def test_the_facts_themselves_stay_as_they_are():
    facts = AtomIndex(frozenset(ATOMS[:2]))
    found = facts.of("on")
    StateDelta(facts).after([ATOMS[3]], [ATOMS[0]]).matching("on")
    assert facts.of("on") == found == sorted(ATOMS[:2])


@given(
    SETS, SETS, SETS, st.dictionaries(st.sampled_from(ATOMS), st.booleans()), st.lists(st.tuples(SETS, SETS))
)
def test_a_course_is_the_state_that_one_would_have_copied_and_can_be_taken_back(
    facts, adds, deletes, wanted, changes
):
    start = StateDelta(AtomIndex(facts)).after(adds, deletes)
    course, copied = UndoableState(start, wanted), {atom for atom in ATOMS if atom in start}
    passed = [(0, copied)]
    for adds, deletes in changes:
        course.change(adds, deletes)
        before, copied = copied, (copied - deletes) | adds
        changed = course.changes[passed[-1][0] :]
        assert sorted(changed) == sorted(copied ^ before)
        passed.append((len(course.changes), copied))
    for length, state in reversed(passed):
        course.back_to(length)
        assert {atom for atom in ATOMS if atom in course} == state
        assert course.lacking == {atom for atom, value in wanted.items() if (atom in state) != value}
        delta = course.delta()
        assert {atom for atom in ATOMS if atom in delta} == state
        assert delta.key == StateDelta(start.facts).after(state, facts - state).key
        assert course.differences == len(facts ^ state)
