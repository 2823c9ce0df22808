"""Logs are read back by a decoder written from the C++ of FileLogger2, which is tried on a log of its own."""

import struct
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

import pytest
from export_tools import tree

from foretree.runs.export.btlog import write_logs
from foretree.runs.export.run_source import RunSource
from foretree.runs.store import RunError

#: A log that FileLogger2 of BehaviorTree.CPP 4.10 wrote of the tree at the end of the mango's run, ticked once
#: with nodes that succeed.
BY_FILELOGGER2 = Path(__file__).with_name("by_filelogger2.btlog")

#: NodeStatus in behaviortree_cpp/basic_types.h.
STATUSES = ("IDLE", "RUNNING", "SUCCESS", "FAILURE", "SKIPPED")


class Log(NamedTuple):
    xml: ElementTree.Element
    first_usec: int
    transitions: list[tuple[float, str, str]]

    @property
    def nodes(self):
        return {
            int(element.get("_uid")): element
            for element in self.xml.find("BehaviorTree").iter()
            if element.get("_uid")
        }


def decode(path: Path) -> Log:
    """As ``FileLogger2::FileLogger2`` and ``FileLogger2::writerLoop`` write it."""
    data = path.read_bytes()
    magic = b"BTCPP4-FileLogger2"
    assert data.startswith(magic)
    at = len(magic)
    assert data[at] == 1  # protocol
    (size,) = struct.unpack_from("<i", data, at + 1)
    at += 5
    xml = ElementTree.fromstring(data[at : at + size].decode())
    at += size
    (first,) = struct.unpack_from("<q", data, at)
    at += 8
    assert (len(data) - at) % 9 == 0
    log = Log(xml, first, [])
    for start in range(at, len(data), 9):
        usec = int.from_bytes(data[start : start + 6], "little")
        number, status = struct.unpack_from("<HB", data, start + 6)
        log.transitions.append((usec / 1e6, log.nodes[number].get("name"), STATUSES[status]))
    return log


def test_the_decoder_reads_what_filelogger2_wrote():
    log = decode(BY_FILELOGGER2)
    assert log.xml.get("BTCPP_format") == "4"
    assert log.xml.find("BehaviorTree").attrib == {"ID": "agent", "_fullpath": ""}
    assert list(log.nodes) == list(range(1, 18))
    assert [(name, status) for _, name, status in log.transitions][:3] == [
        ("agent", "RUNNING"),
        ("understand", "SUCCESS"),
        ("loop", "RUNNING"),
    ]


def logs(run, tmp_path, at=None):
    paths = write_logs(RunSource(run, at), tmp_path / "mango.btlog")
    return paths, [decode(path) for path in paths]


def test_a_log_is_laid_out_as_that_of_filelogger2(mango, tmp_path):
    theirs = decode(BY_FILELOGGER2)
    _, (*_, ours) = logs(mango, tmp_path)
    for number, element in theirs.nodes.items():
        mine = ours.nodes[number]
        assert mine.tag == element.tag
        assert dict(mine.attrib) == dict(element.attrib)
    kinds = {entry.get("ID"): entry.tag for entry in theirs.xml.find("TreeNodesModel")}
    for entry in ours.xml.find("TreeNodesModel"):
        assert kinds[entry.get("ID")] == entry.tag
    assert ours.xml.attrib == theirs.xml.attrib
    assert ours.xml.find("BehaviorTree").attrib == theirs.xml.find("BehaviorTree").attrib


def test_each_tree_between_two_revisions_has_a_log(mango, tmp_path):
    paths, (before, after) = logs(mango, tmp_path)
    assert [path.name for path in paths] == ["mango-1.btlog", "mango-2.btlog"]
    assert len(before.nodes) == 15
    assert len(after.nodes) == 17
    began = mango.info().started
    assert before.first_usec == pytest.approx((began + 0.05) * 1e6, abs=1)
    assert after.first_usec == pytest.approx((began + 2.4) * 1e6, abs=1)
    assert [(name, status) for time, name, status in before.transitions if time == 0] == [
        *((name, "RUNNING") for name in ("agent", "loop", "plan", "presence", "move(robot, start, table1)")),
        ("understand", "SUCCESS"),
    ]
    assert [each for each in before.transitions if each[0] > 0] == [
        (1.95, "presence", "RUNNING"),
        (1.95, "move(robot, start, table1)", "SUCCESS"),
        (1.95, "presence", "SUCCESS"),
    ]


def test_a_later_log_begins_with_the_tree_as_it_is_then(mango, tmp_path):
    _, (_, after) = logs(mango, tmp_path)
    at_first = [(name, status) for time, name, status in after.transitions if time == 0]
    assert ("move(robot, start, table1)", "SUCCESS") in at_first
    assert ("plan", "RUNNING") in at_first
    assert after.transitions[-1][1:] == ("agent", "SUCCESS")


def test_a_moment_is_the_log_of_the_tree_as_it_is_then(mango, tmp_path):
    paths, (only,) = logs(mango, tmp_path, at=2.5)
    assert [path.name for path in paths] == ["mango.btlog"]
    assert len(only.nodes) == 17
    assert max(time for time, _, _ in only.transitions) <= 0.1 + 1e-9


def test_edits_in_one_tick_make_one_tree(written, tmp_path):
    def record(recorder):
        recorder.mark(1, 0.1)
        tree(recorder, ("r", "Sequence"), ("r/a", "Leaf"))
        for name in "bc":
            added = [{"id": f"r/{name}", "parent": "r", "name": name, "type": "Leaf"}]
            recorder.record("tree.spliced", below="r", removed=[], added=added)
            recorder.record("log", text="between")
        recorder.record("tree.changed", status={"r/a": ["RUNNING", ""]})
        recorder.mark(2, 0.2)
        recorder.record("tree.changed", status={"r/a": ["RUNNING", "a message alone is no transition"]})
        recorder.record("tree.changed", status={"r/a": ["INVALID", ""], "unknown": ["RUNNING", ""]})
        recorder.record("tree.spliced", below="r", removed=["r/c"], added=[])

    _, (first, last) = logs(written(record), tmp_path)
    assert [element.get("name") for element in first.nodes.values()] == ["r", "a", "b", "c"]
    assert first.transitions == [(0.0, "a", "RUNNING"), (0.1, "a", "IDLE")]
    assert [element.get("name") for element in last.nodes.values()] == ["r", "a", "b"]


def test_hostile_names_are_read_back(hostile, tmp_path):
    _, (only,) = logs(hostile, tmp_path)
    assert len(only.nodes) == 4
    assert len(only.transitions) == 4


def test_what_cannot_be_a_log(mango, store, tmp_path, written):
    with pytest.raises(RunError, match=r"called \*\.btlog; mango\.log is not"):
        write_logs(RunSource(mango), tmp_path / "mango.log")
    with pytest.raises(RunError, match="has no tree"):
        write_logs(RunSource(store.create("x")), tmp_path / "x.btlog")
    paths = [("r", "Sequence"), *((f"r/{number}", "Leaf") for number in range(0x10000))]
    with pytest.raises(RunError, match="65,537 nodes"):
        write_logs(RunSource(written(lambda recorder: tree(recorder, *paths))), tmp_path / "x.btlog")
    assert list(tmp_path.glob("*.btlog")) == []
