"""Steps of a skill on a robot: a goal, a call or a message, each polled until it has an end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import NAMESPACE_OID, UUID, uuid5

from foretree.robots.ros.exchange import Call, Goal, GoalEnd, RosExchange
from foretree.robots.ros.link import Fields, Interface
from foretree.robots.ros.robot_file import FailureMeaning, RobotStep
from foretree.robots.step_sequence import RunningStep
from foretree.skills.robot import End, Outcome

_MISSING = object()


def goal_id(execution_id: str, action: str, step: int = 0) -> UUID:
    """Return the id of the goal of an execution's step: the same again after a crash."""
    return uuid5(NAMESPACE_OID, f"foretree {execution_id} {step} {action}")


def field_of(message: Fields, path: str) -> Any:
    """Return the field of a message at a path such as ``status.code``; a constant object if there is none."""
    value: Any = message
    for name in path.split("."):
        if not isinstance(value, Mapping) or name not in value:
            return _MISSING
        value = value[name]
    return value


def fits(message: Fields, values: Mapping[str, Any]) -> bool:
    """Return whether a message has all these values."""
    return all(field_of(message, path) == value for path, value in values.items())


@dataclass(frozen=True, slots=True)
class PreparedStep:
    """A step of one order, ready to be begun: nothing of it can be refused for what the order lacks.

    Attributes:
        step: what the robot file says.
        interface: its action, service or topic.
        message: the fields of the goal, request or message.
        confirmed_when: for a topic, the values that confirm the end.
        goal_id: for an action, the goal's id.
    """

    step: RobotStep
    interface: Interface
    message: Fields
    goal_id: UUID
    confirmed_when: Mapping[str, Any]

    def begin(self, exchange: RosExchange) -> RunningStep:
        """Begin it.

        Raises:
            RobotError: there is no server; nothing was sent.
        """
        if self.step.kind == "action":
            sent = exchange.send(self.interface, self.message, self.goal_id, self.step.accept_within)
            return GoalStep(sent, self.step)
        if self.step.kind == "service":
            return CallStep(exchange.call(self.interface, self.message), self.step)
        return MessageStep(exchange, self)


class GoalStep:
    """A goal of an action."""

    def __init__(self, goal: Goal, step: RobotStep) -> None:
        self._goal = goal
        self._step = step

    def poll(self) -> End | None:
        end = self._goal.poll()
        return None if end is None else end_of_goal(end, self._step)

    def cancel(self) -> None:
        self._goal.cancel()


class CallStep:
    """A call of a service. It cannot be cancelled: its response is waited for."""

    def __init__(self, call: Call, step: RobotStep) -> None:
        self._call = call
        self._step = step

    def poll(self) -> End | None:
        response = self._call.poll()
        if response is None:
            return None
        if response.error:
            return End(Outcome.LOST, f"{self._call.service}: {response.error}")
        return _judged(response.response, self._step)

    def cancel(self) -> None:
        pass


class MessageStep:
    """A message on a topic, which the robot confirms by another one, or which takes a known time.

    A confirmation counts only if it came after the message and the robot was not saying the same before:
    that would be about an earlier order.
    """

    def __init__(self, exchange: RosExchange, prepared: PreparedStep) -> None:
        self._exchange = exchange
        self._prepared = prepared
        self._cancelled = False
        self._end: End | None = None
        step = prepared.step
        self._due = None if step.done_after is None else exchange.clock.now() + step.done_after
        self._stale = False
        if step.confirm is not None:
            topic = Interface(step.confirm.topic, step.confirm.type)
            exchange.drain()
            last = exchange.last(topic)
            self._stale = last is not None and fits(last, prepared.confirmed_when)
            exchange.listen(topic, self._hear)
        exchange.link.publish(prepared.interface, prepared.message)

    def poll(self) -> End | None:
        if self._end is None:
            self._exchange.drain()
        if self._end is None and self._due is not None and self._exchange.clock.now() >= self._due:
            self._finish()
        return self._end

    def cancel(self) -> None:
        message = self._prepared.step.cancel
        if message is not None and self._end is None:
            self._cancelled = True
            self._exchange.link.publish(self._prepared.interface, message)

    def _hear(self, message: Fields) -> None:
        if self._end is not None:
            return
        confirmed = fits(message, self._prepared.confirmed_when)
        if confirmed and not self._stale:
            self._finish()
        self._stale = self._stale and confirmed

    def _finish(self) -> None:
        self._end = End(Outcome.CANCELLED if self._cancelled else Outcome.DONE)
        confirm = self._prepared.step.confirm
        if confirm is not None:
            self._exchange.forget(Interface(confirm.topic, confirm.type), self._hear)


def end_of_goal(end: GoalEnd, step: RobotStep) -> End:
    """Return what the end of a goal means for its step."""
    if end.outcome == "succeeded":
        return _judged(end.result, step)
    if end.outcome == "unknown":
        return End(Outcome.LOST, f"{step.name}: the action server does not know the goal any more")
    if end.outcome == "rejected":
        return End(Outcome.FAILED, f"{step.name}: the action server rejected the goal")
    meaning = _meaning(end.result, step)
    if meaning is not None and meaning.lost:
        return End(Outcome.LOST, meaning.says)
    outcome = Outcome.CANCELLED if end.outcome == "canceled" else Outcome.FAILED
    return End(outcome, _reason(end.result, step, meaning) or f"{step.name}: the goal was {end.outcome}")


def _judged(result: Fields, step: RobotStep) -> End:
    """The end of what succeeded or responded, by what it says."""
    meaning = _meaning(result, step)
    done = not step.done_if or any(fits(result, values) for values in step.done_if)
    if meaning is not None:
        return End(Outcome.LOST if meaning.lost else Outcome.FAILED, meaning.says)
    if done:
        return End(Outcome.DONE)
    wanted = " or ".join(_show(values) for values in step.done_if)
    return End(
        Outcome.FAILED, _reason(result, step, None) or f"{step.name}: the result does not say {wanted}"
    )


def _meaning(result: Fields, step: RobotStep) -> FailureMeaning | None:
    return next((each for each in step.failures if fits(result, each.if_)), None)


def _reason(result: Fields, step: RobotStep, meaning: FailureMeaning | None) -> str:
    if meaning is not None:
        return meaning.says
    said = field_of(result, step.reason) if step.reason else ""
    return "" if said is _MISSING else str(said)


def _show(values: Mapping[str, Any]) -> str:
    return ", ".join(f"{path}: {value}" for path, value in values.items())


class FoundExecution:
    """An execution from before a crash: goals with its id, on whichever server knows one of them.

    Args:
        execution_id: its id.
        goals: the goals that it can have consisted of, each with its step and whether that is the last one.
            Where skills share an action, a goal that may have been in the middle of one is taken for that.
    """

    def __init__(self, execution_id: str, goals: Iterable[tuple[Goal, RobotStep, bool]]) -> None:
        self.id = execution_id
        self._goals = list(goals)
        self._in_the_middle = {goal.id for goal, _, last in self._goals if not last}
        self._end: End | None = None

    def poll(self) -> End | None:
        """Return the end; see :class:`~foretree.skills.robot.Execution`."""
        if self._end is None:
            self._end = self._find_end()
        return self._end

    def cancel(self) -> None:
        """Ask for an early end of whatever goal of it runs."""
        for goal, _, _ in self._goals:
            goal.cancel()

    def _find_end(self) -> End | None:
        open_goals, known = False, None
        for goal, step, _ in self._goals:
            end = goal.poll()
            if end is None:
                open_goals = True
            elif end.outcome != "unknown":
                known = end_of_goal(end, step)
                if known.outcome is Outcome.DONE and goal.id in self._in_the_middle:
                    known = End(Outcome.CANCELLED, "interrupted between two steps")
        if open_goals:
            return None
        gone = (
            "no action server knows it any more, and none carries it out; what has become of it is not known"
        )
        return known or End(Outcome.FAILED, gone)
