"""The plan, the goal and the reason of a plan node are on the py_trees blackboard, and leave it with the node."""

from __future__ import annotations

import py_trees
import pytest
from py_trees.blackboard import Blackboard, Client
from py_trees.common import Access, Status
from test_plan_node import CHAIN, Offers, node_for
from toolbox import F, R, S, domain_of, plan_of, tick

from foretree.trees._node_error import NodeError


def reader(namespace="plan_node"):
    client = Client(name="reader", namespace=namespace)
    for key in ("plan", "goal", "reason"):
        client.register_key(key, Access.READ)
    return client


def skills(plan):
    return [action.skill for action in plan.actions]


def test_the_plan_and_the_goal_are_there_from_the_first_tick():
    plan = plan_of("one two", "b")
    node, _, _ = node_for(CHAIN, plan, {"one": (R, S)})
    board = reader()
    assert not Blackboard.exists("plan_node/plan")
    tick(node)
    assert board.plan is plan
    assert board.goal == plan.goal
    assert board.reason == ""


def test_why_it_fails_is_there():
    node, _, _ = node_for(CHAIN, plan_of("one", "a"), {"one": (F,)})
    board = reader()
    assert tick(node, 3)[-1] is F
    assert board.reason == node.reason != ""


def test_a_revision_is_there_with_its_reason():
    domain = domain_of({"slow": ("", "a"), "need": ("a k", "g"), "other": ("a", "g")})
    scripts = {"slow": (R, R, R, S)}
    node, _, context = node_for(domain, plan_of("slow need", "g"), scripts, "k", [Offers("other")])
    board = reader()
    tick(node)
    context.belief.tell(("k",), False)
    tick(node)
    assert board.reason == "because"
    assert skills(board.plan) == ["slow", "other"]
    assert skills(node.plan) == ["slow", "need"], "as it was loaded"
    assert board.goal == node.plan.goal


def test_what_has_not_changed_is_not_written_again():
    node, _, _ = node_for(CHAIN, plan_of("one two", "b"), {"one": (R, R, R, S)})
    tick(node)
    Blackboard.enable_activity_stream()
    try:
        tick(node, 2)
        assert Blackboard.activity_stream.data == []
    finally:
        Blackboard.disable_activity_stream()


def test_each_node_has_a_namespace():
    node, _, _ = node_for(CHAIN, plan_of("one", "a"), {"one": (R,)})
    other = type(node)(
        node.context, plan_of("one", "a"), builder=node._nodes._builder, namespace="/robot2/plan"
    )
    tick(node)
    tick(other)
    assert reader("/robot2/plan").plan is other.plan
    assert reader().plan is node.plan


def test_two_nodes_may_share_a_namespace_and_shutting_one_down_leaves_the_other():
    nodes = [node_for(CHAIN, plan_of("one", "a"), {"one": (R,)})[0] for _ in range(2)]
    for node in nodes:
        tick(node)
    nodes[0].shutdown()
    assert reader().plan is nodes[1].plan


def test_shutting_down_gives_up_the_keys_and_ticking_again_takes_them():
    node, _, _ = node_for(CHAIN, plan_of("one", "a"), {"one": (R,)})
    for _ in range(2):
        tree = py_trees.trees.BehaviourTree(node)
        tree.setup()
        tree.tick()
        assert Blackboard.exists("plan_node/plan")
        tree.shutdown()
        assert not Blackboard.exists("plan_node/plan")
        assert node.blackboards == []
        assert not Blackboard.clients
        strict = Client(name="another", namespace="plan_node")
        strict.register_key("plan", Access.EXCLUSIVE_WRITE)
        strict.unregister()


@pytest.mark.parametrize("shut_down", [True, False])
def test_a_blackboard_that_was_cleared_is_no_obstacle(shut_down):
    node, _, _ = node_for(CHAIN, plan_of("one", "a"), {"one": (R,)})
    tick(node)
    Blackboard.clear()
    if shut_down:
        node.shutdown()
    node.stop(py_trees.common.Status.INVALID)
    tick(node)
    assert reader().plan is node.plan


@pytest.mark.parametrize("key", ["plan", "goal", "reason"])
def test_a_key_that_another_node_holds_exclusively_stops_the_node(key):
    node, leaves, _ = node_for(CHAIN, plan_of("one", "a"), {"one": (R, S)})
    strict = Client(name="strict", namespace="plan_node")
    strict.register_key(key, Access.EXCLUSIVE_WRITE)
    for _ in range(2):
        with pytest.raises(NodeError, match=f"plan raised AttributeError: .*plan_node/{key}"):
            tick(node)
        assert node.status is Status.INVALID
        assert all(leaf.status is Status.INVALID for leaf in leaves.made.values())
        assert node.blackboards == []
        assert len(Blackboard.clients) == 1
    strict.unregister()
    assert tick(node, 2)[-1] is S


def test_the_keys_are_given_up_even_if_a_node_raises_while_it_is_shut_down(monkeypatch):
    node, _, _ = node_for(CHAIN, plan_of("one", "a"), {"one": (R,)})
    tick(node)

    def fail():
        raise OSError("no")

    monkeypatch.setattr(node, "_abandon", fail)
    with pytest.raises(OSError, match="no"):
        node.shutdown()
    assert not Blackboard.clients
