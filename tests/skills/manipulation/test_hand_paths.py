from __future__ import annotations

from itertools import pairwise
from math import acos, dist, pi

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foretree.skills.manipulation.cuboids import Cuboid
from foretree.skills.manipulation.hand import HandGeometry
from foretree.skills.manipulation.hand_paths import away, back, pour_path, slide_path
from foretree.skills.manipulation.transforms import UP, RigidTransform, dot, rotation_of

HAND = HandGeometry(max_opening=0.08, fingertip=0.008)
BOWL = Cuboid.upright((1.0, 2.0, 0.85), (0.16, 0.16, 0.1))
JUG = (0.1, 0.08, 0.2)
#: The hand holds the jug from the side, in the middle.
HELD = RigidTransform((0.0, 0.0, 0.0), rotation_of((0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)))
ANGLES = st.floats(-pi, pi)


def vessel(tool):
    return Cuboid(tool @ HELD.inverse, JUG)


@given(st.floats(0.3, 2.5), st.tuples(st.floats(-1, 1), st.floats(-1, 1), st.just(0.0)).filter(any))
def test_a_vessel_is_tilted_about_its_lip_above_the_middle_of_the_target(tilt, towards):
    if dist(towards, (0, 0, 0)) < 1e-3:
        return
    path = pour_path(BOWL, JUG, HELD, towards, tilt, height=0.05)
    upright = vessel(path.above)
    assert upright.pose.axes[2] == pytest.approx(UP)
    lip = (1.0, 2.0, 0.95)
    # The lip is a point of the upper edge ahead, before and after.
    for tool in (path.above, *path.tilts):
        assert vessel(tool).pose.inverse.of(lip) == pytest.approx((0.05, 0.0, 0.1), abs=1e-6)
    last = vessel(path.tilts[-1]).pose.axes[2]
    assert acos(max(-1.0, min(1.0, dot(last, UP)))) == pytest.approx(tilt, abs=1e-5)
    assert dot(last, away(towards, (0, 0, 0))) > 0  # it leans over the target


def test_a_vessel_is_tilted_step_by_step():
    path = pour_path(BOWL, JUG, HELD, (1.0, 0.0, 0.0))
    for one, other in pairwise((path.above, *path.tilts)):
        assert dot(vessel(one).pose.axes[2], vessel(other).pose.axes[2]) > 0.98


@given(ANGLES, ANGLES, st.floats(0.02, 0.3))
def test_fingers_push_from_behind_along_a_straight_line_and_touch_nothing_before(yaw, angle, distance):
    from math import cos, sin

    item = Cuboid.upright((1.0, 2.0, 0.85), (0.1, 0.06, 0.1), yaw)
    ahead = (cos(angle), sin(angle), 0.0)
    path = slide_path(item, ahead, distance, HAND)
    table = Cuboid.upright((1.0, 2.0, 0.4), (3, 3, 0.8))
    for tool in (path.before, path.start):
        assert not any(finger.meets(item) for finger in HAND.fingers(tool, 0.0))
        assert not any(finger.grown(-1e-6).meets(table) for finger in HAND.fingers(tool, 0.0))
    gone = tuple(b - a for a, b in zip(path.start.position, path.end.position, strict=True))
    assert gone == pytest.approx(tuple((distance + HAND.clearance) * x for x in ahead))
    behind = tuple(a - b for a, b in zip(path.start.position, item.centre, strict=True))
    assert dot(behind, ahead) < 0
    assert path.after.position[2] == pytest.approx(item.top + 0.1)


def test_directions():
    assert away((1, 1, 5), (1, 0, 0)) == (0, 1, 0)
    assert away((1, 1, 5), (1, 1, 0)) == (1, 0, 0)
    assert back((1, -2, 0)) == (-1, 2, 0)
