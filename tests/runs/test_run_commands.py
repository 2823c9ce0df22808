"""The commands that look at runs, driven as a user drives them."""

import json
import os
import pty
import signal
import subprocess
import sys
import textwrap
import threading
from pathlib import Path

import in_process
import pytest
from mango_run import mango_events, mango_run

from foretree.runs.recorder import RunRecorder
from foretree.runs.store import RunStore

REPOSITORY = Path(__file__).resolve().parents[2]

#: Imports that cost more than `--help` may.
HEAVY = ("rich.console", "pydantic", "networkx", "py_trees", "immutables", "unified_planning")


@pytest.fixture
def home(tmp_path):
    return tmp_path


@pytest.fixture
def store(home):
    return RunStore(home / "runs")


def environment(home):
    return {
        **os.environ,
        "FORETREE_HOME": str(home),
        "PYTHONPATH": str(REPOSITORY),
        "COLUMNS": "80",
        "NO_COLOR": "1",
    }


def foretree(home, *words):
    return in_process.foretree(*words, FORETREE_HOME=str(home))


def make(store, run_id, outcome="reached"):
    run = store.create("put the mango into the fridge", "kitchen", run_id)
    recorder = RunRecorder(run)
    mango_run(recorder)
    recorder.close(outcome)
    return run


LIVE = """
    import sys, time
    from foretree.runs.recorder import RunRecorder
    from foretree.runs.store import RunStore

    recorder = RunRecorder(RunStore().create("go", run_id="live"))
    recorder.record("run.started", instruction="go")
    recorder.commit("goal.set", goal="(there)")
    print("up", flush=True)
    while not (asked := recorder.requests()):
        time.sleep(0.01)
    recorder.record("run.ended", outcome="cancelled", reason=asked[0].kind)
    recorder.close("cancelled")
"""


@pytest.fixture
def live(home):
    """A run that another process carries out until it is asked to stop."""
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(LIVE)],
        env=environment(home),
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout.readline() == "up\n"
    yield process
    process.kill()
    process.wait()
    process.stdout.close()


def test_help_lists_the_commands(home):
    done = foretree(home, "--help")
    for command in ("runs", "show", "watch", "replay", "why", "compare", "export", "stop"):
        assert f" {command} " in done.stdout


def modules(code: str) -> set[str]:
    """Modules that a process of its own has loaded after *code*."""
    told = "\nimport json, sys; print(json.dumps(list(sys.modules)), file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code) + told], capture_output=True, text=True, cwd=REPOSITORY
    )
    return set(json.loads(done.stderr))


def test_help_loads_little_more_than_the_library_that_prints_it():
    code = """
        from foretree.cli import main
        try:
            main(["--help"])
        except SystemExit:
            pass
    """
    # Counted, not timed: of a process of 80 ms, even the least of eight times is noise on a busy machine.
    more = modules(code) - modules("import typer")
    assert "foretree.cli" in more
    assert len(more) < 40
    assert more.isdisjoint(HEAVY)


def test_runs_lists_them(home, store):
    assert "no runs" in foretree(home, "runs").stderr
    make(store, "one")
    make(store, "two", "failed")
    (store.directory / "junk.sqlite").write_text("junk")
    done = foretree(home, "runs")
    assert done.returncode == 0
    heading, *rows = [line.split("\t") for line in done.stdout.splitlines()]
    assert heading == ["run", "status", "started", "seconds", "events", "instruction"]
    assert {len(row) for row in rows} == {len(heading)}
    assert [(row[0], row[1], row[-1]) for row in rows] == [
        ("one", "reached", "put the mango into the fridge"),
        ("two", "failed", "put the mango into the fridge"),
    ]
    assert "Skipped:" in done.stderr
    assert "junk.sqlite" in done.stderr
    assert [
        json.loads(line)["id"] for line in foretree(home, "runs", "--json", "-n", "1").stdout.splitlines()
    ] == ["two"]


def test_show_draws_the_tree_and_the_summary(home, store):
    make(store, "one")
    done = foretree(home, "show", "one")
    assert done.returncode == 0
    assert "└─ ✓ place_in(robot, left, mango1, fridge1)" in done.stdout
    assert "reached: (in mango1 fridge1) is believed" in done.stdout
    early = foretree(home, "show", "one", "--tick", "20").stdout
    assert "▶ move(robot, start, table1)" in early
    assert "reached" not in early


def test_replay_tells_the_story_again(home, store):
    make(store, "one")
    done = foretree(home, "replay", "one")
    assert "discrepancy: the mango is not on table1" in done.stdout
    assert "5 done, 1 skipped" in done.stdout
    lines = foretree(home, "replay", "one", "--json", "--tick", "1").stdout.splitlines()
    assert [json.loads(line)["seq"] for line in lines] == [
        event.seq for event in mango_events() if event.tick <= 1
    ]


def test_why_explains_a_step(home, store):
    make(store, "one")
    done = foretree(home, "why", "one", "a2")
    assert "the mango is not on table1; it was seen on table2" in done.stdout
    assert "go to table2 and take the mango there" in done.stdout
    wrong = foretree(home, "why", "one", "a77")
    assert wrong.returncode == 3
    assert "a77" in wrong.stderr


def test_compare_says_whether_they_are_the_same(home, store):
    make(store, "one")
    make(store, "two")
    assert foretree(home, "compare", "one", "two").returncode == 0
    run = store.create("x", run_id="three")
    recorder = RunRecorder(run)
    recorder.record("log", text="different")
    recorder.close("reached")
    done = foretree(home, "compare", "one", "three")
    assert done.returncode == 1
    assert "event 1, kind" in done.stdout


def test_export_writes_a_file(home, store):
    make(store, "one")
    assert foretree(home, "export", "one", "-f", "json", "-o", str(home / "one.json")).returncode == 0
    assert len(json.loads((home / "one.json").read_text())["events"]) == len(mango_events())
    wrong = foretree(home, "export", "one", "-o", str(home / "no" / "where"))
    assert wrong.returncode == 3
    assert "Cannot write" in wrong.stderr


def test_watch_follows_to_the_end_and_stop_ends_it(home, live):
    watcher = subprocess.Popen(
        [sys.executable, "-m", "foretree", "watch", "last"],
        env=environment(home),
        stdout=subprocess.PIPE,
        text=True,
        cwd=REPOSITORY,
    )
    assert "run: go" in watcher.stdout.readline()
    stopped = foretree(home, "stop", "live")
    assert stopped.returncode == 0
    assert "has ended: cancelled" in stopped.stdout
    rest, _ = watcher.communicate(timeout=120)
    assert "ended: cancelled: stop" in rest
    assert watcher.returncode == 130
    again = foretree(home, "stop", "live")
    assert again.returncode == 3
    assert "ended already" in again.stderr


def test_ctrl_c_ends_the_watching_only(home, store, live):
    watcher = subprocess.Popen(
        [sys.executable, "-m", "foretree", "watch", "live"],
        env=environment(home),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=REPOSITORY,
    )
    watcher.stdout.readline()
    watcher.send_signal(signal.SIGINT)
    _, errors = watcher.communicate(timeout=120)
    assert watcher.returncode == 130
    assert "Traceback" not in errors
    assert store.open("live").info().status == "running"


def test_watching_a_run_whose_process_dies(home, live):
    live.kill()
    done = foretree(home, "watch", "live")
    assert done.returncode == 3
    assert "was interrupted" in done.stderr
    assert "foretree resume live" in done.stderr


def test_a_run_that_does_not_answer(home, store):
    store.create("go", run_id="deaf")
    done = foretree(home, "stop", "deaf", "--wait", "0.1")
    assert done.returncode == 3
    assert "has not answered" in done.stderr
    assert f"process {os.getpid()}" in done.stderr


def test_errors_are_one_paragraph_and_debug_shows_more(home):
    done = foretree(home, "show", "nothing")
    assert done.returncode == 3
    assert done.stderr.startswith("foretree: There is no run 'nothing'")
    assert len(done.stderr.splitlines()) == 1
    for words in (("show", "nothing", "--debug"), ("--debug", "show", "nothing")):
        debug = foretree(home, *words)
        assert "Traceback" in debug.stderr
        assert debug.returncode == 3


def test_a_fault_of_ours_names_its_type(home):
    code = """
        import foretree.runs.store
        from foretree.cli import main

        def broken(self, run):
            raise ZeroDivisionError("oops")

        foretree.runs.store.RunStore.open = broken
        main(["show", "x"])
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        capture_output=True,
        text=True,
        cwd=REPOSITORY,
        env=environment(home),
    )
    assert done.returncode == 70
    assert "ZeroDivisionError: oops" in done.stderr
    assert "--debug" in done.stderr
    assert "Traceback" not in done.stderr


def test_usage_errors_exit_with_2(home):
    assert foretree(home, "shwo").returncode == 2
    assert foretree(home, "show").returncode == 2
    assert foretree(home, "replay", "x", "--speed", "fast").returncode == 2


def test_a_closed_pipe_is_no_fault(home, store):
    run = store.create("x", run_id="long")
    recorder = RunRecorder(run)
    for number in range(20000):
        recorder.record("log", text=f"line {number}")
    recorder.close("reached")
    for words in ("export long", "replay long", "show long --events"):
        done = subprocess.run(
            ["sh", "-c", f"{sys.executable} -m foretree {words} | head -n 1"],
            env=environment(home),
            capture_output=True,
            text=True,
            cwd=REPOSITORY,
        )
        assert len(done.stdout.splitlines()) == 1
        assert done.stderr == ""


def test_on_a_terminal_it_draws(home, store):
    make(store, "one")
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "foretree", "replay", "one", "--speed", "20"],
        env={**environment(home), "TERM": "xterm-256color", "LINES": "24"},
        stdout=slave,
        stdin=slave,
        cwd=REPOSITORY,
    )
    os.close(slave)
    pieces = []

    def drain():
        try:
            while piece := os.read(master, 65536):
                pieces.append(piece)
        except OSError:
            pass

    reader = threading.Thread(target=drain)
    reader.start()
    assert process.wait(120) == 0
    reader.join(120)
    os.close(master)
    text = b"".join(pieces).decode()
    assert "\x1b[" in text
    assert "▶ " in text
    assert "it was seen on table2" in text
    assert "5 done, 1 skipped" in text
