"""Detection of the effect of a manipulation, by the frames before and after it.

Two frames from the same place are the same, noise included, where nothing has changed. So any difference is
an effect; it is not told which one.
"""

from __future__ import annotations

import numpy as np

from foretree.perception.frame import Frame, Mask

#: Two crops differ if their pixels do by so much on average, of 255; two depths, by this share.
_CROP, _DEPTH = 1.5, 0.05
#: So many pixels must be nearer or farther than before.
_PIXELS = 3


def differs(before: Frame, after: Frame, mask: Mask) -> bool:
    """Return whether a thing, or what is held, looks different than before.

    Args:
        before: what was seen.
        after: what is seen now, from the same place.
        mask: the thing, in the frame before.
    """
    if (before.held is None) != (after.held is None):
        return True
    if before.held is not None and after.held is not None and _differ(before.held, after.held):
        return True
    shown = before.labels == mask.label
    now = after.labels[shown]
    if not len(now):
        return False
    was, is_now = before.depth[shown], after.depth[shown]
    both = np.isfinite(was) & np.isfinite(is_now)
    moved = both & (np.abs(np.where(both, was - is_now, 0)) > _DEPTH * np.where(both, was, 1))
    if np.count_nonzero(moved) >= _PIXELS:
        return True
    label = int(np.bincount(now).argmax())
    there = next((other for other in after.masks if other.label == label), None)
    return there is None or _differ(mask, there)


def _differ(one: Mask, other: Mask) -> bool:
    apart = np.abs(one.crop.astype(np.int16) - other.crop.astype(np.int16))
    return float(apart.mean()) > _CROP
