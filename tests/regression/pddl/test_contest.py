"""A problem planned by both planners, with real ones."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from foretree.planning.pddl.parser import read_domain, read_problem
from foretree.regression.core.result_cache import ResultCacheError
from foretree.regression.core.selection import SuiteError
from foretree.regression.pddl._contest import PddlEpisode, PlannerResult, _mistake
from foretree.regression.pddl.report import RESOLUTION, PddlReport, PddlSuite
from foretree.regression.suites import Selection, regress

DOMAIN = """\
(define (domain lamps)
  (:requirements :strips :action-costs)
  (:predicates (lit ?x) (lamp ?x))
  (:functions (total-cost))
  (:action light :parameters (?x) :precondition (lamp ?x)
   :effect (and (lit ?x) (increase (total-cost) 3))))
"""
PROBLEM = """\
(define (problem two) (:domain lamps) (:objects a b c) (:init (lamp a) (lamp b) (= (total-cost) 0))
  (:goal (and {})) (:metric minimize (total-cost)))
"""


@pytest.fixture(scope="module")
def lamps(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pddl")
    (folder / "domain.pddl").write_text(DOMAIN)
    (folder / "p1.pddl").write_text(PROBLEM.format("(lit a) (lit b)"))
    (folder / "p2.pddl").write_text(PROBLEM.format("(lit c)"))
    (folder / "p3.pddl").write_text(PROBLEM.format("(dark a)"))
    return folder


@pytest.fixture(scope="module")
def report(lamps, tmp_path_factory):
    kept = tmp_path_factory.mktemp("kept")
    choice = Selection("pddl", lamps, jobs=2, output=kept)
    return choice, regress(choice)


def test_both_plan_and_are_judged(report):
    solved, impossible, refused = report[1].episodes
    assert (solved.ours.answer, solved.ours.cost, solved.ours.steps, solved.ours.invalid) == (
        "solved",
        6,
        2,
        "",
    )
    assert (solved.theirs.answer, solved.theirs.cost, solved.theirs.invalid) == ("solved", 6, "")
    assert (impossible.ours.answer, impossible.theirs.answer) == ("unsolvable", "unsolvable")
    assert (refused.ours.answer, refused.theirs.answer) == ("refused", "refused")
    assert "dark" in refused.ours.why
    assert all(0 < side.processor < 30 for e in report[1].episodes for side in (e.ours, e.theirs))
    assert report[1].ok
    assert all(start > 0 for start in report[1].starting())


def test_what_is_there_already_is_not_run_again(report):
    choice, first = report
    again = regress(choice)
    assert isinstance(again, PddlReport)
    assert again.reused == len(first.episodes) + len(first.empty)
    assert again.episodes == first.episodes
    other = replace(choice, limit=7.0)
    with pytest.raises(ResultCacheError, match="another limit"):
        regress(other)


def test_a_wrong_plan_and_a_wrong_cost_are_found(lamps):
    problem = read_problem(lamps / "p1.pddl", read_domain(lamps / "domain.pddl"))
    a, b = ("light", ("a",)), ("light", ("b",))
    assert _mistake(problem, [a, b], 6) == ""
    assert _mistake(problem, [a, b], 5) == "it costs 6, not 5"
    assert "goal" in _mistake(problem, [a], 3)
    assert "step 1" in _mistake(problem, [a, ("light", ("c",))], 6)


def result(answer="solved", processor=1.0, **more):
    return PlannerResult(answer, processor, **more)


def made(*episodes):
    empty = PddlEpisode(0, "(empty)", result(processor=0.5), result(processor=0.1))
    return PddlReport(PddlSuite(Path("there"), 30.0), episodes, empty=(empty,))


def test_times_are_compared_without_what_starting_takes():
    fast = PddlEpisode(1, "a/fast", result(processor=0.9), result(processor=0.3))
    equal = PddlEpisode(2, "a/equal", result(processor=0.5), result(processor=0.1))
    slow = PddlEpisode(3, "a/slow", result(processor=2.5), result(processor=1.1))
    lost = PddlEpisode(4, "b/lost", result("out of limits", 30.0, why="too hard"), result(processor=9.0))
    report = made(fast, equal, slow, lost)
    assert [report.ratio(e) for e in (fast, equal, slow)] == pytest.approx([2.0, 1.0, 2.0])
    assert report.net(equal) == (RESOLUTION, RESOLUTION)
    assert [e.name for e in report.lost()] == ["b/lost"]
    data = report.as_data()
    assert data["processor_ratio"] == pytest.approx({"median": 2.0, "worst": 2.0})
    assert data["decided"] == {"ours": 3, "theirs": 4}
    assert data["lost"] == ["b/lost"]
    assert report.ok  # finding no plan is what is measured


@pytest.mark.parametrize(
    ("ours", "theirs", "fault"),
    [
        (result(invalid="it is wrong"), result(), "it is wrong"),
        (result("broke", why="a bug"), result(), "a bug"),
        (result("unsolvable"), result(), "unsolvable"),
        (result(), result("unsolvable"), "unsolvable"),
    ],
)
def test_what_must_not_be_is_named(ours, theirs, fault):
    episode = PddlEpisode(1, "a/wrong", ours, theirs)
    report = made(episode)
    assert not report.ok
    assert fault in episode.fault
    assert [case.verdict for case in report.cases()] == ["failure"]


def test_options_that_mean_nothing_here_are_refused(lamps):
    with pytest.raises(SuiteError, match="Say which folder"):
        regress(Selection("pddl"))
    with pytest.raises(SuiteError, match="--variant is for suites of"):
        regress(Selection("pddl", lamps, variants=("guards",)))
    with pytest.raises(
        SuiteError, match="FOLDER is for suites of folders of PDDL, trials of ALFRED and scenarios"
    ):
        regress(Selection("smoke", lamps))
