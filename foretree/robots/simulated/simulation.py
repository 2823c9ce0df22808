"""The connection of an agent to a simulation over ROS: its robots, and its time."""

from __future__ import annotations

from foretree.clock import Clock
from foretree.robots.ros.exchange import RosExchange
from foretree.robots.ros.link import Interface, RosLink
from foretree.robots.simulated.calls import call_and_wait, wait_until
from foretree.robots.simulated.client import SimulatedRosRobot
from foretree.robots.simulated.lock_step import ADVANCE, PATIENCE, LockStepClock, LockStepLink

LIST_ROBOTS = Interface("list_robots", "foretree_interfaces/srv/ListRobots")


class RosSimulation:
    """A simulation over ROS, and its robots.

    Args:
        link: the link to ROS, which nothing else drains.
        clock: the time of the agent; None to go in lock-step with the simulation.
        patience: seconds of real time that the simulation has to appear, and for anything in lock-step.

    Attributes:
        clock: the time of the agent.
        robots: the robots, the first of the scene first.

    Raises:
        RobotError: there is no simulation.
    """

    def __init__(self, link: RosLink, clock: Clock | None = None, patience: float = PATIENCE) -> None:
        self._patience = patience
        stepped = LockStepLink(link, patience) if clock is None else None
        lock_step = LockStepClock(stepped) if stepped is not None else None
        listed = call_and_wait(link, LIST_ROBOTS, {}, patience)["robots"]
        own = lock_step or clock
        assert own is not None
        self.clock: Clock = own
        since = 0.0
        if stepped is None:
            since = call_and_wait(link, ADVANCE, {"time": -1.0, "look": False}, patience)["time"] - own.now()
        self._exchange = RosExchange(stepped or link, own)
        self.robots = tuple(
            SimulatedRosRobot(
                each["name"],
                tuple(each["hands"]),
                tuple(each["skills"]),
                self._exchange,
                lock_step,
                since,
            )
            for each in listed
        )
        wait_until(lambda: not self._missing(), lambda: f"Not there: {', '.join(self._missing())}.", patience)
        if stepped is not None:
            stepped.connect()

    def close(self) -> None:
        """Hear nothing more."""
        for robot in self.robots:
            robot.close()

    def _missing(self) -> list[str]:
        return [name for robot in self.robots for name in robot.missing()]
