"""What it costs to occupancy grid a home and to find ways in it.

    python -m pytest benchmarks/bench_occupancy.py

Pictures are taken all over a home with 60 items, with the usual noise. The tests at the end compare
adding a picture with a peer that runs in between, by processor time: it may take no longer than taking the
picture may (``bench_homes.py``).
"""

from __future__ import annotations

import statistics
from itertools import cycle
from random import Random

import pytest
from peers import beside_sorting

from foretree.perception.frame import Frame
from foretree.simulation.grid_homes.body.body import GridBody
from foretree.simulation.grid_homes.episode import open_episode
from foretree.skills.embodied.body import Control
from foretree.world_model.occupancy.frontiers import frontiers
from foretree.world_model.occupancy.occupancy_grid import OccupancyGrid
from foretree.world_model.occupancy.paths import ShortestPaths, make_costmap
from foretree.world_model.occupancy.standing_spots import BoundingBox, standing_spots

LAYOUTS = ("galley_kitchen/0", "studio/0", "hall_flat/0")
ITEMS = 60
#: Adding a picture takes at most as long as sorting its pixels so many times, at the median.
MOST = 50


def pictures(layout: str, count: int = 64) -> tuple[GridBody, list[Frame]]:
    """A body, and what it sees from all over its home, level and downwards."""
    empty = open_episode(layout, seed=1, things=0)
    body = open_episode(layout, seed=1, things=ITEMS + len(empty.rules.home.things))
    home, rng = body.rules.home, Random(1)
    spots = sorted(home.layout.reachable)
    taken = []
    for number in range(count):
        if number % 8 == 0:
            home.posture.cell = rng.choice(spots)
        home.posture.heading, home.posture.pitch = number % 4 * 90, (-30, 0)[number // 4 % 2]
        taken.append(body.step(Control("wait")))
    return body, taken


def add(occupancy: OccupancyGrid, body: GridBody, frame: Frame) -> None:
    """Add a picture to the grid."""
    scores = {mask.label: mask.scores for mask in frame.masks}
    occupancy.update(frame.depth, frame.stance, body.lens, frame.labels, scores)


def mapped(layout: str) -> tuple[GridBody, list[Frame], OccupancyGrid]:
    """An occupancy grid of a home."""
    body, frames = pictures(layout)
    occupancy = OccupancyGrid.around(frames[0].stance)
    for frame in frames:
        add(occupancy, body, frame)
    return body, frames, occupancy


@pytest.mark.benchmark(group="occupancy grid a picture")
@pytest.mark.parametrize("layout", LAYOUTS)
def test_update(benchmark, layout):
    body, frames, occupancy = mapped(layout)
    turn = iter(range(10**9))
    benchmark(lambda: add(occupancy, body, frames[next(turn) % len(frames)]))


@pytest.mark.benchmark(group="ways to everywhere")
@pytest.mark.parametrize("layout", LAYOUTS)
def test_ways(benchmark, layout):
    _, frames, occupancy = mapped(layout)
    here = occupancy.grid.cell_at(frames[-1].stance.x, frames[-1].stance.y)
    benchmark(lambda: ShortestPaths(make_costmap(occupancy), here).distance(here))


@pytest.mark.benchmark(group="one way, once all are known")
@pytest.mark.parametrize("layout", LAYOUTS)
def test_way(benchmark, layout):
    body, frames, occupancy = mapped(layout)
    paths = ShortestPaths(
        make_costmap(occupancy), occupancy.grid.cell_at(frames[-1].stance.x, frames[-1].stance.y)
    )
    cells = [cell for cell in sorted(body.rules.home.layout.reachable) if paths.reaches(cell)]
    farthest = max(cells, key=paths.distance)
    benchmark(lambda: paths.to(farthest))


@pytest.mark.benchmark(group="frontiers")
@pytest.mark.parametrize("layout", LAYOUTS)
def test_frontiers(benchmark, layout):
    _, frames, occupancy = mapped(layout)
    paths = ShortestPaths(
        make_costmap(occupancy), occupancy.grid.cell_at(frames[-1].stance.x, frames[-1].stance.y)
    )
    benchmark(lambda: frontiers(occupancy, paths))


@pytest.mark.benchmark(group="standing spots of one piece of furniture")
@pytest.mark.parametrize("layout", LAYOUTS)
def test_standing_spots(benchmark, layout):
    body, frames, occupancy = mapped(layout)
    paths = ShortestPaths(
        make_costmap(occupancy), occupancy.grid.cell_at(frames[-1].stance.x, frames[-1].stance.y)
    )
    piece = body.rules.home.layout.pieces[0]
    x0, y0, x1, y1 = piece.foot
    box = BoundingBox(x0, y0, 0.0, x1, y1, 0.9)
    benchmark(lambda: standing_spots(occupancy, paths, box, body.reach, 1.4, front=piece.facing))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_adding_a_picture_takes_no_longer_than_so_many_sorts_of_its_pixels(layout, capsys):
    body, frames, occupancy = mapped(layout)
    turn = cycle(frames)
    ratio = beside_sorting(lambda: add(occupancy, body, next(turn)), 3 * len(frames), statistics.median)
    with capsys.disabled():
        print(f"\n{layout}: adding a picture takes as long as {ratio:.1f} sorts of its pixels")
    assert ratio <= MOST
