"""How looks are weighed against what was believed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foretree.world_model.beliefs.evidence import (
    SEEN_SEVERAL_TIMES,
    fuse_absence,
    fuse_classes,
    fuse_state,
    fuse_states,
)
from foretree.world_model.beliefs.facts import BY_ACTION, Fact, Truth

probabilities = st.floats(0.0, 1.0)


def fact(truth, confidence):
    return Fact(("clean", "mug1"), truth, confidence, 0.0, "look")


def test_a_first_look_is_believed_as_it_is():
    truth, confidence = fuse_state(None, 0.8)
    assert truth is Truth.TRUE
    assert confidence == pytest.approx(0.8)


def test_a_look_that_cannot_tell_changes_nothing():
    truth, confidence = fuse_state(fact(Truth.FALSE, 0.7), 0.5)
    assert truth is Truth.FALSE
    assert confidence == pytest.approx(0.7)


def test_undecided_is_unknown():
    assert fuse_state(fact(Truth.TRUE, 0.8), 0.2)[0] is Truth.UNKNOWN


@given(st.sampled_from([Truth.TRUE, Truth.FALSE]), probabilities, st.floats(0.8, 1.0))
def test_two_contradicting_looks_turn_any_belief_around(truth, confidence, seen):
    against = 1.0 - seen if truth is Truth.TRUE else seen
    once = fuse_state(fact(truth, max(confidence, 0.5)), against)
    twice = fuse_state(fact(*once), against)
    assert twice[0] is not truth


@given(st.sampled_from([Truth.TRUE, Truth.FALSE]), probabilities)
def test_one_nearly_certain_look_does(truth, confidence):
    against = 0.03 if truth is Truth.TRUE else 0.97
    assert fuse_state(fact(truth, max(confidence, 0.5)), against)[0] is ~truth


@given(st.sampled_from(list(Truth)), st.floats(0.5, 1.0), probabilities)
def test_confidence_is_a_probability_in_the_truth_as_stated(truth, confidence, seen):
    after, sure = fuse_state(fact(truth, confidence), seen)
    assert 0.5 <= sure <= 1.0
    stronger = fuse_state(fact(truth, confidence), min(1.0, seen + 0.1))
    assert _true(stronger) >= _true((after, sure)) - 1e-9, "more evidence for it never speaks against it"


def _true(belief):
    return 1.0 - belief[1] if belief[0] is Truth.FALSE else belief[1] if belief[0] is Truth.TRUE else 0.5


scores = st.dictionaries(st.sampled_from(["mug", "cup", "glass", "vase"]), st.floats(0.01, 1.0), min_size=1)


def normal(classes):
    total = max(1.0, sum(classes.values()))
    return {name: score / total for name, score in classes.items()}


@given(scores.map(normal), scores.map(normal))
def test_scores_stay_normalised_and_settle(before, seen):
    after = fuse_classes(before, seen, lambda c: True)
    assert sum(after.values()) == pytest.approx(1.0) or after is before
    for _ in range(2000):
        again = fuse_classes(after, seen, lambda c: True)
        if again is after:
            break
        after = again
    else:
        raise AssertionError("the same look over and over never settles")


def test_one_misreading_does_not_turn_a_class_around_but_two_do():
    misread = {"cup": 0.9, "mug": 0.05, "glass": 0.05}
    once = fuse_classes({"mug": 1.0}, misread, lambda c: True)
    assert max(once, key=once.get) == "mug"
    twice = fuse_classes(once, misread, lambda c: True)
    assert max(twice, key=twice.get) == "cup"


@given(probabilities, probabilities)
def test_absence_is_the_more_convincing_the_better_the_look(confidence, certainty):
    after = fuse_absence(confidence, certainty)
    assert 0.0 <= after <= max(confidence, 0.08) + 1e-9
    assert after >= fuse_absence(confidence, min(1.0, certainty + 0.1)) - 1e-9


def test_one_nearly_certain_look_at_an_empty_place_is_enough():
    assert fuse_absence(1.0, 0.98) < 0.35
    assert fuse_absence(1.0, 0.9) > 0.5


def test_impossible_classes_are_left_out():
    assert fuse_classes({"mug": 1.0}, {"box": 0.9}, lambda c: c == "mug") == {"mug": 1.0}


def test_nothing_new_is_the_same_object():
    before = {"mug": 1.0}
    assert fuse_classes(before, {"mug": 0.95}, lambda c: True) is before


@given(
    st.one_of(
        st.none(), st.tuples(st.sampled_from(Truth), st.floats(0, 1), st.sampled_from(["x", BY_ACTION]))
    ),
    st.lists(st.floats(0, 1), min_size=1, max_size=6),
    st.one_of(st.none(), st.floats(0, 1)),
)
def test_several_looks_at_once_are_one_after_the_other(before, looks, usual) -> None:
    atom = ("open", "box1")
    fact = None if before is None else Fact(atom, before[0], before[1], 0.0, before[2])
    expected = fact
    for look in looks:
        expected = Fact(atom, *fuse_state(expected, look, usual, SEEN_SEVERAL_TIMES), 0.0, "")
    assert expected is not None
    assert fuse_states(fact, looks, usual) == (expected.truth, expected.confidence)


def test_what_several_looks_have_shown_one_that_errs_does_not_turn() -> None:
    truth, confidence = fuse_states(None, [0.1, 0.1, 0.1, 0.96])
    assert truth is Truth.FALSE
    assert confidence < 0.9, "but it is in doubt"
    assert fuse_states(None, [0.1, 0.1, 0.1, 0.96, 0.96])[0] is Truth.TRUE, "the world may have changed"
