"""A body with a camera behind ROS services, of which the agent gets nothing but frames."""

from __future__ import annotations

from foretree.perception.frame import Frame, Lens
from foretree.robots.ros.link import Interface, RosLink
from foretree.robots.simulated.calls import call_and_wait
from foretree.robots.simulated.frames import control_fields, frame_of, lens_of
from foretree.skills.embodied.body import Control
from foretree.skills.robot import RobotError

MOVE_BODY = Interface("body/move", "foretree_interfaces/srv/MoveBody")
DESCRIBE_BODY = Interface("body/describe", "foretree_interfaces/srv/DescribeBody")

#: Seconds of real time that a body has for every answer.
PATIENCE = 30.0


class RosBody:
    """Implements :class:`foretree.skills.embodied.body.Body` on a body behind ROS services.

    A step waits for its frame: a body does one thing at a time, and moves only when it is told.

    Args:
        link: the link to ROS, which nothing else drains.
        patience: seconds of real time that the body has for every answer.

    Attributes:
        lens: its camera.
        reach: in metres.

    Raises:
        RobotError: there is no body.
    """

    def __init__(self, link: RosLink, patience: float = PATIENCE) -> None:
        self._link = link
        self._patience = patience
        described = call_and_wait(link, DESCRIBE_BODY, {}, patience)
        if not described["width"]:
            raise RobotError(f"{DESCRIBE_BODY.name}: the simulation has no body yet.")
        link.servers(MOVE_BODY)  # looked for now, so that it is known when it is needed
        self.lens: Lens = lens_of(described)
        self.reach: float = described["reach"]

    def step(self, control: Control) -> Frame:
        """Carry out *control* over there, or have it refused, and return the frame that follows.

        Raises:
            RobotError: the body does not answer, or is gone; whether it has moved is not known then.
        """
        response = call_and_wait(self._link, MOVE_BODY, control_fields(control), self._patience)
        if response["error"]:
            raise RobotError(f"{MOVE_BODY.name}: {response['error']}")
        return frame_of(response)
