"""Edits of a recorded tree, by hand and at random: the record, added up, is the tree."""

from __future__ import annotations

import random

import py_trees
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from py_trees.behaviours import Running, Success
from py_trees.common import ParallelPolicy, Status
from py_trees.composites import Composite, Parallel, Selector, Sequence
from py_trees.decorators import Inverter, Retry
from py_trees.trees import BehaviourTree
from recorded_trees import Lasting, all_events, kinds, outline, recorded_outline

from foretree.runs.events import Tape
from foretree.runs.views.run_state import RunState
from foretree.runs.views.wording import tell
from foretree.trees._tree_record import TreeRecord
from foretree.trees.fast_tick import FastTree
from foretree.trees.recording import record


def root_of_three() -> Selector:
    return Selector("root", memory=False, children=[Lasting("a"), Lasting("b"), Lasting("c")])


def splices(recording) -> list:
    return [event.data for event in kinds(recording, "tree.spliced")]


def test_insert_prune_and_replace(store):
    root = root_of_three()
    tree = BehaviourTree(root)
    with record(tree, store=store) as recording:
        tree.tick()
        new = Sequence("new", memory=True, children=[Success("x")])
        tree.insert_subtree(new, root.id, 1)
        tree.tick()
        tree.replace_subtree(new.id, Running("newer"))
        tree.tick()
        tree.prune_subtree(root.children[0].id)
        tree.tick()
    inserted, replaced, pruned = splices(recording)
    assert inserted["below"] == "root"
    assert [node["id"] for node in inserted["added"]] == ["root/new", "root/new/x"]
    assert inserted["order"] == ["root/a", "root/new", "root/b", "root/c"]
    assert replaced["removed"] == ["root/new", "root/new/x"]
    assert replaced["order"] == ["root/a", "root/newer", "root/b", "root/c"]
    assert pruned == {
        "below": "root",
        "removed": ["root/a"],
        "added": [],
        "order": ["root/newer", "root/b", "root/c"],
    }
    assert recorded_outline(all_events(recording)) == outline(root)


def test_children_of_composites_are_added_moved_and_removed(store):
    inner = Sequence("inner", memory=True)
    root = Parallel("root", ParallelPolicy.SuccessOnAll(), children=[Running("a"), inner])
    tree = BehaviourTree(root)
    with record(tree, store=store) as recording:
        tree.tick()
        inner.add_child(Success("x"))
        tree.tick()
        moved = root.children[0]
        root.remove_child(moved)
        inner.prepend_child(moved)
        tree.tick()
        inner.remove_all_children()
        tree.tick()
    added, taken, put, emptied = splices(recording)
    assert (added["below"], added["order"]) == ("root/inner", ["root/inner/x"])
    assert (taken["below"], taken["removed"]) == ("root", ["root/a"])
    assert (put["below"], put["order"]) == ("root/inner", ["root/inner/a", "root/inner/x"])
    assert emptied["removed"] == ["root/inner/a", "root/inner/x"]
    assert recorded_outline(all_events(recording)) == outline(root)


def test_a_node_can_be_put_around_another(store):
    root = root_of_three()
    tree = BehaviourTree(root)
    with record(tree, store=store) as recording:
        tree.tick()
        child = root.children[0]
        root.remove_child(child)
        root.prepend_child(Inverter("not a", child))
        tree.tick()
    [splice] = splices(recording)
    assert splice["removed"] == ["root/a"]
    assert [node["id"] for node in splice["added"]] == ["root/not a", "root/not a/a"]
    assert recorded_outline(all_events(recording)) == outline(root)


def test_edits_during_a_tick(store):
    class Editor(py_trees.behaviour.Behaviour):
        def update(self) -> Status:
            if self.parent.children[-1] is self:
                self.parent.add_child(Running("later"))
            return Status.SUCCESS

    root = Sequence("root", memory=True, children=[Editor("editor")])
    tree = BehaviourTree(root)
    with record(tree, store=store) as recording:
        tree.tick()
        tree.tick()
    assert len(splices(recording)) == 1
    assert recorded_outline(all_events(recording)) == outline(root)


def test_a_new_list_of_children_and_a_node_at_two_places(store):
    """py_trees does neither, but nothing keeps people from it."""
    root = root_of_three()
    tree = BehaviourTree(root)
    with record(tree, store=store) as recording:
        tree.tick()
        twice = Running("twice")
        inner = Sequence("inner", memory=True, children=[twice])
        root.children = [twice, inner]
        tree.tick()
        root.children = [inner]
        tree.tick()
    assert recording.failure is None
    assert recorded_outline(all_events(recording)) == outline(root)


def test_an_edit_is_told(store):
    root = root_of_three()
    tree = BehaviourTree(root)
    with record(tree, store=store) as recording:
        tree.insert_subtree(Sequence("new", memory=True, children=[Success("x")]), root.id, 0)
        tree.prune_subtree(root.children[-1].id)
        tree.tick()
    state = RunState()
    lines = []
    for event in all_events(recording):
        state.apply(event)
        lines += map(str, tell(state))
    assert "tree edited: new added below root" in lines
    assert "tree edited: c removed below root" in lines


# -- at random -------------------------------------------------------------------------------------------


def random_tree(dice: random.Random, size: int, depth: int = 0):
    """A tree of about so many nodes."""
    name = f"n{dice.randrange(8)}"  # so that siblings often have the same
    if size <= 1:
        return Lasting(name, dice.randrange(1, 5), dice.choice([Status.SUCCESS, Status.FAILURE]))
    kind = dice.randrange(5)
    if kind == 0 and depth < 12:
        child = random_tree(dice, size - 1, depth + 1)
        return dice.choice([Inverter(name, child), Retry(name, child, 3)])
    parts = dice.randrange(1, min(size, 6) + 1)
    children = [random_tree(dice, (size - 1) // parts, depth + 1) for _ in range(parts)]
    if kind == 1:
        return Parallel(name, ParallelPolicy.SuccessOnAll(synchronise=False), children=children)
    return dice.choice([Sequence, Selector])(name, memory=dice.random() < 0.5, children=children)


def edit(dice: random.Random, tree) -> None:
    """Edit a tree in one of the ways that py_trees has for it."""
    nodes = list(tree.root.iterate())
    composites = [node for node in nodes if isinstance(node, Composite)]
    within = [node for node in nodes if isinstance(node.parent, Composite)]
    if not composites:
        return
    parent = dice.choice(composites)
    match dice.randrange(6):
        case 0:
            tree.insert_subtree(random_tree(dice, 4), parent.id, dice.randrange(len(parent.children) + 1))
        case 1 if within:
            tree.prune_subtree(dice.choice(within).id)
        case 2 if within:
            tree.replace_subtree(dice.choice(within).id, random_tree(dice, 4))
        case 3:
            parent.add_child(random_tree(dice, 3))
        case 4 if parent.children:
            parent.remove_child(dice.choice(parent.children))
        case 5 if within:
            moved = dice.choice(within)
            targets = [node for node in composites if node not in moved.iterate()]
            if targets:
                moved.parent.remove_child(moved)
                target = dice.choice(targets)
                target.insert_child(moved, dice.randrange(len(target.children) + 1))


def ticks(tree) -> bool:
    """Tick a tree; False if py_trees cannot cope with how it was edited, as happens."""
    try:
        tree.tick()
    except Exception:
        return False
    return True


class Direct:
    """A recorded tree without a file."""

    def __init__(self, root) -> None:
        self.tape = Tape()
        self.record = TreeRecord(root, self.tape)
        self.state = RunState()
        self.read = 0

    def recorded(self) -> list[tuple]:
        for event in self.tape.events[self.read :]:
            self.state.apply(event)
        self.read = len(self.tape.events)
        return [(depth, n.name, n.type, n.status, n.message) for depth, n in self.state.walk()]


@settings(max_examples=60)
@given(st.integers(0, 2**32), st.integers(1, 120))
def test_the_record_is_the_tree_after_every_tick(seed, size):
    dice = random.Random(seed)
    tree = BehaviourTree(random_tree(dice, size))
    direct = Direct(tree.root)
    for _ in range(12):
        for _ in range(dice.choice([0, 0, 1, 3])):
            edit(dice, tree)
        going_on = ticks(tree)
        direct.record.look(tree.root)
        assert direct.recorded() == outline(tree.root)
        if not going_on:
            break
    kinds_written = [event.kind for event in direct.tape.events]
    assert kinds_written.count("tree.built") == 1


@settings(max_examples=40)
@given(st.integers(0, 2**32), st.integers(60, 400))
def test_of_a_large_tree_it_is_enough_to_look_where_the_tick_has_been(seed, size):
    """As long as nobody edits it: all that a tick changes hangs below what it has visited."""
    dice = random.Random(seed)
    tree = BehaviourTree(random_tree(dice, size))
    direct = Direct(tree.root)
    direct.record.look(tree.root)
    for _ in range(20):
        visited = list(tree.root.tick())
        direct.record.look(tree.root, visited)
        assert direct.recorded() == outline(tree.root)


@pytest.mark.parametrize("kind", [BehaviourTree, FastTree])
@settings(max_examples=15)
@given(seed=st.integers(0, 2**32), size=st.integers(60, 200))
def test_a_recorded_run_ends_as_the_tree_does(tmp_path_factory, kind, seed, size):
    from foretree.runs.store import RunStore

    dice = random.Random(seed)
    tree, peer = kind(random_tree(dice, size)), kind(random_tree(random.Random(seed), size))
    other = random.Random(seed + 1)
    dice = random.Random(seed + 1)
    with record(tree, store=RunStore(tmp_path_factory.mktemp("runs"))) as recording:
        for _ in range(15):
            for each, its in ((tree, dice), (peer, other)):
                for _ in range(its.choice([0, 0, 1])):
                    edit(its, each)
            if not [ticks(tree), ticks(peer)][0]:
                break
    assert recording.failure is None
    assert recorded_outline(all_events(recording)) == outline(tree.root)
    assert outline(tree.root) == outline(peer.root)


def test_an_edit_where_no_tick_comes_is_seen_in_its_turn(store):
    """Of a large tree, a few nodes that the tick did not visit are looked at after each."""
    idle = Sequence("idle", memory=True, children=[Success(f"s{i}") for i in range(200)])
    root = Selector("root", memory=False, children=[Running("busy"), idle])
    tree = BehaviourTree(root)
    with record(tree, store=store) as recording:
        tree.tick()
        idle.add_child(Success("new"))
        for _ in range(20):
            tree.tick()
        run = recording.run
        recording.note("now")
    seen = [event.kind for event in all_events(recording)]
    assert seen.index("tree.spliced") < seen.index("log")
    assert run.info().outcome == "cancelled"
