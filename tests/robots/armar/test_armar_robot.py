"""ARMAR over a bridge that is played: what each way of going wrong comes to."""

import json
import re
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from waiting import until

from foretree.clock import WallClock
from foretree.config import ConfigError
from foretree.robots.armar import bridge_process
from foretree.robots.armar.armar_file import ArmarFile, ObjectSenses, converted, load_armar_file
from foretree.robots.armar.bridge_process import BridgeProcess
from foretree.robots.armar.memory_senses import MemorySenses
from foretree.robots.armar.robot import ArmarRobot
from foretree.skills.robot import End, LookRequest, Order, Outcome, RobotError, Target

PLAYED = Path(__file__).with_name("played_bridge.py")
MUG = Target({"mug": 0.9}, (1.0, 2.0, 0.5))
PICK = Order("pick", {"item": MUG}, hand="left")


def one(skill, **more):
    return {"skill": skill, "provider": "arm", **more}


FILE = {
    "robot": "armar",
    "hands": ["left", "right"],
    "bridge": {"python": "python3", "silence": 0.5, "connect_within": 20},
    "objects": {"classes": {"Kitchen/cup": "mug"}, "localised_within": 5},
    "look": one("Succeed"),
    "skills": {
        "pick": one("Succeed", params={"name": "$item.class", "at": {"millimetres": "$item.position"}}),
        "tell": one("Tell", done_if=[{"executor": "foretree run/1 0 arm/Tell"}]),
        "open": one("Fail", reason="error.says"),
        "close": one("Fail", failures=[{"if": {"error.code": 7}, "says": "locked", "lost": True}]),
        "judge": one("Tell", done_if=[{"params.x": 5}]),
        "refuse": one("Refuse"),
        "give_up": one("GiveUp"),
        "change": one("Change"),
        "new": one("New"),
        "crash": one("Crash"),
        "garbage": one("Garbage"),
        "noise": one("Noise"),
        "hang": one("Hang"),
        "wait": {"skill": "Wait", "provider": "$hand"},
        "stubborn": one("Stubborn"),
        "two": {"steps": [one("Succeed"), one("Wait")]},
        "bad": one("Succeed", params={"x": {"matrix": "$item.class"}}),
    },
}


class Armar:
    """A robot on a played bridge, which a test may start several times."""

    def __init__(self, folder, behaviour="well"):
        self.record = folder / "record.json"
        self.file = ArmarFile.model_validate(FILE)
        self.clock = WallClock()
        command = [sys.executable, str(PLAYED), str(self.record), behaviour]
        self.bridge = BridgeProcess(self.file, self.clock, command)
        self.robot = ArmarRobot(self.file, self.bridge, self.clock)

    def connect(self):
        until(self.robot.is_connected, "the bridge to connect")
        return self

    def noted(self):
        return json.loads(self.record.read_text()) if self.record.exists() else {}

    def say_objects(self, **message):
        self._write(".objects", message)

    def note(self, **statuses):
        """Have the skill manager say so of what was begun."""
        self._write(self.record.suffix, statuses)

    def _write(self, suffix, content):
        partial = self.record.with_suffix(".partial")
        partial.write_text(json.dumps(content))
        partial.rename(self.record.with_suffix(suffix))


@pytest.fixture
def armar(tmp_path, monkeypatch):
    monkeypatch.setattr(bridge_process, "_FIRST_PAUSE", 0.05)
    armar = Armar(tmp_path).connect()
    yield armar
    armar.bridge.close()


def end_of(execution):
    def ended():
        try:
            return execution.poll()
        except RobotError:
            return None

    return until(ended, "the end of an execution")


def order(skill, hand="left"):
    return Order(skill, {"item": MUG}, hand=hand)


# -- what is sent ----------------------------------------------------------------------------------------
def test_an_order_becomes_a_skill_with_its_parameters(armar):
    armar.robot.start(PICK, "run/1")
    call = until(lambda: armar.noted(), "a skill to be begun")
    assert list(call) == ["run/1 0 arm/Succeed"]


def test_the_name_of_the_executor_has_the_id_of_the_execution(armar):
    assert end_of(armar.robot.start(order("tell"), "run/1")) == End(Outcome.DONE)


def test_lengths_and_poses_are_turned_into_those_of_armarx():
    pose = {
        "position": {"x": 1.0, "y": 2.0, "z": 0.5},
        "orientation": {"x": 0.0, "y": 0.0, "z": 1.0, "w": 0.0},
    }
    assert converted({"a": {"millimetres": {"x": 1.0, "y": [2, 0.5]}}}) == {
        "a": {"x": 1000.0, "y": [2000.0, 500.0]}
    }
    assert converted({"p": {"matrix": pose}}) == {
        "p": {"float32": [[-1, 0, 0, 1000], [0, -1, 0, 2000], [0, 0, 1, 500], [0, 0, 0, 1]]}
    }
    assert converted({"matrix": 1, "millimetres": 2}) == {"matrix": 1, "millimetres": 2}


@pytest.mark.parametrize("value", [{"millimetres": "far"}, {"millimetres": True}, {"matrix": {"x": 1}}])
def test_what_cannot_be_converted_is_refused(value):
    with pytest.raises(ValueError, match="which is no"):
        converted([value])


@pytest.mark.parametrize(
    ("order", "says"),
    [
        (Order("dance"), "does not say how to dance"),
        (Order("pick"), r"\$item"),
        (Order("pick", {"item": Target({"mug": 1.0}, None)}), "where the mug"),
        (Order("wait"), "no hand is used"),
        (order("bad"), "no pose"),
    ],
)
def test_what_an_order_lacks_is_said_before_anything_is_sent(armar, order, says):
    with pytest.raises(RobotError, match=says):
        armar.robot.start(order, "run/1")
    assert armar.noted() == {}
    assert armar.robot.attach("run/1") is None


def test_an_order_is_sent_once(armar):
    first = armar.robot.start(order("wait"), "run/1")
    assert armar.robot.start(order("wait"), "run/1") is first
    with pytest.raises(RobotError, match="taken by another order"):
        armar.robot.start(PICK, "run/1")
    with pytest.raises(RobotError, match="left/Wait is under way"):
        armar.robot.start(order("wait"), "run/2")
    armar.robot.start(order("wait", hand="right"), "run/3")


def test_skills_that_no_provider_offers_are_told(armar):
    missing = armar.robot.missing()
    assert "arm/Crash" in missing
    assert "right/Wait" in missing
    assert not {"arm/Succeed", "left/Wait"} & set(missing)


# -- how it ends -----------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("skill", "end"),
    [
        ("pick", End(Outcome.DONE)),
        ("open", End(Outcome.FAILED, "the door is locked")),
        ("close", End(Outcome.LOST, "locked")),
        ("judge", End(Outcome.FAILED, "arm/Tell has succeeded, but not as the robot file asks")),
        ("refuse", End(Outcome.FAILED, "arm/Refuse was refused: SkillNotFound: no such skill")),
        ("give_up", End(Outcome.FAILED, "arm/GiveUp has aborted")),
        ("change", End(Outcome.DONE)),
        ("new", End(Outcome.LOST, "arm/New ended with the status Sideways, which is not known here")),
    ],
)
def test_the_status_of_a_skill_becomes_an_outcome(armar, skill, end):
    execution = armar.robot.start(order(skill), "run/1")
    assert end_of(execution) == end
    armar.robot.observations()
    assert execution.poll() == end


def test_a_cancel_is_done_once_the_skill_is_aborted(armar):
    execution = armar.robot.start(order("wait"), "run/1")
    assert execution.poll() is None
    execution.cancel()
    execution.cancel()
    assert end_of(execution) == End(Outcome.CANCELLED)


def test_a_skill_that_does_not_heed_the_cancel_has_not_ended(armar):
    execution = armar.robot.start(order("stubborn"), "run/1")
    execution.cancel()
    until(lambda: any(key.startswith("cancel") for key in armar.noted()), "the cancel to arrive")
    assert execution.poll() is None


def test_steps_follow_each_other_and_a_cancel_ends_all(armar):
    execution = armar.robot.start(order("two"), "run/1")
    until(lambda: execution.poll() or "run/1 1 arm/Wait" in armar.noted(), "the second skill")
    execution.cancel()
    assert end_of(execution) == End(Outcome.CANCELLED)


def test_stop_aborts_all(armar):
    executions = [armar.robot.start(order("wait", hand), f"run/{hand}") for hand in ("left", "right")]
    armar.robot.stop()
    assert [end_of(each).outcome for each in executions] == [Outcome.CANCELLED] * 2
    until(lambda: "stop" in armar.noted(), "stop to be told")
    assert armar.noted()["stop"] is False


# -- how the bridge fails --------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("skill", "says"),
    [
        ("crash", r"has ended \(exit code 11\). It said: Segmentation fault, as it were"),
        ("garbage", "something that is no message"),
        ("noise", "said nothing for 0.5 s"),
        ("hang", "said nothing for 0.5 s"),
    ],
)
def test_a_bridge_that_fails_is_replaced_and_what_it_began_is_found_again(armar, skill, says):
    execution = armar.robot.start(order(skill), "run/1")

    def trouble():
        try:
            assert execution.poll() is None
        except RobotError as error:
            return str(error)
        return ""

    assert re.search(says, until(trouble, "the trouble to be noticed"))
    with pytest.raises(RobotError):
        armar.robot.start(PICK, "run/2")
    with pytest.raises(RobotError):
        armar.robot.stop()
    (call,) = armar.noted()
    armar.note(**{call: "Succeeded"})
    assert end_of(execution) == End(Outcome.DONE)
    assert armar.bridge.lives == 2


def test_an_execution_of_which_nothing_is_known_after_a_crash_is_lost(armar):
    execution = armar.robot.start(order("crash"), "run/1")
    until(armar.noted, "the order to arrive")
    armar.note(**{"run/1 0 arm/Crash": "Unknown"})
    assert end_of(execution).outcome is Outcome.LOST
    with pytest.raises(RobotError, match="found"):
        armar.robot.attach("run/1")


def test_a_cancel_from_before_the_crash_is_sent_again(armar):
    execution = armar.robot.start(order("wait"), "run/1")
    until(armar.noted, "the order to arrive")
    armar.bridge._child.kill()
    execution.cancel()
    assert end_of(execution) == End(Outcome.CANCELLED)


@pytest.mark.parametrize(
    ("behaviour", "says"), [("unreachable", "ArmarX is not started"), ("mute", "said nothing for 0.3 s")]
)
def test_a_bridge_that_does_not_connect_says_why(tmp_path, behaviour, says):
    armar = Armar(tmp_path, behaviour)
    armar.bridge._bridge = armar.file.bridge.model_copy(update={"connect_within": 0.3})
    until(lambda: armar.robot.is_connected() or says in armar.bridge.trouble, says)
    with pytest.raises(RobotError, match=says):
        armar.robot.start(PICK, "run/1")
    armar.bridge.close()


def test_a_python_that_is_not_there_is_named():
    file = ArmarFile.model_validate({**FILE, "bridge": {"python": "/nowhere/python"}})
    robot = ArmarRobot(file, BridgeProcess(file, WallClock()), WallClock())
    assert not robot.is_connected()
    with pytest.raises(RobotError, match="/nowhere/python"):
        robot.start(PICK, "run/1")


def test_the_bridge_ends_with_us(armar):
    child = armar.bridge._child
    armar.bridge.close()
    assert child.exit_code() is not None
    with pytest.raises(RobotError, match="closed"):
        armar.robot.start(PICK, "run/1")


# -- after a crash of ours -------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("status", "outcome"),
    [("Succeeded", Outcome.DONE), ("Failed", Outcome.FAILED), ("Replaced", Outcome.FAILED)],
)
def test_an_execution_of_an_earlier_process_is_found_by_its_id(armar, status, outcome):
    armar.note(**{"run/7 0 right/Wait": status})
    execution = armar.robot.attach("run/7")
    assert end_of(execution).outcome is outcome
    assert armar.robot.attach("run/7") is execution


def test_an_execution_that_still_runs_can_be_cancelled_by_the_process_that_found_it(armar):
    armar.note(**{"run/7 0 right/Wait": "Running"})
    execution = armar.robot.attach("run/7")
    until(lambda: armar.robot.observations() or armar.bridge.lives, "answers")
    assert execution.poll() is None
    execution.cancel()
    assert end_of(execution) == End(Outcome.CANCELLED)


@pytest.mark.parametrize(
    ("first", "second", "outcome"),
    [
        ("Succeeded", "Unknown", Outcome.CANCELLED),  # it can have been the first half of "two"
        ("Succeeded", "Succeeded", Outcome.DONE),
        ("Succeeded", "Failed", Outcome.FAILED),
        ("Unknown", "Unknown", Outcome.FAILED),
    ],
)
def test_a_first_step_that_was_done_is_no_order_that_was_done(armar, first, second, outcome):
    armar.note(**{"run/7 0 arm/Succeed": first, "run/7 1 arm/Wait": second})
    assert end_of(armar.robot.attach("run/7")).outcome is outcome


# -- what is seen ----------------------------------------------------------------------------------------
CUP = {
    "dataset": "Kitchen", "class": "cup", "instance": "1", "provider": "vision", "confidence": 0.8,
    "age": 1.0, "time": 5, "position": [1000, 2000, 500], "orientation": [0.7071068, 0, 0, 0.7071068],
    "box": {"position": [0, 0, 50], "orientation": [1, 0, 0, 0], "extents": [60, 80, 100]},
}  # fmt: skip


def test_objects_of_the_memory_are_observed_once(armar):
    armar.say_objects(say="objects", objects=[CUP, {**CUP, "class": "ghost"}])
    (seen,) = until(armar.robot.observations, "an observation")
    (detection,) = seen.detections
    assert (detection.classes, detection.pose) == ({"mug": 0.8}, (1.0, 2.0, 0.5))
    # Turned by a quarter: what is 80 mm long across is so along x.
    assert detection.extent == pytest.approx((0.96, 1.97, 0.5, 1.04, 2.03, 0.6), abs=1e-3)
    assert seen.time < armar.clock.now() - 0.99
    assert (seen.covered, seen.source) == ((), "view")
    look = armar.robot.look(LookRequest((MUG,)), "run/1")
    assert end_of(look) == End(Outcome.DONE)
    assert armar.robot.observations() == []
    armar.say_objects(say="objects", objects=[{**CUP, "time": 6, "position": [1100, 2000, 500]}])
    assert until(armar.robot.observations, "news")[0].detections[0].pose[0] == 1.1


def test_things_rest_on_the_surfaces_of_the_file():
    table = {"class": "table", "at": [1.0, 2.0], "size": [1.0, 1.0, 0.5]}
    settings = ObjectSenses.model_validate(
        {"classes": {"Kitchen/cup": "mug"}, "surfaces": [table, {**table, "class": "shelf", "at": [9, 9]}]}
    )
    senses = MemorySenses(settings, WallClock())
    senses.hear([CUP, {**CUP, "instance": "2", "position": [1000, 2000, 900]}])
    (seen,) = senses.take()
    support, cup, floating = seen.detections
    assert (support.classes, support.extent) == (
        {"table": 1.0},
        pytest.approx((0.5, 1.5, 0.0, 1.5, 2.5, 0.5)),
    )
    assert cup.rests == ("on", support.id)
    assert floating.rests is None


@pytest.mark.parametrize("changed", [{"age": 60.0}, {"confidence": 0.1}])
def test_what_is_old_or_doubtful_is_not_reported(armar, changed):
    armar.say_objects(say="objects", objects=[{**CUP, **changed}])
    assert end_of(armar.robot.look(LookRequest(), "run/1")) == End(Outcome.DONE)
    assert armar.robot.observations() == []


def test_a_look_fails_while_the_memory_cannot_be_read(armar):
    armar.say_objects(say="trouble", about="objects", why="Timeout: no answer")
    end = end_of(armar.robot.look(LookRequest((MUG,)), "run/1"))
    assert (end.outcome, "Timeout: no answer" in end.reason) == (Outcome.FAILED, True)


def test_a_robot_without_a_memory_does_not_look():
    file = ArmarFile.model_validate({**FILE, "bridge": {"python": "python3", "object_memory": ""}})
    bridge = SimpleNamespace(trouble="", messages=lambda: iter(()))
    with pytest.raises(RobotError, match="sees nothing"):
        ArmarRobot(file, bridge, WallClock()).look(LookRequest(), "run/1")


# -- the file --------------------------------------------------------------------------------------------
def test_the_file_that_is_shipped_is_valid():
    file = load_armar_file("armar")
    assert file.entry("pick") is not None


@pytest.mark.parametrize(
    "entry",
    [{}, {"skill": "Pick"}, {"skill": "Pick", "provider": "arm", "steps": [one("Pick")]}, {"steps": []}],
)
def test_an_entry_is_one_skill_or_several(entry):
    with pytest.raises(ValueError, match="steps"):
        ArmarFile.model_validate({**FILE, "skills": {"pick": entry}})


def test_a_misspelt_key_is_named(tmp_path):
    path = tmp_path / "my.yaml"
    path.write_text(
        "driver: armarx\nrobot: armar\nbridge: {python: python3}\nskills: {pick: {skil: Pick, provider: arm}}\n"
    )
    with pytest.raises(ConfigError, match=r"skil: there is no such key. Did you mean skill\?"):
        load_armar_file(str(path))
