"""Safety files: what is wrong in one is said with its line and what would be valid."""

import pytest

from foretree.config import ConfigError, config_files
from foretree.robots.supervisor.__main__ import main
from foretree.robots.supervisor.rule_list import rules_of
from foretree.robots.supervisor.rules import Silence
from foretree.robots.supervisor.safety_file import load_safety_file

GOOD = """
supervisor: arm
rate: 100
inputs:
  joints: {topic: joint_states, type: sensor_msgs/msg/JointState, period: 0.05}
  tf: {topic: /tf, type: tf2_msgs/msg/TFMessage, period: 0.05}
  force: {topic: wrench, type: geometry_msgs/msg/WrenchStamped, period: 0.05}
  people: {topic: people, type: geometry_msgs/msg/PoseArray, period: 0.2}
  button: {topic: stop, type: std_msgs/msg/Empty, may_be_silent: true}
  enable: {topic: joy, type: sensor_msgs/msg/Joy, button: 2, period: 0.1}
  agent: {topic: beat, type: std_msgs/msg/Header, silent_after: 1}
points:
  hand: {input: tf, frame: hand, radius: 0.1}
rules:
  joint_speeds: [{input: joints, limit: 1, joints: {a: 2}}]
  forces: [{input: force, newtons: 40}]
  speeds: [{points: [hand], limit: 0.5}]
  workspace: [{points: [hand], box: {from: [0, 0, 0], to: [1, 1, 1]}}]
  no_go: [{points: [hand], box: {from: [0, 0, 0], to: [0.1, 0.1, 0.1]}, says: the lamp}]
  people: [{input: people, points: [hand], nearest: 0.5}]
  emergency_stops: [button]
  dead_man: [enable]
  watchdog: [agent]
stop:
  services: [{service: arm/stop}]
  actions: [arm/follow]
  topics: [{topic: cmd_vel}]
  still: {input: joints}
"""


def load(tmp_path, text):
    path = tmp_path / "arm.yaml"
    path.write_text(text)
    return load_safety_file(str(path))


def test_each_limit_is_a_rule_and_each_input_and_point_is_watched(tmp_path):
    rules = rules_of(load(tmp_path, GOOD))
    assert [rule.name for rule in rules if rule.name not in ("silence", "sound")] == [
        "emergency_stops", "dead_man", "joint_speeds", "forces", "speeds", "workspace", "no_go", "people",
        "watchdog",
    ]  # fmt: skip
    silences = {rule.input: rule.limit for rule in rules if isinstance(rule, Silence)}
    # One check before the limit: two periods, or what is said.
    assert silences == pytest.approx(
        {
            "joints": 0.09,
            "tf": 0.09,
            "force": 0.09,
            "people": 0.39,
            "enable": 0.19,
            "agent": 0.99,
            "hand": 0.09,
        }
    )
    watched = ["joints", "tf", "force", "people", "button", "enable", "agent", "hand"]
    assert [rule.input for rule in rules if rule.name == "sound"] == watched


def test_every_number_of_the_file_reaches_its_rule(tmp_path):
    rules = {rule.name: rule for rule in rules_of(load(tmp_path, GOOD))}
    assert (rules["joint_speeds"].limit, rules["joint_speeds"].joints) == (1, {"a": 2})
    assert (rules["forces"].newtons, rules["forces"].newton_metres) == (40, None)
    assert rules["speeds"].limit == 0.5
    assert rules["workspace"].box.to == (1, 1, 1)
    assert (rules["no_go"].box.to, rules["no_go"].says) == ((0.1, 0.1, 0.1), "the lamp")
    people = rules["people"]
    assert (people.nearest, people.stops_in, people.person_speed) == (0.5, 0, 1.6)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("limit: 1,", "limt: 1,", r"arm.yaml:15: rules.joint_speeds.*limt: there is no such key. Did you mean limit"),
        ("limit: 1,", "limit: -1,", "arm.yaml:15: .*a number above 0"),
        ("limit: 1,", "limit: .nan,", "arm.yaml:15: .*number"),
        ("period: 0.05}\n  tf", "}\n  tf", "arm.yaml:5: .*period, or silent_after"),
        ("may_be_silent: true", "may_be_silent: true, period: 1", "arm.yaml:9: .*period, or silent_after"),
        ("std_msgs/msg/Header, silent_after: 1", "std_msgs/msg/Header, may_be_silent: true",
         "arm.yaml:11: .*emergency stop only"),
        ("std_msgs/msg/Header, silent_after: 1", "std_msgs/msg/Empty, may_be_silent: true",
         "agent may be silent, which only an emergency stop may be"),
        ("forces: [{input: force,", "forces: [{input: fource,", "arm.yaml:16: .*no input fource. Did you mean force"),
        ("forces: [{input: force,", "forces: [{input: joints,",
         "arm.yaml:16: .*type geometry_msgs/msg/WrenchStamped, not sensor_msgs/msg/JointState"),
        ("  watchdog: [agent]\n", "", "arm.yaml:11: inputs.agent: no rule uses it"),
        ("points: [hand], limit: 0.5", "points: [hands], limit: 0.5", "arm.yaml:17: .*no point hands. Did you mean hand"),
        ("points: [hand], limit: 0.5", "points: [], limit: 0.5", "arm.yaml:17: .*at least 1"),
        ("input: tf, frame: hand,", "input: tf,", "arm.yaml:13: points.hand: a point of tf takes a frame"),
        ("  hand: {input", "  wrist: {input: tf, frame: wrist}\n  hand: {input", "points.wrist: no rule uses it"),
        ("  hand: {input", "  tf: {input: tf, frame: wrist}\n  hand: {input", "an input has the same name"),
        ("from: [0, 0, 0], to: [1, 1, 1]", "from: [0, 1, 0], to: [1, 1, 1]", "arm.yaml:18: .*a corner `from` below"),
        ("newtons: 40", "", "arm.yaml:16: .*newtons, newton_metres, or both"),
        ("rate: 100", "rate: 20", r"arm.yaml:5: inputs.joints: a silence of 0.1 s is found .* 20 checks a second"),
        ("still: {input: joints}", "still: {input: force}", "stop.still.input: .*JointState"),
    ],
)  # fmt: skip
def test_mistakes_are_said_with_what_would_be_valid(tmp_path, old, new, says):
    assert GOOD.count(old) == 1
    with pytest.raises(ConfigError, match=says):
        load(tmp_path, GOOD.replace(old, new))


def test_something_has_to_stop_the_robot(tmp_path):
    with pytest.raises(ConfigError, match="services, actions or topics that stop the robot"):
        load(tmp_path, GOOD[: GOOD.index("stop:\n  services")] + "stop: {still: {input: joints}}\n")


@pytest.mark.parametrize("name", sorted(config_files("supervisors")))
def test_the_files_that_come_with_the_package_can_be_read(name):
    assert load_safety_file(name).supervisor == name


def test_a_file_can_be_checked_without_ros(tmp_path, capsys):
    assert main(["--file", "arm", "--check"]) == 0
    assert main(["--file", "arn", "--check"]) == 2
    assert "There is no supervisor called 'arn'. Did you mean arm?" in capsys.readouterr().err


def test_the_example_listens_to_the_heartbeat_that_the_agent_sends():
    ros_robot = pytest.importorskip("foretree.bringup.ros.links.ros_robot", exc_type=ImportError)
    assert load_safety_file("arm").inputs["agent"].topic == ros_robot.HEARTBEAT
