"""Deeds on the way to others, which need not last, and where things are fetched from after them."""

import pytest

from foretree.planning.pddl.syntax import show

HELD = "(exists (?robot - robot ?hand - hand) (holding ?robot ?hand {}))"
PASSING = [
    ("open the fridge, get the apple out and lay it on the counter", "(on apple2 counter1)"),
    ("go to the fridge, open it, take out the apple and hand it to me", "(given apple2 anna)"),
    ("open the dishwasher and put the plate in", "(in plate1 dishwasher1)"),
    ("grab the mango, go to the sink and rinse it", "(clean mango1)"),
    ("pick up the bottle and fill it with water", "(and (filled bottle1) (filled_at_tap bottle1))"),
    ("fetch the knife and slice the mango", "(sliced mango1)"),
    ("grab the knife and slice the mango", "(sliced mango1)"),
]  # fmt: skip
LASTING = [
    ("open the fridge and put the mango on the counter", "(and (open fridge1) (on mango1 counter1))"),
    ("open the fridge and leave apple2 in it", "(and (open fridge1) (in apple2 fridge1))"),
    ("open the fridge and the dishwasher", "(and (open fridge1) (open dishwasher1))"),
    ("the fridge should be open and the mango in it", "(and (open fridge1) (in mango1 fridge1))"),
    ("take the mango and put the plate in the sink", f"(and {HELD.format('mango1')} (in plate1 sink1))"),
    ("pick up the plate and the mango and wash the mango", f"(and {HELD.format('plate1')} (clean mango1))"),
    ("pick up the bottle and come to me",
     f"(and {HELD.format('bottle1')} (exists (?robot - robot) (rob_at_node ?robot anna)))"),
]  # fmt: skip
FETCHED = [
    ("open the fridge and take an apple", HELD.format("apple2")),
    ("open the fridge, take out the apple and put it on the counter", "(on apple2 counter1)"),
    ("go to table1, get the mug and bring it to me", "(given mug1 anna)"),
    ("open the fridge and take everything out", HELD.format("apple2")),
    ("open the fridge, take out an apple, put the apple on the counter and close the fridge",
     "(and (on apple2 counter1) (not (open fridge1)))"),
    ("fetch the plate and the bottle, and put them into the dishwasher",
     "(and (in plate1 dishwasher1) (in bottle1 dishwasher1))"),
    # Where none is, any place will do.
    ("open the fridge and take out the mango", f"(and (open fridge1) {HELD.format('mango1')})"),
]  # fmt: skip


@pytest.mark.parametrize(("said", "goal"), PASSING, ids=[case[0][:50] for case in PASSING])
def test_what_another_deed_takes_need_not_last(reasoner, situation, said, goal):
    assert show(reasoner.understand(said, situation).goal) == goal


@pytest.mark.parametrize(("said", "goal"), LASTING, ids=[case[0][:50] for case in LASTING])
def test_what_serves_nothing_else_is_asked_for_itself(reasoner, situation, said, goal):
    assert show(reasoner.understand(said, situation).goal) == goal


@pytest.mark.parametrize(("said", "goal"), FETCHED, ids=[case[0][:50] for case in FETCHED])
def test_things_are_fetched_from_where_one_has_just_gone(reasoner, situation, said, goal):
    found = reasoner.understand(said, situation)
    assert (show(found.goal), found.readings) == (goal, ())


def test_the_sentence_tells_what_is_on_the_way(reasoner, situation):
    found = reasoner.understand("open the fridge and bring me the apple in it", situation)
    assert found.sentence == "open fridge1 on the way, then bring anna apple2"
