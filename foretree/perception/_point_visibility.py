"""Visibility of a point in a frame: the probability that an object there would have been detected."""

from __future__ import annotations

from math import cos, hypot, radians, sin, sqrt

import numpy as np

from foretree.perception._reliability import Reliability
from foretree.perception.frame import Frame
from foretree.world_model.beliefs.facts import Pose
from foretree.world_model.camera_model import Lens
from foretree.world_model.observation import Size

#: A spot counts as in the image if it is this far from its edge (pixels).
_MARGIN = 2
#: What is nearer than a spot by this, and this much per metre away, stands before it.
_BEFORE, _BEFORE_PER_METRE = 0.06, 0.02
#: What would show in fewer pixels than this is often not told from what it lies on.
_PLAIN = 3.0


def would_show(
    frame: Frame, lens: Lens, spot: Pose, reliability: Reliability, size: Size | None = None
) -> float:
    """The probability that an object at *spot* would have been detected in *frame*.

    A frame covers few surfaces as a whole, but shows many spots: an object that was seen at one of them
    before is missing now. Not to be asked of what is in something closed: a lid is hardly farther from what
    is behind it than the face of an object from its middle.

    Args:
        frame: the frame.
        lens: the camera's.
        spot: the centre of the object, in the map's frame.
        reliability: that of detection.
        size: width and height of the object; if unknown, it is taken to be large enough.
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
    # Of a small object some part shows as long as it is not hidden altogether.
    free = float(np.mean(around > depth - _BEFORE - _BEFORE_PER_METRE * depth))
    away = hypot(level, left, up)
    return free * _large_enough(size, away, up, lens) * reliability.found.of(reliability.grade(away, 1.0))


def _large_enough(size: Size | None, away: float, up: float, lens: Lens) -> float:
    """The share of the pixels needed for detection that an object covers at a distance and a height."""
    if size is None:
        return 1.0
    wide, high = size
    above = abs(up) / away
    face = wide * (high * sqrt(1 - above**2) + wide * above)
    return min(1.0, face * (lens.focal / away) ** 2 / _PLAIN)
