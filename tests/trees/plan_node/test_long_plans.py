"""Revisions of long plans: linear in their length, and a bounded part of it in each tick."""

from __future__ import annotations

import gc
import sys
from concurrent.futures import Future

import pytest
from effort import spent
from py_trees.common import Status
from toolbox import F, Leaves, R, context_for, domain_of, plan_of, tick

from foretree.garbage import HeapFreeze
from foretree.planning.incremental import IncrementalTask, IncrementBudget, run_to_end, weighted
from foretree.planning.plan import Action
from foretree.planning.solvers.base import Solution
from foretree.revision.planner import PlannerReviser
from foretree.revision.revision import Revision
from foretree.revision.rules.reviser import RuleReviser
from foretree.trees.plan_node import PlanNode


@pytest.fixture(autouse=True)
def nothing_frozen(monkeypatch):
    """Whatever others have left running."""
    monkeypatch.setattr(HeapFreeze, "_open", 0)
    gc.unfreeze()
    yield
    gc.unfreeze()


class Putting:
    """A reviser that puts actions before all that is left."""

    name = "putting"
    time_out = 5.0

    def __init__(self, *words):
        self.words = words

    def propose(self, situation):
        new = (Action("", word, ()) for word in self.words)
        return Revision((*new, *situation.remaining), "to go on.", self.name, situation.beliefs.version)


class Solver:
    """A planner that puts one action before the steps that are left, but for the first, which runs."""

    def __init__(self, length):
        words = ["mend", *(f"s{i}" for i in range(1, length))]
        self.answer = Solution("solved", tuple((word, ()) for word in words))

    def submit(self, problem, enough=None, *, explain=True):
        future = Future()
        future.set_result(self.answer)
        return future

    def learn(self, problem, solution):
        pass


#: Those that may revise, each for a plan of some length and a clock.
REVISERS = {
    "putting": lambda length, clock: Putting("mend"),
    "rules": lambda length, clock: RuleReviser(),
    "planner": lambda length, clock: PlannerReviser(Solver(length), clock, latency=0.0),
}


def long_plan(length, *words, pieces=None, true="k q x"):
    """Steps that build on each other and all need k, but for the first one, which runs on. A few pieces fit in a tick."""
    steps = {f"s{i}": (f"p{i - 1} k" if i else "", f"p{i}") for i in range(length)}
    domain = domain_of({**steps, "mend": ("", "k"), "look": ("q", "y"), "ask": ("", "x")})
    context = context_for(domain, true, revisers=[Putting(word) for word in words])
    leaves = Leaves({"s0": [R] * 999})
    node = PlanNode(context, plan_of(" ".join(steps), f"p{length - 1}"), builder=leaves)
    if pieces:
        node._repair.allowance = IncrementBudget(pieces)
    tick(node)
    return node, leaves, context


def revised(node, each=lambda: None):
    """Tick until a revision is in place; how many ticks that takes."""
    for number in range(1, 10_000):
        tick(node)
        each()
        if node.tally["revised"] and not node._splicer.busy:
            return number
    raise AssertionError(node.reason)


def seconds_to_revise(length):
    node, _, context = long_plan(length, "mend")
    context.belief.tell(("k",), False)
    return spent(lambda: revised(node))


def test_what_a_revision_takes_grows_with_the_length_of_the_plan_and_no_faster():
    short, long = (min(seconds_to_revise(length) for _ in range(3)) for length in (250, 2000))
    assert long < 2.5 * 8 * short, "it would be 64 times as long if it grew with the square"


def calls_of_the_longest_tick(reviser, length):
    node, _, context = long_plan(length)
    context.revisers = (REVISERS[reviser](length, context.clock),)
    context.belief.tell(("k",), False)
    counted = [0]

    def count(_frame, event, _argument):
        counted[-1] += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        revised(node, lambda: counted.append(0))
    finally:
        sys.setprofile(None)
    assert [child.name for child in node.children][:3] == ["s0()", "mend()", "s1()"]
    return max(counted)


@pytest.mark.parametrize("reviser", REVISERS)
def test_a_tick_does_little_more_however_long_the_plan(reviser):
    short, long = (calls_of_the_longest_tick(reviser, length) for length in (400, 3200))
    assert long < 3 * short, "it would be eight times as much if all were done in one tick"


def test_while_a_long_plan_is_carried_out_the_garbage_collector_does_not_look_through_it():
    node, _, _ = long_plan(1000)
    assert gc.get_freeze_count() > 1000
    node.stop(Status.INVALID)
    assert gc.get_freeze_count() == 0


def test_while_a_revision_is_checked_what_runs_goes_on_and_nothing_new_begins():
    node, leaves, context = long_plan(8, "mend", pieces=2)
    tops = dict(leaves.made)
    context.belief.tell(("k",), False)
    said = set()
    ticks = revised(node, lambda: said.add(node.reason))
    assert ticks > 5
    assert leaves.made["a1"].updates == 1 + ticks
    assert leaves.made["a1"].initialised == 1
    assert any("made sure" in reason for reason in said)
    assert any("steps of the revised plan" in reason for reason in said)
    assert [child.name for child in node.children][:3] == ["s0()", "mend()", "s1()"]
    assert all(leaves.made[name] is leaf for name, leaf in tops.items()), "unchanged actions keep their nodes"


def test_what_a_revision_needs_is_looked_at_again_when_it_is_taken_over():
    node, leaves, context = long_plan(60, "look", "mend", pieces=2)
    context.belief.tell(("k",), False)
    tick(node, 2)
    assert node._repair._proposal is not None
    context.belief.tell(("q",), False)
    revised(node)
    assert node.children[1].name == "mend()"
    rejected = context.recorder.of("revision.rejected")
    assert [event.data["why"] for event in rejected] == ["(look) is not possible when its turn comes"]


@pytest.mark.parametrize("fact", ["x", "y"])
def test_what_has_nothing_to_do_with_it_does_not_hold_it_up(fact):
    def ticks(tell):
        node, _, context = long_plan(8, "mend", pieces=2)
        context.belief.tell(("k",), False)
        tick(node, 2)
        if tell:
            context.belief.tell((fact,), fact == "y")
        return revised(node)

    assert ticks(True) == ticks(False)


@pytest.mark.parametrize("after", range(1, 40, 3))
def test_it_can_be_stopped_at_any_time_and_begins_again(after):
    node, _, context = long_plan(8, "mend", pieces=2)
    context.belief.tell(("k",), False)
    tick(node, after)
    node.stop(Status.INVALID)
    assert node.status is Status.INVALID
    assert not [leaf for leaf in node.iterate() if leaf.status is R]
    context.belief.tell(("k",), True)
    assert tick(node) == [R]
    assert all(step.nodes is not None and step.nodes.top.parent is node for step in node._steps.state.steps)


def test_pieces_are_counted():
    def three():
        yield from weighted(3)
        return "through"

    work, allowance = IncrementalTask(three()), IncrementBudget(2)
    assert not work.go_on(allowance)
    assert not work.go_on(allowance), "nothing is left for this tick"
    allowance.renew()
    assert work.go_on(allowance)
    assert work.result == work.finish() == run_to_end(three()) == "through"


def test_a_plan_that_cannot_be_mended_fails_all_the_same():
    node, _, context = long_plan(8, "ask", pieces=2)
    context.belief.tell(("k",), False)
    while tick(node) == [R]:
        pass
    assert node.status is F
    assert "is not possible when its turn comes" in node.reason


def test_where_nothing_has_happened_to_take_that_in_calls_nothing_more():
    _, _, context = long_plan(10)
    context.sync()
    called = []
    sys.setprofile(lambda frame, event, _: event == "call" and called.append(frame.f_code.co_name))
    try:
        context.sync()
    finally:
        sys.setprofile(None)
    assert called == ["sync", "settle", "poll_unattended", "observations", "version"]
