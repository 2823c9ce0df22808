"""The agent's view of a supervisor, and the message between them."""

from types import SimpleNamespace

import pytest

from foretree.clock import SimulatedClock
from foretree.robots.supervisor.state_message import fields_of, state_of
from foretree.robots.supervisor.supervisor import SupervisorState
from foretree.robots.supervisor.watch import SupervisorWatch

HELD = SupervisorState(
    True, ("a moves at 2, 1 is allowed", "button is pressed"), ("button is pressed",), "It moves!"
)


@pytest.fixture
def clock():
    return SimulatedClock()


@pytest.fixture
def watch(clock):
    return SupervisorWatch(clock, silent_after=1.0)


def test_a_supervisor_that_was_never_heard_holds_the_robot(watch):
    assert watch.hold_reason() == "nothing has been heard of the supervisor"


def test_it_says_why_the_robot_is_held(watch):
    watch.feed(HELD)
    assert watch.hold_reason() == "stopped by the supervisor: a moves at 2, 1 is allowed; button is pressed"
    watch.feed(SupervisorState(True))
    assert watch.hold_reason() == "stopped by the supervisor: it does not say why"
    watch.feed(SupervisorState(False))
    assert watch.hold_reason() == ""


def test_a_supervisor_that_falls_silent_holds_the_robot(watch, clock):
    watch.feed(SupervisorState(False))
    clock.sleep_until(1.0)
    assert watch.hold_reason() == ""
    clock.sleep_until(1.01)
    assert watch.hold_reason() == "nothing has been heard of the supervisor for more than 1 s"
    watch.feed(SupervisorState(False))
    assert watch.hold_reason() == ""


def message(fields):
    pairs = [SimpleNamespace(key=key, value=value) for key, value in fields["values"]]
    return SimpleNamespace(**{**fields, "values": pairs})


@pytest.mark.parametrize("state", [HELD, SupervisorState(False), SupervisorState(True, ("why",))])
def test_a_state_survives_the_message(state):
    fields = fields_of(state, "arm")
    assert state_of(message(fields)) == state
    assert fields["level"] == (2 if state.held else 0)
    assert (fields["name"], fields["message"]) == ("supervisor: arm", state.sentence)


@pytest.mark.parametrize("values", [[], [("held", "no")], [("held", "false"), ("held", "true")]])
def test_a_message_that_does_not_say_that_the_robot_may_move_says_that_it_may_not(values):
    assert state_of(message({"values": values})).held
