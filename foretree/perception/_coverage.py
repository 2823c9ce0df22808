"""Coverage of a frame: surfaces and insides that it shows nearly all of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from foretree.perception._frame_geometry import FrameGeometry, Numbers
from foretree.perception.frame import Frame
from foretree.perception.relations import Bearing, SupportRelation
from foretree.world_model.occupancy.occupancy_grid import with_neighbours

#: Less than this share of a region in view, and it is not covered; of what has a lid, less of its inside
#: than of itself is in view.
_NEARLY, _NEARLY_INSIDE = 0.6, 0.72
#: What is seen of an inside lies at least so far behind the front, within the sides and below the rim
#: (metres).
_BEHIND, _WITHIN, _BELOW = 0.10, 0.03, 0.04
#: So much of what is seen of a thing must be its inside for the inside to be in view; more if it has a lid,
#: which may be closed after all.
_INSIDE, _INSIDE_LID = 0.08, 0.3
#: A top is seen from at least this far above (metres).
_ABOVE = 0.15
#: How much of what things hide of their support is as good as seen, and how much of what counts as seen is:
#: the smallest things fit behind others. So it turned out in homes that were looked at.
_SEEN_BEHIND, _REALLY_SEEN = 0.4, 0.88
#: What lies within this below the highest points of a thing is its top, and so is this much more per metre
#: away.
_TOP, _TOP_PER_METRE = 0.03, 0.02
#: What stands in front of an edge is at least so much nearer (metres).
_IN_FRONT = 0.25


def covered_by(
    frame: Frame,
    surfaces: FrameGeometry,
    class_names: Sequence[str],
    rests: Sequence[SupportRelation | None],
    opened: Mapping[int, float],
    bearing: Bearing,
) -> list[tuple[str, int, float]]:
    """The regions in view: a relation, the number of the mask of the support, and the share that is seen.

    Args:
        frame: the frame.
        surfaces: what it shows in space.
        class_names: for each mask its most likely class.
        rests: for each mask its support.
        opened: for masks of what can be closed, the probability that it is open.
        bearing: what can rest on what.
    """
    found = []
    held_up = _laden(surfaces, rests)
    cut = _cut_off(surfaces.index, len(class_names))
    for number, name in enumerate(class_names):
        pixels = int(surfaces.pixels[number])
        visible = frame.masks[number].visible
        if not pixels or visible <= 0:
            continue
        # What lies on a thing is seen itself, but may hide others.
        share = min(1.0, visible * (1.0 + _SEEN_BEHIND * held_up[number] / pixels))
        for relation in bearing.relations(name):
            if relation == "on":
                seen = _top_in_view(frame, surfaces, number, bool(cut[number]), share)
            else:
                inside = _inside(frame, surfaces, number)
                least = _INSIDE_LID if number in opened else _INSIDE
                seen = share * opened.get(number, 1.0) if inside > least else 0.0
            if seen >= (_NEARLY_INSIDE if relation != "on" and number in opened else _NEARLY):
                found.append((relation, number, seen * _REALLY_SEEN))
    return found


def _laden(surfaces: FrameGeometry, rests: Sequence[SupportRelation | None]) -> list[int]:
    """For each mask the pixels of all that rests on it, and on that."""
    load = [0] * len(rests)
    for number in range(len(rests)):
        below, steps = rests[number], 0
        while below is not None and steps < len(rests):
            load[below.support] += int(surfaces.pixels[number])
            below, steps = rests[below.support], steps + 1
    return load


def _cut_off(index: Numbers, count: int) -> NDArray[np.bool_]:
    """For each mask, whether it reaches the edge of the image."""
    cut = np.zeros(count + 1, dtype=bool)
    for edge in (index[0], index[-1], index[:, 0], index[:, -1]):
        cut[edge] = True  # the last stands for no mask
    return cut[:-1]


def _top_in_view(frame: Frame, surfaces: FrameGeometry, number: int, cut: bool, share: float) -> float:
    """The share of a top that is in view.

    Of what is not cut off, as much as of all of it. Otherwise the top may be in view all the same, where it
    reaches no edge of the picture and nothing stands before it.
    """
    top = surfaces.boxes[number, 5]
    if frame.stance.eye < top + _ABOVE:
        return 0.0
    if not cut:
        return share
    mask = surfaces.index == number
    height = _TOP + _TOP_PER_METRE * surfaces.distance[number]
    flat = mask & (surfaces.points[2].reshape(mask.shape) > top - height)
    if flat[0].any() or flat[-1].any() or flat[:, 0].any() or flat[:, -1].any():
        return share
    edge = with_neighbours(flat) & ~flat
    if not edge.any():
        return share
    behind = float(np.median(surfaces.depth[flat]))
    nearer = surfaces.depth[edge] < behind - _IN_FRONT
    foreign = surfaces.index[edge] != number
    return max(share, 1.0 - float((nearer & foreign).mean()))


def _inside(frame: Frame, surfaces: FrameGeometry, number: int) -> float:
    """The share of an object's pixels that show its inside: behind its front, and below its rim."""
    mask = surfaces.index.ravel() == number
    x, y, z = surfaces.points
    x0, y0, _, x1, y1, z1 = surfaces.boxes[number]
    ahead, left, near, sides = {
        0: (x, y, x0, (y0, y1)),
        90: (y, x, y0, (x0, x1)),
        180: (-x, y, -x1, (y0, y1)),
        270: (-y, x, -y1, (x0, x1)),
    }[frame.stance.heading % 360]
    slack = 0.01 * surfaces.distance[number]
    inside = (
        mask
        & (ahead > near + _BEHIND + slack)
        & (left > sides[0] + _WITHIN + slack)
        & (left < sides[1] - _WITHIN - slack)
        & (z < z1 - _BELOW - slack)
    )
    pixels = np.count_nonzero(mask)
    return np.count_nonzero(inside) / pixels if pixels else 0.0
