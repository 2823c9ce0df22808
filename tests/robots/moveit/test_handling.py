"""Opening, closing, pouring, pushing and pulling."""

from __future__ import annotations

import pytest
from played_arm import ABORTED, REFUSED, Kitchen
from test_picking import cancelled

from foretree.robots.moveit.arm import GripTo, MotionEnd, Pause, Straight
from foretree.skills.manipulation.cuboids import Cuboid
from foretree.skills.manipulation.transforms import RigidTransform
from foretree.skills.robot import Outcome

#: Open, go before the handle, reach, close, follow its way, let go, leave.
TURN = ["GripTo", "ToPose", "Straight", "GripTo", "Straight", "GripTo", "Straight"]
POUR = ["ToPose", "Straight", "Pause", "Straight"]
SLIDE = ["GripTo", "ToPose", "Straight", "Straight", "Straight"]


def with_cupboard(**settings):
    kitchen = Kitchen(**settings)
    kitchen.put("cupboard1", "cupboard", (0.9, 1.0, 1.0), (0.6, 0.6, 0.0, 1.2, 1.4, 1.6))
    return kitchen


def turn(kitchen, skill="open"):
    return kitchen.order(skill, place="cupboard1")


@pytest.mark.parametrize("skill", ["open", "close"])
def test_a_door_is_turned_by_its_handle(skill):
    kitchen = with_cupboard()
    kitchen.arm.in_hand = 0.02
    assert turn(kitchen, skill).poll().outcome is Outcome.DONE
    assert kitchen.arm.kinds() == ["ChangeScene", *TURN]
    way = kitchen.arm.requests[5].tools
    ends = [(0.6, 0.8, 0.9), (0.2, 1.2, 0.9)]
    assert way[-1].position == pytest.approx(ends[1 if skill == "open" else 0])
    assert not kitchen.state.grips_handle


def test_a_handle_that_is_not_where_it_is_said_to_be_is_a_failure_and_let_go_of():
    kitchen = with_cupboard()
    kitchen.arm.answers[4] = MotionEnd("done", width=0.0)
    end = turn(kitchen).poll()
    assert end.outcome is Outcome.FAILED
    assert "gripping the handle" in end.reason
    assert kitchen.arm.kinds() == ["ChangeScene", *TURN[:4], "GripTo"]
    assert not kitchen.state.grips_handle


def test_a_door_that_gets_stuck_is_let_go_of_and_its_state_is_not_known():
    kitchen = with_cupboard()
    kitchen.arm.in_hand = 0.02
    kitchen.arm.answers[5] = ABORTED
    end = turn(kitchen).poll()
    assert end.outcome is Outcome.FAILED
    assert not end.without_effect
    assert kitchen.arm.kinds()[-1] == "GripTo"


def test_without_data_about_its_door_nothing_is_opened():
    kitchen = Kitchen(furniture=[])
    kitchen.put("cupboard1", "cupboard", (0.9, 1.0, 1.0), (0.6, 0.6, 0.0, 1.2, 1.4, 1.6))
    end = turn(kitchen).poll()
    assert end.outcome is Outcome.FAILED
    assert "furniture has no entry" in end.reason
    assert end.without_effect
    full = with_cupboard().holding()
    assert "the hand holds something" in turn(full).poll().reason


@pytest.mark.parametrize("done", [False, True], ids=["the step is broken off", "the step is done"])
@pytest.mark.parametrize("step", range(len(TURN)))
def test_an_opening_that_is_cancelled_moves_nothing_more_and_knows_of_the_handle(step, done):
    kitchen = with_cupboard()
    kitchen.arm.in_hand = 0.02
    end = cancelled(kitchen, lambda: turn(kitchen), step + 1, done=done)
    last = step == len(TURN) - 1
    assert end.outcome is (Outcome.DONE if last and done else Outcome.CANCELLED)
    assert kitchen.arm.kinds() == ["ChangeScene", *TURN[: step + 1]]
    assert end.without_effect is (step < 2)
    grips = step in (3, 4) or (step == 5 and not done)
    assert kitchen.state.grips_handle is grips
    # The next order lets go first.
    kitchen.arm.requests.clear()
    kitchen.arm.stays_at = None
    turn(kitchen).poll()
    assert [type(one) for one in kitchen.arm.requests[:2]].count(GripTo) == (2 if grips else 1)


# -- pouring ---------------------------------------------------------------------------------------------
def test_a_held_vessel_is_tilted_above_the_other_for_a_while_and_turned_upright():
    kitchen = Kitchen(pour_time=3.0, from_side=["jug"]).holding("jug1")
    execution = kitchen.order("pour", item="jug1", target="mug1", place="table1")
    kitchen.arm.stays_at = None
    assert execution.poll().outcome is Outcome.DONE
    assert kitchen.arm.kinds() == POUR
    above, tilts, pause, upright = kitchen.arm.requests
    held = kitchen.state.held
    before = Cuboid(above.tool @ held.tool.inverse, held.size)
    assert before.bottom > 0.9 + 0.05 - 0.2 - 1e-6
    assert pause == Pause(3.0)
    assert upright.tools[-1] == above.tool
    tilted = (tilts.tools[-1] @ held.tool.inverse).axes[2]
    assert tilted[2] < -0.3
    assert tilted[0] > 0.5  # away from the robot
    assert kitchen.state.held is held


@pytest.mark.parametrize("step", range(len(POUR)))
def test_a_pouring_that_is_cancelled_keeps_the_vessel(step):
    kitchen = Kitchen().holding("jug1")
    pour = lambda: kitchen.order("pour", item="jug1", target="mug1", place="table1")  # noqa: E731
    end = cancelled(kitchen, pour, step, done=False)
    assert end.outcome is Outcome.CANCELLED
    assert end.without_effect is (step == 0)
    assert kitchen.state.held is not None


def test_nothing_is_poured_from_a_hand_that_holds_nothing_known():
    end = Kitchen().order("pour", item="jug1", target="mug1", place="table1").poll()
    assert "not known how the hand holds the vessel" in end.reason
    assert end.without_effect


# -- pushing ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("skill", "sign"), [("push", 1), ("pull", -1)])
def test_a_thing_is_pushed_away_and_pulled_near(skill, sign):
    kitchen = Kitchen()
    end = kitchen.order(skill, {"distance": 0.15}, item="mug1", place="table1").poll()
    assert end.outcome is Outcome.DONE
    assert kitchen.arm.kinds() == ["ChangeScene", *SLIDE]
    start, stop = (kitchen.arm.requests[number].tools[0].position for number in (3, 4))
    assert stop[0] - start[0] == pytest.approx(sign * 0.155)
    assert (0.6 - start[0]) * sign > 0.03


def test_a_direction_can_be_stated():
    kitchen = Kitchen(base_at=None)
    assert "nor is a direction" in kitchen.order("push", item="mug1", place="table1").poll().reason
    end = kitchen.order("push", {"direction": [0, 1]}, item="mug1", place="table1").poll()
    assert end.outcome is Outcome.DONE
    start, stop = (one.tools[0].position for one in kitchen.arm.requests[-3:-1])
    assert stop[1] - start[1] == pytest.approx(0.105)


@pytest.mark.parametrize("step", range(len(SLIDE)))
def test_a_push_that_is_cancelled(step):
    kitchen = Kitchen()
    end = cancelled(kitchen, lambda: kitchen.order("push", item="mug1", place="table1"), step + 1, done=False)
    assert end.outcome is Outcome.CANCELLED
    assert end.without_effect is (step < 3)


def test_a_failed_motion_ends_it_with_what_it_was_for():
    kitchen = Kitchen()
    kitchen.arm.answers["Straight"] = REFUSED
    end = kitchen.order("push", item="mug1", place="table1").poll()
    assert end.reason == "going down behind it: no path was found"
    assert end.without_effect
    assert isinstance(kitchen.arm.requests[-1], Straight)
    assert isinstance(kitchen.arm.requests[-1].tools[0], RigidTransform)
