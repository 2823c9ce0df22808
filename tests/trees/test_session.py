"""Sessions: how they end, whatever happens; who may pause them; what their records say."""

import os
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import pytest
from py_trees.common import ParallelPolicy
from py_trees.composites import Parallel, Selector, Sequence
from session_tools import Callback, Rude, Steps, running
from toolbox import F, NoRobot, R, S, Scripted
from waiting import until

import foretree.clock
from foretree.bringup.embedded import open_household
from foretree.bringup.options import Options, Wish
from foretree.clock import WallClock
from foretree.runs.events import Tape
from foretree.runs.reader import compare
from foretree.runs.reader import events as read
from foretree.runs.recorder import RecordingError, RunRecorder
from foretree.runs.store import ControlRequest, RunStore
from foretree.runs.views.run_state import replay, replay_ticks
from foretree.skills.robot import End, Outcome
from foretree.trees._node_error import NodeError
from foretree.trees.session import SessionError

REPOSITORY = Path(__file__).resolve().parents[2]


def ended(tape):
    (event,) = tape.of("run.ended")
    return event.data


# -- ways to end -----------------------------------------------------------------------------------------
def test_reached():
    steps = Steps()
    result = steps.session.run()
    assert result.outcome == "reached"
    assert result.reached
    assert result.counts["done"] == 3
    assert steps.world.state >= {("one",), ("two",), ("three",)}
    assert ended(steps.recorder)["outcome"] == "reached"
    assert ended(steps.recorder)["actions"] == 3
    assert steps.recorder.events[0].kind == "run.started"
    assert steps.recorder.events[-1].kind == "run.ended"
    assert not running(steps.session)


def test_given_up_with_the_reason_of_the_mission():
    steps = Steps(Scripted("no", [R, R, F]))
    steps.mission.reason = "there is no mango"
    result = steps.session.run()
    assert (result.outcome, result.reason, result.ticks) == ("given-up", "there is no mango", 3)
    assert ended(steps.recorder)["reason"] == "there is no mango"


def test_failed_for_want_of_time_stops_the_robot():
    steps = Steps(time_limit=1.5)
    result = steps.session.run()
    assert result.outcome == "failed"
    assert "1.5 s" in result.reason
    assert not running(steps.session)
    assert not steps.context.executive.alive()
    assert [event.data["outcome"] for event in steps.recorder.of("action.ended")] == ["done", "cancelled"]


def test_cancelled_in_the_middle_of_an_action():
    steps = Steps()
    for _ in range(3):
        steps.session.step()
    assert steps.context.executive.alive()
    steps.session.cancel("enough")
    assert steps.session.result.outcome == "cancelled"
    assert steps.session.result.reason == "enough"
    assert not running(steps.session)
    assert not steps.context.executive.alive()
    (end,) = steps.recorder.of("action.ended")
    assert (end.data["outcome"], end.data["reason"]) == ("cancelled", "stopped")
    # Once is enough, and nothing moves any more.
    ticks = steps.session.ticks
    steps.session.cancel("again")
    steps.session.step()
    assert steps.session.ticks == ticks
    assert len(steps.recorder.of("run.ended")) == 1


def test_what_ran_when_it_was_cancelled_does_not_run_on_record():
    tape = Tape()
    session, _ = open_household("kitchen", Wish("put the mango into the fridge"), recorder=tape)
    while not any(
        node.type == "Act" and node.status == "RUNNING" for node in replay(tape.events).nodes.values()
    ):
        session.step()
    for _ in range(3):  # ticks in which nothing happens
        session.step()
    session.cancel("enough")
    assert "RUNNING" not in {status for status, _ in replay(tape.events).statuses().values()}


def test_ctrl_c_ends_it_as_cancelled():
    def press(session):
        if session.ticks == 4:
            raise KeyboardInterrupt

    steps = Steps()
    steps.session.before_tick.append(press)
    result = steps.session.run()
    assert (result.outcome, result.reason, result.ticks) == ("cancelled", "interrupted", 4)


def test_ctrl_c_inside_a_node_leaves_nothing_running():
    presses = iter([False, False, True])

    def press():
        if next(presses):
            raise KeyboardInterrupt

    steps = Steps()
    both = Parallel("both", ParallelPolicy.SuccessOnAll(), [steps.plan, Callback(press)])
    steps.session.tree.root = both
    result = steps.session.run()
    assert result.outcome == "cancelled"
    assert not running(steps.session)
    assert not steps.context.executive.alive()


def test_whoever_is_asked_for_permission_can_end_it():
    steps = Steps()
    steps.context.permission = lambda action: action.skill != "second"
    result = steps.session.run()
    assert result.outcome == "cancelled"
    assert "second() was not allowed" in result.reason
    assert [event.data["action"]["skill"] for event in steps.recorder.of("action.intent")] == ["first"]
    assert steps.world.state == {("one",)}


# -- exceptions in nodes ---------------------------------------------------------------------------------
class Notes(NoRobot):
    """A robot that writes down when it is stopped, and what was running in the tree at that moment."""

    def __init__(self):
        self.calls = []
        self.session = None

    def stop(self):
        self.calls.append(("stop", bool(running(self.session)) if self.session else None))


@pytest.mark.parametrize("where", ["setup", "initialise", "update"])
def test_an_exception_in_a_node_ends_it_with_the_path(where):
    rude = Rude(where=where)
    robot = Notes()
    steps = Steps(Sequence("outer", memory=True, children=[Scripted("fine"), rude]), robot=robot)
    robot.session = steps.session
    result = steps.session.run()
    assert result.outcome == "error"
    assert isinstance(result.error, NodeError)
    assert result.error.path == "root/outer/rude"
    assert "ZeroDivisionError" in result.reason
    assert f"in {where}" in result.reason
    assert robot.calls[0][0] == "stop"
    assert not running(steps.session)
    assert "root/outer/rude" in steps.recorder.of("log")[0].data["text"]
    assert ended(steps.recorder)["outcome"] == "error"


def test_an_exception_in_a_later_update_stops_the_robot_before_the_tree():
    rude = Rude(where="update", after=2)
    robot = Notes()
    steps = Steps(robot=robot)
    robot.session = steps.session
    steps.session.tree.root = Parallel(
        "both", ParallelPolicy.SuccessOnAll(), [Scripted("goes on", [R]), rude]
    )
    other = steps.session.tree.root.children[0]
    result = steps.session.run()
    assert (result.outcome, result.error.path) == ("error", "both/rude")
    assert robot.calls[0] == ("stop", True)
    assert not running(steps.session)
    assert other.stopped == [other.status]


def test_an_exception_in_terminate_is_noted_and_its_siblings_are_stopped_all_the_same():
    rude = Rude(where="terminate")
    before, after = Scripted("before", [R]), Scripted("after", [R])
    steps = Steps()
    steps.session.tree.root = Parallel("all", ParallelPolicy.SuccessOnAll(), [before, rude, after])
    steps.session.step()
    steps.session.cancel("enough")
    assert steps.session.result.outcome == "cancelled"
    assert "all/rude" in steps.recorder.of("log")[0].data["text"]
    assert len(steps.recorder.of("log")) == 1
    assert not running(steps.session)
    assert len(before.stopped) == len(after.stopped) == 1


def test_an_exception_in_terminate_during_a_tick_ends_it():
    rude = Rude(where="terminate")
    steps = Steps()
    flip = Scripted("flip", [F, F, S])
    steps.session.tree.root = Selector("choice", memory=False, children=[flip, rude])
    result = steps.session.run()
    assert (result.outcome, result.error.path) == ("error", "choice/rude")
    assert not running(steps.session)


def test_an_exception_in_shutdown_does_not_undo_what_was_reached():
    steps = Steps()
    rude = Rude("late", where="shutdown")
    done = Scripted("done")
    steps.session.tree.root = Sequence("root", memory=True, children=[done])
    done.shutdown = lambda: rude.shutdown()
    result = steps.session.run()
    assert result.outcome == "reached"
    assert "in shutdown" in steps.recorder.of("log")[0].data["text"]


def test_an_exception_below_the_plan_names_the_node_and_stops_the_action():
    steps = Steps()
    for _ in range(3):
        steps.session.step()
    leaf = next(node for node in steps.plan.iterate() if node.name == "first()" and not node.children)
    leaf.update = lambda: 1 / 0
    steps.plan._quiet = False
    result = steps.session.run()
    assert result.outcome == "error"
    assert "first()" in result.error.path
    assert result.error.path.startswith("plan")
    assert not steps.context.executive.alive()
    assert not running(steps.session)


def test_an_exception_outside_every_node_is_not_blamed_on_one():
    def oops(session):
        raise ValueError("no screen")

    steps = Steps()
    steps.session.before_tick.append(oops)
    result = steps.session.run()
    assert result.outcome == "error"
    assert isinstance(result.error, SessionError)
    assert "ValueError" in result.reason
    assert "node plan" not in result.reason


def test_a_record_that_cannot_be_written_stops_the_robot():
    class Full(Tape):
        failure = None

        def requests(self):
            return []

        def commit(self, kind, /, **data):
            self.failure = RecordingError("the disk is full")
            raise self.failure

        def record(self, kind, /, **data):
            if self.failure is not None:
                raise self.failure
            super().record(kind, **data)

    robot = Notes()
    steps = Steps(recorder=Full(), robot=robot)
    result = steps.session.run()
    assert result.outcome == "error"
    assert isinstance(result.error, RecordingError)
    assert robot.calls[0][0] == "stop"
    assert not running(steps.session)


# -- pausing, stepping, requests -------------------------------------------------------------------------
class Asked(Tape):
    """A tape through which a test asks for things: before which look at the requests, and what."""

    failure = None

    def __init__(self, script):
        super().__init__()
        self.script = list(script)

    def requests(self):
        kinds = self.script.pop(0) if self.script else ()
        return [ControlRequest(seq, kind, "a test") for seq, kind in enumerate(kinds, 1)]


def test_pause_step_and_go_on(monkeypatch):
    monkeypatch.setattr("foretree.trees.session.sleep", lambda seconds: None)
    steps = Steps(recorder=Asked([(), (), ("pause",), (), ("step",), (), ("step", "step"), (), ("resume",)]))
    session = steps.session
    ticks = []
    for _ in range(9):
        session.step()
        ticks.append(session.ticks)
    assert ticks == [1, 2, 2, 2, 3, 3, 4, 4, 5]
    assert [event.data["by"] for event in steps.recorder.of("session.paused")] == [
        "a test",
        "the end of a step",
        "the end of a step",
    ]
    assert session.run().outcome == "reached"


def test_the_record_shows_whether_it_is_paused(monkeypatch):
    monkeypatch.setattr("foretree.trees.session.sleep", lambda seconds: None)
    steps = Steps(recorder=Asked([(), ("pause",), ("step",), ("resume",), ()]))
    seen = []
    for _ in range(5):
        steps.session.step()
        seen.append(replay(steps.recorder.events).paused)
    assert seen == [False, True, True, False, False]


def test_pausing_does_not_change_what_happens(monkeypatch):
    monkeypatch.setattr("foretree.trees.session.sleep", lambda seconds: None)
    plain = Steps()
    paused = Steps(recorder=Asked([(), ("pause",), (), (), ("resume",)]))
    assert plain.session.run().seconds == paused.session.run().seconds
    kept = [e[1:] for e in paused.recorder.events if not e.kind.startswith("session.")]
    assert kept == [e[1:] for e in plain.recorder.events]


def test_a_stop_request_ends_it_before_the_next_tick():
    steps = Steps(recorder=Asked([(), (), ("stop",)]))
    result = steps.session.run()
    assert (result.outcome, result.ticks) == ("cancelled", 2)
    assert "a test" in result.reason


ASK = """
    import sys
    from foretree.runs.store import RunStore
    run = RunStore(sys.argv[1]).open("asked")
    for kind in sys.argv[2:]:
        run.request(kind)
"""


def test_another_process_pauses_steps_and_stops_it_through_the_store(tmp_path):
    run = RunStore(tmp_path).create("go", run_id="asked")
    recorder = RunRecorder(run)
    steps = Steps(Scripted("for ever", [R]), recorder=recorder, time_limit=1e9)
    results = []
    thread = threading.Thread(target=lambda: results.append(steps.session.run()))
    steps.session.before_tick.append(lambda session: time.sleep(0.002))
    thread.start()

    def ask(*kinds):
        environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
        code = textwrap.dedent(ASK)
        subprocess.run([sys.executable, "-c", code, str(tmp_path), *kinds], check=True, env=environment)

    def settled():
        last = [-1]

        def same():
            last.append(steps.session.ticks)
            time.sleep(0.2)
            return last[-1] == last[-2]

        until(same, "it goes on")
        return last[-1]

    ask("pause")
    paused_at = settled()
    ask("step")
    assert settled() == paused_at + 1
    ask("stop")
    thread.join(120)
    recorder.close(results[0].outcome)
    assert results[0].outcome == "cancelled"
    assert run.info().outcome == "cancelled"


# -- time ------------------------------------------------------------------------------------------------
class Watch:
    """Stands for the module ``time``: a wall clock that moves by itself only when something sleeps."""

    def __init__(self):
        self.now = 100.0

    def monotonic(self):
        return self.now

    def sleep(self, seconds):
        self.now += seconds


@pytest.fixture
def watch(monkeypatch):
    watch = Watch()
    monkeypatch.setattr(foretree.clock, "time", watch)
    return watch


def test_a_slow_node_is_reported_as_an_overrun(watch):
    naps = iter([0.0, 1.2, 0.0])

    def nap():
        seconds = next(naps, None)
        watch.sleep(seconds or 0.0)
        return seconds is None

    steps = Steps(clock=WallClock(), tick_hz=1)
    steps.session.tree.root = Callback(nap)
    watch.sleep(1.1)  # what came before the first tick is no overrun
    assert steps.session.run().outcome == "reached"
    (overrun,) = steps.recorder.of("session.overrun")
    assert overrun.tick == 2
    assert overrun.data["wall"]["seconds"] == pytest.approx(1.2)
    assert overrun.data["wall"]["period"] == 1.0


def test_ticks_are_never_early():
    """In real time: a busy machine may be late."""
    began = []
    steps = Steps(clock=WallClock(), tick_hz=50)
    steps.session.tree.root = Callback(lambda: began.append(time.monotonic()) or len(began) == 11)
    steps.session.run()
    assert began[-1] - began[0] >= 0.18


def test_what_a_tick_takes_is_part_of_its_period(watch):
    began = []
    steps = Steps(clock=WallClock(), tick_hz=4)
    steps.session.tree.root = Callback(
        lambda: began.append(watch.monotonic()) or watch.sleep(0.2) or len(began) == 5
    )
    steps.session.run()
    assert began[-1] - began[0] == pytest.approx(4 * 0.25)  # not 4 * 0.45


def test_simulated_time_moves_by_the_period_whatever_it_takes():
    steps = Steps(tick_hz=4)
    steps.session.tree.root = Callback(lambda: time.sleep(0.01) or steps.session.ticks == 9)
    assert steps.session.run().seconds == 2.0
    assert not steps.recorder.of("session.overrun")


# -- the record ------------------------------------------------------------------------------------------
SURPRISES = ("after 1: move mango1 on table2", "after 3: close fridge1")
WISH = Wish(goal="(in mango1 fridge1)")


def test_the_record_replays_to_the_states_of_the_tree_tick_by_tick():
    tape = Tape()
    session, _ = open_household("kitchen", WISH, Options(faults=SURPRISES), recorder=tape)
    session.start()
    live = {0: snapshot(session)}
    while session.result is None:
        session.step()
        live[session.ticks] = snapshot(session)
    assert session.result.outcome == "reached"
    assert len(tape.of("tree.spliced")) >= 2
    shown = {happened[-1].tick: state.statuses() for happened, state in copied(replay_ticks(tape.events))}
    last = None
    for tick, statuses in sorted(live.items()):
        last = shown.get(tick, last)  # a tick without events changed nothing
        assert last == statuses, tick


def copied(ticks):
    class Frozen:
        def __init__(self, statuses):
            self._statuses = statuses

        def statuses(self):
            return self._statuses

    for happened, state in ticks:
        yield happened, Frozen(dict(state.statuses()))


def snapshot(session):
    names = session._record._names
    return {
        names[node.id]: (node.status.value, node.feedback_message) for node in session.tree.root.iterate()
    }


def test_the_intent_is_on_disk_before_the_robot_is_told(tmp_path):
    run = RunStore(tmp_path).create("go", run_id="intent")
    recorder = RunRecorder(run)
    found = []

    class Suspicious(NoRobot):
        def start(self, order, execution_id):
            intents = [e.data for e in read(run, kinds=["action.intent"])]
            found.append((execution_id, [data["execution"] for data in intents]))

            class Done:
                id = execution_id

                def poll(self):
                    return End(Outcome.DONE)

                def cancel(self):
                    pass

            return Done()

    steps = Steps(recorder=recorder, robot=Suspicious())
    result = steps.session.run()
    recorder.close(result.outcome)
    assert result.outcome == "reached"
    assert [execution for execution, _ in found] == ["x-1", "x-2", "x-3"]
    assert all(execution == intents[-1] for execution, intents in found)


def test_equal_seeds_give_equal_records(tmp_path):
    store = RunStore(tmp_path)
    for name in ("one", "two"):
        run = store.create("go", run_id=name)
        recorder = RunRecorder(run)
        session, _ = open_household("kitchen", WISH, Options(faults=SURPRISES, seed=3), recorder=recorder)
        recorder.close(session.run().outcome)
    assert compare(store.open("one"), store.open("two")) is None
    assert store.open("one").info().outcome == "reached"


EXPORT = """
    import json, sys
    from foretree.runs.events import Tape
    from foretree.bringup.embedded import open_household
    from foretree.bringup.options import Options, Wish
    tape = Tape()
    options = Options(faults=("after 1: move mug1 on counter1",), seed=11)
    session, world = open_household("kitchen", Wish(sys.argv[1]), options, recorder=tape)
    session.run()
    for event in tape.events:
        data = {key: value for key, value in event.data.items() if key != "wall"}
        print(event.seq, event.tick, event.time, event.kind, json.dumps(data))
"""


def test_neither_hashes_nor_processes_show_in_the_record():
    told = []
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONPATH": str(REPOSITORY), "PYTHONHASHSEED": seed}
        done = subprocess.run(
            [
                sys.executable,
                "-c",
                textwrap.dedent(EXPORT),
                "wash the mug on table1 and put it into the cupboard",
            ],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        told.append(done.stdout.splitlines())
    assert '"outcome": "reached"' in told[0][-1]
    assert told[0] == told[1]
