"""Intervals of means and of differences between pairs."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foretree.regression.core.statistics import Pair, Rate, clusters_of, difference, estimate, rate

#: Eighths are added and multiplied without any rounding.
VALUES = st.integers(-80, 80).map(lambda value: value / 8)
SAMPLES = st.sampled_from([1, 4, 12]).flatmap(lambda size: st.lists(VALUES, min_size=size, max_size=size))


@settings(max_examples=40, deadline=None)
@given(SAMPLES)
def test_the_interval_lies_in_the_sample_and_around_the_mean(sample):
    found = estimate(sample)
    assert found.value == pytest.approx(sum(sample) / len(sample))
    assert min(sample) - 1e-9 <= found.low <= found.high <= max(sample) + 1e-9
    assert found.low <= found.value + 1e-9
    assert found.value - 1e-9 <= found.high
    assert found.of == len(sample)


@settings(max_examples=40, deadline=None)
@given(SAMPLES, VALUES)
def test_what_is_added_to_all_is_added_to_the_interval(sample, by):
    before, after = estimate(sample), estimate([value + by for value in sample])
    assert after.low == pytest.approx(before.low + by)
    assert after.high == pytest.approx(before.high + by)


@settings(max_examples=40, deadline=None)
@given(SAMPLES, SAMPLES)
def test_a_difference_the_other_way_round_is_its_opposite(one, other):
    there = difference([Pair(*pair) for pair in zip(one, other, strict=False)], float)
    back = difference([Pair(*pair) for pair in zip(other, one, strict=False)], float)
    assert there.value == -back.value
    assert there.low == pytest.approx(-back.high)
    assert there.high == pytest.approx(-back.low)
    assert there.significant == back.significant or 0 in (round(there.low, 9), round(there.high, 9))


def test_the_same_sample_always_has_the_same_interval():
    assert estimate([0.0, 1.0, 1.0, 0.5] * 5) == estimate([0.0, 1.0, 1.0, 0.5] * 5)


def test_pairs_that_differ_alike_leave_no_doubt():
    """Each side by itself is all over the place; pair by pair the difference is the same."""
    found = difference([Pair(float(number), number - 0.5) for number in range(40)], float)
    assert (found.value, found.low, found.high) == (0.5, 0.5, 0.5)
    assert found.significant


def test_of_nothing_nothing_is_known():
    assert not estimate([]).significant
    assert estimate([]).of == 0


def test_the_interval_holds_the_truth_about_as_often_as_it_says():
    rng = Random(5)
    held = 0
    for _ in range(300):
        found = estimate([float(rng.random() < 0.3) for _ in range(80)])
        held += found.low <= 0.3 <= found.high
    assert 0.90 <= held / 300 <= 0.985


def test_of_clusters_whole_ones_are_drawn():
    """Twenty alike results in each of six clusters tell as much as six results, not as 120."""
    means = [0.0, 0.0, 1.0, 1.0, 1.0, 1.0]
    sample = [value for value in means for _ in range(20)]
    clusters = [f"room {index}" for index in range(6) for _ in range(20)]
    alone, together, few = estimate(sample), estimate(sample, clusters), estimate(means)
    assert (together.value, together.low, together.high) == pytest.approx((few.value, few.low, few.high))
    assert together.high - together.low > 2 * (alone.high - alone.low)
    counted = rate([int(value) for value in sample], None, clusters)
    assert counted.interval == pytest.approx((few.low, few.high))
    assert rate([1, 0]).interval == Rate(1, 2).interval


def test_a_single_cluster_says_nothing_of_others():
    class Result:
        cluster = "room 1"

    class Lone:
        cluster = ""

    assert clusters_of([Result(), Result()]) is None
    assert clusters_of([Lone(), Lone()]) is None
