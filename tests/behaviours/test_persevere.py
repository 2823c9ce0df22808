"""Giving up: not before another look around."""

from __future__ import annotations

import pytest
from at_home import F, R, S

from foretree.behaviours.mission import Mission
from foretree.behaviours.persevere import GiveUp
from foretree.runs.events import Tape
from foretree.trees.embedded import Options, Wish, open_household


@pytest.fixture
def opened():
    def make(**settings: str):
        tape = Tape()
        options = Options(overrides=settings, faults=())
        session, _ = open_household("kitchen", Wish(goal="(on mango1 table1)"), options, recorder=tape)
        session.runtime.sync()
        return session.runtime, tape, GiveUp(session.runtime, Mission(reason="No way."), lambda: "It failed.")

    return make


def ticked(runtime, node, meanwhile=lambda: None):
    """Tick until it has ended; *meanwhile* happens after the first tick."""
    node.tick_once()
    meanwhile()
    for _ in range(20):
        if node.status is not R:
            break
        runtime.clock.sleep_until(runtime.clock.now() + 0.1)
        runtime.sync()
        node.tick_once()
    return node.status


def test_it_looks_around_and_gives_up_with_the_reasons_if_nothing_is_different(opened):
    runtime, tape, node = opened()
    assert ticked(runtime, node) is F
    assert node.feedback_message == "It failed. No way."
    assert [event.data["outcome"] for event in tape.of("look.ended")] == ["done"]


def test_what_looks_different_now_gives_new_hope_but_not_for_ever(opened):
    runtime, tape, node = opened(looks="2")

    def spoil():
        runtime.belief.tell(("on", "mango1", "table1"), False)

    assert [ticked(runtime, node, spoil) for _ in range(3)] == [S, S, F]
    assert len(tape.of("look.started")) == 2


def test_an_agent_that_checks_nothing_gives_up_at_once(opened):
    runtime, tape, node = opened(guards="none")
    node.tick_once()
    assert node.status is F
    assert not tape.of("look.started")


def test_stopping_it_breaks_the_look_off(opened):
    runtime, tape, node = opened()
    node.tick_once()
    node.stop()
    runtime.clock.sleep_until(5.0)
    runtime.sync()
    assert runtime.executive.alive() == ()
