from __future__ import annotations

import io
import json
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from pretended_planner import LITTLE, ground
from rich.console import Console

from foretree.regression.core.figures import summarise
from foretree.regression.core.selection import Selection, SuiteError
from foretree.regression.core.statistics import Rate
from foretree.regression.core.trial import Effort
from foretree.regression.planning._results import FIGURES, compare
from foretree.regression.planning.growth import Growth, read_growth
from foretree.regression.planning.report import PlanningReport
from foretree.regression.planning.suite_file import read_planning_suite
from foretree.regression.planning.trial import PlanningEpisode, Timing
from foretree.regression.reports.junit import as_junit
from foretree.regression.reports.output import markdown, print_report, write_report


@pytest.fixture(scope="module")
def suite(tmp_path_factory):
    path = tmp_path_factory.mktemp("suites") / "little.yaml"
    path.write_text(LITTLE)
    return read_planning_suite(str(path), ground)


def episode(task="mango-cooled", setting="dual", variant="full", seed=1, **more):
    given = {
        "planned": True,
        "proved": True,
        "success": True,
        "cost": 100,
        "first_cost": 120,
        "actions": 4,
        "stops": 2,
        "used": ("move", "pick"),
        "asked": {"goal": 1, "grounding": 2},
        "again": True,
        "timing": Timing(0.1, 0.5, 0.3, {"retrieve": 0.02, "map": 0.05}, 0.04, 0.01),
        "effort": Effort(1.0, 1.5),
        **more,
    }
    return PlanningEpisode(0, task, "simple", setting, variant, seed, **given)


FAILED = {"planned": False, "proved": False, "success": False, "again": None}


def report(suite, *episodes, **more):
    return PlanningReport(
        suite, tuple(replace(e, number=i) for i, e in enumerate(episodes)), Selection(seed=7), **more
    )


def test_a_summary_adds_up():
    summary = summarise(
        FIGURES,
        [
            episode(),
            episode(cost=200, actions=6, timing=Timing(0.3, 1.5, 0.9)),
            episode(proved=False, cost=600, actions=11, timing=Timing(0.2, 60.0, 59.0)),
            episode(success=False, cost=9000, actions=99, refused="pick: hand-free", asked={}),
            episode(**FAILED, timing=Timing(5.0, 60.0, 60.0)),
        ],
    )
    assert summary["success"] == Rate(3, 5)
    assert summary["proved"] == Rate(3, 4)
    assert summary["refused"] == 1
    assert summary["cost"] == pytest.approx(300)
    assert summary["actions"] == pytest.approx(7)
    assert summary["first_median"] == pytest.approx(0.15)
    assert summary["first_worst"] == pytest.approx(0.3)
    assert summary["proof_median"] == pytest.approx(0.5)
    assert summary["search_median"] == pytest.approx(0.6)
    assert summary["asked"] == pytest.approx((3 + 3 + 3 + 0) / 4)


def test_a_summary_of_nothing_is_no_error():
    summary = summarise(FIGURES, [])
    assert summary["success"] == Rate(0, 0)
    assert summary["first_worst"] == summary["cost"] == 0


def test_the_gain_is_the_mean_relative_reduction_over_what_both_solved():
    short = [
        episode(seed=1, actions=4, cost=50),
        episode(seed=2, actions=9, cost=90),
        episode(seed=3, actions=1),
        episode(seed=4, **FAILED),
        episode("refused", seed=1, actions=10, cost=100),
    ]
    long = [
        episode(seed=1, actions=8, cost=100),
        episode(seed=2, actions=10, cost=90),
        episode(seed=3, **FAILED),
        episode(seed=4, actions=2),
        episode("refused", seed=1, actions=10, cost=100),
    ]
    gain = compare("one over other", short, long)
    assert gain.pairs == 3
    assert gain.actions == pytest.approx((0.5 + 0.1 + 0.0) / 3)
    assert gain.cost == pytest.approx(0.5 / 3)
    assert (gain.shorter, gain.dearer, gain.other) == (2, 0, 2)
    assert compare("other over one", long, short).dearer == 1
    assert compare("other over one", long, short).actions == pytest.approx((-1 - 1 / 9) / 3)


def test_variants_are_compared_within_a_setting_and_settings_with_each_other():
    full = [episode(setting="dual", actions=4), episode(setting="single", actions=8)]
    without = [
        episode(setting="dual", variant="without-expansion", actions=8),
        episode(setting="single", variant="without-expansion", actions=8),
    ]
    assert compare("", full, without).actions == pytest.approx(0.25)
    assert compare("", full[:1], full[1:], across=True).actions == pytest.approx(0.5)
    assert compare("", full[:1], full[1:]).pairs == 0
    # A variant that was tried in fewer settings is compared in those.
    assert compare("", full, without[:1]).actions == pytest.approx(0.5)


def test_what_hands_and_doors_are_worth(suite):
    found = report(
        suite,
        episode(setting="dual"),
        episode(setting="single", actions=8, cost=200),
        episode(setting="dual-doors", actions=5, cost=101),
        episode(variant="without-expansion", cost=400),
    )
    gains = {gain["name"]: gain for gain in found.as_data()["gains"]}
    assert gains["dual over single"]["actions"] == pytest.approx(0.5)
    assert gains["dual over dual-doors"]["actions"] == pytest.approx(0.2)
    assert gains["full over without-expansion"]["cost"] == pytest.approx(0.75)
    text = markdown(found)
    assert "Two hands make a shorter plan in: 1 of 2 tasks." in text
    assert "Doors make another plan in: 1 of 2 tasks." in text
    assert "| dual over single | 1 | 50.0 % | 50.0 % | 1 | 0 | 1 |" in text


@pytest.mark.parametrize(
    ("wrong", "ok"),
    [
        ({}, True),
        (FAILED, True),
        ({"proved": False}, True),
        ({"success": False}, False),
        ({"success": False, "must": False}, True),
        ({"again": False}, True),
        ({"trouble": "crashed"}, False),
    ],
)
def test_what_makes_a_report_not_ok(suite, wrong, ok):
    assert report(suite, episode(), episode(**wrong)).ok is ok


def test_what_is_not_as_it_should_be_is_said(suite):
    found = report(
        suite,
        episode(stops=3, actions=5),
        episode(seed=2, success=False, refused="open: shut"),
        episode(seed=3, trouble="crashed", details="x\nBoomError: no", success=False, planned=False),
        missing=4,
    )
    text = markdown(found)
    assert "Interrupted: 3 of 7 trials were run." in text
    assert "mango-cooled (3 stops, 5 actions)" not in text  # the second seed stops at two
    assert "mango-cooled (2 to 3 stops, 4 to 5 actions)" in text
    assert "No plan uses place_in" in text
    assert "seed 2: the world refused open: shut" in text
    assert "seed 3: crashed: BoomError: no" in text


def test_a_plan_without_proof_is_listed_with_its_bound(suite):
    found = report(suite, episode(proved=False, cost=120, lower_bound=90, why="the time was up"))
    assert "| mango-cooled | dual | 1 | 120 | 90 | the time was up |" in markdown(found)
    assert "None: every plan of full is proved" in markdown(report(suite, episode()))


def test_a_report_is_printed(suite):
    console = Console(file=io.StringIO(), width=100)
    print_report(report(suite, episode(), wall=2.0, processor=3.0), console)
    text = console.file.getvalue()
    assert "100.0 %" in text
    assert "2.0 s on the wall, 3.0 s of processors: 0.33 trials per second and core." in text
    console = Console(file=io.StringIO(), width=40)
    print_report(report(suite, episode()), console, as_json=True)
    data = json.loads(console.file.getvalue())
    assert data["ok"] is True
    assert data["variants"][0]["success"] == {
        "count": 1,
        "of": 1,
        "rate": 1.0,
        "interval": [pytest.approx(0.2065, abs=1e-4), 1.0],
    }
    assert data["episodes"][0]["timing"]["parts"] == {"retrieve": 0.02, "map": 0.05}


def test_a_report_is_written_in_four_forms(suite, tmp_path):
    found = report(
        suite,
        episode(),
        episode(seed=2, setting="single", success=False, refused="open: <shut>"),
        episode(variant="without-expansion", success=False, must=False),
        episode(setting="single", trouble="crashed", success=False, planned=False, details="\x1b[31mBoom"),
        growth=(Growth("compressed", ((1, 0.1), (20, 0.12))),),
    )
    paths = write_report(found, tmp_path / "new")
    assert [path.name for path in paths] == ["little.md", "little.json", "little.xml", "little.html"]
    text, data, xml, page = (path.read_text(encoding="utf-8") for path in paths)
    assert "# little" in text
    assert json.loads(data)["growth"] == [{"name": "compressed", "points": [[1, 0.1], [20, 0.12]]}]
    suites = ElementTree.fromstring(xml)
    assert suites.attrib["tests"] == "3"
    cases = {
        (s.attrib["name"], c.attrib["classname"], c.attrib["name"]): [part.tag for part in c]
        for s in suites
        for c in s
    }
    assert cases == {
        ("little.full", "simple.mango-cooled", "dual"): ["properties"],
        ("little.full", "simple.mango-cooled", "single"): ["properties", "error", "system-out"],
        ("little.without-expansion", "simple.mango-cooled", "dual"): ["properties", "system-out"],
    }
    (compared,) = (c for s in suites for c in s if s.attrib["name"] == "little.without-expansion")
    assert compared.find("properties/property[@name='comparison']").get("value") == "true"
    assert compared.find("properties/property[@name='success']").get("value") == "0/1"
    assert compared.find("system-out").text == (
        "1 of 1 trials did not succeed.\n"
        "This variant is there for comparison: its plans need not be possible.\n"
        "seed 1: the plan was carried out, but the task is not done"
    )
    assert page.count("<svg") >= 6
    assert "Planning in larger buildings" in page
    assert "open: &lt;shut&gt;" in page


@pytest.mark.parametrize(
    ("more", "verdict", "told"),
    [
        ({}, [], None),
        ({"success": False}, ["failure"], "seed 2: the plan was carried out"),
        ({**FAILED, "why": "the time was up"}, [], "seed 2: no plan: the time was up"),
        ({"success": False, "must": False}, [], "seed 2: the plan was carried out"),
        ({**FAILED, "must": False, "trouble": "hung", "details": "no answer"}, ["error"], "seed 2: hung"),
    ],
)
def test_a_case_fails_exactly_where_the_exit_code_does_and_hides_nothing(suite, more, verdict, told):
    found = report(suite, episode(), episode(seed=2, **more))
    root = ElementTree.fromstring(as_junit("little", found.cases()))
    (case,) = root.iter("testcase")
    assert [part.tag for part in case if part.tag in ("failure", "error", "skipped")] == verdict
    assert found.ok is not bool(verdict)
    assert root.get("failures") == str(verdict.count("failure"))
    if told is None:
        assert case.find("system-out") is None
    else:
        assert case.find("system-out").text.startswith("1 of 2 trials did not succeed.\n")
        assert told in case.find("system-out").text


def test_an_interrupted_report_says_so_in_every_form(suite, tmp_path):
    found = report(suite, episode(), missing=3)
    text, data, xml, page = (path.read_text(encoding="utf-8") for path in write_report(found, tmp_path))
    says = "Interrupted: 1 of 4 trials were run."
    assert says in text
    assert says in page
    assert (json.loads(data)["complete"], json.loads(data)["missing"]) == (False, 3)
    (told,) = ElementTree.fromstring(xml).findall("testsuite/properties/property")
    assert (told.get("name"), told.get("value")) == ("interruption", says)


def test_growth_is_read_from_what_the_benchmark_writes(tmp_path):
    path = tmp_path / "growth.json"

    def row(wings, total, **more):
        usual = {"tasks": "building", "mode": "good", "map": "compressed", "solved": 3, "of": 3}
        return {**usual, "wings": wings, "total": total, **more}

    rows = [
        row(20, 0.12),
        row(1, 0.1),
        row(1, 0.3, map="whole"),
        row(1, 0.1, tasks="wing"),
        row(20, 9.9, map="whole", solved=1),
    ]
    path.write_text(json.dumps({"rows": rows, "losses": None}))
    assert read_growth(path) == (
        Growth("compressed map, good plans", ((1.0, 0.1), (20.0, 0.12))),
        Growth("whole map, good plans", ((1.0, 0.3),)),
    )
    for text in ("[]", '{"rows": [{}]}', "rows"):
        path.write_text(text)
        with pytest.raises(
            SuiteError, match=r"growth.json: that is not what benchmarks/bench_compression.py"
        ):
            read_growth(path)
    with pytest.raises(SuiteError, match="Cannot read"):
        read_growth(tmp_path / "none.json")
