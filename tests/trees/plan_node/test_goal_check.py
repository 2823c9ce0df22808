"""The last look before a goal counts as reached."""

from __future__ import annotations

import pytest

from foretree.bringup.embedded import open_household
from foretree.bringup.options import Options, Wish
from foretree.planning.task.goals import parse_goal
from foretree.runs.events import Tape
from foretree.trees.plan_node._goal_check import GoalCheck

ON_TABLE = "(on mango1 table1)"


@pytest.fixture
def opened():
    def make(**settings: str):
        tape = Tape()
        options = Options(overrides=settings, faults=())
        session, world = open_household("kitchen", Wish(goal=ON_TABLE), options, recorder=tape)
        context = session.context
        context.sync()
        types = {name: entity.best_class for name, entity in context.belief.entities().items()}
        return context, tape, lambda text: parse_goal(text, context.catalogue.domain, types).formula

    return make


def wait(context, last, goal) -> int:
    """Ticks until it is content."""
    ticks = 0
    while last.wanted(goal):
        context.clock.sleep_until(context.clock.now() + 0.1)
        context.sync()
        ticks += 1
        assert ticks < 50
    return ticks


def test_what_was_looked_at_and_is_believed_firmly_needs_no_look(opened):
    context, tape, goal = opened()
    context.belief.tell(("on", "mango1", "table1"), confidence=0.98, source="look")
    assert not GoalCheck(context).wanted(goal(ON_TABLE))
    assert not tape.of("look.started")


def test_what_is_in_doubt_is_looked_at_until_it_is_sure(opened):
    context, tape, goal = opened()
    context.belief.tell(("on", "mango1", "table1"), confidence=0.8)
    assert wait(context, GoalCheck(context), goal(ON_TABLE)) > 2
    (look,) = tape.of("look.started")
    assert "mango1" in look.data["at"]
    assert tape.of("look.ended")[0].data["outcome"] == "done"
    assert context.belief.fact(("on", "mango1", "table1")).confidence > 0.9


def test_what_only_an_action_says_is_looked_at_however_sure(opened):
    context, tape, goal = opened()
    context.belief.tell(("on", "mango1", "table1"), confidence=1.0, source="action")
    assert wait(context, GoalCheck(context), goal(ON_TABLE)) > 2
    assert context.belief.fact(("on", "mango1", "table1")).source == "look"


def test_what_was_only_seen_in_passing_is_looked_at_once_however_sure(opened):
    context, tape, goal = opened()
    context.belief.tell(("on", "mango1", "table1"), confidence=0.98, source="view")
    assert wait(context, GoalCheck(context), goal(ON_TABLE)) > 2
    assert len(tape.of("look.started")) == 1


def test_what_cannot_be_seen_from_here_is_taken_as_it_is(opened):
    context, tape, goal = opened()
    context.belief.tell(("on", "mango1", "table1"), confidence=0.8)
    context.belief.tell(("rob_at_node", "robot1", "kitchen"), False)
    assert not GoalCheck(context).wanted(goal(ON_TABLE))


def test_it_does_not_look_for_ever(opened):
    context, tape, goal = opened(looks="1")
    context.belief.tell(("in", "egg1", "fridge1"), confidence=0.5)  # behind a door that is shut
    wait(context, GoalCheck(context), goal("(in egg1 fridge1)"))
    assert len(tape.of("look.started")) == 1


def test_without_guards_nothing_is_checked(opened):
    context, tape, goal = opened(guards="none")
    context.belief.tell(("on", "mango1", "table1"), confidence=0.8)
    assert not GoalCheck(context).wanted(goal(ON_TABLE))


def test_forgetting_breaks_the_look_off(opened):
    context, tape, goal = opened()
    context.belief.tell(("on", "mango1", "table1"), confidence=0.8)
    last = GoalCheck(context)
    assert last.wanted(goal(ON_TABLE))
    last.forget()
    context.clock.sleep_until(5.0)
    context.sync()
    assert context.executive.alive() == ()


DOUBTS = {
    "appearance": ("(exists (?m - mango) (on ?m table1))", ("class", "mango1", "mango")),
    "attribute": ("(clean mug1)", ("clean", "mug1")),
    "relationship": (ON_TABLE, ("on", "mango1", "table1")),
}


@pytest.mark.parametrize("guard", DOUBTS)
@pytest.mark.parametrize("on", [True, False])
def test_each_guard_sees_to_its_part_of_the_goal(opened, guard, on):
    others = {"presence", "appearance", "attribute", "relationship"} - {guard}
    context, tape, goal = opened(guards=",".join(sorted(others | ({guard} if on else set()))))
    text, atom = DOUBTS[guard]
    context.belief.tell(("on", "mango1", "table1"), confidence=0.98, source="look")
    context.belief.tell(atom, confidence=0.8)
    assert GoalCheck(context).wanted(goal(text)) is on


def test_what_an_action_says_is_enough_once_a_look_saw_nothing_to_the_contrary(opened):
    context, tape, goal = opened()
    context.belief.tell(("in", "egg1", "fridge1"), confidence=0.96, source="action")  # behind a shut door
    wait(context, GoalCheck(context), goal("(in egg1 fridge1)"))
    assert len(tape.of("look.started")) == 1
