"""The connection to the robot of a simulation that another process offers over ROS."""

from __future__ import annotations

from foretree.bringup.ros.carrying.workplace import RobotLink
from foretree.bringup.ros.links.ros_robot import Companion
from foretree.clock import Clock
from foretree.config import ConfigError
from foretree.robots.ros.rclpy_link import RclpyLink
from foretree.robots.simulated.simulation import RosSimulation

#: Seconds that the simulation has to appear in.
_PATIENCE = 30.0


class SimulatedConnection(RobotLink):
    """The robot of a simulation that runs free: its time passes whether or not the agent ticks.

    A simulation has neither a supervisor nor sensors of its own to put into a bag.

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
        robot, *others = self._simulation.robots
        if others:
            names = ", ".join(each.name for each in self._simulation.robots)
            raise ConfigError(
                f"The simulation has several robots ({names}). The agent's node takes scenes with one; "
                "`foretree run --scene` takes any."
            )
        super().__init__(robot, clock)

    def close(self) -> None:
        """End the connection."""
        self._simulation.close()
        self._companion.close()
