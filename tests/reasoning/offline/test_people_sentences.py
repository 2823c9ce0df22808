"""Sentences of people about tasks that nobody of this project drew; they are no part of it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
FOLDER = Path(os.environ.get("FORETREE_ALFRED", ROOT.parent / "shared" / "alfred"))
SCRIPT = ROOT / "benchmarks" / "people_sentences.py"


def run(*options, folder=FOLDER):
    told = {**os.environ, "FORETREE_ALFRED": str(folder)}
    done = subprocess.run(
        [sys.executable, SCRIPT, *options], env=told, capture_output=True, text=True, check=True
    )
    return done.stdout


def test_where_there_are_no_sentences_one_line_says_so(tmp_path):
    assert run(folder=tmp_path) == (
        f"Skipped: there are no trials in {tmp_path}; FORETREE_ALFRED names their folder.\n"
    )


@pytest.mark.slow
@pytest.mark.skipif(not (FOLDER / "trials.jsonl.gz").is_file(), reason=f"no sentences in {FOLDER}")
def test_about_half_are_understood_as_meant():
    everything = next(line for line in run().splitlines() if line.startswith("all "))
    assert float(everything.split()[2]) > 45
