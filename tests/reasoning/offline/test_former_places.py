"""Requests about where things are now: exchanges, and putting things back."""

import pytest

from foretree.planning.pddl.syntax import show
from foretree.reasoning.instruction_errors import InstructionError, NotUnderstoodError

EXCHANGED = "(and (on plate1 table2) (on mango1 table1))"
PLACED = [
    ("swap the plate and the mango", EXCHANGED),
    ("please exchange the plate with the mango", EXCHANGED),
    ("switch the plate and the mango around", EXCHANGED),
    ("swap the places of the plate and the mango", EXCHANGED),
    ("swap the plate and the mango, then open the fridge",
     "(and (on plate1 table2) (on mango1 table1) (open fridge1))"),
    ("swap mug1 and the knife", "(and (on mug1 counter1) (on knife1 table1))"),
    ("wash the plate and put it back", "(and (clean plate1) (on plate1 table1))"),
    ("take the mango, wash it and put it back where it was", "(and (clean mango1) (on mango1 table2))"),
    ("wash the mango. Put it back where it came from.", "(and (clean mango1) (on mango1 table2))"),
    ("wash the mango and put it back in the fridge", "(and (clean mango1) (in mango1 fridge1))"),
]  # fmt: skip
REFUSED = [
    ("put the mango back", "shall be put back is not known"),
    ("wash the plate and put the mango back", "shall be put back is not known"),
    ("swap mug1 and the plate", "no places to be exchanged"),
    ("swap a pillow and the mango", '"a pillow" is meant is not said'),
]


@pytest.mark.parametrize(("said", "goal"), PLACED, ids=[case[0][:40] for case in PLACED])
def test_things_are_put_where_they_or_others_were(reasoner, situation, said, goal):
    assert show(reasoner.understand(said, situation).goal) == goal


@pytest.mark.parametrize(("said", "message"), REFUSED, ids=[case[0][:40] for case in REFUSED])
def test_places_that_are_not_known_are_refused(reasoner, situation, said, message):
    with pytest.raises(NotUnderstoodError, match=message):
        reasoner.understand(said, situation)


def test_an_exchange_with_one_of_several_has_a_reading_for_each(reasoner, situation):
    found = reasoner.understand("swap the mug and the knife", situation)
    assert [one.words for one in found.readings] == ["mug1 on table1", "mug2 on table2"]
    assert show(found.readings[1].goal) == "(and (on mug2 counter1) (on knife1 table2))"


def test_a_pronoun_is_not_what_the_thing_is_taken_from(reasoner, situation):
    with pytest.raises(InstructionError):
        reasoner.understand("take the plate and put the apple from the fridge in it", situation)
    moved = reasoner.understand("open the microwave and put the apple from the fridge in it", situation)
    assert "(in apple2 microwave1)" in show(moved.goal)
