"""Output on a device that is full: the run goes on, and the exit code says what counts."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a device that is full")

MANGO = "put the mango into the fridge"
REPOSITORY = Path(__file__).resolve().parents[2]


def told(home: Path, *words: str, stderr: str = "") -> tuple[int, str]:
    """The exit code, and what went to standard error, when standard output is on a full device."""
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "foretree", *words],
            stdin=subprocess.DEVNULL,
            stdout=full,
            stderr=full if stderr == "full" else subprocess.PIPE,
            env={**os.environ, "FORETREE_HOME": str(home), "PYTHONPATH": str(REPOSITORY)},
            text=True,
            timeout=300,
        )
    return done.returncode, done.stderr or ""


@pytest.mark.parametrize("form", ["--plain", "--json"])
def test_a_run_goes_on_and_its_outcome_counts(tmp_path, form):
    code, said = told(tmp_path, "run", MANGO, form, "--id", "unseen")
    assert code == 0, said
    if form == "--plain":
        assert said.count("\n") == 1
    assert "The output could not be written: No space left on device." in said
    assert "foretree show unseen" in said


@pytest.mark.parametrize(
    "words", [("map", "show", "office"), ("plan", MANGO), ("--help",), ("plan", MANGO, "--json")]
)
def test_where_output_is_all_that_was_asked_for_it_is_an_error(tmp_path, words):
    code, said = told(tmp_path, *words)
    assert (code, said) == (3, "foretree: The output cannot be written: No space left on device.\n")


def test_where_nothing_can_be_said_the_exit_code_says_it(tmp_path):
    code, _ = told(tmp_path, "plan", "fly to the moon", stderr="full")
    assert code == 2
