from __future__ import annotations

from math import hypot, pi

from hypothesis import given
from hypothesis import strategies as st

from foretree.skills.manipulation.cuboids import Cuboid
from foretree.skills.manipulation.placing import RELEASE, ArmReach, free_spot

TABLE = Cuboid.upright((1.0, 2.0, 0.4), (1.2, 0.8, 0.8), pi / 6)
MUG = (0.08, 0.08, 0.1)
SPOTS = st.tuples(st.floats(-0.6, 0.6), st.floats(-0.4, 0.4), st.floats(0.02, 0.4), st.floats(0.02, 0.4))


def on_table(x, y, length, width):
    x, y, _ = TABLE.pose.of((x, y, 0.0))
    return Cuboid.upright((x, y, 0.85), (length, width, 0.1))


@given(st.lists(SPOTS, max_size=5))
def test_a_spot_is_on_the_top_and_free(things):
    taken = [on_table(*thing) for thing in things]
    spot = free_spot(TABLE, MUG, taken)
    assert (spot.item is None) is bool(spot.why)
    if spot.item is not None:
        item = Cuboid(spot.item, MUG)
        assert not any(item.grown(0.019).meets(one) for one in taken)
        assert abs(item.bottom - TABLE.top - RELEASE) < 1e-9
        for corner in item.corners:
            x, y, _ = TABLE.pose.inverse.of(corner)
            assert abs(x) <= 0.6
            assert abs(y) <= 0.4


def test_the_middle_of_an_empty_top_is_taken():
    spot = free_spot(TABLE, MUG, [])
    assert spot.item is not None
    assert hypot(spot.item.position[0] - 1.0, spot.item.position[1] - 2.0) < 1e-9


def test_a_spot_is_within_reach_and_near_what_is_wished():
    reach = ArmReach((1.0, 1.2, 0.8), 0.6, 0.2)
    spot = free_spot(TABLE, MUG, [], reach, near=(1.0, 1.0, 0.8))
    assert spot.item is not None
    assert reach.covers(spot.item.position)
    assert spot.item.position[1] < 1.85


def test_why_there_is_no_spot():
    assert "too large" in free_spot(TABLE, (1.3, 0.1, 0.1), []).why
    assert "within reach" in free_spot(TABLE, MUG, [], ArmReach((9, 9, 0), 0.5)).why
    assert "no room on it" in free_spot(TABLE, MUG, [TABLE.grown(0.2)]).why
    assert "within reach" in free_spot(TABLE, MUG, [], ArmReach((1.0, 2.0, 0.8), 5.0, 4.0)).why


def test_a_spot_between_two_things_leaves_room_on_both_sides():
    row = Cuboid.upright((0.0, 0.0, 0.5), (1.0, 0.14, 0.1))
    taken = [Cuboid.upright((x, 0.0, 0.6), (0.2, 0.1, 0.1)) for x in (-0.4, 0.3)]
    spot = free_spot(row, (0.08, 0.08, 0.1), taken)
    assert spot.item is not None
    assert -0.2 < spot.item.position[0] < 0.1
