"""The connection to the robot of a simulation that another process offers over ROS."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretree.bringup.ros.links.ros_robot import Companion
from foretree.clock import Clock
from foretree.config import ConfigError
from foretree.robots.ros.rclpy_link import RclpyLink
from foretree.robots.simulated.simulation import RosSimulation

if TYPE_CHECKING:
    from foretree.agent.context import AgentContext
    from foretree.runs.store import Run
    from foretree.skills.robot import Robot

#: Seconds that the simulation has to appear in.
_PATIENCE = 30.0


class SimulatedConnection:
    """The robot of a simulation that runs free: its time passes whether or not the agent ticks.

    Implements :class:`~foretree.bringup.ros.carrying.workplace.RobotLink`. A simulation has neither a
    supervisor nor sensors of its own to put into a bag.

    Args:
        companion: the node on which it is spoken to.
        clock: all time comes from it.

    Raises:
        RobotError: there is no simulation.
        ConfigError: it has several robots.
    """

    def __init__(self, companion: Companion, clock: Clock) -> None:
        self._companion = companion
        self._simulation = RosSimulation(RclpyLink(companion.node), clock, _PATIENCE)
        self.clock = clock
        robot, *others = self._simulation.robots
        if others:
            names = ", ".join(each.name for each in self._simulation.robots)
            raise ConfigError(
                f"The simulation has several robots ({names}). The agent's node takes scenes with one; "
                "`foretree run --scene` takes any."
            )
        self.robot: Robot = robot

    def know(self, context: AgentContext) -> None:
        """Take note of nothing: the simulation knows its world."""

    def hold_reason(self) -> str:
        """Return nothing: no supervisor holds it."""
        return ""

    def silent(self) -> list[str]:
        """Return nothing: it has no streams."""
        return []

    def beat(self) -> None:
        """Tell nothing: no supervisor listens."""

    def begin(self, run: Run) -> None:
        """Begin no bag."""

    def finish(self, run: Run) -> None:
        """Finish no bag."""

    def close(self) -> None:
        """End the connection."""
        self._simulation.close()
        self._companion.close()
