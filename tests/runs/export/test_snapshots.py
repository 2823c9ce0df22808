"""The format is that which ``js/py_trees-0.6.js`` of py_trees_js reads."""

import json
from html import unescape

import pytest
from export_tools import HOSTILE, text, tree
from mango_run import mango_events

from foretree.runs.export.snapshots import snapshots
from foretree.runs.store import RunError


def read(run, at=None):
    """The snapshots, after checking what the viewer relies on."""
    found = json.loads(text(snapshots, run, at))
    for snapshot in found:
        behaviours = snapshot["behaviours"]
        assert isinstance(snapshot["timestamp"], float)
        assert snapshot["changed"] == "true"
        assert set(snapshot["visited_path"]) <= behaviours.keys()
        assert set(snapshot["blackboard"]["behaviours"]) <= behaviours.keys()
        below = [child for behaviour in behaviours.values() for child in behaviour["children"]]
        assert sorted(below) == sorted(set(below)) == sorted(behaviours.keys() - {next(iter(behaviours))})
        for name, behaviour in behaviours.items():
            assert behaviour["id"] == name
            assert behaviour["status"] in ("SUCCESS", "FAILURE", "RUNNING", "INVALID")
            assert set(behaviour) == {"id", "name", "status", "colour", "details", "children", "data"}
            assert all(
                isinstance(value, str) for value in behaviour["data"].values()
            )  # null has no constructor
    return found


def test_there_is_one_for_each_tick_that_changes_the_tree(mango):
    found = read(mango)
    changing = {event.tick for event in mango_events() if event.kind.startswith("tree.")}
    assert len(found) == len(changing)
    times = [snapshot["timestamp"] for snapshot in found]
    assert times == sorted(times)
    began = mango.info().started
    assert times[0] == pytest.approx(began + 0.05)


def test_a_snapshot_tells_the_tree_and_what_happened(mango):
    first = read(mango)[0]
    act = first["behaviours"]["agent/loop/plan/a1/act"]
    assert act["name"] == "move(robot, start, table1)"
    assert act["status"] == "RUNNING"
    assert act["details"] == "moving"
    assert act["data"] == {
        "Type": "Act",
        "Feedback": "moving",
        "Action": "a1 move(robot, start, table1), running",
    }
    assert "agent/loop/plan/a1/act" in first["visited_path"]
    assert "agent/loop/plan/a2" not in first["visited_path"]
    assert first["blackboard"]["data"]["/goal"] == "(in mango1 fridge1)"
    assert any("start: 1. a1 move" in line for line in first["activity"])


def test_what_was_done_earlier_is_not_visited_again(mango):
    second = read(mango)[1]
    assert "agent/loop/plan/a1/act" in second["visited_path"]  # it has just ended
    later = read(mango)[3]
    assert later["behaviours"]["agent/loop/plan/a1/act"]["status"] == "SUCCESS"
    assert "agent/loop/plan/a1/act" not in later["visited_path"]


def test_a_revision_changes_the_children(mango):
    before, after = read(mango, at=2.35)[0], read(mango, at=2.4)[0]
    plan = "agent/loop/plan"
    assert [child.rpartition("/")[2] for child in before["behaviours"][plan]["children"]] == [
        *("a1", "a2", "a3", "a4", "a5")
    ]
    assert [child.rpartition("/")[2] for child in after["behaviours"][plan]["children"]] == [
        *("a1", "b1", "b2", "b3", "a4", "a5")
    ]


def test_a_moment_is_one_snapshot(mango):
    (only,) = read(mango, at=1.0)
    assert only == read(mango)[0]
    with pytest.raises(RunError, match=r"has no tree at 0\.01 s"):
        text(snapshots, mango, at=0.01)


def test_texts_are_no_markup(hostile):
    """The viewer sets ``innerHTML`` to names, details, data, ids, keys and lines."""
    (only,) = read(hostile)

    def texts(value):
        if isinstance(value, dict):
            for key, each in value.items():
                yield key
                yield from texts(each)
        elif isinstance(value, list):
            for each in value:
                yield from texts(each)
        elif isinstance(value, str):
            yield value

    activity = only.pop("activity")
    assert not [each for each in texts(only) if "<" in each or '"' in each]
    assert all(line.count("<") == 2 and line.endswith("</text>") for line in activity)
    assert unescape(only["behaviours"]["r"]["name"]) == HOSTILE


def test_the_blackboard_of_a_recorded_tree_is_told(written):
    def record(recorder):
        recorder.record("blackboard.changed", values={"/battery": "<low>", "/gone": "1"}, removed=[])
        recorder.record("blackboard.changed", values={}, removed=["/gone"])
        tree(recorder, ("r", "Sequence"), ("r/a", "Leaf"))

    (only,) = read(written(record))
    assert only["blackboard"]["data"] == {"/battery": "&lt;low&gt;"}


def test_a_run_without_a_tree_is_an_empty_list(store):
    assert json.loads(text(snapshots, store.create("x"))) == []
