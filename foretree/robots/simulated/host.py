"""The host of simulated robots: begins what they are told, moves their time on, and collects their news."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from foretree.clock import SimulatedClock
from foretree.errors import suggest
from foretree.skills.robot import End, Execution, LookRequest, Order, Robot, RobotError
from foretree.world_model.observation import Observation


class HostedWorld(Protocol):
    """A world with one robot in it, as the household and its teammates are."""

    @property
    def robot(self) -> Robot:
        """The robot."""
        ...

    @property
    def skills(self) -> tuple[str, ...]:
        """The skills that the robot can be told."""
        ...

    @property
    def connected(self) -> bool:
        """Return whether the robot can be reached."""
        ...

    def advance(self) -> None:
        """Let everything happen that is due by now."""

    def forget_view(self) -> None:
        """Report the view afresh next time."""


class HostedSight(NamedTuple):
    """Sight of a robot."""

    robot: str
    observation: Observation


@dataclass(eq=False, slots=True)
class HostedGoal:
    """A goal that a robot is at.

    Attributes:
        execution: what the robot makes of it.
        ended: is told of its end, once.
    """

    execution: Execution
    ended: Callable[[End], None]


class SimulationHost:
    """Offers the robots of a simulation to a node, whose thread alone calls it.

    A robot is asked as an agent in the same process would ask it, at the same times and in the same order:
    first how each execution has ended, then what was seen. The end of an execution can have a world report
    its view afresh, so that another order would make another run.

    Args:
        worlds: each has one of the robots.
        clock: the time of the worlds, which only the host moves.
    """

    def __init__(self, worlds: Sequence[HostedWorld], clock: SimulatedClock) -> None:
        self.worlds = {world.robot.name: world for world in worlds}
        self._clock = clock
        self._goals: list[HostedGoal] = []
        self._ids: dict[str, set[str]] = {name: set() for name in self.worlds}

    @property
    def now(self) -> float:
        """Seconds since the simulation began."""
        return self._clock.now()

    def begin(
        self,
        robot: str,
        order: Order | LookRequest,
        execution_id: str,
        ended: Callable[[End], None],
    ) -> HostedGoal:
        """Begin an order or a look. An id that the robot knows stands for what it knows under it.

        Raises:
            RobotError: the robot cannot be reached, has no such skill, or makes no sense of the order.
        """
        if not execution_id:
            raise RobotError("A goal takes an execution id that is not empty.")
        known = self._ids[robot]
        there = self.worlds[robot].robot
        execution = there.attach(execution_id) if execution_id in known else None
        if execution is None and isinstance(order, LookRequest):
            execution = there.look(order, execution_id)
        elif execution is None:
            assert isinstance(order, Order)
            execution = there.start(order, execution_id)
        known.add(execution_id)
        goal = HostedGoal(execution, ended)
        self._goals.append(goal)
        return goal

    def advance(self, time: float, look: bool = True) -> list[HostedSight]:
        """Move the time on, tell of what has ended, and return what was seen.

        Args:
            time: seconds since the simulation began; one that has passed changes nothing.
            look: whether the robots look around.
        """
        self._clock.sleep_until(time)
        for world in self.worlds.values():
            world.advance()
        self.settle()
        return self.look_around() if look else []

    def settle(self) -> None:
        """Tell of what has ended by now."""
        for goal in tuple(self._goals):
            end = goal.execution.poll()
            if end is not None:
                self._goals.remove(goal)
                goal.ended(end)

    def look_around(self) -> list[HostedSight]:
        """Return what was seen since the last time."""
        return [
            HostedSight(name, observation)
            for name, world in self.worlds.items()
            for observation in world.robot.observations()
        ]

    def stop(self, robot: str) -> None:
        """Stop a robot."""
        self.worlds[robot].robot.stop()
        self.settle()

    def unreachable(self) -> list[str]:
        """Return the robots that cannot be reached now."""
        return [name for name, world in self.worlds.items() if not world.connected]

    def robot(self, name: str) -> HostedWorld:
        """Return the world of the robot of that name.

        Raises:
            RobotError: there is none.
        """
        if name not in self.worlds:
            raise RobotError(f"There is no robot {name!r} in the simulation. {suggest(name, self.worlds)}")
        return self.worlds[name]
