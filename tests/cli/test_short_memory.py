"""Starved of memory from outside: too little of it is no fault in Foretree."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from foretree.cli._application import exit_code_of
from foretree.runs import recorder
from foretree.runs.store import RunStore

MANGO = "put the mango into the fridge"
REPOSITORY = Path(__file__).resolve().parents[2]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits the address space of a process")
@pytest.mark.parametrize("megabytes", [24, 60, 100, 4000])
def test_a_run_either_fits_or_says_that_it_does_not(tmp_path, megabytes):
    words = [sys.executable, "-m", "foretree", "run", MANGO, "--plain"]
    done = subprocess.run(
        ["sh", "-c", f'ulimit -v {megabytes << 10}; exec "$0" "$@"', *words],
        capture_output=True,
        text=True,
        env={**os.environ, "FORETREE_HOME": str(tmp_path), "PYTHONPATH": str(REPOSITORY)},
        timeout=300,
    )
    # Where not even the interpreter fits, or not our first import, that is its own business to say.
    # So it is where a library in Rust gets no memory: it says so, and aborts instead of raising anything.
    aborted = done.returncode == -signal.SIGABRT and "memory allocation of" in done.stderr
    assert done.returncode in ((0,) if megabytes == 4000 else (0, 1, 3)) or aborted, done.stderr
    assert "fault in Foretree" not in done.stderr
    if done.returncode == 3:
        assert "too little memory" in done.stderr
    assert not list(tmp_path.glob("runs/*-wal"))


def test_a_run_that_gets_no_thread_leaves_a_record_that_can_be_taken_up(tmp_path, monkeypatch, capsys):
    class NoThread:
        def __init__(self, run_id: str) -> None:
            raise RuntimeError("can't start new thread")

    monkeypatch.setenv("FORETREE_HOME", str(tmp_path))
    monkeypatch.setattr(recorder, "_Listening", NoThread)
    assert exit_code_of(["run", MANGO, "--plain", "--id", "starved"]) == 3
    assert "too little memory" in capsys.readouterr().err
    assert [path.name for path in tmp_path.glob("runs/starved*")] == ["starved.sqlite"]
    assert RunStore(tmp_path / "runs").open("starved").info().status != "ended"
