"""The connection to a robot that is driven without ROS, by an agent that is a ROS node."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from foretree.bringup.ros.carrying.workplace import RobotLink
from foretree.bringup.ros.links.ros_robot import Companion, Supervision
from foretree.clock import Clock
from foretree.robots.drivers import Driver
from foretree.skills.robot import RobotError

if TYPE_CHECKING:
    from foretree.skills.robot import Robot


class DrivenConnection(RobotLink):
    """A Franka over franky, or an ARMAR over ArmarX.

    Args:
        companion: the node on which a supervisor is spoken to.
        driver: what drives the robot.
        file: the robot file.
        clock: all time comes from it.
        supervisor: the name of the node of the robot's supervisor; empty if it has none.

    Raises:
        ForetreeError: the file makes no sense, or the robot cannot be reached.
    """

    def __init__(
        self, companion: Companion, driver: Driver, file: str, clock: Clock, supervisor: str = ""
    ) -> None:
        self._companion = companion
        self._supervision = Supervision(companion, clock, supervisor)
        connect = _connect_franka if driver == "franky" else _connect_armar
        robot, self._close = connect(file, clock, self._supervision.hold_reason)
        super().__init__(robot, clock)

    def hold_reason(self) -> str:
        """Return why the supervisor lets nothing begin."""
        return self._supervision.hold_reason()

    def beat(self) -> None:
        """Tell the supervisor that the agent ticks."""
        self._supervision.beat()

    def close(self) -> None:
        """End the connection."""
        self._close()
        self._companion.close()


def _connect_franka(name: str, clock: Clock, hold: Callable[[], str]) -> tuple[Robot, Callable[[], None]]:
    from foretree.robots.franka.franka_file import load_franka_file
    from foretree.robots.franka.franky_driver import FrankyDriver
    from foretree.robots.franka.robot import FrankaRobot

    file = load_franka_file(name)
    robot = FrankaRobot(file, FrankyDriver(file), clock, hold=hold)
    robot.connect()
    return robot, robot.close


def _connect_armar(name: str, clock: Clock, hold: Callable[[], str]) -> tuple[Robot, Callable[[], None]]:
    from foretree.robots.armar.armar_file import load_armar_file
    from foretree.robots.armar.bridge_process import BridgeProcess
    from foretree.robots.armar.robot import ArmarRobot

    file = load_armar_file(name)
    bridge = BridgeProcess(file, clock)
    try:
        robot = ArmarRobot(file, bridge, clock, hold)
        end = time.monotonic() + file.bridge.connect_within
        while not robot.is_connected():
            if time.monotonic() >= end:
                raise RobotError(bridge.trouble or "The bridge to ArmarX does not connect.")
            time.sleep(0.1)
        if missing := robot.missing():
            raise RobotError(f"{name}: no provider offers {', '.join(missing)}.")
    except BaseException:
        bridge.close()
        raise
    return robot, bridge.close
