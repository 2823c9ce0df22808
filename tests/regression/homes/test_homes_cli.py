"""Suites in homes from the command line."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from foretree.cli import app


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (
            ["household", "--ablate", "presence,atribute"],
            "no variant without 'atribute'. Did you mean attribute",
        ),
        (["household", "--mode", "divers"], "no mode 'divers'"),
        (["household", "--only", "toast/diverse/unseen"], "no errand 'toast/diverse/unseen'"),
        (
            ["smoke", "--ablate", "all"],
            "--ablate is for suites of grid homes, language and trials of ALFRED only",
        ),
        (["smoke", "--keep"], "--keep is for suites of grid homes and trials of ALFRED only"),
    ],
)
def test_a_choice_that_makes_no_sense_is_an_error_in_words(arguments, says):
    result = CliRunner().invoke(app, ["regress", *arguments])
    assert result.exit_code != 0
    assert says in str(result.exception)


def test_what_guards_are_worth_on_one_errand_is_reported_kept_and_replayed(tmp_path, monkeypatch):
    monkeypatch.setenv("FORETREE_HOME", str(tmp_path / "home"))
    label = "pick_and_place/diverse/seen/0"
    chosen = ["--only", label, "--mode", "diverse", "--split", "seen", "--ablate", "all", "--noise", "0.5"]
    command = ["regress", "household", *chosen, "-j", "1", "--keep", "--output", str(tmp_path / "reports")]
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 0, done.output
    told = json.loads((tmp_path / "reports" / "household.json").read_text())
    kept = {episode["variant"]: episode for episode in told["episodes"]}
    assert list(kept) == ["all-guards", "none-but-careful", "none"]
    assert {(episode["label"], episode["noise"]) for episode in kept.values()} == {(label, 0.5)}
    assert told["worth"][0]["without"] == "all"
    assert "<svg" in (tmp_path / "reports" / "household.html").read_text()

    guarded = kept["all-guards"]
    replayed = CliRunner().invoke(app, ["replay", guarded["run"]])
    assert replayed.exit_code == 0, replayed.output
    assert f"ended: {guarded['outcome']}" in replayed.output
    assert "check passed: presence" in replayed.output
    assert "check passed" not in CliRunner().invoke(app, ["replay", kept["none"]["run"]]).output

    again = CliRunner().invoke(app, command)
    assert "3 episodes were taken from the results that were there already" in " ".join(again.output.split())


def test_results_of_another_suite_are_refused(tmp_path):
    (tmp_path / "household.jsonl").write_text('{"results of": {"suite": "tea"}}\n')
    result = CliRunner().invoke(app, ["regress", "household", "--output", str(tmp_path)])
    assert "keeps results of another suite (tea, not household)" in str(result.exception)


def test_a_missing_package_is_named_with_what_installs_it():
    code = (
        "import sys; sys.modules['numpy'] = None\n"
        "from foretree.errors import ForetreeError\n"
        "from foretree.regression.suites import Selection, regress\n"
        "try: regress(Selection('household'))\n"
        "except ForetreeError as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (
        "take the package numpy, which is missing. Install it with: pip install 'foretree[homes]'"
        in done.stdout
    )


def test_a_run_in_a_home_says_what_it_takes():
    """The same for one run, which needs no suite."""
    code = (
        "import sys; sys.modules['numpy'] = None\n"
        "from foretree.cli import main\n"
        "sys.argv = ['foretree', 'run', 'put a mug on a table', '--home', 'l_kitchen/3']\n"
        "main()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 2
    assert "Grid homes take the package numpy, which is missing." in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr
