"""Whether a thing would have been seen: what a frame says of a spot at which nothing was detected."""

from __future__ import annotations

from math import cos, hypot, radians, sin

import numpy as np

from foretree.perception.frame import Frame
from foretree.perception.reliability import Reliability
from foretree.world_model.camera_model import Lens
from foretree.world_model.entities import Pose

#: A spot counts as in the picture if it is this far from its edge (pixels).
_MARGIN = 2
#: What is nearer than a spot by this, and this much per metre away, stands before it.
_BEFORE, _BEFORE_PER_METRE = 0.06, 0.02


def would_show(frame: Frame, lens: Lens, spot: Pose, reliability: Reliability) -> float:
    """The probability that a thing at *spot* would have been detected in *frame*.

    A frame covers few surfaces as a whole, but shows many spots: this tells of a thing that was seen at one
    before whether it is missing. What was seen to be in something that is closed now must not be asked for: a
    lid is hardly farther from what is behind it than the face of a thing from its middle.

    Args:
        frame: the frame.
        lens: the camera's.
        spot: the middle of where the thing would be, in the map's frame.
        reliability: how far detection can be relied on.
    """
    stance = frame.stance
    turn, nod = radians(stance.heading), radians(stance.pitch)
    x, y, up = spot[0] - stance.x, spot[1] - stance.y, spot[2] - stance.eye
    level, left = x * cos(turn) + y * sin(turn), y * cos(turn) - x * sin(turn)
    depth, rise = level * cos(nod) + up * sin(nod), up * cos(nod) - level * sin(nod)
    if not lens.near < depth < lens.far:
        return 0.0
    column = lens.width / 2 - 0.5 - left / depth * lens.focal
    row = lens.height / 2 - 0.5 - rise / depth * lens.focal
    in_picture = _MARGIN <= row <= lens.height - 1 - _MARGIN and _MARGIN <= column <= lens.width - 1 - _MARGIN
    if not in_picture:
        return 0.0
    around = frame.depth[round(row) - 1 : round(row) + 2, round(column) - 1 : round(column) + 2]
    # Of a small thing some part shows as long as it is not hidden altogether.
    free = float(np.mean(around > depth - _BEFORE - _BEFORE_PER_METRE * depth))
    return free * reliability.found[reliability.grade(hypot(level, left, up), 1.0)]
