"""The plan node with guarded actions and a robot: what is started, what is waited for, what is believed."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import replace

import py_trees
from toolbox import F, Puppet, R, S, context_for, domain_of, plan_of, tick

from foretree.clock import Deferred
from foretree.planning.plan import Action, Plan
from foretree.revision.revision import Revision
from foretree.revision.rules.reviser import RuleReviser
from foretree.skills.executors import TargetError
from foretree.skills.robot import Outcome
from foretree.skills.skill import FailureFeedback
from foretree.trees.plan_node import PlanNode
from foretree.world_model.observation import Observation


def node_with_robot(domain, plan, true="", revisers=(), **settings):
    robot = Puppet()
    context = context_for(domain, true, robot, revisers, **settings)
    return PlanNode(context, plan), robot, context


WORK = domain_of({"work": ("k", "g"), "mend": ("", "k")})


def test_after_a_failure_the_guards_check_before_the_next_attempt():
    node, robot, context = node_with_robot(WORK, plan_of("work", "g"), "k", [RuleReviser()])
    tick(node)
    robot.told[0].end(Outcome.FAILED)
    tick(node, 2)
    assert robot.skills == ["work", "work"]
    assert len(context.recorder.of("guard.checked")) == 2


def test_after_a_failure_that_teaches_something_the_same_is_not_tried_again():
    node, robot, context = node_with_robot(WORK, plan_of("work", "g"), "k", [RuleReviser()], guards=())
    lesson = FailureFeedback(("it is locked",), ("k",), holds=False)
    skill = replace(context.catalogue.skills["work"], feedback=(lesson,))
    context.catalogue = replace(context.catalogue, skills={**context.catalogue.skills, "work": skill})
    node.load(plan_of("work", "g"))
    tick(node)
    robot.told[0].end(Outcome.FAILED, "it is locked")
    tick(node, 2)
    assert robot.skills == ["work", "mend"]


def test_after_a_preemption_the_guards_check_before_the_next_attempt():
    node, robot, context = node_with_robot(WORK, plan_of("work", "g"), "k", [RuleReviser()])
    tick(node)
    context.belief.tell(("k",), False)
    tick(node)
    assert robot.told[0].cancels == 1
    assert context.recorder.of("revision.asked") == [], "nobody knows yet how it ends"
    robot.told[0].end(Outcome.CANCELLED)
    tick(node)
    robot.told[1].end(Outcome.DONE)
    tick(node)
    assert robot.skills == ["work", "mend", "work"]
    assert [e.data["passed"] for e in context.recorder.of("guard.checked")] == [True, True]


def test_an_action_that_is_done_is_done_even_if_what_it_needed_is_lost_at_the_same_time():
    node, robot, context = node_with_robot(WORK, plan_of("work", "g"), "k", [RuleReviser()])
    tick(node)
    robot.told[0].end(Outcome.DONE)
    context.belief.tell(("k",), False)
    assert tick(node) == [S]
    assert robot.skills == ["work"]
    assert robot.told[0].cancels == 0


def test_an_effect_that_is_refuted_as_it_is_reported_is_noticed_before_the_next_action():
    """The robot says done, the camera says no, in one and the same tick."""
    domain = domain_of({"one": ("", "a"), "two": ("a", "b")})
    node, robot, context = node_with_robot(domain, plan_of("one two", "b"), "", [RuleReviser()])
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
    context = context_for(domain, "k p", robot, [Cuts("use"), Cuts("rest")], seen={"p": None, "q": None})
    node = PlanNode(context, plan_of("paint need", "g"))
    tick(node)
    context.belief.tell(("k",), False)
    tick(node)
    assert "not possible" in context.recorder.of("revision.rejected")[0].data["why"]
    assert [child.name for child in node.children] == ["rest()"]
    assert robot.told[0].cancels == 1


def test_what_was_done_before_the_cancel_arrived_is_not_done_again():
    node, robot, context = node_with_robot(WORK, plan_of("work", "g"), "k", [RuleReviser()])
    tick(node)
    context.belief.tell(("k",), False)
    assert tick(node) == [R]
    robot.told[0].end(Outcome.DONE)
    assert tick(node) == [S]
    assert robot.skills == ["work"]


class NothingToAimAt:
    """An executor that finds that the belief knows nothing of its target."""

    def begin(self, action, skill, beliefs, robot, execution_id):
        raise TargetError("nothing is known about the mango")


def test_a_target_that_is_gone_is_a_failure_of_the_action_and_no_crash():
    robot = Puppet()
    context = context_for(WORK, "k", robot, [Cuts("mend")])
    skill = replace(context.catalogue.skills["work"], executor=f"{__name__}:NothingToAimAt", retries=0)
    context.catalogue = replace(context.catalogue, skills={**context.catalogue.skills, "work": skill})
    node = PlanNode(context, plan_of("work", "g"))
    assert tick(node) == [F]
    assert "nothing is known about the mango" in node.reason
    assert context.recorder.of("action.ended")[0].data["outcome"] == "failed"
    assert context.recorder.of("action.started") == []


def test_a_doubt_that_does_not_clear_up_lets_a_slow_reviser_finish():
    """The belief changes with every tick, as it does when a camera runs; the answer takes a second."""
    domain = domain_of({"cut": ("there", "cut"), "buy": ("", "cut")})
    robot = Puppet()
    asked = []

    class Thinks:
        name = "thinks"
        time_out = 9.0

        def propose(self, situation):
            asked.append(situation)
            future = Future()
            actions = (Action("", "buy", ()),)
            future.set_result(Revision(actions, "play safe", self.name, situation.beliefs.version))
            return Deferred(future, context.clock, 1.0)

    context = context_for(domain, "", robot, [Thinks()], seen={"there": None})
    skill = replace(context.catalogue.skills["cut"], irreversible=True, certainty=0.9)
    context.catalogue = replace(context.catalogue, skills={**context.catalogue.skills, "cut": skill})
    context.belief.tell(("there",), confidence=0.7)
    node = PlanNode(context, plan_of("cut", "cut"))
    for number in range(1, 30):
        tick(node)
        if robot.told:
            break
        context.clock.sleep_until(0.1 * number)
        context.belief.tell(("there",), confidence=0.7, time=context.clock.now())
    assert robot.skills == ["buy"]
    assert len(asked) == 1


def test_a_question_is_dropped_when_the_goal_is_reached_without_the_plan():
    node, robot, context = node_with_robot(WORK, plan_of("work", "g"), "k")
    tick(node)
    robot.told[0].end(Outcome.FAILED)
    tick(node, 2)
    robot.told[1].end(Outcome.FAILED)
    context.belief.tell(("g",))
    assert tick(node) == [S]


def test_the_guards_of_an_action_that_stays_learn_what_it_is_for_now():
    """First it is needed for one thing, after the revision for another; the first has come about meanwhile."""
    domain = domain_of(
        {"slow": ("", "s"), "wash": ("", "clean dry"), "use": ("k clean s", "g"), "hang": ("dry s", "g")}
    )
    robot = Puppet()

    class Hangs:
        name = "hangs"
        time_out = 1.0

        def propose(self, situation):
            wash = next(a for a in situation.remaining if a.skill == "wash")
            actions = (wash, Action("", "hang", ()))
            return Revision(actions, "hang it", self.name, situation.beliefs.version)

    context = context_for(domain, "k", robot, [Hangs()], seen={"clean": None, "dry": None})
    kinds = {n: replace(i, kind="attribute") for n, i in context.belief.vocabulary.predicates.items()}
    context.belief.vocabulary.predicates.update(kinds)
    plan = plan_of("slow wash use", "g")
    node = PlanNode(
        context, Plan(plan.goal, plan.actions, {"a2": frozenset({"a1"}), "a3": frozenset({"a2"})})
    )
    tick(node)
    context.belief.tell(("k",), False)
    tick(node)
    context.belief.tell(("clean",))
    robot.told[0].end(Outcome.DONE)
    tick(node)
    assert robot.skills == ["slow", "wash"]
    assert node.tally["revised"] == 1


def test_what_is_shut_down_does_not_run_on():
    """py_trees' shutdown() leaves the robot going."""
    node, robot, context = node_with_robot(WORK, plan_of("work", "g"), "k")
    tree = py_trees.trees.BehaviourTree(node)
    tree.tick()
    tree.shutdown()
    assert robot.told[0].cancels == 1
    assert node.status is py_trees.common.Status.INVALID


def test_visitors_see_what_runs_also_in_ticks_in_which_nothing_happens():
    node, robot, context = node_with_robot(WORK, plan_of("work", "g"), "k")
    tree = py_trees.trees.BehaviourTree(node)
    visitor = py_trees.visitors.SnapshotVisitor()
    tree.add_visitor(visitor)
    seen = []
    for _ in range(3):
        tree.tick()
        seen.append(sorted(map(str, visitor.visited)))
    assert seen[0] == seen[1] == seen[2]
    assert len(seen[0]) == 3, "the plan, its guard and the action"
