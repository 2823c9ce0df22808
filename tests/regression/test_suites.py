"""Suites of several kinds, as the command line runs them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner
from waiting import until

from foretree.cli import app
from foretree.config import ConfigError
from foretree.regression.core.selection import SuiteError
from foretree.regression.suites import Selection, regress

ONE = ["building", "--only", "fridge-left-open", "--setting", "dual-arm", "--variant", "full", "-n", "1"]


def foretree(*words: str):
    return CliRunner().invoke(app, ["regress", *words])


def test_a_planning_suite_is_run_and_written_down(tmp_path):
    found = foretree(*ONE, "--json", "-o", str(tmp_path / "reports"), "--markdown", str(tmp_path / "a.md"))
    assert found.exit_code == 0, found.output
    data = json.loads(next(line for line in found.output.splitlines() if line.startswith("{")))
    assert data["ok"]
    assert [episode["success"] for episode in data["episodes"]] == [True]
    assert sorted(path.name for path in (tmp_path / "reports").iterdir()) == [
        "building.html",
        "building.json",
        "building.md",
        "building.xml",
    ]
    assert "| success | 100.0 %" in (tmp_path / "a.md").read_text()


def test_what_is_for_the_other_kind_is_refused(write_suite):
    suite = write_suite()
    for selection, option in (
        (Selection(suite, levels=("simple",)), "--level"),
        (Selection(suite, settings=("dual-arm",)), "--setting"),
        (Selection(suite, growth=Path("x")), "--growth"),
    ):
        with pytest.raises(SuiteError, match=f"one of sessions: {option} is for suites of planning"):
            regress(selection)


def test_a_suite_file_is_no_folder_of_pddl(tmp_path):
    path = tmp_path / "odd.yaml"
    path.write_text("suite: odd\nkind: pddl\n")
    with pytest.raises(ConfigError, match="kind"):
        regress(Selection(str(path)))
    with pytest.raises(
        SuiteError, match="one of sessions: FOLDER is for suites of folders of PDDL, trials of ALFRED and"
    ):
        regress(Selection(str(path), folder=tmp_path))


def test_what_is_not_in_the_suite_is_refused():
    for choice, says in (
        (Selection("building", levels=("easy",)), "no level 'easy'"),
        (Selection("building", only=("mango",)), "no task 'mango'"),
        (Selection("building", settings=("dual-arm-door",)), "Did you mean dual-arm-doors"),
    ):
        with pytest.raises(SuiteError, match=says):
            regress(choice)


#: Of each kind, a suite that takes minutes.
LONG = {
    "planning": ["building", "--level", "simple", "--variant", "full"],
    "sessions": ["building-surprises"],
}


@pytest.mark.parametrize("kind", sorted(LONG))
@pytest.mark.parametrize("as_json", [False, True])
def test_an_interrupted_suite_reports_what_was_done(tmp_path, kind, as_json):
    words = ["regress", *LONG[kind], "-j", "1", "-o", str(tmp_path), *(["--json"] if as_json else [])]
    with subprocess.Popen(
        [sys.executable, "-m", "foretree", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
    ) as process:
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        until(children.read_text, "the first worker")
        # What interrupts a whole group of processes is often heard twice, the second time by who is leaving.
        for _ in range(2):
            process.send_signal(signal.SIGINT)
            time.sleep(0.1)
        out, err = process.communicate(timeout=120)
    assert process.returncode == 130, err
    assert "Traceback" not in err
    written = json.loads(next(tmp_path.glob("*.json")).read_text())
    done, left = len(written["episodes"]), written["missing"]
    assert not written["complete"]
    assert left > 0
    what = "trials" if kind == "planning" else "episodes"
    assert f"Interrupted: {done} of {done + left} {what} were run." in (err if as_json else out)
    assert len(list(tmp_path.iterdir())) == 4
    if as_json:
        assert json.loads(out) == written
