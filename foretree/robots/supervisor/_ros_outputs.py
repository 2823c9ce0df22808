"""Outputs of a supervisor over ROS: what stops the robot. All messages are made beforehand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from foretree.errors import ForetreeError
from foretree.robots.ros.rclpy_link import interface_class
from foretree.robots.supervisor.safety_file import SafetyFile

if TYPE_CHECKING:
    from rclpy.node import Node

#: Seconds after which a service that has not confirmed is called again, and goals are cancelled again.
_REPEAT = 0.5
_CANCEL = "action_msgs/srv/CancelGoal"


class RosOutputs:
    """Stops the robot, and keeps stopping it while it is held.

    Args:
        node: the node.
        file: says which topics, services and actions.

    Raises:
        ForetreeError: a type is not there, or has no such fields.
    """

    def __init__(self, node: Node, file: SafetyFile) -> None:
        self._topics = [
            (node.create_publisher(type(message), topic.topic, 1), message)
            for topic in file.stop.topics
            for message in [filled(topic.type, "", topic.send)]
        ]
        self._services = [
            _StopCall(node, service.service, service.type, service.send) for service in file.stop.services
        ]
        self._cancels = [
            _StopCall(node, f"{action}/_action/cancel_goal", _CANCEL, {}, f"action {action}")
            for action in file.stop.actions
        ]
        self._repeat_at = 0.0

    def stop(self, now: float) -> None:
        """Send everything that stops the robot."""
        self.keep_zero()
        for call in self._services:
            call.send()
        for call in self._cancels:
            call.send()
        self._repeat_at = now + _REPEAT

    def keep_zero(self) -> None:
        """Send what is sent again and again while the robot is held."""
        for publisher, message in self._topics:
            publisher.publish(message)

    def insist(self, now: float, moves: bool) -> None:
        """Cancel again, so that no new goal goes on; call again what has not confirmed, or has not helped."""
        if now < self._repeat_at:
            return
        self._repeat_at = now + _REPEAT
        for call in self._services:
            if moves or not call.confirmed:
                call.send()
        for call in self._cancels:
            call.send()

    def troubles(self) -> tuple[str, ...]:
        """Return which services and actions are not there, a sentence each."""
        return tuple(
            f"the {call.what}, which stops the robot, is not there"
            for call in (*self._services, *self._cancels)
            if not call.ready
        )

    def refusals(self) -> tuple[str, ...]:
        """Return what services have answered that did not stop, a sentence each."""
        return tuple(call.refusal for call in self._services if call.refusal)

    def look(self) -> Callable[[], None]:
        """Return what finds out whether the next of the services is there, one at a call."""
        calls = (*self._services, *self._cancels)
        place = 0

        def look() -> None:
            nonlocal place
            if calls:
                calls[place % len(calls)].look()
                place += 1

        for _ in calls:
            look()
        return look


class _StopCall:
    """A call of a service that stops something.

    Attributes:
        what: what it is called in messages.
        ready: whether the service was there when it was last looked for.
        confirmed: whether it has answered to the last call, and not with a refusal.
        refusal: the refusal, in a sentence.
    """

    def __init__(self, node: Node, name: str, kind: str, fields: Mapping[str, Any], what: str = "") -> None:
        self.what = what or f"service {name}"
        self.ready = False
        self.confirmed = False
        self.refusal = ""
        self._request = filled(kind, "Request", fields)
        self._client: Any = node.create_client(interface_class(kind), name)
        self._pending: Any = None

    def look(self) -> None:
        self.ready = self._client.service_is_ready()

    def send(self) -> None:
        if self._pending is not None:
            self._client.remove_pending_request(self._pending)
        self.confirmed = False
        self._pending = self._client.call_async(self._request)
        self._pending.add_done_callback(self._answered)

    def _answered(self, future: Any) -> None:
        if future is not self._pending:
            return
        self._pending = None
        response = None if future.exception() is not None else future.result()
        self.confirmed = response is not None and bool(getattr(response, "success", True))
        said = getattr(response, "message", "")
        self.refusal = "" if self.confirmed else f"the {self.what} has not stopped the robot: {said}"


def filled(kind: str, part: str, fields: Mapping[str, Any]) -> Any:
    """Return a message of a type with these fields; of its *part*, for a service.

    Raises:
        ForetreeError: there is no such type, or it has no such field.
    """
    from rosidl_runtime_py import set_message_fields

    made = interface_class(kind)
    message = getattr(made, part)() if part else made()
    try:
        set_message_fields(message, dict(fields))
    except (AttributeError, TypeError, ValueError, AssertionError) as error:
        known = ", ".join(message.get_fields_and_field_types())
        raise ForetreeError(f"{kind} does not take {dict(fields)}: {error}. It has: {known}.") from error
    return message
