"""Improvement: a cheaper rest of the plan is taken over while the robot is busy, and only then."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import replace

import pytest
from toolbox import Leaves, R, S, context_for, domain_of, plan_of, tick

from foretree.bringup.embedded import open_household
from foretree.bringup.options import Options, Wish
from foretree.clock import Deferred
from foretree.planning.incremental import IncrementBudget
from foretree.planning.plan import Action
from foretree.planning.solvers.base import SolverError
from foretree.revision.revision import NoRevisionError, Revision
from foretree.runs.events import Tape
from foretree.trees.plan_node import PlanNode
from foretree.trees.plan_node._revision_check import Proposal

#: c can be had from a by way of b, or at once.
ROADS = domain_of(
    {"one": ("", "a"), "two": ("a", "b"), "three": ("b", "c"), "jump": ("a", "c"), "four": ("c", "d")}
)


#: Once there is b, there are two things left to see to: c and e.
ERRANDS = domain_of(
    {
        "one": ("", "a"),
        "two": ("a", "b"),
        "three": ("b", "c"),
        "jump": ("a", "c"),
        "other": ("a", "b"),
        "five": ("b", "e"),
    }
)


class Thinker:
    """An improver whose answers come when the test says so."""

    name = "thinker"
    time_out = 5.0

    def __init__(self, clock):
        self.clock = clock
        self.asked = []

    def propose(self, situation):
        future = Future()
        future.set_running_or_notify_cancel()
        self.asked.append((future, situation))
        return Deferred(future, self.clock, 0.0, self._finish(situation), patience=0.0)

    def _finish(self, situation):
        def finish(words):
            if words is None:
                raise NoRevisionError("not within the limits")
            actions = tuple(Action("", word, ()) for word in words.split())
            return Revision(actions, "thought", self.name, situation.beliefs.version)

        return finish

    def answer(self, words):
        self.asked[-1][0].set_result(words)


def going(scripts, plan="one two three", goal="c", bound=0, domain=ROADS):
    context = context_for(domain, "")
    context.improver = Thinker(context.clock)
    leaves = Leaves(scripts)
    node = PlanNode(context, replace(plan_of(plan, goal), lower_bound=bound), builder=leaves)
    return node, leaves, context.improver


def skills(node):
    return [step.action.skill for step in node._steps.state.steps]


def test_a_cheaper_rest_takes_the_place_of_the_old_one():
    node, leaves, thinker = going({"a1": [R, R, S]})
    tick(node)
    assert [a.skill for a in thinker.asked[0][1].running] == ["one"]
    thinker.answer("jump")
    assert tick(node, 2)[-1] is S
    assert skills(node) == ["one", "jump"]
    assert leaves.made["a1"].initialised == 1


def test_no_new_action_waits_for_it_and_what_comes_late_still_fits():
    node, _, thinker = going({"a1": [R, S], "a2": [R, R, S]}, "one two three")
    tick(node, 2)
    assert skills(node) == ["one", "two", "three"]
    thinker.answer("two three")  # the same as is under way: nothing to gain
    tick(node)
    assert node.tally["revised"] == 0
    assert len(thinker.asked) == 1


def test_what_goes_another_way_from_a_place_left_behind_is_looked_for_again():
    node, _, thinker = going({"a1": [R, S], "a2": [R, R, R, S]}, "one two three four", "d")
    tick(node, 2)  # two has begun
    thinker.answer("jump four")
    tick(node, 2)
    assert node.tally["revised"] == 0
    assert [a.skill for a in thinker.asked[1][1].running] == ["two"]


def test_nothing_is_taken_over_that_costs_as_much_or_was_not_found():
    for words in ("two three", None):
        node, _, thinker = going({"a1": [R, R, R, S]})
        tick(node)
        thinker.answer(words)
        tick(node, 2)
        assert node.tally["revised"] == 0
        assert len(thinker.asked) == 1


@pytest.mark.parametrize(("bound", "asked"), [(3, 0), (2, 1), (0, 1)])
def test_nobody_looks_for_what_is_known_to_bring_nothing(bound, asked):
    """Three actions that cost 1 each; what has begun counts as done."""
    node, _, thinker = going({"a1": [R, R, R, S]}, bound=bound)
    tick(node, 2)
    assert len(thinker.asked) == asked
    assert node._improvement.open == bool(asked)


def test_a_plan_that_is_proved_to_be_the_best_is_not_looked_into():
    context = context_for(ROADS, "")
    context.improver = Thinker(context.clock)
    node = PlanNode(context, replace(plan_of("one two three", "c"), optimal=True), builder=Leaves({}))
    assert not node._improvement.open


def revised_by_hand(goal, actions, times=1):
    """A plan that was proved to be the best, and mended so many times while its first action runs."""
    node, _, thinker = going({"a1": [R] * 9}, "one two three five", goal, bound=4, domain=ERRANDS)
    tick(node)
    assert not thinker.asked
    asked = 0
    for _ in range(times):
        words = [Action("", word, ()) for word in actions.split()]
        proposal = Proposal(
            node.context, Revision(tuple(words), "by hand", "rules", 0), node._steps.remaining(), failed=True
        )
        assert proposal.go_on(IncrementBudget(1000))
        assert proposal.objection is None
        node._splice(proposal, answers="d1")
        tick(node)
        if len(thinker.asked) > asked:
            asked += 1
            thinker.answer(None)
            tick(node)
    return len(thinker.asked)


def test_what_is_mended_by_hand_is_looked_into_if_there_are_several_things_to_see_to():
    assert revised_by_hand("c e", "other three five") == 1
    assert revised_by_hand("c", "other three") == 0


def test_after_two_searches_in_vain_what_is_mended_by_hand_is_taken_as_it_is():
    assert revised_by_hand("c e", "other three five", times=4) == 2


def test_nothing_is_taken_over_that_costs_less_and_does_not_reach_the_goal():
    node, _, thinker = going({"a1": [R, R, R, S]}, "one two three four", "d")
    tick(node)
    thinker.answer("jump")
    tick(node, 2)
    assert node.tally["revised"] == 0
    assert skills(node) == ["one", "two", "three", "four"]


def test_a_planner_that_breaks_while_it_looks_for_a_cheaper_plan_does_not_end_the_plan():
    node, _, thinker = going({"a1": [R, R, R, S]})
    tick(node)
    thinker.asked[-1][0].set_exception(SolverError("The planner process ended unexpectedly."))
    assert tick(node, 4)[-1] is S
    assert [e.data["text"] for e in node.context.recorder.of("log")] == [
        "no cheaper plan was looked for: The planner process ended unexpectedly."
    ]


def test_a_stopped_plan_looks_for_nothing():
    node, _, thinker = going({"a1": [R]})
    tick(node)
    node.stop()
    assert not node._improvement.open


def test_the_first_plan_is_improved_on_the_way():
    seconds = {}
    for improving in ("0", "3000"):
        tape = Tape()
        wish = Wish(goal="(and (on plate1 table1) (in egg1 bin1) (on glass1 table2))")
        options = Options(overrides={"plans": "first", "improving": improving})
        session, _ = open_household("kitchen", wish, options, recorder=tape)
        result = session.run()
        assert result.outcome == "reached"
        seconds[improving] = result.seconds
        revised = tape.of("revision.made")
        assert len(revised) == (improving != "0")
    assert revised[0].data["discrepancy"] == ""
    assert "costs" in revised[0].data["why"]
    assert seconds["3000"] < seconds["0"]
