from __future__ import annotations

import pytest

from foretree.skills.robot import LookRequest, Outcome, Robot, RobotError

PICK = {"item": "mango1", "place": "table1"}


def test_it_is_a_robot(drive):
    robot: Robot = drive().robot
    assert (robot.name, robot.hands) == ("robot1", ("left", "right"))


def test_an_end_is_reported_when_it_is_due_and_never_changes(drive):
    d = drive()
    execution = d.start("pick", **PICK)
    d.wait(1.9)
    assert execution.poll() is None
    d.wait(0.2)
    end = execution.poll()
    assert end.outcome is Outcome.DONE
    d.robot.stop()
    execution.cancel()
    d.wait(5)
    assert execution.poll() is end


# -- cancelling --------------------------------------------------------------------------------------


def test_a_cancel_at_once_ends_it_without_effect(drive):
    d = drive()
    execution = d.start("pick", **PICK)
    execution.cancel()
    assert execution.poll() is None
    d.wait(0.1)
    assert execution.poll().outcome is Outcome.CANCELLED
    d.wait(5)
    assert d.rests("mango1") == ("on", "table1")


def test_a_cancel_that_comes_too_late_finds_it_done(drive):
    d = drive()
    execution = d.start("pick", **PICK)
    d.wait(1.95)
    execution.cancel()
    d.wait(1)
    assert execution.poll().outcome is Outcome.DONE
    assert d.rests("mango1") == ("held", "left")


def test_a_cancel_after_the_end_changes_nothing(drive):
    d = drive()
    execution = d.start("pick", **PICK)
    d.wait(3)
    execution.cancel()
    d.wait(1)
    assert execution.poll().outcome is Outcome.DONE


def test_a_second_cancel_changes_nothing(drive):
    d = drive()
    execution = d.start("fold", item="cloth1", place="table1")
    d.wait(1)
    execution.cancel()
    d.wait(0.05)
    execution.cancel()
    d.wait(0.05)
    assert execution.poll().outcome is Outcome.CANCELLED
    assert d.world._ended == 1


@pytest.mark.parametrize(("after", "node"), [(0.5, "table1"), (5.0, "fridge1")])
def test_a_way_that_is_broken_off_ends_at_the_nearer_end(drive, after, node):
    d = drive()
    execution = d.start("move", None, from_="table1", to="fridge1")
    d.wait(after)
    assert d.house.node is None
    execution.cancel()
    assert d.end(execution).outcome is Outcome.CANCELLED
    assert d.house.node == node


def test_a_cancelled_action_frees_the_hand(drive):
    d = drive()
    execution = d.start("pick", **PICK)
    execution.cancel()
    d.wait(0.1)
    assert d.do("pick", **PICK).outcome is Outcome.DONE


def test_stop_ends_everything_at_once(drive):
    d = drive()
    one = d.start("pick", **PICK)
    other = d.start("pick", "right", item="mug1", place="table1")
    d.wait(0.5)
    d.robot.stop()
    assert [x.poll().outcome for x in (one, other)] == [Outcome.CANCELLED] * 2
    d.robot.stop()
    assert not d.world.busy


# -- ids ---------------------------------------------------------------------------------------------


def test_an_execution_is_found_again_by_its_id(drive):
    d = drive()
    execution = d.start("pick", **PICK)
    assert d.robot.attach(execution.id) is execution
    d.wait(3)
    assert d.robot.attach(execution.id).poll().outcome is Outcome.DONE
    assert d.robot.attach("never") is None


def test_the_same_order_under_the_same_id_is_the_same_execution(drive):
    d = drive()
    order = d.order("pick", **PICK)
    assert d.robot.start(order, "x") is d.robot.start(order, "x")
    assert d.world.illegal == []
    with pytest.raises(RobotError, match="'x' is taken by another order"):
        d.robot.start(d.order("fold", item="cloth1", place="table1"), "x")


# -- looking -----------------------------------------------------------------------------------------


def test_a_look_takes_time_and_arrives_as_an_observation(drive):
    d = drive()
    d.robot.observations()
    look = d.robot.look(LookRequest(why="to be sure"), "look1")
    d.wait(0.4)
    assert (look.poll(), d.robot.observations()) == (None, [])
    d.wait(0.1)
    assert look.poll().outcome is Outcome.DONE
    [observation] = d.robot.observations()
    assert (observation.source, observation.time) == ("look", pytest.approx(0.5))
    assert "mango1" in d.by_name(observation)
    assert d.robot.observations() == []


def test_a_look_on_the_way_sees_nothing(drive):
    d = drive()
    d.start("move", None, from_="table1", to="fridge1")
    assert d.end(d.robot.look(LookRequest(), "look1")).outcome is Outcome.FAILED


def test_a_cancelled_look_reports_nothing(drive):
    d = drive()
    d.robot.observations()
    look = d.robot.look(LookRequest(), "look1")
    look.cancel()
    assert d.end(look).outcome is Outcome.CANCELLED
    d.wait(1)
    assert d.robot.observations() == []


def test_one_can_look_and_act_at_the_same_time(drive):
    d = drive()
    pick = d.start("pick", **PICK)
    look = d.robot.look(LookRequest(), "look1")
    assert d.end(look).outcome is d.end(pick).outcome is Outcome.DONE


# -- the view ----------------------------------------------------------------------------------------


def test_the_view_is_reported_only_when_it_changes(drive):
    d = drive()
    assert [o.source for o in d.robot.observations()] == ["view"]
    d.wait(1)
    assert d.robot.observations() == []
    d.house.set_state(d.house.named("apple1"), "clean")  # in another room
    d.house.set_state(d.house.named("milk1"), "clean")  # behind a door
    assert d.robot.observations() == []
    d.house.set_state(d.house.named("fridge1"), "open")
    [observation] = d.robot.observations()
    assert d.by_name(observation)["fridge1"].states["open"] > 0.9
    assert d.robot.observations() == []


def test_after_an_action_the_view_is_reported_again_even_if_nothing_changed(drive):
    d = drive(faults=["after 0: silent next pick"])
    d.robot.observations()
    execution = d.start("pick", **PICK)
    d.wait(2.5)
    assert d.robot.observations() == []
    assert execution.poll().outcome is Outcome.DONE
    [observation] = d.robot.observations()
    assert "mango1" in d.by_name(observation)
    assert observation.body["hand_free", "robot1", "left"]
    assert d.robot.observations() == []


# -- losing the connection ---------------------------------------------------------------------------


@pytest.fixture
def lost(drive):
    """A robot whose connection is lost from 1 s to 6 s."""
    return drive(faults=["at 1: disconnect for 5"])


def test_a_lost_robot_takes_no_orders_and_shows_nothing(lost):
    lost.robot.observations()
    lost.wait(1.1)
    lost.house.set_state(lost.house.named("fridge1"), "open")
    with pytest.raises(RobotError, match="connection to robot1 is lost"):
        lost.start("pick", **PICK)
    with pytest.raises(RobotError, match="lost"):
        lost.robot.look(LookRequest(), "look1")
    with pytest.raises(RobotError, match="lost"):
        lost.robot.attach("x1")
    assert lost.robot.observations() == []
    lost.wait(5)
    [observation] = lost.robot.observations()
    assert lost.by_name(observation)["fridge1"].states["open"] > 0.9
    assert lost.do("pick", **PICK).outcome is Outcome.DONE


def test_what_runs_too_long_without_a_connection_is_lost_and_stops(lost):
    way = lost.start("move", None, from_="table1", to="rack1")  # takes 12 s
    lost.wait(2.9)
    assert way.poll() is None
    lost.wait(0.1)
    end = way.poll()
    assert end.outcome is Outcome.LOST
    assert lost.house.node == "table1"
    lost.wait(10)
    assert way.poll() is end
    assert not lost.world.busy


def test_what_ends_unheard_is_lost_although_it_was_done(lost):
    lost.wait(0.5)
    execution = lost.start("pick", **PICK)
    lost.wait(2.4)
    assert execution.poll() is None
    assert lost.rests("mango1") == ("held", "left")
    lost.wait(0.1)
    assert execution.poll().outcome is Outcome.LOST


def test_a_short_loss_only_delays_the_news(drive):
    d = drive(faults=["at 1: disconnect for 1.5"])
    execution = d.start("pick", **PICK)
    d.wait(2.2)
    assert execution.poll() is None
    d.wait(0.4)
    assert execution.poll().outcome is Outcome.DONE


def test_a_cancel_gets_through_when_the_connection_is_back(drive):
    d = drive(faults=["at 1: disconnect for 1.5", "after 0: hang next action"])
    execution = d.start("pick", **PICK)
    d.wait(1.5)
    execution.cancel()
    d.wait(1.0)
    assert execution.poll() is None
    d.wait(0.2)
    assert execution.poll().outcome is Outcome.CANCELLED


def test_stopping_a_lost_robot_gives_up_what_ran(lost):
    execution = lost.start("move", None, from_="table1", to="rack1")
    lost.wait(1.5)
    lost.robot.stop()
    assert execution.poll().outcome is Outcome.LOST
    lost.wait(2)
    assert not lost.world.busy
    assert lost.house.node == "table1"


def test_a_look_that_ends_unheard_is_not_reported_later(drive):
    d = drive(faults=["at 0.2: disconnect for 1"])
    d.robot.observations()
    d.robot.look(LookRequest(), "look1")
    d.wait(2)
    assert [o.source for o in d.robot.observations()] == ["view"]


def test_losses_that_overlap_last_until_the_later_end(drive):
    d = drive(faults=["at 1: disconnect for 2", "at 2: disconnect for 3"])
    d.wait(4.9)
    assert d.robot.observations() == []
    d.wait(0.2)
    assert d.robot.observations() != []
