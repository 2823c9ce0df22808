"""What recording costs the tick, and how fast runs are read back.

Run it with ``python -m pytest benchmarks/bench_runs.py``.
"""

from __future__ import annotations

import time
from itertools import count

import pytest

from foretree.runs.events import Event
from foretree.runs.reader import events
from foretree.runs.recorder import RunRecorder
from foretree.runs.store import RunStore
from foretree.runs.views.run_state import RunState, replay

#: What one ``record()`` may cost the tick thread, 99 times out of 100.
RECORD_P99_US = 5.0

CHECK = {
    "node": "agent/loop/plan/a3/presence",
    "action": "a3",
    "guard": "presence",
    "passed": True,
    "expected": "(on mango1 table1)",
    "believed": "(on mango1 table1) true, look",
}


@pytest.fixture
def recorder(tmp_path):
    made = RunRecorder(RunStore(tmp_path).create("benchmark"))
    yield made
    made.close("reached")


def percentile(samples: list[float], share: float) -> float:
    return sorted(samples)[int(len(samples) * share)]


def test_record(benchmark, recorder):
    """One event, as the tick thread pays for it, while the writer thread writes."""
    benchmark(recorder.record, "guard.checked", **CHECK)


def test_record_p99(benchmark, recorder):
    """At 1,000 ticks a second with ten events each: far more than any session asks for."""
    samples: list[float] = []

    def a_tenth_of_a_second() -> None:
        for tick in range(100):
            recorder.mark(tick, tick * 0.001)
            for _ in range(10):
                began = time.perf_counter_ns()
                recorder.record("guard.checked", **CHECK)
                samples.append((time.perf_counter_ns() - began) / 1000)
            time.sleep(0.001)

    benchmark.pedantic(a_tenth_of_a_second, rounds=20)
    for share in (0.5, 0.99, 0.999):
        benchmark.extra_info[f"p{100 * share:g} µs"] = percentile(samples, share)
    assert percentile(samples, 0.99) <= RECORD_P99_US


def test_commit(benchmark, recorder):
    """An action's intent: there and back through the disk's own cache."""
    numbers = count()
    benchmark(lambda: recorder.commit("action.intent", action={"id": "a1"}, execution=f"e{next(numbers)}"))


def test_reading(benchmark, recorder):
    """Ten thousand events from the disk."""
    for _ in range(10_000):
        recorder.record("guard.checked", **CHECK)
    recorder.commit("log", text="the end")
    read = benchmark(lambda: sum(1 for _ in events(recorder.run)))
    assert read == 10_001


def test_listing(benchmark, tmp_path):
    """Three hundred runs."""
    store = RunStore(tmp_path)
    for _ in range(300):
        store.create("put the mango into the fridge")
    assert len(benchmark(store.list).runs) == 300


def test_replay(benchmark):
    """Ten thousand ticks of a plan of a thousand actions."""
    nodes = [{"id": "plan", "parent": None, "name": "plan", "type": "PlanNode"}]
    nodes += [{"id": f"plan/a{n}", "parent": "plan", "name": f"a{n}", "type": "Act"} for n in range(1000)]
    made = [Event(1, 0, 0.0, "tree.built", {"nodes": nodes})]
    made += [
        Event(n, n, n * 0.05, "tree.changed", {"status": {f"plan/a{n % 1000}": ["RUNNING", ""]}})
        for n in range(2, 10_002)
    ]
    state: RunState = benchmark(replay, made)
    assert state.tick == 10_001
