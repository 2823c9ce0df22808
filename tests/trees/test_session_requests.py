"""What viewers ask of a session: breakpoints, surprises and words, on record, so that the run can be repeated."""

import pytest

from foretree.bringup.embedded import open_household
from foretree.bringup.options import Options, Wish
from foretree.bringup.resume import reopen_events
from foretree.planning.pddl.syntax import Literal
from foretree.runs.events import Tape
from foretree.runs.store import ControlRequest
from foretree.trees.breakpoints import Breakpoint, BreakpointError
from foretree.trees.session import SessionError


class Asked(Tape):
    """A tape through which requests come, each before the tick after a given one."""

    failure = None

    def __init__(self, *script):
        super().__init__()
        self.script = list(script)

    def requests(self):
        due = [(kind, data) for tick, kind, data in self.script if tick <= self._tick]
        self.script = [each for each in self.script if each[0] > self._tick]
        return [ControlRequest(seq, kind, "a viewer", data) for seq, (kind, data) in enumerate(due, 1)]


def opened(*script, wish="put the mango into the fridge"):
    tape = Asked(*script)
    session, world = open_household("kitchen", Wish(wish), Options(), recorder=tape)
    return session, world, tape


def steps(session, most=400):
    """Tick until the session pauses or ends."""
    for _ in range(most):
        session.step()
        if session.result is not None or session.paused:
            return
    raise AssertionError("it neither pauses nor ends")


def begun(tape):
    return [event.data["action"] for event in tape.of("action.started")]


# -- breakpoints -----------------------------------------------------------------------------------------
def test_an_action_is_halted_before_it_begins():
    session, _, tape = opened((2, "break", {"at": "action", "value": "a2"}))
    steps(session)
    assert begun(tape) == ["a1"]
    assert tape.of("session.paused")[-1].data["by"].startswith("a breakpoint: action pick(")
    session.proceed()
    steps(session)
    assert session.result.outcome == "reached"  # it halts there once


def test_a_guard_is_halted_when_it_is_checked_and_nothing_begins():
    session, _, tape = opened((2, "break", {"at": "guard", "value": "a2 appearance"}))
    steps(session)
    assert begun(tape) == ["a1"]
    session.proceed()
    steps(session)
    assert session.result.outcome == "reached"


@pytest.mark.parametrize("kind", ["any", "presence"])
def test_a_discrepancy_is_halted_at_before_the_revised_plan_begins(kind):
    session, _, tape = opened(
        (2, "break", {"at": "discrepancy", "value": kind}), (10, "surprise", {"line": "move mango1 table2"})
    )
    steps(session)
    assert tape.of("discrepancy.found")
    assert begun(tape) == ["a1"]
    session.proceed()
    steps(session)
    assert session.result.outcome == "reached"


def test_another_kind_of_discrepancy_is_passed_over():
    session, _, tape = opened(
        (2, "break", {"at": "discrepancy", "value": "attribute"}),
        (10, "surprise", {"line": "move mango1 table2"}),
    )
    steps(session)
    assert session.result.outcome == "reached"
    assert tape.of("discrepancy.found")


def test_a_node_is_halted_at_when_its_status_changes():
    session, _, tape = opened()
    session.start()
    node = next(
        each["id"] for each in tape.of("tree.built")[0].data["nodes"] if each["name"] == "make a plan"
    )
    session.halt_at(Breakpoint("node", node))
    steps(session)
    assert node in tape.of("tree.changed")[-1].data["status"]


def test_a_breakpoint_that_is_taken_away_is_none():
    session, _, tape = opened(
        (2, "break", {"at": "action", "value": "a2"}), (4, "unbreak", {"at": "action", "value": "a2"})
    )
    steps(session)
    assert session.result.outcome == "reached"
    assert session.context.halts is None  # nothing is asked of a session that nobody debugs
    assert [event.data["breakpoints"] for event in tape.of("breakpoints.changed")] == [
        [{"at": "action", "value": "a2"}],
        [],
    ]


@pytest.mark.parametrize(
    ("at", "value", "problem"),
    [
        ("moon", "x", "cannot halt at 'moon'"),
        ("node", "", "which node"),
        ("discrepancy", "big", "no discrepancy 'big'"),
    ],
)
def test_a_breakpoint_that_makes_no_sense_is_refused(at, value, problem):
    with pytest.raises(BreakpointError, match=problem):
        Breakpoint.read(at, value)
    session, _, tape = opened((2, "break", {"at": at, "value": value}))
    steps(session)
    assert session.result.outcome == "reached"
    assert problem in tape.of("request.refused")[0].data["why"]


# -- surprises and words -----------------------------------------------------------------------------------
def test_a_surprise_happens_in_the_world_and_the_agent_is_not_told():
    session, world, tape = opened((10, "surprise", {"line": "move mango1 table2"}))
    while not tape.of("fault.injected"):
        session.step()
    assert world.holds(Literal(("on", "mango1", "table2")))
    assert session.context.belief.fact(("on", "mango1", "table1")).truth.value == "true"
    steps(session)
    assert session.result.outcome == "reached"


def test_a_surprise_that_makes_no_sense_changes_nothing():
    session, _, tape = opened((10, "surprise", {"line": "move the moon"}))
    steps(session)
    assert not tape.of("fault.injected")
    assert "moon" in tape.of("request.refused")[0].data["why"]


def test_a_world_that_is_not_simulated_takes_no_surprises():
    session, _, _ = opened()
    session.strike = None
    with pytest.raises(SessionError, match="takes no surprises"):
        session.surprise("move mango1 table2")


def test_words_from_a_viewer_are_heard():
    session, world, _ = opened((10, "say", {"words": "and put the apple on table2"}))
    steps(session)
    assert session.result.outcome == "reached"
    assert world.holds(Literal(("on", "apple1", "table2")))


def test_a_run_with_a_surprise_is_repeated_with_it_when_it_is_resumed():
    session, _, tape = opened((10, "surprise", {"line": "move mango1 table2"}))
    steps(session)
    struck = next(i for i, event in enumerate(tape.events) if event.kind == "fault.injected")
    for cut in range(struck + 1, len(tape.events) - 1, 5):
        again = Tape()
        again.events.extend(tape.events[:cut])
        resumed = reopen_events(tape.events[:cut], again)
        result = resumed.run()
        assert result.outcome == "reached", (cut, result.reason)
        world = resumed.context.robot._world
        assert world.holds(resumed.mission.goal), cut
        assert not world.illegal, cut


# -- viewers that go -------------------------------------------------------------------------------------------
def test_a_pause_outlasts_the_viewer_and_says_how_to_go_on():
    session, _, tape = opened((2, "pause", {}), (2, "leave", {"run": "tidy"}))
    steps(session)
    said = [event.data["by"] for event in tape.of("session.paused")]
    assert said == ["a viewer", "a viewer, which has gone; `foretree go tidy` continues"]


def test_a_viewer_that_goes_takes_its_breakpoints_along():
    session, _, tape = opened((2, "break", {"at": "action", "value": "a2"}), (3, "leave", {"run": "tidy"}))
    steps(session)
    assert session.result.outcome == "reached"
    assert [event.data["breakpoints"] for event in tape.of("breakpoints.changed")][-1] == []
    assert not tape.of("session.paused")


def test_a_run_stays_halted_at_the_breakpoint_of_a_viewer_that_has_gone():
    session, _, tape = opened((2, "break", {"at": "action", "value": "a1"}))
    steps(session)
    session.leave("a viewer", "tidy")
    words = "a breakpoint of a viewer, which has gone; `foretree go tidy` continues"
    assert tape.of("session.paused")[-1].data["by"] == words
    assert begun(tape) == []
    session.proceed()
    steps(session)
    assert session.result.outcome == "reached"


def test_breakpoints_and_pauses_of_others_stay_as_they_are():
    session, _, tape = opened((2, "break", {"at": "action", "value": "a1"}))
    steps(session)
    session.leave("another viewer", "tidy")
    assert len(tape.of("session.paused")) == len(tape.of("breakpoints.changed")) == 1
