"""A robot. This one says what it is told to do, and reports that it is done at once.

Replace the four places marked below by calls to your robot. What Foretree relies on:

* an execution ends only when the robot itself has confirmed it, and an end that was reported never changes;
* nothing blocks: ``poll`` and ``observations`` are called many times per second;
* when the robot cannot be reached, raise ``RobotError``: Foretree keeps asking for a while, then gives up.
"""

from __future__ import annotations

from foretree.skills.robot import End, Execution, LookRequest, Order, Outcome
from foretree.world_model.observation import Observation


class MyRobot:
    """Takes orders."""

    name = "my_robot"
    hands = ("left_hand", "right_hand")

    def __init__(self) -> None:
        self._known: dict[str, MyExecution] = {}

    def start(self, order: Order, execution_id: str) -> Execution:
        """Begin to carry out an order. 1: tell your robot; raise RobotError if it refuses."""
        aims = [f"{name}: {max(t.classes, key=lambda c: t.classes[c])} at {t.pose}"
                for name, t in order.targets.items() if t.classes]  # fmt: skip
        print(f"{execution_id}: {order.skill}", *aims, sep="\n    ")
        return self._begin(execution_id)

    def look(self, request: LookRequest, execution_id: str) -> Execution:
        """Begin a look. 2: turn the camera to the targets' poses; what it sees goes to observations()."""
        print(f"{execution_id}: look {[target.pose for target in request.at] or 'around'}")
        return self._begin(execution_id)

    def observations(self) -> list[Observation]:
        """Everything seen since the last call. 3: hand over what your perception has found."""
        return []

    def attach(self, execution_id: str) -> Execution | None:
        """The execution of that id, if the robot still knows it."""
        return self._known.get(execution_id)

    def stop(self) -> None:
        """Stop moving, now. 4: stop your robot; everything that was running is cancelled."""
        for execution in self._known.values():
            execution.cancel()

    def _begin(self, execution_id: str) -> Execution:
        execution = self._known[execution_id] = MyExecution(execution_id)
        return execution


class MyExecution:
    """Something that the robot was told to do."""

    def __init__(self, execution_id: str) -> None:
        self.id = execution_id
        self._end: End | None = None

    def poll(self) -> End | None:
        """The end, once there is one: here, at the first time of asking."""
        self._end = self._end or End(Outcome.DONE)
        return self._end

    def cancel(self) -> None:
        """Ask for an early end. What has ended already stays as it ended."""
        self._end = self._end or End(Outcome.CANCELLED)
