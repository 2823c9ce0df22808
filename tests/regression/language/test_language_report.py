from __future__ import annotations

import json
from xml.etree import ElementTree

import pytest
from language_cases import write_suite
from typer.testing import CliRunner

from foretree.cli import app
from foretree.regression.core.selection import Selection
from foretree.regression.core.statistics import quantile
from foretree.regression.language.report import LanguageReport
from foretree.regression.language.suite import LanguageSuite
from foretree.regression.language.trial import LanguageEpisode
from foretree.regression.reports.document import as_markdown
from foretree.regression.suites import regress


def episode(number: int, response: str, **more) -> LanguageEpisode:
    success = response == "reached"
    return LanguageEpisode(number, f"case{number}", "default", response=response, success=success, **more)


REPORT = LanguageReport(
    LanguageSuite("words", {}, {}, frozen_at="0123abc"),
    (
        episode(0, "reached", half="frozen", family="verb", cost=10, least=10, to_goal=0.010, to_plan=0.1),
        episode(1, "reached", half="frozen", family="noun", cost=12, least=10, to_goal=0.020, to_plan=0.3),
        episode(2, "other", family="verb", say="Bring me the bow.", goal="(given bowl1 person1)"),
        episode(3, "refused", family="verb", reason="I do not understand."),
        episode(4, "suggested", wanted="suggests"),
    ),
)


def test_another_meaning_comes_first_and_the_halves_are_apart():
    halves = {group["half"]: group for group in REPORT.aggregates()["halves"]}
    assert list(halves) == ["frozen", "open", "both"]
    assert halves["frozen"]["other_meaning"]["count"] == 0
    assert (halves["open"]["other_meaning"]["count"], halves["open"]["other_meaning"]["of"]) == (1, 3)
    assert halves["both"]["success"]["rate"] == pytest.approx(0.4)
    assert halves["frozen"]["minimal_plans"]["rate"] == pytest.approx(0.5)
    assert halves["both"]["cases"] == 5
    assert halves["frozen"]["to_goal_p95"] == pytest.approx(20.0)
    assert halves["open"]["to_goal_median"] is None
    keys = list(halves["both"])
    assert keys.index("other_meaning") < keys.index("success") < keys.index("minimal_plans")


def test_the_document_says_what_was_misread_and_what_the_frozen_half_is():
    text = as_markdown(REPORT.document())
    assert '"Bring me the bow." was read as (given bowl1 person1)' in text
    assert "at 0123abc" in text
    assert "| verb, frozen | 1 | 0.0 %" in text
    assert "| verb, both | 3 | 33.3 %" in text


def test_several_variants_are_told_apart():
    both = (*REPORT.episodes[:1], LanguageEpisode(1, "case0", "naive", half="frozen"))
    report = LanguageReport(REPORT.suite, both)
    assert list(report.by_half()) == ["default, frozen", "naive, frozen"]
    assert len({case.suite for case in report.cases()}) == 2


def test_a_quantile_is_one_of_the_values():
    assert quantile([], 0.95) == 0.0
    assert quantile([3.0], 0.95) == 3.0
    assert quantile(range(1, 101), 0.95) == 95
    assert quantile([1.0, 2.0], 0.5) == 1.0


def test_a_suite_is_run_from_the_command_line(tmp_path):
    words = ["regress", write_suite(tmp_path), "-j", "1", "-o", str(tmp_path / "out")]
    found = CliRunner().invoke(app, [*words, "--csv", str(tmp_path / "cases.csv")])
    assert found.exit_code == 0, found.output
    data = json.loads((tmp_path / "out" / "little.json").read_text())
    assert data["kind"] == "language"
    assert [e["response"] for e in data["episodes"]] == [
        "reached",
        "reached",
        "asked",
        "refused",
        "suggested",
    ]
    assert len((tmp_path / "cases.csv").read_text().splitlines()) == 6
    root = ElementTree.parse(tmp_path / "out" / "little.xml").getroot()
    assert len(root.findall(".//testcase")) == 5


def test_one_case_and_one_shard_are_run(tmp_path):
    path = write_suite(tmp_path)
    assert [e.case for e in regress(Selection(path, only=("mug",), jobs=1)).episodes] == ["mug"]
