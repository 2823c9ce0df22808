"""ARMAR as a robot: orders become skills of its skill manager, over the bridge to ArmarX."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from foretree.clock import Clock
from foretree.errors import suggest
from foretree.robots.armar.armar_file import ArmarFile, ArmarSkill, ArmarStep, converted
from foretree.robots.armar.bridge_process import BridgeProcess
from foretree.robots.armar.exchange import ArmarExchange, SkillCall, call_id
from foretree.robots.armar.executing import (
    FoundCallsExecution,
    PossibleCall,
    PreparedCall,
)
from foretree.robots.armar.memory_senses import MemorySenses
from foretree.robots.ros.references import resolve
from foretree.robots.step_sequence import StepSequence
from foretree.skills.order_book import OrderBook, not_lost
from foretree.skills.robot import End, Execution, LookRequest, Order, Outcome, RobotError
from foretree.world_model.observation import Observation


class ArmarRobot:
    """Implements :class:`foretree.skills.robot.Robot` for ARMAR.

    Args:
        file: the robot file.
        bridge: our end of the bridge, which nothing else reads.
        clock: the session's clock.
        hold: why nothing may begin now, for example that a supervisor has stopped the robot; empty if it may.
    """

    def __init__(
        self, file: ArmarFile, bridge: BridgeProcess, clock: Clock, hold: Callable[[], str] = lambda: ""
    ) -> None:
        self.name = file.robot
        self.hands = file.hands
        self._file, self._bridge, self._hold = file, bridge, hold
        self._context = file.order_context()
        self._senses = MemorySenses(file.objects, clock)
        self._exchange = ArmarExchange(bridge, self._senses)
        self._orders = OrderBook[Execution]()

    def is_connected(self) -> bool:
        """Return whether the bridge is connected; ask until it is."""
        self._exchange.drain()
        return not self._exchange.trouble

    def missing(self) -> list[str]:
        """Return the skills of the robot file that no provider offers, once the bridge is connected."""
        there = self._bridge.skills
        wanted = {(provider, skill) for _, _, provider, skill, _ in self._steps()}
        return sorted(
            f"{provider}/{skill}" for provider, skill in wanted if skill not in there.get(provider, ())
        )

    # -- what every robot offers -------------------------------------------------------------------------
    def start(self, order: Order, execution_id: str) -> Execution:
        """Begin to carry out *order*. The same order under the same id again changes nothing.

        Raises:
            RobotError: the robot is held, cannot be reached, has no such skill, the order lacks what the
                skill takes, or the id belongs to another order. Nothing was sent.
        """
        return self._orders.begin(order, execution_id, lambda: self._start(order, execution_id))

    def look(self, request: LookRequest, execution_id: str) -> Execution:
        """Begin a look: it is done once the head has turned, and the memory was read after that.

        Raises:
            RobotError: as for :meth:`start`.
        """
        return self._orders.begin(request, execution_id, lambda: self._look(request, execution_id))

    def observations(self) -> list[Observation]:
        """Return everything observed since the last call, oldest first."""
        self._exchange.drain()
        return self._senses.take()

    def attach(self, execution_id: str) -> Execution | None:
        """Return the execution of that id; one from before a crash is looked for on the robot.

        Raises:
            RobotError: the robot cannot be asked, or it was lost, and there is still nothing to be known.
        """
        if self._orders.was_refused(execution_id):
            return None
        found = self._orders.find(execution_id)
        if found is None:
            found = FoundCallsExecution(
                execution_id,
                [
                    PossibleCall(self._find(execution_id, index, provider, skill), step, index, last)
                    for index, step, provider, skill, last in self._steps()
                ],
            )
            self._orders.put(execution_id, found)
        return not_lost(found)

    def stop(self) -> None:
        """Stop: abort every skill that was begun here, and set the soft emergency stop if the file says so.

        Raises:
            RobotError: the robot cannot be told.
        """
        for execution in self._orders.executions:
            execution.cancel()
        self._exchange.stop(emergency=self._file.stop == "emergency_stop")

    # -- within ------------------------------------------------------------------------------------------
    def _start(self, order: Order, execution_id: str) -> Execution:
        self._check_hold()
        entry = self._file.entry(order.skill)
        if entry is None:
            offered = [name for name in self._file.skills if name != "*"]
            raise RobotError(
                f"The robot file of {self.name} does not say how to {order.skill}. "
                f"{suggest(order.skill, offered)}"
            )
        return self._sequence(entry, order, execution_id)

    def _look(self, request: LookRequest, execution_id: str) -> Execution:
        self._check_hold()
        if not self._file.bridge.object_memory:
            raise RobotError(f"{self.name} sees nothing: its robot file names no object_memory.")
        order = Order("look", {"target": request.at[0]} if request.at else {})
        turning = self._sequence(self._file.look if request.at else None, order, execution_id)
        return _MemoryLook(turning, self._senses, self._exchange)

    def _check_hold(self) -> None:
        self._exchange.drain()
        if why := self._hold() or self._exchange.trouble:
            raise RobotError(why)

    def _sequence(self, entry: ArmarSkill | None, order: Order, execution_id: str) -> StepSequence:
        steps = entry.sequence() if entry is not None else ()
        # All are prepared before the first one begins: the order may lack what the last one takes.
        calls = [self._prepare(step, order, execution_id, index) for index, step in enumerate(steps)]
        return StepSequence(execution_id, [partial(call.begin, self._exchange) for call in calls])

    def _prepare(self, step: ArmarStep, order: Order, execution_id: str, index: int) -> PreparedCall:
        def resolved(value: object) -> str:
            return str(resolve(value, order, execution_id, self._context))

        try:
            params = converted(resolve(step.params, order, execution_id, self._context))
        except ValueError as error:
            raise RobotError(f"{order.skill}: the robot file wants {error}.") from error
        provider, skill = resolved(step.provider), resolved(step.skill)
        return PreparedCall(step, call_id(execution_id, index, provider, skill), provider, skill, params)

    def _find(self, execution_id: str, index: int, provider: str, skill: str) -> SkillCall:
        return self._exchange.find(call_id(execution_id, index, provider, skill), provider, skill)

    def _steps(self) -> Iterator[tuple[int, ArmarStep, str, str, bool]]:
        """All steps of skills and looks: the number, the step, provider and skill, whether it is the last."""
        for entry in [*self._file.skills.values(), *([self._file.look] if self._file.look else [])]:
            for index, step in enumerate(entry.sequence()):
                for hand in self.hands if "$hand" in step.provider + step.skill else ("",):
                    provider, skill = (name.replace("$hand", hand) for name in (step.provider, step.skill))
                    yield index, step, provider, skill, index == len(entry.sequence()) - 1


class _MemoryLook:
    """A look: the head is turned, and then the memory is waited for."""

    def __init__(self, turning: StepSequence, senses: MemorySenses, exchange: ArmarExchange) -> None:
        self.id = turning.id
        self._turning, self._senses, self._exchange = turning, senses, exchange
        self._since: int | None = None
        self._end: End | None = None

    def poll(self) -> End | None:
        if self._end is None:
            turned = self._turning.poll()
            if turned is None or turned.outcome is not Outcome.DONE:
                self._end = turned
            elif self._since is None:
                self._since = self._senses.readings
            else:
                self._read()
        return self._end

    def cancel(self) -> None:
        self._turning.cancel()
        if self._since is not None:
            self._end = self._end or End(Outcome.CANCELLED)

    def _read(self) -> None:
        self._exchange.drain()
        if why := self._exchange.trouble:
            raise RobotError(why)
        if self._senses.failure:
            self._end = End(Outcome.FAILED, f"the memory cannot be read: {self._senses.failure}")
        # The reading that was under way when the head had turned may be older than that.
        elif self._since is not None and self._senses.readings >= self._since + 2:
            self._end = End(Outcome.DONE)
