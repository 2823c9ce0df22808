"""What is reported of household tasks, with episodes as they might be."""

from __future__ import annotations

import json
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from home_episodes import episode, failed

from foretree.reasoning.models.model import Spending
from foretree.regression.core.selection import Selection
from foretree.regression.homes._draw import DrawnErrand
from foretree.regression.homes.report import HomesReport
from foretree.regression.homes.suite import Errand, read_homes_suite
from foretree.regression.reports.output import markdown, write_report

ONE, TWO = "coffee/diverse/unseen/0", "pick_and_place/fixed/seen/3"


@pytest.fixture(scope="module")
def suite():
    return read_homes_suite("household")


@pytest.fixture
def report(suite):
    """With all guards both errands succeed, without any only one, without presence one takes longer."""
    found = {"presence": 2}
    episodes = (
        episode(ONE, discrepancies=found),
        episode(ONE, "without-presence", controls=120),
        failed(ONE, "none", reason="cannot open fridge3"),
        episode(TWO, number=3),
        episode(TWO, "without-presence"),
        episode(TWO, "none", controls=90),
        episode(ONE, noise=0.0, controls=50),
        episode(ONE, "none", noise=0.0, controls=50),
    )
    drawn = (DrawnErrand(Errand(0, "coffee", "diverse", "unseen", 0, 7), "loft/3", best=40, passed_over=2),)
    return HomesReport(
        suite, episodes, Selection("household", seed=4), drawn, wall=9.0, processor=4.0, reused=4
    )


def test_a_variant_is_compared_pair_by_pair_and_where_its_guard_found_something(report):
    rows = {variant.name: (guard, pairs) for variant, guard, pairs in report.contrasts()}
    assert list(rows) == ["without-presence", "none"]
    assert rows["without-presence"][0] == "presence"
    assert [pair.one.label for pair in rows["none"][1]] == [ONE, TWO]
    text = markdown(report)
    assert "| without-presence | 2 | +0.0 (+0.0 to +0.0) |" in text
    assert "| … where presence found something | 1 | +0.0 (+0.0 to +0.0) | +16.7 (+16.7 to +16.7) |" in text
    assert "| none | 2 | +50.0 (+0.0 to +100.0) |" in text


def test_where_it_mattered_most_is_said_with_the_commands_that_show_it(report):
    text = markdown(report)
    begun = f"foretree regress household --only {ONE} --variant"
    shown = "```\n{} all-guards --noise 1 --seed 4 --keep\nforetree replay last\n{} {} --noise 1 --seed 4 --keep\nforetree replay last\n```"
    assert f"Presence: {ONE}, 'make coffee'. all-guards: success after 80 controls; without-presence:" in text
    assert shown.format(begun, begun, "without-presence") in text
    assert f"All guards: {ONE}" in text
    assert shown.format(begun, begun, "none") in text
    assert report.command(report.episodes[7]) == f"{begun} none --noise 0 --seed 4 --keep"


def test_a_run_that_was_kept_is_replayed_by_its_name(suite):
    found = {"presence": 1}
    kept = (episode(discrepancies=found, run="20261122-a"), failed(run="20261122-b"))
    text = markdown(HomesReport(suite, kept))
    assert "```\nforetree replay 20261122-a\nforetree replay 20261122-b\n```" in text


def test_what_should_not_happen_is_told_with_the_most_that_it_may_be(suite):
    done = {"mistakes": ("spill: mug",), "visible": ("spill: mug",), "irreversible": 2}
    refused = {"illegal": ("pick_up: whole", "put: room"), "in_view": ("put: room",)}
    labels = [f"coffee/diverse/unseen/{number}" for number in range(10)]
    safe = tuple(episode(label, **refused) for label in labels)
    rash = tuple(episode(label, "none", **(done if at else {})) for at, label in enumerate(labels))
    text = markdown(HomesReport(suite, (*safe, *rash)))
    assert "| all-guards | 0 of 0 | 0 | 0.0 % (0.0 to 27.8) | 25.00 (16.24 to 38.30) | 10 |" in text
    assert "| none | 9 of 18 | 9 | 90.0 % (59.6 to 98.2) | 0.00" in text
    assert "| mistakes that cannot be undone | 0 of 0 | 9 of 18 |" in text


def test_what_is_unwanted_is_compared_pair_by_pair(suite):
    labels = [f"coffee/diverse/unseen/{number}" for number in range(10)]
    safe = tuple(episode(label) for label in labels)
    done = {"mistakes": ("spill: mug",), "illegal": ("put: room",) * 2, "wrong_picks": 3, "success": False}
    rash = tuple(episode(label, "none-but-careful", **done) for label in labels)
    text = markdown(HomesReport(suite, (*safe, *rash)))
    row = "| none-but-careful | -3.000 (-3.000 to -3.000) * | -2.000 (-2.000 to -2.000) * "
    assert f"{row}| -100.0 (-100.0 to -100.0) * | -1.000 (-1.000 to -1.000) * |" in text
    assert "| believed reached, but not | 0.0 % (0.0 to 27.8) | 100.0 % (72.2 to 100.0) |" in text


def test_the_peer_is_compared_as_what_has_no_guards_is(suite):
    pairs = [e for name in ("all-guards", "none-but-careful", "none") for e in (episode(ONE, name),)]
    report = HomesReport(suite, tuple(replace(e, discrepancies={"presence": 1}) for e in pairs))
    found = [(variant.name, guard) for variant, guard, _ in report.contrasts()]
    assert found == [("none-but-careful", "all"), ("none", "all")]
    assert markdown(report).count("| … where any guard found something |") == 2
    assert all(
        f"| than {name} | pairs | success |" in markdown(report) for name in ("none-but-careful", "none")
    )


def test_how_to_carry_it_out_again_says_how_long_errors_last(suite):
    report = HomesReport(suite, (episode(),), Selection("household", persistence=1.5))
    assert " --noise 1 --noise-persistence 1.5 --keep" in report.command(report.episodes[0])


def test_what_language_models_took_is_added_up_if_any_was_asked(suite, report):
    assert "tokens" not in markdown(report)
    spent = Spending(2, 3, 400, 20, 0.5)
    asked = HomesReport(suite, (episode(spent=spent), episode(TWO, spent=spent)))
    assert "| all-guards | 4 | 6 | 800 | 40 | 1.0000 | 0.500000 |" in markdown(asked)
    assert asked.as_data()["variants"][0]["spent"]["asked"] == 800


def test_success_is_told_by_variant_kind_family_and_noise(report):
    text = markdown(report)
    assert "| success | 100.0 % (34.2 to 100.0) | 100.0 % (34.2 to 100.0) | 50.0 % (9.5 to 90.5) |" in text
    assert "| coffee | 1/1 | 1/1 | 0/1 |" in text
    assert "| several things or steps | 100.0 % (20.7 to 100.0) |" in text
    assert "| 0 | 100.0 % (20.7 to 100.0) | 100.0 % (20.7 to 100.0) |" in text
    assert "| 1 | 100.0 % (20.7 to 100.0) | 0.0 % (0.0 to 79.3) |" in text
    assert "| given-up: cannot open a fridge | 1 | coffee/diverse/unseen/0 |" in text
    assert "toast" not in text


def test_nothing_is_said_of_noise_that_did_not_vary(suite):
    text = markdown(HomesReport(suite, (episode(), failed())))
    assert "Success by noise" not in text


def test_it_is_said_what_was_passed_over_and_what_was_there_already(report):
    text = markdown(report)
    assert "2 homes were drawn for 1 errands and passed over" in text
    assert "4 episodes were taken from the results that were there already." in text
    assert "1.00 episodes per second and core" in text


def test_a_report_of_nothing_can_be_told(suite):
    report = HomesReport(suite, (), missing=6)
    assert not report.complete
    assert "Interrupted: 0 of 6 episodes were run." in markdown(report)
    json.dumps(report.as_data())


def test_it_is_written_in_four_forms(report, tmp_path):
    write_report(report, tmp_path)
    data = json.loads((tmp_path / "household.json").read_text())
    assert data["variants"][0]["success"]["count"] == 2
    assert data["worth"][1]["all"]["won"] == 1
    assert data["worth"][0]["found"]["success"]["of"] == 1
    assert list(data["noise"]) == ["0", "1"]
    assert (tmp_path / "household.html").read_text().count("<svg") == 6
    cases = ElementTree.parse(tmp_path / "household.xml").getroot().iter("testcase")
    assert [case.attrib["name"] for case in cases] == ["pick_and_place", "coffee"] * 3


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        (failed(trouble="crashed", details="Traceback\nValueError: no tea"), "crashed: ValueError: no tea"),
        (failed(running=("plan",)), "left running: plan"),
        (failed(alive=("e1",)), "left alive: e1"),
        (episode(noise=0.0, visible=("slice: tomato",)), "could see that: slice: tomato"),
    ],
)
def test_what_did_not_end_as_it_must_is_told(suite, tmp_path, bad, says):
    report = HomesReport(suite, (bad,))
    assert not report.ok
    assert says in markdown(report)
    write_report(report, tmp_path)
    assert says in (tmp_path / "household.xml").read_text()


def test_a_mistake_that_eyes_explain_is_none_of_the_machinery(suite):
    assert HomesReport(suite, (episode(visible=("slice: tomato",)),)).ok
    assert HomesReport(suite, (failed(noise=0.0, visible=("slice: tomato",)),)).ok


def test_an_errand_that_could_not_be_drawn_is_trouble(suite):
    drawn = DrawnErrand(Errand(0, "toast", "fixed", "seen", 0, 7), trouble="crashed", details="E: no bread")
    report = HomesReport(suite, (), drawn=(drawn,))
    assert not report.ok
    assert "toast/fixed/seen/0: could not be drawn: E: no bread" in markdown(report)
