"""What episodes of household tasks come to, and what a guard is worth."""

from __future__ import annotations

import pytest
from home_episodes import episode, failed
from hypothesis import given
from hypothesis import strategies as st

from foretree.regression.core.figures import summarise
from foretree.regression.core.statistics import Pair, pair_up
from foretree.regression.homes._summary import (
    FIGURES,
    cause_of,
    causes,
    found_by,
    largest_gains,
    paired_difference,
)


def paired(one, other):
    return pair_up(one, other, lambda e: (e.label, e.noise))


EPISODES = st.builds(
    lambda success, best, controls, met, of: episode(
        success=success, best=best, controls=controls, conditions=(min(met, of), of)
    ),
    st.booleans(),
    st.integers(1, 300),
    st.integers(0, 3000),
    st.integers(0, 6),
    st.integers(1, 6),
)


@given(EPISODES)
def test_weights_are_shares_and_only_make_less(one):
    assert 0 <= one.directness <= 1
    assert one.weighted_success <= one.success
    assert one.weighted_met <= one.met <= 1
    assert one.directness == 1 or one.controls > one.best


def test_weighted_is_by_how_long_the_best_plan_is():
    assert episode(best=40, controls=80).weighted_success == 0.5
    assert episode(best=40, controls=30).weighted_success == 1.0
    assert failed(best=40, controls=160, conditions=(1, 2)).weighted_met == pytest.approx(0.125)
    assert failed().weighted_success == 0.0


@given(st.lists(EPISODES, min_size=1, max_size=5))
def test_sums_are_those_of_the_episodes(given_):
    summary = summarise(FIGURES, given_)
    assert summary["success"].count == sum(e.success for e in given_)
    assert summary["met"].value == pytest.approx(sum(e.met for e in given_) / len(given_))
    assert summary["weighted_success"].value <= summary["success"].value + 1e-9


def test_what_went_wrong_is_counted():
    summary = summarise(
        FIGURES,
        [
            episode(
                illegal=("open: target", "put: room"),
                in_view=("put: room",),
                irreversible=3,
                mistakes=("slice: tomato",),
                wrong_picks=2,
            ),
            failed(outcome="reached"),
            failed(trouble="crashed", outcome=""),
        ],
    )
    assert (summary["illegal"].count, summary["in_view"].count, summary["illegal"].of) == (2, 1, 240)
    assert (summary["mistakes"].count, summary["visible"].count, summary["mistakes"].of) == (1, 0, 3)
    assert summary["wrong_picks"].value == pytest.approx(2 / 3)
    assert (summary["believed"].count, summary["crashed"]) == (1, 1)


def test_only_what_both_have_done_makes_a_pair():
    a, b = "coffee/diverse/unseen/0", "toast/fixed/seen/0"
    one = [episode(a), episode(b), episode(a, noise=2.0)]
    other = [failed(b), failed(a, noise=2.0), failed(a, noise=3.0)]
    assert [(p.one.label, p.one.noise, p.other.variant) for p in paired(one, other)] == [
        (b, 1.0, "none"),
        (a, 2.0, "none"),
    ]


def test_worth_is_the_difference_pair_by_pair():
    found = paired_difference(
        [
            Pair(episode(controls=80), failed()),
            Pair(episode(controls=80), episode(controls=100)),
            Pair(failed(variant="all-guards"), episode(variant="none")),
            Pair(episode(controls=80), failed()),
        ]
    )
    assert found.success.value == 0.25
    assert (found.won, found.lost) == (2, 1)
    assert found.controls.value == -20
    assert found.controls.of == 1
    assert found.weighted_success.value == pytest.approx((0.5 + 0.1 - 0.5 + 0.5) / 4)


def test_a_guard_mattered_most_where_it_alone_succeeded_then_where_it_saved_most():
    seen = {"presence": 1}
    nothing_found = Pair(episode(), failed())
    rescued = Pair(episode(discrepancies=seen), failed())
    saved = Pair(episode(discrepancies=seen, controls=80), episode(controls=300))
    saved_less = Pair(episode(discrepancies=seen, controls=80), episode(controls=100))
    in_vain = Pair(episode(discrepancies=seen, controls=80), episode(controls=80))
    lost = Pair(failed(discrepancies=seen), episode())
    given_ = [in_vain, saved_less, lost, nothing_found, saved, rescued]
    assert largest_gains(given_, "presence") == (rescued, saved, saved_less)
    assert largest_gains(given_, "presence", 1) == (rescued,)
    assert largest_gains(given_, "attribute") == ()
    assert largest_gains(given_, "all", 1) == (rescued,)
    assert found_by(rescued.one, "all")
    assert not found_by(nothing_found.one, "all")


@pytest.mark.parametrize(
    ("given_", "cause"),
    [
        (episode(), ""),
        (failed(trouble="hung"), "hung"),
        (failed(outcome="reached"), "believed reached, but was not"),
        (failed(reason="cannot open fridge12"), "given-up: cannot open a fridge"),
        (failed(reason="coffee_table3 is far"), "given-up: a coffee_table is far"),
        (failed(reason="no apple2_slice3"), "given-up: no a apple"),
    ],
)
def test_causes_are_told_in_words_that_others_share(given_, cause):
    assert cause_of(given_) == cause


def test_the_most_frequent_cause_comes_first():
    often = [failed(reason=f"cannot open fridge{number}") for number in range(3)]
    found = causes([episode(), failed(outcome="failed", reason="too late"), *often])
    assert [(cause, len(those)) for cause, those in found] == [
        ("given-up: cannot open a fridge", 3),
        ("failed: too late", 1),
    ]


@pytest.mark.parametrize(
    ("won", "lost", "chance"), [(0, 0, 1.0), (3, 3, 1.0), (5, 0, 0.0625), (9, 1, 0.0215)]
)
def test_an_even_split_of_what_only_one_wins_may_be_chance(won, lost, chance):
    labels = [f"coffee/diverse/unseen/{number}" for number in range(won + lost)]
    one = [episode(label) if at < won else failed(label) for at, label in enumerate(labels)]
    other = [failed(label) if at < won else episode(label) for at, label in enumerate(labels)]
    assert paired_difference(paired(one, other)).chance == pytest.approx(chance, abs=1e-4)
