"""The rules: each at its limit, just beyond it, and with what is no number."""

import math

import pytest

from foretree.robots.supervisor.readings import (
    ForceReading,
    InputReading,
    JointsReading,
    PeopleReading,
    PointReading,
    SwitchReading,
)
from foretree.robots.supervisor.rules import (
    Apart,
    DeadMan,
    EmergencyStop,
    Forces,
    Inside,
    JointSpeeds,
    Outside,
    PointSpeeds,
    SafetySnapshot,
    Silence,
    Sound,
)
from foretree.robots.supervisor.safety_file import SafetyBox

BOX = SafetyBox.model_validate({"from": [1, 2, 3], "to": [2, 4, 6]})
NAN, INF = math.nan, math.inf


def judge(rule, now=0.0, **readings):
    return list(rule.violations(SafetySnapshot(now, readings)))


def at(x, y, z, radius=0.0, speed=0.0):
    return PointReading(0.0, x=x, y=y, z=z, radius=radius, speed=speed)


def joints(**speeds):
    return JointsReading(0.0, names=tuple(speeds), speeds=tuple(speeds.values()))


# -- silence -----------------------------------------------------------------------------------------------
def test_what_was_never_heard_is_silent():
    assert judge(Silence("force", 0.5)) == ["nothing has been heard of force"]


def test_silence_begins_beyond_its_limit():
    rule = Silence("force", 0.5)
    assert judge(rule, now=10.5, force=InputReading(10.0)) == []
    assert judge(rule, now=10.51, force=InputReading(10.0)) == [
        "force has been silent for 0.51 s, 0.5 s are allowed"
    ]
    assert judge(rule, now=NAN, force=InputReading(10.0))


def test_what_never_changes_is_never_silent():
    assert judge(Silence("hand", 0.5), now=1e9, hand=InputReading(INF)) == []


# -- messages that make no sense ---------------------------------------------------------------------------
@pytest.mark.parametrize("number", [NAN, INF, -INF])
def test_what_is_no_number_is_a_violation(number):
    rule = Sound("force")
    assert judge(rule) == []
    assert judge(rule, force=InputReading(0.0, numbers=(1.0, -2.0))) == []
    assert judge(rule, force=InputReading(0.0, numbers=(1.0, number))) == ["force says what is no number"]


def test_a_message_that_cannot_be_judged_is_a_violation():
    found = judge(Sound("hand"), hand=InputReading(0.0, numbers=(1.0,), problem="is in the frame map"))
    assert found == ["hand is in the frame map"]


# -- speeds and forces -------------------------------------------------------------------------------------
def test_joints_have_a_limit_in_both_directions():
    rule = JointSpeeds("joints", 1.0)
    assert judge(rule, joints=joints(a=1.0, b=-1.0)) == []
    assert judge(rule, joints=joints(a=1.01, b=0.0)) == ["a moves at 1.01, 1 is allowed"]
    assert judge(rule, joints=joints(a=0.0, b=-1.01)) == ["b moves at 1.01, 1 is allowed"]
    assert len(judge(rule, joints=joints(a=2.0, b=2.0))) == 2
    assert judge(rule, joints=joints(a=NAN))
    assert judge(rule) == []


def test_a_joint_may_have_a_limit_of_its_own():
    rule = JointSpeeds("joints", 1.0, {"a": 2.0, "b": 0.5})
    assert judge(rule, joints=joints(a=2.0, b=0.5, c=1.0)) == []
    assert judge(rule, joints=joints(a=2.1)) == ["a moves at 2.1, 2 is allowed"]
    assert judge(rule, joints=joints(b=0.6)) == ["b moves at 0.6, 0.5 is allowed"]
    assert judge(rule, joints=joints(c=1.1)) == ["c moves at 1.1, 1 is allowed"]


def test_force_and_torque_have_limits():
    rule = Forces("force", 40.0, 6.0)
    assert judge(rule, force=ForceReading(0.0, newtons=40.0, newton_metres=6.0)) == []
    assert judge(rule, force=ForceReading(0.0, newtons=40.1)) == ["force feels 40.1 N, 40 N are allowed"]
    assert judge(rule, force=ForceReading(0.0, newton_metres=6.1)) == ["force feels 6.1 Nm, 6 Nm are allowed"]
    assert judge(rule, force=ForceReading(0.0, newtons=NAN))
    assert judge(rule, force=ForceReading(0.0, newton_metres=NAN))
    assert judge(rule) == []


def test_force_and_torque_are_limited_independently():
    strong = ForceReading(0.0, newtons=100.0, newton_metres=100.0)
    assert judge(Forces("force", 40.0, None), force=strong) == ["force feels 100 N, 40 N are allowed"]
    assert judge(Forces("force", None, 6.0), force=strong) == ["force feels 100 Nm, 6 Nm are allowed"]


def test_points_have_a_limit_of_speed():
    rule = PointSpeeds(("hand", "elbow"), 0.5)
    assert judge(rule, hand=at(0, 0, 0, speed=0.5), elbow=at(0, 0, 0, speed=0.5)) == []
    assert judge(rule, elbow=at(0, 0, 0, speed=0.51)) == ["elbow moves at 0.51 m/s, 0.5 m/s are allowed"]
    assert judge(rule, hand=at(0, 0, 0, speed=NAN))
    assert judge(rule) == []


# -- volumes -----------------------------------------------------------------------------------------------
MIDDLE = (1.5, 3.0, 4.5)


@pytest.mark.parametrize("axis", range(3))
@pytest.mark.parametrize("corner", ["from_", "to"])
@pytest.mark.parametrize("radius", [0.0, 0.25])
def test_a_point_stays_in_its_workspace_with_all_that_belongs_to_it(axis, corner, radius):
    rule = Inside(("hand",), BOX, "the workspace")
    inwards = 1 if corner == "from_" else -1
    place = list(MIDDLE)
    place[axis] = getattr(BOX, corner)[axis] + inwards * radius
    assert judge(rule, hand=at(*place, radius)) == []
    place[axis] -= inwards * 0.01
    assert judge(rule, hand=at(*place, radius)) == ["hand is outside of the workspace"]
    place[axis] = NAN
    assert judge(rule, hand=at(*place, radius))


@pytest.mark.parametrize("axis", range(3))
@pytest.mark.parametrize("corner", ["from_", "to"])
@pytest.mark.parametrize("radius", [0.0, 0.25])
def test_a_point_stays_out_of_what_is_barred_with_all_that_belongs_to_it(axis, corner, radius):
    rule = Outside(("hand",), BOX, "the shelf")
    outwards = -1 if corner == "from_" else 1
    place = list(MIDDLE)
    place[axis] = getattr(BOX, corner)[axis] + outwards * radius
    assert judge(rule, hand=at(*place, radius)) == ["hand is in the shelf"]
    place[axis] += outwards * 0.01
    assert judge(rule, hand=at(*place, radius)) == []
    place[axis] = NAN
    assert judge(rule, hand=at(*place, radius))


def test_a_corner_is_as_far_as_its_diagonal():
    rule = Outside(("hand",), BOX, "the shelf")
    for place in [(2.75, 5.0, 4.5), (0.25, 1.0, 4.5), (1.5, 5.0, 6.75), (1.5, 1.0, 2.25)]:
        assert judge(rule, hand=at(*place, radius=1.25)) == ["hand is in the shelf"]
        assert judge(rule, hand=at(*place, radius=1.24)) == []
    assert judge(rule, hand=at(*MIDDLE)) == ["hand is in the shelf"]


# -- people ------------------------------------------------------------------------------------------------
def somebody(*places):
    return PeopleReading(0.0, people=places)


def test_people_are_kept_at_a_distance():
    rule = Apart("people", ("hand", "elbow"), nearest=0.5, stops_in=0.0, person_speed=1.6)
    assert judge(rule, people=somebody((0.5, 0.0, 0.0)), hand=at(0, 0, 5, speed=9.0)) == []
    assert judge(rule, people=somebody((3, 3, 0), (0.0, -0.49, 0.0)), hand=at(0, 0, 5)) == [
        "a person is 0.49 m from hand, 0.5 m are needed"
    ]
    assert judge(rule, people=somebody((2.0, 2.4, 0)), hand=at(0, 0, 0), elbow=at(2, 2, 0)) == [
        "a person is 0.4 m from elbow, 0.5 m are needed"
    ]
    assert judge(rule, people=somebody(), hand=at(0, 0, 0)) == []
    assert judge(rule, hand=at(0, 0, 0)) == []
    assert judge(rule, people=somebody((NAN, 0.0, 0.0)), hand=at(0, 0, 0))


def test_what_belongs_to_people_and_points_counts():
    rule = Apart("people", ("hand",), nearest=0.5, stops_in=0.0, person_speed=1.6)
    assert judge(rule, people=somebody((1.0, 0.0, 0.25)), hand=at(0, 0, 0, radius=0.25)) == []
    assert judge(rule, people=somebody((0.99, 0.0, 0.25)), hand=at(0, 0, 0, radius=0.25))
    assert judge(rule, people=somebody((1.0, 0.0, 0.26)), hand=at(0, 0, 0, radius=0.25))
    assert judge(rule, people=somebody((1.0, 0.0, 0.25)), hand=at(0, 0, 0, radius=0.26))


def test_the_faster_the_robot_and_the_slower_its_stop_the_farther_away():
    rule = Apart("people", ("hand",), nearest=0.5, stops_in=0.5, person_speed=1.5)
    assert judge(rule, people=somebody((1.25, 0, 0)), hand=at(0, 0, 0)) == []
    assert judge(rule, people=somebody((1.25, 0, 0)), hand=at(0, 0, 0, speed=0.01))
    assert judge(rule, people=somebody((1.75, 0, 0)), hand=at(0, 0, 0, speed=1.0)) == []
    assert judge(rule, people=somebody((1.74, 0, 0)), hand=at(0, 0, 0, speed=1.0))
    assert judge(rule, people=somebody((9.0, 0, 0)), hand=at(0, 0, 0, speed=NAN))


# -- buttons -----------------------------------------------------------------------------------------------
def test_an_emergency_stop_that_is_pressed_is_a_violation():
    rule = EmergencyStop("button")
    assert judge(rule, button=SwitchReading(0.0, pressed=True)) == ["button is pressed"]
    assert judge(rule, button=SwitchReading(0.0, pressed=False)) == []
    assert judge(rule) == []


def test_a_dead_mans_button_that_is_not_pressed_is_a_violation():
    rule = DeadMan("enable")
    assert judge(rule, enable=SwitchReading(0.0, pressed=False)) == ["enable is not pressed"]
    assert judge(rule, enable=SwitchReading(0.0, pressed=True)) == []
    assert judge(rule) == []


@pytest.mark.parametrize(
    ("rule", "reads"),
    [
        (Silence("a", 1.0), ("a",)),
        (Sound("a"), ("a",)),
        (JointSpeeds("a", 1.0), ("a",)),
        (Forces("a", 1.0, None), ("a",)),
        (PointSpeeds(("a", "b"), 1.0), ("a", "b")),
        (Inside(("a", "b"), BOX, ""), ("a", "b")),
        (Outside(("a", "b"), BOX, ""), ("a", "b")),
        (Apart("a", ("b", "c"), 1.0, 0.0, 0.0), ("a", "b", "c")),
        (EmergencyStop("a"), ("a",)),
        (DeadMan("a"), ("a",)),
    ],
)
def test_a_rule_says_what_it_judges(rule, reads):
    assert tuple(rule.reads) == reads
