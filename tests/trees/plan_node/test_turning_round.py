"""A robot on a walk that a revision has left without a purpose."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest
from at_home import AtHome
from py_trees.behaviour import Behaviour
from py_trees.common import Status
from stories import seen_on_the_way

from foretree.agent.discovery.topological_map import TopologicalMap
from foretree.planning.plan import Action
from foretree.revision.revision import Revision
from foretree.trees.plan_node._repair import PlanRepair
from foretree.trees.plan_node._step_runner import StepRunner

WALK = Action("a1", "move", ("robot1", "kitchen", "table1"))
ON = Action("", "move", ("robot1", "table1", "table2"))


class Surveys:
    """Whoever knows which arguments of a way are its ends."""

    def only_leads_to(self, way, then):
        return way.skill == then.skill == "move" and way.arguments[2] == then.arguments[1]


@pytest.fixture
def repair():
    home = AtHome()
    home.context.topological_map = Surveys()
    return PlanRepair(home.context, lambda goal: False)


def under_way(*actions):
    return SimpleNamespace(acting=tuple(SimpleNamespace(action=action) for action in actions))


def revision(*actions):
    return Revision(actions, "the mango is elsewhere", "rules", 1)


def test_a_walk_is_given_up_that_only_leads_to_where_the_next_one_sets_out_from(repair):
    rest = under_way(WALK)
    assert repair.superseded_way(revision(ON), rest) is rest.acting[0]


@pytest.mark.parametrize(
    ("actions", "running"),
    [
        ((), (WALK,)),
        ((Action("", "pick", ("robot1", "left", "mango1", "table1")), ON), (WALK,)),
        ((replace(ON, arguments=("robot1", "sofa1", "table2")),), (WALK,)),
        ((ON,), ()),
        ((ON,), (WALK, Action("a2", "wash", ("robot1", "mug1")))),
    ],
    ids=["nothing is left", "something is done there", "another way", "nothing runs", "something else runs"],
)
def test_every_other_walk_goes_on(repair, actions, running):
    assert repair.superseded_way(revision(*actions), under_way(*running)) is None


def test_nobody_turns_who_was_told_the_way(repair):
    repair._context.topological_map = None
    assert repair.superseded_way(revision(ON), under_way(WALK)) is None


def test_nobody_turns_twice_until_something_has_come_to_its_end(repair):
    rest = under_way(WALK)
    assert repair.superseded_way(revision(ON), rest) is not None
    assert repair.superseded_way(revision(ON), rest) is None
    repair.succeeded(WALK)
    assert repair.superseded_way(revision(ON), rest) is not None


class Forgetful(Behaviour):
    """Has no lease any more once it is stopped."""

    def __init__(self):
        super().__init__("forgetful")
        self.lease = object()

    def update(self):
        return Status.RUNNING

    def terminate(self, new_status):
        self.lease = None


def test_what_a_leaf_had_the_robot_do_is_waited_for_even_if_the_leaf_forgets_it():
    leaf, waited = Forgetful(), []
    lease = leaf.lease
    leaf.tick_once()
    runner = StepRunner(AtHome().context, SimpleNamespace(wait_for=waited.append), None)
    step = SimpleNamespace(nodes=SimpleNamespace(top=leaf, leaf=leaf))
    runner.begun = [step]
    runner.maybe_state = SimpleNamespace(give_back=lambda step: None)
    runner.preempt(step, "another way is better")
    assert leaf.status is Status.INVALID
    assert waited == [lease]


def test_what_does_not_hold_from_where_the_robot_stands_is_asked_for_anew(monkeypatch):
    def astray(self, way):
        return replace(way, arguments=(*way.arguments[:2], "robot1"))

    monkeypatch.setattr(TopologicalMap, "from_here", astray)
    story = seen_on_the_way()
    assert [event.data["reviser"] for event in story.tape.of("revision.asked")] == ["rules", "rules"]
    assert len(story.tape.of("revision.made")) == 1
    assert story.outcome == "reached"
    assert story.told() == ["pick_from_surface plate1 table1", "put_on_surface plate1 shelf1"]
