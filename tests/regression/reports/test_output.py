from __future__ import annotations

from xml.etree import ElementTree

import pytest

from foretree.regression.reports.junit import Case, as_junit
from foretree.regression.reports.output import OutputError, write_report, write_text
from foretree.regression.sessions.episode import SessionEpisode
from foretree.regression.sessions.report import SessionReport
from foretree.regression.sessions.suite import Suite


def episode(number=0, scenario="mango", variant="guards", **more):
    return SessionEpisode(number, scenario, variant, 7, **more)


def test_a_report_on_sessions_is_written_in_four_forms(tmp_path):
    report = SessionReport(
        Suite("smoke", {}, {}),
        (
            episode(success=True, started=5),
            episode(1, "apple", in_view=("open: shut",)),
            episode(2, variant="neither", trouble="crashed", details="x\nBoomError: no"),
        ),
    )
    text, data, xml, page = (path.read_text() for path in write_report(report, tmp_path))
    assert "# smoke" in text
    assert '"suite": "smoke"' in data
    assert "<svg" in page
    root = ElementTree.fromstring(xml)
    assert {k: root.get(k) for k in ("tests", "failures", "errors", "skipped")} == {
        "tests": "3",
        "failures": "1",
        "errors": "1",
        "skipped": "0",
    }
    verdicts = {(s.get("name"), c.get("name")): [e.tag for e in c][1:] for s in root for c in s}
    assert verdicts == {
        ("smoke.guards", "mango"): [],
        ("smoke.guards", "apple"): ["failure"],
        ("smoke.neither", "mango"): ["error"],
    }


def test_what_cannot_be_written_is_one_sentence(tmp_path):
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(OutputError, match=r"^Cannot write .*report.md: .*\.$"):
        write_text(file / "report.md", "text")


def test_junit_keeps_what_xml_cannot_say_out():
    xml = as_junit("s", [Case("a", "g", "n", 0.5, "error", "bad \x1b[1m <&>", "line\x00\nline")])
    (case,) = ElementTree.fromstring(xml).iter("testcase")
    assert case.get("time") == "0.500"
    assert case.find("error").get("message") == "bad [1m <&>"
    assert case.find("error").text == "line\nline"


def test_an_empty_suite_is_a_valid_document():
    root = ElementTree.fromstring(as_junit("s", []))
    assert (root.tag, root.get("tests")) == ("testsuites", "0")
