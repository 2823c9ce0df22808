import sqlite3
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foretree.runs import store as store_module
from foretree.runs._index import RunIndex
from foretree.runs._names import VALID_ID, new_run_id, topic
from foretree.runs._process import Writer
from foretree.runs.events import SCHEMA_VERSION
from foretree.runs.recorder import RunRecorder
from foretree.runs.store import (
    BrokenRunError,
    NewerSchemaError,
    Run,
    RunBusyError,
    RunEndedError,
    RunError,
    RunStore,
    UnknownRunError,
    default_directory,
)


@pytest.fixture
def store(tmp_path):
    return RunStore(tmp_path / "runs")


def end(run, outcome="reached"):
    recorder = RunRecorder(run)
    recorder.record("log", text="hello")
    recorder.close(outcome)


def dead_process() -> int:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def tamper(run, **meta):
    with sqlite3.connect(run.path) as connection:
        for key, value in meta.items():
            connection.execute("UPDATE meta SET value=? WHERE key=?", (str(value), key))
    connection.close()


def interrupt(run):
    """Make *run* look as if its process had died."""
    tamper(run, pid=dead_process(), birth="12345678-1")


def test_a_new_run_is_running_and_says_what_it_is_about(store):
    info = store.create("put the mango into the fridge", "kitchen").info()
    assert (info.instruction, info.scene, info.status) == (
        "put the mango into the fridge",
        "kitchen",
        "running",
    )
    assert info.writer == Writer.here()
    assert (info.events, info.schema) == (0, SCHEMA_VERSION)


def test_an_ended_run_is_one_plain_file(store):
    run = store.create("x")
    end(run)
    assert run.info().status == "ended"
    assert run.info().outcome == "reached"
    assert [path.name for path in store.directory.iterdir()] == [f"{run.id}.sqlite"]


def test_a_run_whose_process_died_is_interrupted(store):
    run = store.create("x")
    interrupt(run)
    assert run.info().status == "interrupted"


def test_a_pid_that_was_given_to_another_process_does_not_count(store):
    run = store.create("x")
    tamper(run, birth="12345678-1")
    assert run.info().status == "interrupted"


def test_a_process_on_another_machine_counts_as_alive(store):
    run = store.create("x")
    tamper(run, host="somewhere-else", pid=dead_process())
    assert run.info().status == "running"


@pytest.mark.parametrize("statement", ["UPDATE events SET kind='x'", "DELETE FROM events"])
def test_events_can_be_neither_changed_nor_deleted(store, statement):
    run = store.create("x")
    end(run)
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        sqlite3.connect(run.path).execute(statement)


@given(st.text(max_size=60), st.floats(min_value=0, max_value=4e9))
def test_ids_are_valid_short_and_sort_by_time(instruction, moment):
    one, later = new_run_id(instruction, moment), new_run_id(instruction, moment + 1)
    assert VALID_ID.fullmatch(one)
    assert len(one) <= 40
    assert one[:15] < later[:15]


@pytest.mark.parametrize(
    ("instruction", "word"),
    [
        ("put the mango into the fridge", "mango"),
        ("(on mug1 table2)", "mug1"),
        ("bring me two Äpfel", "apfel"),
        ("open it", "run"),
        ("", "run"),
    ],
)
def test_ids_name_the_topic(instruction, word):
    assert topic(instruction) == word


def test_ids_are_unique_within_a_second(store):
    assert len({store.create("mango").id for _ in range(20)}) == 20


def test_an_id_can_be_chosen_once(store):
    assert store.create("x", run_id="my-run").id == "my-run"
    with pytest.raises(RunError, match="already"):
        store.create("x", run_id="my-run")


@pytest.mark.parametrize("run_id", ["last", "", "a b", "../x", ".hidden", "x" * 101])
def test_impossible_ids_are_refused(store, run_id):
    with pytest.raises(RunError, match="letters, digits"):
        store.create("x", run_id=run_id)


def test_open_takes_an_id_its_beginning_last_or_a_path(store):
    first = store.create("x", run_id="alpha-1")
    second = store.create("x", run_id="beta-1")
    assert store.open("alpha-1").path == first.path
    assert store.open("be").path == second.path
    assert store.open("last").path == second.path
    assert store.open(str(first.path)).id == "alpha-1"


def test_a_whole_id_wins_over_being_the_beginning_of_another(store):
    store.create("x", run_id="run-10")
    assert store.open("run-1").id == "run-10"
    store.create("x", run_id="run-1")
    assert store.open("run-1").id == "run-1"


def test_an_ambiguous_beginning_lists_what_it_could_be(store):
    store.create("x", run_id="run-1")
    store.create("x", run_id="run-2")
    with pytest.raises(UnknownRunError, match="could be run-1, run-2"):
        store.open("run")


def test_an_unknown_run_lists_what_there_is(store):
    with pytest.raises(UnknownRunError, match="holds none yet"):
        store.open("mango")
    with pytest.raises(UnknownRunError, match=r"no runs in .* yet"):
        store.open("last")
    store.create("x", run_id="alpha")
    with pytest.raises(UnknownRunError, match="Did you mean alpha"):
        store.open("alpho")
    with pytest.raises(UnknownRunError, match="newest are alpha"):
        store.open("zzz")
    store.create("x", run_id="aaa")
    with pytest.raises(UnknownRunError, match="newest are aaa, alpha"):
        store.open("zzz")


def test_list_is_in_order_of_start_and_notes_broken_files(store):
    for name in ("c", "a", "b"):
        store.create("x", run_id=name)
    (store.directory / "junk.sqlite").write_text("this is not a database")
    (store.directory / "empty.sqlite").touch()
    listing = store.list()
    assert [info.id for info in listing.runs] == ["c", "a", "b"]
    assert len(listing.notes) == 2
    assert "empty.sqlite" in listing.notes[0]
    assert "junk.sqlite" in listing.notes[1]


def test_a_database_of_something_else_is_refused(store):
    store.create("x", run_id="a")
    path = store.directory / "other.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE meta (key, value)")
    with pytest.raises(BrokenRunError, match=r"other\.sqlite is not a run file"):
        store.open("other")


def test_a_newer_schema_is_refused_and_says_what_to_do(store):
    run = store.create("x")
    end(run)
    tamper(run, schema=SCHEMA_VERSION + 1)
    with pytest.raises(NewerSchemaError, match="newer Foretree"):
        store.open(run.id)
    assert "schema" in store.list().notes[0]


def test_only_one_process_writes_a_run(store):
    run = store.create("x")
    other = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    try:
        with run.writing() as connection:
            connection.execute(f"UPDATE meta SET value='{other.pid}' WHERE key='pid'")
            connection.execute("UPDATE meta SET value='' WHERE key='birth'")
        with pytest.raises(RunBusyError, match=f"process {other.pid}"):
            run.claim()
    finally:
        other.communicate(b"\n")
    run.claim()
    assert run.info().writer == Writer.here()


def test_writers_wait_for_each_other(store):
    run = store.create("x")
    with ThreadPoolExecutor() as pool:
        with run.writing() as connection:
            connection.execute("UPDATE meta SET value='elsewhere' WHERE key='scene'")
            asking = pool.submit(run.request, "stop")
            time.sleep(0.1)
            assert not asking.done()
        assert asking.result(120).kind == "stop"
    assert run.info().scene == "elsewhere"


def test_an_ended_run_cannot_be_claimed_or_asked(store):
    run = store.create("x")
    end(run)
    with pytest.raises(RunEndedError, match="only an interrupted run"):
        run.claim()
    with pytest.raises(RunEndedError, match="ended already"):
        run.request("stop")


def test_an_interrupted_run_hears_nothing(store):
    run = store.create("x")
    interrupt(run)
    with pytest.raises(RunEndedError, match="resume"):
        run.request("stop")


def test_requests_are_of_known_kinds(store):
    with pytest.raises(RunError, match="stop"):
        store.create("x").request("stpo")


def test_a_directory_that_cannot_be_written_to_is_said(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(RunError, match="Cannot write a run into"):
        RunStore(tmp_path / "file").create("x")


def test_where_runs_are_kept(monkeypatch, tmp_path):
    monkeypatch.setenv("FORETREE_HOME", str(tmp_path))
    assert default_directory() == tmp_path / "runs"
    monkeypatch.delenv("FORETREE_HOME")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert default_directory() == tmp_path / "foretree" / "runs"
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert default_directory() == tmp_path / ".local" / "share" / "foretree" / "runs"


def test_a_run_is_there_only_when_it_is_complete(tmp_path, monkeypatch):
    store = RunStore(tmp_path)
    make = store_module.create_tables

    def killed_meanwhile(path, meta):
        assert store.ids() == ()
        make(path, meta)
        raise KeyboardInterrupt

    monkeypatch.setattr(store_module, "create_tables", killed_meanwhile)
    with pytest.raises(KeyboardInterrupt):
        store.create("go", run_id="one")
    assert store.ids() == ()
    assert list(tmp_path.iterdir()) == []
    monkeypatch.undo()
    assert store.create("go", run_id="one").info().instruction == "go"
    assert store.ids() == ("one",)


# -- the index -----------------------------------------------------------------------------------------


def opened_files(monkeypatch):
    """Names of the run files that are opened from now on."""
    names = []
    read = Run.info

    def noted(run):
        names.append(run.id)
        return read(run)

    monkeypatch.setattr(Run, "info", noted)
    return names


def test_a_second_listing_opens_only_what_has_not_ended(store, monkeypatch):
    for name in ("one", "two"):
        end(store.create("an instruction", "kitchen", run_id=name))
    store.create("goes on", run_id="three")
    before = store.list()
    opened = opened_files(monkeypatch)
    assert RunStore(store.directory).list() == before
    assert opened == ["three"]


def test_a_file_that_has_changed_or_gone_is_not_listed_from_the_index(store, monkeypatch):
    runs = [store.create("first", run_id=name) for name in ("one", "two")]
    for run in runs:
        end(run)
    store.list()
    tamper(runs[0], instruction="changed")
    runs[1].path.unlink()
    assert [(info.id, info.instruction) for info in store.list().runs] == [("one", "changed")]
    opened = opened_files(monkeypatch)
    assert [info.instruction for info in store.list().runs] == ["changed"]
    assert opened == []
    assert set(RunIndex(store.directory).read()) == {"one"}


@pytest.mark.parametrize("damage", ["no database", "", "other version", "a folder"])
def test_a_listing_does_without_a_sound_index(store, monkeypatch, damage):
    end(store.create("an instruction", run_id="one"))
    before = store.list()
    path = store.directory / ".index"
    if damage == "other version":
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute("PRAGMA user_version=99")
    elif damage == "a folder":
        path.unlink()
        path.mkdir()
    else:
        path.write_text(damage)
    assert store.list() == before
    opened = opened_files(monkeypatch)
    assert store.list() == before
    assert opened == (["one"] if damage == "a folder" else [])


def test_the_index_is_no_run(store):
    end(store.create("an instruction", run_id="one"))
    store.list()
    assert store.ids() == ("one",)
    assert [info.id for info in store.list().runs] == ["one"]


def test_a_run_that_has_ended_says_how_many_actions_and_revisions_it_has(tmp_path):
    store = RunStore(tmp_path)
    run = store.create("count", run_id="count")
    recorder = RunRecorder(run)
    for name in ("a1", "a2"):
        recorder.record("action.intent", action={"id": name, "skill": "move", "arguments": []})
    recorder.record("revision.made", reviser="rules", why="")
    assert run.info().actions is None  # to count takes a look at every event
    recorder.close("reached")
    assert (run.info().actions, run.info().revisions) == (2, 1)
    store.list()
    [listed] = store.list().runs  # from the index
    assert (listed.actions, listed.revisions) == (2, 1)
