"""Two runs of a suite, compared trial by trial."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from foretree.cli import app
from foretree.regression.core.selection import SuiteError
from foretree.regression.reports.output import markdown, write_report
from foretree.regression.run_comparison import compare_runs
from foretree.regression.sessions.episode import SessionEpisode
from foretree.regression.sessions.report import SessionReport
from foretree.regression.sessions.suite import Suite


def run(folder, *, success, seeds=10, **more):
    """A report on episodes with these seeds, of which the first *success* succeed."""
    episodes = [
        SessionEpisode(number, "mango", "guards", number, success=number < success, started=5, **more)
        for number in range(seeds)
    ]
    folder.mkdir()
    write_report(SessionReport(Suite("tea", {}, {}), tuple(episodes)), folder)
    return folder


def foretree(*words):
    return CliRunner().invoke(app, ["regress", "diff", *map(str, words)])


def test_a_run_is_as_good_as_itself(tmp_path):
    same = run(tmp_path / "a", success=4)
    found = compare_runs(same, same)
    assert found.ok
    assert len(found.pairs) == 10
    assert all((one.change.value, one.verdict) == (0.0, "") for one in found.changes)
    done = foretree(same, same)
    assert done.exit_code == 0
    assert "Nothing changed: both of each pair" in " ".join(done.output.split())


def test_what_got_worse_is_told_and_is_the_exit_code(tmp_path):
    old, new = run(tmp_path / "a", success=10), run(tmp_path / "b", success=2)
    found = compare_runs(old, new)
    change = next(one for one in found.changes if one.measure.name == "success")
    assert (change.old, change.new, change.verdict) == (1.0, 0.2, "worse")
    assert change.change.value == pytest.approx(-0.8)
    assert change.change.high < 0
    assert not found.ok
    done = foretree(old, new, "--json")
    assert done.exit_code == 1
    told = json.loads(done.output)
    assert told["worse"] == [f"mango, guards, seed {seed}" for seed in range(2, 10)]
    assert told["better"] == []


def test_what_got_better_is_no_mistake(tmp_path):
    old, new = run(tmp_path / "a", success=2), run(tmp_path / "b", success=10)
    assert compare_runs(old, new).ok
    text = markdown(compare_runs(old, new))
    assert "Nothing changed" not in text
    assert "| guards: success | 10 | 0.2 | 1 | +0.8 (+0.5 to +1) * | better |" in text
    assert "- mango, guards, seed 9" in text


def test_a_few_pairs_say_nothing_for_certain(tmp_path):
    old, new = run(tmp_path / "a", success=3, seeds=3), run(tmp_path / "b", success=0, seeds=3)
    found = compare_runs(old, new)
    assert found.ok
    assert len(found.changed_success(False)) == 3


def test_a_trial_that_no_longer_ends_as_it_must_is_worse(tmp_path):
    old, new = run(tmp_path / "a", success=4), run(tmp_path / "b", success=4, running=("act",))
    found = compare_runs(old, new)
    assert len(found.broken) == 10
    assert not found.ok
    assert compare_runs(new, old).ok
    assert "left running: act" in markdown(found)


def test_where_the_comparison_is_to_be_written_is_checked_beforehand(tmp_path):
    same = run(tmp_path / "a", success=4)
    done = foretree(same, same, "--markdown", tmp_path / "a" / "tea.json" / "diff.md")
    assert type(done.exception).__name__ == "UsageError"
    assert "Cannot write into" in str(done.exception)
    assert "Differences" not in done.output


def test_times_of_the_machine_do_not_count(tmp_path):
    old, new = run(tmp_path / "a", success=10), run(tmp_path / "b", success=10, planned=9)
    found = compare_runs(old, new)
    plans = next(one for one in found.changes if one.measure.name == "plans")
    assert (plans.change.value, plans.verdict) == (9.0, "")
    assert found.ok


def test_what_only_one_has_is_left_out(tmp_path):
    old, new = run(tmp_path / "a", success=3), run(tmp_path / "b", success=3, seeds=4)
    found = compare_runs(old, new)
    assert len(found.pairs) == 4
    assert (found.as_data()["only_old"], found.as_data()["only_new"]) == (6, 0)
    assert "6 that only one of them has" in markdown(found)


def test_a_report_of_an_older_version_can_be_compared(tmp_path):
    old, new = run(tmp_path / "a", success=3), run(tmp_path / "b", success=3)
    file = old / "tea.json"
    said = json.loads(file.read_text())
    for key in ("kind", "selection"):
        del said[key]
    file.write_text(json.dumps(said))
    assert compare_runs(file, new).ok


def test_what_cannot_be_compared_is_told(tmp_path):
    old = run(tmp_path / "a", success=3)
    (tmp_path / "empty").mkdir()
    (tmp_path / "x.json").write_text("[]")
    said = json.loads((old / "tea.json").read_text())
    other = {**said, "episodes": [{**e, "seed": e["seed"] + 100} for e in said["episodes"]]}
    (tmp_path / "other.json").write_text(json.dumps(other))
    for new, message in (
        (tmp_path / "none.json", "Cannot read .*none.json: No such file"),
        (tmp_path / "empty", "empty is to have one JSON report"),
        (tmp_path / "x.json", "x.json is no report on a suite"),
        (tmp_path / "other.json", "no trial in common, with the same scenario, variant, seed"),
    ):
        with pytest.raises(SuiteError, match=message):
            compare_runs(old, new)
