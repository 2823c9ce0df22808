"""Whole sessions that keep constraints on the way, with something going wrong."""

from __future__ import annotations

import pytest

from foretree.bringup.embedded import open_household
from foretree.bringup.options import Options, Wish
from foretree.runs.events import Tape

INTO_THE_FRIDGE = "(in mango1 fridge1)"
SHUT_FRIDGE = "(always (not (open fridge1)))"
NO_DOORS = "(always (forall (?place - asset) (not (open ?place))))"


def carry_out(goal: str, constraints: list[str], *faults: str, scene: str = "kitchen", **settings: str):
    tape = Tape()
    options = Options(overrides=settings, faults=faults)
    wish = Wish(goal=goal, constraints=tuple(constraints))
    session, world = open_household(scene, wish, options, recorder=tape)
    result = session.run()
    return result, tape, world.holds(session.mission.goal)


def started(tape: Tape) -> list[tuple[str, ...]]:
    found = (event.data["action"] for event in tape.of("action.intent"))
    return [(action["skill"], *action["arguments"]) for action in found]


def opened(tape: Tape) -> set[str]:
    return {action[-1] for action in started(tape) if action[0] == "open"}


def test_what_comes_first_is_done_first():
    first = "(sometime-before (open fridge1) (rob_at_node robot1 sink1))"
    result, tape, holds = carry_out(INTO_THE_FRIDGE, [first])
    assert result.reached
    assert holds
    places = [action[-1] for action in started(tape) if action[0] == "move"]
    assert places.index("sink1") < places.index("fridge1")


def test_the_steps_of_a_sequence_are_done_although_nothing_is_left_of_them():
    steps = "(sequence (open cupboard1) (not (open cupboard1)))"
    result, tape, holds = carry_out(INTO_THE_FRIDGE, [steps])
    assert result.reached
    assert holds
    assert [action[0] for action in started(tape) if action[-1] == "cupboard1"] == ["move", "open", "close"]


def test_the_goal_alone_does_not_end_a_sequence():
    result, tape, _ = carry_out("(and)", ["(sometime (clean mug1))"])
    assert result.reached
    assert "wash" in {action[0] for action in started(tape)}


@pytest.mark.parametrize("revisers", ["rules", "planner", "rules,planner"])
def test_no_reviser_opens_what_is_to_stay_shut(revisers):
    shut = "during 3: move mango1 in fridge1"
    result, tape, _ = carry_out("(on mango1 table2)", [SHUT_FRIDGE], shut, revisers=revisers)
    assert result.outcome == "given-up"
    assert "fridge1" not in opened(tape)


def test_a_search_goes_on_where_the_constraints_let_it():
    moved = "after 1: move mango1 in cupboard1"
    result, tape, holds = carry_out("(on mango1 table2)", ["(never-use open fridge1)"], moved)
    assert result.reached
    assert holds
    assert opened(tape) == {"cupboard1"}


def test_a_search_in_vain_says_what_it_was_kept_from():
    result, tape, _ = carry_out("(on mango1 table2)", [NO_DOORS], "after 1: move mango1 in cupboard1")
    assert result.outcome == "given-up"
    assert opened(tape) == set()
    assert f"Not searched, to keep {NO_DOORS}: " in result.reason
    assert "cupboard1" in result.reason


def test_a_goal_out_of_reach_names_the_constraint_and_what_is_possible_without():
    result, tape, _ = carry_out(INTO_THE_FRIDGE, ["(never-use * mug1)", SHUT_FRIDGE])
    assert result.outcome == "given-up"
    assert started(tape) == []
    assert (
        f"There is no plan that keeps {SHUT_FRIDGE}; without that, there would be one (5 actions"
        in result.reason
    )


def test_a_fault_that_undoes_the_first_has_it_done_again():
    first = "(sometime-before (in mango1 fridge1) (clean mug1))"
    result, tape, holds = carry_out(INTO_THE_FRIDGE, [first], "after 5: dirty mug1")
    assert result.reached
    assert holds
    skills = [action[0] for action in started(tape)]
    assert skills.index("wash") < skills.index("place_in", skills.index("wash"))
