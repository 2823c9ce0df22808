"""Runs to look at, and viewers of them in processes of their own."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass

from foretree.bringup.embedded import open_household
from foretree.bringup.options import Options, Wish
from foretree.runs.recorder import RunRecorder
from foretree.runs.store import Run, RunStore


def recorded(store: RunStore, instruction: str, scene: str, *faults: str, run_id: str | None = None) -> Run:
    """A run that is carried out in this process, as fast as possible."""
    run = store.create(instruction, scene, run_id)
    recorder = RunRecorder(run)
    session, _ = open_household(scene, Wish(instruction), Options(faults=faults), recorder=recorder)
    result = session.run()
    recorder.close(result.outcome)
    return run


@dataclass
class Viewer:
    """A viewer in a process of its own."""

    address: str
    process: subprocess.Popen[str]

    def page(self, name: str) -> str:
        return self.address.split("#")[0] + name


def start_viewer(store: RunStore, *options: str) -> Viewer:
    environment = {**os.environ, "FORETREE_HOME": str(store.directory.parent)}
    command = [sys.executable, "-m", "foretree", "view", "--no-browser", "--port", "0", *options]
    process = subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    assert process.stdout is not None
    said = process.stdout.readline()
    found = re.search(r"http://\S+", said)
    assert found, said + process.stdout.read()
    return Viewer(found[0], process)
