"""Edits of a recorded tree of one's own, shown as differences."""

from __future__ import annotations

import pytest
from py_trees.behaviours import Running
from py_trees.common import ParallelPolicy
from py_trees.composites import Parallel, Selector, Sequence
from py_trees.trees import BehaviourTree

from foretree.debugger.page import write_page
from foretree.trees.recording import record


@pytest.fixture
def edited(store, tmp_path, tab):
    """The page of a tree into which a branch was put, in which it was moved and replaced, and then taken out."""
    doors = Parallel(
        "doors", ParallelPolicy.SuccessOnAll(), children=[Running("front door"), Running("back door")]
    )
    root = Selector("robot", memory=False, children=[doors, Running("patrol")])
    tree = BehaviourTree(root)
    with record(tree, "my patrol", store=store) as recording:
        tree.tick()
        tree.insert_subtree(Sequence("charge", memory=True, children=[Running("dock")]), root.id, 1)
        tree.tick()
        tree.prune_subtree(doors.children[0].id)  # two edits in one tick are one change
        tree.replace_subtree(root.children[1].id, Running("sleep"))
        tree.tick()
    write_page([recording.run], tmp_path / "patrol.html")
    tab.goto((tmp_path / "patrol.html").as_uri())
    tab.wait_for_function("foretree.views[0].loaded")
    return tab


def test_edits_are_stepped_through_like_revisions(edited):
    edited.get_by_text("Tree change 2 of 2").or_(edited.get_by_text("after tree change 2 of 2")).wait_for()
    edited.get_by_role("button", name="Tree change before").click()
    note = edited.get_by_label("Tree changed", exact=True)
    note.wait_for()
    said = note.inner_text()
    while "1 of 2" not in said:
        edited.get_by_role("button", name="Tree change before").click()
        said = note.inner_text()
    assert "charge added below robot" in said
    assert "removed" not in said
    edited.get_by_role("button", name="Next tree change").click()
    edited.get_by_text("Tree changed, 2 of 2").wait_for()
    said = note.inner_text()
    assert "sleep added below robot" in said
    assert "charge removed below robot" in said
    assert "front door removed below doors" in said


def test_what_an_edit_took_out_and_put_in_is_drawn(edited):
    edited.evaluate("foretree.views[0].goto(foretree.views[0].timeline.length)")
    splice = edited.evaluate(
        "(s => ({added: [...s.added], removed: s.removed.map(n => n.id), edits: s.edits}))"
        "(foretree.views[0].state.splice)"
    )
    assert splice == {
        "added": ["robot/sleep"],
        "removed": ["robot/charge", "robot/charge/dock", "robot/doors/front door"],
        "edits": True,
    }
    names = [mark.get_attribute("aria-label") for mark in edited.locator(".mark.is-edit[aria-label]").all()]
    assert len(names) == 2
    assert all("Tree changed: " in name for name in names)
