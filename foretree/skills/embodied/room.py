"""Whether something fits on top of something else, beside what is there already."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from foretree.world_model.entities import Extent
from foretree.world_model.observation import Observation

#: What is put down stays this far from the edge (metres).
_EDGE = 0.02
#: Things look larger than they are by up to twice this much on every side (metres). Reckoning with all of
#: that would leave what is fragile to break where it just does not fit.
_BLUR = 0.01


def has_no_room(sight: Observation, support: str, size: tuple[float, float]) -> bool:
    """Whether one sees that something does not fit on top of a thing.

    Args:
        sight: what is seen.
        support: the detection of the thing.
        size: how wide and how deep is what is to be put there, in metres.
    """
    if not any(one.relation == "on" and one.support == support for one in sight.covered):
        return False
    extents = {one.id: one.extent for one in sight.detections}
    whole = extents.get(support)
    if whole is None:
        return False
    taken = [
        _shrunk(one.extent)
        for one in sight.detections
        if one.rests == ("on", support) and one.extent is not None
    ]
    wide, deep = (side - 2 * _BLUR for side in size)
    return not (_fits(whole, taken, wide, deep) or _fits(whole, taken, deep, wide))


def _fits(whole: Extent, taken: Sequence[Extent], wide: float, deep: float) -> bool:
    """Whether a rectangle fits. If it does, it does where it touches something to its left and below."""
    x0, y0, x1, y1 = whole[0] + _EDGE, whole[1] + _EDGE, whole[3] - _EDGE, whole[4] - _EDGE
    lefts = [x0, *(one[3] for one in taken if one[3] > x0)]
    lows = [y0, *(one[4] for one in taken if one[4] > y0)]
    return any(
        x + wide <= x1
        and y + deep <= y1
        and not any(x < o[3] and o[0] < x + wide and y < o[4] and o[1] < y + deep for o in taken)
        for x, y in product(lefts, lows)
    )


def _shrunk(extent: Extent) -> Extent:
    x0, y0, z0, x1, y1, z1 = extent
    return x0 + _BLUR, y0 + _BLUR, z0, x1 - _BLUR, y1 - _BLUR, z1
