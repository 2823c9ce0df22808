"""Distances from one cell around obstacles, by fast marching.

Unlike along the edges of a graph, they are nearly those in the plane, whichever way the grid lies.
"""

from __future__ import annotations

from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from foretree.errors import ForetreeError
from foretree.world_model.occupancy.depth_points import Floats


class MissingMarcherError(ForetreeError):
    """The package for fast marching is not installed."""


def travel_costs(prices: Floats, start: tuple[int, int]) -> NDArray[np.float64]:
    """The cost of the cheapest path from one cell to every other; infinite where there is none.

    Every cell but the first has one beside it from which it is cheaper to get to the first.

    Args:
        prices: what it costs to cross each cell; infinite where one cannot.
        start: the index of the first, which may be one that cannot be crossed.

    Raises:
        MissingMarcherError: scikit-fmm is not installed.
    """
    marcher = _marcher()
    closed = ~np.isfinite(prices)
    closed[start] = False
    front = np.ones(prices.shape)
    front[start] = 0.0
    costs = np.full(prices.shape, np.inf)
    beside = (
        slice(max(start[0] - 1, 0), start[0] + 2),
        slice(max(start[1] - 1, 0), start[1] + 2),
    )
    if np.count_nonzero(~closed[beside]) == 1:
        costs[start] = 0.0  # walled in: the marcher wants somewhere to go
        return costs
    speed = 1 / np.where(closed, 1.0, np.where(np.isfinite(prices), prices, 1.0))
    # The first order: of the second, it is not certain that costs only fall on the way back.
    marched = marcher.travel_time(np.ma.MaskedArray(front, closed), speed, order=1)
    reached = ~np.ma.getmaskarray(marched)
    costs[reached] = np.asarray(marched)[reached]
    return costs


def _marcher() -> ModuleType:
    try:
        import skfmm
    except ImportError as error:
        raise MissingMarcherError(
            "Finding ways through homes takes the package scikit-fmm, which is missing. Install it with: "
            "pip install foretree[homes]"
        ) from error
    module: ModuleType = skfmm
    return module
