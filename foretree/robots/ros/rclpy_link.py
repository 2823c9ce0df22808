"""The link to ROS by rclpy.

An action is three services and two topics. They are spoken to as such, since an action client of rclpy cannot
ask for the result of a goal that it has not sent itself, which is what reattaching after a crash takes.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any
from uuid import UUID

from foretree.robots.ros.link import (
    Answered,
    Arrival,
    CancelAnswer,
    CancelAnswered,
    Fields,
    GoalStatus,
    Heard,
    Interface,
    Responded,
    Resulted,
)
from foretree.skills.robot import RobotError

if TYPE_CHECKING:
    from rclpy.node import Node

#: Seconds for which what the graph says of a server is taken as it was.
_GRAPH_AGE = 0.1


def interface_class(type_name: str) -> Any:
    """Return the class of an interface (``nav2_msgs/action/NavigateToPose``).

    Raises:
        RobotError: there is no such package or type where ROS was sourced.
    """
    package, kind, name = type_name.split("/")
    try:
        return getattr(import_module(f"{package}.{kind}"), name)
    except (ImportError, AttributeError) as error:
        raise RobotError(
            f"The type {type_name} is not there ({error}). Install or build the package {package}, and "
            "source the workspace that has it."
        ) from error


class RclpyLink:
    """Implements :class:`~foretree.robots.ros.link.RosLink` on a node that another thread spins.

    What is to be sent is handed over to that thread: older versions of rclpy lose a response that arrives
    before the thread that has sent the request has noted it.

    Args:
        node: the node.
    """

    def __init__(self, node: Node) -> None:
        self._node = node
        self._arrived: deque[Arrival] = deque()
        self._to_send: deque[Callable[[], None]] = deque()
        self._wake = node.create_guard_condition(self._send_all)
        self._clients: dict[Interface, _ActionClients] = {}
        self._services: dict[Interface, Any] = {}
        self._publishers: dict[Interface, Any] = {}
        self._listened: set[Interface] = set()
        self._seen: dict[Interface, tuple[float, frozenset[str]]] = {}

    # -- what every link offers ------------------------------------------------------------------------
    def check(self, interface: Interface, fields: Fields, *, answer: bool = False) -> str:
        """Return why *fields* do not fit the interface's type; empty if they do."""
        try:
            kind = interface_class(interface.type)
            sent, answered = {"action": ("Goal", "Result"), "srv": ("Request", "Response")}.get(
                interface.type.split("/")[1], ("", "")
            )
            message = answered if answer else sent
            _filled((getattr(kind, message) if message else kind)(), fields)
        except RobotError as error:
            return str(error)
        return ""

    def servers(self, interface: Interface) -> frozenset[str]:
        """Return the identities of what serves the action or service; empty if nothing does."""
        now = time.monotonic()
        looked, found = self._seen.get(interface, (-1.0, frozenset()))
        if now - looked >= _GRAPH_AGE or looked < 0:
            found = self._find_servers(interface)
            self._seen[interface] = now, found
        return found

    def send_goal(self, action: Interface, goal_id: UUID, goal: Fields) -> None:
        """Send a goal."""
        clients = self._action(action)
        request = clients.kind.Impl.SendGoalService.Request()
        request.goal_id.uuid = list(goal_id.bytes)
        request.goal = _filled(clients.kind.Goal(), goal)

        def answered(response: Any) -> None:
            self._arrived.append(Answered(goal_id, bool(response.accepted)))

        self._ask(clients.send, request, answered)

    def ask_result(self, action: Interface, goal_id: UUID) -> None:
        """Ask for the result of a goal."""
        clients = self._action(action)
        request = clients.kind.Impl.GetResultService.Request()
        request.goal_id.uuid = list(goal_id.bytes)

        def resulted(response: Any) -> None:
            status = GoalStatus(response.status)
            known = status is not GoalStatus.UNKNOWN
            self._arrived.append(Resulted(goal_id, status, message_fields(response.result) if known else {}))

        self._ask(clients.result, request, resulted)

    def cancel_goal(self, action: Interface, goal_id: UUID) -> None:
        """Ask for the end of one goal."""

        def answered(response: Any) -> None:
            self._arrived.append(CancelAnswered(goal_id, CancelAnswer(response.return_code)))

        self._cancel(action, goal_id, answered)

    def cancel_all(self, action: Interface) -> None:
        """Ask for the end of all goals of a server: those of no id and no time."""
        self._cancel(action, UUID(int=0), lambda response: None)

    def call(self, service: Interface, call_id: UUID, request: Fields) -> None:
        """Call a service."""
        client = self._service(service)

        def responded(response: Any) -> None:
            self._arrived.append(Responded(call_id, message_fields(response)))

        def failed(error: BaseException) -> None:
            self._arrived.append(Responded(call_id, {}, f"{type(error).__name__}: {error}"))

        self._ask(client, _filled(client.srv_type.Request(), request), responded, failed)

    def publish(self, topic: Interface, message: Fields) -> None:
        """Publish a message."""
        publisher = self._publishers.get(topic)
        if publisher is None:
            publisher = self._node.create_publisher(interface_class(topic.type), topic.name, 10)
            self._publishers[topic] = publisher
        publisher.publish(_filled(publisher.msg_type(), message))

    def listen(self, topic: Interface) -> None:
        """Listen to a topic."""
        if topic in self._listened:
            return
        self._listened.add(topic)

        def heard(message: Any) -> None:
            self._arrived.append(Heard(topic, message_fields(message)))

        self._node.create_subscription(interface_class(topic.type), topic.name, heard, _any_quality())

    def arrivals(self) -> list[Arrival]:
        """Return all that has arrived since the last call, oldest first."""
        return [self._arrived.popleft() for _ in range(len(self._arrived))]

    # -- within ------------------------------------------------------------------------------------------
    def _cancel(self, action: Interface, goal_id: UUID, answered: Callable[[Any], None]) -> None:
        clients = self._action(action)
        request = clients.kind.Impl.CancelGoalService.Request()
        request.goal_info.goal_id.uuid = list(goal_id.bytes)
        self._ask(clients.cancel, request, answered)

    def _ask(
        self,
        client: Any,
        request: Any,
        answered: Callable[[Any], None],
        failed: Callable[[BaseException], None] | None = None,
    ) -> None:
        def send() -> None:
            client.call_async(request).add_done_callback(partial(_pass_on, answered, failed))

        self._to_send.append(send)
        self._wake.trigger()

    def _send_all(self) -> None:
        for _ in range(len(self._to_send)):
            self._to_send.popleft()()

    def _find_servers(self, interface: Interface) -> frozenset[str]:
        is_action = "/action/" in interface.type
        if is_action:
            if not self._action(interface).are_ready():
                return frozenset()
            name = self._node.resolve_topic_name(f"{interface.name}/_action/status")
            servers = self._node.get_publishers_info_by_topic(name)
        else:
            if not self._service(interface).service_is_ready():
                return frozenset()
            # Services have no endpoints of their own in ROS; in DDS they are known by the topic of replies.
            name = f"rr{self._node.resolve_service_name(interface.name)}Reply"
            servers = self._node.get_publishers_info_by_topic(name, no_mangle=True)
        if not servers and not is_action:
            return frozenset(["there"])
        return frozenset(bytes(server.endpoint_gid).hex() for server in servers)

    def _action(self, action: Interface) -> _ActionClients:
        clients = self._clients.get(action)
        if clients is None:
            clients = self._clients[action] = _ActionClients(self._node, action)
        return clients

    def _service(self, service: Interface) -> Any:
        client = self._services.get(service)
        if client is None:
            client = self._node.create_client(interface_class(service.type), service.name)
            self._services[service] = client
        return client


class _ActionClients:
    """Clients of the three services of an action."""

    def __init__(self, node: Node, action: Interface) -> None:
        kind = self.kind = interface_class(action.type)
        base = f"{action.name}/_action"
        self.send: Any = node.create_client(kind.Impl.SendGoalService, f"{base}/send_goal")
        self.result: Any = node.create_client(kind.Impl.GetResultService, f"{base}/get_result")
        self.cancel: Any = node.create_client(kind.Impl.CancelGoalService, f"{base}/cancel_goal")

    def are_ready(self) -> bool:
        """Return whether all three reach a server."""
        return all(client.service_is_ready() for client in (self.send, self.result, self.cancel))


def _pass_on(
    answered: Callable[[Any], None], failed: Callable[[BaseException], None] | None, future: Any
) -> None:
    """Pass on a response; without one, an action's goal stays unanswered, which its poll says."""
    error = future.exception()
    if error is None:
        answered(future.result())
    elif failed is not None:
        failed(error)


def filled_message(type_name: str, fields: Fields) -> Any:
    """Return a message of a type (``moveit_msgs/msg/Constraints``) with these fields.

    Raises:
        RobotError: there is no such type or field, or a value is of another type.
    """
    return _filled(interface_class(type_name)(), fields)


def _filled(message: Any, fields: Fields) -> Any:
    """*message* with these fields.

    Raises:
        RobotError: there is no such field, or the value is of another type.
    """
    from rosidl_runtime_py import set_message_fields

    try:
        set_message_fields(message, dict(fields))
    except (AttributeError, TypeError, ValueError, AssertionError) as error:
        known = ", ".join(message.get_fields_and_field_types())
        raise RobotError(
            f"{type(message).__name__} does not take {dict(fields)}: {error}. It has: {known}."
        ) from error
    return message


def message_fields(message: Any) -> Fields:
    """Return a message's fields. Arrays of numbers become lists at once: rosidl_runtime_py goes through them
    one by one, which takes a hundred times as long."""
    return {name: _plain(getattr(message, name)) for name in message.get_fields_and_field_types()}


def _plain(value: Any) -> Any:
    if hasattr(value, "get_fields_and_field_types"):
        return message_fields(value)
    if hasattr(value, "tolist"):  # an array, of this library or that
        return value.tolist()
    return [_plain(each) for each in value] if isinstance(value, (list, tuple)) else value


def _any_quality() -> Any:
    """The quality of service of a subscription to a publisher of either reliability, where ROS has one."""
    from rclpy.qos import QoSProfile, ReliabilityPolicy

    either = getattr(ReliabilityPolicy, "BEST_AVAILABLE", ReliabilityPolicy.RELIABLE)
    return QoSProfile(depth=10, reliability=either)
