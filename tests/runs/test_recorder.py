import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import textwrap
import threading
import time
from contextlib import contextmanager
from pathlib import Path

import pytest
from mango_run import mango_events, mango_run
from waiting import until

from foretree.runs import recorder as recorder_module
from foretree.runs.reader import InterruptedRunError, compare, events, follow
from foretree.runs.recorder import RecordingError, RunRecorder
from foretree.runs.store import RunEndedError, RunStore

REPOSITORY = Path(__file__).resolve().parents[2]


@pytest.fixture
def store(tmp_path):
    return RunStore(tmp_path / "runs")


def on_disk(run) -> list[tuple]:
    connection = sqlite3.connect(run.path)
    rows = connection.execute("SELECT seq, tick, time, kind, data FROM events ORDER BY seq").fetchall()
    connection.close()
    return rows


def test_events_keep_their_order_tick_and_time(store):
    run = store.create("x")
    recorder = RunRecorder(run)
    recorder.record("run.started", instruction="x")
    recorder.mark(3, 0.15)
    recorder.record("log", text="b", extra=[1, {"z": 1, "a": (2, 3)}])
    recorder.close("reached")
    assert on_disk(run) == [
        (1, 0, 0.0, "run.started", '{"instruction":"x"}'),
        (2, 3, 0.15, "log", '{"extra":[1,{"a":[2,3],"z":1}],"text":"b"}'),
    ]


def test_what_comes_back_is_what_went_in(store):
    run = store.create("x")
    recorder = RunRecorder(run)
    mango_run(recorder)
    recorder.close("reached")
    assert list(events(run)) == mango_events()


def test_text_that_is_not_unicode_is_recorded_all_the_same(store):
    instruction = "put the \udce4pfel into the K\u00fchlschrank"
    run = store.create(instruction)
    recorder = RunRecorder(run)
    recorder.record("run.started", instruction=instruction)
    recorder.close("reached")
    assert next(events(run)).data["instruction"] == instruction
    assert "K\u00fchlschrank" in run.info().instruction


def test_only_its_owner_can_read_a_run_while_it_is_written(store):
    recorder = RunRecorder(store.create("x", run_id="secret"))
    recorder.commit("run.started", instruction="x")
    files = list(store.directory.iterdir())
    assert {file.name for file in files} >= {"secret.sqlite", "secret.sqlite-wal", "secret.sqlite-shm"}
    assert all(file.stat().st_mode & 0o077 == 0 for file in (*files, store.directory))
    recorder.close("reached")


def test_events_come_to_the_disk_by_themselves(store, monkeypatch):
    """Within 100 ms is asked for: a batch may take as long as what lies between two of them."""
    assert recorder_module.BATCH_PERIOD <= 0.05
    run = store.create("x")
    recorder = RunRecorder(run)
    waits = []
    wait = recorder._wake.wait
    monkeypatch.setattr(recorder._wake, "wait", lambda seconds: waits.append(seconds) or wait(seconds))
    for number in range(1, 11):
        recorder.record("log", number=number)
        until(lambda number=number: len(on_disk(run)) == number, f"event {number} is on disk")
    until(lambda: waits, "the writer waits for more")
    recorder.close("reached")
    assert set(waits) == {recorder_module.BATCH_PERIOD}


def test_commit_returns_when_it_and_all_before_are_on_disk(store):
    run = store.create("x")
    recorder = RunRecorder(run)
    for number in range(20):
        recorder.record("log", number=number)
        recorder.commit("action.intent", number=number)
        assert len(on_disk(run)) == 2 * number + 2
    recorder.close("reached")


def test_a_commit_waits_for_the_disk_and_nothing_else_does(store, monkeypatch):
    """SQLite's own word, at each commit, for how far it goes: only FULL flushes the log before it returns."""
    normal, full = 1, 2
    levels = []
    transaction = recorder_module.transaction

    @contextmanager
    def noted(connection):
        with transaction(connection):
            yield
            levels.append(connection.execute("PRAGMA synchronous").fetchone()[0])

    monkeypatch.setattr(recorder_module, "transaction", noted)
    run = store.create("x")
    recorder = RunRecorder(run)
    recorder.record("log", text="a")
    until(lambda: len(on_disk(run)) == 1, "it is written")
    assert set(levels) == {normal}
    for _ in range(3):
        levels.clear()
        recorder.commit("action.intent")
        assert full in levels
        levels.clear()
        written = len(on_disk(run))
        recorder.record("log", text="b")
        until(lambda written=written: len(on_disk(run)) > written, "it is written")
        assert set(levels) == {normal}
    recorder.close("reached")


@pytest.mark.parametrize("how", ["removed", "moved", "replaced"])
def test_a_record_that_is_taken_away_is_said_before_the_robot_is_told_more(store, how):
    run = store.create("x")
    recorder = RunRecorder(run)
    recorder.commit("log", text="fine")
    if how == "removed":
        shutil.rmtree(store.directory)
    else:
        run.path.rename(run.path.with_name("elsewhere"))
    if how == "replaced":
        run.path.touch()
    with pytest.raises(RecordingError, match=rf"The record of run {run.id} is gone: .*\.sqlite was removed"):
        recorder.commit("action.intent")
    with pytest.raises(RecordingError, match="is gone"):
        recorder.record("log")
    with pytest.raises(RecordingError, match="is gone"):
        recorder.close("reached")


def test_a_record_that_is_taken_away_after_the_last_event_is_said_at_the_end(store):
    run = store.create("x")
    recorder = RunRecorder(run)
    recorder.commit("log", text="fine")
    shutil.rmtree(store.directory)
    with pytest.raises(RecordingError, match="is gone"):
        recorder.close("reached")


def test_two_identical_runs_are_the_same_bytes(store):
    runs = []
    for _ in range(2):
        run = store.create("put the mango into the fridge")
        recorder = RunRecorder(run)
        mango_run(recorder)
        recorder.close("reached")
        runs.append(run)
        time.sleep(0.01)
    assert on_disk(runs[0]) == on_disk(runs[1])
    assert compare(*runs) is None


def test_listeners_hear_every_event_before_close_returns(store):
    run = store.create("x")
    recorder = RunRecorder(run)
    heard = []
    recorder.listen(heard.append)
    mango_run(recorder)
    recorder.close("reached")
    assert heard == mango_events()


def test_a_listener_that_blocks_holds_up_neither_the_tick_nor_the_disk(store):
    run = store.create("x")
    recorder = RunRecorder(run)
    release = threading.Event()
    released = []
    recorder.listen(lambda event: released.append(release.wait(120)))
    for _ in range(5):
        recorder.record("log")
        recorder.commit("action.intent")
    assert released == []
    assert len(on_disk(run)) == 10
    release.set()
    recorder.close("reached")


def test_a_listener_that_raises_is_dropped_and_the_others_go_on(store, caplog):
    run = store.create("x")
    recorder = RunRecorder(run)
    heard, bad = [], []

    def broken(event):
        bad.append(event)
        raise ValueError("broken")

    recorder.listen(broken)
    recorder.listen(heard.append)
    recorder.record("log", number=1)
    recorder.record("log", number=2)
    recorder.close("reached")
    assert len(heard) == 2
    assert len(bad) == 1
    assert "broken" in caplog.text


def test_requests_reach_the_tick_thread_once_and_count_as_taken(store):
    run = store.create("x")
    recorder = RunRecorder(run)
    assert recorder.requests() == []
    asked = [store.open(run.id).request("pause", "me"), run.request("step", "me"), run.request("stop", "me")]
    got = []
    until(lambda: got.extend(recorder.requests()) or len(got) == 3, "three requests")
    assert got == asked
    assert all(run.taken(each) for each in asked)
    time.sleep(0.1)
    assert recorder.requests() == []
    recorder.close("cancelled")


def test_what_was_asked_of_a_dead_process_is_not_heard_by_the_next(store):
    run = store.create("x")
    stale = run.request("stop")
    recorder = RunRecorder(run)
    time.sleep(0.1)
    assert recorder.requests() == []
    assert run.taken(stale)
    recorder.close("reached")


def test_too_little_memory_for_a_record_is_said(store, monkeypatch):
    def starved(connection):
        raise MemoryError

    recorder = RunRecorder(store.create("x"))
    recorder.commit("log", text="fine")
    monkeypatch.setattr(recorder_module, "transaction", starved)
    with pytest.raises(RecordingError, match="cannot be recorded: there is too little memory"):
        recorder.commit("log", text="lost")
    with pytest.raises(RecordingError):
        recorder.close("reached")


def test_a_broken_disk_is_said_at_the_next_call_and_at_close(store):
    run = store.create("x")
    recorder = RunRecorder(run)
    recorder.commit("log", text="fine")
    with sqlite3.connect(run.path) as connection:
        connection.execute("DROP TABLE events")
    connection.close()
    recorder.record("log", text="lost")
    until(lambda: recorder.failure is not None, "the failure is noticed")
    with pytest.raises(RecordingError, match=f"{run.id} cannot be recorded: no such table"):
        recorder.record("log")
    with pytest.raises(RecordingError):
        recorder.commit("action.intent")
    with pytest.raises(RecordingError):
        recorder.close("reached")


def test_a_commit_that_fails_raises_at_once(store):
    run = store.create("x")
    recorder = RunRecorder(run)
    recorder.commit("log")
    with sqlite3.connect(run.path) as connection:
        connection.execute("DROP TABLE events")
    connection.close()
    # Waiting for the disk in vain is told in other words.
    with pytest.raises(RecordingError, match="no such table"):
        recorder.commit("action.intent")


def test_a_disk_that_hangs_does_not_hang_the_tick(store, monkeypatch):
    monkeypatch.setattr(recorder_module, "DISK_PATIENCE", 0.1)
    run = store.create("x")
    recorder = RunRecorder(run)
    recorder.commit("log")
    other = sqlite3.connect(run.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(RecordingError, match=r"action\.intent .* within 0\.1 s"):
        recorder.commit("action.intent")
    other.execute("ROLLBACK")
    other.close()
    with pytest.raises(RecordingError):
        recorder.close("failed")
    until(lambda: not recorder._writer.is_alive(), "the writer ends")


@pytest.mark.parametrize("value", [object(), {1, 2}, float("nan")])
def test_data_that_is_not_json_is_said_and_what_came_before_is_kept(store, value):
    run = store.create("x")
    recorder = RunRecorder(run)
    recorder.record("log", text="kept")
    recorder.mark(7, 0.3)
    recorder.record("guard.checked", value=value)
    with pytest.raises(RecordingError, match=r"event guard\.checked in tick 7 is not JSON"):
        recorder.close("reached")
    assert len(on_disk(run)) == 1


def test_an_abandoned_run_is_continued_without_a_gap(store, monkeypatch):
    run = store.create("x")
    first = RunRecorder(run)
    first.mark(5, 0.25)
    first.record("log", text="before")
    first.abandon()
    assert run.info().status == "running"
    second = RunRecorder(run)
    second.record("session.resumed")
    second.close("reached")
    assert [(event.seq, event.tick, event.time) for event in events(run)] == [(1, 5, 0.25), (2, 5, 0.25)]
    with pytest.raises(RunEndedError):
        RunRecorder(run)


def test_close_twice_is_once(store):
    run = store.create("x")
    recorder = RunRecorder(run)
    recorder.close("reached")
    recorder.close("failed")
    assert run.info().outcome == "reached"


VICTIM = """
    import sys, itertools
    from foretree.runs.recorder import RunRecorder
    from foretree.runs.store import RunStore

    run = RunStore(sys.argv[1]).create("x", run_id="victim")
    recorder = RunRecorder(run)
    for number in itertools.count():
        recorder.mark(number, number * 0.05)
        for _ in range(20):
            recorder.record("log", number=number)
        recorder.commit("action.intent", number=number)
        print(number, flush=True)
"""


def test_kill_9_loses_nothing_that_was_committed(store):
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(VICTIM), str(store.directory)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
    )
    for _ in range(15):
        committed = int(process.stdout.readline())
    process.send_signal(signal.SIGKILL)
    committed = max([committed, *(int(line) for line in process.stdout.read().split())])
    # Not waited for yet: the dead process is a zombie, and must count as dead all the same.
    run = store.open("victim")
    until(lambda: run.info().status == "interrupted", "the run counts as interrupted")
    process.wait()
    process.stdout.close()

    with pytest.raises(InterruptedRunError, match="foretree resume victim"):
        list(follow(run))
    rows = list(events(run))
    assert [event.seq for event in rows] == list(range(1, len(rows) + 1))
    intents = [event.data["number"] for event in rows if event.kind == "action.intent"]
    assert intents[: committed + 1] == list(range(committed + 1))

    recorder = RunRecorder(run)
    recorder.record("session.resumed")
    recorder.close("reached")
    assert [event.seq for event in events(run, after=len(rows))] == [len(rows) + 1]
