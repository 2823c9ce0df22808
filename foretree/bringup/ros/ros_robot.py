"""The connection to a robot that a robot file describes, and the frames around it. It takes a sourced ROS."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from foretree.bringup.ros.frames import FramesError, FramesFile, FrameTransform, check_frames
from foretree.clock import Clock
from foretree.robots.ros.exchange import RosExchange
from foretree.robots.ros.node import SpinningNode
from foretree.robots.ros.rclpy_link import RclpyLink
from foretree.robots.ros.robot import RosRobot
from foretree.robots.ros.robot_file import load_robot_file
from foretree.robots.supervisor.agent_side import SupervisorLink
from foretree.skills.robot import RobotError

if TYPE_CHECKING:
    from rclpy.node import Node

#: The topic on which the agent says that it ticks, in its namespace.
HEARTBEAT = "heartbeat"
#: Seconds between two looks at frames that are waited for.
_LOOK_AGAIN = 0.1


class Companion:
    """A second node of the agent, for what has to go on while a callback of the first one waits.

    Args:
        node: the agent's node; the second one is named after it, and has the same namespace and time.
        arguments: the ROS arguments of the process.
        suffix: what is added to the name.
    """

    def __init__(self, node: Node, arguments: Sequence[str], suffix: str) -> None:
        self._spinning = SpinningNode(
            f"{node.get_name()}_{suffix}",
            without_node_names(arguments),
            namespace=node.get_namespace(),
            simulated_time=bool(node.get_parameter("use_sim_time").value),
        )
        self.node = self._spinning.node

    def close(self) -> None:
        """End it."""
        self._spinning.close()


class RosRobotConnection:
    """A robot that a robot file describes, on a node of its own.

    Args:
        companion: the node.
        file: the robot file.
        clock: all time comes from it.
        supervisor: the name of the node of the robot's supervisor; empty if it has none.

    Attributes:
        robot: the robot.

    Raises:
        ForetreeError: the file makes no sense, or does not fit the interfaces' types.
    """

    def __init__(self, companion: Companion, file: str, clock: Clock, supervisor: str = "") -> None:
        self._companion = companion
        self._supervisor: SupervisorLink | None = None
        if supervisor:
            self._supervisor = SupervisorLink(companion.node, clock, supervisor, HEARTBEAT)
        exchange = RosExchange(RclpyLink(companion.node), clock)
        self.robot = RosRobot(load_robot_file(file), exchange, hold=self.hold_reason)
        if problems := self.robot.check():
            raise RobotError(f"The robot file {file} does not fit: {' '.join(problems)}")

    def hold_reason(self) -> str:
        """Return why the supervisor lets nothing begin; empty if it does, or there is none."""
        return self._supervisor.watch.hold_reason() if self._supervisor is not None else ""

    def beat(self) -> None:
        """Tell the supervisor that the agent ticks."""
        if self._supervisor is not None:
            self._supervisor.beat()

    def close(self) -> None:
        """End the connection."""
        self._companion.close()


def await_frames(node: Node, wanted: FramesFile, within: float) -> None:
    """Check frames until they are as wanted.

    Args:
        node: another thread spins it.
        wanted: what they have to be like.
        within: seconds to wait for them.

    Raises:
        FramesError: they are not as wanted; the message says what is wrong.
    """
    from rclpy.time import Time
    from tf2_ros import Buffer, TransformException, TransformListener

    buffer = Buffer(node=node)
    listener = TransformListener(buffer, node, spin_thread=False)

    def lookup(parent: str, child: str) -> FrameTransform | str:
        try:
            found: Any = buffer.lookup_transform(parent, child, Time())
        except TransformException as error:
            return str(error)
        at, turn, stamp = found.transform.translation, found.transform.rotation, found.header.stamp
        measured = stamp.sec + stamp.nanosec / 1e9
        now = node.get_clock().now().nanoseconds / 1e9
        return FrameTransform(
            (at.x, at.y, at.z), (turn.x, turn.y, turn.z, turn.w), now - measured if measured else None
        )

    end = time.monotonic() + within
    try:
        while problems := check_frames(wanted, lookup):
            if time.monotonic() >= end:
                raise FramesError(" ".join(problems))
            time.sleep(_LOOK_AGAIN)
    finally:
        listener.unregister()


def without_node_names(arguments: Sequence[str]) -> list[str]:
    """Return ROS arguments without those that name nodes: they would give two nodes one name."""
    kept: list[str] = []
    arguments = list(arguments)
    while arguments:
        argument = arguments.pop(0)
        rule = arguments[0] if argument in ("-r", "--remap") and arguments else ""
        if rule.partition(":=")[0].rpartition(":")[2] in ("__node", "__name"):
            arguments.pop(0)
        else:
            kept.append(argument)
    return kept
