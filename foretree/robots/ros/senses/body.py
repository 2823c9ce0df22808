"""Proprioception of a robot: where it stands, and whether its hands hold something."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any

from foretree.errors import ForetreeError
from foretree.robots.ros.senses.settings import GripperSettings, SenseSettings
from foretree.robots.ros.senses.standing import Standing, body_pose
from foretree.robots.ros.senses.transforms import FreshTransforms, RigidPose
from foretree.robots.ros.stamps import nanoseconds
from foretree.world_model.beliefs.facts import Atom, hand_free, robot_at


class JointStateError(ForetreeError):
    """A ``sensor_msgs/msg/JointState`` that contradicts itself."""


@dataclass(frozen=True, slots=True)
class Joint:
    """The state of a joint; what the message does not tell is None."""

    position: float | None = None
    velocity: float | None = None
    effort: float | None = None


def joints(message: Any) -> Mapping[str, Joint]:
    """Return the joints of a message, by name.

    Raises:
        JointStateError: names are there twice, or there are not as many values as names.
    """
    names = [str(name) for name in message.name]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise JointStateError(f"the joint {twice} is there twice")
    values: dict[str, list[float | None]] = {}
    for part in ("position", "velocity", "effort"):
        given = [float(value) for value in getattr(message, part)]
        if given and len(given) != len(names):
            raise JointStateError(f"{len(names)} names, but {len(given)} values of {part}")
        values[part] = [value if isfinite(value) else None for value in given] or [None] * len(names)
    rows = zip(values["position"], values["velocity"], values["effort"], strict=True)
    return {name: Joint(*row) for name, row in zip(names, rows, strict=True)}


def holds_something(gripper: GripperSettings, state: Mapping[str, Joint]) -> bool | None:
    """Return whether a gripper holds something; None if its joints do not tell.

    It does if its fingers rest between closed and open. While they move, and when a joint is not in the
    message, nothing is known; nor is it where an effort is asked for and none is measured.
    """
    fingers = [state.get(name) for name in gripper.joints]
    width = 0.0
    for finger in fingers:
        if finger is None or finger.position is None:
            return None
        if finger.velocity is not None and abs(finger.velocity) > gripper.still:
            return None
        width += finger.position * gripper.scale
    if width <= gripper.closed or width >= gripper.open:
        return False
    if not gripper.effort:
        return True
    efforts = [abs(finger.effort) for finger in fingers if finger is not None and finger.effort is not None]
    return True if efforts and max(efforts) >= gripper.effort else None


class BodySense:
    """Facts about the robot's own body, as they follow from joint states and its pose.

    Args:
        robot: the robot's name.
        frame: the map's frame.
        settings: grippers, and where the robot's pose comes from.
        standing: the place at which it stands; None if the map has no places.
        transforms: transforms that are recent enough.
    """

    def __init__(
        self,
        robot: str,
        frame: str,
        settings: SenseSettings,
        standing: Standing | None,
        transforms: FreshTransforms,
    ) -> None:
        self._robot = robot
        self._frame = frame
        self._settings = settings
        self._standing = standing
        self._transforms = transforms
        self._joints: dict[str, Joint] = {}
        #: By hand, whether it holds something, as far as that is known.
        self.holds: dict[str, bool] = {}
        self._located = False

    def feel_joints(self, message: Any) -> None:
        """Take in a ``JointState``; several publishers may each send some of the joints.

        Raises:
            JointStateError: it contradicts itself.
        """
        self._joints.update(joints(message))
        for hand, gripper in self._settings.grippers.items():
            held = holds_something(gripper, self._joints)
            if held is not None:
                self.holds[hand] = held

    def locate_by(self, message: Any) -> None:
        """Take in a message with the robot's pose.

        Raises:
            PoseError: it has none, or an uncertain one.
            TransformError: the map's frame is not known from its own.
        """
        assert self._settings.body is not None
        frame, pose = body_pose(message, self._settings.body.uncertain)
        found = self._transforms.lookup(self._frame, frame, nanoseconds(message.header.stamp))
        self._stand(found.pose.then(pose))

    def locate(self) -> None:
        """Ask for the pose of the robot's base.

        Raises:
            TransformError: it is not known, or too old.
        """
        assert self._settings.body is not None
        self._stand(self._transforms.lookup(self._frame, self._settings.body.frame, None).pose)

    def facts(self) -> Mapping[Atom, bool]:
        """Return all that is felt. Between places it is felt that the robot is at none of them."""
        facts: dict[Atom, bool] = {
            hand_free((self._robot, hand)): not held for hand, held in sorted(self.holds.items())
        }
        if self._standing is None or not self._located:
            return facts
        if self._standing.place is not None:
            facts[robot_at(self._robot, self._standing.place)] = True
        else:
            facts.update({robot_at(self._robot, place): False for place in self._standing.places})
        return facts

    def lose_place(self) -> None:
        """Feel nothing about the place any more, until the pose is known again."""
        self._located = False

    def _stand(self, pose: RigidPose) -> None:
        if self._standing is not None:
            self._standing.update(*pose.position[:2])
            self._located = True
