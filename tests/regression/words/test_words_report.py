from __future__ import annotations

import json

from foretree.regression.core.selection import Selection
from foretree.regression.planning.suite import PlanningSuite
from foretree.regression.reports.document import as_markdown
from foretree.regression.suites import regress
from foretree.regression.words.report import WordsReport
from foretree.regression.words.suite import WordsSuite, WordsVariant
from foretree.regression.words.trial import WordsEpisode


def episode(number: int, half: str, failure: str, **more) -> WordsEpisode:
    known = {"level": "simple", "setting": "dual", "variant": "keyword", "seed": 1, "nodes": 3}
    wording = f"{half}-1"
    return WordsEpisode(
        number, f"task{number}", wording, half, **known, failure=failure, success=not failure, **more
    )


PLANNING = PlanningSuite("tasks", "office", {}, {}, {}, frozen_at="0123abc")
PUBLISHED = {"retrieval": 3.0, "misunderstanding or planning": 2.0, "success": 80.0}
REPORT = WordsReport(
    WordsSuite("little", PLANNING, {"keyword": WordsVariant()}, "Little.", published=PUBLISHED),
    (
        episode(0, "frozen", "", to_goal=0.010, to_plan=0.1),
        episode(1, "frozen", "misunderstanding", reason="I do not understand."),
        episode(2, "open", "planning", goal="(hot cup1)", to_goal=0.030),
        episode(3, "open", "grounding", other_meaning=True, say="Take the bow.", goal="(on bowl1 table1)"),
        episode(4, "open", "retrieval"),
        episode(5, "open", ""),
    ),
)


def test_halves_are_reported_apart_with_another_meaning_first():
    halves = {group["half"]: group for group in REPORT.aggregates()["halves"]}
    assert list(halves) == ["frozen", "open", "both"]
    assert halves["frozen"]["success"]["rate"] == 0.5
    assert halves["open"]["other_meaning"]["count"] == 1
    parts = ("retrieval", "perception", "grounding", "misunderstanding", "planning")
    assert [halves["both"][part]["count"] for part in parts] == [1, 0, 1, 1, 1]
    assert halves["frozen"]["to_goal_median"] == 10.0
    keys = list(halves["both"])
    assert keys.index("other_meaning") < keys.index("success") < keys.index("retrieval")


def test_shares_stand_beside_the_published_ones():
    text = as_markdown(REPORT.document())
    assert "at 0123abc" in text
    assert '"Take the bow." was read as (on bowl1 table1)' in text
    assert "| retrieval | 3.00 % | 0.0 % (0.0 to 65.8) | 25.0 %" in text
    assert "| misunderstanding or planning | 2.00 % | 50.0 % (9.5 to 90.5) | 25.0 %" in text
    assert "| success | 80.00 % | 50.0 % (9.5 to 90.5) | 25.0 %" in text


def test_a_suite_is_run_from_words():
    only = {"only": ("fridge-left-open",), "settings": ("dual-arm",), "variants": ("keyword",)}
    report = regress(Selection("building-words", jobs=1, **only))
    assert report.ok
    data = json.loads(json.dumps(report.as_data()))
    assert data["kind"] == "words"
    assert len(data["episodes"]) == 6
    assert all(bool(e["failure"]) is not e["success"] for e in data["episodes"])
