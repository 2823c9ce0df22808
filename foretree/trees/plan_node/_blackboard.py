"""The blackboard keys of a plan node, for other nodes of the tree to read."""

from __future__ import annotations

from py_trees.behaviour import Behaviour
from py_trees.blackboard import Blackboard, Client
from py_trees.common import Access

from foretree.planning.plan import Plan


class PlanBlackboard:
    """Writes the plan, the goal and the reason of a plan node, each only when it has changed.

    The keys, below the namespace, are ``plan`` (a :class:`~foretree.planning.plan.Plan`, as last revised),
    ``goal`` (its formula) and ``reason`` (why the plan was last revised, what the node waits for, or why it
    failed; empty otherwise). They are registered when the node is first ticked, with write access that is not
    exclusive: several plan nodes may share a namespace.

    Args:
        node: the plan node.
        namespace: the first part of each key.
    """

    def __init__(self, node: Behaviour, namespace: str) -> None:
        self._node = node
        self._namespace = namespace
        self._client: Client | None = None
        self._plan: Plan | None = None
        self._reason: str | None = None

    def begin(self) -> None:
        """Begin a new activation: all keys are written again, in case the blackboard was cleared since."""
        self._plan = self._reason = None
        if self._client is not None and self._client.id() not in Blackboard.clients:
            self.close()

    def write(self, plan: Plan, reason: str) -> None:
        """Bring the keys up to date.

        Raises:
            AttributeError: another node has registered one of the keys for exclusive write access.
        """
        if plan is self._plan and reason == self._reason:
            return
        if self._client is None:
            self._client = self._register()
        if plan is not self._plan:
            self._plan = plan
            self._client.set("plan", plan)
            self._client.set("goal", plan.goal)
        if reason != self._reason:
            self._reason = reason
            self._client.set("reason", reason)

    def _register(self) -> Client:
        """Return a client with all keys; if one of them cannot be registered, none is."""
        client = self._node.attach_blackboard_client(self._node.name, self._namespace)
        try:
            for key in ("plan", "goal", "reason"):
                client.register_key(key, Access.WRITE)
        except AttributeError:
            client.unregister()
            self._node.blackboards.remove(client)
            raise
        return client

    def close(self) -> None:
        """Give up the keys; values that no other node has registered are removed."""
        if self._client is not None:
            if self._client.id() in Blackboard.clients:  # else Blackboard.clear() was called
                self._client.unregister()
            self._node.blackboards.remove(self._client)
            self._client = self._plan = self._reason = None
