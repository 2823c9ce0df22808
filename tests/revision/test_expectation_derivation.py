"""Deriving expectations: which guard checks what, for each skill of the household."""

from __future__ import annotations

import pytest
from at_home import HOUSE, AtHome, catalogue, house

from foretree.planning.pddl.parser import parse_domain
from foretree.planning.pddl.syntax import FALSE, TRUE, And, Literal, Not, Or, show
from foretree.revision.derivation import ChangeableFacts, derive_expectations, guard_of, without_static
from foretree.world_model.beliefs.facts import PredicateInfo, Truth, Vocabulary

#: For each skill, an action and what its guards check, when the plan needs all that it does.
#: ``*`` marks a purpose.
EXPECTED = {
    "move robot1 kitchen table1": """
        presence (rob_at_node robot1 kitchen)
        presence (connected kitchen table1)""",
    "open_door robot1 left door1 door1_kitchen_side door1_hall_side": """
        presence (rob_at_node robot1 door1_kitchen_side)
        presence (hand_free robot1 left)
        attribute (not (open door1))
        attribute* (not (open door1))
        relationship* (not (and (connected door1_kitchen_side door1_hall_side) (connected door1_hall_side door1_kitchen_side)))""",
    "close_door robot1 left door1 door1_kitchen_side door1_hall_side": """
        presence (rob_at_node robot1 door1_kitchen_side)
        presence (hand_free robot1 left)
        attribute (open door1)
        attribute* (not (not (open door1)))""",
    "open robot1 left fridge1": """
        presence (rob_at_node robot1 fridge1)
        presence (hand_free robot1 left)
        attribute (not (open fridge1))
        attribute* (not (open fridge1))""",
    "open robot1 left microwave1": """
        presence (rob_at_node robot1 microwave1)
        presence (hand_free robot1 left)
        attribute (not (open microwave1))
        attribute (not (turned_on microwave1))
        attribute* (not (open microwave1))""",
    "close robot1 left fridge1": """
        presence (rob_at_node robot1 fridge1)
        presence (hand_free robot1 left)
        attribute (open fridge1)
        attribute* (not (not (open fridge1)))""",
    "turn_on robot1 left microwave1": """
        presence (rob_at_node robot1 microwave1)
        presence (hand_free robot1 left)
        attribute (not (turned_on microwave1))
        attribute (not (open microwave1))
        attribute* (not (turned_on microwave1))""",
    "turn_off robot1 left microwave1": """
        presence (rob_at_node robot1 microwave1)
        presence (hand_free robot1 left)
        attribute (turned_on microwave1)
        attribute* (not (not (turned_on microwave1)))""",
    "pick robot1 left mango1 table1": """
        presence (rob_at_node robot1 table1)
        presence (hand_free robot1 left)
        presence (or (on mango1 table1) (under mango1 table1))
        appearance (class mango1 mango)""",
    "pick robot1 left mango1 fridge1": """
        presence (rob_at_node robot1 fridge1)
        presence (hand_free robot1 left)
        presence (in mango1 fridge1)
        appearance (class mango1 mango)
        attribute (open fridge1)""",
    "place_on robot1 left mango1 table1": """
        presence (rob_at_node robot1 table1)
        presence (holding robot1 left mango1)
        appearance (class mango1 mango)
        relationship* (not (on mango1 table1))""",
    "place_in robot1 left mango1 fridge1": """
        presence (rob_at_node robot1 fridge1)
        presence (holding robot1 left mango1)
        appearance (class mango1 mango)
        attribute (open fridge1)
        relationship* (not (in mango1 fridge1))""",
    "place_under robot1 left mango1 table1": """
        presence (rob_at_node robot1 table1)
        presence (holding robot1 left mango1)
        appearance (class mango1 mango)
        relationship* (not (under mango1 table1))""",
    "hang_on robot1 left cloth1 rack1": """
        presence (rob_at_node robot1 rack1)
        presence (holding robot1 left cloth1)
        appearance (class cloth1 cloth)
        relationship* (not (hung_on cloth1 rack1))""",
    "handover robot1 left mango1 person1": """
        presence (rob_at_node robot1 person1)
        presence (holding robot1 left mango1)
        appearance (class mango1 mango)
        relationship* (not (given mango1 person1))""",
    "wash robot1 left mug1 sink1": """
        presence (rob_at_node robot1 sink1)
        presence (holding robot1 left mug1)
        appearance (class mug1 mug)
        attribute* (not (clean mug1))""",
    "fill robot1 left mug1 sink1": """
        presence (rob_at_node robot1 sink1)
        presence (holding robot1 left mug1)
        appearance (class mug1 mug)
        attribute* (not (filled mug1))""",
    "heat robot1 left mango1 microwave1": """
        presence (rob_at_node robot1 microwave1)
        presence (hand_free robot1 left)
        presence (in mango1 microwave1)
        appearance (class mango1 mango)
        attribute (not (open microwave1))
        attribute* (not (and (hot mango1) (not (cold mango1))))""",
    "cool robot1 left mango1 fridge1": """
        presence (rob_at_node robot1 fridge1)
        presence (hand_free robot1 left)
        presence (in mango1 fridge1)
        appearance (class mango1 mango)
        attribute (not (open fridge1))
        attribute* (not (and (cold mango1) (not (hot mango1))))""",
    "cut robot1 left knife1 mango1 table1": """
        presence (rob_at_node robot1 table1)
        presence (holding robot1 left knife1)
        presence (on mango1 table1)
        appearance (class knife1 knife)
        appearance (class mango1 mango)
        attribute* (not (sliced mango1))""",
    "pour robot1 left kettle1 mug1 table1": """
        presence (rob_at_node robot1 table1)
        presence (holding robot1 left kettle1)
        presence (on mug1 table1)
        appearance (class kettle1 kettle)
        appearance (class mug1 mug)
        attribute (filled kettle1)
        attribute (not (filled mug1))
        attribute* (not (and (filled mug1) (not (filled kettle1))))""",
    "stir robot1 left spoon1 mug1 table1": """
        presence (rob_at_node robot1 table1)
        presence (holding robot1 left spoon1)
        presence (on mug1 table1)
        appearance (class spoon1 spoon)
        appearance (class mug1 mug)
        attribute (filled mug1)
        attribute* (not (stirred mug1))""",
    "scoop robot1 left spoon1 mug1 table1": """
        presence (rob_at_node robot1 table1)
        presence (holding robot1 left spoon1)
        presence (on mug1 table1)
        appearance (class spoon1 spoon)
        appearance (class mug1 mug)
        attribute (filled mug1)
        attribute* (not (laden spoon1))""",
    "fold robot1 left cloth1 table1": """
        presence (rob_at_node robot1 table1)
        presence (hand_free robot1 left)
        presence (on cloth1 table1)
        appearance (class cloth1 cloth)
        attribute* (not (folded cloth1))""",
    "wipe robot1 left cloth1 table1": """
        presence (rob_at_node robot1 table1)
        presence (holding robot1 left cloth1)
        appearance (class cloth1 cloth)
        attribute* (not (wiped table1))""",
    "inspect robot1 table1": """
        presence (rob_at_node robot1 table1)""",
}


@pytest.fixture(scope="module")
def home():
    items = {name: {"class": name[:-1], "on": "table1"} for name in ("kettle1", "spoon1", "cloth1")}
    furniture = {**HOUSE["furniture"], "rack1": {"class": "coat_rack", "room": "hall", "at": [9.3, 0.8]}}
    return AtHome(house(items=items, furniture=furniture))


def derived(home, words, needed=None):
    action = home.action(words)
    ground = home.context.task.ground(action)
    belief = home.context.belief
    products = [e.literal for e in ground.effects] if needed is None else needed
    classes = {
        name: entity.best_class for name in action.arguments if not (entity := belief.entity(name)).fixed
    }
    changes = ChangeableFacts(home.context.catalogue.domain)
    return derive_expectations(action, ground, products, classes, belief.vocabulary, changes, belief.truth)


@pytest.mark.parametrize("words", EXPECTED)
def test_each_guard_checks_what_the_skill_gives_it_to_check(home, words):
    found = [
        f"{guard}{'*' if expectation.purpose else ''} {show(expectation.formula)}"
        for guard, expectations in derived(home, words).items()
        for expectation in expectations
    ]
    assert found == [line.strip() for line in EXPECTED[words].strip().splitlines()]


def test_every_skill_of_the_household_is_covered():
    assert {words.split()[0] for words in EXPECTED} == set(catalogue().skills)


def test_an_expectation_knows_its_guard_and_its_action(home):
    for guard, expectations in derived(home, "pick robot1 left mango1 fridge1").items():
        for expectation in expectations:
            assert expectation.guard == guard
            assert expectation.action.startswith("a")


def test_without_a_need_there_is_no_purpose(home):
    """The mug has to be held at the sink, washed or not: nobody needs it clean."""
    assert not any(
        expectation.purpose
        for expectations in derived(home, "wash robot1 left mug1 sink1", needed=[]).values()
        for expectation in expectations
    )


def test_a_purpose_is_only_what_the_plan_needs(home):
    """Pouring may be about filling the mug or about emptying the kettle."""
    words = "pour robot1 left kettle1 mug1 table1"
    for literal in (Literal(("filled", "mug1")), Literal(("filled", "kettle1"), False)):
        purposes = [e for e in derived(home, words, [literal])["attribute"] if e.purpose]
        assert [e.formula for e in purposes] == [Not(And((literal,)))]


def test_a_place_that_something_leaves_is_no_purpose(home):
    assert "relationship" not in derived(home, "pick robot1 left mango1 table1")


def test_what_furniture_cannot_do_is_not_checked(home):
    """A sink cannot be shut, so whether it is open never grows stale."""
    assert "attribute" not in derived(home, "place_in robot1 left mango1 sink1")
    assert "attribute" in derived(home, "place_in robot1 left mango1 box1")


def test_a_class_is_only_expected_of_what_the_plan_has_classed(home):
    action = home.action("pick robot1 left mango1 table1")
    ground = home.context.task.ground(action)
    belief = home.context.belief
    changes = ChangeableFacts(home.context.catalogue.domain)
    found = derive_expectations(action, ground, (), {}, belief.vocabulary, changes, belief.truth)
    assert "appearance" not in found


# -- the parts -----------------------------------------------------------------------------------------------

TOY = parse_domain(
    """(define (domain toy) (:requirements :typing)
      (:predicates (lid ?x) (shut ?x) (lit ?x) (seen ?x) (fixed ?x))
      (:action shut :parameters (?x) :precondition (lid ?x) :effect (shut ?x))
      (:action light :parameters (?x) :precondition (not (fixed ?x)) :effect (lit ?x)))""",
    "toy",
)
WORDS = Vocabulary(
    {
        "seen": PredicateInfo("attribute", observable=True),
        "lit": PredicateInfo("attribute", observable=True),
        "place": PredicateInfo("place"),
        "rel": PredicateInfo("relation"),
        "att": PredicateInfo("attribute"),
    }
)


def oracle(*true):
    return lambda atom: Truth.TRUE if " ".join(atom) in true else Truth.FALSE


def lit(words):
    return Literal(tuple(words.removeprefix("not ").split()), not words.startswith("not "))


def test_what_an_action_can_change_stays():
    changes = ChangeableFacts(TOY)
    assert without_static(lit("shut box"), oracle("lid box"), changes, WORDS) == lit("shut box")
    assert "shut" in changes
    assert "lid" not in changes


def test_what_no_action_can_change_here_is_decided_now():
    changes = ChangeableFacts(TOY)
    assert without_static(lit("shut sink"), oracle(), changes, WORDS) == FALSE
    assert without_static(lit("not shut sink"), oracle(), changes, WORDS) == TRUE
    assert without_static(lit("lit sun"), oracle("fixed sun", "lit sun"), changes, WORDS) == TRUE
    assert without_static(lit("lit lamp"), oracle(), changes, WORDS) == lit("lit lamp")


def test_what_rests_on_something_unknown_may_still_change():
    changes = ChangeableFacts(TOY)
    assert without_static(lit("shut box"), lambda atom: Truth.UNKNOWN, changes, WORDS) == lit("shut box")


def test_what_only_others_change_stays_if_it_can_be_seen():
    assert without_static(lit("seen box"), oracle("seen box"), ChangeableFacts(TOY), WORDS) == lit("seen box")
    assert without_static(lit("lid box"), oracle("lid box"), ChangeableFacts(TOY), WORDS) == TRUE


def test_connectives_lose_what_is_decided():
    changes = ChangeableFacts(TOY)
    truth = oracle("lid box")
    shut = lit("shut box")
    assert without_static(And((lit("lid box"), shut)), truth, changes, WORDS) == shut
    assert without_static(And((lit("lid can"), shut)), truth, changes, WORDS) == FALSE
    assert without_static(Or((lit("lid can"), shut)), truth, changes, WORDS) == shut
    assert without_static(Or((lit("lid box"), shut)), truth, changes, WORDS) == TRUE
    two = Or((shut, lit("lit lamp"), lit("lid can")))
    assert without_static(two, truth, changes, WORDS) == Or((shut, lit("lit lamp")))


def test_a_formula_that_spans_kinds_belongs_to_the_outermost_guard():
    assert guard_of(lit("att x"), WORDS) == "attribute"
    assert guard_of(lit("rel x"), WORDS) == "relationship"
    assert guard_of(Or((lit("rel x"), lit("att x"))), WORDS) == "attribute"
    assert guard_of(Or((lit("att x"), lit("place x"))), WORDS) == "presence"
