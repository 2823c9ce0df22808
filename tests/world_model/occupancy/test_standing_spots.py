"""Where to stand to reach something."""

from __future__ import annotations

from math import atan2, degrees, hypot, isfinite

import pytest
from small_home import INSIDE, box, look_around

from foretree.world_model.occupancy.paths import ShortestPaths, make_costmap
from foretree.world_model.occupancy.standing_spots import ASIDE, BoundingBox, standing_spots

EYE, REACH = 1.4, 1.0


def home(*boxes, cells=((3, 3), (12, 3), (12, 9), (3, 9)), start=(3, 3)):
    occupancy = look_around(boxes, cells)
    return occupancy, ShortestPaths(make_costmap(occupancy), start)


@pytest.fixture(scope="module")
def table():
    return home(box((7, 5), (9, 6), 0.75))


MUG = BoundingBox(2.0, 1.4, 0.75, 2.1, 1.5, 0.85)


def test_from_every_spot_it_is_within_reach_and_in_view(table):
    occupancy, paths = table
    spots = standing_spots(occupancy, paths, MUG, REACH, EYE)
    assert spots
    for spot in spots:
        x, y = occupancy.grid.centre(spot.cell)
        dx = max(MUG.x0 - x, 0, x - MUG.x1)
        dy = max(MUG.y0 - y, 0, y - MUG.y1)
        assert spot.away == pytest.approx(hypot(dx, dy), abs=1e-5)
        assert spot.away <= REACH
        near = MUG.nearest(x, y)
        bearing = degrees(atan2(near[1] - y, near[0] - x))
        assert abs((bearing - spot.heading + 180) % 360 - 180) <= ASIDE + 1e-6
        assert isfinite(spot.distance)
        assert paths.costmap.step_cost(spot.cell) < 4


def test_no_cell_from_which_it_could_be_reached_is_missing(table):
    occupancy, paths = table
    spots = {spot.cell for spot in standing_spots(occupancy, paths, MUG, REACH, EYE)}
    within = {c for c in INSIDE if MUG.away(*occupancy.grid.centre(c)) <= REACH and paths.reaches(c)}
    assert spots == within


def test_the_nearest_by_way_comes_first(table):
    occupancy, paths = table
    distances = [spot.distance for spot in standing_spots(occupancy, paths, MUG, REACH, EYE)]
    assert distances == sorted(distances)
    best = standing_spots(occupancy, paths, MUG, REACH, EYE)[0]
    assert best.distance == paths.distance(best.cell)
    other = ShortestPaths(paths.costmap, (13, 9))
    assert standing_spots(occupancy, other, MUG, REACH, EYE)[0].cell[0] > 8, "from the other side"


def test_furniture_with_a_front_is_used_from_there(table):
    occupancy, paths = table
    whole = BoundingBox(7 / 4, 5 / 4, 0.0, 10 / 4, 7 / 4, 0.75)
    for front, is_before in (
        (0, lambda x, y: x > whole.x1),
        (90, lambda x, y: y > whole.y1),
        (180, lambda x, y: x < whole.x0),
        (270, lambda x, y: y < whole.y0),
    ):
        spots = standing_spots(occupancy, paths, whole, REACH, EYE, front=front)
        assert spots
        for spot in spots:
            assert spot.heading == (front + 180) % 360
            assert is_before(*occupancy.grid.centre(spot.cell))


def test_what_is_behind_a_wall_is_not_reached_through_it():
    occupancy, paths = home(box((8, 0), (8, 8), 2.5), cells=((3, 3), (8, 10), (12, 3), (12, 9)))
    thing = BoundingBox.at(2.35, 0.9, 0.8)  # just behind the wall as seen from the left
    spots = standing_spots(occupancy, paths, thing, REACH, EYE)
    assert spots
    assert all(spot.cell[0] > 8 for spot in spots)


def test_one_reaches_over_what_is_low_and_not_through_what_is_high():
    low = home(box((7, 3), (7, 8), 0.5), box((8, 5), (8, 6), 0.75))
    high = home(box((7, 3), (7, 8), 1.3), box((8, 5), (8, 6), 0.75))
    thing = BoundingBox.at(2.1, 1.5, 0.8)
    left_of = [
        {spot.cell for spot in standing_spots(occupancy, paths, thing, REACH, EYE) if spot.cell[0] < 7}
        for occupancy, paths in (low, high)
    ]
    assert (5, 5) in left_of[0]
    assert (5, 5) not in left_of[1]


def test_what_a_thing_is_in_does_not_hide_it():
    occupancy, paths = home(box((7, 5), (9, 6), 1.5))
    inside = BoundingBox.at(2.1, 1.4, 0.6)
    shelf = BoundingBox(7 / 4, 5 / 4, 0.0, 10 / 4, 7 / 4, 1.5)
    assert standing_spots(occupancy, paths, inside, REACH, EYE) == ()
    before = standing_spots(occupancy, paths, inside, REACH, EYE, within=shelf, front=270)
    assert before
    assert all(spot.cell[1] < 5 and spot.heading == 90 for spot in before)


def test_what_is_out_of_reach_has_no_spot(table):
    occupancy, paths = table
    assert standing_spots(occupancy, paths, BoundingBox.at(2.1, 1.5, 0.8), 0.2, EYE) == ()
    assert standing_spots(occupancy, paths, BoundingBox.at(50.0, 50.0, 0.8), REACH, EYE) == ()
