"""Frontiers: there are some as long as there is something to find, and going there finds it."""

from __future__ import annotations

from random import Random

import pytest
from small_home import LENS, box, look, look_around, standing

from foretree.simulation.grid_homes._object_classes import load_object_classes
from foretree.simulation.grid_homes.body.body import GridBody
from foretree.simulation.grid_homes.camera.noise import load_noise
from foretree.simulation.grid_homes.home import Home, Posture
from foretree.simulation.grid_homes.layouts.layout_generator import generate_layout
from foretree.skills.embodied.body import Control
from foretree.world_model.occupancy.frontiers import frontiers
from foretree.world_model.occupancy.occupancy_grid import CellState, OccupancyGrid, beside
from foretree.world_model.occupancy.paths import (
    STEPS,
    ShortestPaths,
    cheapest_motions,
    headings_along,
    make_costmap,
)


def test_in_a_room_that_was_seen_there_are_none():
    occupancy = look_around((), [(4, 4), (11, 7)])
    assert frontiers(occupancy, ShortestPaths(make_costmap(occupancy), (4, 4))) == ()


def test_they_are_where_the_known_ends():
    occupancy = look_around((box((8, 0), (8, 7), 2.5),), [(3, 4)])
    paths = ShortestPaths(make_costmap(occupancy), (3, 4))
    found = frontiers(occupancy, paths)
    assert found
    for frontier in found:
        assert frontier.centre in frontier.cells
        assert len(frontier.cells) >= 2
        for cell in frontier.cells:
            assert occupancy.state(cell) is CellState.FREE
            assert any(occupancy.state(other) is CellState.UNKNOWN for other in beside(cell))
        assert paths.reaches(frontier.spot)
        assert frontier.distance == paths.distance(frontier.spot)
        assert frontier.beyond > 0
    assert max(i for i, _ in found[0].cells) >= 7, "behind the wall there is most to see"
    assert [one.worth for one in found] == sorted((one.worth for one in found), reverse=True)
    assert len({cell for one in found for cell in one.cells}) == sum(len(one.cells) for one in found)


def test_the_nearer_of_two_alike_is_worth_more():
    """A corridor seen in its middle only, from a place left of the middle."""
    walls = (box((0, 0), (15, 3), 2.5), box((0, 8), (15, 11), 2.5))
    occupancy = OccupancyGrid.around(standing((6, 5)))
    for heading in (90, 270):
        for pitch in (-30, -60):
            for cell in ((6, 5), (7, 5), (8, 5), (9, 5)):
                look(occupancy, walls, standing(cell, heading, pitch))
    left, right = (
        frontiers(occupancy, ShortestPaths(make_costmap(occupancy), start))[0] for start in ((6, 5), (9, 5))
    )
    assert left.heading == 180
    assert right.heading == 0
    assert left.centre[0] < right.centre[0]


@pytest.mark.parametrize("name", ["galley_kitchen/1", "row_flat/0", "bedroom/3"])
def test_going_to_them_explores_a_home(name):
    layout, seed = generate_layout(name), 1
    home = Home(layout, load_object_classes(), Posture(Random(seed).choice(sorted(layout.reachable)), 0))
    body = GridBody(home, LENS, load_noise(), seed)
    frame = body.step(Control("look_down"))
    occupancy = OccupancyGrid.around(frame.stance)
    angles = {pace: angle for angle, pace in STEPS.items()}
    controls = refused = 0

    def do(control):
        nonlocal controls, refused
        seen = body.step(Control(control))
        controls += 1
        if not seen.ok:
            refused += 1
            occupancy.bump(seen.stance, seen.stance.heading + angles[control])
        occupancy.update(seen.depth, seen.stance, LENS, seen.labels, {m.label: m.scores for m in seen.masks})
        return seen

    for _ in range(4):
        frame = do("rotate_left")
    been = set()
    while controls < 400:
        paths = ShortestPaths(make_costmap(occupancy), occupancy.grid.cell_at(frame.stance.x, frame.stance.y))
        found = [one for one in frontiers(occupancy, paths) if (one.spot, one.heading) not in been]
        if not found:
            break
        been.add((found[0].spot, found[0].heading))
        way = paths.to(found[0].spot)
        for pace in cheapest_motions(headings_along(way), frame.stance.heading, found[0].heading):
            frame = do(pace)
            if not frame.ok:
                break
    assert controls < 400
    assert refused <= 2
    paths = ShortestPaths(
        make_costmap(occupancy, None), occupancy.grid.cell_at(frame.stance.x, frame.stance.y)
    )
    reached = sum(paths.reaches(cell) for cell in layout.reachable)
    assert reached >= 0.9 * len(layout.reachable)
    cells = [(i, j) for i in range(layout.width) for j in range(layout.height)]
    too_much = sum(paths.reaches(cell) for cell in cells if cell not in layout.reachable)
    assert too_much <= 0.02 * len(layout.reachable)
