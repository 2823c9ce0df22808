"""Suites of ALFRED's trials: which are carried out, what homes are made of them, and the report."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace

import pytest
from alfred_folder import IN_THE_BEDROOM, IN_THE_KITCHEN, REAL, trial, write_alfred
from typer.testing import CliRunner

from foretree.cli import app
from foretree.regression.core.selection import Selection, SuiteError
from foretree.regression.core.suite_run import SuiteRun
from foretree.regression.homes._recovery import recovery_pairs
from foretree.regression.homes.alfred.report import AlfredReport
from foretree.regression.homes.alfred.running import run_alfred_suite
from foretree.regression.homes.alfred.suite import open_alfred_suite
from foretree.regression.reports.output import markdown
from foretree.regression.saved_report import read_saved_report
from foretree.regression.suites import regress


def select(folder, **chosen) -> Selection:
    return Selection("alfred", folder, **{"jobs": 1, **chosen})


def labels(folder, count=None, **chosen) -> list[str]:
    suite = open_alfred_suite(select(folder, **chosen))
    return [errand.label for errand in suite.all_errands(count, chosen.get("seed", 0))]


def checked(folder, **chosen) -> AlfredReport:
    selection = select(folder, check=True, **chosen)
    return run_alfred_suite(open_alfred_suite(selection), SuiteRun(selection))


def test_rooms_are_chosen_by_parity_and_number(folder):
    assert labels(folder, splits=("even",)) == ["cold-apple", "slice-in-pan"]
    assert labels(folder, splits=("odd",)) == ["lit-card", "two-books"]
    assert labels(folder, rooms=(301,)) == ["lit-card", "two-books"]
    assert len(labels(folder, splits=("all",))) == len(labels(folder)) == 4


def test_trials_are_chosen_by_name_type_and_family(folder):
    assert labels(folder, only=("two-books",)) == ["two-books"]
    by_type, by_family = ("look_at_obj_in_light",), ("examine_in_light",)
    assert labels(folder, only=by_type) == labels(folder, only=by_family) == ["lit-card"]


@pytest.mark.parametrize(
    ("chosen", "says"),
    [
        ({"only": ("two-boks",)}, "no trial 'two-boks'"),
        ({"splits": ("evn",)}, "no split 'evn'"),
        ({"variants": ("nothing",)}, "no variant 'nothing'"),
    ],
)
def test_what_is_not_there_cannot_be_chosen(folder, chosen, says):
    with pytest.raises(SuiteError, match=says):
        labels(folder, **chosen)


def test_the_fair_peer_is_that_of_the_household(folder):
    suite = open_alfred_suite(select(folder))
    assert suite.peer == "none-but-careful"
    assert ("none-but-careful", "all-guards") in set(recovery_pairs(suite))


def test_rooms_without_trials_are_told(folder):
    with pytest.raises(SuiteError, match="no trials in the rooms"):
        labels(folder, rooms=(7,))
    with pytest.raises(SuiteError, match="Say which folder"):
        open_alfred_suite(Selection("alfred"))


def test_a_sample_has_all_types_and_rooms_alike(tmp_path):
    asked = {"object_target": "Egg", "parent_target": "Fridge"}
    more = [
        trial(f"{kind}-{room}-{number}", kind, room, IN_THE_KITCHEN, **asked)
        for kind in ("pick_and_place_simple", "pick_heat_then_place_in_recep")
        for room, times in ((2, 30), (4, 2), (6, 2))
        for number in range(times)
    ]
    suite = open_alfred_suite(
        select(write_alfred(tmp_path, *more), splits=("even",), only=("pick_and_place", "heat_and_place"))
    )
    drawn = suite.all_errands(6)
    assert Counter(errand.family for errand in drawn) == {"pick_and_place": 3, "heat_and_place": 3}
    assert Counter(errand.room for errand in drawn) == {2: 2, 4: 2, 6: 2}
    assert drawn == suite.all_errands(6)
    assert drawn != suite.all_errands(6, seed=1)
    assert len(suite.all_errands(1000)) == 68


def test_all_trials_become_homes_in_which_the_goal_can_be_reached(folder):
    report = checked(folder)
    assert [one.refusal for one in report.drawn] == [""] * 4
    assert all(one.best > 0 for one in report.drawn)
    assert not report.episodes
    assert report.complete
    assert report.ok
    assert "100.0 %" in markdown(report)
    assert {one.label: one.instruction for one in report.drawn}["two-books"] == "put two books on a dresser"


def test_trials_that_become_no_homes_are_named_with_the_reason(tmp_path):
    bad = [
        trial("no-such-thing", "look_at_obj_in_light", 301, IN_THE_BEDROOM, object_target="ScrubBrush"),
        trial(
            "no-such-place",
            "pick_and_place_simple",
            301,
            IN_THE_BEDROOM,
            object_target="Book",
            parent_target="Sofa",
        ),
        trial("no-such-room", "look_at_obj_in_light", 8, IN_THE_BEDROOM, object_target="Book"),
    ]
    report = checked(write_alfred(tmp_path, *bad))
    assert {one.label for one in report.refused} == {"no-such-thing", "no-such-place", "no-such-room"}
    told = markdown(report)
    assert "nothing like 'ScrubBrush'" in told
    assert "no sofa in FloorPlan301" in told
    assert "no FloorPlan8-layout.npy" in told
    assert report.ok
    assert report.aggregates()["homes"] == {"made": 4, "refused": 3}


def test_people_are_asked_in_their_own_words(folder):
    report = checked(folder, descriptions=True)
    assert {one.goal for one in report.drawn} == {""}
    assert all(one.instruction.startswith(f"{one.label}, as") for one in report.drawn)
    assert [one.instruction for one in report.drawn] == [
        one.instruction for one in checked(folder, descriptions=True, seed=5).drawn
    ]


def test_trials_are_carried_out_reported_by_room_and_read_back(folder, tmp_path):
    told = tmp_path / "reports"
    command = [
        "regress",
        "alfred",
        str(folder),
        "--variant",
        "all-guards",
        "--variant",
        "none",
        "--noise",
        "0",
    ]
    only = ["--only", "cold-apple", "--only", "two-books", "-j", "1", "-o", str(told)]
    done = CliRunner().invoke(app, [*command, *only])
    assert done.exit_code == 0, done.output
    saved = read_saved_report(told / "alfred.json")
    assert {(e.label, e.variant) for e in saved.episodes} == {
        (label, variant) for label in ("cold-apple", "two-books") for variant in ("all-guards", "none")
    }
    assert {e.cluster for e in saved.episodes} == {"FloorPlan2", "FloorPlan301"}
    assert all(e.success for e in saved.episodes if e.variant == "all-guards"), saved.episodes
    assert "rooms are drawn" in (told / "alfred.md").read_text()

    merged = regress(
        replace(saved.selection, jobs=1),
        merged={
            **{f"{e['label']} {e['variant']} {e['noise']:g}": e for e in saved.data["episodes"]},
            **{one["errand"]["trial"]: one for one in saved.data["errands"]},
        },
    )
    assert merged.episodes == saved.episodes


def test_an_interval_is_that_of_rooms(folder):
    """One room in which all succeed and one in which none does: of other rooms that says next to nothing."""
    report = checked(folder)
    made = [
        AlfredReport.result(
            number, label=f"trial-{number}", family="pick_and_place", mode="diverse", split="unseen",
            layout=f"FloorPlan{2 if number % 2 else 301}", instruction="", variant="all-guards", noise=1.0,
            guarded=True, best=1, outcome="reached", success=bool(number % 2),
        )
        for number in range(200)
    ]  # fmt: skip
    found = replace(report, episodes=tuple(made)).aggregates()["variants"][0]["success"]
    assert found["rate"] == 0.5
    assert found["interval"] == [0.0, 1.0]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["smoke", "--check"], "--check is for suites of trials of ALFRED only"),
        (["household", "--rooms", "4"], "--rooms is for suites of trials of ALFRED only"),
        (["alfred", "nowhere"], "no folder nowhere"),
        (["alfred", ".", "--rooms", "kitchen"], "numbers of rooms"),
    ],
)
def test_a_choice_that_makes_no_sense_is_an_error_in_words(arguments, says):
    result = CliRunner().invoke(app, ["regress", *arguments])
    assert result.exit_code != 0
    assert says in str(result.exception)


@pytest.mark.slow
@pytest.mark.skipif(not (REAL / "trials.jsonl.gz").is_file(), reason=f"no trials of ALFRED in {REAL}")
def test_of_real_trials_nearly_all_become_homes():
    report = checked(REAL, splits=("even",), episodes=60)
    assert len(report.refused) <= 1, [one.refusal for one in report.refused]
    assert json.dumps(report.as_data())
