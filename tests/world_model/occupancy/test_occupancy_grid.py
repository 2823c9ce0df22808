"""The occupancy grid: what is free, what is occupied and by what, and what is not known."""

from __future__ import annotations

from math import isfinite
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_home import CORNERS, INSIDE, LENS, box, look, look_around, picture, standing

from foretree.simulation.grid_homes._object_classes import load_object_classes
from foretree.simulation.grid_homes.camera.camera import Camera
from foretree.simulation.grid_homes.camera.noise import load_noise
from foretree.simulation.grid_homes.home import Home, Posture
from foretree.simulation.grid_homes.layouts.layout_generator import generate_layout
from foretree.world_model.camera_model import Stance
from foretree.world_model.occupancy.occupancy_grid import (
    CellState,
    Grid,
    OccupancyGrid,
    OccupancySettings,
    beside,
)
from foretree.world_model.occupancy.paths import make_costmap


def cells_in(occupancy, state):
    i0, j0 = occupancy.origin
    return {(int(i) + i0, int(j) + j0) for i, j in np.argwhere(occupancy.states == state)}


@given(st.floats(-50, 50), st.floats(-50, 50), st.sampled_from([0.125, 0.25, 0.5]))
def test_a_body_stands_on_the_middle_of_a_cell(x, y, cell):
    grid = Grid.around(x, y, cell)
    assert grid.centre(grid.cell_at(x, y)) == pytest.approx((x, y), abs=1e-6)
    assert abs(grid.x) <= cell / 2 + 1e-9
    assert abs(grid.y) <= cell / 2 + 1e-9


def test_an_empty_room_is_free_and_has_walls_and_nothing_is_known_of_what_is_beyond():
    occupancy = look_around((), [(4, 4), (11, 7)])
    assert cells_in(occupancy, CellState.FREE) | CORNERS == INSIDE
    walls = {(i, j) for i in range(-1, 17) for j in range(-1, 13)} - INSIDE
    corners = {(-1, -1), (-1, 12), (16, -1), (16, 12)}
    assert cells_in(occupancy, CellState.OCCUPIED) - CORNERS | corners == walls | corners


@pytest.mark.parametrize("noise", [0.0, 0.02])
def test_furniture_is_occupied_and_as_high_as_it_is(noise):
    table = (box((6, 4), (9, 5), 0.75, bottom=0.7), box((6, 4), (6, 5), 0.7), box((9, 4), (9, 5), 0.7))
    occupancy = look_around(table, [(3, 2), (12, 2), (12, 9), (3, 9)], noise)
    covered = {(i, j) for i in range(6, 10) for j in (4, 5)}
    assert cells_in(occupancy, CellState.OCCUPIED) & INSIDE - CORNERS == covered
    for cell in covered:
        assert occupancy.height(cell) == pytest.approx(0.75, abs=0.01 + 3 * noise)
    assert occupancy.height((1, 1)) == 0.0


@pytest.mark.parametrize(
    ("bottom", "top", "stands_in_the_way"), [(0, 0.08, False), (1.65, 2.0, False), (0, 0.2, True)]
)
def test_one_walks_over_carpets_and_under_lamps(bottom, top, stands_in_the_way):
    thing = box((7, 5), (8, 6), top, bottom)
    occupancy = look_around((thing,), [(3, 2), (12, 2), (12, 9), (3, 9)])
    occupied = cells_in(occupancy, CellState.OCCUPIED) & INSIDE - CORNERS
    assert occupied == ({(7, 5), (7, 6), (8, 5), (8, 6)} if stands_in_the_way else set())


def test_what_is_behind_something_is_not_known():
    wall = box((8, 0), (8, 11), 2.5)
    occupancy = look_around((wall,), [(3, 5)])
    assert all(occupancy.state((i, j)) is CellState.UNKNOWN for i in range(10, 16) for j in range(12))
    assert occupancy.state((500, 500)) is CellState.UNKNOWN
    assert occupancy.height((500, 500)) == 0.0


@settings(max_examples=30, deadline=None)
@given(
    st.sampled_from(sorted(INSIDE - {(i, j) for i in range(5, 9) for j in range(3, 8)})),
    st.sampled_from([0, 90, 180, 270]),
    st.sampled_from([30, 0, -30, -60]),
    st.sampled_from([-12.0, 0.0, 7.5]),
)
def test_it_does_not_matter_where_and_how_the_map_lies(cell, heading, pitch, shift):
    """The same scene, turned by a quarter and moved by whole cells, gives the same occupancy grid, turned and moved."""
    scene = (box((6, 4), (7, 6), 0.9),)
    stance = standing(cell, heading, pitch)
    depth, labels = picture(scene, stance)
    occupancy = OccupancyGrid.around(stance)
    occupancy.update(depth, stance, LENS, labels)
    # Turned by 90 degrees to the left, x becomes y, and y becomes -x.
    turned = Stance(-stance.y + shift, stance.x - shift, (heading + 90) % 360, pitch)
    other = OccupancyGrid.around(turned)
    other.update(depth, turned, LENS, labels)
    by = round(shift / 0.25)
    for state in (CellState.FREE, CellState.OCCUPIED):
        expected = {(-j - 1 + by, i - by) for i, j in cells_in(occupancy, state)}
        # A point on the very edge of two cells belongs to the one or the other: then two cells differ.
        assert len(cells_in(other, state) ^ expected) <= 4 + len(expected) // 20


def test_where_it_stands_is_free_whatever_the_camera_says():
    stance = standing((5, 5))
    occupancy = OccupancyGrid.around(stance)
    nothing = np.full((LENS.height, LENS.width), np.inf, dtype=np.float32)
    occupancy.update(nothing, stance, LENS)
    assert cells_in(occupancy, CellState.FREE) == {(5, 5), (4, 5), (6, 5), (5, 4), (5, 6)}
    assert cells_in(occupancy, CellState.OCCUPIED) == set()
    wall = np.full_like(nothing, 0.2)
    occupancy.update(wall, stance, LENS)
    assert occupancy.state((6, 5)) is CellState.FREE


def test_a_bump_says_that_it_cannot_stand_there_and_standing_there_that_it_can():
    occupancy = look_around((), [(4, 4)])
    before = occupancy.revision
    occupancy.bump(standing((4, 4), 0), 90)
    assert occupancy.blocked[occupancy.index((4, 5))]
    assert np.count_nonzero(occupancy.blocked) == 1
    assert occupancy.revision > before
    before = occupancy.revision
    occupancy.bump(standing((4, 4), 0), 90)
    assert occupancy.revision == before, "nothing new"
    look(occupancy, (), standing((4, 5)))
    assert not occupancy.blocked.any(), "whatever was there has gone"
    assert occupancy.revision > before


def test_what_is_put_in_doubt_is_tried_again_but_not_what_is_plainly_there():
    wall = box((8, 0), (8, 11), 1.5)
    occupancy = look_around((wall,), [(i, j) for i in (2, 4, 6) for j in range(2, 10)])
    near = (8, 5)
    occupancy.bump(standing((6, 5), 0), 90)
    occupancy._evidence[occupancy.index((3, 3))] = 1.0
    occupancy._trodden[occupancy.index((3, 3))] = False
    occupancy.revision += 1
    assert occupancy.state(near) is occupancy.state((3, 3)) is CellState.OCCUPIED
    before = occupancy.revision
    occupancy.doubt_obstacles()
    assert occupancy.revision > before
    assert not occupancy.blocked.any()
    assert occupancy.state((3, 3)) is CellState.UNKNOWN
    assert occupancy.state(near) is CellState.OCCUPIED
    assert occupancy.squeezes


def test_looking_again_from_the_same_place_tells_less_and_less():
    occupancy = OccupancyGrid.around(standing((4, 4)))
    evidence = []
    for _ in range(4):
        look(occupancy, (), standing((4, 4)), noise=0.02)
        evidence.append(abs(float(occupancy._evidence[occupancy.index((12, 4))])))
    assert np.diff(evidence) == pytest.approx(evidence[0] / np.array([2, 3, 4]), rel=1e-3)


def test_what_was_moved_is_noticed_however_long_it_stood_there():
    thing = box((8, 5), (8, 6), 0.9)
    stances = [(i, j) for i in (3, 12) for j in range(1, 11)]
    occupancy = look_around((thing,), stances)
    assert occupancy.state((8, 5)) is CellState.OCCUPIED
    occupancy = look_around((), [(4, 3), (11, 3), (4, 8), (11, 8), (8, 2), (8, 9)], occupancy=occupancy)
    assert occupancy.state((8, 5)) is CellState.FREE


def test_the_revision_tells_whether_something_changed():
    stance = standing((4, 4), 0, -30)
    occupancy = OccupancyGrid.around(stance)
    look(occupancy, (), stance)
    before = occupancy.revision
    assert before > 0
    look(occupancy, (), stance)
    assert occupancy.revision == before
    look(occupancy, (), standing((4, 4), 90, -30))
    assert occupancy.revision > before


def test_classes_are_kept_where_they_were_seen():
    things = (box((8, 4), (8, 6), 0.75), box((14, 4), (14, 6), 0.75))
    scores = {1: {"table": 0.7, "desk": 0.3}, 2: {"sofa": 0.9}}
    occupancy = look_around(things, [(3, 2), (3, 9), (11, 8)], scores=scores)
    for cell in ((8, 4), (8, 5), (8, 6)):
        assert occupancy.classes.scores(occupancy.index(cell)) == pytest.approx(
            {"table": 0.7, "desk": 0.3}, abs=1e-3
        )
        assert list(occupancy.classes.scores(occupancy.index(cell))) == ["table", "desk"], (
            "the likeliest first"
        )
    assert occupancy.classes.scores(occupancy.index((14, 5))) == pytest.approx({"sofa": 1.0})
    assert occupancy.classes.scores(occupancy.index((3, 9))) == {}
    best = occupancy.classes.best()
    at = occupancy.index((8, 5))
    assert occupancy.classes.names[best[at]] == "table"
    assert best[occupancy.index((3, 9))] == -1


def test_a_grid_grows_in_all_directions_and_keeps_what_it_had():
    occupancy = look_around((box((8, 5)),), [(4, 4), (11, 8)], scores={1: {"box": 1.0}})
    free, occupied = cells_in(occupancy, CellState.FREE), cells_in(occupancy, CellState.OCCUPIED)
    scores, height = occupancy.classes.scores(occupancy.index((8, 5))), occupancy.height((8, 5))
    nothing = np.full((LENS.height, LENS.width), np.inf, dtype=np.float32)
    occupancy.bump(standing((4, 4)), 180)
    far = [(-200, 4), (200, 4), (4, -200), (4, 200)]
    for cell in far:
        occupancy.update(nothing, standing(cell), LENS)
        assert occupancy.state(cell) is CellState.FREE
    trodden = {(i + di, j + dj) for i, j in far for di, dj in ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1))}
    assert cells_in(occupancy, CellState.FREE) == free | trodden
    assert cells_in(occupancy, CellState.OCCUPIED) == occupied
    assert occupancy.classes.scores(occupancy.index((8, 5))) == scores
    assert occupancy.height((8, 5)) == height
    assert occupancy.blocked[occupancy.index((3, 4))]


@pytest.mark.parametrize("name", ["studio/0", "galley_kitchen/1", "row_flat/0", "bathroom/0", "living/2"])
def test_with_the_usual_noise_homes_are_mapped_as_they_are(name):
    layout = generate_layout(name)
    home = Home(layout, load_object_classes(), Posture(min(layout.reachable), 0))
    camera = Camera(home, LENS, load_noise(), 1)
    spots, rng = sorted(layout.reachable), Random(1)
    occupancy = None
    for number in range(64):
        if number % 8 == 0:
            home.posture.cell = rng.choice(spots)
        home.posture.heading, home.posture.pitch = number % 4 * 90, (-30, 0)[number // 4 % 2]
        seen = camera.take().frame
        occupancy = occupancy or OccupancyGrid.around(seen.stance)
        occupancy.update(seen.depth, seen.stance, LENS, seen.labels, {m.label: m.scores for m in seen.masks})
    solid = layout.walls | {cell for piece in layout.pieces for cell in piece.cells}
    free, occupied = cells_in(occupancy, CellState.FREE), cells_in(occupancy, CellState.OCCUPIED)
    floor = {(i, j) for i in range(layout.width) for j in range(layout.height)} - solid
    assert len(free & floor) >= 0.9 * len(floor), "most of it was in view"
    assert len(occupied - solid) <= 0.04 * len(floor), "mostly in corners"
    assert len(free - floor) <= 0.02 * len(free)
    # What counts: where it believes to be able to stand, and where it can.
    costmap = make_costmap(occupancy, unknown_cost=None)
    fits = {cell for cell in free if isfinite(costmap.step_cost(cell))}
    surroundings = {cell: {cell, *beside(cell)} for cell in layout.reachable}
    known = {cell for cell, around in surroundings.items() if around <= free | occupied}
    assert len(known) >= 0.85 * len(layout.reachable)
    assert len(known - fits) <= 0.015 * len(known)
    assert len(fits - layout.standable) <= 0.01 * len(known)


def test_finer_cells_are_possible():
    settings = OccupancySettings(cell=0.125)
    stance = standing((4, 4))
    occupancy = OccupancyGrid.around(stance, settings)
    for heading in (0, 90, 180, 270):
        for pitch in (0, -30):
            look(occupancy, (box((10, 4), (10, 5)),), standing((4, 4), heading, pitch))
    assert occupancy.grid.cell == 0.125
    x, y = 10 * 0.25 + 0.05, 4 * 0.25 + 0.05
    assert occupancy.state(occupancy.grid.cell_at(x, y)) is CellState.OCCUPIED
    assert occupancy.state(occupancy.grid.cell_at(x - 0.25, y)) is CellState.FREE
