"""Feeds of runs that are damaged, half written, or from a newer version."""

import json
import sqlite3

from foretree.debugger.feed import Feed
from foretree.runs.store import Run


def said(run, after=0):
    return [json.loads(message) for message in Feed(run, after).messages()]


def spoil(run: Run, statement: str, *values) -> None:
    connection = sqlite3.connect(run.path)
    connection.execute("DROP TRIGGER IF EXISTS events_no_UPDATE")
    connection.execute(statement, values)
    connection.commit()
    connection.close()


def test_a_damaged_event_ends_the_feed_and_says_where(mango):
    spoil(mango, "UPDATE events SET data = '{\"half' WHERE seq = 40")
    messages = said(mango)
    events = [event for message in messages for event in message.get("events", [])]
    assert [event[0] for event in events] == list(range(1, 40))
    [trouble] = [message["trouble"] for message in messages if "trouble" in message]
    assert "up to event 39" in trouble
    assert "Event 40 is damaged" in trouble


def test_a_torn_file_is_shown_as_far_as_it_goes(mango):
    whole = mango.path.read_bytes()
    mango.path.write_bytes(whole[: len(whole) * 2 // 3])
    messages = said(mango)
    [trouble] = [message["trouble"] for message in messages if "trouble" in message]
    assert "mango" in trouble


def test_a_file_that_is_no_run_says_so(store, tmp_path):
    store.directory.mkdir(parents=True)
    path = store.directory / "none.sqlite"
    path.write_text("no run")
    [message] = said(Run(path))
    assert "cannot be used as a run" in message["trouble"]


def test_a_run_of_a_newer_version_says_so(mango):
    spoil(mango, "UPDATE meta SET value = '99' WHERE key = 'schema'")
    [message] = said(mango)
    assert "Install a newer Foretree" in message["trouble"]


def test_what_comes_later_is_told_once(store):
    from foretree.runs.recorder import RunRecorder

    run = store.create("wait", "kitchen", "waiting")
    recorder = RunRecorder(run)
    recorder.commit("run.started", instruction="wait")
    feed = Feed(run)
    assert [len(json.loads(message).get("events", [])) for message in feed.messages()][:2] == [1, 0]
    recorder.commit("log", text="more")
    first, second, third = (json.loads(message) for message in feed.messages())
    assert [event[4] for event in first["events"]] == [{"text": "more"}]
    assert second["info"]["status"] == "running"
    assert [line[2] for line in third["lines"]] == ["note: more"]
    assert not feed.over
    recorder.close("cancelled")
    list(feed.messages())
    assert feed.over


def test_former_names_of_node_types_are_given_as_they_are_now(store):
    from foretree.runs.recorder import RunRecorder

    run = store.create("old", "kitchen", "old")
    recorder = RunRecorder(run)
    node = {"id": "a", "name": "a", "type": "Persevere", "parent": None}
    recorder.record("tree.built", nodes=[node])
    recorder.close("reached")
    events = [event for message in said(run) for event in message.get("events", [])]
    assert events[0][4]["nodes"][0]["type"] == "RetryUntilReached"
