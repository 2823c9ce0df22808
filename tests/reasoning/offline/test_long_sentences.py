"""Constructions of long sentences: what is said once for several things, set against others, put right, told besides."""

import pytest

from foretree.planning.constraints.constraints import show_constraint
from foretree.planning.pddl.syntax import show
from foretree.reasoning.instruction_errors import InstructionError
from foretree.reasoning.offline.commands import CommandReasoner

GOALS = [
    # What comes next goes the same way.
    ("put the plate in the sink, then the knife", "(and (in plate1 sink1) (in knife1 sink1))"),
    ("bring me the coat, then the bottle", "(and (given coat1 anna) (given bottle1 anna))"),
    ("put the plate in the sink. Next, the knife.", "(and (in plate1 sink1) (in knife1 sink1))"),
    (
        "put the plate in the sink, then the knife on table1",
        "(and (in plate1 sink1) (on knife1 table1))",
    ),
    (
        "put the plate in the sink, then the knife and the bottle on table1",
        "(and (in plate1 sink1) (on knife1 table1) (on bottle1 table1))",
    ),
    (
        "the fridge should be closed, the dishwasher too",
        "(and (not (open fridge1)) (not (open dishwasher1)))",
    ),
    # So does what is said to.
    ("rinse the plate; do the same with the knife", "(and (clean plate1) (clean knife1))"),
    ("rinse the plate, and the same goes for the knife", "(and (clean plate1) (clean knife1))"),
    ("put the coat on the sofa and the bottle likewise", "(and (on coat1 sofa1) (on bottle1 sofa1))"),
    ("put the bottle where the coat is and vice versa", "(and (on bottle1 sofa1) (on coat1 counter1))"),
    # One thing here but another there.
    ("put the plate in the sink but the knife on table1", "(and (in plate1 sink1) (on knife1 table1))"),
    ("not only the plate but also the knife should be clean", "(and (clean plate1) (clean knife1))"),
    # The other place.
    ("take the plate from table1 and put it on the other one", "(on plate1 table2)"),
    ("rinse the plate from table1 and the mango from the other one", "(and (clean plate1) (clean mango1))"),
    ("bring me the mug from the table with the plate", "(given mug1 anna)"),
    # Told by the way.
    ("bring me the mug, which is on table1, and rinse the plate", "(and (given mug1 anna) (clean plate1))"),
    ("put the bottle, which I bought on Monday, in the sink", "(in bottle1 sink1)"),
    ("put the knife on table1, where everybody can see it", "(on knife1 table1)"),
    # Where something is washed.
    (
        "rinse the plate on table1 in the sink and put it on the counter",
        "(and (clean plate1) (on plate1 counter1))",
    ),
    # Told apart by more words than are needed.
    ("put the knife on the table with the plate, not the other one", "(on knife1 table1)"),
    ("put the bottle, together with the knife, on table1", "(and (on bottle1 table1) (on knife1 table1))"),
    ("put the knife on the table in the living-room", "(on knife1 table2)"),
    ("the plate is dirty, isn't it, so rinse it", "(clean plate1)"),
    # How it shall be in more than one respect.
    ("have the plate clean, and in the sink", "(and (clean plate1) (in plate1 sink1))"),
    ("make sure the plate is clean and in the sink before dinner", "(and (clean plate1) (in plate1 sink1))"),
    (
        "open the fridge, put the bottle and the mango in and close it",
        "(and (in bottle1 fridge1) (in mango1 fridge1) (not (open fridge1)))",
    ),
    # Checked first.
    ("see whether the mug on table1 is dirty, and if so rinse it", "(clean mug1)"),
    ("have a look where the coat is and bring it to me", "(given coat1 anna)"),
    ("bring me the bottle if there is any left", "(given bottle1 anna)"),
    ("if we've still got a bottle anywhere, bring it to me", "(given bottle1 anna)"),
    ("bring me the coat in case we go out", "(given coat1 anna)"),
    (
        "bring me the coat, in case it gets cold, and the shirt",
        "(and (given coat1 anna) (given shirt1 anna))",
    ),
    # Asked for in a roundabout way.
    ("may I trouble you for the coat?", "(given coat1 anna)"),
    ("I wouldn't say no to the mango", "(given mango1 anna)"),
    ("what would you say to rinsing the plate?", "(clean plate1)"),
    ("I need someone to rinse the plate", "(clean plate1)"),
    # Several things wished in a row, or told one by one.
    (
        "make sure the fridge is closed, the lamp is on, and the plate is clean",
        "(and (not (open fridge1)) (turned_on lamp1) (clean plate1))",
    ),
    (
        "as for the plate, it should be clean; as for the knife, in the sink",
        "(and (clean plate1) (in knife1 sink1))",
    ),
    (
        "I wonder whether it might be possible for you to rinse the plate and put it in the sink",
        "(and (clean plate1) (in plate1 sink1))",
    ),
    ("the lamp is off, and while you're in the kitchen, the mug on table1 needs a wash", "(clean mug1)"),
    ("no mug should be left on a table", "(forall (?x - mug) (forall (?y - table) (not (on ?x ?y))))"),
    # Put right.
    ("put it, the bottle I mean, in the sink", "(in bottle1 sink1)"),
    ("bring me the coat, sorry, the shirt", "(given shirt1 anna)"),
    (
        "put the plate and the knife, no, the bottle, on table2",
        "(and (on plate1 table2) (on bottle1 table2))",
    ),
    ("rinse the plate, put it in the sink, no, bring it to me", "(and (clean plate1) (given plate1 anna))"),
    ("bring me the coat, actually, the shirt too", "(and (given coat1 anna) (given shirt1 anna))"),
    ("bring me the coat and, oh yes, the shirt", "(and (given coat1 anna) (given shirt1 anna))"),
]


@pytest.mark.parametrize(("said", "goal"), GOALS, ids=[said for said, _ in GOALS])
def test_each_part_is_understood(situation, said, goal):
    assert show(CommandReasoner().understand(said, situation).goal) == goal


def test_what_is_next_is_done_in_that_order(situation):
    found = CommandReasoner().understand("put the plate in the sink, then the knife", situation)
    assert [show_constraint(one) for one in found.constraints] == [
        "(sometime-before (in knife1 sink1) (in plate1 sink1))"
    ]


def test_what_is_left_as_it_is_takes_no_place_in_the_order(situation):
    said = "put the bottle in the fridge, then leave the fridge open"
    found = CommandReasoner().understand(said, situation)
    assert show(found.goal) == "(and (in bottle1 fridge1) (open fridge1))"
    assert not found.constraints


@pytest.mark.parametrize(
    "said",
    [
        "rinse the plate and, once it's clean, put it in the sink",
        "rinse the plate and then, once it's clean, put it in the sink",
    ],
)
def test_a_state_that_is_asked_for_before_is_waited_for(situation, said):
    found = CommandReasoner().understand(said, situation)
    assert [show_constraint(one) for one in found.constraints] == [
        "(sometime-before (in plate1 sink1) (clean plate1))"
    ]


def test_before_that_is_first(situation):
    found = CommandReasoner().understand("rinse the plate, but before that open the fridge", situation)
    assert show(found.goal) == "(and (clean plate1) (open fridge1))"
    assert [show_constraint(one) for one in found.constraints] == [
        "(sometime-before (clean plate1) (open fridge1))"
    ]


def test_what_may_happen_first_is_a_condition(situation):
    with pytest.raises(InstructionError, match="condition"):
        CommandReasoner().understand("in case somebody rings, open the fridge", situation)


def test_what_is_told_by_the_way_is_said_to_be_left_out(situation):
    found = CommandReasoner().understand("put the bottle, which used to be blue, in the sink", situation)
    assert 'nothing else is done about "which used to be blue"' in found.sentence


@pytest.mark.parametrize(
    "said",
    [
        "put the bottle, which you must never touch, in the sink",
        "rinse the plate, which has to be put in the cupboard",
        "bring me the coat and the shirt, no, the bottle",
        "bring me the coat, or if there isn't one, the shirt",
    ],
)
def test_what_changes_the_request_is_not_left_out(situation, said):
    with pytest.raises(InstructionError):
        CommandReasoner().understand(said, situation)


def test_which_one_is_meant_is_not_guessed_from_what_is_told_besides(situation):
    found = CommandReasoner().understand("wash the fork, which used to be blue", situation)
    assert [show(one.goal) for one in found.readings] == ["(clean fork1)", "(clean fork2)"]
