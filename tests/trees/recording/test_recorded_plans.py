"""A tree of one's own with a plan node in it: the record has its plan, its checks and its revisions, too."""

from __future__ import annotations

import py_trees
import pytest
from py_trees.behaviours import Success
from py_trees.common import Status
from py_trees.composites import Sequence
from py_trees.trees import BehaviourTree
from recorded_trees import all_events, kinds, outline, recorded_outline

from foretree import Options, PlanNode, Wish, embedded_context, make_plan, understand
from foretree.runs.events import Silent, Tape
from foretree.runs.views.run_state import replay
from foretree.trees.fast_tick import FastTree
from foretree.trees.recording import record


class Fetch:
    """A tree that says hello and fetches the mango."""

    def __init__(self, kind=BehaviourTree, recorder=None, faults=()) -> None:
        self.context, _ = embedded_context("kitchen", Options(faults=faults), recorder=recorder)
        goal = understand(self.context, Wish("put the mango into the fridge")).goal
        self.plan = PlanNode(self.context, make_plan(self.context, goal), name="fetch")
        self.root = Sequence("mine", memory=True, children=[Success("say hello"), self.plan])
        self.tree = kind(self.root)

    def tick(self) -> None:
        self.tree.tick()
        self.context.clock.sleep_until(self.context.clock.now() + 0.1)

    def run(self) -> None:
        for _ in range(2000):
            self.tick()
            if self.root.status is not Status.RUNNING:
                return


@pytest.mark.parametrize("kind", [BehaviourTree, FastTree])
def test_all_that_the_plan_node_does_is_on_record(store, kind):
    fetch = Fetch(kind)
    with record(fetch.tree, "fetch the mango", store=store) as recording:
        fetch.run()
    assert fetch.root.status is Status.SUCCESS
    events = all_events(recording)
    state = replay(events)
    assert recorded_outline(events) == outline(fetch.root)
    assert state.goal == "(in mango1 fridge1)"
    assert state.outcome == "reached"
    assert [state.actions[name].status for name in state.plan] == ["done"] * 5
    assert state.facts[("in", "mango1", "fridge1")].truth == "true"
    assert "mango1" in state.entities
    assert state.checks > 0
    assert state.time == pytest.approx(fetch.context.clock.now(), abs=0.2)
    assert {event.kind for event in events} >= {
        "action.intent",
        "action.started",
        "guard.checked",
    }


def test_a_revision_is_on_record(store):
    fetch = Fetch(faults=("after 1: move mango1 on table2",))
    with record(fetch.tree, store=store) as recording:
        fetch.run()
    assert fetch.root.status is Status.SUCCESS
    events = all_events(recording)
    state = replay(events)
    assert len(state.revisions) == 1
    assert [d.guard for d in state.discrepancies] == ["presence"]
    assert kinds(recording, "tree.spliced")
    assert recorded_outline(events) == outline(fetch.root)


def test_a_plan_that_is_stopped_from_above_is_stopped_on_record(store):
    fetch = Fetch()
    with record(fetch.tree, store=store) as recording:
        for _ in range(20):
            fetch.tick()
        assert fetch.plan.status is Status.RUNNING
        fetch.root.stop(Status.INVALID)
    assert recorded_outline(all_events(recording)) == outline(fetch.root)
    assert "RUNNING" not in [status for status, _ in replay(all_events(recording)).statuses().values()]


def test_a_plan_node_that_comes_later_and_goes(store):
    fetch = Fetch()
    fetch.root.remove_child(fetch.plan)
    with record(fetch.tree, store=store) as recording:
        fetch.tick()
        fetch.tree.insert_subtree(fetch.plan, fetch.root.id, 1)
        for _ in range(20):
            fetch.tick()
        assert kinds_of(fetch) == "recorded"
        fetch.root.stop(Status.INVALID)  # py_trees 2.4 does not go on without the child that runs
        fetch.tree.prune_subtree(fetch.plan.id)
        fetch.tick()
    assert fetch.plan.on_splice == []
    assert recorded_outline(all_events(recording)) == outline(fetch.root)
    assert kinds_of(fetch) == "silent"


def kinds_of(fetch: Fetch) -> str:
    return "silent" if isinstance(fetch.context.journal.to, Silent) else "recorded"


def test_a_context_with_a_recorder_of_its_own_keeps_it(store):
    tape = Tape()
    fetch = Fetch(recorder=tape)
    with record(fetch.tree, store=store) as recording:
        fetch.run()
    assert fetch.context.journal.to is tape
    assert tape.of("action.started")
    assert not kinds(recording, "action.started")
    assert recorded_outline(all_events(recording)) == outline(fetch.root)


def test_another_plan_for_the_same_node(store):
    fetch = Fetch()
    with record(fetch.tree, store=store) as recording:
        goal = understand(fetch.context, Wish("open the fridge")).goal
        fetch.plan.load(make_plan(fetch.context, goal))
        fetch.run()
    assert replay(all_events(recording)).goal == "(open fridge1)"
    assert [event.data["goal"] for event in kinds(recording, "plan.made")] == [
        "(in mango1 fridge1)",
        "(open fridge1)",
    ]
    assert recorded_outline(all_events(recording)) == outline(fetch.root)


def test_the_blackboard_keys_of_a_plan_node_are_short(store):
    fetch = Fetch()
    with record(fetch.tree, store=store) as recording:
        fetch.run()
    values = replay(all_events(recording)).blackboard
    assert values["/plan_node/plan"].startswith("Plan(goal=")
    assert max(map(len, values.values())) <= 200
    assert py_trees.blackboard.Blackboard.exists("plan_node/plan")
