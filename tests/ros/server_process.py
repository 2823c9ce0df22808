"""An action server in a process of its own, which a test can kill and start anew."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

HERE = Path(__file__).parent


class ServerProcess:
    """Runs ``moody_gripper.py`` and keeps the lines that it writes."""

    def __init__(self, name):
        self.name = name
        self.lines: list[list[str]] = []
        self.start()

    def start(self):
        ready = threading.Event()
        self.process = subprocess.Popen(
            [sys.executable, str(HERE / "moody_gripper.py"), self.name], stdout=subprocess.PIPE, text=True
        )

        def read(stream):
            for line in stream:
                self.lines.append(line.split())
                ready.set()

        self.reader = threading.Thread(target=read, args=(self.process.stdout,), daemon=True)
        self.reader.start()
        assert ready.wait(30)

    def kill(self):
        self.process.kill()
        self.process.wait(30)
        self.reader.join(30)

    def restart(self):
        self.kill()
        self.start()

    def said(self, what):
        return [line[1] for line in list(self.lines) if line[0] == what]
