"""Words of order, and the constraints that they make."""

import pytest

from foretree.planning.constraints.constraints import show_constraint
from foretree.planning.pddl.syntax import show
from foretree.reasoning.offline.commands import CommandReasoner
from foretree.reasoning.offline.sentences.sequence import Step, in_sequence, step_of

PLATE_FIRST = "(sometime-before (on mango1 counter1) (clean plate1))"
ORDERED = [
    ("rinse the plate, then put the mango on the counter", [PLATE_FIRST]),
    ("first rinse the plate and then put the mango on the counter", [PLATE_FIRST]),
    ("First rinse the plate. Put the mango on the counter.", [PLATE_FIRST]),
    ("rinse the plate; after that, put the mango on the counter", [PLATE_FIRST]),
    ("rinse the plate and put the mango on the counter afterwards", [PLATE_FIRST]),
    ("rinse the plate, and put the mango on the counter when you're done", [PLATE_FIRST]),
    ("put the mango on the counter, but rinse the plate first", [PLATE_FIRST]),
    ("the plate has to be washed. Afterwards, the mango belongs on the counter", [PLATE_FIRST]),
    ("1. rinse the plate 2. put the mango on the counter", [PLATE_FIRST]),
    ("if the plate is on table1, rinse it, then put the mango on the counter", [PLATE_FIRST]),
    (
        "rinse the plate, then open the fridge, and finally put the mango on the counter",
        [
            "(sometime-before (open fridge1) (clean plate1))",
            "(sometime-before (on mango1 counter1) (open fridge1))",
        ],
    ),
    (
        "rinse the plate, then put the mango and the knife on table1",
        ["(sometime-before (or (on mango1 table1) (on knife1 table1)) (clean plate1))"],
    ),
    (
        "rinse the plate, then put all the forks on the counter",
        ["(sometime-before (exists (?x3 - fork) (on ?x3 counter1)) (clean plate1))"],
    ),
    (
        "put two forks on the counter, then rinse the plate",
        [
            "(sometime-before (clean plate1) (exists (?x0 - fork ?x1 - fork) "
            "(and (not (= ?x0 ?x1)) (on ?x0 counter1) (on ?x1 counter1))))"
        ],
    ),
]
UNORDERED = [
    "rinse the plate and put the mango on the counter",
    "put the mango on the counter afterwards",
    "put the plate next to the mango",
    "if the fridge is closed, then open it",
    "rinse the plate, and if the fridge is closed, then open it",
    "go to the sink and then rinse the plate",
    "take a mug and rinse it, then put it on the counter",
]


@pytest.mark.parametrize(("said", "constraints"), ORDERED, ids=[said for said, _ in ORDERED])
def test_the_order_that_is_said_is_kept(situation, said, constraints):
    understood = CommandReasoner().understand(said, situation)
    assert [show_constraint(constraint) for constraint in understood.constraints] == constraints


@pytest.mark.parametrize("said", UNORDERED)
def test_where_no_order_is_said_none_is_kept(situation, said):
    assert CommandReasoner().understand(said, situation).constraints == ()


def test_each_of_several_readings_has_its_order(situation):
    understood = CommandReasoner().understand("rinse the mug, then put the mango on the counter", situation)
    assert understood.constraints == ()
    kept = {show(one.goal): [*map(show_constraint, one.constraints)] for one in understood.readings}
    assert kept == {
        f"(and (clean {mug}) (on mango1 counter1))": [f"(sometime-before (on mango1 counter1) (clean {mug}))"]
        for mug in ("mug1", "mug2")
    }


def test_words_know_their_steps():
    words = in_sequence(["first", "wash", "the", "plate", "and", "then", "dry", "it"], {"plate"})
    assert (step_of(words[:4]), step_of(words[5:])) == (Step(0, rest=False), Step(1))
    assert step_of(["wash", "the", "plate"]) is None
