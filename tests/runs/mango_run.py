"""A made-up run that looks like a real one, for whoever tests what reads runs."""

from __future__ import annotations

from foretree.runs.events import Event, Recorder, Tape


def action(name, skill, *arguments, cost=1):
    return {"id": name, "skill": skill, "arguments": list(arguments), "cost": cost}


def node(path, type_, name=None):
    parent = path.rpartition("/")[0] or None
    return {"id": path, "parent": parent, "name": name or path.rpartition("/")[2], "type": type_}


def mango_run(recorder: Recorder) -> None:
    """Put the mango into the fridge; somebody moves it on the way, and the fridge is open already."""
    goal = "(in mango1 fridge1)"
    go, pick = (
        action("a1", "move", "robot", "start", "table1"),
        action("a2", "pick", "robot", "left", "mango1", "table1"),
    )
    back, opened = (
        action("a3", "move", "robot", "table1", "fridge1"),
        action("a4", "open", "robot", "right", "fridge1"),
    )
    put = action("a5", "place_in", "robot", "left", "mango1", "fridge1")
    recorder.mark(0, 0.0)
    recorder.record(
        "run.started",
        instruction="put the mango into the fridge",
        goal=None,
        scene="kitchen",
        robot="armar",
        seed=7,
        faults=["after 1: move mango table2"],
        config={"agent": {"tick_hz": 20}},
        foretree="0.1.0",
        wall={"started": 1.0},
    )
    recorder.mark(1, 0.05)
    recorder.record("goal.set", goal=goal, how="understood: put mango into fridge")
    recorder.record(
        "plan.made",
        by="fast-downward",
        goal=goal,
        actions=[go, pick, back, opened, put],
        order={"a2": ["a1"], "a3": ["a2"], "a4": ["a3"], "a5": ["a4"]},
        assumptions=[
            {"atom": ["on", "mango1", "table1"], "value": True, "source": "prior", "confidence": 0.8},
            {"atom": ["open", "fridge1"], "value": False, "source": "prior", "confidence": 0.9},
        ],
        cost=9,
        optimal=True,
        links=[
            ["a2", ["holding", "robot", "left", "mango1"], "a5"],
            ["a5", ["in", "mango1", "fridge1"], "goal"],
        ],
    )
    nodes = [
        node("agent", "Sequence"),
        node("agent/understand", "Understand"),
        node("agent/loop", "Selector"),
    ]
    nodes += [node("agent/loop/explore", "Explore"), node("agent/loop/plan", "PlanNode")]
    for each in (go, pick, back, opened, put):
        path = f"agent/loop/plan/{each['id']}"
        text = f"{each['skill']}({', '.join(each['arguments'])})"
        nodes.append(node(path, "Presence", "presence"))
        nodes.append(node(path + "/act", "Act", text))
    recorder.record("tree.built", nodes=nodes)
    plan = "agent/loop/plan"
    recorder.record(
        "tree.changed",
        status={
            "agent": ["RUNNING", ""],
            "agent/understand": ["SUCCESS", goal],
            "agent/loop": ["RUNNING", ""],
            plan: ["RUNNING", ""],
            f"{plan}/a1": ["RUNNING", ""],
            f"{plan}/a1/act": ["RUNNING", "moving"],
        },
    )
    recorder.record(
        "guard.checked",
        node=f"{plan}/a1",
        action="a1",
        guard="presence",
        passed=True,
        expected="(connected start table1)",
        believed="(connected start table1) true, map",
    )
    recorder.commit("action.intent", action=go, execution="e1", targets={"to": "table1"})
    recorder.record("action.started", action="a1", execution="e1")
    recorder.mark(40, 2.0)
    recorder.record("fault.injected", what="move mango table2")
    recorder.record("action.ended", action="a1", execution="e1", outcome="done", reason="")
    recorder.record(
        "tree.changed",
        status={
            f"{plan}/a1": ["SUCCESS", ""],
            f"{plan}/a1/act": ["SUCCESS", ""],
            f"{plan}/a2": ["RUNNING", "looking"],
        },
    )
    recorder.record("look.started", execution="e2", at=["table1"], why="(on mango1 table1) is only assumed")
    recorder.mark(46, 2.3)
    recorder.record("look.ended", execution="e2", outcome="done")
    recorder.record(
        "belief.changed",
        version=31,
        facts=[
            [["on", "mango1", "table1"], "false", 0.95, "look"],
            [["on", "mango1", "table2"], "true", 0.9, "look"],
            [["open", "fridge1"], "true", 0.8, "look"],
        ],
    )
    recorder.record(
        "entity.changed",
        entities=[{"name": "mango1", "class": "mango", "score": 0.93, "pose": [2.0, 1.0, 0.8]}],
    )
    recorder.record(
        "guard.checked",
        node=f"{plan}/a2",
        action="a2",
        guard="presence",
        passed=False,
        expected="(on mango1 table1)",
        believed="(on mango1 table2) true, look",
    )
    recorder.record(
        "discrepancy.found",
        id="d1",
        action="a2",
        guard="presence",
        expected="(on mango1 table1)",
        seen="(on mango1 table2)",
        version=31,
        sentence="the mango is not on table1; it was seen on table2",
    )
    recorder.record("revision.asked", discrepancy="d1", reviser="rules")
    recorder.record(
        "revision.rejected", discrepancy="d1", reviser="rules", why="table2 cannot be reached from here"
    )
    recorder.record("revision.asked", discrepancy="d1", reviser="planner")
    over, pick2 = (
        action("b1", "move", "robot", "table1", "table2"),
        action("b2", "pick", "robot", "left", "mango1", "table2"),
    )
    home = action("b3", "move", "robot", "table2", "fridge1")
    recorder.mark(48, 2.4)
    recorder.record(
        "revision.made",
        discrepancy="d1",
        reviser="planner",
        why="go to table2 and take the mango there",
        kept=["a4", "a5"],
        added=[over, pick2, home],
        removed=["a2", "a3"],
        in_flight={},
        version=31,
    )
    added = []
    for each in (over, pick2, home):
        path = f"{plan}/{each['id']}"
        added += [
            node(path, "Presence", "presence"),
            node(path + "/act", "Act", f"{each['skill']}({', '.join(each['arguments'])})"),
        ]
    recorder.record(
        "tree.spliced",
        below=plan,
        removed=[f"{plan}/a2", f"{plan}/a3"],
        added=added,
        order=[f"{plan}/{name}" for name in ("a1", "b1", "b2", "b3", "a4", "a5")],
    )
    time, tick = 2.4, 48
    execution = 3
    for each in (over, pick2, home):
        path = f"{plan}/{each['id']}"
        tick, time = tick + 1, round(time + 0.05, 2)
        recorder.mark(tick, time)
        recorder.record(
            "guard.checked",
            node=path,
            action=each["id"],
            guard="presence",
            passed=True,
            expected="(on mango1 table2)",
            believed="(on mango1 table2) true, look",
        )
        recorder.commit("action.intent", action=each, execution=f"e{execution}", targets={})
        recorder.record("action.started", action=each["id"], execution=f"e{execution}")
        recorder.record("tree.changed", status={path: ["RUNNING", ""], path + "/act": ["RUNNING", ""]})
        tick, time = tick + 30, round(time + 1.5, 2)
        recorder.mark(tick, time)
        recorder.record(
            "action.ended", action=each["id"], execution=f"e{execution}", outcome="done", reason=""
        )
        recorder.record("tree.changed", status={path: ["SUCCESS", ""], path + "/act": ["SUCCESS", ""]})
        execution += 1
    recorder.record("action.skipped", action="a4", why="fridge1 is open already")
    recorder.record("tree.changed", status={f"{plan}/a4": ["SUCCESS", "skipped: fridge1 is open already"]})
    recorder.mark(tick + 1, time + 0.05)
    recorder.commit("action.intent", action=put, execution="e9", targets={})
    recorder.record("action.started", action="a5", execution="e9")
    recorder.record(
        "tree.changed", status={f"{plan}/a5": ["RUNNING", ""], f"{plan}/a5/act": ["RUNNING", "placing"]}
    )
    recorder.mark(tick + 30, round(time + 1.5, 2))
    recorder.record("action.ended", action="a5", execution="e9", outcome="done", reason="")
    recorder.record(
        "tree.changed",
        status={
            f"{plan}/a5": ["SUCCESS", ""],
            f"{plan}/a5/act": ["SUCCESS", ""],
            plan: ["SUCCESS", ""],
            "agent/loop": ["SUCCESS", ""],
            "agent": ["SUCCESS", ""],
        },
    )
    recorder.record(
        "run.ended",
        outcome="reached",
        reason="(in mango1 fridge1) is believed",
        actions=5,
        skipped=1,
        revisions=1,
        seconds=round(time + 1.5, 2),
    )


def mango_events() -> list[Event]:
    tape = Tape()
    mango_run(tape)
    return tape.events
