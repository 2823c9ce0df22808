"""Signals in a hurry: the first counts, and nothing cuts short what is done because of it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from waiting import until

from foretree.cli._signals import Signals, heard
from foretree.runs.reader import events as read
from foretree.runs.store import RunStore

MANGO = "put the mango into the fridge"
REPOSITORY = Path(__file__).resolve().parents[2]


def test_the_first_strikes_once_and_no_other_does():
    with heard(signal.SIGTERM) as signals:
        with pytest.raises(KeyboardInterrupt), signals.let_in():
            signal.raise_signal(signal.SIGTERM)
        for _ in range(3):
            signal.raise_signal(signal.SIGTERM)
    assert signals.struck
    signal.raise_signal(signal.SIGTERM)  # on the way out it is ignored, too
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


def test_what_comes_early_waits_until_it_is_let_in():
    with heard(signal.SIGTERM) as signals:
        signal.raise_signal(signal.SIGTERM)
        with pytest.raises(KeyboardInterrupt), signals.let_in():
            pytest.fail("it has come already")
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


def test_what_comes_late_does_not_spoil_the_end():
    before = signal.getsignal(signal.SIGTERM)
    with heard(signal.SIGTERM) as signals:
        with signals.let_in():
            pass
        signal.raise_signal(signal.SIGTERM)
    assert not signals.struck
    assert signal.getsignal(signal.SIGTERM) is before


def test_what_a_process_was_told_to_ignore_it_ignores():
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with heard() as signals, signals.let_in():
            signal.raise_signal(signal.SIGHUP)
    finally:
        signal.signal(signal.SIGHUP, before)


def test_nothing_is_left_open_between_two_blocks():
    signals = Signals()
    signals.hear(15, None)
    with pytest.raises(KeyboardInterrupt), signals.let_in():
        pass
    with signals.let_in():
        pass  # it has struck; there is no second time


class Process:
    """A `foretree` process of its own, without the launcher around it."""

    def __init__(self, home: Path, *words: str) -> None:
        self.home = home
        self.out = open(home / "out", "w+")  # noqa: SIM115 - read when the process has ended
        self._process = subprocess.Popen(
            [sys.executable, "-m", "foretree", *words],
            stdin=subprocess.DEVNULL,
            stdout=self.out,
            stderr=subprocess.STDOUT,
            env={**os.environ, "FORETREE_HOME": str(home), "PYTHONPATH": str(REPOSITORY)},
            start_new_session=True,
        )

    def acts(self) -> None:
        """Wait until the robot has been told something."""
        store = RunStore(self.home / "runs")
        until(
            lambda: store.ids() and any(e.kind == "action.started" for e in read(store.open(store.ids()[0]))),
            lambda: f"it acts: {self.said()}",
        )

    def said(self) -> str:
        return Path(self.out.name).read_text()

    def send(self, *numbers: signal.Signals, every: float = 0.01) -> int:
        """Send them, as far as the process is there to hear them; returns its exit code."""
        for number in numbers:
            if self._process.poll() is None:
                self._process.send_signal(number)
                time.sleep(every)
        code = self._process.wait(120)
        self.out.close()
        return code


HURRY = {
    "nine times Ctrl-C": [signal.SIGINT] * 9,
    "all of them": [signal.SIGTERM, signal.SIGINT, signal.SIGTERM, signal.SIGHUP],
}


@pytest.mark.parametrize("numbers", HURRY.values(), ids=HURRY)
def test_signals_in_a_row_end_a_run_as_one_does(tmp_path, numbers):
    process = Process(tmp_path, "run", MANGO, "--plain", "--speed", "2", "--id", "hurry")
    process.acts()
    assert process.send(*numbers) == 130
    assert "Traceback" not in process.said()
    assert "cancelled: interrupted" in process.said()
    assert RunStore(tmp_path / "runs").open("hurry").info().outcome == "cancelled"
    assert [path.name for path in (tmp_path / "runs").glob("hurry*")] == ["hurry.sqlite"]


LOADING = """
import builtins, os, signal, sys
import foretree.cli

real = builtins.__import__

def disturbed(name, *rest, **more):
    if name == moment:
        for _ in range(9):
            os.kill(os.getpid(), signal.SIGINT)
    return real(name, *rest, **more)

moment = sys.argv.pop()
builtins.__import__ = disturbed
foretree.cli.main()
"""
LEAVING = """
import atexit, os, signal, sys
import foretree.cli

def disturb():
    for _ in range(9):
        os.kill(os.getpid(), signal.SIGINT)

atexit.register(disturb)
foretree.cli.main()
"""


@pytest.mark.parametrize(
    ("script", "words", "code"),
    [
        (LOADING, ["--version", "foretree.children"], 130),
        (LOADING, ["--version", "foretree.cli._application"], 130),
        (LEAVING, ["--version"], 0),
    ],
    ids=["beginning", "loading", "leaving"],
)
def test_ctrl_c_shows_no_traceback_before_and_after_the_command_either(script, words, code):
    done = subprocess.run(
        [sys.executable, "-c", script, *words],
        capture_output=True,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
        text=True,
        timeout=300,
    )
    assert (done.returncode, done.stderr) == (code, "")
