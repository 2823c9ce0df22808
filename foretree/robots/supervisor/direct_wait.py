"""Waiting for a node's messages without an executor, which takes most of the time of a reaction."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rclpy.node import Node

#: Messages of one topic that are taken in one turn at most, so that one topic cannot keep out the others.
_MOST = 20


class DirectWait:
    """Waits for messages, and calls their subscriptions' callbacks.

    Args:
        node: a node whose subscriptions, clients and services are all made. Its executor still has to deal
            with clients and services.
    """

    def __init__(self, node: Node) -> None:
        from rclpy.impl.implementation_singleton import rclpy_implementation

        context = node.context.handle
        assert context is not None
        self._subscriptions = list(node.subscriptions)
        self._clients = list(node.clients)
        self._services = list(node.services)
        self._set: Any = rclpy_implementation.WaitSet(
            len(self._subscriptions), 0, 0, len(self._clients), len(self._services), 0, context
        )

    def wait(self, seconds: float) -> bool:
        """Wait for messages, at most so long, and hear them; return whether the executor is needed."""
        ready = self._set
        ready.clear_entities()
        places = {ready.add_subscription(each.handle): each for each in self._subscriptions}
        for client in self._clients:
            ready.add_client(client.handle)
        for service in self._services:
            ready.add_service(service.handle)
        ready.wait(int(max(0.0, seconds) * 1e9))
        for place, subscription in places.items():
            if ready.is_ready("subscription", place):
                _take(subscription)
        return bool(ready.get_ready_entities("client") or ready.get_ready_entities("service"))


def _take(subscription: Any) -> None:
    for _ in range(_MOST):
        taken = subscription.handle.take_message(subscription.msg_type, subscription.raw)
        if taken is None:
            return
        subscription.callback(taken[0])
