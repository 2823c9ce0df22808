from __future__ import annotations

import io
import json

import pytest
from rich.console import Console

from foretree.regression.core.figures import summarise
from foretree.regression.core.selection import Selection
from foretree.regression.core.statistics import Rate
from foretree.regression.core.trial import result_key
from foretree.regression.reports.output import markdown, print_report
from foretree.regression.sessions.episode import SessionEpisode
from foretree.regression.sessions.report import FIGURES, SessionReport
from foretree.regression.sessions.suite import Suite

SMOKE = Suite("smoke", {}, {})


def episode(number: int = 0, variant: str = "guards", **more) -> SessionEpisode:
    return SessionEpisode(number, "mango", variant, 7, **more)


# Known values: R, binom.confint(k, n, methods = "wilson").
@pytest.mark.parametrize(
    ("count", "of", "low", "high"),
    [
        (0, 10, 0.0, 0.2775),
        (10, 10, 0.7225, 1.0),
        (5, 10, 0.2366, 0.7634),
        (1, 1000, 0.00018, 0.00564),
        (970, 1000, 0.9575, 0.9789),
    ],
)
def test_wilson_intervals_are_those_of_the_books(count, of, low, high):
    found = Rate(count, of).interval
    assert found == (pytest.approx(low, abs=5e-5), pytest.approx(high, abs=5e-5))


def test_the_interval_holds_the_share_and_says_nothing_about_nothing():
    assert Rate(0, 0).interval == (0.0, 1.0)
    for count in range(21):
        low, high = Rate(count, 20).interval
        assert low <= Rate(count, 20).value <= high


def test_a_summary_adds_up():
    summary = summarise(
        FIGURES,
        [
            episode(success=True, started=4, revised=2, planned=1, seconds=10.0, skipped=1),
            episode(
                started=6, illegal=("pick: hand-free", "open: shut"), in_view=("open: shut",), seconds=30.0
            ),
            episode(trouble="crashed", details="Boom"),
            episode(trouble="hung"),
            episode(success=True, running=("act",)),
        ],
    )
    assert summary["success"] == Rate(2, 5)
    assert summary["illegal"] == Rate(2, 10)
    assert summary["in_view"] == Rate(1, 10)
    assert summary["actions"] == pytest.approx(2.0)
    assert summary["revised"] == pytest.approx(0.4)
    assert summary["planned"] == pytest.approx(0.2)
    assert summary["skipped"] == pytest.approx(0.2)
    assert summary["seconds"] == pytest.approx(8.0)
    assert (summary["crashed"], summary["hung"], summary["left"]) == (1, 1, 1)


@pytest.mark.parametrize(
    ("wrong", "ok"),
    [
        ({}, True),
        ({"success": False}, True),
        ({"illegal": ("pick: hand-free",)}, True),
        ({"trouble": "crashed"}, False),
        ({"trouble": "hung"}, False),
        ({"running": ("act",)}, False),
        ({"alive": ("x-1",)}, False),
        ({"in_view": ("pick: hand-free",)}, False),
        ({"in_view": ("pick: hand-free",), "noisy": True}, True),
        ({"in_view": ("pick: hand-free",), "guarded": False}, True),
    ],
)
def test_what_makes_a_report_not_ok(wrong, ok):
    assert SessionReport(SMOKE, (episode(), episode(**wrong))).ok is ok


def test_a_report_is_printed_for_people_and_as_json():
    report = SessionReport(
        SMOKE,
        (
            episode(success=True, started=5),
            episode(1, "neither", trouble="crashed", details="x\nBoomError: no"),
        ),
        Selection(seed=3),
        wall=4.0,
        processor=8.0,
    )
    console = Console(file=io.StringIO(), width=80)
    print_report(report, console)
    text = console.file.getvalue()
    assert "100.0 %" in text
    assert "(20.7 to 100.0)" in text
    assert "…" not in text  # all of it can be read on the usual terminal
    assert "0.25 episodes per second and core" in text
    assert "mango, neither, seed 7: crashed: BoomError: no" in text

    console = Console(file=io.StringIO(), width=40)
    print_report(report, console, as_json=True)
    data = json.loads(console.file.getvalue())
    assert data["ok"] is False
    assert [v["variant"] for v in data["variants"]] == ["guards", "neither"]
    assert data["variants"][0]["success"]["count"] == 1
    assert data["episodes"][1]["trouble"] == "crashed"


def test_a_report_is_written_as_markdown():
    text = markdown(SessionReport(SMOKE, (episode(success=True), episode(1, "neither"))))
    assert "| variant | guards | neither |" in text
    assert "| success | 100.0 % (20.7 to 100.0) | 0.0 % (0.0 to 79.3) |" in text
    assert "| mango | 1/1 | 0/1 |" in text


def test_a_seed_is_told_in_full():
    """Seeds have up to ten digits, and are copied."""
    one = SessionEpisode(0, "mango", "guards", 4294967295)
    assert one.title == "mango, guards, seed 4294967295"
    facts = {"scenario": "mango", "variant": "guards", "seed": 4294967295}
    assert result_key(SessionEpisode.identity, facts) == "mango guards 4294967295"
    assert result_key(("label", "noise"), {"label": "a/b", "noise": 1.0}) == "a/b 1"
