"""Understanding: from what a person said to a goal, or to an honest refusal."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Any

import pytest
from at_home import AtHome, F, R, S, house, shipped
from py_trees.common import Status

from foretree.agent.dialogue.instruction_reader import situation
from foretree.agent.mission import Mission
from foretree.behaviours.understand import Understand
from foretree.clock import Deferred
from foretree.errors import ForetreeError
from foretree.planning.pddl.syntax import Literal
from foretree.reasoning.models.model import UnrecordedQuestionError
from foretree.reasoning.offline.commands import CommandReasoner
from foretree.reasoning.reasoner import Understanding


class Reasoner:
    def __init__(self, answer):
        self.answer = answer
        self.asked = []

    def understand(self, instruction, situation):
        self.asked.append((instruction, situation))
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


def understanding(mission, reasoner):
    home = AtHome()
    leaf = Understand(home.context, mission, reasoner)
    leaf.tick_once()
    return home, leaf


def test_an_instruction_becomes_the_goal_of_the_mission():
    mission = Mission("put the mango into the fridge")
    home, leaf = understanding(mission, CommandReasoner())
    assert leaf.status is S
    assert mission.goal == Literal(("in", "mango1", "fridge1"))
    (event,) = home.tape.of("goal.set")
    assert event.data["goal"] == "(in mango1 fridge1)" == leaf.feedback_message
    assert event.data["how"] == mission.how != ""


def test_a_goal_that_was_given_needs_no_reasoner():
    mission = Mission("whatever", goal=Literal(("open", "fridge1")))
    reasoner = Reasoner(None)
    home, leaf = understanding(mission, reasoner)
    assert leaf.status is S
    assert reasoner.asked == []
    assert home.tape.of("goal.set")[0].data["goal"] == "(open fridge1)"


def test_what_is_not_understood_fails_with_what_was_said_about_it():
    mission = Mission("gribble the mango")
    home, leaf = understanding(mission, CommandReasoner())
    assert leaf.status is F
    assert isinstance(mission.refusal, ForetreeError)
    assert mission.reason == leaf.feedback_message == str(mission.refusal)
    assert "gribble" in mission.reason
    assert mission.goal is None
    assert home.tape.of("goal.set") == []


def test_classes_that_have_to_be_found_come_along():
    mission = Mission("put all bananas into the fridge")
    understanding(mission, CommandReasoner())
    assert mission.wanted == ("banana",)


def test_the_reasoner_learns_what_is_believed_and_what_can_be_said():
    reasoner = Reasoner(ForetreeError("no"))
    home, _ = understanding(Mission("hello"), reasoner)
    ((instruction, told),) = reasoner.asked
    assert instruction == "hello"
    assert told.beliefs.entity("mango1") is not None
    assert told.domain is home.context.catalogue.domain
    assert told.rooms["table1"] == "kitchen"
    assert len(told.forms) == sum(len(s.forms) for s in home.context.catalogue.skills.values()) > 10


def test_me_is_the_only_person_about():
    assert situation(AtHome().context).speaker == "person1"
    two = house(
        people={"person1": {"room": "kitchen", "at": [5.3, 0.6]}, "person2": {"room": "hall", "at": [7, 2.5]}}
    )
    assert situation(AtHome(two).context).speaker is None
    assert situation(AtHome(shipped("flat")).context).speaker == "person1"


class Slow:
    """A reasoner that takes its time, on a thread of its own."""

    def __init__(self, clock, answer, latency=2.0):
        self.future: Future[Any] = Future()
        self.cancelled = 0
        self.clock, self.answer, self.latency = clock, answer, latency

    def understand(self, instruction, situation):
        raise AssertionError("a tick would wait for it")

    def begin(self, instruction, situation):
        return Deferred(self.future, self.clock, self.latency, abandon=self.abandon)

    def abandon(self):
        self.cancelled += 1

    def answers(self):
        self.future.set_result(self.answer)


def slow_leaf(mission):
    home = AtHome()
    goal = Understanding(Literal(("open", "fridge1")), "open the fridge")
    reasoner = Slow(home.context.clock, goal)
    return home, reasoner, Understand(home.context, mission, reasoner)


def test_no_tick_waits_for_a_reasoner_that_takes_its_time():
    mission = Mission("open the fridge")
    home, reasoner, leaf = slow_leaf(mission)
    leaf.tick_once()
    assert leaf.status is R
    reasoner.answers()
    home.context.clock.sleep_until(home.context.clock.now() + 1.5)
    leaf.tick_once()
    assert leaf.status is R
    assert leaf.feedback_message == "waiting for the reasoner for 1.5 s"
    assert mission.goal is None
    home.context.clock.sleep_until(home.context.clock.now() + 0.5)
    leaf.tick_once()
    assert leaf.status is S
    assert mission.goal == Literal(("open", "fridge1"))


def test_waiting_can_be_cancelled():
    _, reasoner, leaf = slow_leaf(Mission("open the fridge"))
    leaf.tick_once()
    leaf.stop(Status.INVALID)
    assert reasoner.cancelled == 1
    leaf.stop(Status.INVALID)
    assert reasoner.cancelled == 1


def test_what_is_missing_in_a_replay_is_no_answer_to_the_person():
    _, reasoner, leaf = slow_leaf(Mission("open the fridge"))
    reasoner.latency = 0.0
    reasoner.future.set_exception(UnrecordedQuestionError("no answer"))
    with pytest.raises(UnrecordedQuestionError):
        leaf.update()
