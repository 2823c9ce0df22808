"""The supervisor: it holds at once, keeps holding, and lets go only when it is told and nothing is wrong."""

import math

import pytest
from messages import NOTHING, joints, pose, switch

from foretree.robots.supervisor.safety_file import SafetyFile
from foretree.robots.supervisor.supervisor import NOT_RELEASED, Supervisor

FILE = {
    "supervisor": "s",
    "rate": 100,
    "inputs": {
        "joints": {"topic": "j", "type": "sensor_msgs/msg/JointState", "period": 0.1},
        "tool": {"topic": "t", "type": "geometry_msgs/msg/PoseStamped", "period": 0.2},
        "button": {"topic": "b", "type": "std_msgs/msg/Empty", "may_be_silent": True},
        "agent": {"topic": "a", "type": "std_msgs/msg/Empty", "silent_after": 1.0},
    },
    "points": {"tip": {"input": "tool"}},
    "rules": {
        "joint_speeds": [{"input": "joints", "limit": 1.0}],
        "workspace": [{"points": ["tip"], "box": {"from": [0, 0, 0], "to": [1, 1, 1]}}],
        "emergency_stops": ["button"],
        "watchdog": ["agent"],
    },
    "stop": {"actions": ["a"], "still": {"input": "joints", "below": 0.02, "within": 0.5}},
}
FILE_WITHOUT_STILL = {**FILE, "stop": {"actions": ["a"]}}


def say_all(supervisor, now, speed=0.01):
    supervisor.hear("joints", joints(a=speed), now)
    supervisor.hear("tool", pose(0.5, 0.5, 0.5), now)
    supervisor.hear("agent", NOTHING, now)


def released(file=FILE, now=0.0, **others):
    supervisor = Supervisor(SafetyFile.model_validate(file), now, **others)
    say_all(supervisor, now)
    assert supervisor.reset(now) == ()
    return supervisor


def test_it_holds_from_the_start_until_it_is_reset():
    supervisor = Supervisor(SafetyFile.model_validate(FILE), 0.0)
    assert supervisor.held
    assert supervisor.state.causes == (NOT_RELEASED,)
    assert supervisor.check(0.0) is False  # held already
    say_all(supervisor, 0.0)
    assert supervisor.check(0.0) is False
    assert supervisor.held
    assert supervisor.reset(0.0) == ()
    assert not supervisor.held
    assert supervisor.state.causes == supervisor.state.present == ()
    assert supervisor.state.sentence == "The robot may move."


def test_it_cannot_be_reset_before_everything_was_heard():
    supervisor = Supervisor(SafetyFile.model_validate(FILE), 0.0)
    assert sorted(supervisor.reset(0.0)) == [
        f"nothing has been heard of {name}" for name in ("agent", "joints", "tip", "tool")
    ]
    assert supervisor.held


def test_a_message_stops_on_arrival_and_once():
    supervisor = released()
    assert supervisor.hear("joints", joints(a=1.0), 0.01) is False
    assert supervisor.hear("joints", joints(a=1.5), 0.02) is True
    assert supervisor.since == 0.02
    assert supervisor.hear("joints", joints(a=1.5), 0.03) is False  # it is stopped already
    assert supervisor.since == 0.02
    assert supervisor.state.causes == ("a moves at 1.5, 1 is allowed",)
    assert supervisor.state.sentence == "The robot is held: a moves at 1.5, 1 is allowed."


def test_a_point_is_judged_on_arrival_of_the_pose_that_tells_it():
    supervisor = released()
    assert supervisor.hear("tool", pose(0.5, 0.5, 1.1), 0.01) is True
    assert supervisor.state.causes == ("tip is outside of the workspace",)


def test_what_was_wrong_and_is_well_again_keeps_holding():
    supervisor = released()
    supervisor.hear("joints", joints(a=1.5), 0.01)
    supervisor.hear("joints", joints(a=0.0), 0.02)
    supervisor.check(0.03)
    assert supervisor.held
    assert supervisor.state.causes == ("a moves at 1.5, 1 is allowed",)
    assert supervisor.state.present == ()
    assert supervisor.reset(0.04) == ()
    assert not supervisor.held


def test_it_cannot_be_reset_while_something_is_wrong():
    supervisor = released(FILE_WITHOUT_STILL)
    supervisor.hear("joints", joints(a=1.5), 0.01)
    assert supervisor.reset(0.02) == ("a moves at 1.5, 1 is allowed",)
    assert supervisor.held


@pytest.mark.parametrize(
    ("silent", "last_good", "stops"), [("joints", 0.19, 0.2), ("tool", 0.39, 0.4), ("agent", 0.99, 1.0)]
)
def test_silence_stops_before_its_limit_is_over(silent, last_good, stops):
    supervisor = released()
    now = 0.0
    while not supervisor.held:
        now = round(now + 0.01, 2)
        for name, message in {"joints": joints(a=0.0), "tool": pose(0.5, 0.5, 0.5), "agent": NOTHING}.items():
            if name != silent:
                assert supervisor.hear(name, message, now) is False
        stopped = supervisor.check(now)
        assert stopped is supervisor.held
        assert stopped or now < last_good + 0.005
    assert last_good <= now <= stops
    assert f"{silent} has been silent" in supervisor.state.causes[0]


def test_it_says_when_the_next_silence_is_to_be_looked_for():
    supervisor = Supervisor(SafetyFile.model_validate(FILE), 0.0)
    assert supervisor.silence_at() == math.inf
    supervisor = released()
    assert supervisor.silence_at() == pytest.approx(0.19)
    supervisor.hear("joints", joints(a=0.0), 0.3)
    assert supervisor.silence_at() == pytest.approx(0.39)  # the pose is next
    supervisor.check(0.395)
    assert supervisor.held
    assert supervisor.silence_at() == math.inf


def test_a_press_holds_until_a_reset():
    supervisor = released()
    assert supervisor.hear("button", NOTHING, 0.01) is True
    supervisor.check(0.02)
    assert supervisor.state.present == ("button is pressed",)
    assert supervisor.reset(0.03) == ()


def test_no_number_stops():
    supervisor = released()
    assert supervisor.hear("tool", pose(0.5, float("nan"), 0.5), 0.01) is True


def test_a_message_that_cannot_be_taken_stops():
    supervisor = released()
    assert supervisor.hear("joints", switch(True), 0.01) is True
    (cause,) = supervisor.state.causes
    assert cause.startswith("joints cannot be judged (AttributeError")


def test_a_rule_that_fails_stops(monkeypatch):
    from foretree.robots.supervisor import rules

    supervisor = released()
    monkeypatch.setattr(rules.JointSpeeds, "violations", lambda self, snapshot: 1 / 0)
    assert supervisor.hear("joints", joints(a=0.0), 0.01) is True
    assert supervisor.state.causes == ("joint_speeds cannot be judged (ZeroDivisionError: division by zero)",)
    assert supervisor.reset(0.02) == supervisor.state.causes


def test_reasons_from_outside_of_the_rules_stop_and_bar_the_reset():
    troubles = []
    supervisor = released(more=lambda: troubles)
    troubles.append("the service arm/stop is not there")
    assert supervisor.check(0.01) is True
    assert supervisor.reset(0.02) == ("the service arm/stop is not there",)
    troubles.clear()
    assert supervisor.reset(0.03) == ()
    assert supervisor.stop("end", "the supervisor has ended", 0.04) is True
    assert supervisor.stop("end", "again", 0.05) is False
    assert supervisor.state.causes == ("the supervisor has ended",)


# -- is the stop taken? ------------------------------------------------------------------------------------
def stopped_at_1(file=FILE):
    supervisor = released(file, now=1.0)
    supervisor.stop("test", "it is tested", 1.0)
    return supervisor


def keep(supervisor, now, speed):
    say_all(supervisor, now, speed)
    supervisor.check(now)
    return supervisor.state.moves


def test_a_robot_that_goes_on_moving_is_told_loudly():
    supervisor = stopped_at_1()
    assert keep(supervisor, 1.5, 0.3) == ""  # it has so long to stop
    assert keep(supervisor, 1.51, -0.3) == "The stop was not taken: a moves at 0.3!"
    assert supervisor.state.sentence == (
        "The stop was not taken: a moves at 0.3! The robot is held: it is tested."
    )
    assert keep(supervisor, 1.6, 0.02) == ""
    assert keep(supervisor, 9.0, 0.021) == "The stop was not taken: a moves at 0.021!"
    assert keep(supervisor, 9.1, float("nan")) != ""
    assert keep(supervisor, 9.2, 0.0) == ""


def test_a_robot_that_moves_cannot_be_reset():
    supervisor = stopped_at_1()
    say_all(supervisor, 1.1, 0.3)
    assert supervisor.reset(1.1) == ("a moves at 0.3",)
    assert supervisor.held
    say_all(supervisor, 1.2, 0.0)
    assert supervisor.reset(1.2) == ()
    assert keep(supervisor, 9.0, 0.3) == ""  # it may move now


def test_without_joint_states_to_tell_nothing_is_said():
    supervisor = stopped_at_1(FILE_WITHOUT_STILL)
    assert keep(supervisor, 9.0, 0.3) == ""
    assert supervisor.reset(9.0) == ()
    never_heard = Supervisor(SafetyFile.model_validate(FILE), 0.0)
    never_heard.check(9.0)
    assert never_heard.state.moves == ""
