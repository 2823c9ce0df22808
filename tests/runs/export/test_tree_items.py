from mango_run import mango_events

from foretree.runs.events import Tape
from foretree.runs.export.tree_items import tree_items, waits_for
from foretree.runs.views.run_state import replay


def state_at(tick):
    return replay(mango_events(), tick)


def test_each_node_has_its_role_and_its_action():
    items = list(tree_items(state_at(1)))
    assert [(item.depth, item.role) for item in items[:7]] == [
        (0, "sequence"),
        (1, "leaf"),
        (1, "selector"),
        (2, "leaf"),
        (2, "plan"),
        (3, "guard"),
        (4, "leaf"),
    ]
    assert [item.action.id if item.action else None for item in items[4:9]] == [None, "a1", "a1", "a2", "a2"]
    assert [item.node.id.rpartition("/")[2] for item in items if item.acts] == ["act"] * 5


def test_an_action_waits_for_those_that_are_still_in_the_plan():
    first, later = (
        {item.action.id: waits_for(state, item) for item in tree_items(state) if item.acts}
        for state in (state_at(1), state_at(60))
    )
    assert first == {"a1": [], "a2": ["a1"], "a3": ["a2"], "a4": ["a3"], "a5": ["a4"]}
    assert later["a4"] == []  # a3 is no longer in the plan


def test_what_the_record_does_not_say_of_types_is_seen_in_the_tree():
    tape = Tape()
    tape.record(
        "tree.built",
        nodes=[
            {"id": "r", "parent": None, "name": "r", "type": "Mine"},
            {"id": "r/a", "parent": "r", "name": "a", "type": "Mine"},
            {"id": "r/a/x", "parent": "r/a", "name": "x", "type": "Leaf"},
            {"id": "r/b", "parent": "r", "name": "b", "type": "Wrap"},
            {"id": "r/b/y", "parent": "r/b", "name": "y", "type": "Leaf"},
        ],
    )
    roles = {item.node.name: item.role for item in tree_items(replay(tape.events))}
    assert roles == {"r": "composite", "a": "composite", "x": "leaf", "b": "decorator", "y": "leaf"}


def test_a_run_without_a_tree_has_no_items():
    assert list(tree_items(replay([]))) == []
