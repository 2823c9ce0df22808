"""Noun phrases and what they stand for: exceptions, relative clauses, choices, quantities, ones and others."""

import pytest

from foretree.planning.pddl.syntax import show
from foretree.reasoning.instruction_errors import AmbiguousError, NoSuchThingError, NotUnderstoodError

EXCEPTIONS = [
    ("wash all mugs except the dirty one", "(clean mug2)"),
    ("wash every mug apart from mug1", "(clean mug2)"),
    ("wash everything on table1 except the plate", "(and (clean apple1) (clean mug1))"),
    ("put everything on the counter into the sink except for the knife", "(in bottle1 sink1)"),
    ("put everything on the counter except the knife into the sink", "(in bottle1 sink1)"),
    ("except for the knife, put everything on the counter into the sink", "(in bottle1 sink1)"),
    ("wash everything on table1, but not the mug", "(and (clean apple1) (clean plate1))"),
    ("wash everything on table1 except the mug and the apple", "(clean plate1)"),
    ("put all pillows on table1 other than pillow1 and pillow2", "(on pillow3 table1)"),
]
RELATIVE_CLAUSES = [
    ("wash the mugs that are dirty", "(clean mug1)"),
    ("wash the mug which isn't clean", "(clean mug1)"),
    ("wash the mug that has not been washed", "(clean mug1)"),
    ("bring me the knife that's lying on the counter", "(given knife1 anna)"),
    ("put what is on the counter into the sink", "(and (in bottle1 sink1) (in knife1 sink1))"),
    ("wash whatever is in the basket", "(and (clean cup1) (clean fork1))"),
    ("make sure that the mug that is on table1 is clean", "(clean mug1)"),
    ("wipe the table where the plate is", "(wiped table1)"),
    ("wipe the table the mango is on", "(wiped table2)"),
    ("wipe the table with the mango on it", "(wiped table2)"),
    ("bring me the only clean mug", "(given mug2 anna)"),
]
ONES_AND_OTHERS = [
    ("wash mug1 and put the other one on the counter", "(and (clean mug1) (on mug2 counter1))"),
    ("wash the mug on table1 and the one on table2", "(and (clean mug1) (clean mug2))"),
    ("put the pillow on table2 into the basket and the others on table1",
     "(and (in pillow3 basket1) (on pillow1 table1) (on pillow2 table1))"),
    ("put the apple on table1 into the sink and the rest of the apples into the basket",
     "(and (in apple1 sink1) (in apple2 basket1))"),
    ("put one mug in the sink and the other on the counter",
     "(exists (?x - mug) (exists (?x3 - mug) (and (not (= ?x3 ?x)) (in ?x sink1) (on ?x3 counter1))))"),
    ("wash the mugs and put one of them into the sink",
     "(and (forall (?x - mug) (clean ?x)) (or (in mug1 sink1) (in mug2 sink1)))"),
    ("wash the plate and the bottle and put both of them into the sink",
     "(and (clean plate1) (clean bottle1) (in plate1 sink1) (in bottle1 sink1))"),
    ("wash the plate. Wash the bottle. Put them into the sink.",
     "(and (clean plate1) (clean bottle1) (in plate1 sink1) (in bottle1 sink1))"),
    ("put the plate on the other table", "(on plate1 table2)"),
    ("go to the counter and put the mango there", "(on mango1 counter1)"),
]  # fmt: skip
CHOICES = [
    ("bring me the mango or the bottle", "(or (given mango1 anna) (given bottle1 anna))"),
    ("bring me either the mango or the bottle", "(or (given mango1 anna) (given bottle1 anna))"),
    ("bring me a mug or cup", "(or (given mug1 anna) (given mug2 anna) (given cup1 anna))"),
    ("bring me a banana or a mango", "(given mango1 anna)"),
    ("put the plate into the sink or the basket", "(or (in plate1 sink1) (in plate1 basket1))"),
    ("bring me the mango, the plate or the bottle",
     "(or (given mango1 anna) (given plate1 anna) (given bottle1 anna))"),
]  # fmt: skip
QUANTITIES = [
    ("put at least two pillows on table1", "(at-least 2 (?x - pillow) (on ?x table1))"),
    ("put exactly two pillows on table1", "(exactly 2 (?x - pillow) (on ?x table1))"),
    ("I want at most one pillow on the sofa", "(at-most 1 (?x - pillow) (on ?x sofa1))"),
    ("put a pair of pillows on table1", "(at-least 2 (?x - pillow) (on ?x table1))"),
    ("put half of the mugs on the counter", "(exactly 1 (?x - mug) (on ?x counter1))"),
    ("put any two pillows on table1", "(at-least 2 (?x - pillow) (on ?x table1))"),
    ("put all three pillows on table1", "(at-least 3 (?x - pillow) (on ?x table1))"),
]
REFUSED = [
    ("wash all mugs except the red one", NotUnderstoodError, '"red"'),
    ("put half of the pillows on table1", NotUnderstoodError, "of 3 is no number"),
    ("put at most one pillow on table1", NotUnderstoodError, "may be none at all"),
    ("put the other pillow on table1", NotUnderstoodError, "Nothing was said before"),
    ("wash both of them", NotUnderstoodError, "Nothing was said before"),
    ("put the mango there", NotUnderstoodError, "Nothing was said before"),
    ("put a pillow on table1 and the other one on table2", AmbiguousError, "any of 3"),
    ("put the dirty mug except mug1 into the sink", NoSuchThingError, "nothing that is"),
]


def _cases(*groups):
    found = [case for group in groups for case in group]
    return {"argvalues": found, "ids": [case[0] for case in found]}


@pytest.mark.parametrize(
    ("said", "goal"), **_cases(EXCEPTIONS, RELATIVE_CLAUSES, ONES_AND_OTHERS, CHOICES, QUANTITIES)
)
def test_noun_phrases_pick_what_is_meant(reasoner, situation, said, goal):
    assert show(reasoner.understand(said, situation).goal) == goal


@pytest.mark.parametrize(("said", "error", "message"), **_cases(REFUSED))
def test_noun_phrases_that_pick_nothing_are_refused(reasoner, situation, said, error, message):
    with pytest.raises(error, match=message):
        reasoner.understand(said, situation)


def test_what_is_left_out_is_not_touched(reasoner, situation):
    goal = show(reasoner.understand("wash everything on table1 except the plate", situation).goal)
    assert "plate1" not in goal
