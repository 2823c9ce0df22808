"""Runs to write out."""

from collections.abc import Callable

import pytest
from export_tools import HOSTILE
from mango_run import mango_run

from foretree.runs.recorder import RunRecorder
from foretree.runs.store import Run, RunStore


@pytest.fixture
def store(tmp_path) -> RunStore:
    return RunStore(tmp_path / "runs")


@pytest.fixture
def written(store: RunStore) -> Callable[..., Run]:
    """Makes a run of what a function records."""

    def made(record: Callable[[RunRecorder], object], instruction: str = "do it") -> Run:
        run = store.create(instruction, "kitchen")
        recorder = RunRecorder(run)
        record(recorder)
        recorder.close("reached")
        return run

    return made


@pytest.fixture
def mango(written) -> Run:
    return written(mango_run, "put the mango into the fridge")


@pytest.fixture
def hostile(written) -> Run:
    """A run whose names are not to be trusted."""

    def record(recorder: RunRecorder) -> None:
        recorder.mark(1, 0.1)
        recorder.record("run.started", instruction=HOSTILE)
        recorder.record("goal.set", goal=HOSTILE)
        recorder.record(
            "plan.made", actions=[{"id": "a<1", "skill": HOSTILE, "arguments": [HOSTILE], "cost": 1}]
        )
        ids = ("r", f"r/{HOSTILE}", "r/plan", "r/plan/a<1")
        types = ("Sequence", HOSTILE, "PlanNode", "Act")
        nodes = [
            {
                "id": name,
                "parent": None if name == "r" else name.rpartition("/")[0],
                "name": HOSTILE,
                "type": kind,
            }
            for name, kind in zip(ids, types, strict=True)
        ]
        nodes[1]["parent"] = "r"
        recorder.record("tree.built", nodes=nodes)
        recorder.record("tree.changed", status={name: ["RUNNING", HOSTILE] for name in ids})
        recorder.record("log", text=HOSTILE)

    return written(record, HOSTILE)
