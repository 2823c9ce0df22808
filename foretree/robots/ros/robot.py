"""A robot behind ROS actions, services and topics, as a robot file describes it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pkgutil import resolve_name
from typing import Any, Protocol

from foretree.config import ConfigError
from foretree.errors import suggest
from foretree.robots.ros.exchange import RosExchange
from foretree.robots.ros.inspection import inspect_robot
from foretree.robots.ros.link import Fields, Interface
from foretree.robots.ros.references import OrderContext, resolve
from foretree.robots.ros.robot_file import RobotFile, RobotStep, SkillMapping
from foretree.robots.ros.steps import FoundExecution, PreparedStep, goal_id
from foretree.robots.step_sequence import StepSequence
from foretree.skills.order_book import OrderBook, not_lost
from foretree.skills.robot import End, Execution, LookRequest, Order, Outcome, RobotError
from foretree.world_model.beliefs.belief import Snapshot
from foretree.world_model.observation import Observation


class RobotSenses(Protocol):
    """Senses of a robot: what it sees and feels."""

    def observations(self) -> list[Observation]:
        """Return everything observed since the last call, oldest first. Never blocks."""

    def look(self, request: LookRequest, execution_id: str) -> Execution:
        """Begin a look: it is done once a view taken from now on has been observed."""


class SkillExecutor(Protocol):
    """Executor of a skill that no steps of a robot file describe.

    It is made once, of the exchange, the robot file and the entry's ``settings``; entries that are the same
    share it.
    """

    def begin(self, order: Order, execution_id: str) -> Execution:
        """Begin to carry out *order*. Raises RobotError if it is refused."""

    def attach(self, execution_id: str) -> Execution | None:
        """Return an execution from before a crash; None if it is not known."""

    def watch(self, beliefs: Callable[[], Snapshot]) -> None:
        """Note where to ask for what is believed, for what is to be kept in step with it."""

    def stop(self) -> None:
        """Stop everything that it has set in motion, also before a crash."""


class RosRobot:
    """Implements :class:`foretree.skills.robot.Robot` behind a ROS link.

    Args:
        file: the robot file.
        exchange: the exchange with the robot's servers.
        senses: what it sees; without any, a look fails and says so.
        hold: why nothing may begin now, for example that a supervisor has stopped the robot; empty if it may.
        stamp: the time now as fields of ``builtin_interfaces/msg/Time``.

    Attributes:
        senses: what it sees, which may be known only once there is a map.

    Raises:
        ConfigError: a class that the file names cannot be loaded.
    """

    def __init__(
        self,
        file: RobotFile,
        exchange: RosExchange,
        senses: RobotSenses | None = None,
        hold: Callable[[], str] = lambda: "",
        stamp: Callable[[], Fields] | None = None,
    ) -> None:
        self.name = file.robot
        self.hands = file.hands
        self._file = file
        self._exchange = exchange
        self.senses = senses
        self._hold = hold
        context = file.order_context()
        self._context: OrderContext = replace(context, stamp=stamp) if stamp is not None else context
        self._orders = OrderBook[Execution]()
        self._executors = _executors(file, exchange)
        for step in file.steps():
            if step.confirm is not None:
                exchange.link.listen(Interface(step.confirm.topic, step.confirm.type))

    def check(self) -> list[str]:
        """Return what of the robot file does not fit the interfaces' types, a sentence each."""
        found = inspect_robot(self._file, self._exchange.link)
        return [f"{each.interface}: {each.mismatch}" for each in found if each.mismatch]

    def missing(self) -> list[str]:
        """Return the actions and services of the robot file that nothing serves now."""
        found = inspect_robot(self._file, self._exchange.link, types=False)
        return list(dict.fromkeys(str(each.interface) for each in found if not each.is_there))

    # -- what every robot offers -------------------------------------------------------------------------
    def start(self, order: Order, execution_id: str) -> Execution:
        """Begin to carry out *order*. The same order under the same id again changes nothing.

        Raises:
            RobotError: the robot is held, has no such skill, the order lacks what the skill's message takes,
                there is no server, or the id belongs to another order. Nothing was sent.
        """
        return self._orders.begin(order, execution_id, lambda: self._start(order, execution_id))

    def look(self, request: LookRequest, execution_id: str) -> Execution:
        """Begin a look; what it sees arrives through :meth:`observations`.

        Raises:
            RobotError: the robot is held, has no senses, or there is no server.
        """
        return self._orders.begin(request, execution_id, lambda: self._look(request, execution_id))

    def observations(self) -> list[Observation]:
        """Return everything observed since the last call, oldest first."""
        self._exchange.drain()
        return self.senses.observations() if self.senses is not None else []

    def attach(self, execution_id: str) -> Execution | None:
        """Return the execution of that id; one from before a crash is asked for at every action server.

        Raises:
            RobotError: it was lost, and there is still nothing to be known of it.
        """
        if (known := self._orders.find(execution_id)) is not None:
            return not_lost(known)
        if self._orders.was_refused(execution_id):
            return None
        for executor in self._made():
            if (found := executor.attach(execution_id)) is not None:
                return found
        goals = [
            (
                self._exchange.take_up(interface, goal_id(execution_id, interface.name, index)),
                step,
                index == last,
            )
            for entry in self._file.skills.values()
            for last in [len(entry.steps) - 1]
            for index, step in enumerate(entry.steps)
            if step.kind == "action"
            for interface in self._file.interfaces(step)
        ]
        return FoundExecution(execution_id, goals) if goals else None

    def watch(self, beliefs: Callable[[], Snapshot]) -> None:
        """Let executors ask for what is believed."""
        for executor in self._made():
            executor.watch(beliefs)

    def stop(self) -> None:
        """Stop moving: send what the robot file has for it, and cancel every goal of every action.

        Raises:
            RobotError: something could not be told; everything else was told all the same.
        """
        link = self._exchange.link
        trouble: list[str] = []

        def tell(told: Callable[[], object]) -> None:
            # What cannot be told to one part must not keep the others moving.
            try:
                told()
            except RobotError as error:
                trouble.append(str(error))

        for halt in self._file.stop:
            if halt.topic:
                tell(partial(link.publish, halt.interface, halt.send))
            else:
                tell(partial(self._exchange.call, halt.interface, halt.send))
        actions = [step for step in self._file.steps() if step.kind == "action"]
        for interface in dict.fromkeys(each for step in actions for each in self._file.interfaces(step)):
            tell(partial(link.cancel_all, interface))
        for executor in self._made():
            tell(executor.stop)
        for execution in self._orders.executions:
            tell(execution.cancel)
        if trouble:
            raise RobotError(" ".join(trouble))

    def _made(self) -> list[SkillExecutor]:
        return list({id(each): each for each in self._executors.values()}.values())

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
        if entry.executor:
            name = order.skill if order.skill in self._executors else "*"
            return self._executors[name].begin(order, execution_id)
        return self._sequence(entry, order, execution_id)

    def _look(self, request: LookRequest, execution_id: str) -> Execution:
        self._check_hold()
        if self.senses is None:
            raise RobotError(f"{self.name} has no senses: nothing in its setup reports what it sees.")
        if self._file.look is None:
            return self.senses.look(request, execution_id)
        order = Order("look", {"target": request.at[0]} if request.at else {})
        turning = self._sequence(self._file.look if request.at else None, order, execution_id)
        return _LookExecution(turning, request, self.senses)

    def _check_hold(self) -> None:
        if held := self._hold():
            raise RobotError(held)

    def _sequence(self, entry: SkillMapping | None, order: Order, execution_id: str) -> StepSequence:
        steps = entry.steps if entry is not None else ()
        # All are prepared before the first one begins: the order may lack what the last one takes.
        prepared = [self._prepare(step, order, execution_id, index) for index, step in enumerate(steps)]
        return StepSequence(execution_id, [partial(step.begin, self._exchange) for step in prepared])

    def _prepare(self, step: RobotStep, order: Order, execution_id: str, index: int) -> PreparedStep:
        def resolved(value: Any) -> Any:
            return resolve(value, order, execution_id, self._context)

        if step.cancel is not None:
            step = step.model_copy(update={"cancel": resolved(step.cancel)})
        when = resolved(step.confirm.when) if step.confirm is not None else {}
        interface = Interface(str(resolved(step.name)), step.type)
        return PreparedStep(
            step, interface, resolved(step.send), goal_id(execution_id, interface.name, index), when
        )


class _LookExecution:
    """A look for which the camera is turned first."""

    def __init__(self, turning: StepSequence, request: LookRequest, senses: RobotSenses) -> None:
        self.id = turning.id
        self._turning = turning
        self._request = request
        self._senses = senses
        self._looking: Execution | None = None

    def poll(self) -> End | None:
        if self._looking is None:
            turned = self._turning.poll()
            if turned is None or turned.outcome is not Outcome.DONE:
                return turned
            self._looking = self._senses.look(self._request, self.id)
        return self._looking.poll()

    def cancel(self) -> None:
        (self._looking or self._turning).cancel()


def _executors(file: RobotFile, exchange: RosExchange) -> dict[str, SkillExecutor]:
    """The executors of skills by name; one for all entries that are the same."""
    entries: list[tuple[SkillMapping, SkillExecutor]] = []
    found: dict[str, SkillExecutor] = {}
    for name, entry in file.skills.items():
        if entry.executor:
            made = next((each for same, each in entries if same == entry), None)
            if made is None:
                made = _load(entry, exchange, file)
                entries.append((entry, made))
            found[name] = made
    return found


def _load(entry: SkillMapping, exchange: RosExchange, file: RobotFile) -> SkillExecutor:
    try:
        made: SkillExecutor = resolve_name(entry.executor)(exchange, file, **entry.settings)
    except (ImportError, AttributeError, TypeError, ValueError) as error:
        raise ConfigError(
            f"{file.robot}: the executor {entry.executor} cannot be made: {error}. It is named as "
            "package.module:Class, and is made of the exchange, the robot file and the settings."
        ) from error
    return made
