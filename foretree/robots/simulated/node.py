"""The ROS node that offers the robots of a simulation: actions, topics, services, and ``/clock``."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any
from uuid import UUID

from foretree.errors import ForetreeError
from foretree.robots.ros.rclpy_link import interface_class, message_fields
from foretree.robots.simulated.client import (
    LOOK,
    connected_topic,
    observations_topic,
    skill_action,
    stop_service,
)
from foretree.robots.simulated.host import HostedGoal, HostedSight, SimulationHost
from foretree.robots.simulated.lock_step import ADVANCE
from foretree.robots.simulated.messages import end_fields, look_of, observation_fields, order_of
from foretree.robots.simulated.simulation import LIST_ROBOTS
from foretree.skills.robot import End, Outcome

if TYPE_CHECKING:
    from rclpy.node import Node

#: How many messages a topic keeps for those who are slow to take them.
_DEPTH = 100
#: Seconds between two moves of the time, when it runs free.
_PERIOD = 0.01


class SimulationNode:
    """Offers a simulation on a node. All is done on the thread that spins the node.

    A goal is accepted at once and begun. It ends when the simulation says so: *done* as succeeded,
    *cancelled* as canceled where a client has asked for it, all else as aborted; the result says it in full.

    Args:
        node: the node.
        lock_step: whether time moves only when a client asks for it (service ``advance``); otherwise it runs
            free.
        speed: how fast it runs free, as a factor on real time.
    """

    def __init__(self, node: Node, lock_step: bool = False, speed: float = 1.0) -> None:
        self._node = node
        self._lock_step = lock_step
        self._speed = speed
        self._begun = 0.0
        self._host: SimulationHost | None = None
        self._published = 0
        self._ended: list[str] = []
        self._ends: dict[bytes, End] = {}
        self._goals: dict[bytes, tuple[Any, HostedGoal | None]] = {}
        self._servers: dict[str, Any] = {}
        self._publishers: dict[str, Any] = {}
        self._unreachable: set[str] = set()
        self._listeners = 0
        self._clock = node.create_publisher(interface_class("rosgraph_msgs/msg/Clock"), "/clock", 10)
        node.create_service(interface_class(ADVANCE.type), ADVANCE.name, self._advance)
        node.create_service(interface_class(LIST_ROBOTS.type), LIST_ROBOTS.name, self._list_robots)
        if not lock_step:
            node.create_timer(_PERIOD, self._run_free)

    def load(self, host: SimulationHost) -> None:
        """Offer another simulation from now on. What the former one was told is lost."""
        for key, (handle, _) in tuple(self._goals.items()):
            if key not in self._ends:
                self._end(handle, End(Outcome.LOST, "the simulation has begun anew"))
        self._ended.clear()
        self._unreachable = set()
        for name, world in host.worlds.items():
            for skill in (*world.skills, LOOK):
                self._offer(name, skill)
            self._offer_stop(name)
            self._publisher(observations_topic(name))
            self._publisher(connected_topic(name))
        self._listeners = 0
        self._begun = time.monotonic()
        self._host = host

    # -- time --------------------------------------------------------------------------------------------
    def _run_free(self) -> None:
        if self._host is None:
            return
        self._welcome()
        self._move((time.monotonic() - self._begun) * self._speed)

    def _move(self, instant: float, look: bool = True) -> None:
        assert self._host is not None
        seen = self._host.advance(instant, look)
        self._tell_connected()
        for each in seen:
            self._publish(each)
        stamp = round(self._host.now * 1e9)
        message = interface_class("rosgraph_msgs/msg/Clock")()
        message.clock.sec, message.clock.nanosec = divmod(stamp, 1_000_000_000)
        self._clock.publish(message)

    def _advance(self, request: Any, response: Any) -> Any:
        if self._host is not None:
            if self._lock_step and request.time >= 0.0:
                self._move(request.time, request.look)
            response.time = self._host.now
            response.listeners = self._count_listeners()
        response.published = self._published
        response.ended, self._ended = self._ended, []
        return response

    # -- robots ------------------------------------------------------------------------------------------
    def _list_robots(self, request: Any, response: Any) -> Any:
        info = interface_class("foretree_interfaces/msg/RobotInfo")
        worlds = self._host.worlds if self._host is not None else {}
        response.robots = [
            info(name=name, hands=list(world.robot.hands), skills=list(world.skills))
            for name, world in worlds.items()
        ]
        return response

    def _publish(self, seen: HostedSight) -> None:
        from rosidl_runtime_py import set_message_fields

        topic = observations_topic(seen.robot)
        message = interface_class(topic.type)()
        set_message_fields(message, dict(observation_fields(seen.observation)))
        self._publisher(topic).publish(message)
        self._published += 1

    def _tell_connected(self) -> None:
        assert self._host is not None
        unreachable = set(self._host.unreachable())
        for name in sorted(unreachable ^ self._unreachable):
            topic = connected_topic(name)
            self._publisher(topic).publish(interface_class(topic.type)(data=name not in unreachable))
            self._published += 1
        self._unreachable = unreachable

    def _welcome(self) -> None:
        """Report the view afresh to those who have begun to listen."""
        listeners = self._count_listeners()
        if listeners > self._listeners and self._host is not None:
            for world in self._host.worlds.values():
                world.forget_view()
        self._listeners = listeners

    def _count_listeners(self) -> int:
        assert self._host is not None
        topics = (observations_topic(name) for name in self._host.worlds)
        return min((int(self._publisher(topic).get_subscription_count()) for topic in topics), default=0)

    def _publisher(self, topic: Any) -> Any:
        publisher = self._publishers.get(topic.name)
        if publisher is None:
            publisher = self._node.create_publisher(interface_class(topic.type), topic.name, _DEPTH)
            self._publishers[topic.name] = publisher
        return publisher

    def _offer_stop(self, robot: str) -> None:
        service = stop_service(robot)
        if service.name not in self._servers:
            self._servers[service.name] = self._node.create_service(
                interface_class(service.type), service.name, partial(self._stop, robot)
            )

    def _stop(self, robot: str, request: Any, response: Any) -> Any:
        if self._host is not None and robot in self._host.worlds:
            self._host.stop(robot)
            response.success = True
        return response

    # -- goals -------------------------------------------------------------------------------------------
    def _offer(self, robot: str, skill: str) -> None:
        from rclpy.action import ActionServer, CancelResponse

        action = skill_action(robot, skill)
        if action.name in self._servers:
            return

        def cancel(handle: Any) -> Any:
            goal = self._goals.get(bytes(handle.goal_id.uuid), (None, None))[1]
            if goal is not None:
                goal.execution.cancel()
            return CancelResponse.ACCEPT

        self._servers[action.name] = ActionServer(
            self._node,
            interface_class(action.type),
            action.name,
            partial(self._finish, interface_class(action.type).Result),
            handle_accepted_callback=partial(self._begin, robot, skill == LOOK),
            cancel_callback=cancel,
        )

    def _begin(self, robot: str, looks: bool, handle: Any) -> None:
        """Begin an accepted goal. Nothing waits here: the end comes when the time has moved on."""
        key = bytes(handle.goal_id.uuid)
        self._goals[key] = handle, None
        fields = message_fields(handle.request)
        try:
            if self._host is None or robot not in self._host.worlds:
                raise ForetreeError(f"There is no robot {robot!r} in the simulation.")
            wanted = look_of(fields) if looks else order_of(fields)
            goal = self._host.begin(robot, wanted, fields["execution"], partial(self._end, handle))
        except ForetreeError as error:
            self._end(handle, End(Outcome.FAILED, str(error)))
            return
        if key not in self._ends:
            self._goals[key] = handle, goal

    def _end(self, handle: Any, end: End) -> None:
        """Take note of a goal's end; its result is sent by :meth:`_finish`, for which ROS makes a task."""
        key = bytes(handle.goal_id.uuid)
        self._ends[key] = end
        self._goals.pop(key, None)
        self._ended.append(str(UUID(bytes=key)))
        handle.execute()

    def _finish(self, kind: Callable[[], Any], handle: Any) -> Any:
        from rosidl_runtime_py import set_message_fields

        end = self._ends.pop(bytes(handle.goal_id.uuid))
        if end.outcome is Outcome.DONE:
            handle.succeed()
        elif end.outcome is Outcome.CANCELLED and handle.is_cancel_requested:
            handle.canceled()
        else:
            handle.abort()
        result = kind()
        set_message_fields(result, dict(end_fields(end)))
        return result


def on_its_thread(node: Node, call: Callable[[], None], patience: float = 30.0) -> None:
    """Have *call* made on the thread that spins a node, and wait for it.

    Raises:
        TimeoutError: it has not been made in time.
    """
    assert node.executor is not None
    task = node.executor.create_task(call)
    limit = time.monotonic() + patience
    while not task.done():
        if time.monotonic() > limit:
            raise TimeoutError("The thread of the node does not answer.")
        time.sleep(0.005)
    task.result()
