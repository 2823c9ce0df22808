"""Steps and turns: they lead where they should, and none are cheaper."""

from __future__ import annotations

from collections import deque

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foretree.skills.embodied.body import MOTIONS
from foretree.world_model.occupancy.paths import STEPS, cheapest_motions

HEADINGS = (0, 90, 180, 270)
directions = st.lists(st.sampled_from(HEADINGS), max_size=12)
headings = st.sampled_from(HEADINGS)
TURNS = {"rotate_left": 90, "rotate_right": 270}
DIRECTION = {pace: angle for angle, pace in STEPS.items()}


def walk(walked, heading):
    """Which directions are gone, how the body stands in the end, and how often it did not look where it went."""
    gone, blind = [], 0
    for pace in walked:
        if pace in TURNS:
            heading = (heading + TURNS[pace]) % 360
        else:
            gone.append((heading + DIRECTION[pace]) % 360)
            blind += pace != "move_ahead"
    return gone, heading, blind


def fewest(way, heading, facing):
    """The smallest number of steps and turns, by trying them all."""
    todo = deque([(0, heading, 0)])
    seen = {(0, heading)}
    while todo:
        done, now, count = todo.popleft()
        if done == len(way) and facing in (None, now):
            return count
        following = [(done, (now + turn) % 360) for turn in (90, 270)]
        if done < len(way):
            following.append((done + 1, now))
        for state in following:
            if state not in seen:
                seen.add(state)
                todo.append((*state, count + 1))
    raise AssertionError


@given(directions, headings, st.none() | headings)
def test_no_fewer_controls_would_do(way, heading, facing):
    walked = cheapest_motions(way, heading, facing)
    gone, stands, _ = walk(walked, heading)
    assert gone == way
    assert facing in (None, stands)
    assert len(walked) == fewest(way, heading, facing)


@given(directions, headings, headings, st.sampled_from([0.0, 0.3, 5.0]))
def test_blindness_costs_what_is_said(way, heading, facing, blindness):
    def cost(walked):
        return len(walked) + blindness * walk(walked, heading)[2]

    walked = cheapest_motions(way, heading, facing, blindness)
    assert walk(walked, heading)[:2] == (way, facing)
    for other in (0.0, 0.3, 5.0):
        assert cost(walked) <= cost(cheapest_motions(way, heading, facing, other)) + 1e-9


@pytest.mark.parametrize(
    ("way", "heading", "facing", "walked"),
    [
        ([], 0, None, ()),
        ([], 0, 270, ("rotate_right",)),
        ([], 0, 180, ("rotate_left", "rotate_left")),
        ([0, 90, 180, 270], 0, 0, ("move_ahead", "strafe_left", "move_back", "strafe_right")),
        # It has to turn anyway: so it does at once, and sees where it goes.
        ([90, 90, 90], 0, 90, ("rotate_left", "move_ahead", "move_ahead", "move_ahead")),
        # And after the step that it sees already.
        ([0, 90, 90], 0, 90, ("move_ahead", "rotate_left", "move_ahead", "move_ahead")),
    ],
)
def test_it_turns_when_it_has_to_and_sees_where_it_goes_when_it_can(way, heading, facing, walked):
    assert cheapest_motions(way, heading, facing) == walked


def test_who_wants_to_see_turns():
    assert cheapest_motions([90] * 4, 0, None) == ("strafe_left",) * 4
    assert cheapest_motions([90] * 4, 0, None, blindness=0.5) == ("rotate_left", *["move_ahead"] * 4)
    assert cheapest_motions([90], 0, None, blindness=0.5) == ("strafe_left",)


def test_paces_are_what_bodies_can_do():
    assert set(STEPS.values()) | set(TURNS) <= set(MOTIONS)
