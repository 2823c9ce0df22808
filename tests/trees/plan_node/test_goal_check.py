"""The last look before a goal counts as reached."""

from __future__ import annotations

import pytest

from foretree.bringup.embedded import open_household
from foretree.bringup.options import Options, Wish
from foretree.planning.pddl.syntax import Literal
from foretree.planning.task.goals import parse_goal
from foretree.runs.events import Tape
from foretree.trees.plan_node._goal_check import GoalCheck
from foretree.world_model.beliefs.facts import Truth

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
        assert ticks < 500
    return ticks


def test_what_is_believed_firmly_needs_no_look(opened):
    context, tape, goal = opened()
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
    context.belief.tell(atom, confidence=0.8)
    assert GoalCheck(context).wanted(goal(text)) is on


def test_what_an_action_says_is_enough_once_a_look_saw_nothing_to_the_contrary(opened):
    context, tape, goal = opened()
    context.belief.tell(("in", "egg1", "fridge1"), confidence=0.96, source="action")  # behind a shut door
    wait(context, GoalCheck(context), goal("(in egg1 fridge1)"))
    assert len(tape.of("look.started")) == 1


class GoesAbout:
    """A map of a home in which the robot goes to where it sees what it looks at."""

    def in_sight(self, atom):
        return True

    def follow(self):
        return []


def test_where_it_can_look_from_elsewhere_it_does_not_believe_what_many_looks_did_not_make_sure(opened):
    context, tape, goal = opened()
    context.topological_map = GoesAbout()
    context.belief.tell(("in", "egg1", "fridge1"), confidence=0.5)  # behind a door that is shut
    check = GoalCheck(context)
    wait(context, check, goal("(in egg1 fridge1)"))
    assert len(tape.of("look.started")) == 4 * context.settings.looks
    assert context.belief.truth(("in", "egg1", "fridge1")) is Truth.UNKNOWN
    context.belief.tell(("in", "egg1", "fridge1"), confidence=0.5)
    assert check.wanted(goal("(in egg1 fridge1)")), "it was made so anew"


def test_where_it_can_look_from_elsewhere_what_was_seen_in_passing_is_looked_at_once_however_sure(opened):
    context, tape, goal = opened()
    context.topological_map = GoesAbout()
    context.belief.tell(("on", "mango1", "table1"), confidence=0.98, source="view")
    assert wait(context, GoalCheck(context), goal(ON_TABLE)) > 2
    assert len(tape.of("look.started")) == 1


def test_what_an_action_has_reported_should_be_seen_there(opened):
    context, tape, goal = opened()
    context.topological_map = GoesAbout()
    context.belief.tell(("in", "egg1", "fridge1"), confidence=0.96, source="action")
    wait(context, GoalCheck(context), goal("(in egg1 fridge1)"))
    assert len(tape.of("look.started")) == 4 * context.settings.looks
    assert context.belief.truth(("in", "egg1", "fridge1")) is Truth.TRUE, "nothing was seen to the contrary"


def test_what_spoke_against_the_goal_once_is_looked_at_the_more_often_the_next_time(opened):
    """Else a place from where what was done looks undone would have it done again and again."""
    context, tape, goal = opened()
    context.topological_map = GoesAbout()
    clean = Literal(("clean", "mug1"))
    check, looks = GoalCheck(context), []
    for _ in range(4):
        context.belief.tell(("clean", "mug1"), Truth.FALSE, confidence=0.99, source="look")
        before = len(tape.of("look.started"))
        while check.wanted(goal("(and (clean mug1) (in egg1 table1))"), [clean]):
            context.clock.sleep_until(context.clock.now() + 0.1)
            context.sync()
            context.belief.tell(("clean", "mug1"), Truth.FALSE, confidence=0.99, source="look")
        looks.append(len(tape.of("look.started")) - before)
        check.missed()
    assert looks == [0, 1, 2, 3]
