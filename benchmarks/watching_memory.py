"""Memory of the page and of the server while a run is watched live for an hour.

``python benchmarks/watching_memory.py`` writes what a run of an hour records (10 ticks a second, a belief
that changes with each, an action every five seconds, a revision every thirty) twenty times as fast, while
Chromium shows it; with ``--speed 1``, as slowly as it would be. Prints the memory after each part, garbage
collected, and that of a fresh page with the same run: what the events need, whatever was watched.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import CDPSession, Page, sync_playwright

from foretree.runs.recorder import RunRecorder
from foretree.runs.store import Run, RunStore

HZ, PARTS, ACTIONS, THINGS = 10, 6, 40, 150
PANELS = ("world", "belief", "plan", "reasoner", "log")


class LongRun:
    """Records what a robot does that tidies up for hours: its plan is revised again and again."""

    def __init__(self, recorder: RunRecorder) -> None:
        self._recorder = recorder
        self._rng = random.Random(0)
        self._made = 0
        self.tick = 0
        self._plan: list[str] = []
        recorder.record("run.started", instruction="tidy up", robot="robot1", scene="kitchen")
        recorder.record("entity.changed", entities=[self._thing(n) for n in range(THINGS)])
        agent = {"id": "agent", "name": "agent", "type": "Sequence", "parent": None}
        plan = {"id": "agent/plan", "name": "plan", "type": "PlanNode", "parent": "agent"}
        recorder.record("tree.built", nodes=[agent, plan])
        recorder.record("goal.set", goal="(on thing1 thing2)", how="tidy up")
        recorder.record("plan.made", actions=self._new(ACTIONS), by="benchmark", cost=1000)
        self._splice([])

    def _thing(self, n: int) -> dict[str, Any]:
        pose = [round(self._rng.uniform(0, 30), 3), round(self._rng.uniform(0, 20), 3), 1]
        return {"name": f"thing{n}", "class": "mug", "score": 0.9, "fixed": n < 20, "pose": pose}

    def _new(self, count: int) -> list[dict[str, Any]]:
        first, self._made = self._made + 1, self._made + count
        numbers = range(first, self._made + 1)
        self._plan += [f"a{n}" for n in numbers]
        return [
            {"id": f"a{n}", "skill": "move", "arguments": ["robot1", f"place{n % 20}", "table1"], "cost": 2}
            for n in numbers
        ]

    def _splice(self, removed: list[str]) -> None:
        added = []
        for action in self._plan[-ACTIONS:]:
            above = "agent/plan"
            for kind in ("Presence", "Appearance", "Attribute"):
                node = f"{above}/{action if above == 'agent/plan' else kind.lower()}"
                added.append({"id": node, "name": kind.lower(), "type": kind, "parent": above})
                above = node
            added.append({"id": f"{above}/act", "name": f"move({action})", "type": "Act", "parent": above})
        paths = [f"agent/plan/{action}" for action in removed]
        self._recorder.record("tree.spliced", below="agent/plan", removed=paths, added=added)

    def _revise(self) -> None:
        identity = {"id": f"d{self.tick}", "action": self._plan[0], "guard": "presence"}
        words = {"expected": "thing1 is on table1", "seen": "thing1 is nowhere", "sentence": "It is gone."}
        self._recorder.record("discrepancy.found", **identity, **words)
        removed, self._plan = self._plan, []
        made = {"added": self._new(ACTIONS), "removed": removed, "kept": [], "sequence": list(self._plan)}
        why = {"discrepancy": identity["id"], "reviser": "rules", "why": "Another one is nearer."}
        self._recorder.record("revision.made", **made, **why)
        self._splice(removed)

    def go_on(self) -> None:
        """Record one tick."""
        self.tick += 1
        recorder, rng = self._recorder, self._rng
        recorder.mark(self.tick, round(self.tick / HZ, 3))
        if self.tick % (30 * HZ) == 0:
            self._revise()
        action = self._plan[self.tick // (5 * HZ) % 6]
        node = f"agent/plan/{action}/appearance/attribute/act"
        status = {node: ["RUNNING", f"{self.tick % 50} of 50"], "agent/plan": ["RUNNING", str(self.tick)]}
        recorder.record("tree.changed", status=status)
        atom = ["on", f"thing{rng.randrange(THINGS)}", f"place{rng.randrange(20)}"]
        fact = [atom, rng.choice(["true", "false"]), 0.9, "seen"]
        recorder.record("belief.changed", version=self.tick, facts=[fact])
        said = {"expected": "thing1 is on table1", "believed": "thing1 is on table1"}
        recorder.record("guard.checked", action=action, guard="presence", passed=True, **said)
        if self.tick % HZ == 0:
            recorder.record("entity.changed", entities=[self._thing(rng.randrange(THINGS))])
        if self.tick % (5 * HZ) == 0:
            told = {"id": action, "skill": "move", "arguments": ["robot1", "place1", "table1"], "cost": 2}
            recorder.record("action.intent", action=told, execution=f"x{self.tick}")
            recorder.record("action.started", action=action)
        if self.tick % (5 * HZ) == 4 * HZ:
            recorder.record("action.ended", action=action, outcome="done")


def resident(pid: int) -> float:
    """Megabytes of a process in memory."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


class Gauge:
    """Reads the memory of a page."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._session: CDPSession = page.context.new_cdp_session(page)
        self._session.send("Performance.enable")
        self._session.send("HeapProfiler.enable")

    def read(self, run: Run) -> str:
        """What the page needs once all of *run* has come and garbage is collected."""
        events = run.info().events
        self._page.wait_for_function(f"foretree.views[0]?.timeline.length >= {events}", timeout=120_000)
        self._page.evaluate("foretree.views[0].show('world')")
        self._page.evaluate("new Promise((done) => setTimeout(done, 500))")
        self._session.send("HeapProfiler.collectGarbage")
        found = self._session.send("Performance.getMetrics")["metrics"]
        metrics = {each["name"]: each["value"] for each in found}
        heap, nodes = metrics["JSHeapUsedSize"] / 1e6, metrics["Nodes"]
        listeners = metrics["JSEventListeners"]
        return f"{events:8} events  page {heap:6.1f} MB, {nodes:5.0f} DOM nodes, {listeners:4.0f} listeners"


def watch(page: Page, run: Run, recorder: RunRecorder, server: int, chosen: argparse.Namespace) -> None:
    """Record the run while *page* shows it, and print what that takes."""
    gauge = Gauge(page)
    source = LongRun(recorder)
    ticks = round(chosen.minutes * 60 * HZ)
    for part in range(1, PARTS + 1):
        begun, first = time.perf_counter(), source.tick
        page.evaluate(f"foretree.views[0].show('{PANELS[part % len(PANELS)]}')")
        while source.tick < ticks * part // PARTS:
            source.go_on()
            due = begun + (source.tick - first) / HZ / chosen.speed
            time.sleep(max(0.0, due - time.perf_counter()))
        time.sleep(0.2)  # until it is on disk
        minutes = source.tick / HZ / 60
        print(f"{minutes:4.0f} min {gauge.read(run)}  server {resident(server):4.0f} MB", flush=True)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--minutes", type=float, default=60)
    options.add_argument("--speed", type=float, default=20)
    chosen = options.parse_args()
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    with tempfile.TemporaryDirectory() as folder:
        run = RunStore(Path(folder) / "runs").create("tidy up", "kitchen", "long")
        recorder = RunRecorder(run)
        server = subprocess.Popen(
            [sys.executable, "-m", "foretree", "view", "long", "--control", "--no-browser", "--port", "0"],
            env={**os.environ, "FORETREE_HOME": folder},
            stdout=subprocess.PIPE,
            text=True,
        )
        assert server.stdout is not None
        found = re.search(r"http://\S+", server.stdout.readline())
        assert found is not None
        try:
            with sync_playwright() as driver:
                browser = driver.chromium.launch(
                    executable_path=chromium, args=["--no-sandbox", "--disable-gpu"]
                )
                page = browser.new_page(viewport={"width": 1280, "height": 800}, bypass_csp=True)
                page.goto(found[0])
                page.wait_for_function("globalThis.foretree?.views[0]?.loaded")
                watch(page, run, recorder, server.pid, chosen)
                page.close()
                fresh = browser.new_page(viewport={"width": 1280, "height": 800}, bypass_csp=True)
                fresh.goto(found[0])
                fresh.wait_for_function("globalThis.foretree?.views[0]?.loaded")
                print(f"fresh    {Gauge(fresh).read(run)}  server {resident(server.pid):4.0f} MB")
                browser.close()
        finally:
            recorder.close("cancelled")
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main()
