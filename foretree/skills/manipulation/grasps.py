"""The protocol of grasp planners: from a thing and a hand to grasps, the best first."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import pi
from typing import Literal, Protocol, TypeAlias

from foretree.skills.manipulation.cuboids import Cuboid
from foretree.skills.manipulation.hand import HandGeometry
from foretree.skills.manipulation.transforms import UP, RigidTransform, Vector

#: The side that the hand comes from.
Approach: TypeAlias = Literal["top", "side"]


@dataclass(frozen=True, slots=True)
class GraspRequest:
    """A thing that is to be grasped.

    Attributes:
        item: its box.
        hand: the hand.
        class_name: its class, for planners that know how things of a class are held.
        support: the height of what it stands on; None if it stands on nothing that is known.
        obstacles: what else is near.
        approaches: the sides that the hand may come from.
        distance: how far from the grasp the straight approach begins, and how far the thing is lifted.
    """

    item: Cuboid
    hand: HandGeometry
    class_name: str = ""
    support: float | None = None
    obstacles: tuple[Cuboid, ...] = ()
    approaches: tuple[Approach, ...] = ("top", "side")
    distance: float = 0.1


@dataclass(frozen=True, slots=True)
class Grasp:
    """A way to take hold of a thing.

    Attributes:
        tool: the pose of the tool when the fingers close.
        approach: the side that the hand comes from.
        opening: the gap to open the fingers to, before.
        width: the gap at which they hold the thing.
        along: the direction of the last, straight piece of the way to it.
        distance: the length of that piece, and of the first one afterwards.
        score: from 0 to 1, the higher the better.
    """

    tool: RigidTransform
    approach: Approach
    opening: float
    width: float
    along: Vector
    distance: float
    score: float

    @property
    def before(self) -> RigidTransform:
        """The pose of the tool before the approach."""
        return self.tool.moved(self.along, -self.distance)

    @property
    def lifted(self) -> RigidTransform:
        """The pose of the tool after the lift."""
        return self.tool.moved(UP, self.distance)

    @property
    def turned(self) -> Grasp:
        """The same with the fingers exchanged: the arm may reach the one and not the other."""
        return replace(self, tool=self.tool.turned(self.tool.position, self.along, pi))


@dataclass(frozen=True, slots=True)
class GraspAnswer:
    """Grasps, the best first.

    Attributes:
        grasps: the grasps; no two of them are the same with the fingers exchanged.
        why: if there are none, the reason, in words for a person.
        blocked_by: the numbers of the obstacles in the request that ruled grasps out.
    """

    grasps: tuple[Grasp, ...]
    why: str = ""
    blocked_by: tuple[int, ...] = ()


class GraspPlanner(Protocol):
    """A planner of grasps."""

    def plan(self, request: GraspRequest) -> GraspAnswer:
        """Return grasps, or why there are none. Never raises for a thing that cannot be grasped."""
