"""The plan node with guarded actions and a robot: what is started, what is waited for, what is believed."""

from __future__ import annotations

from toolbox import Puppet, S, domain_of, plan_of, runtime_for, tick

from foretree.planning.plan import Action
from foretree.revision.revision import Revision
from foretree.revision.rules import Rules
from foretree.skills.robot import Outcome
from foretree.trees.plan_node import PlanNode
from foretree.world_model.observation import Observation


def node_with_robot(domain, plan, true="", revisers=(), **settings):
    robot = Puppet()
    runtime = runtime_for(domain, true, robot, revisers, **settings)
    return PlanNode(runtime, plan), robot, runtime


WORK = domain_of({"work": ("k", "g"), "mend": ("", "k")})


def test_after_a_failure_the_guards_check_before_the_next_attempt():
    node, robot, runtime = node_with_robot(WORK, plan_of("work", "g"), "k", [Rules()])
    tick(node)
    robot.told[0].end(Outcome.FAILED)
    tick(node, 2)
    assert robot.skills == ["work", "work"]
    assert len(runtime.recorder.of("guard.checked")) == 2


def test_after_a_preemption_the_guards_check_before_the_next_attempt():
    node, robot, runtime = node_with_robot(WORK, plan_of("work", "g"), "k", [Rules()])
    tick(node)
    runtime.belief.tell(("k",), False)
    tick(node)
    assert robot.told[0].cancels == 1
    robot.told[0].end(Outcome.CANCELLED)
    tick(node)
    robot.told[1].end(Outcome.DONE)
    tick(node)
    assert robot.skills == ["work", "mend", "work"]
    assert [e.data["passed"] for e in runtime.recorder.of("guard.checked")] == [True, True]


def test_an_action_that_is_done_is_done_even_if_what_it_needed_is_lost_at_the_same_time():
    node, robot, runtime = node_with_robot(WORK, plan_of("work", "g"), "k", [Rules()])
    tick(node)
    robot.told[0].end(Outcome.DONE)
    runtime.belief.tell(("k",), False)
    assert tick(node) == [S]
    assert robot.skills == ["work"]
    assert robot.told[0].cancels == 0


def test_an_effect_that_is_refuted_as_it_is_reported_is_noticed_before_the_next_action():
    """The robot says done, the camera says no, in one and the same tick."""
    domain = domain_of({"one": ("", "a"), "two": ("a", "b")})
    node, robot, runtime = node_with_robot(domain, plan_of("one two", "b"), "", [Rules()])
    tick(node)
    robot.told[0].end(Outcome.DONE)
    robot.seen.append(Observation(0.0, "view", body={("a",): False}))
    tick(node)
    assert robot.skills == ["one", "one"]
    assert node.tally["done"] == 1


class Cuts:
    """A reviser that cancels what runs and offers something else."""

    name = "cuts"
    time_out = 5.0

    def __init__(self, skills):
        self.skills = skills

    def propose(self, situation):
        actions = tuple(Action("", skill, ()) for skill in self.skills.split())
        flight = {action.id: "cancel" for action in situation.running}
        return Revision(actions, "quicker", self.name, situation.beliefs.version, flight)


def test_a_revision_must_not_rely_on_what_its_own_cancel_makes_unknown():
    """Half painted, half not: nobody knows whether p still holds once `paint` is cancelled."""
    domain = domain_of({"paint": ("", "!p q"), "need": ("k q", "g"), "use": ("p", "g"), "rest": ("", "g")})
    robot = Puppet()
    runtime = runtime_for(domain, "k p", robot, [Cuts("use"), Cuts("rest")], seen={"p": None, "q": None})
    node = PlanNode(runtime, plan_of("paint need", "g"))
    tick(node)
    runtime.belief.tell(("k",), False)
    tick(node)
    assert "not possible" in runtime.recorder.of("revision.rejected")[0].data["why"]
    assert [child.name for child in node.children] == ["rest()"]
    assert robot.told[0].cancels == 1
