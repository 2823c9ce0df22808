"""Geometry of a hand with two fingers that close in parallel."""

from __future__ import annotations

from dataclasses import dataclass

from foretree.skills.manipulation.cuboids import Cuboid
from foretree.skills.manipulation.transforms import RigidTransform


@dataclass(frozen=True)
class HandGeometry:
    """The measures of a hand, in metres.

    They are told in the tool's frame: its origin is midway between the fingertips, z points out of the hand,
    and the fingers close along y.

    Attributes:
        max_opening: the widest gap between the fingers.
        min_opening: the narrowest gap at which it still grips.
        finger_length: from the palm to the origin of the tool's frame.
        fingertip: how far the fingers reach beyond that origin.
        finger_width: of each finger, along x.
        finger_thickness: of each finger, along y.
        palm: the box behind the fingers, along x, y and z.
        clearance: what is kept free between the hand and all else.
        tolerance: how much the gap that a thing is held at may differ from what is known of its size.
    """

    max_opening: float
    min_opening: float = 0.001
    finger_length: float = 0.04
    fingertip: float = 0.0
    finger_width: float = 0.02
    finger_thickness: float = 0.01
    palm: tuple[float, float, float] = (0.06, 0.2, 0.07)
    clearance: float = 0.005
    tolerance: float = 0.01

    def fingers(self, tool: RigidTransform, opening: float) -> tuple[Cuboid, Cuboid]:
        """Return the two fingers, so far apart, of a hand whose tool is there."""
        length = self.finger_length + self.fingertip
        size = (self.finger_width, self.finger_thickness, length)
        aside, along = (opening + self.finger_thickness) / 2, self.fingertip - length / 2
        one, other = (Cuboid(tool @ RigidTransform((0.0, side, along)), size) for side in (-aside, aside))
        return one, other

    def body(self, tool: RigidTransform) -> Cuboid:
        """Return the palm of a hand whose tool is there."""
        return Cuboid(tool @ RigidTransform((0.0, 0.0, -self.finger_length - self.palm[2] / 2)), self.palm)
