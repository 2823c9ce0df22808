"""Executing a skill by a py_trees behaviour: a leaf or a whole subtree of the user's."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import partial
from inspect import isbuiltin, signature
from itertools import count
from typing import TypeAlias

from py_trees.behaviour import Behaviour
from py_trees.blackboard import Blackboard, Client
from py_trees.common import Access, Status

from foretree.planning.plan import Action
from foretree.skills.executors.base import ExecutorError, targets_of
from foretree.skills.robot import End, Execution, Outcome, Robot
from foretree.skills.skill import Skill
from foretree.world_model.beliefs.belief import Snapshot

#: Makes the behaviour of one action. Its clients open the namespace that it is given.
BehaviourFactory: TypeAlias = Callable[[Action, str], Behaviour]

#: The keys of an action's namespace that the behaviour may read: all but the last.
READABLE = ("action", "targets", "robot")
#: The key that the behaviour may write: why it failed, or what is to be said about its success.
REASON = "reason"

#: Two plans in one process never share a namespace.
_numbers = count(1)


class BehaviourExecutor:
    """Carries out an action by ticking a behaviour.

    The behaviour is made with the plan, so that the tree shows it, and begins when the action does. In its
    namespace of the blackboard it finds ``action``, ``targets`` (as a robot is told them: by role, with class
    scores and pose) and ``robot``; it may write ``reason``. SUCCESS means that the action is done, FAILURE
    that it has failed. When the action is cancelled, ``terminate(Status.INVALID)`` has to leave the robot at
    rest: nothing is waited for then.

    Args:
        factory: called as ``factory(action, namespace)``; a subclass of ``Behaviour`` with such a constructor
            will do.
    """

    def __init__(self, factory: BehaviourFactory) -> None:
        self._factory = factory
        self._namespace = ""
        self._root: Behaviour | None = None
        self._execution: BehaviourExecution | None = None

    @property
    def wants_ticks(self) -> bool:
        """Return whether the action has begun and its behaviour has come to no end."""
        return self._execution is not None and self._execution.poll() is None

    def tick(self) -> Iterator[Behaviour]:
        """Tick the behaviour."""
        assert self._root is not None
        assert self._execution is not None
        self._execution.ticked = True
        yield from self._root.tick()

    def make_behaviour(self, action: Action) -> Behaviour:
        """Return the behaviour for *action*. Called once, when the nodes of the action are made.

        Raises:
            ExecutorError: the factory failed, or returned something else.
        """
        self._namespace = f"skills/{action.skill}_{next(_numbers)}"
        name = getattr(self._factory, "__qualname__", repr(self._factory))
        try:
            self._root = self._factory(action, self._namespace)
        except Exception as error:
            raise ExecutorError(
                f"skill {action.skill}: the executor {name} failed: {type(error).__name__}: {error}. It is "
                "called with (action, namespace) and has to return a py_trees behaviour."
            ) from error
        if not isinstance(self._root, Behaviour):
            raise ExecutorError(
                f"{name} returned {type(self._root).__name__} for {action}. An executor has to be a class "
                "with a method begin(), or to return a py_trees behaviour when called (action, namespace)."
            )
        return self._root

    def begin(
        self, action: Action, skill: Skill, beliefs: Snapshot, robot: Robot, execution_id: str
    ) -> Execution:
        """Write the action's keys. From the next tick on, the leaf that acts ticks the behaviour."""
        root = self._root or self.make_behaviour(action)
        client = Client(name=f"executor of {action}", namespace=self._namespace)
        for key in (*READABLE, REASON):
            client.register_key(key, access=Access.WRITE)
        values = {"action": action, "targets": targets_of(action, skill, beliefs, robot), "robot": robot}
        for key, value in {**values, REASON: ""}.items():
            client.set(key, value)
        self._execution = BehaviourExecution(execution_id, root, client)
        return self._execution


class BehaviourExecution:
    """An execution that ends when its behaviour does.

    Attributes:
        id: its id.
        ticked: whether the behaviour was ticked for it; before, its status is that of an earlier attempt.
    """

    def __init__(self, execution_id: str, root: Behaviour, client: Client) -> None:
        self.id = execution_id
        self.ticked = False
        self._root = root
        self._client = client
        self._end: End | None = None

    def poll(self) -> End | None:
        """Return the end, once the behaviour has one."""
        if self._end is None and self.ticked and self._root.status in (Status.SUCCESS, Status.FAILURE):
            done = self._root.status is Status.SUCCESS
            self._finish(Outcome.DONE if done else Outcome.FAILED, "" if done else self._failure())
        return self._end

    def cancel(self) -> None:
        """Stop the behaviour."""
        if self.poll() is None:
            if self._root.status is Status.RUNNING:
                self._root.stop(Status.INVALID)
            self._finish(Outcome.CANCELLED, "")

    def _failure(self) -> str:
        tip = self._root.tip()
        return (tip.feedback_message if tip is not None else "") or f"{self._root.name} failed"

    def _finish(self, outcome: Outcome, otherwise: str) -> None:
        self._end = End(outcome, str(self._client.get(REASON)) or otherwise)
        self._client.unregister(clear=False)
        for key in (*READABLE, REASON):
            Blackboard.unset(f"/{self._client.namespace.strip('/')}/{key}")


def may_return_behaviours(made: Callable[..., object], module: str) -> bool:
    """Return whether *made*, found in *module*, can be called with (action, namespace) to make a behaviour.

    Of classes, only those of behaviours can. Functions in C, those of Python's own library and those that
    *module* imports from another package cannot.
    """
    if isinstance(made, type) and not issubclass(made, Behaviour):
        return False
    function = made.func if isinstance(made, partial) else made
    package = str(getattr(function, "__module__", "")).partition(".")[0]
    if isbuiltin(function) or package in sys.stdlib_module_names or package != module.partition(".")[0]:
        return False
    try:
        signature(made).bind(None, "")
    except (TypeError, ValueError):
        return False
    return True
