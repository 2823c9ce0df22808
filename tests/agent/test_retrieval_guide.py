"""What of a building an instruction needs, as a session finds out."""

from __future__ import annotations

from foretree.bringup.embedded import open_household
from foretree.bringup.options import Options, Wish
from foretree.runs.events import Tape


def test_a_session_looks_up_what_the_instruction_needs_before_it_plans():
    tape = Tape()
    session, _ = open_household("office", Wish("put the mango into the fridge"), Options(), recorder=tape)
    result = session.run()
    assert result.outcome == "reached"
    assert {"fridge1", "kitchen_table2"} <= session.context.task.keep
    assert "mango1" in session.context.task.things
    tools = [event.data["tool"] for event in tape.of("agent.chose")]
    assert tools.index("retrieve") < tools.index("plan")


def test_where_everything_is_at_hand_nothing_is_looked_up():
    session, _ = open_household("kitchen", Wish("put the mango into the fridge"))
    assert session.context.guide is None
    session.run()
    assert session.context.task.keep is None


def test_a_goal_has_no_words_to_look_up():
    session, _ = open_household("office", Wish(goal="(in mango1 fridge1)"))
    session.step()
    assert session.context.task.keep is None
