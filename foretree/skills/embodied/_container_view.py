"""Views into containers: from before the front, not from the side, and only into open ones."""

from __future__ import annotations

import numpy as np

from foretree.perception.frame import Frame, Mask
from foretree.world_model.camera_model import Lens
from foretree.world_model.occupancy.depth_points import rays_of

#: What is so far behind the nearest that is seen of a thing, so far below its top, and so far from its sides,
#: is within it (metres).
_BEHIND, _BELOW, _WITHIN = 0.1, 0.08, 0.05
#: One sees into a thing if at least this share of what one sees of it is within it.
_SHARE = 0.08


def sees_into(frame: Frame, lens: Lens, mask: Mask) -> bool:
    """Return whether a frame shows the inside of a thing."""
    rows, columns = np.nonzero((frame.labels == mask.label) & np.isfinite(frame.depth))
    if not len(rows):
        return False
    rays = rays_of(lens, frame.stance.pitch)
    depth = frame.depth[rows, columns]
    ahead, left, up = depth * rays.ahead[rows], depth * rays.left[columns], depth * rays.up[rows]
    near, right_end, left_end = np.percentile(ahead, 5), np.percentile(left, 5), np.percentile(left, 95)
    within = (
        (ahead > near + _BEHIND)
        & (up < up.max() - _BELOW)
        & (left > right_end + _WITHIN)
        & (left < left_end - _WITHIN)
    )
    return bool(within.mean() >= _SHARE)
