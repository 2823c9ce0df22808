"""The plan node with guarded actions and a robot: what is started, what is waited for, what is believed."""

from __future__ import annotations

from toolbox import F, Puppet, R, S, domain_of, plan_of, runtime_for, tick

from foretree.revision.rules import Rules
from foretree.skills.robot import Outcome
from foretree.trees.plan_node import PlanNode


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
