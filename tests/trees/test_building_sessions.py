"""Whole sessions on the office floor, with something going wrong that only a building has."""

from __future__ import annotations

from foretree.runs.events import Tape
from foretree.trees.embedded import Options, Wish, open_household


def carry_out(goal: str, *faults: str):
    tape = Tape()
    session, world = open_household("office", Wish(goal=goal), Options(faults=faults), recorder=tape)
    result = session.run()
    assert not any(refused.in_view for refused in world.illegal)
    return result, tape, world.holds(session.mission.goal)


def test_what_is_nowhere_to_be_seen_is_looked_for_at_one_place_after_the_other():
    result, tape, holds = carry_out("(in mango1 fridge1)", "after 1: move mango1 on table603")
    assert (result.outcome, holds) == ("reached", True), result.reason
    chosen = [event.data for event in tape.of("agent.chose")]
    assert any(data["tool"] == "explore" for data in chosen)
