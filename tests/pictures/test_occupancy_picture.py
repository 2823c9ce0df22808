"""Occupancy grids as pictures: everything that is known is in them."""

from __future__ import annotations

import numpy as np
from PIL import Image
from small_home import box, look_around, standing

from foretree.pictures import palette
from foretree.pictures.occupancy_picture import draw_occupancy
from foretree.world_model.occupancy.frontiers import frontiers
from foretree.world_model.occupancy.occupancy_grid import OccupancyGrid
from foretree.world_model.occupancy.paths import ShortestPaths, make_costmap

#: In the picture, cell (0, 0) is beside the wall, which is beside what is not known.
SIDE, WIDE, DEEP = 16, 20, 16


def colour(image, cell, dx=3, dy=3):
    return image.getpixel(((cell[0] + 2) * SIDE + dx, (DEEP - 3 - cell[1]) * SIDE + dy))


def test_cells_have_the_colours_of_what_is_there(tmp_path):
    occupancy = look_around(
        (box((7, 5), (9, 6)),), [(3, 3), (12, 3), (12, 9), (3, 9)], scores={1: {"table": 1.0}}
    )
    occupancy.bump(standing((3, 3)), 180)
    stance = standing((3, 3), 90)
    way = ShortestPaths(make_costmap(occupancy), (3, 3)).to((12, 9))
    draw_occupancy(occupancy, tmp_path / "occupancy grid.png", stance, [way])
    image = Image.open(tmp_path / "occupancy grid.png")
    assert image.size == (WIDE * SIDE, DEEP * SIDE)
    assert colour(image, (1, 9)) == palette.FREE_CELL
    assert colour(image, (-1, 4)) == palette.OCCUPIED_CELL
    assert colour(image, (-2, 4)) == palette.UNKNOWN_CELL
    assert colour(image, (2, 3), 8, 8) == palette.BLOCKED_CELL
    assert colour(image, (3, 3), 3, 8) == palette.BODY
    assert colour(image, (3, 3), 8, 5) == (255, 255, 255), "it looks up in the picture, along y"
    table = colour(image, (7, 5))
    assert table not in (palette.OCCUPIED_CELL, palette.FREE_CELL)
    assert max(table) - min(table) > 50, "a colour, not a shade of grey"
    assert colour(image, way.cells[len(way.cells) // 2], 8, 8) == palette.GRID_PATH


def test_frontiers_show(tmp_path):
    occupancy = look_around((box((8, 0), (8, 7), 2.5),), [(3, 4)])
    found = frontiers(occupancy, ShortestPaths(make_costmap(occupancy), (3, 4)))
    draw_occupancy(occupancy, tmp_path / "occupancy grid.png", frontiers=found)
    pixels = np.asarray(Image.open(tmp_path / "occupancy grid.png"))
    cells = sum(len(one.cells) for one in found)
    assert (pixels == palette.FRONTIER).all(axis=2).sum() == cells * SIDE * SIDE


def test_an_empty_grid_can_be_drawn(tmp_path):
    occupancy = OccupancyGrid.around(standing((0, 0)))
    draw_occupancy(occupancy, tmp_path / "occupancy grid.png")
    assert Image.open(tmp_path / "occupancy grid.png").size[0] >= SIDE
