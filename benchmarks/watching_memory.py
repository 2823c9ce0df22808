"""Memory of the page and of the server while a run is watched live for an hour.

``python benchmarks/watching_memory.py`` writes what a run of an hour records (10 ticks a second, a belief
that changes with each, an action every five seconds, a revision every thirty) twenty times as fast, while
Chromium shows it; with ``--speed 1``, as slowly as it would be. Prints the memory after each part, garbage
collected, and that of a fresh page with the same run: what the events need, whatever was watched.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import CDPSession, Page
from viewers import Viewer, chromium, open_page, viewer

from foretree.runs.recorder import RunRecorder
from foretree.runs.store import RunStore

HZ, PARTS, ACTIONS, THINGS = 10, 6, 40, 150
PANELS = ("world", "belief", "plan", "reasoner", "log")


class LongRun:
    """Records what a robot does that tidies up for hours: its plan is revised again and again.

    Attributes:
        tick: the last tick.
        recorded: how many events there are.
    """

    def __init__(self, recorder: RunRecorder) -> None:
        self._recorder = recorder
        self._rng = random.Random(0)
        self._made = 0
        self.tick = self.recorded = 0
        self._plan: list[str] = []
        self._record("run.started", instruction="tidy up", robot="robot1", scene="kitchen")
        self._record("entity.changed", entities=[self._thing(n) for n in range(THINGS)])
        agent = {"id": "agent", "name": "agent", "type": "Sequence", "parent": None}
        plan = {"id": "agent/plan", "name": "plan", "type": "PlanNode", "parent": "agent"}
        self._record("tree.built", nodes=[agent, plan])
        self._record("goal.set", goal="(on thing1 thing2)", how="tidy up")
        self._record("plan.made", actions=self._new(ACTIONS), by="benchmark", cost=1000)
        self._splice([])

    def _record(self, kind: str, **data: Any) -> None:
        self.recorded += 1
        self._recorder.record(kind, **data)

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
        self._record("tree.spliced", below="agent/plan", removed=paths, added=added)

    def _revise(self) -> None:
        identity = {"id": f"d{self.tick}", "action": self._plan[0], "guard": "presence"}
        words = {"expected": "thing1 is on table1", "seen": "thing1 is nowhere", "sentence": "It is gone."}
        self._record("discrepancy.found", **identity, **words)
        removed, self._plan = self._plan, []
        made = {"added": self._new(ACTIONS), "removed": removed, "kept": [], "sequence": list(self._plan)}
        why = {"discrepancy": identity["id"], "reviser": "rules", "why": "Another one is nearer."}
        self._record("revision.made", **made, **why)
        self._splice(removed)

    def go_on(self) -> None:
        """Record one tick."""
        self.tick += 1
        rng = self._rng
        self._recorder.mark(self.tick, round(self.tick / HZ, 3))
        if self.tick % (30 * HZ) == 0:
            self._revise()
        action = self._plan[self.tick // (5 * HZ) % 6]
        node = f"agent/plan/{action}/appearance/attribute/act"
        status = {node: ["RUNNING", f"{self.tick % 50} of 50"], "agent/plan": ["RUNNING", str(self.tick)]}
        self._record("tree.changed", status=status)
        atom = ["on", f"thing{rng.randrange(THINGS)}", f"place{rng.randrange(20)}"]
        fact = [atom, rng.choice(["true", "false"]), 0.9, "seen"]
        self._record("belief.changed", version=self.tick, facts=[fact])
        said = {"expected": "thing1 is on table1", "believed": "thing1 is on table1"}
        self._record("guard.checked", action=action, guard="presence", passed=True, **said)
        if self.tick % HZ == 0:
            self._record("entity.changed", entities=[self._thing(rng.randrange(THINGS))])
        if self.tick % (5 * HZ) == 0:
            told = {"id": action, "skill": "move", "arguments": ["robot1", "place1", "table1"], "cost": 2}
            self._record("action.intent", action=told, execution=f"x{self.tick}")
            self._record("action.started", action=action)
        if self.tick % (5 * HZ) == 4 * HZ:
            self._record("action.ended", action=action, outcome="done")


class Gauge:
    """Reads the memory of a page."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._session: CDPSession = page.context.new_cdp_session(page)
        self._session.send("Performance.enable")
        self._session.send("HeapProfiler.enable")

    def read(self, events: int) -> str:
        """What the page needs once so many events have come and garbage is collected."""
        self._page.wait_for_function(f"foretree.views[0]?.timeline.length >= {events}", timeout=120_000)
        self._page.evaluate("foretree.views[0].show('world')")
        self._page.evaluate("new Promise((done) => setTimeout(done, 500))")
        self._session.send("HeapProfiler.collectGarbage")
        found = self._session.send("Performance.getMetrics")["metrics"]
        metrics = {each["name"]: each["value"] for each in found}
        heap, nodes = metrics["JSHeapUsedSize"] / 1e6, metrics["Nodes"]
        listeners = metrics["JSEventListeners"]
        return f"{events:8} events  page {heap:6.1f} MB, {nodes:5.0f} DOM nodes, {listeners:4.0f} listeners"


def watch(page: Page, source: LongRun, server: Viewer, chosen: argparse.Namespace) -> None:
    """Record a run while *page* shows it, and print what that takes."""
    gauge = Gauge(page)
    ticks = round(chosen.minutes * 60 * HZ)
    for part in range(1, PARTS + 1):
        begun, first = time.perf_counter(), source.tick
        page.evaluate(f"foretree.views[0].show('{PANELS[part % len(PANELS)]}')")
        while source.tick < ticks * part // PARTS:
            source.go_on()
            due = begun + (source.tick - first) / HZ / chosen.speed
            time.sleep(max(0.0, due - time.perf_counter()))  # a robot does not tick faster either
        minutes = source.tick / HZ / 60
        print(
            f"{minutes:4.0f} min {gauge.read(source.recorded)}  server {server.resident():4.0f} MB",
            flush=True,
        )


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--minutes", type=float, default=60)
    options.add_argument("--speed", type=float, default=20)
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        recorder = RunRecorder(RunStore(Path(folder) / "runs").create("tidy up", "kitchen", "long"))
        source = LongRun(recorder)
        try:
            with viewer(folder, "long", "--control") as server, chromium() as browser:
                page = open_page(browser)
                page.goto(server.address)
                page.wait_for_function("globalThis.foretree?.views[0]?.loaded")
                watch(page, source, server, chosen)
                page.close()
                fresh = open_page(browser)
                fresh.goto(server.address)
                fresh.wait_for_function("globalThis.foretree?.views[0]?.loaded")
                print(f"fresh    {Gauge(fresh).read(source.recorded)}  server {server.resident():4.0f} MB")
        finally:
            recorder.close("cancelled")


if __name__ == "__main__":
    main()
