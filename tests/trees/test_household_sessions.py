"""Whole sessions in the household, with something going wrong: what a sensible robot gets done all the same."""

from __future__ import annotations

import pytest

from foretree.bringup.embedded import open_household
from foretree.bringup.options import Options, Wish
from foretree.runs.events import Tape


def carry_out(scene: str, goal: str, *faults: str, seed: int = 0, **settings: str):
    tape = Tape()
    options = Options(overrides=settings, faults=faults, seed=seed)
    session, world = open_household(scene, Wish(goal=goal), options, recorder=tape)
    result = session.run()
    assert not any(refused.in_view for refused in world.illegal)
    return result, tape, world.holds(session.mission.goal)


def explored(tape: Tape) -> list[str]:
    chosen = [event.data for event in tape.of("agent.chose")]
    return [data["why"].rpartition(" ")[2] for data in chosen if data["tool"] == "explore"]


def started(tape: Tape) -> list[str]:
    return [event.data["action"]["skill"] for event in tape.of("action.intent")]


def test_a_container_seen_empty_before_the_thing_went_missing_is_worth_a_look():
    result, tape, holds = carry_out("kitchen", "(in mango1 fridge1)", "after 3: move mango1 in fridge1")
    assert result.reached
    assert holds
    assert explored(tape) == ["fridge1"]


def test_a_thing_that_went_missing_twice_is_looked_for_twice():
    result, tape, holds = carry_out(
        "kitchen",
        "(on mango1 table2)",
        "after 1: move mango1 in fridge1",
        "after 4: move mango1 in cupboard1",
    )
    assert result.reached
    assert holds
    assert "cupboard1" in explored(tape)


def test_things_that_changed_places_in_view_are_told_apart():
    result, tape, holds = carry_out("kitchen", "(sliced tomato1)", "after 2: swap tomato1 apple1")
    assert result.reached
    assert holds


@pytest.mark.parametrize("seconds", [1, 3, 8])
@pytest.mark.parametrize("action", [1, 2])
def test_nothing_is_given_up_while_the_robot_is_out_of_contact(seconds, action):
    result, tape, holds = carry_out(
        "kitchen", "(on mango1 table2)", f"during {action}: disconnect for {seconds}"
    )
    assert result.reached
    assert holds


def test_a_robot_that_stays_away_is_given_up_in_the_end():
    result, tape, holds = carry_out(
        "kitchen", "(on mango1 table2)", "during 1: disconnect for 500", contact_patience="20"
    )
    assert result.outcome == "given-up"
    assert 20 < result.seconds < 60


def test_a_tool_that_went_missing_is_looked_for():
    result, tape, holds = carry_out("kitchen", "(sliced tomato1)", "during 1: move knife1 in drawer1")
    assert result.reached
    assert holds
    assert "drawer1" in explored(tape)


def test_what_cannot_be_seen_is_doubted_when_an_action_keeps_failing():
    result, tape, holds = carry_out("kitchen", "(hot bread1)", "after 6: move bread1 in drawer1")
    assert result.reached
    assert holds
    assert explored(tape)[0] == "microwave1"


def test_what_cannot_be_otherwise_is_not_doubted():
    faults = ("after 0: fail next place_in", "after 1: fail next place_in")
    result, tape, holds = carry_out("kitchen", "(in apple1 bin1)", *faults)
    assert result.reached
    assert holds
