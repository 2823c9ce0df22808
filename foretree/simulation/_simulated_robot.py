"""The robot of a simulated world, as its user talks to it: over a connection that can be lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from foretree.simulation.action_timing import LOST_AFTER, Performance, Stage, Work
from foretree.skills.robot import End, Execution, LookRequest, Order, Outcome, RobotError
from foretree.world_model.observation import Observation


class Eyes(Protocol):
    """What a world shows its robot."""

    def look(self, request: LookRequest) -> Work:
        """Begin a look."""
        ...

    def observations(self) -> list[Observation]:
        """What there is to report since the last call. Whatever is returned counts as delivered."""
        ...

    def forget_view(self) -> None:
        """Drop what was not reported, and report the view afresh next time."""
        ...

    def told_of(self, work: Work) -> None:
        """The agent has been told that some work is over, and may now believe more than is so: report afresh
        next time whatever the work may have changed."""
        ...


class SimulatedExecution:
    """Something that a simulated robot was told to do."""

    def __init__(self, performance: Performance, stage: Stage[Any], eyes: Eyes) -> None:
        self.id = performance.id
        self._performance = performance
        self._stage = stage
        self._eyes = eyes
        self._reported: End | None = None

    def poll(self) -> End | None:
        """The end, once the robot has confirmed it. Two seconds into a lost connection it counts as lost."""
        if self._reported is None:
            stage = self._stage
            stage.advance()
            if stage.lost_since is None:
                self._report(self._performance.end)
            elif stage.now >= stage.lost_since + LOST_AFTER:
                self._report(End(Outcome.LOST, "the connection to the robot was lost"))
        return self._reported

    def cancel(self) -> None:
        """Ask for an early end. Without a connection, the request gets through when it is back."""
        if self._reported is None:
            self._stage.advance()
            self._stage.cancel(self._performance)

    @property
    def lost(self) -> bool:
        """Whether it was reported as lost."""
        return self._reported is not None and self._reported.outcome is Outcome.LOST

    def anew(self) -> SimulatedExecution:
        """The same execution for somebody who has not asked about it before."""
        return SimulatedExecution(self._performance, self._stage, self._eyes)

    def give_up(self) -> None:
        """Count as lost from now on, unless the end is known already."""
        if self._reported is None:
            self._report(End(Outcome.LOST, "the robot was stopped while it could not be reached"))

    def _report(self, end: End | None) -> None:
        self._reported = end
        if end is not None:
            self._eyes.told_of(self._performance.work)


class SimulatedRobot:
    """Implements :class:`foretree.skills.robot.Robot` on a stage.

    Args:
        name: what the agent calls the robot.
        hands: what it calls its hands.
        stage: where its actions take place.
        eyes: what it sees.
    """

    def __init__(self, name: str, hands: tuple[str, ...], stage: Stage[Any], eyes: Eyes) -> None:
        self.name = name
        self.hands = hands
        self._stage = stage
        self._eyes = eyes
        self._executions: dict[str, SimulatedExecution] = {}
        self._orders: dict[str, Order | LookRequest] = {}
        self._outages = 0

    def start(self, order: Order, execution_id: str) -> Execution:
        """Begin to carry out *order*. Sending the same order under the same id again changes nothing.

        Raises:
            RobotError: the connection is lost, the id belongs to another order, or the robot has no such
                skill.
        """
        return self._begin(order, execution_id, lambda: self._stage.perform(order, execution_id))

    def look(self, request: LookRequest, execution_id: str) -> Execution:
        """Begin a look; what it sees arrives through :meth:`observations`.

        Raises:
            RobotError: the connection is lost, or the id belongs to something else.
        """
        return self._begin(
            request,
            execution_id,
            lambda: self._stage.perform_look(self._eyes.look(request), execution_id),
        )

    def observations(self) -> list[Observation]:
        """Everything observed since the last call; nothing while the connection is lost."""
        self._stage.advance()
        if not self._stage.connected:
            return []
        if self._stage.outages != self._outages:
            self._outages = self._stage.outages
            self._eyes.forget_view()
        return self._eyes.observations()

    def attach(self, execution_id: str) -> Execution | None:
        """The execution of that id if the robot knows it.

        An execution that was lost stays lost; but asked for anew, once the connection is back, the robot
        says what has become of it.

        Raises:
            RobotError: the connection is lost, so nobody can say.
        """
        self._connect()
        known = self._executions.get(execution_id)
        if known is not None and known.lost:
            known = self._executions[execution_id] = known.anew()
        return known

    def stop(self) -> None:
        """Stop moving, now. Without a connection, what runs is lost; the robot stops when it notices."""
        self._stage.advance()
        if not self._stage.connected:
            for performance in self._stage.running():
                self._executions[performance.id].give_up()
        self._stage.stop()

    def _begin(
        self, what: Order | LookRequest, execution_id: str, begin: Callable[[], Performance]
    ) -> SimulatedExecution:
        self._connect()
        known = self._executions.get(execution_id)
        if known is not None:
            if self._orders[execution_id] != what:
                raise RobotError(f"The execution id {execution_id!r} is taken by another order.")
            return known
        execution = SimulatedExecution(begin(), self._stage, self._eyes)
        self._executions[execution_id] = execution
        self._orders[execution_id] = what
        return execution

    def _connect(self) -> None:
        self._stage.advance()
        if not self._stage.connected:
            raise RobotError(f"The connection to {self.name} is lost.")
