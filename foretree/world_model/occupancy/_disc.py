"""The cells that a round body covers."""

from __future__ import annotations

from functools import lru_cache
from math import ceil, hypot

from foretree.world_model.occupancy.grid import Cell


@lru_cache(maxsize=16)
def cells_under_disc(radius: float, cell: float) -> tuple[Cell, ...]:
    """The cells that a disc reaches into whose middle is on that of cell (0, 0), which comes first."""
    most = ceil(radius / cell + 0.5)
    found = [
        (i, j)
        for i in range(-most, most + 1)
        for j in range(-most, most + 1)
        if hypot(max(abs(i) - 0.5, 0.0), max(abs(j) - 0.5, 0.0)) * cell < radius
    ]
    return tuple(sorted(found or [(0, 0)], key=lambda at: (at[0] ** 2 + at[1] ** 2, at)))
