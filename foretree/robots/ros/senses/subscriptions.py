"""Subscriptions that feed the senses, and transforms from ``tf2_ros``: the part of the senses with ROS."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from foretree.clock import Clock
from foretree.config import ConfigError
from foretree.robots.ros.node import SpinningNode
from foretree.robots.ros.rclpy_link import interface_class
from foretree.robots.ros.robot_file import RobotFile
from foretree.robots.ros.senses.message_senses import MessageSenses, SenseJournal, SensingRobot
from foretree.robots.ros.senses.sight import FrameEyes
from foretree.robots.ros.senses.streams import Stream, StreamStatus
from foretree.robots.ros.senses.transforms import RigidPose, Transform, TransformError, Transforms
from foretree.robots.ros.stamps import SessionTime, nanoseconds
from foretree.skills.robot import Execution, LookRequest
from foretree.world_model.maps.places import PlaceGraph
from foretree.world_model.observation import Observation

if TYPE_CHECKING:
    from rclpy.node import Node


class TakesMessages(SenseJournal, Protocol):
    """Takes down messages as they come, and what a replay needs besides: a bag."""

    def listens(self, topic: str, stream: str) -> None:
        """Take down that the senses have a stream on a topic."""

    def received(self, topic: str, type_name: str, data: bytes, at: float, number: int) -> None:
        """Take down a message, packed, when it came on the session's clock, and its number."""


class SenseSubscriptions:
    """Subscriptions of the topics that senses listen to, on a node that another thread spins.

    Messages stay packed until a tick uses them. Sensors are listened to as they send, reliably or not; of
    maps, the last one is asked for that was sent before.

    Args:
        node: the node. One of its own keeps images from delaying what else a node does.
        senses: what takes in the messages.
        takes: takes down messages.
        but: streams whose messages are not taken down.

    Raises:
        RobotError: the package of a message's type is not there.
    """

    def __init__(
        self,
        node: Node,
        senses: MessageSenses,
        takes: TakesMessages | None = None,
        but: Collection[str] = (),
    ) -> None:
        self._senses = senses
        self._takes = takes
        self._but = but
        for stream in senses.streams:
            kind = interface_class(stream.type)
            topic = node.resolve_topic_name(stream.topic)
            if takes is not None and stream.name not in but:
                takes.listens(topic, stream.name)
            node.create_subscription(
                kind, stream.topic, partial(self._came, stream, topic, kind), _quality(stream), raw=True
            )

    def _came(self, stream: Stream, topic: str, kind: Any, data: bytes) -> None:
        from rclpy.serialization import deserialize_message

        arrived = self._senses.put(stream.name, partial(deserialize_message, data, kind))
        if self._takes is not None and stream.name not in self._but:
            self._takes.received(topic, stream.type, data, arrived.at, arrived.number)


class Tf2Transforms:
    """Implements :class:`~foretree.robots.ros.senses.transforms.Transforms` with ``tf2_ros``.

    Args:
        node: the node that listens to ``/tf`` and ``/tf_static``, spun by another thread.
        kept: seconds for which transforms are remembered.
    """

    def __init__(self, node: Node, kept: float = 10.0) -> None:
        from rclpy.duration import Duration
        from tf2_ros import Buffer, TransformListener

        self._buffer: Any = Buffer(cache_time=Duration(seconds=kept))
        self._listener: Any = TransformListener(self._buffer, node, spin_thread=False)

    def lookup(self, target: str, source: str, time: int | None) -> Transform:
        """Return the pose of *source* in *target* at *time* (ROS time in nanoseconds); None: the newest.

        Raises:
            TransformError: it is not known, or not at that time.
        """
        import tf2_ros
        from rclpy.time import Time

        at = Time(nanoseconds=0 if time is None else time)
        try:
            found = self._buffer.lookup_transform(target, source, at)
        except tf2_ros.ExtrapolationException as error:
            ahead = self._is_ahead(target, source, time)
            raise TransformError(f"{target} <- {source}: {error}", may_come=ahead) from error
        except tf2_ros.TransformException as error:
            raise TransformError(f"{target} <- {source}: {error}") from error
        moved = found.transform
        return Transform(RigidPose.of(moved.translation, moved.rotation), nanoseconds(found.header.stamp))

    def _is_ahead(self, target: str, source: str, time: int | None) -> bool:
        """Return whether the time asked for is after the newest transform, so that it may become known."""
        import tf2_ros
        from rclpy.time import Time

        if time is None:
            return False
        try:
            newest = self._buffer.lookup_transform(target, source, Time())
        except tf2_ros.TransformException:
            return True  # the parts between the frames have no time in common yet
        return time > nanoseconds(newest.header.stamp)


class NodeSenses:
    """The senses of a robot on a node of their own, so that images delay nothing else.

    Implements :class:`foretree.robots.ros.robot.RobotSenses`. What it is made of, and what is the matter with
    its streams, its attribute *messages* has.

    Args:
        file: the robot file, which has a section ``senses``.
        places: the agent's map, if it has one.
        clock: the session's clock.
        eyes: what detects things in colour images, if no detector's messages are listened to.
        bag: takes down messages.
        noted: makes transforms that are taken down of those of tf2.
        name, arguments, namespace, simulated_time: of the node, as
            :class:`~foretree.robots.ros.node.SpinningNode` has them.

    Raises:
        ConfigError: the robot file has no senses.
        NoRosError: no ROS 2 is sourced.
        RobotError: the package of a message's type is not there.
    """

    def __init__(
        self,
        file: RobotFile,
        places: PlaceGraph | None,
        clock: Clock,
        *,
        eyes: FrameEyes | None = None,
        bag: TakesMessages | None = None,
        noted: Callable[[Transforms], Transforms] = lambda transforms: transforms,
        name: str = "foretree_senses",
        arguments: Sequence[str] = (),
        namespace: str = "",
        simulated_time: bool = False,
    ) -> None:
        if file.senses is None:
            raise ConfigError(
                f"The robot file of {file.robot} has no section senses, which says on which topics it sees "
                "(docs/senses.md)."
            )
        self._node = SpinningNode(name, arguments, namespace, simulated_time)
        try:
            node = self._node.node
            zero = SessionTime.begun(clock.now, ros_now(node)).zero
            robot = SensingRobot.of(file, places)
            transforms = noted(Tf2Transforms(node))
            self.messages = MessageSenses(file.senses, robot, clock, zero, transforms, eyes, bag)
            without_colours = file.senses.bag == "beliefs" and eyes is None
            SenseSubscriptions(node, self.messages, bag, {"image"} if without_colours else ())
        except BaseException:
            self._node.close()
            raise

    def observations(self) -> list[Observation]:
        """Return everything observed since the last call, oldest first. Never blocks."""
        return self.messages.observations()

    def look(self, request: LookRequest, execution_id: str) -> Execution:
        """Begin a look: it is done once a view taken from now on has been observed."""
        return self.messages.look(request, execution_id)

    def status(self) -> list[StreamStatus]:
        """Return the state of each stream, for diagnostics."""
        return self.messages.status()

    def close(self) -> None:
        """End the node, and the thread in which eyes work."""
        self._node.close()
        self.messages.close()


def ros_now(node: Node) -> Callable[[], int]:
    """Return what tells ROS time of a node, in nanoseconds."""
    clock = node.get_clock()
    return lambda: int(clock.now().nanoseconds)


def _quality(stream: Stream) -> Any:
    from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy

    if stream.latched and stream.name == "grid":
        return QoSProfile(
            depth=1, reliability=ReliabilityPolicy.RELIABLE, durability=DurabilityPolicy.TRANSIENT_LOCAL
        )
    if stream.latched:  # updates make no sense if one is lost
        return QoSProfile(depth=100, reliability=ReliabilityPolicy.RELIABLE)
    return QoSProfile(depth=max(stream.kept, 1), reliability=ReliabilityPolicy.BEST_EFFORT)
