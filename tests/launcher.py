"""Starts `foretree` processes by the dozen: real ones, forked from one that has imported everything already."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import textwrap
import threading
from contextlib import suppress
from pathlib import Path

from waiting import until

REPOSITORY = Path(__file__).resolve().parents[1]

_SERVER = """
    import fcntl, json, os, signal, sys, termios
    import foretree.children, foretree.cli._application, foretree.bringup.embedded, foretree.bringup.preview, foretree.bringup.resume
    import foretree.bringup.request, foretree.runs.recorder, foretree.runs.views.terminal, foretree.runs.views.tables
    import foretree.runs.views.why, foretree.simulation.household.scene_file, foretree.bringup.doctor

    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for line in sys.stdin:
        job = json.loads(line)
        pid = os.fork()
        if pid:
            print(pid, flush=True)
            continue
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        foretree.children.allow_forks()  # as in a process that was started for this
        os.setsid()
        os.environ.clear()
        os.environ.update(job["environment"])
        os.chdir(job["folder"])
        for number, (name, flags) in enumerate(job["files"]):
            os.dup2(os.open(name, flags, 0o600), number)
        if job["terminal"]:
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)
        sys.stdin = open(0, closefd=False)
        sys.stdout = open(1, "w", closefd=False)
        sys.stderr = open(2, "w", closefd=False)
        try:
            foretree.cli.main(job["words"])
        except SystemExit as end:
            sys.stdout.flush()
            with open(job["code"] + ".new", "w") as file:
                file.write(str(end.code or 0))
            os.rename(job["code"] + ".new", job["code"])
            raise
"""


class Job:
    """One `foretree` process."""

    def __init__(self, pid: int, folder: Path, terminal: int | None) -> None:
        self.pid = pid
        self.folder = folder
        self._terminal = terminal
        self._shown: list[bytes] = []
        if terminal is not None:
            threading.Thread(target=self._drain, daemon=True).start()

    def _drain(self) -> None:
        try:
            while piece := os.read(self._terminal, 65536):
                self._shown.append(piece)
        except OSError:
            pass

    @property
    def out(self) -> str:
        """What it has written to standard output; on a terminal, everything that can be seen there."""
        if self._terminal is not None:
            return b"".join(self._shown).decode(errors="replace")
        return self._written("out")

    @property
    def err(self) -> str:
        return "" if self._terminal is not None else self._written("err")

    def _written(self, name: str) -> str:
        path = self.folder / name
        return path.read_text() if path.exists() else ""

    def type(self, text: str) -> None:
        """Type at its terminal."""
        os.write(self._terminal, text.encode())

    def send(self, number: int) -> None:
        os.kill(self.pid, number)

    def alive(self) -> bool:
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return False
        return True

    def until(self, condition):
        """What *condition* returns once that is true."""
        return until(condition, lambda: f"the process has only written:\n{self.out}\n{self.err}")

    def code(self) -> int | None:
        """Wait for its end: the exit code; None if it was killed."""
        self.until(lambda: not self.alive())
        path = self.folder / "code"
        return int(path.read_text()) if path.exists() else None

    def kill(self) -> None:
        with suppress(ProcessLookupError):  # it may have come to its end just now
            self.send(signal.SIGKILL)
        self.code()


class Launcher:
    """Starts processes; all of them share the runs below *home*."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self._count = 0
        self._server = subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(_SERVER)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
            cwd=home,
        )

    def start(self, *words: str, stdin: str = "", terminal: bool = False, **environment: str) -> Job:
        """Begin `foretree WORDS`."""
        self._count += 1
        folder = self.home / f"process{self._count}"
        folder.mkdir()
        master = None
        if terminal:
            master, slave = pty.openpty()
            files = [[os.ttyname(slave), os.O_RDWR]] * 3
        else:
            (folder / "in").write_text(stdin)
            new = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
            files = [
                [str(folder / "in"), os.O_RDONLY],
                [str(folder / "out"), new],
                [str(folder / "err"), new],
            ]
        job = {
            "words": words,
            "files": files,
            "terminal": terminal,
            "folder": str(self.home),
            "code": str(folder / "code"),
            "environment": {
                **os.environ,
                "FORETREE_HOME": str(self.home),
                "PYTHONPATH": str(REPOSITORY),
                "COLUMNS": "100",
                "LINES": "40",
                "TERM": "xterm-256color",
                **environment,
            },
        }
        self._server.stdin.write(json.dumps(job) + "\n")
        self._server.stdin.flush()
        pid = int(self._server.stdout.readline())
        started = Job(pid, folder, master)
        if terminal:
            started.until(lambda: started._shown or not started.alive())
            os.close(slave)
        return started

    def run(self, *words: str, **more: str) -> Job:
        """`foretree WORDS`, from beginning to end; the exit code is in ``status``."""
        job = self.start(*words, **more)
        job.status = job.code()
        return job

    def close(self) -> None:
        self._server.stdin.close()
        self._server.wait(120)
        self._server.stdout.close()
