"""Places beside things: "put the mug next to the plate"."""

from __future__ import annotations

import pytest

from foretree.planning.pddl.syntax import show
from foretree.reasoning.instruction_errors import InstructionError, NotUnderstoodError


def test_beside_a_thing_is_on_what_it_rests_on(reasoner, situation):
    found = reasoner.understand("put mug2 next to the plate", situation)
    assert show(found.goal) == "(on mug2 table1)"
    assert found.sentence == "put mug2 on table1, next to the plate"


def test_beside_one_of_several_at_different_places_is_asked(reasoner, situation):
    found = reasoner.understand("put the plate beside the pillow", situation)
    assert {show(reading.goal) for reading in found.readings} == {"(on plate1 sofa1)", "(on plate1 table2)"}


@pytest.mark.parametrize("said", ["put mug2 by the sofa", "leave the plate near the sink"])
def test_beside_furniture_may_be_the_floor(reasoner, situation, said):
    with pytest.raises(NotUnderstoodError, match="Name the place itself"):
        reasoner.understand(said, situation)


def test_what_is_only_told_by_what_is_beside_it_is_not_put_there(reasoner, situation):
    with pytest.raises(InstructionError):
        reasoner.understand("wash the mug next to the unicorn", situation)
    assert (
        show(reasoner.understand("pick up the mug next to the plate", situation).goal) != "(on mug1 table1)"
    )


@pytest.mark.parametrize(
    ("said", "goal"),
    [
        ("put mug2 in the sink and the mango next to it", "(and (in mug2 sink1) (in mango1 sink1))"),
        ("put mug2 in the sink and the mango beside mug2", "(and (in mug2 sink1) (in mango1 sink1))"),
        ("put mug2 and the knife on table1 and the mango by them", "(on mango1 table1)"),
        ("wash the plate and put mug2 next to it", "(and (clean plate1) (on mug2 table1))"),
        ("put mug2 in the sink and the mango where mug2 is", "(on mango1 table2)"),
        ("put mug2 in the sink, wash the plate and put the mango next to it", "(on mango1 table1)"),
        ("put a mug in the sink and the mango next to the mug", "(in mango1 sink1)"),
    ],
)
def test_what_goes_beside_a_thing_that_is_moved_goes_where_that_goes(reasoner, situation, said, goal):
    assert goal.removeprefix("(and").removesuffix(")") in show(reasoner.understand(said, situation).goal)


def test_beside_a_thing_on_any_of_several_places_is_at_the_same_one(reasoner, situation):
    found = reasoner.understand("put a mug on a table and a knife next to it", situation)
    assert show(found.goal).count("table1") in (0, 2)


def test_it_is_nothing_where_nothing_was_spoken_of(reasoner, situation):
    with pytest.raises(InstructionError, match='"it"'):
        reasoner.understand("put the mango next to it", situation)
