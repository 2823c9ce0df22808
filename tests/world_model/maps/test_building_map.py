"""The geometry of a floor."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foretree.world_model.maps.building_map import MapRoom, crossing, overlap, shared_wall

WEST = MapRoom("west", (0, 0), (4, 4))
EAST = MapRoom("east", (4, 1), (8, 5))
CORNER = MapRoom("corner", (4, 4), (6, 6))
FAR = MapRoom("far", (9, 0), (10, 4))


def test_a_room():
    assert WEST.middle == (2, 2)
    assert WEST.contains(0, 4)
    assert not WEST.contains(4.1, 2)


def test_rooms_that_share_a_wall_do_not_overlap():
    assert not overlap(WEST, EAST)
    assert overlap(EAST, CORNER)
    assert not overlap(WEST, FAR)


def test_the_wall_that_rooms_share():
    assert shared_wall(WEST, EAST) == ((4, 1), (4, 4))
    assert shared_wall(EAST, WEST) == ((4, 1), (4, 4))


@pytest.mark.parametrize("other", [CORNER, FAR])
def test_a_corner_is_no_wall(other):
    assert shared_wall(WEST, other) is None


def test_a_way_through_the_shared_wall():
    assert crossing(WEST, EAST, (3, 2), (5, 3)) == (4, 2.5)
    assert crossing(EAST, WEST, (5, 3), (3, 2)) == (4, 2.5)


def test_a_way_around_the_corner_goes_through_another_wall():
    assert crossing(WEST, EAST, (3, 0.2), (5, 1.2)) is None


def test_a_way_along_the_wall():
    assert crossing(WEST, EAST, (4, 2), (4, 4.5)) == (4, 4)


@given(*[st.floats(0, 4)] * 2, st.floats(4, 8), st.floats(1, 5))
def test_a_way_is_told_the_same_from_both_ends(x, y, end_x, end_y):
    there = crossing(WEST, EAST, (x, y), (end_x, end_y))
    back = crossing(EAST, WEST, (end_x, end_y), (x, y))
    assert (there is None) == (back is None)
    if there is not None:
        # A way through the very corner is told to within a tenth of a millimetre.
        assert _around(WEST).contains(*there)
        assert _around(EAST).contains(*there)


def _around(room):
    low, high = ((x + margin, y + margin) for (x, y), margin in ((room.low, -1e-4), (room.high, 1e-4)))
    return MapRoom(room.name, low, high)
