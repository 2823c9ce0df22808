"""Speed of the debugger in a real browser: opening a long run, moving through it, panning a large tree.

``python benchmarks/debugger_speed.py`` writes a run of 100,000 events with a tree of 2,000 nodes into a
temporary folder and prints what a person waits for. Needs the extra ``view``, playwright and Chromium.
"""

from __future__ import annotations

import json
import random
import sqlite3
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Page
from viewers import chromium, open_page, viewer

from foretree.runs.store import Run, RunStore

EVENTS, ACTIONS, GUARDS = 100_000, 500, 3

#: Draws a frame again and again for a while, and returns how many there were in a second.
FRAMES = """async ({seconds, move}) => {
  const step = new Function('i', move);
  const begun = performance.now(); let frames = 0; let worst = 0; let last = begun;
  while (performance.now() - begun < seconds * 1000) {
    step(frames);
    await new Promise(requestAnimationFrame);
    const now = performance.now(); worst = Math.max(worst, now - last); last = now; frames++;
  }
  return [frames / ((performance.now() - begun) / 1000), worst];
}"""


def long_run(store: RunStore) -> Run:
    """A run with a plan of 500 actions, each with three guards: 2,000 nodes below the plan."""
    run = store.create("tidy up the whole building", "kitchen", "long")
    rng = random.Random(0)
    rows: list[tuple[int, float, str, dict[str, object]]] = []
    nodes = [{"id": "agent", "name": "agent", "type": "Sequence", "parent": None}]
    nodes.append({"id": "agent/plan", "name": "plan", "type": "PlanNode", "parent": "agent"})
    actions = []
    for n in range(1, ACTIONS + 1):
        places = [f"place{n}", f"place{n + 1}"]
        actions.append({"id": f"a{n}", "skill": "move", "arguments": ["robot1", *places], "cost": 2})
        above = "agent/plan"
        for depth, kind in enumerate(["Presence", "Appearance", "Attribute"][:GUARDS]):
            node = f"agent/plan/a{n}" if depth == 0 else f"{above}/{kind.lower()}"
            nodes.append({"id": node, "name": kind.lower(), "type": kind, "parent": above})
            above = node
        label = f"move(robot1, {', '.join(places)})"
        nodes.append({"id": f"{above}/act", "name": label, "type": "Act", "parent": above})
    entities = [
        {
            "name": f"thing{n}",
            "class": "mug",
            "score": 0.9,
            "fixed": False,
            "pose": [rng.uniform(0, 30), rng.uniform(0, 20), 1],
        }
        for n in range(150)
    ]
    rows.append((0, 0.0, "run.started", {"instruction": "tidy up", "robot": "robot1", "scene": "kitchen"}))
    rows.append((0, 0.0, "entity.changed", {"entities": entities}))
    rows.append((0, 0.0, "tree.built", {"nodes": nodes}))
    rows.append((0, 0.0, "goal.set", {"goal": "(on thing1 thing2)", "how": "tidy up"}))
    rows.append((1, 0.1, "plan.made", {"actions": actions, "by": "benchmark", "cost": 1000}))
    acts = [node["id"] for node in nodes if node["type"] == "Act"]
    tick = 1
    while len(rows) < EVENTS - 1:
        tick += 1
        at = round(tick * 0.1, 3)
        n = min(ACTIONS, tick * ACTIONS * 4 // EVENTS + 1)
        status = rng.choice(["RUNNING", "SUCCESS", "FAILURE"])
        statuses = {acts[n - 1]: [status, "moving"], "agent/plan": ["RUNNING", str(tick)]}
        rows.append((tick, at, "tree.changed", {"status": statuses}))
        atom = ["on", f"thing{rng.randrange(150)}", f"place{rng.randrange(20)}"]
        fact = [atom, rng.choice(["true", "false"]), 0.9, "seen"]
        rows.append((tick, at, "belief.changed", {"version": tick, "facts": [fact]}))
        check = {"action": f"a{n}", "guard": "presence", "passed": True}
        rows.append((tick, at, "guard.checked", {**check, "expected": "x is on y", "believed": "x is on y"}))
        if tick % 50 == 0:
            rows.append((tick, at, "action.intent", {"action": actions[n - 1], "execution": f"x{tick}"}))
            rows.append((tick, at, "action.started", {"action": f"a{n}"}))
    rows = rows[: EVENTS - 1]
    rows.append((tick, rows[-1][1], "run.ended", {"outcome": "reached"}))
    connection = sqlite3.connect(run.path)
    connection.executemany(
        "INSERT INTO events VALUES (?, ?, ?, 0, ?, ?)",
        [(seq, t, at, kind, json.dumps(data)) for seq, (t, at, kind, data) in enumerate(rows, 1)],
    )
    connection.execute("UPDATE meta SET value = 'ended' WHERE key = 'status'")
    connection.execute("INSERT OR REPLACE INTO meta VALUES ('outcome', 'reached')")
    connection.commit()
    connection.close()
    return run


def measure(page: Page, address: str) -> None:
    begun = time.perf_counter()
    page.goto(address)
    page.wait_for_function("globalThis.foretree?.views[0]?.loaded")
    page.wait_for_selector(".clock")
    page.evaluate("new Promise(requestAnimationFrame)")
    print(f"open {EVENTS} events         {time.perf_counter() - begun:5.2f} s   (asked: 2)")
    view = "const v = foretree.views[0];"
    for panel in ("world", "belief", "plan", "reasoner", "log"):
        page.evaluate(f"foretree.views[0].show('{panel}')")
        move = f"{view} v.goto((i * 7919) % v.timeline.length)"
        rate, worst = page.evaluate(FRAMES, {"seconds": 3, "move": move})
        print(f"jump about, {panel:8}        {rate:5.1f} frames/s, worst {worst:4.0f} ms   (asked: 20)")
    page.evaluate("foretree.views[0].show('world')")
    move = f"{view} v.goto(v.timeline.length * (i % 90) / 90)"
    rate, worst = page.evaluate(FRAMES, {"seconds": 3, "move": move})
    print(f"scrub from end to end        {rate:5.1f} frames/s, worst {worst:4.0f} ms   (asked: 20)")
    page.get_by_role("button", name="Whole tree").click()
    page.evaluate("document.querySelector('canvas').setPointerCapture = () => {}")
    down = "new PointerEvent('pointerdown', {clientX: 300, clientY: 300, pointerId: 1, bubbles: true})"
    page.evaluate(f"document.querySelector('canvas').dispatchEvent({down})")
    for name, kind, where in (
        ("pan ", "PointerEvent('pointermove'", "clientX: 300 + (i % 60) * 3, clientY: 300 + (i % 40) * 3"),
        ("zoom", "WheelEvent('wheel'", "deltaY: i % 40 < 20 ? -90 : 90, clientX: 300, clientY: 300"),
    ):
        event = f"new {kind}, {{{where}, pointerId: 1, bubbles: true, cancelable: true}})"
        move = f"document.querySelector('canvas').dispatchEvent({event})"
        rate, worst = page.evaluate(FRAMES, {"seconds": 3, "move": move})
        nodes = 2 + ACTIONS * (GUARDS + 1)
        print(f"{name} the tree, {nodes} nodes   {rate:5.1f} frames/s, worst {worst:4.0f} ms   (asked: 20)")
    cost = page.evaluate(
        """() => { const begun = performance.now(); const view = foretree.views[0];
        view.goto(5); view.goto(view.timeline.length); return performance.now() - begun; }"""
    )
    print(f"state at another moment      {cost:5.1f} ms")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        run = long_run(RunStore(Path(folder) / "runs"))
        print(f"the record has {run.path.stat().st_size / 1e6:.1f} MB")
        with viewer(folder, "long") as server, chromium() as browser:
            measure(open_page(browser), server.address)


if __name__ == "__main__":
    main()
