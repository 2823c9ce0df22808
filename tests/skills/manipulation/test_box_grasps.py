from __future__ import annotations

from math import pi

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from foretree.skills.manipulation.box_grasps import HOLD, BoxGraspPlanner
from foretree.skills.manipulation.cuboids import Cuboid
from foretree.skills.manipulation.grasps import GraspRequest
from foretree.skills.manipulation.hand import HandGeometry
from foretree.skills.manipulation.transforms import RigidTransform, dot, rotation_about

PANDA = HandGeometry(max_opening=0.08, finger_length=0.045, fingertip=0.008, palm=(0.06, 0.204, 0.066))
SIDES = st.floats(0.004, 0.3)


def standing(size, yaw=0.0, floor=0.8, at=(1.0, 2.0)):
    return Cuboid.upright((*at, floor + size[2] / 2), size, yaw)


def plan(item, **more):
    more.setdefault("support", item.bottom)
    return BoxGraspPlanner().plan(GraspRequest(item, more.pop("hand", PANDA), **more))


def shrunk(box, by=1e-6):
    return box.grown(-by)


@given(SIDES, SIDES, SIDES, st.floats(-pi, pi))
def test_no_part_of_the_hand_cuts_the_thing_or_what_it_stands_on(x, y, z, yaw):
    item = standing((x, y, z), yaw)
    table = Cuboid.upright((1.0, 2.0, 0.4), (3.0, 3.0, 0.8))
    for grasp in plan(item).grasps:
        for one in (grasp, grasp.turned):
            hand = [*PANDA.fingers(one.tool, one.opening), PANDA.body(one.tool)]
            before = [*PANDA.fingers(one.before, one.opening), PANDA.body(one.before)]
            assert not any(shrunk(part).meets(item) for part in hand)
            assert not any(part.meets(table) for part in (*hand, *before))


@given(SIDES, SIDES, SIDES, st.floats(-pi, pi))
def test_the_fingers_open_wide_enough_and_no_wider_than_they_can(x, y, z, yaw):
    for grasp in plan(standing((x, y, z), yaw)).grasps:
        assert grasp.width + 2 * PANDA.clearance <= grasp.opening + 1e-9
        assert grasp.opening <= PANDA.max_opening
        assert grasp.width >= PANDA.min_opening
        assert 0 <= grasp.score <= 1
        assert min(abs(grasp.width - side) for side in (x, y)) < 1e-9


@given(SIDES, SIDES, SIDES, st.floats(-pi, pi))
def test_the_thing_is_between_the_fingers(x, y, z, yaw):
    item = standing((x, y, z), yaw)
    for grasp in plan(item).grasps:
        one, other = PANDA.fingers(grasp.tool, 0.0)
        assert shrunk(one).meets(item)
        assert shrunk(other).meets(item)


@given(SIDES, SIDES, SIDES, st.floats(-pi, pi))
def test_no_grasp_is_another_one_with_the_fingers_exchanged(x, y, z, yaw):
    grasps = plan(standing((x, y, z), yaw)).grasps
    for number, one in enumerate(grasps):
        for other in grasps[:number]:
            same = max(abs(a - b) for a, b in zip(one.tool.position, other.tool.position, strict=True)) < 1e-9
            parallel = all(
                abs(abs(dot(a, b)) - 1) < 1e-9
                for a, b in zip(one.tool.axes[1:], other.tool.axes[1:], strict=True)
            )
            assert not (same and parallel and dot(one.along, other.along) > 0)


@given(SIDES, SIDES, SIDES, st.floats(-pi, pi))
def test_there_are_grasps_or_a_reason(x, y, z, yaw):
    answer = plan(standing((x, y, z), yaw))
    assert bool(answer.grasps) != bool(answer.why)
    scores = [grasp.score for grasp in answer.grasps]
    assert scores == sorted(scores, reverse=True)


@given(st.floats(-pi, pi))
def test_turning_the_thing_turns_its_grasps(yaw):
    straight, turned = plan(standing((0.05, 0.03, 0.1))), plan(standing((0.05, 0.03, 0.1), yaw))
    assert [g.score for g in straight.grasps] == pytest.approx([g.score for g in turned.grasps])


def test_a_mug_is_grasped_from_above_across_both_sides_and_from_four_sides():
    grasps = plan(standing((0.06, 0.05, 0.1))).grasps
    assert sorted(grasp.approach for grasp in grasps) == ["side"] * 4 + ["top"] * 2
    assert {grasp.width for grasp in grasps} == {0.05, 0.06}


@pytest.mark.parametrize(
    ("size", "why"),
    [
        ((0.2, 0.15, 0.1), "0.150 m wide, and the hand opens 0.080 m"),
        ((0.2, 0.0005, 0.1), "too thin"),
        ((0.05, 0.05, 0.012), "too flat to be gripped from above"),
        ((0.05, 0.05, 0.012), "too low to be gripped from the side"),
        ((0.05, 0.0, 0.1), "its size is not known"),
    ],
)
def test_what_cannot_be_grasped_is_refused_with_the_reason(size, why):
    answer = plan(standing(size))
    assert answer.grasps == ()
    assert why in answer.why


def test_what_leans_is_refused():
    leaning = Cuboid(RigidTransform((0, 0, 1), rotation_about((1, 0, 0), 0.5)), (0.05, 0.05, 0.1))
    assert "upright" in plan(leaning).why


def test_only_the_sides_that_are_allowed_are_tried():
    item = standing((0.06, 0.05, 0.1))
    assert {grasp.approach for grasp in plan(item, approaches=("side",)).grasps} == {"side"}
    assert plan(item, approaches=()).why


def test_what_stands_close_rules_grasps_out_and_is_named():
    item = standing((0.06, 0.05, 0.1))
    beside = standing((0.05, 0.05, 0.1), at=(1.08, 2.0))
    far = standing((0.05, 0.05, 0.1), at=(2.0, 2.0))
    answer = plan(item, obstacles=(far, beside))
    assert answer.blocked_by == (1,)
    # Not from its side, and no finger between the two.
    assert all(not (grasp.approach == "side" and grasp.along[0] < -0.5) for grasp in answer.grasps)
    assert answer.grasps
    lid = Cuboid.upright((1.0, 2.0, 0.95), (0.5, 0.5, 0.02))
    walls = [standing((0.02, 0.5, 0.3), at=(1.0 + x, 2.0)) for x in (-0.08, 0.08)]
    walls += [standing((0.5, 0.02, 0.3), at=(1.0, 2.0 + y)) for y in (-0.08, 0.08)]
    closed_in = plan(item, obstacles=(lid, *walls))
    assert closed_in.grasps == ()
    assert "too close" in closed_in.why
    assert set(closed_in.blocked_by) == {0, 1, 2, 3, 4}


@given(SIDES, SIDES, SIDES)
def test_a_support_that_is_higher_than_the_bottom_counts(x, y, z):
    assume(z > 2 * HOLD)
    item = standing((x, y, z))
    rim = item.bottom + z / 2
    for grasp in plan(item, support=rim).grasps:
        parts = [*PANDA.fingers(grasp.tool, grasp.opening), PANDA.body(grasp.tool)]
        assert min(part.bottom for part in parts) >= rim - 1e-9
