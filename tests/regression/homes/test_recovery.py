"""Failures caused by noise, and the share of them that another variant recovers."""

from __future__ import annotations

from dataclasses import replace

import pytest
from home_episodes import episode, failed

from foretree.regression.core.runner import Done
from foretree.regression.core.selection import Selection
from foretree.regression.core.statistics import Rate
from foretree.regression.core.suite_run import SuiteRun
from foretree.regression.homes._draw import DrawnErrand
from foretree.regression.homes._episode import HomesTrial, HomeTrials
from foretree.regression.homes._recovery import recovery_from, recovery_pairs, trials_without_noise
from foretree.regression.homes.report import HomesReport
from foretree.regression.homes.running import carry_out_trials
from foretree.regression.homes.suite import Errand, read_homes_suite
from foretree.regression.reports.output import markdown

GUARDED, CAREFUL = "all-guards", "none-but-careful"


@pytest.fixture(scope="module")
def suite():
    return read_homes_suite("household")


def label(number):
    return f"coffee/diverse/unseen/{number}"


@pytest.fixture
def episodes():
    """Careful fails three errands: one that guards save, one that nothing saves, and one that cannot be done."""
    return (
        *(failed(label(at), CAREFUL, number=10 + at) for at in range(3)),
        episode(label(3), CAREFUL, number=13),
        episode(label(0), GUARDED, number=0),
        failed(label(1), GUARDED, number=1),
        failed(label(2), GUARDED, number=2),
        failed(label(3), GUARDED, number=3),
        *(episode(label(at), CAREFUL, noise=0.0, number=30 + at) for at in range(2)),
        failed(label(2), CAREFUL, noise=0.0, number=32),
    )


def test_what_fails_without_noise_too_was_not_caused_by_it(episodes):
    found = recovery_from(episodes, CAREFUL, GUARDED, 1.0)
    assert (found.failures, found.judged) == (3, 3)
    assert found.recovered == Rate(1, 2)
    other = recovery_from(episodes, GUARDED, CAREFUL, 1.0)
    assert (other.failures, other.judged, other.recovered.of) == (3, 0, 0)


def test_it_is_reported_with_its_interval(suite, episodes):
    report = HomesReport(suite, episodes, Selection("household", recovery=True))
    (one,) = report.recoveries()
    text = markdown(report)
    low, high = Rate(1, 2).interval
    shown = f"1 of 2: 50.0 % ({100 * low:.1f} to {100 * high:.1f})"
    assert f"| 1 | {CAREFUL} | 3 | 2 of 3 | {GUARDED} | {shown} |" in text
    assert report.as_data()["recovery"][0]["recovered"]["count"] == 1


def test_without_such_trials_nothing_is_said(suite, episodes):
    report = HomesReport(suite, episodes[:8])
    assert "caused by noise" not in markdown(report)


def test_the_peer_is_compared_both_ways_else_what_has_no_guards(suite):
    assert set(recovery_pairs(suite)) == {(CAREFUL, GUARDED), (GUARDED, CAREFUL)}
    others = replace(suite, peer="")
    assert ("none", GUARDED) in set(recovery_pairs(others))


def trial(number, variant, noise=1.0):
    drawn = DrawnErrand(Errand(number, "coffee", "diverse", "unseen", number % 10, 7), "loft/3", best=40)
    return HomesTrial(number, drawn, variant, noise)


def test_only_failures_are_carried_out_again_and_in_the_same_share(suite, episodes):
    trials = [trial(at, GUARDED) for at in range(4)] + [trial(10 + at, CAREFUL) for at in range(4)]
    for shards in (1, 3):
        again = trials_without_noise(suite, trials, episodes[:8], shards)
        assert {(one.drawn.label, one.variant, one.noise) for one in again} == {
            *((label(at), CAREFUL, 0.0) for at in range(3)),
            *((label(at), GUARDED, 0.0) for at in range(1, 4)),
        }
        numbers = [one.number for one in again]
        assert len(set(numbers)) == len(numbers)
        assert min(numbers) > max(one.number for one in trials)
        assert all(new % shards in {e.number % shards for e in episodes[:8]} for new in numbers)
    there = [*trials, trial(40, CAREFUL, noise=0.0)]
    assert len(trials_without_noise(suite, there, episodes[:8])) == 5


@pytest.mark.parametrize("recovery", [True, False])
def test_they_are_run_where_that_is_asked_for(suite, episodes, monkeypatch, recovery):
    asked = []

    def results(run, kind, trials, what, in_every_shard=False):
        asked.append(tuple(trials))
        return Done(episodes[:8] if len(asked) == 1 else episodes[8:], wall=1.0, processor=2.0, reused=1)

    monkeypatch.setattr(SuiteRun, "results", results)
    trials = [trial(at, GUARDED) for at in range(4)] + [trial(10 + at, CAREFUL) for at in range(4)]
    run = SuiteRun(Selection("household", recovery=recovery))
    done = carry_out_trials(suite, run, HomeTrials(suite), trials)
    assert len(asked) == (2 if recovery else 1)
    assert len(done.results) == (len(episodes) if recovery else 8)
    assert done.wall == len(asked)
