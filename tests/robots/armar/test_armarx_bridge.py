"""The bridge to ArmarX: its logic with an ArmarX that is played, and whether it can stand alone."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from foretree.robots.armar import armarx_bridge
from foretree.robots.armar.armarx_bridge import Bridge, object_of

PROGRAM = Path(armarx_bridge.__file__)
CALL = {"id": "run/1 0 arm/Pick", "executor": "foretree run/1 0 arm/Pick", "provider": "arm", "skill": "Pick"}


class Future:
    """An answer that the test gives."""

    def __init__(self):
        self._answer = None

    def give(self, result=None, error=None):
        self._answer = result, error

    def done(self):
        return self._answer is not None

    def result(self):
        return self._answer[0]

    def exception(self):
        return self._answer[1]


class UserException(Exception):  # noqa: N818 - the name that Ice has for it
    """As Ice calls what an interface declares."""


class SkillException(UserException):
    """As ArmarX calls it."""


class PlayedArmarx:
    """Implements what the bridge takes of ``Armarx``."""

    def __init__(self):
        self.executed, self.aborted, self.asked, self.read = [], [], [], []
        self.refuses = None
        self.emergency = 0

    def execute(self, executor, provider, skill, params):
        if self.refuses:
            raise self.refuses
        self.executed.append((executor, provider, skill, params, Future()))
        return self.executed[-1][-1]

    def abort(self, provider, skill):
        self.aborted.append((provider, skill, Future()))
        return self.aborted[-1][-1]

    def statuses(self):
        self.asked.append(Future())
        return self.asked[-1]

    def objects(self):
        self.read.append(Future())
        return self.read[-1]

    def emergency_stop(self):
        self.emergency += 1
        if self.refuses:
            raise self.refuses

    def status_of(self, update):
        return update


@pytest.fixture
def given():
    robot, said = PlayedArmarx(), []
    bridge = Bridge(robot, said.append)
    clock = iter(range(1, 10_000))

    def turn():
        bridge.turn(float(next(clock)))

    def ends():
        return [m for m in said if m["say"] == "ended"]

    return SimpleNamespace(robot=robot, said=said, bridge=bridge, turn=turn, ends=ends)


def start(given, **changed):
    given.bridge.hear({"do": "start", "params": {"x": 1.0}, **CALL, **changed})
    given.turn()


def say_status(given, status, executor=CALL["executor"], **data):
    """Answer the last question after the statuses."""
    given.turn()
    given.robot.asked[-1].give({"arm": {"Pick": (executor, status, data)}})
    given.turn()


def test_a_skill_is_executed_under_the_name_of_its_execution(given):
    start(given)
    assert given.robot.executed[0][:4] == (CALL["executor"], "arm", "Pick", {"x": 1.0})
    assert given.ends() == []


@pytest.mark.parametrize("status", ["Succeeded", "Failed", "Aborted"])
def test_the_answer_to_the_request_is_the_end(given, status):
    start(given)
    given.robot.executed[0][-1].give((CALL["executor"], status, {"n": 1}))
    given.turn()
    given.turn()
    assert given.ends() == [{"say": "ended", "id": CALL["id"], "status": status, "why": "", "data": {"n": 1}}]


@pytest.mark.parametrize("answer", [(CALL["executor"], "Running", {}), ("another", "Succeeded", {})])
def test_an_answer_that_is_no_end_of_it_is_none(given, answer):
    start(given)
    given.robot.executed[0][-1].give(answer)
    given.turn()
    assert given.ends() == []
    say_status(given, "Failed")
    assert [end["status"] for end in given.ends()] == ["Failed"]


def test_what_makes_no_request_is_refused(given):
    given.robot.refuses = TypeError("Could not convert")
    start(given)
    assert given.ends()[0]["status"] == "Refused"
    assert given.ends()[0]["why"] == "TypeError: Could not convert"


def test_what_the_interface_refuses_is_refused(given):
    start(given)
    given.robot.executed[0][-1].give(error=SkillException("no such skill"))
    given.turn()
    assert (given.ends()[0]["status"], given.ends()[0]["why"]) == ("Refused", "SkillException: no such skill")


@pytest.mark.parametrize(
    ("executor", "status", "end"),
    [
        (CALL["executor"], "Succeeded", "Succeeded"),
        (CALL["executor"], "Aborted", "Aborted"),
        ("another", "Running", "Replaced"),
        (CALL["executor"], "Running", None),
        (CALL["executor"], "Scheduled", None),
    ],
)
def test_after_a_lost_connection_the_record_of_the_manager_counts(given, executor, status, end):
    start(given)
    given.robot.executed[0][-1].give(error=ConnectionError("gone"))
    given.turn()
    assert given.ends() == []
    assert {"say": "trouble", "about": "executions", "why": "ConnectionError: gone"} in given.said
    say_status(given, status, executor)
    assert [each["status"] for each in given.ends()] == ([end] if end else [])


def test_without_a_record_nothing_is_known(given):
    given.bridge.hear({"do": "find", **CALL})
    given.turn()
    given.robot.asked[-1].give({"arm": {}})
    given.turn()
    assert given.ends()[0]["status"] == "Unknown"


def test_a_manager_that_does_not_answer_is_asked_again(given):
    given.bridge.hear({"do": "find", **CALL})
    given.turn()
    given.robot.asked[-1].give(error=ConnectionError("gone"))
    given.turn()
    assert given.ends() == []
    say_status(given, "Succeeded")
    assert given.ends()[0]["status"] == "Succeeded"


def test_it_is_aborted_only_while_it_is_this_one_that_runs(given):
    start(given)
    given.bridge.hear({"do": "cancel", "id": CALL["id"]})
    say_status(given, "Running", executor="another")
    assert given.robot.aborted == []
    say_status(given, "Succeeded", executor=CALL["executor"])
    assert given.robot.aborted == []
    say_status(given, "Running")
    assert [each[:2] for each in given.robot.aborted] == [("arm", "Pick")]


def test_an_abort_is_repeated_once_it_was_answered_for_as_long_as_it_runs(given):
    start(given)
    given.bridge.hear({"do": "cancel", "id": CALL["id"]})
    for _ in range(3):
        say_status(given, "Running")
    assert len(given.robot.aborted) == 1
    given.robot.aborted[0][-1].give()
    say_status(given, "Running")
    assert len(given.robot.aborted) == 2


def test_a_cancel_of_what_is_over_is_nothing(given):
    given.bridge.hear({"do": "cancel", "id": "run/9"})
    given.turn()
    assert (given.robot.asked, given.robot.aborted) == ([], [])


def test_stop_aborts_all_and_sets_the_emergency_stop_where_it_is_told(given):
    start(given)
    given.bridge.hear({"do": "stop", "emergency": False})
    say_status(given, "Running")
    assert (len(given.robot.aborted), given.robot.emergency) == (1, 0)
    given.bridge.hear({"do": "stop", "emergency": True})
    assert given.robot.emergency == 1


def test_an_emergency_stop_that_is_not_set_is_told_and_the_bridge_goes_on(given):
    given.robot.refuses = ConnectionError("gone")
    given.bridge.hear({"do": "stop", "emergency": True})
    assert given.said[-1] == {"say": "trouble", "about": "stop", "why": "ConnectionError: gone"}


def test_it_beats_and_asks_nothing_while_nothing_is_open(given):
    for _ in range(5):
        given.turn()
    assert sum(each["say"] == "beat" for each in given.said) == 5
    assert given.robot.asked == []
    assert len(given.robot.read) == 1  # the answer is waited for


def position(x, y, z):
    return SimpleNamespace(x=x, y=y, z=z)


def test_an_object_pose_as_a_message():
    orientation = SimpleNamespace(qw=1.0, qx=0.0, qy=0.0, qz=0.0)
    box = SimpleNamespace(position=position(0, 0, 50), orientation=orientation, extents=position(60, 80, 100))
    pose = SimpleNamespace(
        providerName="vision",
        objectID=SimpleNamespace(dataset="Kitchen", className="cup", instanceName="1"),
        objectPoseGlobal=SimpleNamespace(position=position(1000, 2000, 500), orientation=orientation),
        confidence=0.8,
        timestamp=SimpleNamespace(timeSinceEpoch=SimpleNamespace(microSeconds=9_000_000)),
        localOOBB=box,
    )
    assert object_of(pose, 10.0) == {
        "dataset": "Kitchen", "class": "cup", "instance": "1", "provider": "vision", "confidence": 0.8,
        "age": 1.0, "time": 9_000_000, "position": [1000, 2000, 500], "orientation": [1.0, 0.0, 0.0, 0.0],
        "box": {"position": [0, 0, 50], "orientation": [1.0, 0.0, 0.0, 0.0], "extents": [60, 80, 100]},
    }  # fmt: skip
    pose.localOOBB = SimpleNamespace(position=None, orientation=None, extents=None)
    assert object_of(pose, 10.0)["box"] is None


def test_an_object_without_a_pose_is_left_out(given):
    given.turn()
    pose = SimpleNamespace(
        objectID=SimpleNamespace(dataset="Kitchen", className="cup", instanceName="1"),
        providerName="vision", confidence=1.0, objectPoseGlobal=None, localOOBB=None,
        timestamp=SimpleNamespace(timeSinceEpoch=SimpleNamespace(microSeconds=1)),
    )  # fmt: skip
    given.robot.read[-1].give([pose])
    given.turn()
    assert {"say": "objects", "objects": []} in given.said


# -- that it stands alone --------------------------------------------------------------------------------
def test_it_takes_nothing_of_ours_and_armarx_only_inside_of_functions():
    tree = ast.parse(PROGRAM.read_text(), feature_version=(3, 8))
    taken = {
        name.partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for name in ([node.module] if isinstance(node, ast.ImportFrom) else [a.name for a in node.names])
    }
    assert taken - set(sys.stdlib_module_names) == {"armarx", "armarx_core", "armarx_memory", "numpy"}
    tops = [node for node in tree.body if isinstance(node, (ast.Import, ast.ImportFrom))]
    assert all("armarx" not in ast.unparse(node) for node in tops)


def test_without_armarx_it_says_so_and_ends(tmp_path):
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(PROGRAM), "SkillMemory", ""],
        input=b"",
        capture_output=True,
        timeout=120,
        cwd=tmp_path,
    )
    assert done.returncode == 1
    assert b'"failed"' in done.stdout
    assert b"No module named 'armarx'" in done.stdout
