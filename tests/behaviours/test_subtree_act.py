"""Skills that a py_trees behaviour of the user's carries out."""

from __future__ import annotations

from dataclasses import replace

import py_trees
import pytest
from at_home import AtHome, F, R, S, with_puppet
from py_trees.blackboard import Blackboard
from py_trees.common import Access, Status

from foretree.behaviours.subtree_act import SubtreeAct, make_act
from foretree.skills.executors import ExecutorError
from foretree.skills.robot import Outcome
from foretree.trees.plan_node import PlanNode

MADE: list[Grip] = []


class Grip(py_trees.behaviour.Behaviour):
    """Runs for two ticks, then ends as it is told."""

    ending = Status.SUCCESS
    why = ""

    def __init__(self, action, namespace):
        super().__init__(f"grip {action.arguments[2]}")
        self.blackboard = self.attach_blackboard_client(namespace=namespace)
        for key in ("targets", "robot", "action"):
            self.blackboard.register_key(key, access=Access.READ)
        self.blackboard.register_key("reason", access=Access.WRITE)
        self.log = []
        MADE.append(self)

    def setup(self, **kwargs):
        self.log.append("setup")

    def initialise(self):
        self.ticks = 0
        self.log.append(max(self.blackboard.targets["item"].classes))

    def update(self):
        self.ticks += 1
        if self.ticks < 3:
            return Status.RUNNING
        if self.why:
            self.blackboard.reason = self.why
        return self.ending

    def terminate(self, new_status):
        self.log.append(new_status.name)


class Slips(Grip):
    ending = Status.FAILURE
    why = "it slips"


def in_a_sequence(action, namespace):
    root = py_trees.composites.Sequence("grasp", memory=True)
    root.add_children([py_trees.behaviours.Success("open the hand"), Grip(action, namespace)])
    return root


def nothing(action, namespace):
    return None


@pytest.fixture(autouse=True)
def forget():
    MADE.clear()
    yield
    Blackboard.clear()


def act_by(name, **skill):
    home = AtHome()
    context, puppet = with_puppet(home)
    home.believe("rob_at_node robot1 table1")
    action = home.action("pick robot1 left mango1 table1")
    known = context.catalogue.skills["pick"]
    chosen = replace(known, executor=f"{__name__}:{name}", **skill)
    return home, puppet, make_act(action, chosen, context)


def tick(home, act):
    home.context.sync()
    act.tick_once()
    return act.status


@pytest.mark.parametrize("name", ["Grip", "in_a_sequence"])
def test_the_action_is_done_when_the_behaviour_succeeds(name):
    home, puppet, act = act_by(name)
    assert isinstance(act, SubtreeAct)
    assert [tick(home, act) for _ in range(4)] == [R, R, R, S]
    assert MADE[0].log == ["mango", "SUCCESS"]
    assert puppet.log == []  # the robot was told nothing: the behaviour does all of it
    assert home.context.belief.truth(("holding", "robot1", "left", "mango1")).value == "true"
    assert [event.data["outcome"] for event in home.tape.of("action.ended")] == ["done"]


def test_a_failure_has_the_reason_that_the_behaviour_wrote():
    home, _, act = act_by("Slips")
    assert [tick(home, act) for _ in range(4)][-1] is F
    assert act.end.outcome is Outcome.FAILED
    assert act.end.reason == "it slips"
    assert home.context.belief.truth(("holding", "robot1", "left", "mango1")).value != "true"


def test_stopping_the_leaf_stops_the_behaviour_once():
    home, _, act = act_by("Grip")
    tick(home, act), tick(home, act)
    act.stop(Status.INVALID)
    assert MADE[0].log == ["mango", "INVALID"]
    assert MADE[0].status is Status.INVALID
    home.context.sync()
    assert not home.context.executive.alive()


def test_stopping_everything_stops_the_behaviour():
    home, puppet, act = act_by("Grip")
    tick(home, act), tick(home, act)
    ends = home.context.executive.stop_all()
    assert [end.outcome for end in ends.values()] == [Outcome.CANCELLED]
    assert MADE[0].log == ["mango", "INVALID"]


def test_a_behaviour_that_takes_too_long_is_cancelled():
    home, _, act = act_by("Grip", time_out=0.0)
    statuses = []
    for _ in range(3):
        home.context.clock.sleep_until(home.context.clock.now() + 1.0)
        statuses.append(tick(home, act))
    assert statuses[-1] is F
    assert MADE[0].status is Status.INVALID


def test_a_second_attempt_begins_anew():
    home, _, act = act_by("Slips")
    for _ in range(2):
        while tick(home, act) is R:
            pass
    assert MADE[0].log == ["mango", "FAILURE"] * 2
    assert [event.data["reason"] for event in home.tape.of("action.ended")] == ["it slips"] * 2


def test_two_actions_do_not_share_their_keys_and_leave_none_behind():
    home, _, first = act_by("Grip")
    other_home, _, second = act_by("Grip")
    tick(home, first), tick(other_home, second)
    spaces = {key.rsplit("/", 1)[0] for key in Blackboard.storage}
    assert len(spaces) == 2
    while tick(home, first) is R:
        pass
    second.stop(Status.INVALID)
    assert not Blackboard.storage


def test_the_plan_shows_sets_up_and_ticks_the_behaviour():
    home = AtHome()
    home.believe("rob_at_node robot1 table1")
    context, _ = with_puppet(home)
    skills = dict(context.catalogue.skills)
    skills["pick"] = replace(skills["pick"], executor=f"{__name__}:in_a_sequence")
    context.catalogue = replace(context.catalogue, skills=skills)
    node = PlanNode(context, home.plan("(holding robot1 left mango1)", "pick robot1 left mango1 table1"))
    tree = py_trees.trees.BehaviourTree(node)
    tree.setup()
    assert "grip mango1" in py_trees.display.unicode_tree(node)
    for _ in range(12):
        tree.tick()
        context.clock.sleep_until(context.clock.now() + 0.1)
    assert node.status is S
    assert MADE[0].log == ["setup", "mango", "SUCCESS"]


def test_what_returns_no_behaviour_is_refused():
    with pytest.raises(ExecutorError, match=r"nothing returned NoneType for pick\(robot1, left, mango1"):
        act_by("nothing")
