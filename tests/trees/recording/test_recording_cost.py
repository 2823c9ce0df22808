"""What recording costs the ticks of a tree of two hundred nodes, beside the same tree without."""

from __future__ import annotations

import pytest
from effort import times_as_much
from py_trees.trees import BehaviourTree
from recorded_trees import all_at_once, one_after_the_other

from foretree.trees.fast_tick import FastTree
from foretree.trees.recording import record


@pytest.mark.parametrize("shape", [one_after_the_other, all_at_once])
@pytest.mark.parametrize(("kind", "at_most"), [(BehaviourTree, 1 / 0.9), (FastTree, 4.0)])
def test_ticks_of_a_recorded_tree(store, shape, kind, at_most):
    """Nine tenths of the ticks per second of py_trees' tree, the thread that writes the record included.

    (It is in fact faster, since it does without the walk over all nodes. A tree that does without it anyway has
    nothing to save.)
    """
    plain, watched = kind(shape()), kind(shape())
    assert len(list(plain.root.iterate())) == 211

    def tick(tree) -> None:
        for _ in range(100):
            tree.tick()

    with record(watched, store=store) as recording:
        assert times_as_much(lambda: tick(watched), lambda: tick(plain), rounds=20) <= at_most
    assert recording.failure is None
    assert recording.ticks == plain.count
