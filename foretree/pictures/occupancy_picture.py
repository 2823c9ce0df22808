"""Pictures of occupancy grids. Needs Pillow."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from foretree.pictures.palette import (
    BLOCKED_CELL,
    BODY,
    FREE_CELL,
    FRONTIER,
    GRID_PATH,
    OCCUPIED_CELL,
    UNKNOWN_CELL,
    Colour,
    class_colour,
)
from foretree.world_model.camera_model import Stance
from foretree.world_model.occupancy.frontiers import Frontier
from foretree.world_model.occupancy.occupancy_grid import AHEAD, Cell, CellState, OccupancyGrid, clusters
from foretree.world_model.occupancy.paths import GridPath

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw

#: The side of a cell in the picture, in pixels.
_SCALE = 16

_Pixel: TypeAlias = tuple[float, float]


def draw_occupancy(
    occupancy: OccupancyGrid,
    path: Path,
    stance: Stance | None = None,
    ways: Sequence[GridPath] = (),
    frontiers: Sequence[Frontier] = (),
) -> None:
    """Write an occupancy grid to *path* as PNG, north up: what is free, what stands where, what is not known.

    Args:
        occupancy: what to draw; of it, what is known.
        path: where to.
        stance: where the body stands, drawn as a disc that looks somewhere.
        ways: drawn as lines.
        frontiers: their cells are coloured.
    """
    from PIL import Image, ImageDraw

    states = occupancy.states
    known = np.argwhere(states != CellState.UNKNOWN)
    low, high = (known.min(axis=0) - 1, known.max(axis=0) + 2) if len(known) else (np.zeros(2), np.ones(2))
    i0, j0 = occupancy.origin[0] + int(low[0]), occupancy.origin[1] + int(low[1])
    wide, deep = (int(side) * _SCALE for side in high - low)
    image = Image.new("RGB", (wide, deep), UNKNOWN_CELL)
    pen = ImageDraw.Draw(image)

    def corner(cell: Cell) -> _Pixel:
        return (cell[0] - i0) * _SCALE, deep - (cell[1] - j0 + 1) * _SCALE

    def middle(cell: Cell) -> _Pixel:
        x, y = corner(cell)
        return x + _SCALE / 2, y + _SCALE / 2

    def fill(cell: Cell, colour: Colour, inset: int = 0) -> None:
        x, y = corner(cell)
        pen.rectangle((x + inset, y + inset, x + _SCALE - 1 - inset, y + _SCALE - 1 - inset), colour)

    classes = _classes(occupancy, states)
    colours = {name: class_colour(n) for n, name in enumerate(sorted(set(classes.values())))}
    for i, j in known.tolist():
        cell = i + occupancy.origin[0], j + occupancy.origin[1]
        if states[i, j] == CellState.FREE:
            fill(cell, FREE_CELL)
        elif states[i, j] == CellState.OCCUPIED:
            fill(cell, colours[classes[cell]] if cell in classes else OCCUPIED_CELL)
    for frontier in frontiers:
        for cell in frontier.cells:
            fill(cell, FRONTIER)
    for i, j in np.argwhere(occupancy.blocked).tolist():
        fill((i + occupancy.origin[0], j + occupancy.origin[1]), BLOCKED_CELL, inset=5)
    for way in ways:
        pen.line([middle(cell) for cell in way.cells], fill=GRID_PATH, width=3, joint="curve")
    if stance is not None:
        _draw_body(pen, middle(occupancy.grid.cell_at(stance.x, stance.y)), stance.heading)
    for cells, name in _patches(classes):
        x, y = np.mean([middle(cell) for cell in cells], axis=0)
        pen.text((x, y), name, fill="black", anchor="mm", stroke_width=1, stroke_fill="white")
    image.save(path)


def _classes(occupancy: OccupancyGrid, states: NDArray[np.int8]) -> dict[Cell, str]:
    """The likeliest class in each occupied cell where something has been recognised."""
    best = occupancy.classes.best()
    return {
        (i + occupancy.origin[0], j + occupancy.origin[1]): occupancy.classes.names[best[i, j]]
        for i, j in np.argwhere((states == CellState.OCCUPIED) & (best >= 0)).tolist()
    }


def _patches(classes: dict[Cell, str]) -> list[tuple[tuple[Cell, ...], str]]:
    """Cells beside each other with the same in them; single ones do not count."""
    return sorted(
        (patch, name)
        for name in set(classes.values())
        for patch in clusters((cell for cell, seen in classes.items() if seen == name), AHEAD.values())
        if len(patch) > 1
    )


def _draw_body(pen: ImageDraw, at: _Pixel, heading: int) -> None:
    x, y = at
    radius = 0.6 * _SCALE
    dx, dy = AHEAD[heading % 360]
    pen.ellipse((x - radius, y - radius, x + radius, y + radius), fill=BODY)
    pen.line((x, y, x + dx * radius, y - dy * radius), fill="white", width=3)
