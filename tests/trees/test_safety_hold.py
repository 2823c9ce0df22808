"""A robot that is held: what runs ends with the reason, nothing begins, then it looks around and plans anew."""

from __future__ import annotations

import pytest

from foretree.behaviours.interruptions.safety_hold import SafetyHold
from foretree.bringup.embedded import open_household
from foretree.bringup.options import Wish
from foretree.runs.events import Tape
from foretree.trees.fast_tick import FastTree

WHY = "stopped by the supervisor: hand moves at 2 m/s, 0.5 m/s are allowed"
MOST_TICKS = 20_000


class Held:
    """A session in a kitchen whose robot can be held, tick by tick."""

    def __init__(self, goal="(in mango1 fridge1)"):
        self.why = ""
        self.tape = Tape()
        self.session, self.world = open_household("kitchen", Wish(goal=goal), recorder=self.tape)
        session = self.session
        root = SafetyHold(session.tree.root, session.context, session.mission, lambda: self.why)
        session.tree = FastTree(root)
        self.hold = root
        session.start()

    def tick_until(self, condition):
        for _ in range(MOST_TICKS):
            if condition():
                return
            assert self.session.result is None, self.session.result
            self.session.step()
        raise AssertionError("it never happened")

    def tick(self, times):
        for _ in range(times):
            self.session.step()

    def intents(self):
        return [event.data["action"]["skill"] for event in self.tape.of("action.intent")]

    def ends(self):
        return [(event.data["outcome"], event.data["reason"]) for event in self.tape.of("action.ended")]

    def looks(self):
        return [event.data["why"] for event in self.tape.of("look.started")]

    def in_a_pick(self):
        return "pick" in self.intents() and len(self.ends()) < len(self.intents())


@pytest.fixture
def held():
    return Held()


def test_what_runs_ends_with_the_reason_and_nothing_begins(held):
    held.tick_until(held.in_a_pick)
    intents = held.intents()
    held.why = WHY
    held.tick(200)
    outcome, reason = held.ends()[-1]
    assert outcome == "cancelled"
    assert reason.startswith(WHY)
    assert held.session.context.team.alive() == ()
    assert held.intents() == intents
    assert held.session.result is None
    assert held.hold.feedback_message == WHY


def test_that_it_is_held_is_a_discrepancy_told_once(held):
    held.tick_until(held.in_a_pick)
    held.why = WHY
    held.tick(50)
    found = [event.data for event in held.tape.of("discrepancy.found") if event.data["guard"] == "hold"]
    assert [each["sentence"] for each in found] == [f"{WHY}."]


def test_once_it_is_let_go_it_looks_around_before_it_acts_and_reaches_its_goal(held):
    held.tick_until(held.in_a_pick)
    held.why = WHY
    held.tick(50)
    before = len(held.intents())
    held.world.strike("move mango1 table2")  # by a person, beside the robot that stands still
    held.why = ""
    held.tick_until(lambda: len(held.intents()) > before)
    kinds = [event.kind for event in held.tape.events]
    looked = next(
        index
        for index, event in enumerate(held.tape.events)
        if event.kind == "look.started" and event.data["why"] == "was stopped and may move again"
    )
    assert kinds.index("look.ended", looked) < kinds.index("action.intent", looked)
    held.tick_until(lambda: held.session.result is not None)
    assert held.session.result.reached
    assert held.world.holds(held.session.mission.goal)


def test_a_robot_that_is_held_again_while_it_looks_waits_again(held):
    held.tick_until(held.in_a_pick)
    held.why = WHY
    held.tick(50)
    held.why = ""
    held.tick_until(lambda: "was stopped and may move again" in held.looks())
    held.why = WHY
    intents = held.intents()
    held.tick(100)
    assert held.intents() == intents
    held.why = ""
    held.tick_until(lambda: held.session.result is not None)
    assert held.session.result.reached


def test_a_robot_that_is_held_from_the_start_does_nothing():
    held = Held()
    held.why = "nothing has been heard of the supervisor"
    held.tick(100)
    assert held.intents() == []
    assert held.looks() == []


def test_time_for_which_it_is_held_is_not_the_agents(held):
    held.why = WHY
    limit = held.session.context.settings.time_limit * held.session.context.settings.tick_hz
    held.tick(min(int(limit) + 100, MOST_TICKS))
    assert held.session.result is None
