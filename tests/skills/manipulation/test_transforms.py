from __future__ import annotations

from math import hypot, pi

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foretree.skills.manipulation.transforms import (
    RigidTransform,
    add,
    cross,
    dot,
    rotate,
    rotation_about,
    rotation_of,
    unit,
)

NUMBERS = st.floats(-10, 10)
VECTORS = st.tuples(NUMBERS, NUMBERS, NUMBERS)
AXES = VECTORS.filter(lambda v: hypot(*v) > 1e-3)
ROTATIONS = st.builds(rotation_about, AXES, st.floats(-2 * pi, 2 * pi))
TRANSFORMS = st.builds(RigidTransform, VECTORS, ROTATIONS)


def near(vector):
    return pytest.approx(vector, abs=1e-6)


@given(TRANSFORMS, TRANSFORMS, VECTORS)
def test_composed_transforms_are_carried_out_one_after_the_other(one, other, point):
    assert (one @ other).of(point) == near(one.of(other.of(point)))


@given(TRANSFORMS, VECTORS)
def test_the_inverse_leads_back(transform, point):
    assert transform.inverse.of(transform.of(point)) == near(point)
    assert (transform @ transform.inverse).of(point) == near(point)


@given(ROTATIONS, VECTORS, VECTORS)
def test_rotations_keep_lengths_and_angles(rotation, one, other):
    assert dot(rotate(rotation, one), rotate(rotation, other)) == pytest.approx(dot(one, other), abs=1e-6)
    turned = cross(rotate(rotation, one), rotate(rotation, other))
    assert turned == near(rotate(rotation, cross(one, other)))


@given(ROTATIONS)
def test_a_rotation_is_known_by_its_axes(rotation):
    axes = RigidTransform((0, 0, 0), rotation).axes
    assert RigidTransform((0, 0, 0), rotation_of(*axes)).axes == tuple(near(axis) for axis in axes)


def test_a_quarter_turn_about_z_turns_x_into_y():
    assert rotate(rotation_about((0, 0, 1), pi / 2), (1, 0, 0)) == near((0, 1, 0))


def test_a_turn_about_a_point_leaves_it_where_it_is():
    turned = RigidTransform((2, 0, 0)).turned((1, 0, 0), (0, 0, 1), pi)
    assert turned.position == near((0, 0, 0))
    assert RigidTransform((1, 0, 0)).turned((1, 0, 0), (0, 0, 1), 1.0).position == near((1, 0, 0))


def test_a_direction_needs_a_length():
    with pytest.raises(ValueError, match="length"):
        unit((0, 0, 0))
    assert unit((0, 3, 4)) == near((0, 0.6, 0.8))
    assert add((1, 2, 3), (1, 1, 1), 2) == (3, 4, 5)
