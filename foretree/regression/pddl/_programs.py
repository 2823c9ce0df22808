"""Programs run within a limit of processor time, all that they start counted in."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from foretree.regression.core.processor_time import descendants, processor_time_of

#: How often is looked at what a program has taken so far, in seconds.
_LOOK = 0.1
#: A program that waits instead of computing ends too: after so many times the limit on the wall, and a while.
_WALL_TIMES, _WALL_MORE = 10.0, 30.0
#: So much of what a program says on each stream is kept, from its end.
_MOST_SAID = 1 << 26


@dataclass(frozen=True, slots=True)
class Ran:
    """Outcome of a program.

    Attributes:
        code: what it exited with; None if it was ended since it had reached the limit.
        processor: seconds of processors, those of everything that it started included.
        out, err: what it said.
    """

    code: int | None
    processor: float
    out: str
    err: str


def run_program(command: Sequence[str], limit: float, folder: Path) -> Ran:
    """Run *command* in *folder* until it ends, or has taken *limit* seconds of processors.

    What it has started and not ended is ended with it.
    """
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err, cwd=folder)
        began = time.monotonic()
        while True:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                process.returncode = os.waitstatus_to_exitcode(status)
                spent = usage.ru_utime + usage.ru_stime
                return Ran(process.returncode, spent, _said(out), _said(err))
            wall = time.monotonic() - began
            spent = processor_time_of(process.pid)
            if spent > limit or wall > _WALL_TIMES * limit + _WALL_MORE:
                _end(process)
                return Ran(None, max(spent, limit), _said(out), _said(err))
            time.sleep(min(_LOOK, 0.01 + wall / 10))


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a program and everything below it, the leaves last: who has lost its parent cannot be found."""
    for pid in (process.pid, *descendants(process.pid)):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    process.wait()


def _said(stream: IO[bytes]) -> str:
    stream.seek(max(0, stream.seek(0, os.SEEK_END) - _MOST_SAID))
    return stream.read().decode(errors="replace")
