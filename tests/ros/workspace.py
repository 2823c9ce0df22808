"""A colcon workspace with a clone of this checkout in it, and programs that run with it sourced."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from pathlib import Path

from waiting import PATIENCE, until

ROOT = Path(__file__).resolve().parent.parent.parent


class Workspace:
    """A workspace.

    It is built as any other one is; ``COLCON_DEFAULTS_FILE`` may say what this machine takes for it.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.environment = {**os.environ, "FORETREE_HOME": str(path / "home")}
        self.environment.pop("PYTHONPATH", None)
        self.environment["PYTHONUNBUFFERED"] = "1"
        # What ROS itself needs, without this checkout.
        kept = [part for part in os.environ.get("PYTHONPATH", "").split(":") if part and Path(part) != ROOT]
        self.environment["PYTHONPATH"] = ":".join(kept)

    def copy_checkout(self) -> None:
        """Have in ``src/foretree`` what a clone has: the files that git knows, links as links."""
        source = self.path / "src" / "foretree"
        source.mkdir(parents=True)
        listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        names = subprocess.run(listed, cwd=ROOT, capture_output=True, check=True).stdout
        packed = ["tar", "--create", "--null", "--files-from=-", "--ignore-failed-read"]
        archive = subprocess.run(packed, cwd=ROOT, input=names, capture_output=True, check=True).stdout
        subprocess.run(["tar", "--extract"], cwd=source, input=archive, check=True)

    def colcon(self, *arguments: str) -> str:
        """Return what colcon writes."""
        done = subprocess.run(
            ["colcon", *arguments],
            cwd=self.path,
            env=self.environment,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        assert done.returncode == 0, done.stdout
        return done.stdout

    def source(self, install: str = "install") -> None:
        """Have programs run with the workspace sourced."""
        shown = subprocess.run(
            ["bash", "-c", f". {install}/local_setup.bash && env -0"],
            cwd=self.path,
            env=self.environment,
            capture_output=True,
            check=True,
        ).stdout.decode()
        self.environment = dict(line.partition("=")[::2] for line in shown.split("\0") if line)

    def run(self, *command: str, seconds: float = PATIENCE) -> str:
        """Return what a program writes that comes to an end by itself, and well."""
        done = subprocess.run(
            command,
            env=self.environment,
            cwd=self.path,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=seconds,
            check=False,
        )
        assert done.returncode == 0, done.stdout
        return done.stdout

    def start(self, *command: str) -> Program:
        """Start a program that goes on until it is told to end."""
        return Program(command, self.environment, self.path)


class Program:
    """A program that runs, and what it has written so far."""

    def __init__(self, command: tuple[str, ...], environment: dict[str, str], folder: Path) -> None:
        self._name = " ".join(command)
        self._process = subprocess.Popen(
            command,
            env=environment,
            cwd=folder,
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        self._lines: list[str] = []
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.append(line)

    @property
    def out(self) -> str:
        """What it has written."""
        return "".join(self._lines)

    def say(self, line: str) -> None:
        """Write a line to its input."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()

    def until(self, words: str, times: int = 1) -> None:
        """Wait until it has written something."""
        until(
            lambda: self.out.count(words) >= times or self._process.poll() is not None,
            lambda: f"{words!r} from {self._name}, which wrote:\n{self.out}",
        )
        assert self.out.count(words) >= times, f"{self._name} has ended with:\n{self.out}"

    def end(self, number: signal.Signals = signal.SIGINT) -> int:
        """Send it a signal, and return the exit code."""
        if self._process.poll() is None:
            self._process.send_signal(number)
        return self.wait()

    def wait(self) -> int:
        """Return the exit code, once it has ended by itself."""
        return self._process.wait(PATIENCE)

    def kill(self) -> None:
        """End it and all that it has started, whatever they are at."""
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except ProcessLookupError:
            return
        self._process.wait(PATIENCE)
