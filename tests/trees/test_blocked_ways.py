"""Something stands in the way: it is seen like a closed door, and the robot goes round it."""

from __future__ import annotations

import pytest

from foretree.bringup.embedded import open_household
from foretree.bringup.options import Options, Wish
from foretree.runs.events import Tape


@pytest.mark.parametrize(
    "fault",
    ["after 2: block table1 fridge1", "during 3: block table1 fridge1"],
    ids=["before the robot sets out", "when it is on its way"],
)
def test_the_robot_goes_round_what_stands_in_its_way(fault):
    tape = Tape()
    wish = Wish("put the mango into the fridge")
    session, world = open_household("kitchen", wish, Options(faults=(fault,)), recorder=tape)
    assert session.run().reached
    assert [injected.what for injected in world.injected] == [fault]
    assert world.illegal == []
    assert not world.house.is_passable(world.house.passage_between("table1", "fridge1"))
    found = [event for event in tape.events if event.kind in ("discrepancy.found", "action.ended")]
    assert any("is blocked" in str(event.data) or "in the way" in str(event.data) for event in found)
