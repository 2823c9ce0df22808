"""Instructions of states, conditions, orders and choices, and what they come to."""

import pytest

from foretree.planning.constraints.constraints import show_constraint
from foretree.planning.pddl.syntax import show
from foretree.reasoning.instruction_errors import InstructionError, NotUnderstoodError
from foretree.reasoning.offline.commands import CommandReasoner
from foretree.reasoning.offline.grammar.verb_forms import base_form, gerund, participle, third_person
from foretree.reasoning.offline.sentences.statements import Statement, statements_of

STATES = [
    ("the plate should be clean", "(clean plate1)"),
    ("I would like the plate to be clean", "(clean plate1)"),
    ("please make sure that the fridge is closed", "(not (open fridge1))"),
    ("could you see to it that the fridge is closed?", "(not (open fridge1))"),
    ("I want the fridge open", "(open fridge1)"),
    ("the plate needs washing", "(clean plate1)"),
    ("the plate needs to be washed", "(clean plate1)"),
    ("the plate could do with a wash", "(clean plate1)"),
    ("get the plate washed", "(clean plate1)"),
    ("the mango belongs in the fridge", "(in mango1 fridge1)"),
    ("the mango goes in the fridge", "(in mango1 fridge1)"),
    ("I want the mango in the fridge", "(in mango1 fridge1)"),
    ("the mango must not be on table1", "(not (on mango1 table1))"),
    ("the lamp has to be switched on", "(turned_on lamp1)"),
    ("the plate has to be washed and put into the sink", "(and (clean plate1) (in plate1 sink1))"),
]
CONDITIONS = [
    ("if the fridge is open, close it", "(not (open fridge1))"),
    ("if the fridge is closed, open it", "(open fridge1)"),
    ("close it if the fridge is open", "(not (open fridge1))"),
    ("open the fridge unless it is open", "(open fridge1)"),
    ("if the fridge is open, close it, otherwise open it", "(open fridge1)"),
    ("if the fridge is open close it. Otherwise wash the plate.", "(clean plate1)"),
    ("is the fridge closed? If so, open it.", "(open fridge1)"),
    ("is the fridge open? If not, open it.", "(open fridge1)"),
    ("if there is a cup on the dresser, put it into the sink", "(in cup1 sink1)"),
    ("if there is no tray on table1, wash the plate", "(clean plate1)"),
]
ORDERS = [
    ("after washing the plate, put it into the sink", "(and (clean plate1) (in plate1 sink1))"),
    ("before you put the plate into the sink, wash it", "(and (clean plate1) (in plate1 sink1))"),
    ("wash the plate before putting it into the sink", "(and (clean plate1) (in plate1 sink1))"),
    ("once the plate is clean, put it into the sink", "(and (clean plate1) (in plate1 sink1))"),
]


@pytest.mark.parametrize(("said", "goal"), [*STATES, *ORDERS], ids=[said for said, _ in (*STATES, *ORDERS)])
def test_states_and_orders_are_understood(situation, said, goal):
    assert show(CommandReasoner().understand(said, situation).goal) == goal


@pytest.mark.parametrize(("said", "goal"), CONDITIONS, ids=[said for said, _ in CONDITIONS])
def test_conditions_are_judged_by_what_is_believed(situation, said, goal):
    understood = CommandReasoner().understand(said, situation)
    assert show(understood.goal) == goal
    assert "so that" in understood.sentence or "it is not known whether" in understood.sentence


def test_one_of_two_requests_will_do(situation):
    goal = CommandReasoner().understand("either wash the plate or open the fridge", situation).goal
    assert show(goal) == "(or (clean plate1) (open fridge1))"


@pytest.mark.parametrize(
    "said",
    [
        "if the moon is full, open the fridge",
        "open the fridge if",
        "if the fridge is open",
        "wash the plate before",
        "bring me the mango without opening the fridge and dancing",
    ],
)
def test_what_is_not_wholly_understood_is_refused(situation, said):
    with pytest.raises(InstructionError):
        CommandReasoner().understand(said, situation)


LIMITS = [
    ("don't open the fridge", "(and)", ["(never-use open fridge1)"]),
    ("you must not open the fridge", "(and)", ["(never-use open fridge1)"]),
    ("wash the plate without opening the fridge", "(clean plate1)", ["(never-use open fridge1)"]),
    ("wash the plate, but never open the fridge", "(clean plate1)", ["(never-use open fridge1)"]),
    ("don't touch the mango", "(and)", ["(never-use * mango1)"]),
    ("wash the plate and leave the mango alone", "(clean plate1)", ["(never-use * mango1)"]),
    ("hands off the mango", "(and)", ["(never-use * mango1)"]),
    ("keep the fridge closed", "(not (open fridge1))", ["(always (not (open fridge1)))"]),
    ("the fridge has to stay closed", "(not (open fridge1))", ["(always (not (open fridge1)))"]),
    ("don't put anything on table1", "(and)", ["(always (forall (?x - item) (not (on ?x table1))))"]),
    ("don't leave the mango on table1", "(not (on mango1 table1))", []),
    ("if the fridge is closed, don't open it", "(and)", ["(never-use open fridge1)"]),
    ("if the fridge is open, don't close it", "(and)", []),
    ("don't forget to wash the plate", "(clean plate1)", []),
    ("you don't have to wash the plate, just put it into the sink", "(in plate1 sink1)", []),
    (
        "wash the plate before putting it into the sink",
        "(and (clean plate1) (in plate1 sink1))",
        ["(sometime-before (in plate1 sink1) (clean plate1))"],
    ),
]


@pytest.mark.parametrize(("said", "goal", "constraints"), LIMITS, ids=[said for said, *_ in LIMITS])
def test_what_must_not_be_done_is_a_constraint(situation, said, goal, constraints):
    understood = CommandReasoner().understand(said, situation)
    assert show(understood.goal) == goal
    assert [show_constraint(constraint) for constraint in understood.constraints] == constraints


def test_an_instruction_is_taken_apart():
    said = "if the fridge is open , close it , but don't touch the milk . otherwise wash the mug"
    assert statements_of(said.split(), {"close", "wash"}) == [
        Statement(
            ("close", "it"),
            condition=("the", "fridge", "is", "open"),
            otherwise=("wash", "the", "mug"),
            prohibitions=(("touch", "the", "milk"),),
        )
    ]


@pytest.mark.parametrize(
    ("verb", "forms"),
    [
        ("wash", ("washed", "washing", "washes")),
        ("put", ("put", "putting", "puts")),
        ("chop", ("chopped", "chopping", "chops")),
        ("tidy", ("tidied", "tidying", "tidies")),
        ("open", ("opened", "opening", "opens")),
        ("take", ("taken", "taking", "takes")),
    ],
)
def test_verbs_have_forms(verb, forms):
    assert (participle(verb), gerund(verb), third_person(verb)) == forms
    assert {base_form(form, {verb}) for form in forms[1:]} == {verb}


@pytest.mark.parametrize(
    ("said", "goal"),
    [
        ("Hey robot, could you please wash the plate, thanks!", "(clean plate1)"),
        ("be a dear and pop the mango into the fridge, would you?", "(in mango1 fridge1)"),
        ("I was wondering if you could chuck the mango in the basket", "(in mango1 basket1)"),
        ("put in the fridge the mango", "(in mango1 fridge1)"),
        ("while you're at it, give the plate a wash", "(clean plate1)"),
        ("wash the plate and after put it into the sink", "(and (clean plate1) (in plate1 sink1))"),
        ("mango into the fridge, please", "(in mango1 fridge1)"),
        ("lamp on please", "(turned_on lamp1)"),
    ],
)
def test_people_have_many_ways_to_ask(situation, said, goal):
    understood = CommandReasoner().understand(said, situation)
    assert (show(understood.goal), understood.constraints) == (goal, ())


@pytest.mark.parametrize(
    ("said", "goal"),
    [
        ("the plate should be spotless", "(clean plate1)"),
        ("table1 ought to be squeaky clean", "(wiped table1)"),
        ("I want the mango nice and cold", "(cold mango1)"),
        ("make sure the fridge is wide open", "(open fridge1)"),
        ("the lamp must be lit", "(turned_on lamp1)"),
    ],
)
def test_states_have_many_names(situation, said, goal):
    assert show(CommandReasoner().understand(said, situation).goal) == goal


@pytest.mark.parametrize(
    ("said", "goal"),
    [
        ("the mango, please", "(given mango1 anna)"),
        ("I'd like the mango", "(given mango1 anna)"),
        ("could I have the mango?", "(given mango1 anna)"),
        ("I want to eat the mango", "(given mango1 anna)"),
        ("pass the mango", "(given mango1 anna)"),
        ("why don't you wash the plate?", "(clean plate1)"),
        ("could the mango go into the fridge?", "(in mango1 fridge1)"),
        (
            "1. open the fridge 2. put the mango in 3. close it",
            "(and (in mango1 fridge1) (not (open fridge1)))",
        ),
        ("wash the plate or the fork on the dresser", "(or (clean plate1) (clean fork2))"),
    ],
)
def test_requests_are_put_in_many_ways(situation, said, goal):
    assert show(CommandReasoner().understand(said, situation).goal) == goal


@pytest.mark.parametrize(
    ("said", "goal"),
    [
        (
            "in case the fridge is open, close it, and in any case turn on the lamp",
            "(and (not (open fridge1)) (turned_on lamp1))",
        ),
        (
            "wash the plate unless it is clean, put the mango into the fridge",
            "(and (clean plate1) (in mango1 fridge1))",
        ),
        ("I'd love it if the plate was clean", "(clean plate1)"),
        ("it is important to me that the lamp is off", "(not (turned_on lamp1))"),
        ("the plate should be clean when I go to bed", "(clean plate1)"),
    ],
)
def test_no_part_of_what_was_said_is_lost(situation, said, goal):
    assert show(CommandReasoner().understand(said, situation).goal) == goal


def test_a_need_is_not_read_into_more_than_it_says(situation):
    found = CommandReasoner().understand("it's pouring outside, so my coat and my towel", situation)
    assert show(found.goal) == "(and (given coat1 anna) (given towel1 anna))"
    with pytest.raises(InstructionError):
        CommandReasoner().understand("put the plate on the sofa when I go to bed", situation)


@pytest.mark.parametrize(
    ("said", "goal"),
    [
        # The opposite of the condition is wished for in any case, even if it is not known whether that holds.
        ("if the lamp is still on, switch it off", "(not (turned_on lamp1))"),
        ("unless the fridge is open, open it", "(open fridge1)"),
        ("if the fridge is open, close it, otherwise open it", "(open fridge1)"),
        # What is said to be somewhere must be there.
        ("if there is a bottle in the fridge, bring it to me", "(and)"),
        ("if there is a bottle on the counter, bring it to me", "(given bottle1 anna)"),
    ],
)
def test_a_condition_is_told_from_what_shall_be_done(reasoner, situation, said, goal):
    assert show(reasoner.understand(said, situation).goal) == goal


def test_a_request_must_mean_something_though_its_condition_does_not_hold(reasoner, situation):
    with pytest.raises(NotUnderstoodError):
        reasoner.understand("if the fridge is open, make the table fly", situation)


@pytest.mark.parametrize(
    "said",
    [
        "see to it that the lamp is off, that the plate is washed and that the bottle is on table1",
        "it would be great if the lamp was off, the plate was clean and the bottle was on table1",
        "would be lovely if the lamp were off, the plate washed and the bottle on table1",
    ],
)
def test_a_wish_goes_on_through_several_clauses(reasoner, situation, said):
    found = reasoner.understand(said, situation)
    assert show(found.goal) == "(and (not (turned_on lamp1)) (clean plate1) (on bottle1 table1))"


def test_what_is_to_be_kept_but_is_not_so_yet_must_become_so(reasoner, situation):
    found = reasoner.understand("keep the bottle in the fridge", situation)
    assert (show(found.goal), found.constraints) == ("(in bottle1 fridge1)", ())
