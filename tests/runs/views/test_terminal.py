import io
import json
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mango_run import mango_events
from rich.console import Console

from foretree.runs.event_kinds import EVENT_TYPES
from foretree.runs.events import Event
from foretree.runs.recorder import RunRecorder
from foretree.runs.store import RunStore
from foretree.runs.views._ink import Ink
from foretree.runs.views._tree_view import tree_lines
from foretree.runs.views.run_state import RunState, replay
from foretree.runs.views.tables import runs_table, why_page
from foretree.runs.views.terminal import Show
from foretree.runs.views.why import why


class Out(io.TextIOWrapper):
    """A file of some encoding that remembers what was written."""

    def __init__(self, encoding="utf-8"):
        self.bytes = io.BytesIO()
        super().__init__(self.bytes, encoding=encoding, newline="\n")

    def text(self):
        self.flush()
        return self.bytes.getvalue().decode(self.encoding)


def console(width=80, height=30, encoding="utf-8", terminal=True, **more):
    return Console(
        file=Out(encoding),
        width=width,
        height=height,
        force_terminal=terminal,
        highlight=False,
        legacy_windows=False,
        **more,
    )


def plain_console(**more):
    return console(terminal=False, **more)


def shown(renderable, on):
    on.print(renderable)
    return on.file.text()


def feed(show, events):
    with show:
        for event in events:
            show.event(event)


def test_plain_lines_are_stable():
    on = plain_console()
    feed(Show("auto", on), mango_events())
    text = on.file.text()
    assert "\x1b" not in text
    for line in (
        "[    0     0.00s] run: put the mango into the fridge",
        "[    1     0.05s] goal: (in mango1 fridge1)",
        "[    1     0.05s] plan: 5 actions, cost 9, by fast-downward, optimal",
        "[    1     0.05s] step: a2 pick(robot, left, mango1, table1)",
        "[    1     0.05s] assume: not (open fridge1) (prior)",
        "[   40     2.00s] fault: move mango table2",
        "[   40     2.00s] done: 1. a1 move(robot, start, table1)",
        "[   46     2.30s] discrepancy: the mango is not on table1; it was seen on table2",
        "[   46     2.30s] not taken: the rules reviser's answer: table2 cannot be reached from here",
        "[   48     2.40s] revised by planner: go to table2 and take the mango there",
        "[   48     2.40s] step removed: a2 pick(robot, left, mango1, table1)",
        "[  141     7.05s] skipped: a4 open(robot, right, fridge1): fridge1 is open already",
        "[  171     8.55s] ended: reached: (in mango1 fridge1) is believed",
    ):
        assert line in text.splitlines()


def test_json_lines_are_the_events():
    on = plain_console()
    feed(Show("json", on), mango_events())
    lines = [json.loads(line) for line in on.file.text().splitlines()]
    assert [Event(**line) for line in lines] == mango_events()


def test_auto_is_live_on_a_terminal_and_plain_elsewhere(monkeypatch):
    assert Show("auto", console()).mode == "live"
    assert Show("auto", plain_console()).mode == "plain"
    monkeypatch.setenv("TERM", "dumb")
    assert Show("auto", console()).mode == "plain"


def test_the_live_view_prints_what_happens_and_keeps_the_tree():
    on = console()
    feed(Show("live", on, run_id="run-1"), mango_events())
    text = on.file.text()
    assert "it was seen on table2" in text
    last = text[text.rindex("run-1") :]
    assert "place_in(robot, left, mango1, fridge1)" in last
    assert "tick 171" in last


def test_the_picture_of_the_middle():
    show = Show("plain", plain_console(), run_id="run-1")
    for event in mango_events():
        if event.tick > 49:
            break
        show.lines(event)
    text = shown(show.live(show.state), show.console)
    lines = [line.rstrip() for line in text.splitlines()]
    for line in (
        "put the mango into the fridge  run-1",
        "goal (in mango1 fridge1)",
        "▶ agent",
        "├─ ✓ understand  (in mango1 fridge1)",
        "      ├─ ✓ move(robot, start, table1) …",
        "      ├─ ▶ presence",
        "      │  └─ ▶ move(robot, table1, table2)",
        "      └─ · place_in(robot, left, mango1, fridge1) …",
        "move(robot, table1, table2)",
        "tick 49 · 2.5 s · 1 of 6 done · revised 1",
    ):
        assert line in lines
    assert any("start: 2. b1 move(robot, table1, table2)" in line for line in lines)


@pytest.mark.parametrize(
    ("outcome", "result"),
    [("reached", "✓ reached, with bread1 in place of a banana: done"), ("given-up", "✗ given-up: done")],
)
def test_the_summary_says_what_was_taken_in_place_of_what_if_the_goal_was_reached(outcome, result):
    show = Show("plain", plain_console())
    goal = {"goal": "(given bread1 person1)", "replaced": ["bread1 in place of a banana"]}
    ended = {"outcome": outcome, "reason": "done"}
    for event in (Event(1, 1, 0.1, "goal.set", goal), Event(2, 2, 0.2, "run.ended", ended)):
        show.lines(event)
    assert result in shown(show.summary(show.state), show.console)


def test_a_further_goal_without_replacements_ends_those_before():
    show = Show("plain", plain_console())
    goals = ({"goal": "(a)", "replaced": ["bread1 in place of a banana"]}, {"goal": "(b)"})
    for seq, goal in enumerate(goals, 1):
        show.lines(Event(seq, 1, 0.1, "goal.set", goal))
    show.lines(Event(3, 2, 0.2, "run.ended", {"outcome": "reached"}))
    text = shown(show.summary(show.state), show.console)
    assert "✓ reached" in text
    assert "in place of" not in text


def test_the_summary_says_what_it_came_to():
    show = Show("plain", plain_console(), run_id="run-1")
    for event in mango_events():
        show.lines(event)
    text = shown(show.summary(show.state, ["without guards: failed"]), show.console)
    for words in (
        "✓ reached: (in mango1 fridge1) is believed",
        "5 done, 1 skipped",
        "once; 1 discrepancy in 5 checks",
        "planner: go to table2 and take the mango there",
        "8.6 s, 171 ticks",
        "run-1",
        "without guards: failed",
    ):
        assert words in text


def test_faults_that_never_struck_are_named():
    show = Show("plain", plain_console())
    faults = ["after 1: move mango1  table2", "after 9: remove mango1"]
    feed(
        show,
        [
            Event(1, 0, 0.0, "run.started", {"instruction": "go", "faults": faults}),
            Event(2, 1, 0.1, "fault.injected", {"what": "after 1: move mango1 table2"}),
            Event(3, 2, 0.2, "run.ended", {"outcome": "reached"}),
        ],
    )
    assert show.state.faults_to_come() == ["after 9: remove mango1"]
    assert "never struck: after 9: remove mango1" in shown(show.summary(show.state), plain_console())


def test_a_run_that_was_not_reached_says_so():
    state = RunState()
    state.apply(Event(1, 3, 1.0, "run.ended", {"outcome": "given-up", "reason": "no mango anywhere"}))
    text = shown(Show("plain", plain_console()).summary(state), plain := plain_console())
    assert "✗ given-up: no mango anywhere" in shown(Show("plain", plain).summary(state), plain)
    assert text.count("never; 0 discrepancies") == 1


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
@pytest.mark.parametrize("mode", ["live", "plain", "json"])
def test_only_characters_that_the_encoding_has(encoding, mode):
    on = console(encoding=encoding, terminal=mode == "live")
    show = Show(mode, on)
    feed(show, [*mango_events(), Event(99, 200, 9.9, "log", {"text": "… → Überraschung 🥭"})])
    show.print(show.live(show.state), show.summary(show.state))
    on.file.text().encode(encoding)
    show.print(why_page(why(mango_events(), "a2"), on))
    on = plain_console(encoding=encoding)
    assert "|-- + understand" in shown(Show("plain", on).tree(replay(mango_events())), on)


@pytest.mark.parametrize("width", [1, 5, 20, 40, 80, 200])
@pytest.mark.parametrize("height", [1, 6, 25])
def test_no_terminal_is_too_small(width, height):
    on = console(width=width, height=height)
    show = Show("live", on, run_id="run-1")
    feed(show, mango_events())
    show.print(show.live(show.state), show.summary(show.state), why_page(why(mango_events(), "2"), on))
    assert on.file.text()


def test_eighty_columns_are_enough():
    on = plain_console()
    show = Show("plain", on)
    for event in mango_events():
        show.lines(event)
    text = shown(show.live(show.state), on) + shown(show.summary(show.state), on)
    assert max(len(line) for line in text.splitlines()) <= 80


def test_text_from_outside_is_neither_markup_nor_obeyed():
    nasty = "[bold]not bold[/] [/nonsense] \x1b[31mred\x07\r\nsecond line"
    on = plain_console(width=200)
    show = Show("plain", on)
    event = Event(1, 1, 0.1, "run.started", {"instruction": nasty})
    feed(show, [event, Event(2, 1, 0.1, "goal.set", {"goal": nasty})])
    show.print(show.live(show.state), show.summary(show.state))
    text = on.file.text()
    assert "\x1b" not in text
    assert "\x07" not in text
    assert "[bold]not bold[/] [/nonsense]" in text
    assert text.splitlines()[0].endswith(r"\x1b[31mred\x07 second line")


def test_a_closed_pipe_does_not_stop_the_run():
    class Closed(io.StringIO):
        def write(self, text):
            raise BrokenPipeError

    show = Show("plain", Console(file=Closed()))
    feed(show, mango_events())
    assert show.state.outcome == "reached"


def test_a_watched_condition_is_said_once():
    show = Show("plain", plain_console())
    check = {"action": "a1", "guard": "attribute", "passed": True, "expected": "x", "believed": "x"}
    said = [show.lines(Event(number, number, 0.1, "guard.checked", check)) for number in (1, 2, 3)]
    assert [len(lines) for lines in said] == [1, 0, 0]
    assert show.lines(Event(4, 4, 0.2, "guard.checked", {**check, "passed": False}))
    assert show.lines(Event(5, 5, 0.2, "guard.checked", check))


def test_a_plan_after_a_revision_is_told_in_short():
    show = Show("plain", plain_console())
    act = {"id": "a1", "skill": "go", "arguments": ["here"]}
    show.lines(Event(1, 1, 0.1, "revision.made", {"reviser": "rules", "why": "so", "added": [act]}))
    assert show.lines(Event(2, 1, 0.1, "plan.made", {"actions": [act], "cost": 1})) == [
        "[    1     0.10s] plan: 1 action left, cost 1"
    ]
    assert len(show.lines(Event(3, 5, 0.3, "plan.made", {"actions": [act]}))) == 2


def test_a_skipped_action_is_marked_in_the_tree():
    state = big_state(2, 1)
    nodes = [{"id": "plan/a0~2", "parent": "plan", "name": "a0", "type": "Act"}]
    state.apply(Event(4, 2, 0.2, "action.skipped", {"action": "a0", "why": "clean already"}))
    state.apply(Event(5, 2, 0.2, "tree.spliced", {"below": "plan", "removed": ["plan/a0"], "added": nodes}))
    lines = [line.plain for line in tree_lines(state, Ink(plain_console()))]
    assert any("» a0  clean already" in line for line in lines)


def big_state(actions, *running):
    state = RunState()
    names = [f"a{number}" for number in range(actions)]
    made = [{"id": name, "skill": "go", "arguments": [name]} for name in names]
    nodes = [{"id": "plan", "parent": None, "name": "plan", "type": "PlanNode"}]
    nodes += [{"id": f"plan/{name}", "parent": "plan", "name": name, "type": "Act"} for name in names]
    status = {"plan": ["RUNNING", ""], **{f"plan/a{number}": ["RUNNING", ""] for number in running}}
    for number, (kind, data) in enumerate(
        [
            ("plan.made", {"actions": made}),
            ("tree.built", {"nodes": nodes}),
            ("tree.changed", {"status": status}),
        ],
        1,
    ):
        state.apply(Event(number, 1, 0.1, kind, data))
    return state


@settings(deadline=None, max_examples=40)
@given(st.integers(1, 60), st.data())
def test_a_tree_too_tall_is_cut_around_what_runs(actions, data):
    running = data.draw(st.integers(0, actions - 1))
    height = data.draw(st.integers(5, 70))
    lines = [line.plain for line in tree_lines(big_state(actions, running), Ink(plain_console()), height)]
    assert len(lines) <= height
    assert any(f"▶ a{running}" in line for line in lines)
    hidden = sum(int(line.split()[1]) for line in lines if line.endswith("more"))
    shown_nodes = sum(not line.endswith("more") for line in lines)
    assert hidden + shown_nodes == actions + 1


@settings(deadline=None, max_examples=60)
@given(st.integers(10, 200), st.data())
def test_all_that_runs_is_shown_however_far_apart_it_stands(actions, data):
    running = data.draw(st.sets(st.integers(0, actions - 1), min_size=1, max_size=4))
    # Each in a place of its own takes a gap before it, and the last one behind it.
    height = data.draw(st.integers(2 * len(running) + 1, 60))
    state = big_state(actions, *running)
    lines = [line.plain for line in tree_lines(state, Ink(plain_console()), height)]
    assert len(lines) <= height
    assert {f"a{number}" for number in running} <= {line.split("▶ ")[-1] for line in lines if "▶" in line}


def test_a_tree_with_hardly_any_room_shows_what_runs():
    for height in (1, 2, 3, 4):
        lines = [line.plain for line in tree_lines(big_state(500, 250), Ink(plain_console()), height)]
        assert len(lines) <= height
        assert any("▶ a250" in line for line in lines)


@pytest.mark.parametrize("height", [5, 8, 10, 12, 24])
def test_what_runs_is_on_the_screen_however_low_that_is(height):
    screen = console(width=60, height=height, color_system=None)
    show = Show("live", screen)
    show.state = big_state(500, 250)
    with screen.capture() as drawn:
        screen.print(show._current())
    lines = drawn.get().splitlines()
    assert len(lines) <= height
    assert any("▶ a250" in line for line in lines)


@pytest.mark.parametrize("width", [40, 60, 80])
def test_the_heading_cuts_the_instruction_rather_than_the_id(width):
    show = Show("live", console(width=width, color_system=None), "20261123-042621-mango-qba")
    show.state = big_state(3, 1)
    asked = "put everything that is on the table into the fridge, and then wash it all"
    show.state.apply(Event(4, 0, 0.0, "run.started", {"instruction": asked}))
    with show.console.capture() as drawn:
        show.console.print(show._current())
    heading = drawn.get().splitlines()[1]
    assert heading.startswith("put ev")
    assert heading.endswith("20261123-042621-mango-qba")
    assert len(heading) <= width


def test_a_list_of_runs_cuts_neither_ids_nor_states(tmp_path):
    name = "20261123-042621-mango-qba"
    made = RunStore(tmp_path).create("put the mango into the fridge", run_id=name)
    RunRecorder(made).close("cancelled")
    for width in (30, 40, 60, 80, 120):
        screen = console(width=width, color_system=None)
        with screen.capture() as drawn:
            screen.print(runs_table(RunStore(tmp_path).list(), screen))
        said = drawn.get()
        assert "cancelled" in said
        assert name in said
        assert all(len(line) <= width for line in said.splitlines())
        assert "put the mango" in said


def test_events_may_come_while_the_view_is_redrawn():
    on = console()
    show = Show("live", on)
    with show:
        threads = [
            threading.Thread(target=lambda: [show.event(event) for event in mango_events()]),
            threading.Thread(target=lambda: [show._live.refresh() for _ in range(50)]),
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(120)
        assert not any(thread.is_alive() for thread in threads)
    assert show.state.outcome == "reached"


@pytest.mark.parametrize("kind", sorted(EVENT_TYPES))
def test_an_event_that_says_little_is_still_shown(kind):
    """Records of another version, or of a user's own nodes, may lack what we expect."""
    least = {"action.intent": {"action": {"id": "a1", "skill": "go"}, "execution": "e1"}}
    on = plain_console()
    show = Show("plain", on)
    feed(show, [Event(1, 1, 0.1, kind, least.get(kind, {}))])
    show.print(show.live(show.state), show.summary(show.state))
