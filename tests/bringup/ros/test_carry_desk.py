"""The desk that takes goals."""

import threading

import pytest

from foretree.bringup.options import Wish
from foretree.bringup.ros.carrying.carry_desk import MOST_WAITING, CarryDesk, Job
from foretree.config import ConfigError

MUG = Wish("put the mug on the table")


class Client:
    def __init__(self):
        self.ends = []

    def started(self):
        pass

    def progressed(self, progress):
        pass

    def ended(self, end):
        self.ends.append(end)


def job(words="put the mug on the table"):
    return Job(Wish(words), Client())


def desk(second_goal="reject"):
    opened = CarryDesk(second_goal)
    opened.open()
    return opened


def test_a_closed_desk_takes_nothing():
    closed = CarryDesk()
    assert "not active" in closed.refusal(MUG)
    late = job()
    closed.put(late)  # accepted just before it was closed
    assert [end.outcome for end in late.client.ends] == ["cancelled"]
    assert closed.take(0) is None


@pytest.mark.parametrize("wish", [Wish(), Wish(" "), Wish("do it", "(on mug1 table1)")])
def test_a_goal_is_an_instruction_or_a_formula(wish):
    assert "one of the two" in desk().refusal(wish)


def test_valid_goals_are_accepted():
    assert not desk().refusal(MUG)
    assert not desk().refusal(Wish(goal="(on mug1 table1)"))


def test_what_a_second_goal_does_is_one_of_three():
    with pytest.raises(ConfigError, match=r"preempt.*queue.*reject"):
        CarryDesk("both")


def test_a_second_goal_is_rejected():
    taken = desk("reject")
    taken.put(job())
    assert "Another goal" in taken.refusal(MUG)
    first = taken.take(0)
    assert "Another goal" in taken.refusal(MUG)
    taken.done(first)
    assert not taken.refusal(MUG)


def test_goals_queue_in_their_order_and_not_without_end():
    taken = desk("queue")
    jobs = [job(f"do {number}") for number in range(MOST_WAITING)]
    for each in jobs:
        assert not taken.refusal(each.wish)
        taken.put(each)
    assert "waiting already" in taken.refusal(MUG)
    assert taken.waiting == MOST_WAITING
    for each in jobs:
        assert taken.take(0) is each
        taken.done(each)
    assert taken.take(0) is None


def test_a_goal_preempts_what_runs_and_what_waits():
    taken = desk("preempt")
    first, second, third = job("one"), job("two"), job("three")
    taken.put(first)
    assert taken.take(0) is first
    taken.put(second)
    taken.put(third)
    assert "taken its place" in first.broken_off
    assert first.client.ends == []  # it ends once the robot has stopped
    assert [end.outcome for end in second.client.ends] == ["cancelled"]
    taken.done(first)
    assert taken.take(0) is third
    assert not third.broken_off


def test_a_waiting_goal_is_cancelled_at_once_and_a_running_one_is_broken_off():
    taken = desk("queue")
    running, waits = job(), job()
    taken.put(running)
    taken.put(waits)
    taken.take(0)
    taken.cancel(waits)
    taken.cancel(running, "enough")
    taken.cancel(running, "later reasons do not count")
    assert [(end.outcome, end.reason) for end in waits.client.ends] == [("cancelled", "cancelled")]
    assert running.broken_off == "enough"
    assert running.client.ends == []
    taken.done(running)
    assert taken.take(0) is None


def test_to_cancel_what_is_over_changes_nothing():
    taken = desk()
    over = job()
    taken.put(over)
    taken.done(taken.take(0))
    taken.cancel(over)
    assert over.client.ends == []
    assert not over.broken_off


def test_closing_breaks_off_all_there_are_and_waits_for_what_runs():
    taken = desk("queue")
    running, waits = job(), job()
    taken.put(running)
    taken.put(waits)
    taken.take(0)
    taken.close("deactivated")
    assert running.broken_off == "deactivated"
    assert [end.reason for end in waits.client.ends] == ["deactivated"]
    assert taken.refusal(MUG) == "deactivated"
    assert not taken.wait_until_idle(0)
    threading.Timer(0.01, taken.done, [running]).start()
    assert taken.wait_until_idle(60)
    taken.open()
    assert not taken.refusal(MUG)


def test_a_thread_that_waits_for_a_goal_gets_it():
    taken, got = desk(), []
    waiter = threading.Thread(target=lambda: got.append(taken.take(60)))
    waiter.start()
    wanted = job()
    taken.put(wanted)
    waiter.join(60)
    assert got == [wanted]
