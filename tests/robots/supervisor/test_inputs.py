"""Readings: what messages say, and which of them are news."""

import math

import pytest
from messages import (
    NOTHING,
    detections,
    joints,
    joystick,
    odometry,
    people,
    pose,
    switch,
    tf,
    transform,
    wrench,
)

from foretree.robots.supervisor.readings import Inputs
from foretree.robots.supervisor.safety_file import SafetyFile

TYPES = {
    "joints": {"type": "sensor_msgs/msg/JointState"},
    "arm": {"type": "sensor_msgs/msg/JointState", "joints": ["a", "b"]},
    "force": {"type": "geometry_msgs/msg/WrenchStamped"},
    "tf": {"type": "tf2_msgs/msg/TFMessage"},
    "tool": {"type": "geometry_msgs/msg/PoseStamped"},
    "base": {"type": "nav_msgs/msg/Odometry"},
    "people": {"type": "geometry_msgs/msg/PoseArray"},
    "seen": {"type": "vision_msgs/msg/Detection3DArray"},
    "button": {"type": "std_msgs/msg/Bool"},
    "released": {"type": "std_msgs/msg/Bool", "pressed": False},
    "enable": {"type": "sensor_msgs/msg/Joy", "button": 1},
    "event": {"type": "std_msgs/msg/Empty"},
    "agent": {"type": "std_msgs/msg/String"},
}
FILE = {
    "supervisor": "s",
    "inputs": {name: {"topic": name, "period": 0.1, **given} for name, given in TYPES.items()},
    "points": {
        "hand": {"input": "tf", "frame": "hand", "radius": 0.25},
        "tip": {"input": "tool", "radius": 0.5},
        "body": {"input": "base"},
    },
    "rules": {},
    "stop": {"actions": ["a"]},
}
QUARTER = (0.0, 0.0, math.sqrt(0.5), math.sqrt(0.5))  # a quarter of a turn to the left


@pytest.fixture
def inputs():
    return Inputs(SafetyFile.model_validate(FILE))


def heard(inputs, name, message, now=1.0):
    inputs.hear(name, message, now)
    return inputs.readings[name]


# -- what messages say -------------------------------------------------------------------------------------
def test_joints(inputs):
    reading = heard(inputs, "joints", joints(3.5, a=0.1, b=-0.2))
    assert (list(reading.names), list(reading.speeds)) == (["a", "b"], [0.1, -0.2])
    assert (reading.at, reading.stamp, list(reading.numbers), reading.problem) == (1.0, 3.5, [0.1, -0.2], "")


def test_joints_without_speeds_cannot_be_judged(inputs):
    message = joints(a=0.1, b=0.2)
    message.velocity = [0.1]
    assert heard(inputs, "joints", message).problem == "does not tell the speed of each joint"
    assert heard(inputs, "joints", joints()).problem == "does not tell the speed of each joint"


def test_joints_of_another_part_of_the_robot_are_left_out(inputs):
    reading = heard(inputs, "arm", joints(c=9.0, b=0.2, a=0.1))
    assert (list(reading.names), list(reading.speeds)) == (["a", "b"], [0.1, 0.2])
    assert inputs.hear("arm", joints(finger=0.3), 2.0) is False
    assert inputs.readings["arm"] is reading
    assert heard(inputs, "arm", joints(b=0.2, c=0.1)).problem == "does not tell of the joint a"
    message = joints(a=0.1, b=0.2)
    message.velocity = []
    assert heard(inputs, "arm", message).problem == "does not tell the speed of each joint"


def test_force(inputs):
    reading = heard(inputs, "force", wrench((3.0, -4.0, 12.0), (-2.0, 3.0, 6.0), stamp=2.0))
    assert (reading.newtons, reading.newton_metres, reading.stamp) == (13.0, 7.0, 2.0)
    assert list(reading.numbers) == [3.0, -4.0, 12.0, -2.0, 3.0, 6.0]


@pytest.mark.parametrize(("name", "point", "make"), [("tool", "tip", pose), ("base", "body", odometry)])
def test_a_pose_is_a_point_in_the_frame_of_the_file(inputs, name, point, make):
    heard(inputs, name, make(1.0, 2.0, 3.0, stamp=4.0))
    reading = inputs.readings[point]
    assert (reading.x, reading.y, reading.z, reading.at, reading.stamp) == (1.0, 2.0, 3.0, 1.0, 4.0)
    assert list(reading.numbers) == [1.0, 2.0, 3.0]
    assert reading.radius == (0.5 if point == "tip" else 0.0)
    assert reading.problem == ""
    heard(inputs, name, make(1.0, 2.0, 3.0, stamp=5.0, frame="map"))
    assert inputs.readings[point].problem == "is in the frame map, not in base_link"
    heard(inputs, name, make(1.0, 2.0, 3.0, stamp=6.0, frame=""))
    assert inputs.readings[point].problem == "is in the frame (none), not in base_link"
    heard(inputs, name, make(1.0, 2.0, 3.0, stamp=7.0, frame="/base_link"))
    assert inputs.readings[point].problem == ""


def test_people(inputs):
    reading = heard(inputs, "people", people((1.0, 2.0), (3.0, 4.0)))
    assert list(reading.people) == [(1.0, 2.0, 0.0), (3.0, 4.0, 0.0)]
    assert heard(inputs, "people", people((1.0, math.nan))).numbers[1] != 0
    assert heard(inputs, "people", people(frame="camera")).problem
    assert list(heard(inputs, "people", people()).people) == []


def test_detections_of_people_have_a_size(inputs):
    reading = heard(
        inputs, "seen", detections(("person", 1.0, 2.0, 0.6, 0.8), ("chair", 5.0, 5.0, 1.0, 1.0), stamp=2.0)
    )
    assert list(reading.people) == [(1.0, 2.0, 0.5)]
    assert (reading.stamp, reading.problem) == (2.0, "")
    assert heard(inputs, "seen", detections(frame="camera")).problem


def test_buttons(inputs):
    assert heard(inputs, "button", switch(True)).pressed is True
    assert heard(inputs, "button", switch(False)).pressed is False
    assert heard(inputs, "released", switch(True)).pressed is False
    assert heard(inputs, "released", switch(False)).pressed is True
    assert heard(inputs, "enable", joystick(0, 1, 0)).pressed is True
    assert heard(inputs, "enable", joystick(1, 0, 1)).pressed is False
    assert heard(inputs, "enable", joystick(1)).problem == "has no button 1"
    assert heard(inputs, "enable", joystick(1, 0, stamp=3.0)).stamp == 3.0


def test_a_press_that_is_only_an_event_lasts_until_it_is_released(inputs):
    inputs.release_buttons()
    assert heard(inputs, "event", NOTHING).pressed is True
    heard(inputs, "button", switch(True))
    inputs.release_buttons()
    assert inputs.readings["event"].pressed is False
    assert inputs.readings["event"].at == 1.0
    assert inputs.readings["button"].pressed is True


def test_any_message_is_a_beat(inputs):
    assert heard(inputs, "agent", NOTHING, 2.5).at == 2.5


# -- news --------------------------------------------------------------------------------------------------
def test_a_message_with_the_stamp_of_the_one_before_is_no_news(inputs):
    assert inputs.hear("joints", joints(3.0, a=0.1), 1.0) is True
    assert inputs.hear("joints", joints(3.0, a=0.2), 2.0) is False
    assert inputs.readings["joints"].at == 1.0
    assert inputs.hear("joints", joints(3.1, a=0.2), 2.0) is True
    assert inputs.readings["joints"].at == 2.0


def test_messages_without_stamps_are_always_news(inputs):
    assert inputs.hear("joints", joints(a=0.1), 1.0) is True
    assert inputs.hear("joints", joints(a=0.1), 2.0) is True
    assert inputs.readings["joints"].at == 2.0


# -- transforms --------------------------------------------------------------------------------------------
def test_a_frame_is_found_along_the_transforms_up_to_the_base(inputs):
    inputs.hear_static(tf(transform("wrist", "hand", (1.0, 0.0, 0.0))))
    inputs.hear("tf", tf(transform("base_link", "wrist", (1.0, 2.0, 3.0), QUARTER, stamp=5.0)), 2.0)
    hand = inputs.readings["hand"]
    assert (hand.x, hand.y, hand.z) == pytest.approx((1.0, 3.0, 3.0))
    assert (hand.at, hand.stamp, hand.radius) == (2.0, 5.0, 0.25)
    assert list(hand.numbers) == [hand.x, hand.y, hand.z]


@pytest.mark.parametrize(
    ("turn", "moved"),
    [
        ((math.sqrt(0.5), 0.0, 0.0, math.sqrt(0.5)), (1.0, -3.0, 2.0)),
        ((0.0, math.sqrt(0.5), 0.0, math.sqrt(0.5)), (3.0, 2.0, -1.0)),
        ((0.0, 0.0, math.sqrt(0.5), math.sqrt(0.5)), (-2.0, 1.0, 3.0)),
        ((0.5, 0.5, 0.5, 0.5), (3.0, 1.0, 2.0)),
        ((-0.5, 0.5, -0.5, 0.5), (3.0, -1.0, -2.0)),
    ],
)
def test_turns_are_those_of_quaternions(inputs, turn, moved):
    both = tf(transform("wrist", "hand", (1.0, 2.0, 3.0)), transform("base_link", "wrist", turn=turn))
    inputs.hear("tf", both, 1.0)
    hand = inputs.readings["hand"]
    assert (hand.x, hand.y, hand.z) == pytest.approx(moved)


def test_a_frame_is_as_old_as_the_oldest_transform_on_the_way(inputs):
    inputs.hear("tf", tf(transform("base_link", "/wrist", stamp=4.0)), 1.0)
    assert "hand" not in inputs.readings
    inputs.hear("tf", tf(transform("/wrist", "hand", stamp=5.0)), 2.0)
    assert (inputs.readings["hand"].at, inputs.readings["hand"].stamp) == (1.0, 5.0)
    inputs.hear("tf", tf(transform("base_link", "wrist", stamp=4.5)), 3.0)
    assert inputs.readings["hand"].at == 2.0
    assert inputs.readings["tf"].at == 3.0


def test_a_transform_that_is_repeated_is_no_news(inputs):
    same = tf(transform("base_link", "hand", stamp=4.0))
    assert inputs.hear("tf", same, 1.0) is True
    assert inputs.hear("tf", same, 2.0) is False
    assert inputs.readings["hand"].at == 1.0
    assert inputs.hear("tf", tf(transform("base_link", "other", stamp=4.0)), 2.0) is False
    assert inputs.hear("tf", tf(transform("base_link", "hand")), 3.0) is True  # without a stamp
    assert inputs.hear("tf", tf(transform("base_link", "hand")), 4.0) is True
    assert inputs.readings["hand"].at == 4.0


def test_transforms_that_never_change_do_not_grow_old(inputs):
    inputs.hear_static(tf(transform("base_link", "hand", stamp=4.0)))
    inputs.hear_static(tf(transform("base_link", "hand", (1.0, 0.0, 0.0), stamp=4.0)))
    inputs.hear("tf", tf(transform("base_link", "other")), 1.0)
    assert (inputs.readings["hand"].at, inputs.readings["hand"].x) == (math.inf, 1.0)


def test_transforms_in_a_circle_lead_nowhere(inputs):
    inputs.hear("tf", tf(transform("wrist", "hand"), transform("hand", "wrist")), 1.0)
    assert "hand" not in inputs.readings


# -- speeds of points --------------------------------------------------------------------------------------
def test_the_speed_of_a_point_is_by_its_stamps(inputs):
    heard(inputs, "tool", pose(0.0, 0.0, 0.0, stamp=1.0))
    assert inputs.readings["tip"].speed == 0.0
    heard(inputs, "tool", pose(0.3, 0.4, 0.0, stamp=1.5), now=9.0)
    assert inputs.readings["tip"].speed == pytest.approx(1.0)
    heard(inputs, "tool", pose(0.3, 0.4, -1.0, stamp=2.5), now=9.1)
    assert inputs.readings["tip"].speed == pytest.approx(1.0)
    heard(inputs, "tool", pose(0.3, 0.4, -1.0, stamp=2.75), now=9.2)
    assert inputs.readings["tip"].speed == 0.0


def test_without_stamps_it_is_by_arrival(inputs):
    heard(inputs, "tool", pose(0.0, 0.0, 0.0), now=1.0)
    heard(inputs, "tool", pose(0.0, 0.0, 2.0), now=2.0)
    assert inputs.readings["tip"].speed == pytest.approx(2.0)


def test_it_is_measured_over_some_time(inputs):
    for place, stamp in [(0.0, 1.0), (0.004, 1.004), (0.016, 1.008)]:
        heard(inputs, "tool", pose(place, 0.0, 0.0, stamp=stamp))
        assert inputs.readings["tip"].speed == 0.0
    heard(inputs, "tool", pose(0.032, 0.0, 0.0, stamp=1.016))
    assert inputs.readings["tip"].speed == pytest.approx(2.0)
    heard(inputs, "tool", pose(0.032, 0.0, 0.0, stamp=1.020))
    assert inputs.readings["tip"].speed == pytest.approx(2.0)  # as it was measured last


def test_time_that_goes_back_begins_anew(inputs):
    heard(inputs, "tool", pose(0.0, 0.0, 0.0, stamp=100.0))
    heard(inputs, "tool", pose(5.0, 0.0, 0.0, stamp=1.0))
    heard(inputs, "tool", pose(5.5, 0.0, 0.0, stamp=2.0))
    assert inputs.readings["tip"].speed == pytest.approx(0.5)
