"""What recording costs a tree of 211 nodes: ticks per second, with and without, side by side.

Seconds of the processor, in which the thread that writes the record has its part. The two trees take turns in
short spells, and the best spell of each counts: whatever else runs on the machine only makes spells worse.

    python -m pytest benchmarks/bench_recording.py
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest
from py_trees.trees import BehaviourTree

from foretree.runs.store import RunStore
from foretree.trees.fast_tick import FastTree
from foretree.trees.recording import record

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "trees" / "recording"))

from recorded_trees import all_at_once, one_after_the_other

SPELLS, TICKS = 100, 100

#: The share of a tree's ticks per second that is left when it is recorded, at least.
LEFT = {BehaviourTree: 0.9, FastTree: 0.3}


def seconds(tree) -> float:
    begun = time.process_time()
    for _ in range(TICKS):
        tree.tick()
    return time.process_time() - begun


@pytest.mark.parametrize("shape", [one_after_the_other, all_at_once])
@pytest.mark.parametrize("kind", LEFT)
def test_ticks_per_second(tmp_path, capsys, kind, shape):
    plain, watched = kind(shape()), kind(shape())
    recording = record(watched, store=RunStore(tmp_path))
    spells = [(seconds(plain), seconds(watched)) for _ in range(SPELLS)]
    recording.end()
    without, recorded = (TICKS / min(spell) for spell in zip(*spells, strict=True))
    with capsys.disabled():
        print(
            f"\n{kind.__name__}, {shape.__name__}: {without:,.0f} ticks/s, recorded {recorded:,.0f} "
            f"({recorded / without:.0%}); {recording.run.info().events / recording.ticks:.2f} events a tick"
        )
    assert recorded >= LEFT[kind] * without
