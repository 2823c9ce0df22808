"""All that something is said of: "anything", "any" and what was done with things before."""

import pytest

from foretree.planning.pddl.syntax import show
from foretree.reasoning.instruction_errors import NotUnderstoodError

ALL = [
    ("any dirty mug should be in the sink", "(in mug1 sink1)"),
    ("anything on table1 belongs in the dishwasher",
     "(and (in apple1 dishwasher1) (in mug1 dishwasher1) (in plate1 dishwasher1))"),
    ("put anything on table1 in the dishwasher",
     "(and (in apple1 dishwasher1) (in mug1 dishwasher1) (in plate1 dishwasher1))"),
    ("any fork goes on the counter, but the plate stays on table1",
     "(and (forall (?x - fork) (on ?x counter1)) (on plate1 table1))"),
    ("wash mug1 and the plate, then put everything you washed on the counter",
     "(and (clean mug1) (clean plate1) (on mug1 counter1) (on plate1 counter1))"),
]  # fmt: skip
ANY = [
    ("put any mug in the sink", "(exists (?x - mug) (in ?x sink1))"),
    ("put any clean mug in the sink", "(exists (?x - mug) (and (clean ?x) (in ?x sink1)))"),
    ("if any mug is dirty, open the fridge", "(open fridge1)"),
]


@pytest.mark.parametrize(("said", "goal"), ALL, ids=[case[0][:50] for case in ALL])
def test_all_are_meant_where_it_is_said_how_things_shall_be(reasoner, situation, said, goal):
    assert show(reasoner.understand(said, situation).goal) == goal


@pytest.mark.parametrize(("said", "goal"), ANY, ids=[case[0][:50] for case in ANY])
def test_any_one_will_do_where_the_choice_is_left(reasoner, situation, said, goal):
    assert show(reasoner.understand(said, situation).goal) == goal


def test_what_was_not_done_before_is_not_guessed(reasoner, situation):
    with pytest.raises(NotUnderstoodError, match="was not said before"):
        reasoner.understand("put everything you chopped on the counter", situation)
