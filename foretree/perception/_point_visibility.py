"""Whether a thing would have been seen: what a frame says of a spot at which nothing was detected."""

from __future__ import annotations

from math import cos, hypot, radians, sin, sqrt

import numpy as np

from foretree.perception._reliability import Reliability
from foretree.perception.frame import Frame
from foretree.world_model.beliefs.entities import Pose
from foretree.world_model.camera_model import Lens
from foretree.world_model.observation import Size

#: A spot counts as in the picture if it is this far from its edge (pixels).
_MARGIN = 2
#: What is nearer than a spot by this, and this much per metre away, stands before it.
_BEFORE, _BEFORE_PER_METRE = 0.06, 0.02
#: What would show in fewer pixels than this is often not told from what it lies on.
_PLAIN = 3.0


def would_show(
    frame: Frame, lens: Lens, spot: Pose, reliability: Reliability, size: Size | None = None
) -> float:
    """The probability that a thing at *spot* would have been detected in *frame*.

    A frame covers few surfaces as a whole, but shows many spots: this tells of a thing that was seen at one
    before whether it is missing. What was seen to be in something that is closed now must not be asked for: a
    lid is hardly farther from what is behind it than the face of a thing from its middle.

    Args:
        frame: the frame.
        lens: the camera's.
        spot: the middle of where the thing would be, in the map's frame.
        reliability: how far detection can be relied on.
        size: how wide and how high the thing is; None if nobody knows: then it is taken for large enough.
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
    away = hypot(level, left, up)
    return free * _large_enough(size, away, up, lens) * reliability.found.of(reliability.grade(away, 1.0))


def _large_enough(size: Size | None, away: float, up: float, lens: Lens) -> float:
    """How much of what it takes to be seen a thing has that is so far away, and so far above the eye."""
    if size is None:
        return 1.0
    wide, high = size
    above = abs(up) / away
    face = wide * (high * sqrt(1 - above**2) + wide * above)
    return min(1.0, face * (lens.focal / away) ** 2 / _PLAIN)
