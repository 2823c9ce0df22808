"""The ROS services of a body with a camera, in a home of which they tell nothing but frames."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from foretree.errors import ForetreeError
from foretree.robots.ros.rclpy_link import interface_class, message_fields
from foretree.robots.simulated.frames import body_fields, control_of, frame_fields
from foretree.robots.simulated.ros_body import DESCRIBE_BODY, MOVE_BODY
from foretree.skills.embodied.body import Body

if TYPE_CHECKING:
    from rclpy.node import Node

#: Seconds of real time between two messages of the time.
_PERIOD = 0.01


class BodyNode:
    """Offers a body on a node. All is done on the thread that spins the node.

    Args:
        node: the node.
        speed: how fast time goes that is published as ``/clock``, as a factor on real time; 0 publishes
            none.
    """

    def __init__(self, node: Node, speed: float = 0.0) -> None:
        self._body: Body | None = None
        self._speed = speed
        self._begun = time.monotonic()
        node.create_service(interface_class(MOVE_BODY.type), MOVE_BODY.name, self._move)
        node.create_service(interface_class(DESCRIBE_BODY.type), DESCRIBE_BODY.name, self._describe)
        if speed > 0:
            self._clock = node.create_publisher(interface_class("rosgraph_msgs/msg/Clock"), "/clock", 10)
            node.create_timer(_PERIOD, self._publish_time)

    def load(self, body: Body) -> None:
        """Offer another body from now on."""
        self._body = body

    def _move(self, request: Any, response: Any) -> Any:
        from rosidl_runtime_py import set_message_fields

        if self._body is None:
            response.error = "There is no body yet."
            return response
        try:
            frame = self._body.step(control_of(message_fields(request)))
        except ForetreeError as error:
            response.error = str(error)
            return response
        set_message_fields(response, dict(frame_fields(frame)))
        return response

    def _describe(self, request: Any, response: Any) -> Any:
        from rosidl_runtime_py import set_message_fields

        if self._body is not None:
            set_message_fields(response, dict(body_fields(self._body)))
        return response

    def _publish_time(self) -> None:
        message = interface_class("rosgraph_msgs/msg/Clock")()
        stamp = round((time.monotonic() - self._begun) * self._speed * 1e9)
        message.clock.sec, message.clock.nanosec = divmod(stamp, 1_000_000_000)
        self._clock.publish(message)
