from __future__ import annotations

from itertools import pairwise
from math import dist, pi

import pytest

from foretree.skills.manipulation.articulation import Articulation, Hinge, Slide
from foretree.skills.manipulation.transforms import RigidTransform, dot, rotation_of

#: The tool points along x, at a handle on the near face of a cupboard; its fingers close along y.
AHEAD = RigidTransform((1.0, 0.4, 1.0), rotation_of((0.0, 0.0, -1.0), (0.0, 1.0, 0.0), (1.0, 0.0, 0.0)))
DOOR = Articulation(AHEAD, 0.02, Hinge((1.0, 0.0, 0.0), (0.0, 0.0, 1.0), pi / 2))
DRAWER = Articulation(AHEAD, 0.02, Slide((-1.0, 0.0, 0.0), 0.3))


def test_a_drawer_comes_straight_out():
    path = DRAWER.path(opening=True)
    assert path[0].position == pytest.approx((1.0, 0.4, 1.0))
    assert path[-1].position == pytest.approx((0.7, 0.4, 1.0))
    assert all(dist(a.position, b.position) <= 0.05 + 1e-9 for a, b in pairwise(path))
    assert {pose.rotation for pose in path} == {AHEAD.rotation}


def test_a_door_turns_about_its_hinge_and_the_hand_with_it():
    path = DOOR.path(opening=True)
    assert path[-1].position == pytest.approx((0.6, 0.0, 1.0))
    assert all(dist(pose.position, (1.0, 0.0, 1.0)) == pytest.approx(0.4) for pose in path)
    assert path[-1].axes[2] == pytest.approx((0.0, 1.0, 0.0))
    for one, other in pairwise(path):
        assert dot(one.axes[2], other.axes[2]) >= 0.996  # five degrees


@pytest.mark.parametrize("joint", [DOOR, DRAWER], ids=["door", "drawer"])
def test_closing_is_opening_backwards(joint):
    assert joint.path(opening=False) == tuple(reversed(joint.path(opening=True)))


@pytest.mark.parametrize("opening", [True, False])
@pytest.mark.parametrize("joint", [DOOR, DRAWER], ids=["door", "drawer"])
def test_the_hand_comes_and_leaves_straight(joint, opening):
    first, last = joint.path(opening)[0], joint.path(opening)[-1]
    for near, pose in ((joint.before(opening, 0.1), first), (joint.after(opening, 0.1), last)):
        assert near.rotation == pose.rotation
        assert near.inverse.of(pose.position) == pytest.approx((0, 0, 0.1))
