"""The connection to a robot that a robot file describes, and the frames around it. It takes a sourced ROS."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from foretree.bringup.ros.carrying.workplace import RobotLink
from foretree.bringup.ros.frames import FramesError, FramesFile, FrameTransform, check_frames
from foretree.clock import Clock
from foretree.errors import takes_extra
from foretree.robots.ros.bags.noting import NotedClock, NotedRobot, NotedTransforms
from foretree.robots.ros.bags.writer import RunBags
from foretree.robots.ros.exchange import RosExchange
from foretree.robots.ros.link import Fields
from foretree.robots.ros.node import SpinningNode
from foretree.robots.ros.rclpy_link import RclpyLink
from foretree.robots.ros.robot import RosRobot
from foretree.robots.ros.robot_file import load_robot_file
from foretree.robots.ros.senses.subscriptions import NodeSenses, ros_now
from foretree.robots.ros.stamps import SessionTime
from foretree.robots.supervisor.agent_side import SupervisorLink
from foretree.skills.robot import RobotError

if TYPE_CHECKING:
    from rclpy.node import Node

    from foretree.agent.context import AgentContext
    from foretree.runs.store import Run

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
        self.simulated_time = bool(node.get_parameter("use_sim_time").value)
        self._spinning = SpinningNode(
            f"{node.get_name()}_{suffix}",
            without_node_names(arguments),
            namespace=node.get_namespace(),
            simulated_time=self.simulated_time,
        )
        self.node = self._spinning.node

    def stamp(self) -> Fields:
        """Return the time now as fields of ``builtin_interfaces/msg/Time``."""
        now = self.node.get_clock().now().to_msg()
        return {"sec": now.sec, "nanosec": now.nanosec}

    def close(self) -> None:
        """End it."""
        self._spinning.close()


class Supervision:
    """The supervisor of a robot, if it has one.

    Args:
        companion: the node on which it is spoken to.
        clock: real time.
        supervisor: the name of its node; empty if there is none.
    """

    def __init__(self, companion: Companion, clock: Clock, supervisor: str) -> None:
        self._link: SupervisorLink | None = None
        if supervisor:
            self._link = SupervisorLink(companion.node, clock, supervisor, HEARTBEAT)

    def hold_reason(self) -> str:
        """Return why the supervisor lets nothing begin; empty if it does, or there is none."""
        return self._link.watch.hold_reason() if self._link is not None else ""

    def beat(self) -> None:
        """Tell the supervisor that the agent ticks."""
        if self._link is not None:
            self._link.beat()


class RosRobotConnection(RobotLink):
    """A robot that a robot file describes, with its senses, its supervisor and its bags.

    Args:
        companion: the node on which it is spoken to.
        file: the robot file.
        clock: all time comes from it.
        arguments: the ROS arguments of the process, for the node of the senses.
        supervisor: the name of the node of the robot's supervisor; empty if it has none.
        bagged: whether each run leaves a bag beside its record.

    Raises:
        ForetreeError: the file makes no sense, or does not fit the interfaces' types.
    """

    def __init__(
        self,
        companion: Companion,
        file: str,
        clock: Clock,
        *,
        arguments: Sequence[str] = (),
        supervisor: str = "",
        bagged: bool = True,
    ) -> None:
        self._companion = companion
        self._arguments = without_node_names(arguments)
        self._file = load_robot_file(file)
        self._senses: NodeSenses | None = None
        self._supervision = Supervision(companion, clock, supervisor)
        self._bags = self._make_bags(clock) if bagged else None
        exchange = RosExchange(RclpyLink(companion.node), clock)
        self._ros_robot = RosRobot(
            self._file, exchange, hold=self._supervision.hold_reason, stamp=companion.stamp
        )
        if problems := self._ros_robot.check():
            raise RobotError(f"The robot file {file} does not fit: {' '.join(problems)}")
        if self._bags is None:
            super().__init__(self._ros_robot, clock)
        else:
            super().__init__(NotedRobot(self._ros_robot, self._bags), NotedClock(clock, self._bags))

    def know(self, context: AgentContext) -> None:
        """Begin to sense, with places as the map has them; let executors ask for what is believed."""
        self._ros_robot.watch(context.belief.snapshot)
        if self._file.senses is None:
            return
        bags = self._bags
        self._senses = NodeSenses(
            self._file,
            context.places,
            self.clock,
            bag=bags,
            noted=lambda transforms: transforms if bags is None else NotedTransforms(transforms, bags),
            arguments=self._arguments,
            namespace=self._companion.node.get_namespace(),
            simulated_time=self._companion.simulated_time,
        )
        self._ros_robot.senses = self._senses

    def hold_reason(self) -> str:
        """Return why the supervisor lets nothing begin."""
        return self._supervision.hold_reason()

    def beat(self) -> None:
        """Tell the supervisor that the agent ticks."""
        self._supervision.beat()

    def missing(self) -> list[str]:
        """Return the actions and services of the robot file that nothing serves now."""
        return self._ros_robot.missing()

    def silent(self) -> list[str]:
        """Return what is the matter with streams of the senses, a sentence each."""
        if self._senses is None:
            return []
        return [status.text for status in self._senses.status() if not status.ok]

    def begin(self, run: Run) -> None:
        """Begin the bag of a run."""
        if self._bags is not None:
            self._bags.begin(run)

    def finish(self, run: Run) -> None:
        """Finish the bag of a run."""
        if self._bags is not None:
            self._bags.finish(run)

    def close(self) -> None:
        """End the connection."""
        if self._senses is not None:
            self._senses.close()
        self._companion.close()

    def _make_bags(self, clock: Clock) -> RunBags:
        with takes_extra("bags", "Bags of runs (the parameter bag; bag:=false does without)"):
            import mcap.writer  # noqa: F401
        node = self._companion.node
        known = SessionTime.begun(clock.now, ros_now(node)).zero

        def zero() -> int:
            # One and the same for a bag's messages and for the observations that are made of them.
            return known if self._senses is None else self._senses.messages.time.zero

        return RunBags(clock.now, zero, self._companion.simulated_time)


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
