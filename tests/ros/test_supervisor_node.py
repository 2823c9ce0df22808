"""The supervisor in a process of its own, on a real ROS: it stops on a message, on silence, and on a dead agent."""

import os
import re
import signal
import subprocess
import sys
import time

import pytest

from foretree.clock import WallClock
from foretree.robots.ros.node import SpinningNode
from foretree.robots.supervisor.agent_side import SupervisorLink

FILE = """
supervisor: tested
inputs:
  joints: {topic: joint_states, type: sensor_msgs/msg/JointState, period: 0.5}
  button: {topic: button, type: std_msgs/msg/Empty, may_be_silent: true}
  agent: {topic: heartbeat, type: std_msgs/msg/Empty, silent_after: 2.0}
rules:
  joint_speeds: [{input: joints, limit: 1.0}]
  emergency_stops: [button]
  watchdog: [agent]
stop:
  services: [{service: arm/stop}]
  actions: [arm/follow]
  topics: [{topic: cmd_vel}]
  still: {input: joints, below: 0.02, within: 0.3}
"""
AGENT = """
import time, rclpy
from std_msgs.msg import Empty
rclpy.init()
node = rclpy.create_node("agent")
beats = node.create_publisher(Empty, "heartbeat", 1)
while True:
    beats.publish(Empty())
    time.sleep(0.05)
"""


def wait(condition, what, seconds=60.0):
    end = time.monotonic() + seconds
    while not (value := condition()):
        assert time.monotonic() < end, f"waited in vain: {what}"
        time.sleep(0.005)
    return value


class Robot:
    """A robot that reports its joints, and counts what stops it."""

    def __init__(self, node):
        from action_msgs.srv import CancelGoal
        from geometry_msgs.msg import Twist
        from sensor_msgs.msg import JointState
        from std_msgs.msg import Bool, Empty
        from std_srvs.srv import Trigger

        self.node, self.speed, self.talks = node, 0.0, True
        self.calls = self.cancels = self.zeros = 0
        self.stopped = []
        self.message = JointState(name=["a"])
        self.joints = node.create_publisher(JointState, "joint_states", 1)
        self.buttons = node.create_publisher(Empty, "button", 1)
        self.press = lambda: self.buttons.publish(Empty())
        node.create_timer(0.05, self.report)
        node.create_service(Trigger, "arm/stop", self.stop)
        node.create_service(CancelGoal, "arm/follow/_action/cancel_goal", self.cancel)
        node.create_subscription(Twist, "cmd_vel", self.zero, 10)
        node.create_subscription(Bool, "supervisor/stop", lambda said: self.stopped.append(said.data), 10)
        self.link = SupervisorLink(node, WallClock())
        self.resets = node.create_client(Trigger, "supervisor/reset")
        self.trigger = Trigger.Request

    def report(self):
        if self.talks:
            self.message.velocity = [self.speed]
            self.joints.publish(self.message)

    def stop(self, request, response):
        self.calls += 1
        response.success = True
        return response

    def cancel(self, request, response):
        self.cancels += 1
        return response

    def zero(self, twist):
        self.zeros += twist.linear.x == 0.0

    def why(self):
        return self.link.watch.hold_reason()

    def reset(self):
        answer = self.resets.call_async(self.trigger())
        return wait(lambda: answer.done() and answer.result(), "an answer to the reset")

    def release(self):
        wait(self.resets.service_is_ready, "the supervisor")
        wait(lambda: self.reset().success, "a reset that succeeds")
        wait(lambda: self.why() == "", "the state after the reset")


def start(*command):
    return subprocess.Popen([sys.executable, *command], stderr=subprocess.PIPE, text=True)


def end(process):
    process.kill()
    process.wait(30)
    process.stderr.close()


@pytest.fixture
def safety_file(tmp_path):
    path = tmp_path / "tested.yaml"
    path.write_text(FILE)
    return str(path)


@pytest.fixture
def supervisor(safety_file):
    process = start("-m", "foretree.robots.supervisor", "--file", safety_file)
    yield process
    end(process)


@pytest.fixture
def agent():
    process = start("-c", AGENT)
    yield process
    end(process)


@pytest.fixture
def robot():
    with SpinningNode("robot") as spinning:
        yield Robot(spinning.node)


def test_a_message_stops_the_robot_in_every_configured_way_until_a_reset(supervisor, agent, robot):
    assert robot.why() == "nothing has been heard of the supervisor"
    robot.release()
    calls, cancels, zeros = robot.calls, robot.cancels, robot.zeros
    robot.speed = 2.0
    wait(lambda: "a moves at 2, 1 is allowed" in robot.why(), "the stop")
    wait(lambda: robot.calls > calls and robot.cancels > cancels and robot.zeros > zeros + 5, "all outputs")
    assert robot.stopped[-1] is True
    refused = robot.reset()
    assert not refused.success
    assert "a moves at 2" in refused.message
    calls = robot.calls
    wait(lambda: robot.calls > calls + 1, "the stop is sent again while the robot moves")
    robot.speed = 0.0
    robot.release()
    wait(lambda: robot.stopped[-1] is False, "the robot is let go")


def test_a_press_of_the_button_stops(supervisor, agent, robot):
    robot.release()
    robot.press()
    wait(lambda: "button is pressed" in robot.why(), "the stop")


def test_an_agent_that_is_killed_stops_the_robot(supervisor, agent, robot):
    robot.release()
    agent.send_signal(signal.SIGKILL)
    wait(lambda: "agent has been silent" in robot.why(), "the stop")
    assert supervisor.poll() is None


def test_joint_states_that_cease_stop_the_robot(supervisor, agent, robot):
    robot.release()
    robot.talks = False
    wait(lambda: "joints has been silent" in robot.why(), "the stop")


def test_a_supervisor_that_is_killed_holds_the_agent_and_one_that_is_ended_stops_first(
    supervisor, agent, robot, safety_file
):
    robot.release()
    calls = robot.calls
    supervisor.send_signal(signal.SIGTERM)
    wait(lambda: "the supervisor has ended (SIGTERM)" in robot.why(), "the stop")
    assert supervisor.wait(60) == 0
    assert robot.calls > calls
    again = start("-m", "foretree.robots.supervisor", "--file", safety_file)
    try:
        wait(lambda: "not been reset since its start" in robot.why(), "the new one")
        robot.release()
        again.kill()
        wait(lambda: "nothing has been heard of the supervisor" in robot.why(), "its silence")
    finally:
        end(again)


def test_a_topic_of_another_type_is_refused_in_a_paragraph(safety_file):
    from std_msgs.msg import String

    with SpinningNode("other") as spinning:
        spinning.node.create_publisher(String, "joint_states", 1)
        process = start("-m", "foretree.robots.supervisor", "--file", safety_file, "--discovery", "10")
        _, said = process.communicate(timeout=120)
    assert process.returncode == 2
    assert (
        "The topic /joint_states is published by /other as std_msgs/msg/String, but the safety file says"
        in said
    )
    assert "Traceback" not in said


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("cmd_vel}", "cmd_vel, type: no_msgs/msg/Such}", "The type no_msgs/msg/Such is not there"),
        (
            "cmd_vel}",
            "cmd_vel, send: {speed: 0}}",
            "geometry_msgs/msg/Twist does not take .* It has: linear, angular",
        ),
        ("limit: 1.0", "limt: 1.0", "tested.yaml:8: .*Did you mean limit"),
    ],
)
def test_a_file_that_does_not_fit_is_refused_in_a_paragraph(tmp_path, old, new, says):
    path = tmp_path / "tested.yaml"
    path.write_text(FILE.replace(old, new))
    command = [sys.executable, "-m", "foretree.robots.supervisor", "--file", str(path)]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=120, env=dict(os.environ))
    assert ran.returncode in (2, 4)  # 4: of the robot, such as a type that is not installed
    assert "Traceback" not in ran.stderr
    assert re.search(says, ran.stderr), ran.stderr
