"""A robot, its transforms and its clock, of which a bag takes down what a replay needs besides messages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from foretree.clock import Clock
from foretree.robots.ros.bags.marks import MarkKind, end_data, order_digest, transform_data
from foretree.robots.ros.senses.transforms import Transform, TransformError, Transforms
from foretree.skills.robot import End, Execution, LookRequest, Order, Robot, RobotError
from foretree.world_model.observation import Observation


class TakesMarks(Protocol):
    """Takes down marks: a bag, or those of several runs."""

    def mark(self, kind: MarkKind, data: Mapping[str, Any], time: float | None = None) -> None:
        """Write a mark."""


class NotedTransforms:
    """Transforms of which a bag takes down those that are asked for."""

    def __init__(self, transforms: Transforms, bag: TakesMarks) -> None:
        self._transforms = transforms
        self._bag = bag

    def lookup(self, target: str, source: str, time: int | None) -> Transform:
        """Return the pose of *source* in *target*; take down what it is, or why it is not known."""
        try:
            found = self._transforms.lookup(target, source, time)
        except TransformError as error:
            self._bag.mark("transform", transform_data(target, source, time, error))
            raise
        self._bag.mark("transform", transform_data(target, source, time, found))
        return found


class NotedClock:
    """A session's clock, of which a bag takes down when ticks begin.

    Args:
        clock: the clock.
        bag: the bag.
    """

    def __init__(self, clock: Clock, bag: TakesMarks) -> None:
        self.simulated = clock.simulated
        self._clock = clock
        self._bag = bag

    def now(self) -> float:
        """Return the time now."""
        return self._clock.now()

    def sleep_until(self, instant: float) -> None:
        """Return once that time has come, and take it down."""
        self._clock.sleep_until(instant)
        self._bag.mark("awake", {})


class NotedRobot:
    """A robot of which a bag takes down what it was told, and how that ended.

    Args:
        robot: the robot.
        bag: the bag.
    """

    def __init__(self, robot: Robot, bag: TakesMarks) -> None:
        self.name, self.hands = robot.name, robot.hands
        self._robot = robot
        self._bag = bag
        self._executions: dict[str, _NotedExecution] = {}

    def start(self, order: Order, execution_id: str) -> Execution:
        """Begin to carry out *order*."""
        return self._begin(order, execution_id, lambda: self._robot.start(order, execution_id))

    def look(self, request: LookRequest, execution_id: str) -> Execution:
        """Begin a look."""
        return self._begin(request, execution_id, lambda: self._robot.look(request, execution_id))

    def observations(self) -> list[Observation]:
        """Return everything observed since the last call, oldest first."""
        return self._robot.observations()

    def attach(self, execution_id: str) -> Execution | None:
        """Return the execution of that id, if the robot still knows it."""
        found = self._robot.attach(execution_id)
        return None if found is None else self._noted(found)

    def stop(self) -> None:
        """Stop moving, now."""
        self._bag.mark("stopped", {})
        self._robot.stop()

    def _begin(
        self, order: Order | LookRequest, execution_id: str, begin: Callable[[], Execution]
    ) -> Execution:
        skill = order.skill if isinstance(order, Order) else "look"
        said = {"execution": execution_id, "skill": skill, "digest": order_digest(order)}
        self._bag.mark("begun", said)
        try:
            return self._noted(begin())
        except RobotError as error:
            self._bag.mark("refused", {**said, "reason": error.message()})
            raise

    def _noted(self, execution: Execution) -> Execution:
        known = self._executions.get(execution.id)
        if known is None:
            known = self._executions[execution.id] = _NotedExecution(execution, self._bag)
        return known


class _NotedExecution:
    """An execution whose end a bag takes down."""

    def __init__(self, execution: Execution, bag: TakesMarks) -> None:
        self.id = execution.id
        self._execution = execution
        self._bag = bag
        self._end: End | None = None

    def poll(self) -> End | None:
        """Return the end, once there is one."""
        end = self._execution.poll()
        if end is not None and self._end is None:
            self._end = end
            self._bag.mark("ended", end_data(self.id, end))
        return end

    def cancel(self) -> None:
        """Ask for an early end."""
        self._bag.mark("cancelled", {"execution": self.id})
        self._execution.cancel()
