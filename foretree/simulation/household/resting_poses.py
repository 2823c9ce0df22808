"""Poses of things at rest: the spots of what they rest on."""

from __future__ import annotations

from foretree.world_model.beliefs.facts import Pose

#: Items on the same furniture lie this far apart; what rests on an item has a quarter of its spot.
SLOT = 0.2

#: How high things are, by how they rest: far enough apart that a position tells the ways of resting apart.
_HEIGHT = {"under": 0.1, "in": 0.45, "on": 0.9, "hung_on": 1.8, "given": 1.1}
#: How far above an item is what rests on it.
_RISE = {"under": -0.12, "in": 0.12, "on": 0.24, "hung_on": 0.36}
#: The quarters of a spot, and how much higher the next four are.
_QUARTERS = ((-1, -1), (1, 1), (-1, 1), (1, -1))
_LAYER = 0.1


def resting_pose(support: Pose, relation: str, slot: int, level: int = 0) -> Pose:
    """Return the pose of a thing at one of the spots of another, with as many items below it as *level*."""
    if level == 0:
        dx, dy = _spiral(slot)
        apart, height = SLOT, _HEIGHT[relation]
    else:
        dx, dy = _QUARTERS[slot % 4]
        apart, height = SLOT / 2 ** (level + 1), support[2] + _RISE[relation] + _LAYER * (slot // 4)
    return round(support[0] + apart * dx, 3), round(support[1] + apart * dy, 3), round(height, 3)


def _spiral(index: int) -> tuple[int, int]:
    """The cells of a grid, from the middle outwards: each index has its own."""
    x = y = 0
    dx, dy = 0, -1
    for _ in range(index):
        if x == y or (x < 0 and x == -y) or (x > 0 and x == 1 - y):
            dx, dy = -dy, dx
        x, y = x + dx, y + dy
    return x, y
