"""Taking up a session with a robot that went on without its agent."""

from time import sleep

import pytest

from foretree.bringup.embedded import open_household, open_robot
from foretree.bringup.resume import ResumeError, reopen_events, reopen_robot
from foretree.clock import SimulatedClock
from foretree.runs.events import Tape

WISH = "put the mango into the fridge"


class RealTime(SimulatedClock):
    """A clock as a real robot has it, only faster: a plan is there when the planner has made it."""

    simulated = False

    def sleep_until(self, instant: float) -> None:
        sleep(0.005)
        super().sleep_until(instant)


def broken_off(after_intents):
    """The record of a session that broke off in the middle of an action, with the robot and its clock."""
    from foretree import Wish

    clock, tape = RealTime(), Tape()
    # The household stands for the real world: its robot outlives the agent.
    _, world = open_household("kitchen", Wish(WISH), clock=clock)
    session = open_robot(world.robot, "kitchen", Wish(WISH), recorder=tape, clock=clock)
    while len(tape.of("action.intent")) < after_intents:
        session.step()
    session.step()
    return tape, world.robot, clock


def reopened(tape, robot, clock, ask):
    def open_session(wish, options, recorder):
        return open_robot(robot, "kitchen", wish, options, recorder=recorder, clock=clock)

    events, tape.events = list(tape.events), []
    return reopen_robot(events, open_session, tape, ask)


def test_what_was_in_flight_is_found_by_its_id_and_the_goal_is_reached():
    tape, robot, clock = broken_off(2)
    [*_, last] = tape.of("action.intent")
    asked = []
    session = reopened(tape, robot, clock, lambda question: not asked.append(question))
    assert session.run().reached
    assert asked == ["The robot is about to go on. May it?"]
    [ended] = [
        event for event in tape.of("action.ended") if event.data["execution"] == last.data["execution"]
    ]
    assert ended.data["outcome"] == "done"
    assert last.data["execution"] not in [event.data["execution"] for event in tape.of("action.intent")]


def test_a_robot_is_never_told_two_things_under_one_id():
    first, robot, clock = broken_off(1)
    ids = {event.data["execution"] for event in first.of("action.intent")}
    session = reopened(first, robot, clock, lambda question: True)
    while not first.of("action.intent"):
        session.step()
    ids |= {event.data["execution"] for event in first.of("action.intent")}
    other, *_ = broken_off(1)
    ids |= {event.data["execution"] for event in other.of("action.intent")}
    assert len(ids) == 3


def test_without_a_person_who_allows_it_a_real_robot_does_not_move():
    tape, robot, clock = broken_off(2)
    result = reopened(tape, robot, clock, None).run()
    assert result.outcome == "cancelled"
    assert "no permission" in result.reason
    assert not tape.of("action.intent")


def test_a_clock_that_stands_before_the_record_is_refused():
    tape, robot, _ = broken_off(2)
    with pytest.raises(ResumeError, match="before the record's last event"):
        reopened(tape, robot, RealTime(), None)


def test_a_robot_of_its_own_is_not_taken_for_one_in_a_simulated_world():
    tape, *_ = broken_off(2)
    with pytest.raises(ResumeError, match="a robot of its own"):
        reopen_events(list(tape.events), Tape())
