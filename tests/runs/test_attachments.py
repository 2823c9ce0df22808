"""Attachments: kept beside the events, once each, and not without bound."""

import sqlite3
from contextlib import closing

import pytest
from mango_run import mango_run

from foretree.runs.attachments import Attachments, DeferredValue, attachment_sizes, read_attachment
from foretree.runs.reader import events
from foretree.runs.recorder import RunRecorder
from foretree.runs.store import BrokenRunError, RunStore


class Picture(DeferredValue):
    def __init__(self, content, said=b""):
        self.content = content
        self.said = said

    def made(self, keep):
        return {"digest": keep("image/png", self.content, self.said)}


@pytest.fixture
def store(tmp_path):
    return RunStore(tmp_path / "runs")


def recorded(store, *pictures, name=None):
    run = store.create("look", run_id=name)
    recorder = RunRecorder(run)
    for picture in pictures:
        recorder.record("camera.seen", image=picture)
    recorder.close("reached")
    return run


def digests(run):
    return [event.data["image"]["digest"] for event in events(run)]


def test_what_an_event_refers_to_is_kept_once(store):
    run = recorded(store, Picture(b"one"), Picture(b"two"), Picture(b"one"))
    one, two, again = digests(run)
    assert one == again != two
    found = read_attachment(run, one)
    assert found == ("image/png", b"one")
    assert len(attachment_sizes(run)) == 2
    assert read_attachment(run, "nothing") is None


def test_a_digest_does_not_depend_on_compression(store):
    one, other = recorded(store, Picture(b"zip", b"pixels")), recorded(store, Picture(b"zap", b"pixels"))
    assert digests(one) == digests(other)


def test_a_run_without_images_has_no_table_of_them(store):
    run = store.create("put the mango into the fridge")
    recorder = RunRecorder(run)
    mango_run(recorder)
    recorder.close("reached")
    assert attachment_sizes(run) == {}
    assert read_attachment(run, "nothing") is None
    with closing(sqlite3.connect(run.path)) as connection:
        assert not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'attachments'").fetchall()


def test_listeners_hear_what_is_on_record(store):
    run = store.create("look")
    recorder = RunRecorder(run)
    heard = []
    recorder.listen(heard.append)
    recorder.record("camera.seen", image=Picture(b"one"))
    recorder.close("reached")
    assert heard == list(events(run))


def test_the_oldest_are_removed_beyond_the_limit(store):
    run = recorded(store, Picture(b"first"))
    with closing(sqlite3.connect(run.path, isolation_level=None)) as connection:
        kept = Attachments(connection, limit=30)
        names = []
        for number in range(10):
            names.append(kept.keep("image/png", b"%010d" % number))
            kept.write()
        kept.keep("image/png", b"%010d" % 7)  # seen again, so it is new
        kept.keep("image/png", b"%010d" % 10)
        kept.write()
    sizes = attachment_sizes(run)
    assert sum(sizes.values()) == 30
    assert [name in sizes for name in names[7:]] == [True, False, True]
    assert read_attachment(run, digests(run)[0]) is None


def test_a_damaged_attachment_is_an_error_in_words(store):
    run = recorded(store, Picture(b"one"))
    with closing(sqlite3.connect(run.path)) as connection, connection:
        connection.execute("UPDATE attachments SET content = 'text'")
    with pytest.raises(BrokenRunError, match="damaged"):
        read_attachment(run, digests(run)[0])
