"""Lock-step with a simulation over ROS: its time moves when the agent's tick is over, and not before.

Nothing is on its way when a tick begins: what was sent has been dealt with, and what came of it has arrived.
So a run over ROS is as deterministic as one with the world in the agent's own process, and equal to it.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable
from uuid import UUID, uuid4

from foretree.robots.ros.link import (
    Answered,
    Arrival,
    CancelAnswered,
    Fields,
    Heard,
    Interface,
    Responded,
    Resulted,
    RosLink,
)
from foretree.skills.robot import RobotError

ADVANCE = Interface("advance", "foretree_interfaces/srv/Advance")

#: Seconds of real time that the simulation has for anything.
PATIENCE = 30.0
#: Seconds between two looks at what has arrived, and at whether the simulation is still there.
_POLL = 0.0002
_ALIVE = 0.25


class LockStepLink:
    """A link that waits for the simulation: what is sent over it was dealt with once the call returns.

    Implements :class:`~foretree.robots.ros.link.RosLink`.

    Args:
        link: the link to ROS, which nothing else drains.
        patience: seconds of real time that the simulation has for anything.

    Attributes:
        gone: why nothing is waited for any more; empty while the simulation answers.
    """

    def __init__(self, link: RosLink, patience: float = PATIENCE) -> None:
        self.gone = ""
        self._link = link
        self._patience = patience
        self._arrived: deque[Arrival] = deque()
        #: By id: what has arrived for it, by kind.
        self._kinds: Counter[tuple[UUID, type]] = Counter()
        self._responses: dict[UUID, Responded] = {}
        self._heard: dict[Interface, int] = {}
        #: Goals whose result was asked for, and the server that was asked.
        self._asked: dict[UUID, frozenset[str]] = {}
        #: How many messages had been heard, and published, when the counting began; and by which server.
        self._base = (0, 0)
        self._server: frozenset[str] = frozenset()

    # -- what every link offers --------------------------------------------------------------------------
    def check(self, interface: Interface, fields: Fields, *, answer: bool = False) -> str:
        """Return why *fields* do not fit the interface's type; empty if they do."""
        return self._link.check(interface, fields, answer=answer)

    def servers(self, interface: Interface) -> frozenset[str]:
        """Return the identities of what serves the action or service; none if nothing does."""
        return self._link.servers(interface)

    def send_goal(self, action: Interface, goal_id: UUID, goal: Fields) -> None:
        """Send a goal, wait until it is answered, and ask for its result."""
        self._link.send_goal(action, goal_id, goal)
        self._wait(lambda: self._has(goal_id, Answered))
        if any(each == Answered(goal_id, True) for each in self._arrived):
            self.ask_result(action, goal_id)

    def ask_result(self, action: Interface, goal_id: UUID) -> None:
        """Ask for the result of a goal, unless the same server was asked already."""
        server = self._link.servers(action)
        if goal_id not in self._asked or self._asked[goal_id] != server:
            self._asked[goal_id] = server
            self._link.ask_result(action, goal_id)

    def cancel_goal(self, action: Interface, goal_id: UUID) -> None:
        """Ask for the end of one goal, and wait for the answer."""
        before = self._kinds[goal_id, CancelAnswered]
        self._link.cancel_goal(action, goal_id)
        self._wait(lambda: self._kinds[goal_id, CancelAnswered] > before)

    def cancel_all(self, action: Interface) -> None:
        """Ask for the end of all goals of a server."""
        self._link.cancel_all(action)

    def call(self, service: Interface, call_id: UUID, request: Fields) -> None:
        """Call a service, and wait until it has responded."""
        self._link.call(service, call_id, request)
        self._wait(lambda: self._has(call_id, Responded))

    def publish(self, topic: Interface, message: Fields) -> None:
        """Publish a message."""
        self._link.publish(topic, message)

    def listen(self, topic: Interface) -> None:
        """Listen to a topic of the simulation; its messages are counted."""
        self._heard.setdefault(topic, 0)
        self._link.listen(topic)

    def arrivals(self) -> list[Arrival]:
        """Return all that has arrived since the last call, oldest first."""
        self._take_in()
        arrived = list(self._arrived)
        self._arrived.clear()
        return arrived

    # -- the simulation ----------------------------------------------------------------------------------
    def connect(self, listeners: int = 1) -> None:
        """Wait until the simulation is there and hears this side, and begin to count its messages.

        Args:
            listeners: how many listen to the observations of each robot.

        Raises:
            RobotError: that takes too long.
        """
        limit = time.monotonic() + self._patience
        self.gone = ""
        while True:
            if self._link.servers(ADVANCE):
                response = self._ask_to_advance(-1.0)
                if response is not None and response["listeners"] >= listeners:
                    break
            if time.monotonic() > limit:
                raise RobotError(self.gone or f"{ADVANCE}: there is no simulation in lock-step.")
            self.gone = ""
            time.sleep(0.02)
        self._take_in()
        self._server = self._link.servers(ADVANCE)
        self._base = sum(self._heard.values()), response["published"]

    def advance(self, instant: float, look: bool) -> None:
        """Have the simulation's time move on, and wait for all that it has published until then.

        Once the simulation is gone, nothing is waited for: its goals and calls say so.

        Args:
            instant: seconds since the simulation began.
            look: whether its robots look around then.
        """
        if self.gone and not self._link.servers(ADVANCE):
            return
        self.gone = ""
        response = self._ask_to_advance(instant, look)
        if response is None:
            return
        server = self._link.servers(ADVANCE)
        if server != self._server:  # another simulation, which counts anew
            self._server, self._base = server, (sum(self._heard.values()), response["published"])
        heard, published = self._base
        due = response["published"] - published + heard
        ended = [each for each in map(UUID, response["ended"]) if each in self._asked]
        self._wait(
            lambda: sum(self._heard.values()) >= due and all(self._has(each, Resulted) for each in ended)
        )

    # -- within ------------------------------------------------------------------------------------------
    def _ask_to_advance(self, instant: float, look: bool = False) -> Fields | None:
        call = uuid4()
        if not self._link.servers(ADVANCE):
            self.gone = f"{ADVANCE}: the simulation is gone."
            return None
        self._link.call(ADVANCE, call, {"time": instant, "look": look})
        self._wait(lambda: call in self._responses)
        response = self._responses.pop(call, None)
        return response.response if response is not None and not response.error else None

    def _wait(self, condition: Callable[[], bool]) -> None:
        """Wait until the condition holds, or the simulation is gone."""
        begun = looked = time.monotonic()
        while True:
            self._take_in()
            if condition():
                return
            now = time.monotonic()
            if now >= begun + self._patience:
                self.gone = f"The simulation has not answered for {self._patience:g} s."
            elif now >= looked + _ALIVE:
                looked = now
                if not self._link.servers(ADVANCE):
                    self.gone = f"{ADVANCE}: the simulation is gone."
            if self.gone:
                return
            time.sleep(_POLL)

    def _take_in(self) -> None:
        for arrival in self._link.arrivals():
            if isinstance(arrival, Heard):
                if arrival.topic in self._heard:
                    self._heard[arrival.topic] += 1
            else:
                self._kinds[arrival.id, type(arrival)] += 1
                if isinstance(arrival, Responded) and arrival.id not in self._responses:
                    self._responses[arrival.id] = arrival
            self._arrived.append(arrival)

    def _has(self, known: UUID, kind: type) -> bool:
        return self._kinds[known, kind] > 0


class LockStepClock:
    """The time of a simulation over ROS, which moves when the agent sleeps.

    Implements :class:`foretree.clock.Clock`. A simulation that is gone does not hold it up: time goes on, so
    that what the agent waits for comes to an end.

    Args:
        link: the link to the simulation.

    Attributes:
        puts_off: each says whether a robot's look around has to wait until the agent asks for what was seen,
            since the agent may ask for something else before, which has a bearing on it.
    """

    simulated = True

    def __init__(self, link: LockStepLink) -> None:
        self.puts_off: list[Callable[[], bool]] = []
        self._link = link
        self._now = 0.0
        self._looked = False

    def now(self) -> float:
        """Seconds since the simulation began."""
        return self._now

    def sleep_until(self, instant: float) -> None:
        """Have the simulation move to *instant*, and return once all it has to tell by then has arrived."""
        if instant > self._now:
            self._looked = not any(waits() for waits in self.puts_off)
            self._link.advance(instant, self._looked)
            self._now = instant

    def settle(self) -> None:
        """Wait for what has come of an order already, without moving the time."""
        self._link.advance(self._now, look=False)

    def look(self, again: bool = False) -> None:
        """Have the robots report what there is to see by now, unless they have; or *again*."""
        if again or not self._looked:
            self._looked = True
            self._link.advance(self._now, look=True)
