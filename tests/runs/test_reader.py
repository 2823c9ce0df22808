import threading
import time

import pytest
from mango_run import mango_events

from foretree.runs.reader import compare, events, follow, paced, wait_for_end
from foretree.runs.recorder import RunRecorder
from foretree.runs.store import RunStore


@pytest.fixture
def store(tmp_path):
    return RunStore(tmp_path / "runs")


def record(store, *made):
    """A run of these events: (kind, data) or (kind, data, tick, time)."""
    run = store.create("x")
    recorder = RunRecorder(run)
    for kind, data, *when in made:
        if when:
            recorder.mark(*when)
        recorder.record(kind, **data)
    recorder.close("reached")
    return run


def test_events_after_a_seq_and_of_some_kinds(store):
    run = record(store, *[("log" if number % 2 else "goal.set", {"number": number}) for number in range(10)])
    assert [event.seq for event in events(run, after=7)] == [8, 9, 10]
    assert [event.data["number"] for event in events(run, kinds={"log"})] == [1, 3, 5, 7, 9]
    assert [event.seq for event in events(run, after=4, kinds=["log", "goal.set"])] == [5, 6, 7, 8, 9, 10]


def test_long_runs_are_read_in_pieces_without_loss(store):
    run = record(store, *[("log", {"number": number}) for number in range(4500)])
    assert [event.data["number"] for event in events(run)] == list(range(4500))


def test_follow_yields_events_as_they_come_until_the_end(store):
    run = store.create("x")
    recorder = RunRecorder(run)
    seen = []
    follower = threading.Thread(target=lambda: seen.extend(follow(run, period=0.01)))
    follower.start()
    for number in range(5):
        recorder.commit("log", number=number)
        time.sleep(0.02)
    assert follower.is_alive()
    recorder.record("run.ended", outcome="reached")
    recorder.close("reached")
    follower.join(120)
    assert [event.kind for event in seen] == ["log"] * 5 + ["run.ended"]


def test_equal_runs_do_not_differ(store):
    assert compare(record(store, ("log", {"a": 1})), record(store, ("log", {"a": 1}))) is None


def test_what_stands_under_wall_is_not_compared(store):
    one = record(store, ("log", {"a": {"b": [{"wall": 1.5, "c": 2}]}, "wall": {"x": 1}}))
    other = record(store, ("log", {"a": {"b": [{"wall": 2.5, "c": 2}]}}))
    assert compare(one, other) is None


@pytest.mark.parametrize(
    ("changed", "where", "first", "second"),
    [
        ({"a": {"b": [1, 3]}}, "data.a.b[1]", 2, 3),
        ({"a": {"b": [1]}}, "data.a.b[1]", 2, None),
        ({"a": {"b": [1, 2], "c": 0}}, "data.a.c", None, 0),
        ({"a": {"b": [1, 2.0]}}, "data.a.b[1]", 2, 2.0),
        ({"a": {"b": [True, 2]}}, "data.a.b[0]", 1, True),
    ],
)
def test_the_first_difference_in_the_data(store, changed, where, first, second):
    start = ("run.started", {})
    difference = compare(
        record(store, start, ("log", {"a": {"b": [1, 2]}})), record(store, start, ("log", changed))
    )
    assert (difference.seq, difference.where, difference.first, difference.second) == (
        2,
        where,
        first,
        second,
    )
    assert "event 2" in str(difference)


@pytest.mark.parametrize(
    ("other", "where"),
    [
        (("goal.set", {}, 1, 0.1), "kind"),
        (("log", {}, 2, 0.1), "tick"),
        (("log", {}, 1, 0.2), "time"),
    ],
)
def test_differences_outside_of_the_data(store, other, where):
    assert compare(record(store, ("log", {}, 1, 0.1)), record(store, other)).where == where


def test_a_run_that_ends_earlier_differs(store):
    difference = compare(record(store, ("log", {})), record(store, ("log", {}), ("goal.set", {})))
    assert (difference.seq, difference.where, difference.first, difference.second) == (
        2,
        "length",
        None,
        "goal.set",
    )


def test_pacing_waits_as_long_as_it_took(store):
    slept = []
    clock = [100.0]

    def sleep(seconds):
        slept.append(round(seconds, 6))
        clock[0] += seconds

    made = mango_events()
    assert list(paced(made, 2.0, now=lambda: clock[0], sleep=sleep)) == made
    assert clock[0] - 100.0 == pytest.approx((made[-1].time - made[0].time) / 2)
    slept.clear()
    assert list(paced(made, 0, now=lambda: clock[0], sleep=sleep)) == made
    assert slept == []


def test_waiting_for_the_end_has_an_end(store):
    run = store.create("x")
    assert wait_for_end(run, 0.05, period=0.01).status == "running"
    recorder = RunRecorder(run)
    closer = threading.Timer(0.1, recorder.close, ["cancelled"])
    closer.start()
    assert wait_for_end(run, 5, period=0.01).outcome == "cancelled"
    closer.join()


@pytest.mark.parametrize(("kind", "name"), [("tree.built", "nodes"), ("tree.spliced", "added")])
def test_former_names_of_node_types_are_equal_to_the_present_ones(store, kind, name):
    def of_type(node_type):
        return record(store, (kind, {name: [{"id": "a", "name": "a", "type": node_type, "parent": None}]}))

    assert compare(of_type("Persevere"), of_type("RetryUntilReached")) is None
    assert compare(of_type("TakeUp"), of_type("ResumeInFlight")) is None
    assert compare(of_type("Persevere"), of_type("ResumeInFlight")).where == f"data.{name}[0].type"
