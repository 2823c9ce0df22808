"""The exchange with ROS servers: goals and calls, each of which hears what arrives for it.

=============================================  ==========================================================
situation                                      what a goal or a call says
=============================================  ==========================================================
no server when it is to be sent                RobotError; nothing is sent
not answered within *accept_within*            RobotError with every poll, until an answer comes; the
                                               executive keeps asking, and gives it up as *lost*
answered late                                  goes on as if it had been in time; what was cancelled
                                               meanwhile is cancelled again
rejected                                       *rejected*
result of another goal                         nothing: results are asked for by id
a second result                                nothing: the first one counts
cancel refused                                 goes on; the next cancel is sent again
cancel of a goal that the server forgot        its result is asked for again
server gone                                    RobotError with every poll, until there is one
another server in its place                    its result is asked for again: one that does not know the
                                               goal says *unknown*. It is never sent again
=============================================  ==========================================================
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, TypeAlias
from uuid import UUID, uuid4
from weakref import WeakValueDictionary

from foretree.clock import Clock
from foretree.robots.ros.link import (
    Answered,
    Arrival,
    CancelAnswer,
    CancelAnswered,
    Fields,
    GoalStatus,
    Heard,
    Interface,
    Responded,
    Resulted,
    RosLink,
)
from foretree.skills.robot import RobotError

#: Seconds within which a server has to answer, unless it is given others.
ACCEPT_WITHIN = 5.0

#: How a goal can end.
GoalOutcome: TypeAlias = Literal["succeeded", "canceled", "aborted", "rejected", "unknown"]

_OUTCOMES: dict[GoalStatus, GoalOutcome] = {
    GoalStatus.SUCCEEDED: "succeeded",
    GoalStatus.CANCELED: "canceled",
    GoalStatus.ABORTED: "aborted",
}


@dataclass(frozen=True, slots=True)
class GoalEnd:
    """The end of a goal.

    Attributes:
        outcome: how.
        result: the result's fields, if there is one.
    """

    outcome: GoalOutcome
    result: Fields = field(default_factory=dict)


class Goal:
    """A goal that a server was sent.

    Attributes:
        action: the action.
        id: the goal's id.
    """

    __slots__ = (
        "__weakref__",
        "_accepted",
        "_asked_of",
        "_due",
        "_end",
        "_exchange",
        "_sent_to",
        "_wants_cancel",
        "action",
        "id",
    )

    def __init__(self, exchange: RosExchange, action: Interface, goal_id: UUID, due: float) -> None:
        self.action = action
        self.id = goal_id
        self._exchange = exchange
        self._due = due
        self._sent_to = exchange.link.servers(action)
        self._asked_of: frozenset[str] = frozenset()
        self._accepted = False
        self._wants_cancel = False
        self._end: GoalEnd | None = None

    def poll(self) -> GoalEnd | None:
        """Return the end, once the server has reported it.

        Raises:
            RobotError: the server does not answer, or is gone.
        """
        if self._end is None:
            self._exchange.drain()
        if self._end is None:
            self._keep_in_touch()
        return self._end

    def cancel(self) -> None:
        """Ask for an early end. Another call asks again."""
        if self._end is None:
            self._wants_cancel = True
            self._exchange.link.cancel_goal(self.action, self.id)

    def _keep_in_touch(self) -> None:
        exchange = self._exchange
        servers = exchange.link.servers(self.action)
        if not servers:
            raise RobotError(f"{self.action}: the action server is gone.")
        if self._accepted:
            if not servers & self._asked_of:
                self._ask(servers)
        elif not servers & self._sent_to:
            # The one that the goal was sent to may have begun with it; its successor knows nothing of it.
            self._accepted = True
            self._ask(servers)
        elif exchange.clock.now() >= self._due:
            raise RobotError(f"{self.action}: the action server does not answer.")

    def _ask(self, servers: frozenset[str]) -> None:
        self._asked_of = servers
        self._exchange.link.ask_result(self.action, self.id)

    def hear(self, arrival: Arrival) -> None:
        """Take notice of what has arrived for this goal."""
        if self._end is not None:
            return
        if isinstance(arrival, Answered):
            self._answered(arrival.accepted)
        elif isinstance(arrival, Resulted):
            self._accepted = True
            self._end = GoalEnd(_OUTCOMES.get(arrival.status, "unknown"), arrival.result)
        elif isinstance(arrival, CancelAnswered):
            forgotten = arrival.answer is CancelAnswer.UNKNOWN_GOAL_ID
            if forgotten and self._accepted:
                self._ask(self._asked_of)

    def _answered(self, accepted: bool) -> None:
        if not accepted:
            self._end = GoalEnd("rejected")
            return
        self._accepted = True
        self._ask(self._exchange.link.servers(self.action))
        if self._wants_cancel:
            self._exchange.link.cancel_goal(self.action, self.id)


class Call:
    """A call of a service.

    Attributes:
        service: the service.
        id: the call's id.
    """

    __slots__ = ("__weakref__", "_exchange", "_response", "_sent_to", "id", "service")

    def __init__(self, exchange: RosExchange, service: Interface, call_id: UUID) -> None:
        self.service = service
        self.id = call_id
        self._exchange = exchange
        self._sent_to = exchange.link.servers(service)
        self._response: Responded | None = None

    def poll(self) -> Responded | None:
        """Return the response, once there is one.

        Raises:
            RobotError: the service is gone, or another one has taken its place: what has become of the call
                is not known.
        """
        if self._response is None:
            self._exchange.drain()
        if self._response is None and not self._exchange.link.servers(self.service) & self._sent_to:
            raise RobotError(f"{self.service}: the service is gone, and the call with it.")
        return self._response

    def hear(self, arrival: Arrival) -> None:
        """Take notice of what has arrived for this call."""
        if isinstance(arrival, Responded) and self._response is None:
            self._response = arrival


class RosExchange:
    """Passes on what arrives over a link to the goals, calls and listeners that it is for.

    Args:
        link: the link, which nothing else drains.
        clock: decides when an answer is late.
    """

    def __init__(self, link: RosLink, clock: Clock) -> None:
        self.link = link
        self.clock = clock
        self._waiting: WeakValueDictionary[UUID, Goal | Call] = WeakValueDictionary()
        self._listeners: dict[Interface, list[Callable[[Fields], None]]] = {}
        self._last: dict[Interface, Fields] = {}

    def send(
        self, action: Interface, goal: Fields, goal_id: UUID, accept_within: float = ACCEPT_WITHIN
    ) -> Goal:
        """Send a goal.

        Args:
            action: which action.
            goal: the goal's fields.
            goal_id: a new id.
            accept_within: seconds in which the server has to answer.

        Raises:
            RobotError: there is no server. Nothing was sent.
        """
        if not self.link.servers(action):
            raise RobotError(f"{action}: there is no action server.")
        sent = Goal(self, action, goal_id, self.clock.now() + accept_within)
        self._waiting[goal_id] = sent
        self.link.send_goal(action, goal_id, goal)
        return sent

    def take_up(self, action: Interface, goal_id: UUID) -> Goal:
        """Return a goal that was sent earlier, perhaps by a program that has crashed since."""
        known = self._waiting.get(goal_id)
        if isinstance(known, Goal):
            return known
        goal = Goal(self, action, goal_id, 0.0)
        self._waiting[goal_id] = goal
        goal.hear(Answered(goal_id, accepted=True))
        return goal

    def call(self, service: Interface, request: Fields) -> Call:
        """Call a service.

        Raises:
            RobotError: there is no such service. Nothing was sent.
        """
        if not self.link.servers(service):
            raise RobotError(f"{service}: there is no such service.")
        call = Call(self, service, uuid4())
        self._waiting[call.id] = call
        self.link.call(service, call.id, request)
        return call

    def listen(self, topic: Interface, hear: Callable[[Fields], None]) -> None:
        """Have *hear* called with every message of a topic, on the thread that drains."""
        self._listeners.setdefault(topic, []).append(hear)
        self.link.listen(topic)

    def forget(self, topic: Interface, hear: Callable[[Fields], None]) -> None:
        """Call *hear* no more."""
        self._listeners[topic] = [each for each in self._listeners.get(topic, ()) if each != hear]

    def last(self, topic: Interface) -> Fields | None:
        """Return the last message of a topic that is listened to; None if there was none."""
        return self._last.get(topic)

    def drain(self) -> None:
        """Pass on what has arrived."""
        for arrival in self.link.arrivals():
            if isinstance(arrival, Heard):
                self._last[arrival.topic] = arrival.message
                for hear in tuple(self._listeners.get(arrival.topic, ())):
                    hear(arrival.message)
            elif (waiting := self._waiting.get(arrival.id)) is not None:
                waiting.hear(arrival)
