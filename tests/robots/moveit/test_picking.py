"""Picking and putting down: what is done in turn, and what is so when it ends early, at every step."""

from __future__ import annotations

import pytest
from played_arm import ABORTED, REFUSED, UNREACHABLE, Kitchen

from foretree.robots.moveit.arm import ChangeScene, GripTo, MotionEnd, Straight, ToPose
from foretree.robots.moveit.error_codes import MotionProblem
from foretree.skills.robot import Outcome, RobotError, Target

#: What a pick consists of: the scene, open, go before it, open as far as it takes, out of the scene, reach,
#: close, take it along, lift, make sure.
PICK = [
    "ChangeScene",
    "GripTo",
    "ToPose",
    "GripTo",
    "ChangeScene",
    "Straight",
    "GripTo",
    "ChangeScene",
    "Straight",
    "GripTo",
]
PLACE = ["ToPose", "Straight", "GripTo", "ChangeScene", "Straight", "ChangeScene"]


def test_a_thing_is_picked_up_and_its_hold_made_sure_of_twice():
    kitchen = Kitchen()
    end = kitchen.pick().poll()
    assert end.outcome is Outcome.DONE
    assert kitchen.arm.kinds() == PICK
    assert kitchen.state.held.name == "mug1"
    shown = [request.diff for request in kitchen.arm.requests if isinstance(request, ChangeScene)]
    assert set(shown[0].add) == {"table1", "mug1", "mug2", "jug1"}
    assert shown[1].remove == ("mug1",)
    assert set(shown[2].attach) == {"mug1"}
    # What is attached does not touch what it stood on.
    assert all(a < b for a, b in zip(shown[2].attach["mug1"].size, (0.06, 0.05, 0.1), strict=True))
    # It goes straight on the last piece, and straight up.
    reach, lift = (
        request.tools[0].position for request in kitchen.arm.requests if isinstance(request, Straight)
    )
    assert lift[2] == pytest.approx(reach[2] + 0.1)
    assert lift[:2] == pytest.approx(reach[:2])


def test_what_is_held_is_shown_as_such_with_the_next_order():
    kitchen = Kitchen().holding()
    kitchen.belief.tell(("holding", "arm", "hand", "mug1"), source="action")
    kitchen.put("mug2", "mug", (0.6, 0.35, 0.85))
    kitchen.order("place_on", item="mug1", place="table1").poll()
    assert set(kitchen.arm.requests[0].diff.move) == {"mug2"}
    assert not kitchen.arm.requests[0].diff.attach


@pytest.mark.parametrize("gap", [0.0, 0.02, 0.078])
def test_a_hand_that_closed_on_nothing_or_something_else_has_failed(gap):
    kitchen = Kitchen()
    execution = kitchen.order("pick", item="mug1", place="table1")
    assert execution.poll().outcome is Outcome.DONE  # the gap of every grip is as told
    kitchen = Kitchen()
    kitchen.arm.answers[6] = MotionEnd("done", width=gap)
    end = kitchen.order("pick", item="mug1", place="table1").poll()
    assert end.outcome is Outcome.FAILED
    assert "gripping it" in end.reason
    assert not end.without_effect
    assert kitchen.state.held is None
    # It lets go and goes back.
    assert kitchen.arm.kinds() == [*PICK[:7], "GripTo", "Straight"]
    assert kitchen.arm.requests[-2].width == 0.08


def test_a_gripper_that_does_not_say_how_far_it_closed_is_not_believed():
    kitchen = Kitchen()
    kitchen.arm.answers[6] = MotionEnd("done", width=None)
    end = kitchen.pick().poll()
    assert end.outcome is Outcome.FAILED
    assert "does not say" in end.reason


def test_what_slips_on_the_way_up_has_not_been_picked():
    kitchen = Kitchen()
    kitchen.arm.answers[9] = MotionEnd("done", width=0.0)
    end = kitchen.pick().poll()
    assert end.outcome is Outcome.FAILED
    assert "making sure" in end.reason
    assert kitchen.state.held is None
    assert kitchen.arm.requests[-1].diff.detach == {"mug1": "hand"}


def test_other_grasps_are_tried_while_none_can_be_reached():
    kitchen = Kitchen()
    kitchen.arm.answers.update({2: REFUSED, 3: UNREACHABLE})
    end = kitchen.pick().poll()
    assert end.outcome is Outcome.DONE
    assert kitchen.arm.kinds()[:6] == [
        "ChangeScene",
        "GripTo",
        "ToPose",
        "ToPose",
        "ToPose",
        "GripTo",
    ]
    first, turned = (kitchen.arm.requests[number].tool for number in (2, 3))
    assert first.position == pytest.approx(turned.position)
    assert first.axes[1] == pytest.approx(tuple(-x for x in turned.axes[1]))


def test_a_thing_that_no_grasp_reaches_is_out_of_reach_and_nothing_was_changed():
    kitchen = Kitchen(grasps=3)
    kitchen.arm.answers["ToPose"] = UNREACHABLE
    end = kitchen.pick().poll()
    assert end.outcome is Outcome.FAILED
    assert end.out_of_reach
    assert end.without_effect
    assert kitchen.arm.kinds().count("ToPose") == 3


def test_a_thing_that_one_grasp_may_reach_is_not_called_out_of_reach():
    kitchen = Kitchen(grasps=2)
    kitchen.arm.answers.update({2: UNREACHABLE, 3: REFUSED})
    end = kitchen.pick().poll()
    assert not end.out_of_reach
    assert end.without_effect


def test_what_is_in_the_way_is_told_by_where_it_is():
    kitchen = Kitchen(grasps=2)
    blocked = MotionEnd(
        "failed", "it would touch something", MotionProblem.COLLISION_AT_GOAL, "mug2", moved=False
    )
    kitchen.arm.answers.update({2: blocked, 3: UNREACHABLE})
    end = kitchen.pick().poll()
    assert end.obstacle == Target({"mug": 0.9}, (0.6, 0.3, 0.85))
    assert not end.out_of_reach
    assert end.without_effect


def test_what_stands_too_close_to_be_gripped_round_is_the_obstacle():
    kitchen = Kitchen(from_side=["mug"])
    for number, (x, y) in enumerate([(0.67, 0.0), (0.53, 0.0), (0.6, 0.07), (0.6, -0.07)]):
        kitchen.put(f"jug{number + 5}", "jug", (x, y, 0.9))
        kitchen.belief.tell(("on", f"jug{number + 5}", "table1"), confidence=0.95, source="look")
    end = kitchen.pick().poll()
    assert end.outcome is Outcome.FAILED
    assert "too close" in end.reason
    assert end.obstacle.classes == {"jug": 0.9}
    assert kitchen.arm.kinds() == ["ChangeScene"]


def test_a_trouble_that_no_other_grasp_would_mend_ends_it():
    kitchen = Kitchen()
    kitchen.arm.answers["ToPose"] = ABORTED
    end = kitchen.pick().poll()
    assert kitchen.arm.kinds().count("ToPose") == 1
    assert "did not follow" in end.reason


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("anvil1", "the hand opens"),
        ("cup1", "sizes has no cup"),
        ("mug9", "not known where it is"),
    ],
)
def test_what_cannot_be_gripped_is_refused_before_anything_moves(name, why):
    kitchen = Kitchen()
    kitchen.put("anvil1", "anvil", (0.6, 0.0, 0.9))
    kitchen.put("cup1", "cup", (0.6, 0.0, 0.9))
    kitchen.put("mug9", "mug", None)
    end = kitchen.order("pick", item=name, place="table1").poll()
    assert end.outcome is Outcome.FAILED
    assert why in end.reason
    assert end.without_effect
    assert set(kitchen.arm.kinds()) <= {"ChangeScene"}


def test_a_full_hand_picks_nothing_and_an_unknown_hand_or_skill_is_no_order():
    kitchen = Kitchen().holding()
    assert "holds something" in kitchen.pick("mug2").poll().reason
    with pytest.raises(RobotError, match="MoveIt carries out no whistle"):
        kitchen.order("whistle", item="mug1")


# -- ending early ----------------------------------------------------------------------------------------
def cancelled(kitchen, start, step, *, done):
    """Cancel at a step: while it lasts, which then ends as cancelled, or as it was going to."""
    kitchen.arm.stays_at = step
    kitchen.arm.obeys = not done
    execution = start()
    assert execution.poll() is None
    motion = kitchen.arm.last
    execution.cancel()
    assert motion.cancelled == 1
    if done:
        assert execution.poll() is None
        motion.end = kitchen.arm.usual(motion.request)
    end = execution.poll()
    assert execution.poll() is end  # an end never changes
    execution.cancel()
    assert execution.poll() is end
    return end


@pytest.mark.parametrize("done", [False, True], ids=["the step is broken off", "the step is done"])
@pytest.mark.parametrize("step", range(len(PICK)))
def test_a_pick_that_is_cancelled_moves_nothing_more_and_knows_what_is_in_the_hand(step, done):
    kitchen = Kitchen()
    end = cancelled(kitchen, kitchen.pick, step, done=done)
    last = step == len(PICK) - 1
    assert end.outcome is (Outcome.DONE if last and done else Outcome.CANCELLED)
    assert kitchen.arm.kinds() == PICK[: step + 1]
    # Reaching is the first step that may touch it.
    assert end.without_effect is (step < 5)
    # From the moment at which its hold was made sure of, the hand has it.
    assert (kitchen.state.held is not None) is (step > 6 or (step == 6 and done))


@pytest.mark.parametrize("done", [False, True], ids=["the step is broken off", "the step is done"])
@pytest.mark.parametrize("step", range(len(PLACE)))
def test_a_placing_that_is_cancelled_knows_whether_the_hand_still_has_it(step, done):
    kitchen = Kitchen().holding()
    end = cancelled(kitchen, lambda: kitchen.order("place_on", item="mug1", place="table1"), step, done=done)
    last = step == len(PLACE) - 1
    assert end.outcome is (Outcome.DONE if last and done else Outcome.CANCELLED)
    assert kitchen.arm.kinds() == PLACE[: step + 1]
    assert (kitchen.state.held is not None) is (step < 2)
    assert end.without_effect is (step < 2)


@pytest.mark.parametrize("step", range(len(PICK)))
def test_a_step_whose_outcome_is_lost_loses_the_order(step):
    kitchen = Kitchen()
    kitchen.arm.answers[step] = MotionEnd("lost", "the server is gone")
    end = kitchen.pick().poll()
    assert end.outcome is Outcome.LOST
    assert kitchen.arm.kinds() == PICK[: step + 1]


def test_the_next_pick_after_a_cancelled_one_shows_the_scene_as_it_is():
    kitchen = Kitchen()
    cancelled(kitchen, kitchen.pick, 5, done=False)
    kitchen.arm.requests.clear()
    kitchen.arm.stays_at = None
    assert kitchen.pick().poll().outcome is Outcome.DONE
    assert set(kitchen.arm.requests[0].diff.add) == {
        "mug1"
    }  # it was taken out before the hand reached for it


# -- putting down ----------------------------------------------------------------------------------------
def test_a_thing_is_put_down_on_a_free_spot_and_shown_there():
    kitchen = Kitchen().holding()
    end = kitchen.order("place_on", item="mug1", place="table1").poll()
    assert end.outcome is Outcome.DONE
    assert kitchen.arm.kinds() == PLACE
    assert kitchen.state.held is None
    put = kitchen.arm.requests[-1].diff.add["mug1"]
    assert put.bottom == pytest.approx(0.805, abs=1e-6)
    above, down = kitchen.arm.requests[0].tool, kitchen.arm.requests[1].tools[0]
    assert isinstance(kitchen.arm.requests[0], ToPose)
    assert above.position[2] == pytest.approx(down.position[2] + 0.1)
    assert isinstance(kitchen.arm.requests[2], GripTo)
    assert kitchen.arm.requests[2].width > 0.05


def test_a_thing_is_put_onto_a_stated_floor_inside():
    kitchen = Kitchen().holding()
    kitchen.put("cupboard1", "cupboard", (0.9, 1.0, 1.0), (0.6, 0.6, 0.0, 1.2, 1.4, 1.6))
    near = Kitchen(base_at=[0.9, 0.3, 0.8]).holding()
    near.put("cupboard1", "cupboard", (0.9, 1.0, 1.0), (0.6, 0.6, 0.0, 1.2, 1.4, 1.6))
    assert near.order("place_in", item="mug1", place="cupboard1").poll().outcome is Outcome.DONE
    put = near.arm.requests[-1].diff.add["mug1"]
    assert put.bottom == pytest.approx(0.855, abs=1e-6)
    # Its own box is not in the way of the hand that reaches into it.
    shown = [name for one in near.arm.requests if isinstance(one, ChangeScene) for name in one.diff.add]
    assert "cupboard1" not in shown
    far = kitchen.order("place_in", item="mug1", place="cupboard1").poll()
    assert "within reach" in far.reason


def test_why_a_thing_is_not_put_down():
    kitchen = Kitchen()
    assert (
        "not known how the hand holds it"
        in kitchen.order("place_on", item="mug1", place="table1").poll().reason
    )
    kitchen = Kitchen().holding()
    end = kitchen.order("place_in", item="mug1", place="table1").poll()
    assert "interiors has no entry" in end.reason
    assert end.without_effect
    kitchen.put("shelf1", "shelf", (0.5, 0.0, 1.0))
    assert "sizes has no shelf" in kitchen.order("place_on", item="mug1", place="shelf1").poll().reason


def test_a_hand_that_does_not_open_keeps_the_thing_if_nothing_moved():
    for end, keeps in ((MotionEnd("failed", "rejected", moved=False), True), (ABORTED, False)):
        kitchen = Kitchen().holding()
        kitchen.arm.answers["GripTo"] = end
        assert kitchen.order("place_on", item="mug1", place="table1").poll().outcome is Outcome.FAILED
        assert (kitchen.state.held is not None) is keeps
