"""Arms that MoveIt plans for, on a real ROS: real messages, and a move_group that a test plays."""

import sys
import threading
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest

sys.path.append(str(Path(__file__).parent.parent / "robots" / "moveit"))
sys.path.append(str(Path(__file__).parent.parent / "robots" / "ros"))

import rclpy
from moveit_msgs.msg import CollisionObject, ContactInformation, MoveItErrorCodes
from played_arm import Kitchen
from played_move_group import PlayedMoveGroup
from rclpy.context import Context
from rclpy.executors import MultiThreadedExecutor
from waiting import until

from foretree.clock import WallClock
from foretree.robots.moveit.error_codes import CODES, SUCCESS
from foretree.robots.moveit.messages import ADD, MOVE, REMOVE, ROBOT_ATTACHED, WORLD_OBJECT
from foretree.robots.ros.link import Interface
from foretree.robots.ros.node import SpinningNode
from foretree.robots.ros.rclpy_link import RclpyLink
from foretree.skills.robot import Outcome


def test_the_error_codes_are_those_of_the_message():
    numbers = {
        name: getattr(MoveItErrorCodes, name)
        for name in dir(MoveItErrorCodes)
        if name.isupper() and name[0] != "_"
    }
    numbers = {name: value for name, value in numbers.items() if isinstance(value, int)}
    assert numbers.pop("SUCCESS") == SUCCESS
    assert {meaning.name: code for code, meaning in CODES.items()} == numbers


def test_the_constants_are_those_of_the_messages():
    assert (CollisionObject.ADD, CollisionObject.REMOVE, CollisionObject.MOVE) == (ADD, REMOVE, MOVE)
    assert (ContactInformation.WORLD_OBJECT, ContactInformation.ROBOT_ATTACHED) == (
        WORLD_OBJECT,
        ROBOT_ATTACHED,
    )


@contextmanager
def played_move_group():
    """Spin a played move_group with several threads, so that it hears of a cancel while it is busy."""
    context = Context()
    rclpy.init(context=context)
    node = rclpy.create_node("played_move_group", context=context)
    executor = MultiThreadedExecutor(num_threads=4, context=context)
    executor.add_node(node)
    played = PlayedMoveGroup(node)
    over = threading.Event()

    def spin():
        while not over.is_set():
            executor.spin_once(timeout_sec=0.1)

    thread = threading.Thread(target=spin, daemon=True)
    thread.start()
    yield played
    over.set()
    thread.join(30)
    executor.shutdown(timeout_sec=30)
    context.try_shutdown()


@pytest.fixture
def kitchen():
    with played_move_group() as played, SpinningNode("agent") as agent:
        link = RclpyLink(agent.node)
        for name, type_ in (
            ("move_action", "moveit_msgs/action/MoveGroup"),
            ("execute_trajectory", "moveit_msgs/action/ExecuteTrajectory"),
            ("gripper/command", "control_msgs/action/GripperCommand"),
            ("compute_cartesian_path", "moveit_msgs/srv/GetCartesianPath"),
            ("compute_ik", "moveit_msgs/srv/GetPositionIK"),
            ("check_state_validity", "moveit_msgs/srv/GetStateValidity"),
            ("apply_planning_scene", "moveit_msgs/srv/ApplyPlanningScene"),
        ):
            until(lambda name=name, type_=type_: link.servers(Interface(name, type_)), name)
        made = Kitchen(link=link, clock=WallClock())
        yield SimpleNamespace(kitchen=made, played=played)


def end_of(execution):
    return until(execution.poll, "the end")


def pick(given, name="mug1"):
    given.played.thing = 0.05
    return given.kitchen.order("pick", item=name, place="table1")


def test_a_mug_is_picked_and_put_down(kitchen):
    end = end_of(pick(kitchen))
    assert end.outcome is Outcome.DONE, end.reason
    played = kitchen.played
    assert set(played.world) == {"table1", "mug2", "jug1"}
    assert played.held == {"mug1": ("hand_tcp", ["hand", "left_finger", "right_finger"])}
    assert played.tools[0][:3] == ("arm", "hand_tcp", "map")
    # What was planned is what was executed, to the last number.
    assert played.executed[0] == (["a", "b"], [list(played.tools[0][3:5])])
    played.thing = None
    end = end_of(kitchen.kitchen.order("place_on", item="mug1", place="table1"))
    assert end.outcome is Outcome.DONE, end.reason
    assert played.held == {}
    put = played.world["mug1"]
    assert list(put.primitives[0].dimensions) == pytest.approx([0.06, 0.05, 0.1])
    assert put.pose.position.z == pytest.approx(0.855)


def test_an_empty_hand_has_picked_nothing(kitchen):
    end = end_of(kitchen.kitchen.order("pick", item="mug1", place="table1"))
    assert end.outcome is Outcome.FAILED
    assert "closed on nothing" in end.reason


def test_what_is_in_the_way_is_named_by_a_contact(kitchen):
    kitchen.kitchen.put("wall", "shelf", (0.9, 0.0, 1.0), (0.85, -0.5, 0.0, 0.95, 0.5, 2.0))
    end = end_of(pick(kitchen))
    assert end.outcome is Outcome.FAILED
    assert end.obstacle.classes == {"shelf": 0.9}
    assert end.without_effect


def test_what_is_too_far_is_out_of_reach(kitchen):
    kitchen.kitchen.put("mug7", "mug", (2.5, 0.0, 0.85))
    end = end_of(pick(kitchen, "mug7"))
    assert end.outcome is Outcome.FAILED
    assert end.out_of_reach
    assert end.without_effect


def test_a_motion_is_cancelled_while_it_is_executed(kitchen):
    kitchen.played.slow.set()
    execution = pick(kitchen)
    until(lambda: execution.poll() is not None or kitchen.played.executing.is_set(), "a motion")
    execution.cancel()

    def over():
        execution.cancel()  # as an executive repeats it
        return execution.poll()

    end = until(over, "the end")
    kitchen.played.slow.clear()
    assert end.outcome is Outcome.CANCELLED
    assert end.without_effect
    assert kitchen.played.executed == []
