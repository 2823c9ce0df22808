"""Robot files: what is wrong in one is said with its line and what would be valid."""

import pytest

from foretree.config import ConfigError
from foretree.robots.ros.robot_file import load_robot_file

GOOD = """
robot: rob
hands: [left]
skills:
  move: {action: navigate, type: nav2_msgs/action/NavigateToPose, send: {pose: $to.pose_stamped}}
  pick:
    steps:
      - {action: $hand/gripper, type: control_msgs/action/GripperCommand}
      - {service: lift, type: std_srvs/srv/Trigger, done_if: [{success: true}]}
stop:
  - {topic: cmd_vel, type: geometry_msgs/msg/Twist}
"""


def load(tmp_path, text):
    path = tmp_path / "rob.yaml"
    path.write_text(text)
    return load_robot_file(str(path))


def test_a_single_step_needs_no_list(tmp_path):
    file = load(tmp_path, GOOD)
    assert [step.name for step in file.skills["move"].steps] == ["navigate"]
    assert [step.kind for step in file.skills["pick"].steps] == ["action", "service"]
    assert file.entry("dance") is None


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("action: navigate", "acton: navigate", "rob.yaml:5: skills.move: .*an action, a service, a topic"),
        ("nav2_msgs/action/NavigateToPose", "NavigateToPose", "a type is written as in nav2_msgs"),
        ("nav2_msgs/action/NavigateToPose", "nav2_msgs/msg/NavigateToPose", "with /action/ in it"),
        ("{action: navigate,", "{action: navigate, service: go,", "one of action, service, topic"),
        ("$hand/gripper", "$item/gripper", r"rob.yaml:8: .*\$item cannot stand in a name"),
        ("hands: [left]", "hands: []", "the robot has no hands"),
        ("{topic: cmd_vel, type: geometry_msgs/msg/Twist}",
         "{topic: cmd_vel, type: geometry_msgs/msg/Twist, send: {linear: $to.position}}", "without references"),
        ("send: {pose: $to.pose_stamped}", "done_after: 2", "for a topic only"),
        ("{action: navigate, type: nav2_msgs/action/NavigateToPose, send: {pose: $to.pose_stamped}}",
         "{topic: go, type: std_msgs/msg/String}", "either confirm, or done_after"),
        ("robot: rob", "robot: Rob 1", "robot"),
        ("robot: rob", "robot: rob\ndriver: rose", "rob.yaml:3: driver: there is no such driver. Did you mean ros"),
        ("robot: rob", "robot: rob\nsenses: {body: {}}", "rob.yaml:3: senses.body: .*either frame"),
    ],
)  # fmt: skip
def test_mistakes_are_said_with_what_would_be_valid(tmp_path, old, new, says):
    assert old in GOOD
    with pytest.raises(ConfigError, match=says):
        load(tmp_path, GOOD.replace(old, new))


def test_an_unknown_robot_is_answered_with_those_there_are():
    with pytest.raises(ConfigError, match="There is no robot called 'fanka'"):
        load_robot_file("fanka")
