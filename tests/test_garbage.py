"""What large plans have the garbage collector do."""

from __future__ import annotations

import gc
from weakref import ref

import pytest

from foretree.garbage import HeapFreeze, gc_paused, gc_put_off


@pytest.fixture(autouse=True)
def nothing_frozen(monkeypatch):
    """Whatever others have left running."""
    monkeypatch.setattr(HeapFreeze, "_open", 0)
    monkeypatch.setattr(HeapFreeze, "_settled", False)
    gc.unfreeze()
    yield
    gc.unfreeze()


def test_what_is_there_takes_part_again_when_the_last_has_ended():
    one, other = HeapFreeze(), HeapFreeze()
    one.begin(5000)
    other.begin(5000)
    one.begin(5000)  # it has begun already
    one.end()
    one.end()
    assert gc.get_freeze_count()
    other.end()
    assert not gc.get_freeze_count()


class Ring:
    """Refers to itself, so that only a collection finds that it is garbage."""


def test_in_a_settled_process_all_but_what_has_become_garbage_stays_aside():
    HeapFreeze.settle()
    settled = gc.get_freeze_count()
    assert settled
    aside = HeapFreeze()
    aside.begin(5000)
    ring = Ring()
    ring.ring, kept = ring, ref(ring)
    gc.freeze()
    del ring
    gc.collect()
    assert kept() is not None
    aside.end()
    assert kept() is None
    assert gc.get_freeze_count() > settled / 2


def test_for_small_plans_nothing_is_put_aside():
    aside = HeapFreeze()
    aside.begin(10)
    assert not gc.get_freeze_count()
    with gc_paused(10):
        assert gc.isenabled()
    aside.end()


def test_what_is_made_to_stay_is_not_looked_through():
    with gc_paused(5000):
        assert not gc.isenabled()
        made = [[] for _ in range(5000)]
    assert gc.isenabled()
    assert gc.get_count()[0] < len(made)
    assert not gc.get_freeze_count()


def test_what_is_made_to_stay_is_put_aside_with_the_rest():
    aside = HeapFreeze()
    aside.begin(5000)
    before = gc.get_freeze_count()
    with gc_paused(5000):
        made = [[] for _ in range(5000)]
    assert gc.get_freeze_count() >= before + len(made)
    aside.end()


def test_whoever_does_without_collections_goes_on_doing_so():
    gc.disable()
    try:
        with gc_paused(5000):
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()


@pytest.mark.parametrize("enabled", [True, False])
def test_collections_that_are_put_off_are_done_as_before_afterwards(enabled):
    (gc.enable if enabled else gc.disable)()
    try:
        with gc_put_off():
            assert not gc.isenabled()
        assert gc.isenabled() is enabled
    finally:
        gc.enable()
