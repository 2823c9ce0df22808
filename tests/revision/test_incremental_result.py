"""Results that are worked on whenever they are asked for."""

from __future__ import annotations

import pytest

from foretree.planning.incremental import weighted
from foretree.revision.revision import PIECES, IncrementalResult


def three_ticks(error=None):
    yield from weighted(3 * PIECES - 1)
    if error is not None:
        raise error
    return "through"


def test_each_time_as_much_is_done_as_fits_into_a_tick():
    work = IncrementalResult(three_ticks(), 0)
    assert [work.go_on() for _ in range(4)] == [False, False, True, True]
    assert work.result() == "through"


def test_what_it_raises_is_raised_where_the_result_is_asked_for():
    work = IncrementalResult(three_ticks(ValueError("no")), 0)
    while not work.go_on():
        assert not work.is_through
    assert work.error
    with pytest.raises(ValueError, match="no"):
        work.result()


def test_whoever_cannot_wait_has_it_at_once():
    assert IncrementalResult(three_ticks(), 0).result() == "through"
