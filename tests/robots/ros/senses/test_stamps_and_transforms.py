"""Stamps on the session's clock, poses in space, transforms that are recent enough."""

from math import cos, isclose, pi, sin

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ros_messages import NANO, ZERO, point, quaternion, stamp

from foretree.robots.ros.senses.transforms import (
    FreshTransforms,
    PoseError,
    RigidPose,
    Transform,
    TransformError,
    box_around,
)
from foretree.robots.ros.stamps import SessionTime, StampError

NOW = 10.0
TIME = SessionTime(lambda: NOW, ZERO)


def test_stamps_become_seconds_of_the_session():
    assert TIME.seconds(stamp(9.75)) == 9.75
    assert TIME.seconds(stamp(-3.0)) == -3.0
    assert TIME.ros(9.75) == ZERO + 9_750_000_000
    assert SessionTime.begun(lambda: 4.0, lambda: ZERO + 4 * NANO).zero == ZERO


def test_a_stamp_that_says_nothing_is_refused():
    with pytest.raises(StampError, match="not set"):
        TIME.seconds(stamp(None))
    assert TIME.seconds(stamp(NOW + 0.05)) == pytest.approx(NOW + 0.05)
    with pytest.raises(StampError, match=r"2\.0 s ahead of the time now.*use_sim_time"):
        TIME.seconds(stamp(NOW + 2))


def test_an_old_stamp_is_refused():
    TIME.check_age(9.5, 1.0)
    with pytest.raises(StampError, match=r"3\.0 s ago, more than 1 s"):
        TIME.check_age(7.0, 1.0)


# -- poses -------------------------------------------------------------------------------------------------
_UNITS = st.tuples(*[st.floats(-1, 1)] * 4).filter(lambda q: sum(v * v for v in q) > 0.1)
_POINTS = st.tuples(*[st.floats(-5, 5)] * 3)


def _unit(q):
    length = sum(v * v for v in q) ** 0.5
    return tuple(v / length for v in q)


@given(_POINTS, _UNITS, _POINTS, _UNITS, _POINTS)
def test_poses_compose_as_their_matrices_and_turn_back(a, qa, b, qb, at):
    one, other = RigidPose(a, _unit(qa)), RigidPose(b, _unit(qb))
    points = np.array([at])
    assert np.allclose(one.then(other).apply(points), one.apply(other.apply(points)))
    assert np.allclose(one.invert(one.apply(points)), points)
    assert np.allclose(one.matrix @ one.matrix.T, np.eye(3))
    assert isclose(float(np.linalg.det(one.matrix)), 1.0, rel_tol=1e-9)


@pytest.mark.parametrize("angle", [0.0, 0.5, pi / 2, -2.0])
def test_a_turn_about_the_vertical_axis(angle):
    turned = RigidPose.of(point(1, 2, 3), quaternion(z=sin(angle / 2), w=cos(angle / 2)))
    assert turned.heading == pytest.approx(angle)
    assert np.allclose(turned.apply(np.array([[1.0, 0, 0]])), [[1 + cos(angle), 2 + sin(angle), 3]])


def test_what_is_no_pose_is_refused():
    with pytest.raises(PoseError, match=r"length 0, not 1 \(it is not set\)"):
        RigidPose.of(point(), quaternion(w=0.0))
    with pytest.raises(PoseError, match="length 2"):
        RigidPose.of(point(), quaternion(w=2.0))
    with pytest.raises(PoseError, match="not finite"):
        RigidPose.of(point(x=float("nan")), quaternion())
    rounded = RigidPose.of(point(), quaternion(z=0.7071, w=0.7071))
    assert sum(part**2 for part in rounded.rotation) == pytest.approx(1.0, abs=1e-12)


def test_the_box_around_points():
    assert box_around(np.array([[0, 5, 1], [1, 4, 3.00049]])) == (0, 4, 1, 1, 5, 3.0)


# -- transforms --------------------------------------------------------------------------------------------
class Known:
    def __init__(self, transform):
        self.transform = transform
        self.asked = []

    def lookup(self, target, source, time):
        self.asked.append((target, source, time))
        return self.transform


def _fresh(age, max_age=0.5, static=False):
    known = Known(Transform(RigidPose((1, 2, 3)), 0 if static else ZERO - round(age * NANO)))
    return FreshTransforms(known, lambda: ZERO, max_age), known


def test_a_transform_that_is_too_old_is_not_used():
    fresh, _ = _fresh(0.4)
    assert fresh.lookup("map", "base_link", None).pose.position == (1, 2, 3)
    fresh, _ = _fresh(3.4)
    with pytest.raises(
        TransformError, match=r"map <- base_link: the newest transform is 3\.4 s old, more than 0\.5 s"
    ):
        fresh.lookup("map", "base_link", None)
    assert fresh.lookup("map", "base_link", ZERO - 4 * NANO).pose.position == (1, 2, 3)  # of that time


def test_a_transform_that_never_changes_has_no_age():
    fresh, _ = _fresh(100, static=True)
    assert fresh.lookup("map", "base_link", None).pose.position == (1, 2, 3)


def test_frames_are_called_without_a_leading_slash():
    fresh, known = _fresh(0)
    fresh.lookup("/map", "/base_link", 5)
    assert known.asked == [("map", "base_link", 5)]
    assert fresh.lookup("map", "/map", 5).pose == RigidPose()
    with pytest.raises(TransformError, match="frame_id is empty"):
        fresh.lookup("map", "", None)
