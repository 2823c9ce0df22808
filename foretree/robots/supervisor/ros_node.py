"""The supervisor as a ROS node: one thread, which waits for messages and for the next check."""

from __future__ import annotations

import gc
import os
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from foretree.errors import ForetreeError
from foretree.robots.ros.node import NoRosError
from foretree.robots.ros.rclpy_link import interface_class
from foretree.robots.supervisor.direct_wait import DirectWait
from foretree.robots.supervisor.safety_file import SafetyFile, SafetyInput
from foretree.robots.supervisor.state_message import fields_of
from foretree.robots.supervisor.supervisor import Supervisor

if TYPE_CHECKING:
    from rclpy.node import Node

#: Seconds between two states, two looks at the graph, two alarms, and two collections of garbage.
_STATE, _GRAPH, _ALARM, _GARBAGE = 0.1, 0.1, 1.0, 1.0
#: Seconds after its limit at which a silence is looked for: a wait may end a little early.
_JUST_AFTER = 0.0002
#: Seconds for which the graph is waited for at the start, before types are compared.
DISCOVERY = 1.0
#: The real-time priority: above what is not one, below the drivers of most robots.
PRIORITY = 50
#: Seconds for which the last stop is given to leave the process.
_FAREWELL = 0.2


class SupervisorNode:
    """Feeds a supervisor, and stops the robot when it says so.

    Args:
        node: the node.
        file: the safety file.

    Raises:
        ForetreeError: a type in the file is not there, or has no such fields.
    """

    def __init__(self, node: Node, file: SafetyFile) -> None:
        from diagnostic_msgs.msg import DiagnosticStatus
        from std_msgs.msg import Bool
        from std_srvs.srv import Trigger

        from foretree.robots.supervisor._ros_outputs import RosOutputs

        self._node = node
        self._file = file
        self._log = node.get_logger()
        self._outputs = RosOutputs(node, file)
        self._look = self._outputs.look()
        self.supervisor = Supervisor(file, time.monotonic(), self._outputs.troubles)
        self._state = node.create_publisher(DiagnosticStatus, "~/state", _latched())
        self._stop = node.create_publisher(Bool, "~/stop", _latched())
        self._stopped, self._free = Bool(data=True), Bool(data=False)
        self._subscribe()
        node.create_service(Trigger, "~/reset", self._reset)
        now = time.monotonic()
        self._period = 1 / file.rate
        self._state_at = self._graph_at = self._alarm_at = now
        self._garbage_at = now + _GARBAGE

    def _subscribe(self) -> None:
        for name, given in self._file.inputs.items():
            hear = partial(self._hear, name)
            self._node.create_subscription(interface_class(given.type), given.topic, hear, _quality_of(given))
        if any(given.kind == "tf" for given in self._file.inputs.values()):
            static = interface_class("tf2_msgs/msg/TFMessage")
            hear_static = self.supervisor.inputs.hear_static
            self._node.create_subscription(static, "/tf_static", hear_static, _latched(depth=100))

    def mismatches(self) -> Iterator[str]:
        """Iterate over topics that are published or read as another type than the file says."""
        node = self._node
        for given in self._file.inputs.values():
            name = node.resolve_topic_name(given.topic)
            for info in node.get_publishers_info_by_topic(name):
                if info.topic_type != given.type:
                    yield _mismatch(name, "published", info, given.type)
        for topic in self._file.stop.topics:
            name = node.resolve_topic_name(topic.topic)
            for info in node.get_subscriptions_info_by_topic(name):
                if info.topic_type != topic.type:
                    yield _mismatch(name, "read", info, topic.type)

    # -- what happens ------------------------------------------------------------------------------------
    def _hear(self, name: str, message: Any) -> None:
        now = time.monotonic()
        if self.supervisor.hear(name, message, now):
            self._stop_robot(now)

    def check(self) -> None:
        """Judge everything, and do what is due."""
        now = time.monotonic()
        if self.supervisor.check(now):
            self._stop_robot(now)
        elif self.supervisor.held:
            self._stop.publish(self._stopped)
            self._outputs.keep_zero()
            self._outputs.insist(now, bool(self.supervisor.state.moves))
        if now >= self._state_at:
            self._say_state(now)
        if now >= self._graph_at:
            self._graph_at = now + _GRAPH
            self._look()
        if now >= self._alarm_at:
            self._alarm(now)
        if now >= self._garbage_at:
            self._garbage_at = now + _GARBAGE
            gc.collect()

    def _stop_robot(self, now: float) -> None:
        """Stop the robot; to say so comes after it."""
        self._stop.publish(self._stopped)
        self._outputs.stop(now)
        self._say_state(now)
        self._log.error(self.supervisor.state.sentence)

    def stop_first(self) -> None:
        """Stop the robot at the start, whatever it is doing."""
        self._stop_robot(time.monotonic())

    def end(self, why: str) -> None:
        """Stop the robot because the supervisor ends."""
        now = time.monotonic()
        self.supervisor.stop("end", why, now)
        self._stop_robot(now)

    def _reset(self, request: Any, response: Any) -> Any:
        now = time.monotonic()
        wrong = self.supervisor.reset(now)
        response.success = not wrong
        response.message = f"It cannot be reset: {'; '.join(wrong)}." if wrong else "The robot may move."
        if not wrong:
            self._stop.publish(self._free)
        self._say_state(now)
        self._log.warning(f"A reset was asked for. {response.message}")
        return response

    def _say_state(self, now: float) -> None:
        self._state_at = now + _STATE
        self._state.publish(_state_message(fields_of(self.supervisor.state, self._file.supervisor)))

    def _alarm(self, now: float) -> None:
        self._alarm_at = now + _ALARM
        if self.supervisor.held:
            moves = self.supervisor.state.moves
            for trouble in (*((moves,) if moves else ()), *self._outputs.refusals()):
                self._log.fatal(trouble)

    # -- the loop ----------------------------------------------------------------------------------------
    def spin(self, executor: Any, goes_on: Callable[[], bool]) -> None:
        """Hear and check, until *goes_on* says no more.

        Messages are waited for without the executor: it is given only what answers services.
        """
        waiting = DirectWait(self._node)
        due = time.monotonic()
        while goes_on():
            now = time.monotonic()
            if now >= due:
                self.check()
                due = max(due + self._period, now)
            elif now > self.supervisor.silence_at():
                self.check()
            if waiting.wait(min(due, self.supervisor.silence_at() + _JUST_AFTER) - time.monotonic()):
                executor.spin_once(timeout_sec=0.0)


def run(
    file: SafetyFile, arguments: Sequence[str] = (), priority: int = PRIORITY, discovery: float = DISCOVERY
) -> None:
    """Run a supervisor until SIGINT or SIGTERM; the robot is stopped first then.

    Args:
        file: the safety file.
        arguments: ROS arguments, as they stand on a command line.
        priority: the real-time priority (``SCHED_FIFO``), 1 to 99; 0 for none. Where it is not allowed, that
            is said, and it goes on without.
        discovery: seconds for which topics are waited for before their types are compared.

    Raises:
        ForetreeError: it cannot start: there is no ROS, or a type does not fit.
    """
    try:
        import rclpy
        from rclpy.context import Context
        from rclpy.executors import SingleThreadedExecutor
    except ImportError as error:
        raise NoRosError(
            f"ROS 2 was not found ({error}). Source it before the start, for example: "
            ". /opt/ros/jazzy/setup.bash (docs/safety.md says what else it takes)."
        ) from error
    slow = _prioritise(priority)  # before the middleware starts: its threads inherit it
    ended: list[str] = []
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda received, frame: ended.append(signal.Signals(received).name))
    context = Context()
    rclpy.init(args=list(arguments), context=context)
    try:
        node = rclpy.create_node("supervisor", context=context, start_parameter_services=False)
        executor = SingleThreadedExecutor(context=context)
        executor.add_node(node)
        supervising = SupervisorNode(node, file)
        try:
            _discover(supervising, executor, discovery, ended)
            supervising.stop_first()
            if slow:
                node.get_logger().warning(slow)
            gc.collect()
            gc.freeze()
            gc.disable()
            supervising.spin(executor, lambda: not ended)
        finally:
            _end(supervising, executor, ended)
            node.destroy_node()
    finally:
        context.try_shutdown()


def _discover(supervising: SupervisorNode, executor: Any, seconds: float, ended: list[str]) -> None:
    """Hear for a while what there is.

    Raises:
        ForetreeError: a topic is of another type than the file says.
    """
    until = time.monotonic() + seconds
    while not ended and (left := until - time.monotonic()) > 0:
        executor.spin_once(timeout_sec=left)
    if mismatch := next(supervising.mismatches(), ""):
        raise ForetreeError(mismatch)


def _end(supervising: SupervisorNode, executor: Any, ended: list[str]) -> None:
    supervising.end(f"the supervisor has ended ({ended[0] if ended else 'by a mistake'})")
    until = time.monotonic() + _FAREWELL
    while (left := until - time.monotonic()) > 0:
        executor.spin_once(timeout_sec=left)


def _prioritise(priority: int) -> str:
    """Take a real-time priority; return why that is not possible, empty if it is."""
    if not priority:
        return ""
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(priority))
    except (OSError, AttributeError) as error:
        return (
            f"The supervisor runs without real-time priority ({error}): on a busy machine its reaction may "
            "take hundreds of milliseconds. A line `USER - rtprio 99` in /etc/security/limits.conf allows it."
        )
    return ""


def _latched(depth: int = 1) -> Any:
    from rclpy.qos import DurabilityPolicy, QoSProfile

    return QoSProfile(depth=depth, durability=DurabilityPolicy.TRANSIENT_LOCAL)


def _quality_of(given: SafetyInput) -> Any:
    """The quality of service of a subscription.

    What comes again and again is taken from publishers of any reliability, the newest message only, except
    for presses of buttons and transforms, of which each counts. What comes only once must not get lost.
    """
    from rclpy.qos import QoSProfile, ReliabilityPolicy

    depth = 100 if given.kind in ("tf", "switch", "event") else 1
    often = not given.may_be_silent
    return QoSProfile(
        depth=depth, reliability=ReliabilityPolicy.BEST_EFFORT if often else ReliabilityPolicy.RELIABLE
    )


def _mismatch(name: str, how: str, info: Any, wanted: str) -> str:
    who = f"{info.node_namespace.rstrip('/')}/{info.node_name}"
    return (
        f"The topic {name} is {how} by {who} as {info.topic_type}, but the safety file says {wanted}: "
        "nothing would ever be heard. Correct the type in the file, or the topic's name."
    )


def _state_message(fields: Any) -> Any:
    from diagnostic_msgs.msg import DiagnosticStatus, KeyValue

    return DiagnosticStatus(
        level=bytes([fields["level"]]),
        name=fields["name"],
        message=fields["message"],
        values=[KeyValue(key=key, value=value) for key, value in fields["values"]],
    )
