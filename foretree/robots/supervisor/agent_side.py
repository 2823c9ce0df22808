"""The agent's side of a supervisor over ROS: hears its state, and tells it that the agent ticks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from foretree.clock import Clock
from foretree.robots.supervisor.state_message import state_of
from foretree.robots.supervisor.watch import SILENT_AFTER, SupervisorWatch

if TYPE_CHECKING:
    from rclpy.node import Node


class SupervisorLink:
    """Connects an agent with the supervisor of its robot.

    Args:
        node: a node that another thread spins.
        clock: real time.
        supervisor: the name of the supervisor's node.
        heartbeat: the topic on which the agent says that it ticks (``std_msgs/msg/Empty``).
        silent_after: seconds without a state after which the robot counts as held.

    Attributes:
        watch: says why nothing may begin.
    """

    def __init__(
        self,
        node: Node,
        clock: Clock,
        supervisor: str = "supervisor",
        heartbeat: str = "~/heartbeat",
        silent_after: float = SILENT_AFTER,
    ) -> None:
        from diagnostic_msgs.msg import DiagnosticStatus
        from rclpy.qos import DurabilityPolicy, QoSProfile
        from std_msgs.msg import Empty

        self.watch = SupervisorWatch(clock, silent_after)
        self._beat = Empty()
        self._beats = node.create_publisher(Empty, heartbeat, 1)
        latched = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
        node.create_subscription(DiagnosticStatus, f"{supervisor}/state", self._hear, latched)

    def beat(self) -> None:
        """Say that the agent ticks. Call it once per tick."""
        self._beats.publish(self._beat)

    def _hear(self, message: Any) -> None:
        self.watch.feed(state_of(message))
