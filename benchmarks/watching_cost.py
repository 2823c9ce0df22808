"""What a viewer costs the run that it watches: ticks per second with and without one, in turns.

``python benchmarks/watching_cost.py`` ticks a recorded tree of 200 nodes 10,000 times, a status of one leaf
changing with every tick. Every second time a viewer follows the run: the server in its own process, as for
a user, and a client that reads all it is sent; with ``--browser``, Chromium with the page. Also prints how
much memory the server has after each.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

import py_trees
from py_trees.common import Status
from viewers import chromium, viewer

from foretree.runs.recorder import RunRecorder
from foretree.runs.store import Run, RunStore
from foretree.trees._tree_record import TreeRecord
from foretree.trees.fast_tick import FastTree

TICKS, GROUPS, LEAVES = 10_000, 18, 10


class Restless(py_trees.behaviour.Behaviour):
    """A leaf that says something else whenever it is its turn."""

    turn = 0

    def __init__(self, name: str, number: int) -> None:
        super().__init__(name)
        self.number = number

    def update(self) -> Status:
        if Restless.turn % (GROUPS * LEAVES) == self.number:
            self.feedback_message = f"turn {Restless.turn}"
        return Status.RUNNING


def tree() -> py_trees.behaviour.Behaviour:
    root = py_trees.composites.Parallel("all", py_trees.common.ParallelPolicy.SuccessOnAll(synchronise=False))
    for group in range(GROUPS):
        part = py_trees.composites.Parallel(
            f"group {group}", py_trees.common.ParallelPolicy.SuccessOnAll(synchronise=False)
        )
        part.add_children([Restless(f"leaf {group}.{n}", group * LEAVES + n) for n in range(LEAVES)])
        root.add_child(part)
    return root


def ticks_per_second(run: Run) -> float:
    recorder = RunRecorder(run)
    recorder.record("run.started", instruction="tick", scene="", robot="robot")
    root = tree()
    driver = FastTree(root)
    record = TreeRecord(root, recorder)
    begun = time.perf_counter()
    for tick in range(TICKS):
        Restless.turn = tick
        recorder.mark(tick + 1, tick * 0.1)
        driver.tick()
        record.tick()
    took = time.perf_counter() - begun
    recorder.close("cancelled")
    return TICKS / took


#: Reads all that a viewer is sent. In a process of its own: a thread would take its time from the run.
CLIENT = """
import asyncio, sys, websockets
async def read(url):
    async with websockets.connect(url, max_size=None) as socket:
        await socket.recv()
        print("watching", flush=True)
        async for _ in socket:
            pass
asyncio.run(read(sys.argv[1]))
"""


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--browser", action="store_true")
    options.add_argument("--rounds", type=int, default=7)
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        store = RunStore(Path(folder) / "runs")
        plain: list[float] = []
        watched: list[float] = []
        memory: list[float] = []
        with viewer(folder) as server:
            ticks_per_second(store.create("warm up", "", "warm"))
            for n in range(chosen.rounds):
                plain.append(ticks_per_second(store.create("alone", "", f"alone{n}")))
                run = store.create("watched", "", f"watched{n}")
                page = watcher(chosen.browser, server.address, run.id)
                watched.append(ticks_per_second(run))
                page()
                memory.append(server.resident())
    ratio = statistics.median(b / a for a, b in zip(plain, watched, strict=True))
    print(f"alone    {statistics.median(plain):8.0f} ticks/s")
    print(f"watched  {statistics.median(watched):8.0f} ticks/s")
    print(f"ratio    {ratio:8.2f}   (asked: 0.90; median of {chosen.rounds} pairs)")
    print("server's memory, MB, after each watched run: " + " ".join(f"{each:.0f}" for each in memory))


def watcher(browser: bool, address: str, run: str):
    """Begin to watch a run; return what waits until all of it has been read."""
    if not browser:
        url = address.replace("http", "ws") + f"runs/{run}/feed"
        reader = subprocess.Popen([sys.executable, "-c", CLIENT, url], stdout=subprocess.PIPE)
        assert reader.stdout is not None
        reader.stdout.readline()  # until it is there: its start is not what watching costs
        return reader.wait
    opened = ExitStack()
    page = opened.enter_context(chromium()).new_page()
    page.goto(f"{address}#/run/{run}")
    page.get_by_role("button", name="Live").wait_for()
    return opened.close


if __name__ == "__main__":
    main()
