"""Putting back what only has to get out of the hand."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import replace

import pytest
from at_home import AtHome, house

from foretree.planning.incremental import run_to_end
from foretree.planning.solvers.base import Solution
from foretree.revision.planner import PlannerReviser
from foretree.revision.put_back import put_back_gradually
from foretree.revision.rules.reviser import RuleReviser

APPLE_IN_HAND = "(holding robot1 left apple2)"
ON_THE_OTHER_TABLE = (
    "move robot1 table1 table2",
    "place_on robot1 left mango1 table2",
    "pick robot1 left apple2 table2",
)


def with_mango(origin="on mango1 table1", at="table1"):
    """The robot has taken the mango from somewhere, and there is an apple on the second table."""
    home = AtHome(house(items={"apple2": {"class": "apple", "on": "table2"}}))
    home.believe(
        f"rob_at_node robot1 {at}",
        "holding robot1 left mango1",
        "not hand_free robot1 left",
        "open fridge1",
    )
    return home, {"mango1": tuple(origin.split())}


def lines(actions):
    return [" ".join([action.skill, *action.arguments]) for action in actions]


def revised(home, origins, goal, *steps):
    situation = replace(home.situation(goal, *steps), origins=origins)
    return lines(run_to_end(put_back_gradually(situation.remaining, situation)))


def test_what_would_be_carried_along_is_put_back_where_it_was():
    home, origins = with_mango()
    move, _, pick = ON_THE_OTHER_TABLE
    assert revised(home, origins, APPLE_IN_HAND, *ON_THE_OTHER_TABLE) == [
        "place_on robot1 left mango1 table1",
        move,
        pick,
    ]


def test_what_was_in_something_is_put_back_into_it():
    home, origins = with_mango("in mango1 fridge1", at="fridge1")
    _, put, pick = ON_THE_OTHER_TABLE
    move = "move robot1 fridge1 table2"
    assert revised(home, origins, APPLE_IN_HAND, move, put, pick) == [
        "place_in robot1 left mango1 fridge1",
        move,
        pick,
    ]


@pytest.mark.parametrize(
    ("goal", "origin", "at", "steps"),
    [
        # It is wanted there.
        (f"(and (on mango1 table2) {APPLE_IN_HAND})", "on mango1 table1", "table1", ON_THE_OTHER_TABLE),
        # The robot is somewhere else by now.
        (APPLE_IN_HAND, "on mango1 table1", "table2", ON_THE_OTHER_TABLE[1:]),
        # It goes back already.
        (
            APPLE_IN_HAND,
            "on mango1 table1",
            "table1",
            ("place_on robot1 left mango1 table1", "move robot1 table1 table2", ON_THE_OTHER_TABLE[2]),
        ),
        # It is only put down for a while.
        (
            "(and (holding robot1 left mango1) (holding robot1 right apple2))",
            "on mango1 table1",
            "table1",
            (*ON_THE_OTHER_TABLE[:2], "pick robot1 right apple2 table2", "pick robot1 left mango1 table2"),
        ),
    ],
)
def test_the_plan_stays_as_it_is_where_that_would_cost_more_or_lead_elsewhere(goal, origin, at, steps):
    home, origins = with_mango(origin, at)
    assert revised(home, origins, goal, *steps) == list(steps)


def test_of_what_was_not_taken_from_anywhere_nothing_is_known():
    home, _ = with_mango()
    assert revised(home, {}, APPLE_IN_HAND, *ON_THE_OTHER_TABLE) == list(ON_THE_OTHER_TABLE)


def test_the_planning_reviser_puts_things_back():
    class Solver:
        def learn(self, problem, solution):
            pass

        def submit(self, problem, explain=True):
            future: Future = Future()
            steps = tuple((step.split()[0], tuple(step.split()[1:])) for step in ON_THE_OTHER_TABLE)
            future.set_result(Solution("solved", steps))
            return future

    home, origins = with_mango()
    put = "place_on robot1 left mango1 sofa1"
    situation = replace(home.situation(APPLE_IN_HAND, put), origins=origins)
    pending = PlannerReviser(Solver(), home.clock, latency=0.2).propose(situation)
    home.wait(0.2)
    assert lines(pending.result().actions)[0] == "place_on robot1 left mango1 table1"


def test_the_rules_put_things_back():
    home, origins = with_mango("in mango1 fridge1", at="fridge1")
    carried = ("move robot1 fridge1 table2", *ON_THE_OTHER_TABLE[1:])
    situation = replace(home.situation(APPLE_IN_HAND, *carried), origins=origins)
    revision = RuleReviser().propose(situation)
    assert lines(revision.actions) == [
        "place_in robot1 left mango1 fridge1",
        "move robot1 fridge1 table2",
        "pick robot1 left apple2 table2",
    ]
    assert "place_in(robot1, left, mango1, fridge1)" in revision.why
