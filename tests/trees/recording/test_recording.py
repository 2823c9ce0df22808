"""Recording any py_trees tree: what is on record is what the tree was like, and the tree is none the worse."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import py_trees
import pytest
from py_trees.behaviours import Running, Success
from py_trees.common import ParallelPolicy, Status
from py_trees.composites import Parallel, Selector, Sequence
from py_trees.decorators import Inverter
from py_trees.trees import BehaviourTree
from recorded_trees import Lasting, all_events, kinds, outline, recorded_outline
from ros_tree import Node, RosTree
from waiting import PATIENCE, until

from foretree.bringup.resume import ResumeError, reopen_events
from foretree.clock import SimulatedClock
from foretree.debugger.feed import Feed
from foretree.runs.events import Tape
from foretree.runs.reader import events
from foretree.runs.recorder import RunRecorder
from foretree.runs.store import RunError, RunStore
from foretree.runs.views.run_state import replay
from foretree.trees.fast_tick import FastTree
from foretree.trees.recording import TreeRecordingError, record

ROOT = Path(__file__).resolve().parents[3]

#: A script that records a tree; what it does then goes below.
SCRIPT = """
    import py_trees
    from foretree.trees.recording import record
    tree = py_trees.trees.BehaviourTree(py_trees.behaviours.{leaf}("leaf"))
    recording = record(tree, "my patrol", run_id="patrol")
    tree.tick()
"""


def script(tmp_path, then: str = "", leaf: str = "Success") -> subprocess.CompletedProcess:
    code = textwrap.dedent(SCRIPT.format(leaf=leaf)) + textwrap.dedent(then)
    return subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "FORETREE_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
    )


def patrol() -> Sequence:
    return Sequence(
        "patrol",
        memory=True,
        children=[Inverter("not low", Lasting("battery", 1, Status.FAILURE)), Lasting("go", 3)],
    )


# -- what is on record -----------------------------------------------------------------------------------


def test_a_run_holds_the_tree_and_what_changed_in_each_tick(store):
    tree = BehaviourTree(patrol())
    recording = record(tree, "my patrol", store=store, clock=SimulatedClock())
    for _ in range(3):
        tree.tick()
    tree.shutdown()
    told = [(e.tick, e.kind, e.data) for e in all_events(recording)]
    assert told == [
        (0, "run.started", {"instruction": "my patrol", "own_tree": True}),
        (
            0,
            "tree.built",
            {
                "nodes": [
                    {"id": "patrol", "name": "patrol", "type": "Sequence", "parent": None},
                    {"id": "patrol/not low", "name": "not low", "type": "Inverter", "parent": "patrol"},
                    {
                        "id": "patrol/not low/battery",
                        "name": "battery",
                        "type": "Lasting",
                        "parent": "patrol/not low",
                    },
                    {"id": "patrol/go", "name": "go", "type": "Lasting", "parent": "patrol"},
                ]
            },
        ),
        (
            1,
            "tree.changed",
            {
                "status": {
                    "patrol": ["RUNNING", ""],
                    "patrol/not low": ["SUCCESS", "failure -> success"],
                    "patrol/not low/battery": ["FAILURE", "0 to go"],
                    "patrol/go": ["RUNNING", "2 to go"],
                }
            },
        ),
        (2, "tree.changed", {"status": {"patrol/go": ["RUNNING", "1 to go"]}}),
        (3, "tree.changed", {"status": {"patrol": ["SUCCESS", ""], "patrol/go": ["SUCCESS", "0 to go"]}}),
        (3, "run.ended", {"outcome": "reached", "reason": "", "seconds": 0.0}),
    ]
    assert store.open("last").info().outcome == "reached"
    assert store.open("last").info().instruction == "my patrol"


def test_a_tick_without_changes_leaves_no_event(store):
    tree = BehaviourTree(Running("wait"))
    with record(tree, store=store) as recording:
        for _ in range(50):
            tree.tick()
    assert len(kinds(recording, "tree.changed")) == 1
    assert recording.ticks == 50


def test_a_tree_may_have_been_ticked_before(store):
    tree = BehaviourTree(patrol())
    tree.tick()
    with record(tree, store=store) as recording:
        assert recording.run.info().instruction == "patrol"
    assert recorded_outline(all_events(recording)) == outline(tree.root)
    assert [event.tick for event in kinds(recording, "tree.changed")] == [0]


@pytest.mark.parametrize(
    ("root", "outcome", "reason"),
    [
        (Success("leaf"), "reached", ""),
        (py_trees.behaviours.Failure("leaf"), "failed", "leaf has failed: failure"),
        (Running("leaf"), "cancelled", "it ended while the tree was still running"),
    ],
)
def test_the_outcome_is_that_of_the_root(store, root, outcome, reason):
    tree = BehaviourTree(root)
    recording = record(tree, store=store)
    tree.tick()
    tree.shutdown()
    [ended] = kinds(recording, "run.ended")
    assert (ended.data["outcome"], ended.data["reason"]) == (outcome, reason)


def test_a_tree_that_was_never_ticked(store):
    with record(BehaviourTree(Success("leaf")), store=store) as recording:
        pass
    assert kinds(recording, "run.ended")[0].data["reason"] == "the tree was not ticked"


def test_the_end_can_be_said(store):
    tree = BehaviourTree(Running("leaf"))
    recording = record(tree, store=store)
    tree.tick()
    recording.note("the person went home")
    recording.end("failed", "nobody is there")
    recording.end("reached")
    [ended] = kinds(recording, "run.ended")
    assert (ended.data["outcome"], ended.data["reason"]) == ("failed", "nobody is there")
    assert kinds(recording, "log")[0].data["text"] == "the person went home"


def test_another_root_is_another_tree(store):
    tree = BehaviourTree(Sequence("one", memory=True, children=[Success("a")]))
    with record(tree, store=store) as recording:
        tree.tick()
        tree.root = Selector("two", memory=False, children=[Running("b")])
        tree.tick()
    assert len(kinds(recording, "tree.built")) == 2
    assert recorded_outline(all_events(recording)) == outline(tree.root)


def test_names_and_messages_may_be_anything(store):
    leaf = Success("a/b <script>\ud800")
    leaf.feedback_message = ValueError("x" * 100_000)
    odd = Success("odd")
    odd.name = None
    tree = BehaviourTree(
        Selector("root", memory=False, children=[odd, leaf, Success("twin"), Success("twin")])
    )
    with record(tree, store=store) as recording:
        pass
    assert recording.failure is None
    ids = [node["id"] for node in kinds(recording, "tree.built")[0].data["nodes"]]
    assert ids == ["root", "root/", "root/a-b <script>\ud800", "root/twin", "root/twin~2"]


# -- the tree is none the worse --------------------------------------------------------------------------


class Note(py_trees.visitors.VisitorBase):
    def __init__(self, calls: list, full: bool) -> None:
        super().__init__(full=full)
        self.calls = calls

    def initialise(self) -> None:
        self.calls.append("visitor begins")

    def run(self, behaviour) -> None:
        self.calls.append(behaviour.name)

    def finalise(self) -> None:
        self.calls.append("visitor ends")


def calls_in_two_ticks(tree, *fulls: bool) -> list:
    calls: list = []
    for full in fulls:
        tree.add_visitor(Note(calls, full))
    tree.add_pre_tick_handler(lambda tree: calls.append(("before", tree.count)))
    tree.add_post_tick_handler(lambda tree: calls.append(("after", tree.count)))
    tree.tick(lambda tree: calls.append("first"), lambda tree: calls.append("last"))
    tree.tick(post_tick_handler=lambda tree: calls.append("last"))
    return calls


@pytest.mark.parametrize("kind", [BehaviourTree, FastTree, RosTree])
@pytest.mark.parametrize("fulls", [(), (False,), (True,), (False, True)])
def test_handlers_and_visitors_are_called_as_ever(store, kind, fulls):
    plain, watched = kind(patrol()), kind(patrol())
    with record(watched, store=store):
        assert calls_in_two_ticks(watched, *fulls) == calls_in_two_ticks(plain, *fulls)
    assert outline(watched.root) == outline(plain.root)
    assert watched.count == plain.count == 2


def test_a_tree_with_a_tick_of_its_own_keeps_it(store):
    class Twice(BehaviourTree):
        def tick(self, *handlers, **named):
            super().tick(*handlers, **named)
            super().tick(*handlers, **named)

    tree = Twice(patrol())
    with record(tree, store=store) as recording:
        tree.tick()
    assert tree.count == 2
    assert recorded_outline(all_events(recording)) == outline(tree.root)


def test_the_tree_is_left_as_it_was_found(store):
    tree = BehaviourTree(patrol())
    before = dict(vars(tree))
    recording = record(tree, store=store)
    tree.tick()
    recording.end()
    assert {**vars(tree), "count": 0} == before
    tree.tick()
    assert recording.ticks == 1
    with record(tree, store=store) as again:
        tree.tick()
    assert again.ticks == 1


def test_what_has_been_put_around_a_tick_meanwhile_stays(store):
    tree = BehaviourTree(patrol())
    recording = record(tree, store=store)
    inner = tree.tick
    tree.tick = lambda: inner()
    tree.tick()
    recording.end()
    tree.tick()
    assert tree.count == 2
    assert recording.ticks == 1


def test_an_exception_in_a_tick_ends_the_run_as_an_error_and_is_raised(store):
    class Broken(py_trees.behaviour.Behaviour):
        def update(self):
            raise ValueError("no such map")

    tree = BehaviourTree(Sequence("root", memory=True, children=[Success("ok"), Broken("broken")]))
    recording = record(tree, store=store)
    with pytest.raises(ValueError, match="no such map"):
        tree.tick()
    [ended] = kinds(recording, "run.ended")
    assert ended.data["outcome"] == "error"
    assert ended.data["reason"] == "The node root/broken raised ValueError: no such map"
    assert recorded_outline(all_events(recording)) == outline(tree.root)


def test_ctrl_c_in_a_tick(store):
    class Interrupted(py_trees.behaviour.Behaviour):
        def update(self):
            raise KeyboardInterrupt

    tree = BehaviourTree(Interrupted("leaf"))
    recording = record(tree, store=store)
    with pytest.raises(KeyboardInterrupt):
        tree.tick()
    assert kinds(recording, "run.ended")[0].data["outcome"] == "cancelled"


def test_an_exception_in_the_block_ends_it_as_an_error(store):
    with pytest.raises(RuntimeError), record(BehaviourTree(patrol()), store=store) as recording:
        raise RuntimeError("no robot")
    assert kinds(recording, "run.ended")[0].data["reason"] == "RuntimeError: no robot"


def test_a_record_that_breaks_off_does_not_break_the_tree(store, caplog):
    tree = BehaviourTree(Lasting("leaf", 10**9))
    recording = record(tree, store=store)
    tree.tick()
    until(lambda: recording.run.info().events >= 3, "the record begins")
    recording.run.path.unlink()
    until(lambda: tree.tick() or recording.failure, "the record breaks off")
    tree.tick()
    assert "the tree goes on" in caplog.text
    assert "tick" not in vars(tree)


def test_a_mistake_in_a_node_that_only_the_record_meets_does_not_break_the_tree(store, caplog):
    class Odd(Success):
        counted = 0

        @property
        def feedback_message(self):
            self.counted += 1
            if self.counted > 5:
                raise RuntimeError("asked too often")
            return ""

        @feedback_message.setter
        def feedback_message(self, message):
            pass

    tree = BehaviourTree(Odd("leaf"))
    recording = record(tree, store=store)
    for _ in range(20):
        tree.tick()
    assert tree.count == 20
    assert str(recording.failure) == "asked too often"
    assert recording.run.info().outcome == "error"


def test_requests_of_viewers_are_refused(store):
    tree = BehaviourTree(Running("leaf"))
    with record(tree, store=store) as recording:
        request = recording.run.request("pause")
        until(lambda: tree.tick() or recording.run.taken(request), "the request is heard")
    [refused] = kinds(recording, "request.refused")
    assert refused.data["request"] == "pause"
    assert "program of its own" in refused.data["why"]


def test_recording_twice_is_refused(store):
    tree = BehaviourTree(patrol())
    with record(tree, store=store) as recording:
        with pytest.raises(TreeRecordingError, match=f"already, as run {recording.run.id}"):
            record(tree, store=store)
        assert len(store.ids()) == 1


@pytest.mark.parametrize("thing", [patrol(), object(), "tree", None])
def test_what_is_no_tree_is_refused(store, thing):
    with pytest.raises(TreeRecordingError, match="BehaviourTree"):
        record(thing, store=store)
    assert store.ids() == ()


def test_a_taken_id_is_refused_and_the_tree_left_alone(store):
    tree = BehaviourTree(patrol())
    RunRecorder(store.create("x", run_id="mine")).close("reached")
    with pytest.raises(RunError):
        record(tree, store=store, run_id="mine")
    assert "tick" not in vars(tree)


def test_it_cannot_be_resumed():
    tape = Tape()
    tape.record("run.started", instruction="my patrol", own_tree=True)
    with pytest.raises(ResumeError, match="program of its own"):
        reopen_events(tape.events, Tape())


# -- the program, and others -----------------------------------------------------------------------------


def test_the_run_ends_with_the_program(tmp_path):
    done = script(tmp_path)
    assert done.returncode == 0, done.stderr
    info = RunStore(tmp_path / "runs").open("patrol").info()
    assert (info.status, info.outcome) == ("ended", "reached")


def test_a_program_that_fails_leaves_the_outcome_of_the_root(tmp_path):
    done = script(tmp_path, "\nraise SystemExit(3)\n", leaf="Running")
    assert done.returncode == 3
    assert RunStore(tmp_path / "runs").open("patrol").info().outcome == "cancelled"


def test_a_program_that_is_killed_leaves_an_interrupted_run(tmp_path):
    then = """
        import os, time
        from foretree.runs.store import RunStore
        until = time.monotonic() + 30
        while RunStore().open("patrol").info().events < 3:
            if time.monotonic() > until:
                raise SystemExit("nothing was written")
            time.sleep(0.01)  # the recorder writes in a thread of its own
        os.kill(os.getpid(), 9)
    """
    assert script(tmp_path, then).returncode == -9
    run = RunStore(tmp_path / "runs").open("patrol")
    assert run.info().status == "interrupted"
    assert run.info().events >= 3


def test_nothing_of_the_agent_is_loaded_for_a_tree_without_a_plan(tmp_path):
    done = script(
        tmp_path, "\nimport sys; print(*sorted(m for m in sys.modules if m.startswith('foretree.')))\n"
    )
    rooms = {name.split(".")[1] for name in done.stdout.split()}
    assert not rooms & {"agent", "behaviours", "planning", "world_model", "skills", "reasoning"}


def test_a_viewer_follows_while_it_runs(store):
    tree = BehaviourTree(Lasting("leaf", 10**9))
    with record(tree, store=store) as recording:
        feed = Feed(recording.run)
        told = ""

        def hears(what: str) -> bool:
            nonlocal told
            tree.tick()
            told += "".join(feed.messages())
            return what in told

        until(lambda: hears("tree.built"), "the viewer sees the tree")
        recording.note("half way")
        until(lambda: hears("half way"), "the viewer sees what comes")
        assert not feed.over
    list(feed.messages())
    assert feed.over


def test_the_example_of_the_page(tmp_path, monkeypatch):
    monkeypatch.setenv("FORETREE_HOME", str(tmp_path))
    page = (ROOT / "docs" / "own_trees.md").read_text(encoding="utf-8")
    [example] = re.findall(r"^```python\n(.*?)^```", page, re.M | re.S)
    exec(compile(example, "docs/own_trees.md", "exec"), {})
    info = RunStore().open("last").info()
    assert (info.instruction, info.outcome) == ("my patrol", "reached")


def test_the_robot_on_patrol(tmp_path):
    example = [sys.executable, str(ROOT / "docs" / "examples" / "patrol.py"), "1000"]
    environment = {**os.environ, "FORETREE_HOME": str(tmp_path), "PYTHONPATH": str(ROOT)}
    subprocess.run(example, env=environment, check=True, timeout=PATIENCE)
    run = RunStore(tmp_path / "runs").open("last")
    told = [event.kind for event in events(run)]
    assert run.info().outcome == "reached"
    assert told.count("tree.spliced") == 2
    assert told.count("blackboard.changed") > 50


def test_trees_of_py_trees_ros(store):
    """With a stand-in: see its text."""
    root = Parallel("root", ParallelPolicy.SuccessOnAll(), children=[Lasting("a", 100), Lasting("b", 100)])
    node, tree = Node(), RosTree(root)
    recording = record(tree, "my patrol", store=store)
    tree.setup(node=node)
    tree.tick_tock(100, number_of_iterations=5)
    node.spin(3)
    tree.insert_subtree(Lasting("c", 100), root.id, 1)
    node.spin(5)
    assert (tree.count, tree.begun, tree.ended, tree.edits) == (5, 5, 5, 1)
    assert tree.published > 0
    assert set(tree.snapshot_visitor.visited) == {n.id for n in root.iterate()}
    expected = outline(root)
    tree.shutdown()
    assert node.destroyed
    assert recorded_outline(all_events(recording)) == expected
    assert recording.ticks == 5
    assert [n.name for _, n in replay(all_events(recording)).walk()] == ["root", "a", "c", "b"]
    assert kinds(recording, "run.ended")[0].data["outcome"] == "cancelled"
