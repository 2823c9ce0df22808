"""A robot by configuration on a real ROS: real servers that accept late, reject, abort, refuse and die."""

import subprocess
import sys
import time
from types import SimpleNamespace

import pytest
from moody_gripper import (
    ABORT,
    ACCEPT_LATE,
    DIE,
    DIE_UNANSWERED,
    DO,
    REFUSE_CANCEL,
    REJECT,
)
from server_process import ServerProcess

from foretree.clock import WallClock
from foretree.robots.ros.exchange import RosExchange
from foretree.robots.ros.link import Interface
from foretree.robots.ros.node import SpinningNode
from foretree.robots.ros.rclpy_link import RclpyLink
from foretree.robots.ros.robot import RosRobot
from foretree.robots.ros.robot_file import RobotFile, load_robot_file
from foretree.robots.ros.steps import goal_id
from foretree.skills.executive.executive import Executive
from foretree.skills.robot import End, Order, Outcome, RobotError

FILE = {
    "robot": "rob",
    "hands": ["left"],
    "skills": {
        "close": {
            "action": "$hand/gripper",
            "type": "control_msgs/action/GripperCommand",
            "send": {"command": {"position": "$parameters.mood", "max_effort": "$parameters.seconds"}},
            "accept_within": 0.5,
            "done_if": [{"reached_goal": True}],
        },
        "switch": {"service": "switch", "type": "std_srvs/srv/SetBool", "send": {"data": True},
                   "done_if": [{"success": True}], "reason": "message"},
        "say": {"topic": "words", "type": "std_msgs/msg/String", "send": {"data": "$execution"},
                "confirm": {"topic": "echo", "type": "std_msgs/msg/String", "when": {"data": "$execution"}}},
    },
}  # fmt: skip


@pytest.fixture(scope="module")
def server():
    server = ServerProcess("left/gripper")
    yield server
    server.kill()


@pytest.fixture
def given(server):
    if server.process.poll() is not None:
        server.restart()
    with SpinningNode("agent") as spinning:
        clock = WallClock()
        robot = RosRobot(RobotFile.model_validate(FILE), RosExchange(RclpyLink(spinning.node), clock))
        wait(lambda: "left/gripper" not in " ".join(robot.missing()))
        executive = Executive(robot, clock, grace=3.0, repeat=0.3, patience=5.0)
        yield SimpleNamespace(robot=robot, executive=executive, server=server, node=spinning.node)


def wait(condition, seconds=30.0):
    """Wait until *condition*; generously, since machines are slow at times."""
    end = time.monotonic() + seconds
    while not (value := condition()):
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.005)
    return value


_names = iter(f"run/{number}" for number in range(1000))


def close(given, mood, seconds=0.0):
    name = next(_names)
    order = Order("close", hand="left", parameters={"mood": mood, "seconds": seconds})
    return given.executive.start(name, lambda: given.robot.start(order, name), ["left"], 30.0)


def server_id(lease):
    return str(goal_id(lease.id, "left/gripper"))


@pytest.mark.parametrize(
    ("mood", "outcome"), [(DO, Outcome.DONE), (REJECT, Outcome.FAILED), (ABORT, Outcome.FAILED)]
)
def test_the_end_is_the_servers(given, mood, outcome):
    assert wait(close(given, mood).poll).outcome is outcome
    assert given.executive.free(["left"])


def test_a_goal_that_is_accepted_late_is_done_once(given):
    lease = close(given, ACCEPT_LATE, 1.0)
    wait(lambda: lease.poll() or lease.status == "out of contact")
    assert wait(lease.poll) == End(Outcome.DONE)
    assert given.server.said("begin").count(server_id(lease)) == 1


def test_a_cancel_is_confirmed_by_the_result(given):
    lease = close(given, DO, 20.0)
    wait(lambda: lease.poll() or server_id(lease) in given.server.said("begin"))
    lease.cancel()
    assert wait(lease.poll).outcome is Outcome.CANCELLED
    assert server_id(lease) in given.server.said("canceled")


def test_a_cancel_right_after_the_order_is_not_overtaken(given):
    lease = close(given, DO, 20.0)
    lease.cancel()
    assert wait(lease.poll).outcome is Outcome.CANCELLED


def test_an_action_that_refuses_to_be_cancelled_ends_by_itself(given):
    lease = close(given, REFUSE_CANCEL, 1.0)
    wait(lambda: lease.poll() or server_id(lease) in given.server.said("begin"))
    lease.cancel()
    assert wait(lease.poll) == End(Outcome.DONE)


@pytest.mark.parametrize("mood", [DIE, DIE_UNANSWERED])
def test_what_a_dead_server_was_doing_is_lost_and_its_hand_stays_held(given, mood):
    lease = close(given, mood)
    assert wait(lease.poll).outcome is Outcome.LOST
    assert not given.executive.free(["left"])


@pytest.mark.parametrize("mood", [DIE, DIE_UNANSWERED])
def test_a_server_that_comes_back_does_not_know_the_goal_and_does_not_get_it_again(given, mood):
    lease = close(given, mood, 0.2)
    wait(lambda: given.server.process.poll() is not None)
    given.server.restart()
    assert wait(lease.poll).outcome is Outcome.LOST
    assert given.server.said("begin").count(server_id(lease)) <= 1
    assert not given.executive.free(["left"])


def test_a_robot_that_is_stopped_ends_what_it_does(given):
    lease = close(given, DO, 20.0)
    wait(lambda: lease.poll() or server_id(lease) in given.server.said("begin"))
    assert given.executive.stop_all()[lease.id].outcome is Outcome.CANCELLED


def test_a_goal_is_found_again_after_a_crash_of_the_agent(given):
    lease = close(given, DO, 1.5)
    wait(lambda: lease.poll() or server_id(lease) in given.server.said("begin"))
    with SpinningNode("agent_again") as spinning:
        exchange = RosExchange(RclpyLink(spinning.node), WallClock())
        again = RosRobot(RobotFile.model_validate(FILE), exchange)
        found = again.attach(lease.id)

        def poll():
            try:
                return found.poll()
            except RobotError:
                return None  # not discovered yet

        assert wait(poll) == End(Outcome.DONE)
    assert given.server.said("begin").count(server_id(lease)) == 1


def test_a_service_and_its_response(given):
    from std_srvs.srv import SetBool

    answers = iter([(True, ""), (False, "no power")])

    def switch(request, response):
        response.success, response.message = next(answers)
        return response

    with SpinningNode("switch") as spinning:
        spinning.node.create_service(SetBool, "switch", switch)
        wait(lambda: not given.robot.missing())
        for end in (End(Outcome.DONE), End(Outcome.FAILED, "no power")):
            execution = given.robot.start(Order("switch"), next(_names))
            assert wait(execution.poll) == end
    wait(given.robot.missing)
    with pytest.raises(RobotError, match="no such service"):
        given.robot.start(Order("switch"), next(_names))


def test_a_message_and_its_confirmation(given):
    from std_msgs.msg import String

    with SpinningNode("parrot") as spinning:
        echo = spinning.node.create_publisher(String, "echo", 10)
        spinning.node.create_subscription(String, "words", echo.publish, 10)
        wait(lambda: echo.get_subscription_count())
        # The first message may come before the robot's publisher is known: then it is not confirmed.
        done = wait(lambda: _poll_soon(given.robot.start(Order("say"), next(_names))))
        assert done == End(Outcome.DONE)


def _poll_soon(execution):
    end = time.monotonic() + 1.0
    while execution.poll() is None and time.monotonic() < end:
        time.sleep(0.005)
    return execution.poll()


def test_a_file_that_does_not_fit_the_types_is_told(given):
    link = RclpyLink(given.node)
    gripper = Interface("g", "control_msgs/action/GripperCommand")
    assert link.check(gripper, {"command": {"position": 0.1}}) == ""
    assert "max_effort" not in link.check(gripper, {"command": {"position": 0.1}})
    assert "has no attribute 'speed'" in link.check(gripper, {"speed": 1.0})
    assert "command" in link.check(gripper, {"speed": 1.0})  # what it has
    assert link.check(gripper, {"stalled": True}, answer=True) == ""
    assert "has no attribute 'stall'" in link.check(gripper, {"stall": True}, answer=True)
    assert "no_such_msgs" in link.check(Interface("g", "no_such_msgs/action/Thing"), {})
    assert given.robot.check() == []


def test_the_shipped_example_fits_the_real_types(given):
    exchange = RosExchange(RclpyLink(given.node), WallClock())
    assert RosRobot(load_robot_file("mobile_manipulator"), exchange).check() == []


def test_the_command_says_what_is_there_and_what_is_not(given, tmp_path):
    file = tmp_path / "rob.yaml"
    file.write_text(
        "robot: rob\nhands: [left]\nskills:\n"
        "  close: {action: $hand/gripper, type: control_msgs/action/GripperCommand, send: {command: {}}}\n"
        "  fly: {action: fly, type: no_such_msgs/action/Fly}\n"
        "  go: {action: go, type: nav2_msgs/action/NavigateToPose, send: {speed: 1.0}}\n"
    )
    command = [sys.executable, "-m", "foretree", "robot", "check", str(file), "--wait", "5"]
    said = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert said.returncode == 4, said.stderr
    lines = {line.split()[0]: line for line in said.stdout.splitlines()}
    assert lines["close"].endswith("GripperCommand): fits its type")
    assert "Install or build the package no_such_msgs" in lines["fly"]
    assert "has no attribute 'speed'" in lines["go"]
    assert "2 do not fit their types, 2 have no server." in said.stdout
