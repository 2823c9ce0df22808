from __future__ import annotations

from math import pi

import pytest
from hypothesis import given
from hypothesis import strategies as st
from manipulation_shapes import CUBOIDS

from foretree.skills.manipulation.cuboids import Cuboid
from foretree.skills.manipulation.transforms import RigidTransform, rotation_about


def inside(box, point, slack=1e-9):
    return all(
        abs(x) <= side / 2 + slack for x, side in zip(box.pose.inverse.of(point), box.size, strict=True)
    )


@given(CUBOIDS, CUBOIDS)
def test_meeting_is_mutual(one, other):
    assert one.meets(other) == other.meets(one)


@given(CUBOIDS, CUBOIDS)
def test_a_box_meets_one_that_has_a_corner_in_it(one, other):
    if any(inside(one, corner) for corner in other.corners):
        assert one.grown(1e-6).meets(other)


@given(CUBOIDS, CUBOIDS)
def test_boxes_apart_by_their_spheres_do_not_meet(one, other):
    far = Cuboid(other.pose.moved((1, 0, 0), 100), other.size)
    assert not one.meets(far)


@given(CUBOIDS)
def test_top_and_bottom_are_those_of_its_corners(box):
    heights = [corner[2] for corner in box.corners]
    assert (box.bottom, box.top) == pytest.approx((min(heights), max(heights)))


@given(CUBOIDS, st.integers(0, 2), st.floats(0, 2), st.floats(0, 1))
def test_a_stretched_box_holds_the_box_on_all_its_way(box, axis, distance, share):
    along = box.pose.axes[axis]
    moved = Cuboid(box.pose.moved(along, share * distance), box.size)
    assert all(inside(box.stretched(along, distance), corner, 1e-6) for corner in moved.corners)


def test_crossed_boxes_meet_though_no_corner_is_in_the_other():
    one, other = Cuboid.upright((0, 0, 0), (4, 1, 1)), Cuboid.upright((0, 0, 0), (1, 4, 0.5))
    assert one.meets(other)


def test_boxes_that_only_an_edge_parts_do_not_meet():
    one = Cuboid(RigidTransform((0, 0, 0), rotation_about((0, 0, 1), pi / 4)), (1, 1, 1))
    assert not one.meets(Cuboid(RigidTransform((1.1, 1.1, 0), rotation_about((0, 0, 1), pi / 4)), (1, 1, 1)))
    assert one.meets(Cuboid.upright((0.7, 0, 0), (0.2, 0.2, 0.2)))
    assert not one.meets(Cuboid.upright((0.6, 0.6, 0), (0.2, 0.2, 0.2)))


def test_the_box_of_an_extent():
    box = Cuboid.of((0, 1, 2, 1, 3, 5))
    assert (box.centre, box.size, box.bottom, box.top) == ((0.5, 2, 3.5), (1, 2, 3), 2, 5)
    assert box.grown(-10).size == (0, 0, 0)
