"""Doors that are closed on the way, or before the robot has to go through them again."""

from __future__ import annotations

import pytest

from foretree.bringup.embedded import open_household
from foretree.bringup.options import Options, Wish
from foretree.world_model.beliefs.facts import Truth


def run(said: str):
    """The session in which that was done, and its world."""
    session, world = open_household("flat", Wish(said), Options(faults=()))
    result = session.run()
    assert result.reached, said
    assert world.holds(result.goal)
    return session, world


@pytest.mark.parametrize(
    "said",
    [
        "close the study door",
        "shut all the doors",
        "close the bathroom door, close the kitchen door and put book1 on the sofa",
        "put the keys into the box and close the study door",
        "if the kitchen door is open, close it",
    ],
)
def test_doors_are_closed(said):
    run(said)


def test_a_door_that_is_not_to_be_closed_stays_open():
    session, _ = run("close every door but the kitchen door")
    believed = session.context.belief
    assert believed.truth(("open", "kitchen_door")) is Truth.TRUE
    assert believed.truth(("open", "study_door")) is Truth.FALSE
    assert believed.truth(("connected", "study_door_hall_side", "study_door_study_side")) is Truth.FALSE
