from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from waiting import until

from foretree.planning.solvers.fast_downward._confined import Confined

_TELLS = (
    "import resource, sys; sys.stdin.readline()\n"
    "print(*resource.getrlimit(resource.RLIMIT_AS), *resource.getrlimit(resource.RLIMIT_CPU))"
)


def _told(seconds: int | None) -> list[int]:
    program = Confined([sys.executable, "-c", _TELLS], seconds)
    out, _ = program.communicate(b"\n")
    program.end()
    return [int(word) for word in out.split()]


def _alive(pid: int) -> bool:
    try:
        return "State:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False


def test_memory_and_processor_are_limited() -> None:
    assert _told(7) == [4 << 30, 4 << 30, 7, 8]


def test_limits_that_are_narrower_already_stay() -> None:
    code = (
        "import resource, sys\n"
        "resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 3 << 30))\n"
        "sys.path.insert(0, sys.argv[1])\n"
        "import test_confined\n"
        "print(*test_confined._told(None)[:2])"
    )
    words = [sys.executable, "-c", code, str(Path(__file__).parent)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    out = subprocess.run(
        words, check=True, capture_output=True, text=True, env=environment, timeout=120
    ).stdout
    assert out.split() == [str(2 << 30), str(3 << 30)]


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_it_does_not_outlive_who_started_it(how: signal.Signals) -> None:
    code = (
        "import sys, time\n"
        "from foretree.planning.solvers.fast_downward._confined import Confined\n"
        "program = Confined([sys.executable, '-c', 'import time; time.sleep(600)'], None)\n"
        "print(program.pid, flush=True)\n"
        "time.sleep(600)"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as starter:
        assert starter.stdout is not None
        pid = int(starter.stdout.readline())
        assert _alive(pid)
        starter.send_signal(how)
        until(lambda: not _alive(pid), "the program ends")


def test_ending_it_leaves_nothing_open() -> None:
    before = os.listdir("/proc/self/fd")
    Confined([sys.executable, "-c", "import time; time.sleep(600)"], None).end()
    with pytest.raises(OSError, match="No such file"):
        Confined(["/no/such/program"], None)
    assert os.listdir("/proc/self/fd") == before
