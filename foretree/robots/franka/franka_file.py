"""Robot files of a Franka that is driven by franky: where it stands, how far and how fast it may move."""

from __future__ import annotations

from collections.abc import Mapping
from math import cos, sin
from typing import Literal, TypeAlias

from pydantic import Field, model_validator

from foretree.file_errors import error_at
from foretree.robots.drivers import read_robot_file
from foretree.robots.franka.driver import Joints, Point
from foretree.schema import Metres, Position, Strict, validate
from foretree.world_model.beliefs.facts import Pose

_Point3: TypeAlias = tuple[Metres, Metres, Metres]
#: The widest that the Franka Hand opens, in metres.
WIDEST = 0.08


class ArmBase(Strict):
    """Position of the arm's base in the frame of the map, and its heading in radians."""

    at: _Point3
    heading: float = Field(default=0.0, ge=-7, le=7)

    def from_map(self, pose: Pose) -> Point:
        """Return a position on the map in the frame of the base."""
        dx, dy, dz = (a - b for a, b in zip(pose, self.at, strict=True))
        c, s = cos(self.heading), sin(self.heading)
        return c * dx + s * dy, -s * dx + c * dy, dz


class Workspace(Strict):
    """A box, in the frame of the base, that the end effector never leaves on a straight motion."""

    low: _Point3
    high: _Point3

    def holds(self, point: Point) -> bool:
        """Return whether a point is in it."""
        return all(a <= x <= b for a, x, b in zip(self.low, point, self.high, strict=True))

    @model_validator(mode="after")
    def _low_below_high(self) -> Workspace:
        if not all(a < b for a, b in zip(self.low, self.high, strict=True)):
            raise ValueError("low: x, y, z, each below that of high")
        return self


class PlacingSpot(Strict):
    """A measured spot to put things at, for the place at *place*: the height of the surface is z."""

    place: Position
    at: _Point3


class JointPose(Strict):
    """A skill that is a motion to a position of the joints, by its name among the ``poses``."""

    pose: str


class FrankaFile(Strict):
    """A robot file of a Franka that is driven by franky.

    Attributes:
        driver: what drives the robot.
        robot: the robot's name.
        says: a sentence about it.
        ip: the address of the arm's control unit. Without one nothing is connected to.
        hand: name of its hand.
        base: where it stands.
        workspace: where the end effector may be.
        travel_height: height above the base, in metres, at which it goes from one place to another.
        approach: metres above a grasp from which the hand comes down, and to which it lifts.
        relative_dynamics_factor: share of the arm's limits of speed, acceleration and jerk.
        torque_threshold, force_threshold: newton metres and newtons at which the arm stops of its own.
        gripper_speed: metres per second.
        grasp_force: newtons.
        grasp_tolerance: metres by which the width of what was grasped may differ from what was expected.
        realtime: whether a real-time kernel is insisted on.
        recover: whether an order first clears the errors of the arm that an earlier reflex left.
        poses: positions of the joints, by name.
        spots: measured spots to put things at.
        skills: which routine carries out a skill: ``pick``, ``place``, ``home_fingers``, or a pose.
        look_from: the pose to look from, before the senses are asked.
    """

    driver: Literal["franky"] = "franky"
    robot: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
    says: str = ""
    ip: str = Field(min_length=1)
    hand: str = "hand"
    base: ArmBase
    workspace: Workspace
    travel_height: float = Field(gt=0, le=1.2)
    approach: float = Field(default=0.1, gt=0, le=0.5)
    relative_dynamics_factor: float = Field(default=0.05, gt=0, le=1)
    torque_threshold: float = Field(default=10.0, gt=0, le=100)
    force_threshold: float = Field(default=15.0, gt=0, le=100)
    gripper_speed: float = Field(default=0.05, gt=0, le=0.1)
    grasp_force: float = Field(default=20.0, gt=0, le=70)
    grasp_tolerance: float = Field(default=0.01, gt=0, le=0.03)
    realtime: bool = True
    recover: bool = False
    poses: Mapping[str, Joints] = Field(default_factory=dict)
    spots: tuple[PlacingSpot, ...] = ()
    skills: Mapping[str, Literal["pick", "place", "home_fingers"] | JointPose] = Field(min_length=1)
    look_from: str | None = None

    @model_validator(mode="after")
    def _poses_exist(self) -> FrankaFile:
        named = [each.pose for each in self.skills.values() if isinstance(each, JointPose)]
        for pose in [*named, *([self.look_from] if self.look_from else [])]:
            if pose not in self.poses:
                raise ValueError(f"poses with one called {pose}")
        if not self.workspace.low[2] < self.travel_height <= self.workspace.high[2]:
            raise ValueError("a travel_height within the workspace")
        return self


def load_franka_file(name: str, ip: str | None = None) -> FrankaFile:
    """Read the robot file of that name (``franka_franky``) or path.

    Args:
        name: the name, or the path of a file.
        ip: the address of the arm, if it is not that of the file.

    Raises:
        ConfigError: there is none, it makes no sense, or no address is given.
    """
    path, data = read_robot_file(name, "franky")
    if ip is not None:
        data["ip"] = ip
    if not data.get("ip"):
        raise error_at(path, ("ip",), "say the address of the arm's control unit, such as 172.16.0.2.")
    return validate(FrankaFile, data, path)
