"""The plan node: order, moving on, revising, splicing, stopping."""

from __future__ import annotations

from concurrent.futures import Future

import py_trees
import pytest
from toolbox import F, Leaves, R, S, Scripted, context_for, domain_of, lits, plan_of, tick

from foretree.clock import Deferred
from foretree.planning.pddl.parser import parse_domain
from foretree.planning.pddl.syntax import Literal
from foretree.planning.plan import Action, Plan
from foretree.planning.semantics.actions import SemanticsError
from foretree.revision.derivation import guard_of_goal
from foretree.revision.discrepancy import Discrepancy
from foretree.revision.revision import NoRevisionError, Revision
from foretree.revision.rules.reviser import RuleReviser
from foretree.trees._node_error import NodeError
from foretree.trees.compiler import ActionNodes
from foretree.trees.plan_node import PlanNode

CHAIN = domain_of({"one": ("", "a"), "two": ("a", "b"), "three": ("b", "c"), "undo": ("", "!a")})


def node_for(domain, plan, scripts=None, true="", revisers=(), **settings):
    context = context_for(domain, true, revisers=revisers, **settings)
    leaves = Leaves(scripts)
    return PlanNode(context, plan, builder=leaves), leaves, context


class Offers:
    """A reviser with a list of revisions to offer."""

    name = "offers"
    time_out = 5.0

    def __init__(self, *plans, later=None):
        self.plans = list(plans)
        self.asked = []
        self.later = later

    def propose(self, situation):
        self.asked.append(situation)
        if not self.plans:
            raise NoRevisionError("out of ideas")
        offer = self.plans.pop(0)
        known = {a.id: a for a in situation.remaining}
        actions = tuple(known.get(word) or Action("", word, ()) for word in offer.split())
        in_flight = dict.fromkeys((a.id for a in situation.running), self.flight) if self.flight else {}
        revision = Revision(actions, "because", self.name, situation.beliefs.version, in_flight)
        return self.later(revision) if self.later else revision

    flight = ""


# -- carrying out --------------------------------------------------------------------------------------------


def test_a_chain_runs_in_order_each_leaf_once():
    node, leaves, _ = node_for(CHAIN, plan_of("one two three", "c"))
    assert tick(node) == [S]
    assert [leaf.updates for leaf in leaves.made.values()] == [1, 1, 1]


def test_a_running_leaf_keeps_running_and_the_next_one_waits():
    node, leaves, _ = node_for(CHAIN, plan_of("one two three", "c"), {"a2": [R, R, S]})
    assert tick(node, 3) == [R, R, S]
    assert leaves.made["a2"].initialised == 1
    assert leaves.made["a3"].updates == 1


def test_n_shaped_order_runs_independent_steps_at_the_same_time():
    """a1 → a3, a1 → a4, a2 → a4: no nesting of sequences and parallels expresses it."""
    domain = domain_of({"a": ("", "p"), "b": ("", "q"), "c": ("p", "r"), "d": ("p q", "s")})
    node, leaves, _ = node_for(
        domain, plan_of("a b c d", "r s"), {"a": [R, S], "b": [R, R, R, S], "c": [R, S]}
    )
    tick(node)
    assert {name for name, leaf in leaves.made.items() if leaf.status is R} == {"a1", "a2"}
    tick(node)
    assert leaves.made["a3"].status is R, "c follows a alone; it must not wait for b"
    assert leaves.made["a4"].updates == 0
    assert tick(node, 2) == [R, S]


def test_steps_that_would_spoil_each_other_do_not_overlap():
    """Naive parallelism would start `spoil` at once: nothing it needs is missing."""
    domain = domain_of({"use": ("x", "y"), "spoil": ("", "z !x")})
    node, leaves, _ = node_for(domain, plan_of("use spoil", "y z"), {"use": [R, R, S]}, true="x")
    tick(node, 2)
    assert leaves.made["a2"].updates == 0
    assert tick(node) == [S]


def test_a_given_order_is_respected():
    domain = domain_of({"a": ("", "p"), "b": ("", "q")})
    plan = plan_of("a b", "p q")
    plan = Plan(plan.goal, plan.actions, {"a2": frozenset({"a1"})})
    node, leaves, _ = node_for(domain, plan, {"a": [R, S]})
    tick(node)
    assert leaves.made["a2"].updates == 0


# -- what still matters --------------------------------------------------------------------------------------


def test_it_moves_on_to_the_latest_suffix_that_is_believed():
    node, leaves, context = node_for(CHAIN, plan_of("one two three", "c"), true="b")
    assert tick(node) == [S]
    assert [leaves.made[i].updates for i in ("a1", "a2", "a3")] == [0, 0, 1]
    assert node.tally == {"skipped": 2, "done": 1}
    assert [e.data["action"] for e in context.recorder.of("action.skipped")] == ["a1", "a2"]


@pytest.mark.parametrize("guards", [("attribute", "relationship"), ("presence", "attribute")])
def test_only_the_guard_whose_business_it_is_notices_that_a_step_is_not_needed(guards):
    node, leaves, context = node_for(CHAIN, plan_of("one two three", "c"), {"a1": [R, S]}, guards=guards)
    business = guard_of_goal(("b",), context.belief.vocabulary)
    tick(node)
    context.belief.tell(("b",))
    assert tick(node) == [S]
    noticed = business in guards
    assert node.tally.get("skipped", 0) == noticed
    told = [event.data["guards"] for event in context.recorder.of("action.skipped")]
    assert told == ([[business]] if noticed else [])


def test_a_goal_that_holds_already_leaves_nothing_to_do():
    node, leaves, _ = node_for(CHAIN, plan_of("one two three", "c"), true="c")
    assert tick(node) == [S]
    assert not any(leaf.updates for leaf in leaves.made.values())


def test_it_moves_on_when_the_world_does_its_work():
    node, leaves, context = node_for(CHAIN, plan_of("one two three", "c"), {"a1": [R, R, S]})
    tick(node)
    context.belief.tell(("b",))
    assert tick(node, 2) == [R, S]
    assert leaves.made["a2"].updates == 0


def test_it_moves_on_as_soon_as_what_the_world_has_done_is_of_use():
    steps = domain_of({"walk": ("", "p"), "go": ("p", "q"), "wash": ("q", "c"), "put": ("q", "d")})
    node, leaves, context = node_for(steps, plan_of("walk go wash put", "c d"), {"a1": [R, S], "a2": [R, S]})
    tick(node)
    context.belief.tell(("c",))
    assert tick(node, 2) == [R, S]
    assert [leaves.made[i].updates for i in ("a1", "a2", "a3", "a4")] == [2, 2, 0, 1]


def test_without_guards_it_goes_through_with_everything():
    node, leaves, _ = node_for(CHAIN, plan_of("one two three", "c"), true="b", guards=())
    assert tick(node) == [S]
    assert [leaf.updates for leaf in leaves.made.values()] == [1, 1, 1]


# -- revising ------------------------------------------------------------------------------------------------


def test_a_link_that_breaks_is_revised_before_its_consumer_begins():
    domain = domain_of({"slow": ("", "s"), "need": ("k s", "g"), "mend": ("", "k")})
    plan = plan_of("slow need", "g")
    node, leaves, context = node_for(domain, plan, {"slow": [R, R, R, S]}, true="k", revisers=[RuleReviser()])
    tick(node)
    context.belief.tell(("k",), False)
    tick(node)
    assert [child.name for child in node.children] == ["slow()", "mend()", "need()"]
    assert leaves.made["a1"].status is R, "what runs goes on"
    assert leaves.made["a1"].initialised == 1
    assert tick(node, 2) == [R, S]
    assert leaves.made["a2"].updates == 1, "an unchanged action keeps its nodes"
    assert context.recorder.of("discrepancy.found")[0].data["guard"] in (
        "attribute",
        "presence",
        "relationship",
    )
    assert context.recorder.of("revision.made")[0].data["reviser"] == "rules"


def test_a_preempted_step_is_stopped_exactly_once():
    domain = domain_of({"work": ("k", "g"), "mend": ("", "k")})
    node, leaves, context = node_for(
        domain, plan_of("work", "g"), {"work": [R, R, S]}, true="k", revisers=[RuleReviser()]
    )
    tick(node)
    context.belief.tell(("k",), False)
    tick(node)
    work = leaves.made["a1"]
    assert work.stopped == [py_trees.common.Status.INVALID]
    assert [child.name for child in node.children] == ["mend()", "work()"]
    tick(node, 3)
    assert node.status is S


def test_finished_actions_stay_finished():
    domain = domain_of({"one": ("", "a"), "two": ("a k", "b"), "mend": ("", "k")})
    node, leaves, context = node_for(
        domain, plan_of("one two", "b"), {"two": [R, S]}, true="k", revisers=[RuleReviser()]
    )
    tick(node)
    context.belief.tell(("k",), False)
    assert tick(node) == [S]
    assert leaves.made["a1"].updates == 1
    assert node.children[0] is leaves.made["a1"]


def test_new_nodes_are_set_up_and_removed_ones_leave_for_good():
    domain = domain_of({"slow": ("", "s"), "need": ("k s", "g"), "other": ("s", "g")})
    offers = Offers("other")
    node, leaves, context = node_for(
        domain, plan_of("slow need", "g"), {"slow": [R, R, S]}, true="k", revisers=[offers]
    )
    node.setup(answer=42)
    tick(node)
    client = leaves.made["a2"].attach_blackboard_client("test")
    client.register_key("/cup", access=py_trees.common.Access.EXCLUSIVE_WRITE)
    context.belief.tell(("k",), False)
    tick(node)
    assert leaves.made["a3"].set_up == 1
    assert leaves.made["a2"] not in node.children
    assert leaves.made["a2"].parent is None
    successor = leaves.made["a3"].attach_blackboard_client("test")
    successor.register_key("/cup", access=py_trees.common.Access.EXCLUSIVE_WRITE)


def test_a_slow_reviser_leaves_what_runs_alone_and_starts_nothing_new():
    """Pending for 20 s of the session's clock; the wait is shown."""
    domain = domain_of(
        {"slow": ("", "s"), "idle": ("", "i"), "after": ("s i", "j"), "need": ("k j", "g"), "mend": ("", "k")}
    )
    offers = Offers("a3 mend a4")
    future: Future = Future()
    clock = None

    def later(revision):
        future.set_result(revision)
        return Deferred(future, clock, 20.0)

    offers.later = later
    offers.time_out = 60.0
    node, leaves, context = node_for(
        domain, plan_of("slow idle after need", "g"), {"slow": [R] * 500 + [S]}, true="k", revisers=[offers]
    )
    clock = context.clock
    tick(node)
    context.belief.tell(("k",), False)
    for step in range(199):
        clock.sleep_until(0.1 * step)
        tick(node)
        assert node.status is R
        assert "offers" in node.reason
    assert leaves.made["a1"].updates == 200
    assert leaves.made["a3"].updates == 0
    clock.sleep_until(20.1)
    tick(node)
    assert node.tally["revised"] == 1
    assert "mend()" in [child.name for child in node.children]


def test_a_newer_discrepancy_supersedes_an_older_one():
    domain = domain_of({"slow": ("", "s"), "need": ("k l s", "g"), "mendk": ("", "k"), "mendl": ("", "l")})
    futures = []
    offers = Offers("mendk a2", "mendl mendk a2")
    clock = None

    def later(revision):
        future: Future = Future()
        futures.append(future)
        future.set_result(revision)
        return Deferred(future, clock, 5.0)

    offers.later = later
    offers.time_out = 60.0
    node, leaves, context = node_for(
        domain, plan_of("slow need", "g"), {"slow": [R] * 30 + [S]}, true="k l", revisers=[offers]
    )
    clock = context.clock
    tick(node)
    context.belief.tell(("k",), False)
    tick(node)
    context.belief.tell(("l",), False)
    tick(node)
    assert len(offers.asked) == 2
    assert {d.expected for d in offers.asked[1].discrepancies} == {"k", "l"}
    clock.sleep_until(6)
    tick(node)
    assert [c.name for c in node.children] == ["slow()", "mendl()", "mendk()", "need()"]
    assert node.tally["revised"] == 1


def test_a_revision_is_checked_again_when_it_arrives():
    """What was a good idea when it was asked for may not be one when the answer comes."""
    domain = domain_of({"slow": ("", "s"), "need": ("k s", "g"), "mend": ("tool", "k")})
    first, second = Offers("mend a2"), Offers()
    clock = None

    def later(revision):
        future: Future = Future()
        future.set_result(revision)
        return Deferred(future, clock, 5.0)

    first.later = later
    node, leaves, context = node_for(
        domain, plan_of("slow need", "g"), {"slow": [R] * 99}, true="k tool", revisers=[first, second]
    )
    first.time_out = 60
    clock = context.clock
    tick(node)
    context.belief.tell(("k",), False)
    tick(node)
    context.belief.tell(("tool",), False)
    clock.sleep_until(6)
    tick(node)
    assert node.status is F
    rejected = context.recorder.of("revision.rejected")
    assert "not possible" in rejected[0].data["why"]
    assert second.asked


def test_a_question_that_settles_itself_is_dropped():
    domain = domain_of({"slow": ("", "s"), "need": ("k s", "g")})
    offers = Offers("a2")
    clock = None
    offers.later = lambda revision: Deferred(Future(), clock, 50.0)
    offers.time_out = 60
    node, leaves, context = node_for(
        domain, plan_of("slow need", "g"), {"slow": [R, R, R, S]}, true="k", revisers=[offers]
    )
    clock = context.clock
    tick(node)
    context.belief.tell(("k",), False)
    tick(node)
    assert "Asking offers" in node.reason
    context.belief.tell(("k",))
    assert tick(node, 2)[-1] is S
    assert node.tally["revised"] == 0


def test_a_reviser_that_does_not_answer_in_time_is_passed_over():
    domain = domain_of({"slow": ("", "s"), "need": ("k s", "g"), "mend": ("", "k")})
    silent, rules = Offers("a2"), RuleReviser()
    clock = None
    silent.later = lambda revision: Deferred(Future(), clock, 1e9)
    node, leaves, context = node_for(
        domain, plan_of("slow need", "g"), {"slow": [R] * 9 + [S]}, true="k", revisers=[silent, rules]
    )
    clock = context.clock
    tick(node)
    context.belief.tell(("k",), False)
    tick(node)
    clock.sleep_until(silent.time_out + 0.1)
    tick(node)
    assert "mend()" in [child.name for child in node.children]
    assert "no answer" in context.recorder.of("revision.rejected")[0].data["why"]


def test_a_revision_may_cancel_what_is_in_flight():
    domain = domain_of({"slow": ("", "s"), "need": ("k s", "g"), "short": ("", "g")})
    offers = Offers("short")
    offers.flight = "cancel"
    node, leaves, context = node_for(
        domain, plan_of("slow need", "g"), {"slow": [R] * 9}, true="k", revisers=[offers]
    )
    tick(node)
    context.belief.tell(("k",), False)
    assert tick(node) == [S]
    assert leaves.made["a1"].stopped == [py_trees.common.Status.INVALID]
    assert leaves.made["a1"] not in node.children


@pytest.mark.parametrize(
    ("offer", "why"),
    [
        ("fly", "no skill fly"),
        ("a2", "not possible"),
        ("mend", "does not reach the goal"),
    ],
)
def test_a_revision_that_is_no_good_is_rejected_with_the_reason(offer, why):
    domain = domain_of({"slow": ("", "s"), "need": ("k s", "g"), "mend": ("", "k")})
    node, leaves, context = node_for(
        domain, plan_of("slow need", "g"), {"slow": [R] * 9}, true="k", revisers=[Offers(offer)]
    )
    tick(node)
    context.belief.tell(("k",), False)
    tick(node)
    assert node.status is F
    assert why in context.recorder.of("revision.rejected")[0].data["why"]
    assert why in node.reason


def test_a_failure_is_retried_by_asking_and_given_up_in_the_end():
    domain = domain_of({"work": ("", "g")})
    node, leaves, context = node_for(
        domain, plan_of("work", "g"), {"work": [F]}, revisers=[Offers(*["a1"] * 20)]
    )
    for _ in range(30):
        if tick(node) != [R]:
            break
    assert node.status is F
    assert "failed 4 times" in node.reason
    assert leaves.made["a1"].updates == 4


def test_a_plan_whose_goal_does_not_hold_at_the_end_fails_honestly():
    """A leaf of the user's own says success, but something undoes it in the same breath."""
    domain = domain_of({"work": ("", "g")})
    context = context_for(domain)

    class Undone(Scripted):
        def terminate(self, new_status):
            context.belief.tell(("g",), False)

    class Builder:
        def build(self, action, products, classes):
            leaf = Undone("work")
            return ActionNodes(leaf, leaf, tells_belief=True)

    node = PlanNode(context, plan_of("work", "g"), builder=Builder())
    assert tick(node) == [F]
    assert "not g" in node.reason


# -- stopping, and the traps of py_trees ----------------------------------------------------------------


def test_stopping_stops_what_runs_and_nothing_else():
    domain = domain_of({"a": ("", "p"), "b": ("", "q"), "c": ("p q", "g")})
    node, leaves, _ = node_for(domain, plan_of("a b c", "g"), {"a": [R], "b": [R]})
    tick(node)
    node.stop(py_trees.common.Status.INVALID)
    assert leaves.made["a1"].stopped == [py_trees.common.Status.INVALID]
    assert leaves.made["a2"].stopped == [py_trees.common.Status.INVALID]
    assert leaves.made["a3"].stopped == []
    assert all(leaf.status is not R for leaf in leaves.made.values())


def test_an_exception_in_update_names_the_node_and_leaves_no_sibling_running():
    domain = domain_of({"a": ("", "p"), "b": ("", "q")})
    node, leaves, _ = node_for(domain, plan_of("a b", "p q"), {"a": [R], "b": [R, R]})
    root = py_trees.composites.Sequence("root", memory=True, children=[node])
    tick(root)

    def explode():
        raise ZeroDivisionError("bang")

    leaves.made["a2"].update = explode
    with pytest.raises(NodeError, match=r"root/plan/b\(\) raised ZeroDivisionError: bang"):
        tick(root)
    assert leaves.made["a1"].status is py_trees.common.Status.INVALID
    assert leaves.made["a1"].stopped == [py_trees.common.Status.INVALID]


def test_an_exception_in_terminate_does_not_spare_the_others():
    domain = domain_of({"a": ("", "p"), "b": ("", "q")})
    node, leaves, _ = node_for(domain, plan_of("a b", "p q"), {"a": [R], "b": [R]})
    tick(node)

    def explode(new_status):
        raise ZeroDivisionError("bang")

    leaves.made["a1"].terminate = explode
    with pytest.raises(NodeError):
        node.stop(py_trees.common.Status.INVALID)
    assert all(leaf.status is not R for leaf in leaves.made.values())
    assert leaves.made["a2"].stopped == [py_trees.common.Status.INVALID]


def test_it_can_be_ticked_again_from_the_start():
    node, leaves, context = node_for(CHAIN, plan_of("one two", "b"))
    assert tick(node) == [S]
    context.belief.tell(("b",), False)
    assert tick(node) == [S]


def test_within_another_composite_a_priority_interrupt_stops_it():
    node, leaves, _ = node_for(CHAIN, plan_of("one two", "b"), {"one": [R]})
    alarm = Scripted("alarm", [F, S])
    root = py_trees.composites.Selector("root", memory=False, children=[alarm, node])
    tick(root, 2)
    assert node.status is py_trees.common.Status.INVALID
    assert leaves.made["a1"].stopped == [py_trees.common.Status.INVALID]


def test_visitors_see_the_nodes_that_were_ticked():
    node, leaves, _ = node_for(CHAIN, plan_of("one two", "b"), {"two": [R]})
    tree = py_trees.trees.BehaviourTree(node)
    visitor = py_trees.visitors.SnapshotVisitor()
    tree.add_visitor(visitor)
    tree.tick()
    assert leaves.made["a2"].id in visitor.visited


def test_loading_another_plan_while_running_is_refused():
    node, _, _ = node_for(CHAIN, plan_of("one two", "b"), {"one": [R]})
    tick(node)
    with pytest.raises(RuntimeError, match="stop it first"):
        node.load(plan_of("one", "a"))


def test_lits_helper_reads_negations():
    assert lits("!a").positive is False


# -- revisers that fail ------------------------------------------------------------------------------------


@pytest.mark.parametrize("late", [False, True])
def test_a_reviser_that_raises_is_passed_over(late):
    domain = domain_of({"slow": ("", "s"), "need": ("k s", "g"), "mend": ("", "k")})

    class Breaks:
        name = "breaks"
        time_out = 5.0

        def propose(self, situation):
            if late:
                future: Future = Future()
                future.set_exception(ZeroDivisionError("bang"))
                return Deferred(future, context.clock, 0.0)
            raise ZeroDivisionError("bang")

    node, _, context = node_for(
        domain, plan_of("slow need", "g"), {"slow": [R, R, S]}, true="k", revisers=[Breaks(), RuleReviser()]
    )
    tick(node)
    context.belief.tell(("k",), False)
    tick(node)
    assert [child.name for child in node.children] == ["slow()", "mend()", "need()"]
    assert "ZeroDivisionError: bang" in context.recorder.of("revision.rejected")[0].data["why"]


# -- setting up what comes later -----------------------------------------------------------------------------


@pytest.mark.parametrize("arguments", [None, {}, {"answer": 42}])
def test_new_nodes_are_set_up_if_the_node_was_and_not_otherwise(arguments):
    """The revision comes in the first tick, before the node is RUNNING."""
    domain = domain_of({"slow": ("", "s"), "need": ("k s", "g"), "mend": ("", "k")})
    node, leaves, context = node_for(domain, plan_of("slow need", "g"), {"slow": [R]}, "k", [RuleReviser()])
    if arguments is not None:
        py_trees.trees.BehaviourTree(node).setup(**arguments)
    context.belief.tell(("k",), False)
    tick(node)
    assert "mend()" in [child.name for child in node.children]
    assert [leaf.set_up for leaf in leaves.made.values()] == [0 if arguments is None else 1] * 3


# -- leaves that raise ---------------------------------------------------------------------------------------


def explode(*_):
    raise ZeroDivisionError("bang")


def test_after_an_exception_in_terminate_the_node_is_not_running_either():
    domain = domain_of({"a": ("", "p"), "b": ("", "q")})
    node, leaves, _ = node_for(domain, plan_of("a b", "p q"), {"a": [R], "b": [R]})
    tick(node)
    leaves.made["a1"].terminate = explode
    with pytest.raises(NodeError):
        node.stop(py_trees.common.Status.INVALID)
    assert node.status is py_trees.common.Status.INVALID


def test_an_exception_in_update_and_one_in_terminate_leave_nothing_running():
    domain = domain_of({"a": ("", "p"), "b": ("", "q")})
    node, leaves, _ = node_for(domain, plan_of("a b", "p q"), {"a": [R], "b": [R]})
    tick(node)
    leaves.made["a1"].terminate = explode
    leaves.made["a2"].update = explode
    with pytest.raises(NodeError, match=r"plan/b\(\) raised"):
        tick(node)
    assert node.status is py_trees.common.Status.INVALID
    assert all(leaf.status is py_trees.common.Status.INVALID for leaf in leaves.made.values())


def test_a_leaf_that_raises_in_its_first_update_is_stopped_once():
    """It has been initialised, so it may hold something; py_trees never calls its terminate()."""
    node, leaves, _ = node_for(CHAIN, plan_of("one", "a"))
    leaves.made["a1"].update = explode
    with pytest.raises(NodeError):
        tick(node)
    assert leaves.made["a1"].stopped == [py_trees.common.Status.INVALID]


def test_a_leaf_that_raises_while_it_is_stopped_is_not_stopped_again():
    calls = []

    def last_words(new_status):
        calls.append(new_status)
        raise ZeroDivisionError("bang")

    node, leaves, _ = node_for(CHAIN, plan_of("one", "a"))
    leaves.made["a1"].terminate = last_words
    with pytest.raises(NodeError):
        tick(node)
    assert calls == [S]
    assert leaves.made["a1"].status is not R


def test_a_builder_that_raises_names_the_node_and_the_next_tick_begins_afresh():
    domain = domain_of({"one": ("", "a"), "need": ("k a", "g"), "mend": ("", "k")})
    node, leaves, context = node_for(
        domain, plan_of("one need", "g"), {"one": [R, R, S]}, "k", [RuleReviser()]
    )
    tick(node)
    context.belief.tell(("k",), False)
    build = leaves.build
    leaves.build = explode
    with pytest.raises(NodeError, match="plan raised ZeroDivisionError"):
        tick(node)
    assert node.status is py_trees.common.Status.INVALID
    assert leaves.made["a1"].status is py_trees.common.Status.INVALID
    leaves.build = build
    context.belief.tell(("k",))
    assert tick(node, 3) == [R, R, S]


# -- plans that do not hold together from where the world is -----------------------------------------------

STEPS = domain_of({"one": ("s", "a !s"), "two": ("a", "b !a"), "three": ("b", "c !b")})


def test_a_plan_that_cannot_even_begin_is_not_skipped_but_questioned():
    node, leaves, context = node_for(STEPS, plan_of("one two three", "c"))
    assert tick(node) == [F]
    assert not any(leaf.updates for leaf in leaves.made.values())
    assert node.tally["skipped"] == 0
    assert context.recorder.of("discrepancy.found")[0].data["sentence"] == "one() expects s, but not s."


def test_begun_once_more_in_the_middle_it_moves_on_to_where_the_world_is():
    node, leaves, context = node_for(STEPS, plan_of("one two three", "c"), {"three": [R, S]}, true="s")
    tick(node)
    node.stop(py_trees.common.Status.INVALID)
    made = dict(leaves.made)
    assert tick(node, 2) == [R, S]
    assert [leaves.made[i].updates for i in ("a1", "a2", "a3")] == [0, 0, 2]
    assert leaves.made["a1"] is not made["a1"]


def test_belief_that_comes_after_the_plan_was_loaded_counts():
    node, leaves, context = node_for(STEPS, plan_of("one two three", "c"))
    context.belief.tell(("a",))
    assert tick(node) == [F], "from here only a suffix would do, and nobody knows that it would"
    context.belief.tell(("s",))
    context.belief.tell(("a",), False)
    assert tick(node) == [S]


def test_a_new_step_does_not_destroy_what_a_running_one_needs():
    """What runs was begun before the revision; its needs are the new plan's business all the same."""
    domain = domain_of(
        {"use": ("x", "y"), "need": ("k", "z"), "spoil": ("", "z !x")},
    )
    node, leaves, context = node_for(
        domain,
        Plan(lits("y z"), (Action("a1", "use", ()), Action("a2", "need", ())), {"a2": frozenset({"a1"})}),
        {"use": [R, R, R, S]},
        true="x k",
        revisers=[Offers("spoil")],
    )
    tick(node)
    context.belief.tell(("k",), False)
    tick(node)
    assert [child.name for child in node.children] == ["use()", "spoil()"]
    assert leaves.made["a3"].updates == 0
    assert tick(node, 2) == [R, S]
    assert leaves.made["a1"].stopped == [S]


def test_what_need_not_be_done_any_more_is_skipped_before_anybody_is_asked_about_it():
    """No reviser could help here; none is needed."""
    node, leaves, context = node_for(STEPS, plan_of("one two three", "c"), true="s")
    context.belief.tell(("s",), False)
    context.belief.tell(("b",))
    assert tick(node) == [S]
    assert [leaves.made[i].updates for i in ("a1", "a2", "a3")] == [0, 0, 1]
    assert context.recorder.of("discrepancy.found") == []


def test_a_step_that_is_repeated_does_not_hold_up_the_others():
    domain = domain_of({"stumble": ("", "p"), "other": ("", "q")})
    node, leaves, context = node_for(domain, plan_of("stumble other", "p q"), {"stumble": [F, S]})
    tick(node)
    assert leaves.made["a1"].updates == 1
    assert leaves.made["a2"].updates == 1, "it is independent"
    assert tick(node) == [S]


# -- coming to an end ------------------------------------------------------------------------------------------


class Wants:
    """A reviser that always offers the same skills."""

    name = "wants"
    time_out = 5.0

    def __init__(self, skills):
        self.skills = skills

    def propose(self, situation):
        actions = tuple(Action("", skill, ()) for skill in self.skills.split())
        return Revision(actions, "again", self.name, situation.beliefs.version)


class Liars(Leaves):
    """Leaves that promise to tell the belief what they have changed, and do not."""

    def build(self, action, products, classes):
        nodes = super().build(action, products, classes)
        nodes.tells_belief = True
        return nodes


def test_a_goal_that_never_comes_true_is_given_up():
    """All actions succeed at once: this used to go on forever, within a single tick."""
    context = context_for(domain_of({"work": ("", "g")}), revisers=[Wants("work")])
    node = PlanNode(context, plan_of("work", "g"), builder=Liars())
    assert tick(node) == [F]
    assert node.reason == "8 revisions did not help. The plan is through, but not g."


@pytest.mark.parametrize("guards", [("attribute", "relationship"), ("presence", "attribute")])
def test_what_is_missed_at_the_end_is_told_with_the_guard_whose_business_it_is(guards):
    context = context_for(domain_of({"work": ("", "g")}), revisers=[Wants("work")], guards=guards)
    node = PlanNode(context, plan_of("work", "g"), builder=Liars())
    tick(node)
    business = guard_of_goal(("g",), context.catalogue.vocabulary)
    found = context.recorder.of("discrepancy.found")
    assert {event.data["guard"] for event in found} == {"goal"}
    assert {event.data.get("part") for event in found} == {business if business in guards else None}


def test_an_action_that_never_becomes_possible_is_given_up():
    """What is to make it possible succeeds, and changes nothing."""
    context = context_for(domain_of({"make": ("", "a"), "use": ("a", "g")}), revisers=[Wants("make use")])
    leaves = Liars()
    node = PlanNode(context, plan_of("make use", "g"), builder=leaves)
    assert tick(node) == [F]
    assert node.reason == "8 revisions did not help. use() expects a, but not a."
    assert all(leaf.updates == 0 for name, leaf in leaves.made.items() if leaf.name == "use()")


def test_a_step_that_was_running_at_a_revision_is_begun_again_in_the_new_order():
    """Side by side in the old plan; in the new one the second makes again what the first destroys."""
    domain = domain_of(
        {"spoil": ("", "q !p"), "make": ("", "p"), "last": ("k", "p r"), "end": ("", "r")},
    )
    plan = plan_of("spoil make last", "p q r")
    node, leaves, context = node_for(
        domain,
        Plan(plan.goal, plan.actions, {"a3": frozenset({"a1", "a2"})}),
        {"spoil": [R, R, R, R, S], "make": [R, R, F, S]},
        true="k",
        revisers=[Offers("end"), Wants("make")],
        attempts=9,
    )
    tick(node)
    assert [leaves.made[i].status for i in ("a1", "a2")] == [R, R]
    context.belief.tell(("k",), False)
    tick(node, 2)
    assert [child.name for child in node.children] == ["spoil()", "make()", "end()"]
    assert leaves.made["a2"].status is F
    tick(node)
    assert leaves.made["a2"].status is F, "it waits until nothing can destroy its work"
    assert tick(node) == [S]


# -- what is accepted, and what is not -------------------------------------------------------------------------


def test_constants_of_the_domain_are_objects_that_a_revision_may_name():
    domain = parse_domain(
        """(define (domain d) (:types place) (:constants home - place)
           (:predicates (at ?p - place) (k))
           (:action fly :parameters (?p - place) :precondition (k) :effect (at ?p))
           (:action walk :parameters (?p - place) :precondition () :effect (at ?p)))""",
        "d",
    )
    offers = Offers()
    offers.propose = lambda situation: Revision((Action("", "walk", ("home",)),), "walk", "offers", 0)
    context = context_for(domain, "k", revisers=[offers])
    goal = Literal(("at", "home"))
    node = PlanNode(context, Plan(goal, (Action("a1", "fly", ("home",)),)), builder=Leaves())
    context.belief.tell(("k",), False)
    assert tick(node) == [S]
    assert context.recorder.of("revision.rejected") == []


def test_what_is_in_flight_is_kept_unless_it_is_to_be_cancelled():
    """A fate that nobody knows counts as none, in checking as in carrying out."""
    domain = domain_of({"slow": ("", "s"), "need": ("k s", "g"), "other": ("s", "g")})
    offers = Offers("other")
    offers.flight = "pause"
    node, leaves, context = node_for(
        domain, plan_of("slow need", "g"), {"slow": [R, R, S]}, true="k", revisers=[offers]
    )
    tick(node)
    context.belief.tell(("k",), False)
    assert tick(node, 2) == [R, S]
    assert context.recorder.of("revision.made")[0].data["in_flight"] == {"a1": "keep"}


def test_new_ids_do_not_collide_with_those_that_the_plan_came_with():
    domain = domain_of({"slow": ("", "s"), "need": ("k s", "g"), "mend": ("", "k")})
    actions = (Action("a3", "slow", ()), Action("a4", "need", ()))
    node, leaves, context = node_for(
        domain, Plan(lits("g"), actions), {"slow": [R, S]}, true="k", revisers=[RuleReviser()]
    )
    tick(node)
    context.belief.tell(("k",), False)
    assert tick(node) == [S]
    added = [action["id"] for action in context.recorder.of("revision.made")[0].data["added"]]
    assert len(added) == 1
    assert not set(added) & {"a3", "a4"}


def test_a_plan_with_an_unknown_action_is_refused_with_a_suggestion():
    context = context_for(CHAIN)
    with pytest.raises(SemanticsError, match=r"no action ones.*one"):
        PlanNode(context, plan_of("ones two", "b"), builder=Leaves())


def test_what_planning_assumes_is_no_reason_to_distrust_the_plan():
    """Nothing has been seen of k; planning takes it as true, so the plan holds together and can be skipped."""
    domain = domain_of({"work": ("k", "w"), "rest": ("w", "g")})
    context = context_for(domain, "w", seen={"k": True})
    leaves = Leaves()
    node = PlanNode(context, plan_of("work rest", "g"), builder=leaves)
    assert tick(node) == [S]
    assert [leaf.updates for leaf in leaves.made.values()] == [0, 1]
    assert context.recorder.of("discrepancy.found") == []


def test_what_is_merely_optional_never_ends_a_good_plan():
    """Revised as often as allowed, and now something a little better has come into view."""
    node, leaves, context = node_for(CHAIN, plan_of("one two", "b"), {"one": [R, R, S]}, revisions=0)
    tick(node)
    action = node.plan.actions[1]
    version = context.belief.version
    better = Discrepancy("d1", action, "presence", "this", "that", version, optional=True)
    node._repair.question([better])
    assert tick(node, 2) == [R, S]
