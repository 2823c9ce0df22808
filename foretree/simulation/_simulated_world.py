"""Base of the simulated worlds, and their robot, reached over a connection that can be lost."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import Any, TypeVar

from foretree.clock import Clock
from foretree.simulation.action_timing import (
    LOST_AFTER,
    ActionScheduler,
    Illegal,
    InjectedFault,
    ScheduledAction,
    SimulatedAction,
)
from foretree.simulation.faults.fault_script import Fault, FaultRates
from foretree.skills.order_book import OrderBook
from foretree.skills.robot import End, Execution, LookRequest, Order, Outcome, RobotError
from foretree.world_model.observation import Observation

D = TypeVar("D")

#: Seconds that a look takes.
LOOK_TIME = 0.5


class SimulatedWorld(ActionScheduler[D]):
    """A world in simulated time with a robot in it. The type parameter is that of its disturbances.

    Args:
        robot: name of the robot.
        hands: names of its hands.
        clock, faults, rates, seed, on_fault: see :class:`ActionScheduler`.

    Attributes:
        robot: the robot, for the agent.
        illegal: every order that was refused.
    """

    def __init__(
        self,
        robot: str,
        hands: tuple[str, ...],
        clock: Clock,
        faults: tuple[Fault[D], ...],
        rates: FaultRates | None,
        seed: int,
        on_fault: Callable[[InjectedFault], None] | None,
    ) -> None:
        super().__init__(clock, faults, rates, seed, on_fault)
        self.illegal: list[Illegal] = []
        self.robot = SimulatedRobot(robot, hands, self)

    @abstractmethod
    def finish_look(self) -> str:
        """Observe what a look sees. Returns why it failed; empty if it did not."""

    @abstractmethod
    def observations(self) -> list[Observation]:
        """Return what there is to report since the last call. It counts as delivered."""

    @abstractmethod
    def forget_view(self) -> None:
        """Drop what was not reported, and report the view afresh next time."""

    @abstractmethod
    def report_afresh(self, action: SimulatedAction) -> None:
        """Report again what an action may have changed, since its reported end may be wrong."""


class _Look(SimulatedAction):
    duration = LOOK_TIME

    def __init__(self, world: SimulatedWorld[Any]) -> None:
        self._world = world

    def finish(self, half: bool = False) -> str:
        return self._world.finish_look()


class SimulatedExecution:
    """An order or a look that a simulated robot was given."""

    def __init__(self, scheduled: ScheduledAction, world: SimulatedWorld[Any]) -> None:
        self.id = scheduled.id
        self._scheduled = scheduled
        self._world = world
        self._reported: End | None = None

    def poll(self) -> End | None:
        """The end, once the robot has confirmed it. Two seconds into a lost connection it counts as lost."""
        if self._reported is None:
            world = self._world
            world.advance()
            if world.lost_since is None:
                self._report(self._scheduled.end)
            elif world.now >= world.lost_since + LOST_AFTER:
                self._report(End(Outcome.LOST, "the connection to the robot was lost"))
        return self._reported

    def cancel(self) -> None:
        """Ask for an early end. Without a connection, the request gets through when it is back."""
        if self._reported is None:
            self._world.advance()
            self._world.cancel(self._scheduled)

    @property
    def lost(self) -> bool:
        """Return whether it was reported as lost."""
        return self._reported is not None and self._reported.outcome is Outcome.LOST

    def anew(self) -> SimulatedExecution:
        """The same execution with no end reported yet."""
        return SimulatedExecution(self._scheduled, self._world)

    def give_up(self) -> None:
        """Count as lost from now on, unless the end is known already."""
        if self._reported is None:
            self._report(End(Outcome.LOST, "the robot was stopped while it could not be reached"))

    def _report(self, end: End | None) -> None:
        self._reported = end
        if end is not None and self._scheduled.counted:
            self._world.report_afresh(self._scheduled.action)


class SimulatedRobot:
    """Implements :class:`foretree.skills.robot.Robot` in a simulated world.

    Attributes:
        name: name of the robot for the agent.
        hands: names of its hands.
    """

    def __init__(self, name: str, hands: tuple[str, ...], world: SimulatedWorld[Any]) -> None:
        self.name = name
        self.hands = hands
        self._world = world
        self._orders = OrderBook[SimulatedExecution]()
        self._outages = 0

    def start(self, order: Order, execution_id: str) -> Execution:
        """Begin to carry out *order*. Sending the same order under the same id again changes nothing.

        Raises:
            RobotError: the connection is lost, the id belongs to another order, or the robot has no such
                skill.
        """
        return self._begin(order, execution_id, lambda: self._world.perform(order, execution_id))

    def look(self, request: LookRequest, execution_id: str) -> Execution:
        """Begin a look; what it sees arrives through :meth:`observations`.

        Raises:
            RobotError: the connection is lost, or the id belongs to something else.
        """
        look = _Look(self._world)
        return self._begin(request, execution_id, lambda: self._world.perform_look(look, execution_id))

    def observations(self) -> list[Observation]:
        """Everything observed since the last call; nothing while the connection is lost."""
        self._world.advance()
        if not self._world.connected:
            return []
        if self._world.outages != self._outages:
            self._outages = self._world.outages
            self._world.forget_view()
        return self._world.observations()

    def attach(self, execution_id: str) -> Execution | None:
        """The execution of that id if the robot knows it.

        An execution that was lost stays lost; but asked for anew, once the connection is back, the robot
        says what has become of it.

        Raises:
            RobotError: the connection is lost.
        """
        self._connect()
        execution = self._orders.find(execution_id)
        if execution is not None and execution.lost:
            execution = execution.anew()
            self._orders.put(execution_id, execution)
        return execution

    def stop(self) -> None:
        """Stop moving, now. Without a connection, what runs is lost; the robot stops when it notices."""
        self._world.advance()
        if not self._world.connected:
            for scheduled in self._world.running():
                if (execution := self._orders.find(scheduled.id)) is not None:
                    execution.give_up()
        self._world.stop()

    def _begin(
        self, order: Order | LookRequest, execution_id: str, begin: Callable[[], ScheduledAction]
    ) -> SimulatedExecution:
        self._connect()
        return self._orders.begin(order, execution_id, lambda: SimulatedExecution(begin(), self._world))

    def _connect(self) -> None:
        self._world.advance()
        if not self._world.connected:
            raise RobotError(f"The connection to {self.name} is lost.")
