"""A simulation in a process of its own, which a test can kill and start anew."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading


class SimulationProcess:
    """Runs ``python -m foretree.robots.simulated`` with these arguments."""

    def __init__(self, *arguments):
        self.arguments = arguments
        self.start()

    def start(self):
        command = [sys.executable, "-m", "foretree.robots.simulated", *self.arguments]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        ready = threading.Event()
        self.said: list[str] = []

        def read(stream):
            for line in stream:
                self.said.append(line)
                ready.set()

        self._reader = threading.Thread(target=read, args=(self.process.stdout,), daemon=True)
        self._reader.start()
        assert ready.wait(60), "the simulation does not begin"

    def kill(self):
        self.process.kill()
        self.process.wait(30)
        self._reader.join(30)

    def end(self):
        """End it as a terminal or a launch file does; the exit code."""
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(30)
