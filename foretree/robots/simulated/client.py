"""A robot of a simulation over ROS, for the agent."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from uuid import UUID

from foretree.robots.ros.exchange import Goal, GoalEnd, RosExchange
from foretree.robots.ros.link import Fields, Interface
from foretree.robots.ros.steps import goal_id
from foretree.robots.simulated.lock_step import LockStepClock
from foretree.robots.simulated.messages import end_of, look_fields, observation_of, order_fields
from foretree.skills.robot import End, Execution, LookRequest, Order, Outcome, RobotError
from foretree.world_model.observation import Observation

SKILL_TYPE = "foretree_interfaces/action/Skill"
LOOK_TYPE = "foretree_interfaces/action/Look"
#: The action of a robot that looks.
LOOK = "look"


def skill_action(robot: str, skill: str) -> Interface:
    """Return the action for a skill of a robot, or for its looks."""
    return Interface(f"{robot}/{skill}", LOOK_TYPE if skill == LOOK else SKILL_TYPE)


def observations_topic(robot: str) -> Interface:
    """Return the topic of what a robot sees."""
    return Interface(f"{robot}/observations", "foretree_interfaces/msg/Observation")


def connected_topic(robot: str) -> Interface:
    """Return the topic of whether a robot can be reached, which a fault can make so that it cannot."""
    return Interface(f"{robot}/connected", "std_msgs/msg/Bool")


def stop_service(robot: str) -> Interface:
    """Return the service that stops a robot."""
    return Interface(f"{robot}/stop", "std_srvs/srv/Trigger")


class GoalExecution:
    """An order or a look that a robot of a simulation carries out.

    Args:
        execution_id: the caller's id.
        goals: the goals of which one stands for it: a single one, unless an earlier process has sent it.
        settle: called after whatever was sent.
    """

    def __init__(self, execution_id: str, goals: Iterable[Goal], settle: Callable[[], None]) -> None:
        self.id = execution_id
        self._goals = list(goals)
        self._settle = settle
        self._end: End | None = None

    def poll(self) -> End | None:
        """Return the end, once the robot has confirmed it.

        Raises:
            RobotError: the simulation does not answer, or is gone.
        """
        if self._end is None:
            ends = [(goal, goal.poll()) for goal in self._goals]
            known = [(goal, end) for goal, end in ends if end is not None and end.outcome != "unknown"]
            if known:
                self._end = _end_of_goal(*known[0])
            elif all(end is not None for _, end in ends):
                self._end = End(Outcome.LOST, "the simulation does not know it, or not any more")
        return self._end

    @property
    def lost(self) -> bool:
        """Return whether it was reported as lost."""
        return self._end is not None and self._end.outcome is Outcome.LOST

    def cancel(self) -> None:
        """Ask for an early end."""
        if self._end is None:
            for goal in self._goals:
                goal.cancel()
            self._settle()


def _end_of_goal(goal: Goal, end: GoalEnd) -> End:
    if end.outcome == "rejected":
        return End(Outcome.FAILED, f"{goal.action}: the goal was rejected")
    return end_of(end.result)


@dataclass(slots=True)
class _Told:
    """Order that the robot was given under an id, and how often."""

    wanted: Order | LookRequest
    action: Interface
    execution: GoalExecution
    times: int = 1


class SimulatedRosRobot:
    """Implements :class:`foretree.skills.robot.Robot` for a robot of a simulation over ROS.

    Every part of an order, of a look, of an end and of an observation goes over ROS as it is, so that an
    agent does the same as with the world in its own process.

    Args:
        name: the robot's name, in the simulation and for the agent.
        hands: names of its hands.
        skills: what it can do.
        exchange: the exchange with the simulation.
        lock_step: the simulation's time if it moves when the agent sleeps. What has come of an order already
            is waited for then.
        since: the simulation's time at which the agent's clock began.
    """

    def __init__(
        self,
        name: str,
        hands: tuple[str, ...],
        skills: tuple[str, ...],
        exchange: RosExchange,
        lock_step: LockStepClock | None = None,
        since: float = 0.0,
    ) -> None:
        self.name = name
        self.hands = hands
        self._skills = skills
        self._exchange = exchange
        self._lock_step = lock_step
        self._sent_at = -1.0
        self._since = since
        self._told: dict[str, _Told] = {}
        self._never_sent: set[str] = set()
        self._observed: list[Observation] = []
        self._connected = True
        exchange.listen(observations_topic(name), self._see)
        exchange.listen(connected_topic(name), self._hear_connected)
        if lock_step is not None:
            lock_step.puts_off.append(self._may_ask_anew)

    def close(self) -> None:
        """Hear nothing more."""
        self._exchange.forget(observations_topic(self.name), self._see)
        self._exchange.forget(connected_topic(self.name), self._hear_connected)

    def missing(self) -> list[str]:
        """Return the actions and services of the robot that are not there."""
        wanted = [*self._actions(), stop_service(self.name)]
        return [str(each) for each in wanted if not self._exchange.link.servers(each)]

    # -- what every robot offers -------------------------------------------------------------------------
    def start(self, order: Order, execution_id: str) -> Execution:
        """Begin to carry out *order*. The same order under the same id again changes nothing.

        Raises:
            RobotError: the robot cannot be reached, has no such skill, or the id belongs to another order.
        """
        return self._begin(order, execution_id, skill_action(self.name, order.skill))

    def look(self, request: LookRequest, execution_id: str) -> Execution:
        """Begin a look; what it sees arrives through :meth:`observations`.

        Raises:
            RobotError: the robot cannot be reached, or the id belongs to something else.
        """
        return self._begin(request, execution_id, skill_action(self.name, LOOK))

    def observations(self) -> list[Observation]:
        """Return everything observed since the last call, oldest first.

        Raises:
            RobotError: the simulation is gone.
        """
        if self._lock_step is not None:
            # What was sent since the last look can have changed what there is to see.
            self._lock_step.look(again=self._sent_at == self._lock_step.now())
        self._exchange.drain()
        if not self._observed and not self._exchange.link.servers(stop_service(self.name)):
            raise RobotError(f"The simulation of {self.name} is gone.")
        observed, self._observed = self._observed, []
        return observed

    def attach(self, execution_id: str) -> Execution | None:
        """Return the execution of that id. What was lost is asked for anew.

        Raises:
            RobotError: the robot cannot be reached.
        """
        self._reach()
        if execution_id in self._never_sent:
            return None
        told = self._told.get(execution_id)
        if told is None:
            return self._from_before(execution_id)
        told.execution.poll()
        if told.execution.lost:
            told.execution = self._send(told.wanted, execution_id, told.action, told.times)
            told.times += 1
        return told.execution

    def stop(self) -> None:
        """Stop moving, now.

        Raises:
            RobotError: the simulation is gone.
        """
        self._exchange.call(stop_service(self.name), {})
        self._settle()

    # -- within ------------------------------------------------------------------------------------------
    def _may_ask_anew(self) -> bool:
        """Tell whether something may get lost: the agent asks for that before what was seen."""
        return not self._connected or any(told.execution.lost for told in self._told.values())

    def _settle(self) -> None:
        if self._lock_step is not None:
            self._sent_at = self._lock_step.now()
            self._lock_step.settle()

    def _begin(self, wanted: Order | LookRequest, execution_id: str, action: Interface) -> Execution:
        told = self._told.get(execution_id)
        if told is not None:
            self._reach()
            if told.wanted != wanted:
                raise RobotError(f"The execution id {execution_id!r} is taken by another order.")
            return told.execution
        try:
            self._reach()
            execution = self._send(wanted, execution_id, action)
        except RobotError:
            self._never_sent.add(execution_id)
            raise
        self._never_sent.discard(execution_id)
        self._told[execution_id] = _Told(wanted, action, execution)
        return execution

    def _send(
        self, wanted: Order | LookRequest, execution_id: str, action: Interface, times: int = 0
    ) -> GoalExecution:
        """Send a goal for an execution. If the simulation knows the execution, the goal stands for that."""
        if isinstance(wanted, Order):
            fields = order_fields(wanted, execution_id)
        else:
            fields = look_fields(wanted, execution_id)
        goal = self._exchange.send(action, fields, _goal_id(execution_id, action, times))
        execution = GoalExecution(execution_id, [goal], self._settle)
        self._settle()
        return execution

    def _from_before(self, execution_id: str) -> GoalExecution:
        """Return an execution that an earlier process may have begun."""
        goals = [
            self._exchange.take_up(action, _goal_id(execution_id, action, 0)) for action in self._actions()
        ]
        return GoalExecution(execution_id, goals, self._settle)

    def _actions(self) -> list[Interface]:
        return [skill_action(self.name, skill) for skill in (*self._skills, LOOK)]

    def _reach(self) -> None:
        self._exchange.drain()
        if not self._connected:
            raise RobotError(f"The connection to {self.name} is lost.")

    def _see(self, message: Fields) -> None:
        observation = observation_of(message)
        if self._since:
            observation = replace(observation, time=max(0.0, observation.time - self._since))
        self._observed.append(observation)

    def _hear_connected(self, message: Fields) -> None:
        self._connected = bool(message["data"])


def _goal_id(execution_id: str, action: Interface, times: int) -> UUID:
    """Return the id of a goal: the same again after a crash."""
    return goal_id(execution_id, action.name, times)
