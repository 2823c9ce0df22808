"""Boxes to look at, and the pictures a body takes of them: for tests of occupancy grids."""

from __future__ import annotations

import numpy as np

from foretree.simulation.grid_homes.camera._raycast import Solids, raycast
from foretree.world_model.camera_model import Lens, Stance
from foretree.world_model.occupancy.occupancy_grid import OccupancyGrid

LENS = Lens()
#: Inside, 4 m by 3 m: cells (0, 0) to (15, 11). The walls are one cell thick.
WALLS = (
    (-0.25, -0.25, 0.0, 4.25, 0.0, 2.5),
    (-0.25, 3.0, 0.0, 4.25, 3.25, 2.5),
    (-0.25, 0.0, 0.0, 0.0, 3.0, 2.5),
    (4.0, 0.0, 0.0, 4.25, 3.0, 2.5),
)
INSIDE = {(i, j) for i in range(16) for j in range(12)}
#: Smoothing rounds corners a little, so that these may look occupied; a body does not get into them anyway.
CORNERS = {(0, 0), (0, 11), (15, 0), (15, 11)}


def standing(cell, heading=0, pitch=0):
    return Stance((cell[0] + 0.5) * 0.25, (cell[1] + 0.5) * 0.25, heading, pitch)


def picture(boxes, stance, noise=0.0, seed=0, lens=LENS):
    """Depth, and labels from 1 on by box; walls have none."""
    bounds = [*WALLS, *boxes]
    view = raycast(Solids.of(bounds, [-1] * len(WALLS) + list(range(len(boxes)))), stance, lens, 2.5)
    errors = 1 + noise * np.random.default_rng(seed).standard_normal(view.depth.shape)
    return (view.depth * errors).astype(np.float32), (view.owner + 1).astype(np.int16)


def look(occupancy, boxes, stance, scores=None, noise=0.0, seed=0):
    depth, labels = picture(boxes, stance, noise, seed)
    occupancy.update(depth, stance, LENS, labels, scores or {})


def look_around(boxes, cells, noise=0.0, occupancy=None, scores=None):
    """An occupancy grid of what is seen from some cells when one turns around there, level and down."""
    for number, cell in enumerate(cells):
        for heading in (0, 90, 180, 270):
            for pitch in (0, -30, -60):
                stance = standing(cell, heading, pitch)
                occupancy = occupancy or OccupancyGrid.around(stance)
                look(occupancy, boxes, stance, scores, noise, seed=1000 * number + heading + 60 + pitch)
    return occupancy


def box(cell, other=None, height=0.9, bottom=0.0):
    """What fills the cells from one to another, both included."""
    other = other or cell
    return (cell[0] / 4, cell[1] / 4, bottom, (other[0] + 1) / 4, (other[1] + 1) / 4, height)
