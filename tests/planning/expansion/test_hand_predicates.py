"""Which predicates mean that the hand is free and that it holds something."""

from __future__ import annotations

import pytest
from expansions import NAMES, base_problem, told
from hypothesis import HealthCheck, given, settings
from random_bases import tasks

from foretree.planning.expansion.expansion_errors import (
    AmbiguousHandPredicateError,
    HandPredicateNotFoundError,
)
from foretree.planning.expansion.hand_predicates import HandPredicate, find_hand_predicates
from foretree.planning.expansion.options import Expansion
from foretree.planning.pddl.parser import parse_domain
from foretree.planning.pddl.writer import write_domain

FOUND = {
    "arms": (HandPredicate("arm_free", robot=0, hand=1), [HandPredicate("grasped", robot=1, hand=2, item=0)]),
    "blocks": (HandPredicate("handempty"), [HandPredicate("holding", item=0)]),
    "counter": (HandPredicate("hand-empty"), [HandPredicate("held", item=0)]),
    "crew": (HandPredicate("idle", robot=0), [HandPredicate("in_gripper", robot=0, item=1)]),
    "grippers": (HandPredicate("unused", hand=0), [HandPredicate("carry", hand=1, item=0)]),
    "nested": (HandPredicate("hand_free"), [HandPredicate("grasped", item=0)]),
    "painting": (HandPredicate("gripper_empty"), [HandPredicate("gripped", item=0)]),
    "pantry": (HandPredicate("handempty"), [HandPredicate("holding", item=0)]),
    "robby": (HandPredicate("empty-handed", robot=0), [HandPredicate("has", robot=0, item=1)]),
    "shelves": (HandPredicate("free"), [HandPredicate("inhand", item=0)]),
    "toolbox": (
        HandPredicate("hand_empty"),
        [HandPredicate("holding_thing", item=0), HandPredicate("wielding", item=0)],
    ),
    "tray": (HandPredicate("hand_empty"), [HandPredicate("holding", item=0)]),
    "trolley": (HandPredicate("hand_empty"), [HandPredicate("holding", item=0)]),
    "workshop": (HandPredicate("nothing_held"), [HandPredicate("held", item=0)]),
}


def test_the_corpus_is_large_enough():
    assert len(NAMES) >= 12
    assert set(FOUND) == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_the_corpus(name):
    anchors = find_hand_predicates(base_problem(name).domain, told(name))
    assert (anchors.hand_free, list(anchors.holding)) == FOUND[name]
    assert anchors.exclusive


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(tasks())
def test_random_domains_are_understood_or_refused(task):
    problem, _, _ = task
    try:
        found = find_hand_predicates(problem.domain)
    except AmbiguousHandPredicateError:
        return
    assert found.hand_free.name == "unbusy"
    assert [predicate.name for predicate in found.holding] == ["has"]


# -- one operator more or less -------------------------------------------------------------------------
def domain(predicates: str, *actions: str, types: str = ""):
    """A domain of actions, each written ``name (parameters) pre: … eff: …``."""
    written = []
    for action in actions:
        name, rest = action.split(" ", 1)
        parameters, rest = rest.split(" pre: ")
        condition, effect = rest.split(" eff: ")
        written.append(
            f"(:action {name} :parameters {parameters} :precondition (and {condition}) :effect (and {effect}))"
        )
    section = f"(:types {types})" if types else ""
    return parse_domain(f"(define (domain d) {section} (:predicates {predicates}) {' '.join(written)})")


PICK = "pick (?x) pre: (free) (lies ?x) eff: (held ?x) (not (free)) (not (lies ?x))"
PUT = "put (?x) pre: (held ?x) eff: (not (held ?x)) (free) (lies ?x)"
LAMP_ON = "switch_on (?l) pre: (dark) eff: (lit ?l) (not (dark))"
LAMP_OFF = "switch_off (?l) pre: (lit ?l) eff: (not (lit ?l)) (dark)"


def test_a_pair_that_is_no_hand_does_not_confuse():
    both = domain("(free) (held ?x) (lies ?x) (dark) (lit ?l)", PICK, PUT, LAMP_ON, LAMP_OFF)
    anchors = find_hand_predicates(both)
    assert anchors.hand_free == HandPredicate("free")
    assert anchors.holding == (HandPredicate("held", item=0),)


def test_disks_that_move_between_pegs_are_not_held():
    move = (
        "move (?d ?from ?to) pre: (on ?d ?from) (clear ?to) "
        "eff: (on ?d ?to) (clear ?from) (not (on ?d ?from)) (not (clear ?to))"
    )
    with pytest.raises(
        HandPredicateNotFoundError, match="there must be an operator that makes the one false"
    ):
        find_hand_predicates(domain("(on ?d ?p) (clear ?p)", move))


@pytest.mark.parametrize("needed", ["", "(busy)"])
def test_a_hand_that_is_busy_instead_of_free_is_seen_but_refused(needed):
    pick = "pick (?x) pre: (not (busy)) (lies ?x) eff: (held ?x) (busy) (not (lies ?x))"
    put = f"put (?x) pre: (held ?x) {needed} eff: (not (held ?x)) (not (busy)) (lies ?x)"
    with pytest.raises(
        HandPredicateNotFoundError, match=r"\(busy\) may be the opposite, true while \(held \?x\) is"
    ):
        find_hand_predicates(domain("(busy) (held ?x) (lies ?x)", pick, put))


def test_two_hands_with_names_of_their_own_are_ambiguous():
    actions = []
    for side in ("left", "right"):
        actions += [
            PICK.replace("free", f"{side}_free")
            .replace("held", f"in_{side}")
            .replace("pick", f"pick_{side}"),
            PUT.replace("free", f"{side}_free").replace("held", f"in_{side}").replace("put", f"put_{side}"),
        ]
    two = domain("(left_free) (right_free) (in_left ?x) (in_right ?x) (lies ?x)", *actions)
    with pytest.raises(AmbiguousHandPredicateError) as caught:
        find_hand_predicates(two)
    message = str(caught.value)
    for part in ("(left_free) with (in_left ?x)", "(right_free) with (in_right ?x)", "hand_free: left_free"):
        assert part in message
    anchors = find_hand_predicates(two, Expansion(hand_free="right_free"))
    assert anchors.holding == (HandPredicate("in_right", item=0),)


def test_two_predicates_that_come_together_are_ambiguous():
    pick = PICK.replace("(held ?x)", "(held ?x) (lifted ?x)")
    put = PUT.replace("eff:", "eff: (not (lifted ?x))")
    synonyms = domain("(free) (held ?x) (lifted ?x) (lies ?x)", pick, put)
    with pytest.raises(
        AmbiguousHandPredicateError, match=r'"pick" makes \(held \?x\) and \(lifted \?x\) true at once'
    ):
        find_hand_predicates(synonyms)
    assert find_hand_predicates(synonyms, Expansion(holding=("lifted",))).holding == (
        HandPredicate("lifted", item=0),
    )


def test_what_says_how_a_thing_is_held_is_not_holding():
    pick = "pick (?x ?how) pre: (free) (lies ?x) eff: (held ?x) (grip ?x ?how) (not (free)) (not (lies ?x))"
    put = "put (?x ?how) pre: (held ?x) (grip ?x ?how) eff: (not (held ?x)) (not (grip ?x ?how)) (free) (lies ?x)"
    anchors = find_hand_predicates(domain("(free) (held ?x) (grip ?x ?how) (lies ?x)", pick, put))
    assert [predicate.name for predicate in anchors.holding] == ["held"]


WHO = (
    "pick (?a ?x ?p) pre: (free ?a) (lies ?x ?p) eff: (held ?a ?x) (not (free ?a)) (not (lies ?x ?p))",
    "put (?a ?x ?p) pre: (held ?a ?x) eff: (not (held ?a ?x)) (free ?a) (lies ?x ?p)",
)


def test_an_argument_that_nothing_explains_is_refused():
    unclear = domain("(free ?a) (held ?a ?x) (lies ?x ?p)", *WHO)
    with pytest.raises(
        AmbiguousHandPredicateError, match=r"which arguments of \(free \?a\) are a robot and which a hand"
    ):
        find_hand_predicates(unclear)
    named = Expansion(hand_free="(free ?hand)", holding=("(held ?hand ?item)",))
    anchors = find_hand_predicates(unclear, named)
    assert anchors.hand_free == HandPredicate("free", hand=0)
    assert anchors.holding == (HandPredicate("held", hand=0, item=1),)


def test_types_explain_an_argument():
    typed = domain(
        "(free ?a - manipulator) (held ?a - manipulator ?x) (lies ?x ?p)",
        *(action.replace("(?a ?x ?p)", "(?a - manipulator ?x ?p)") for action in WHO),
        types="manipulator",
    )
    assert find_hand_predicates(typed).hand_free == HandPredicate("free", hand=0)


def test_held_may_name_the_robot_though_free_does_not():
    pick = PICK.replace("(held ?x)", "(in_gripper ?r ?x)").replace("pick (?x)", "pick (?r ?x)")
    put = PUT.replace("(held ?x)", "(in_gripper ?r ?x)").replace("put (?x)", "put (?r ?x)")
    anchors = find_hand_predicates(domain("(free) (in_gripper ?r ?x) (lies ?x)", pick, put))
    assert anchors.hand_free == HandPredicate("free")
    assert anchors.holding == (HandPredicate("in_gripper", robot=0, item=1),)


def test_letting_go_in_two_steps_must_be_named():
    drop = "drop (?x) pre: (held ?x) eff: (not (held ?x)) (lies ?x) (dirty)"
    wash = "wash () pre: (dirty) eff: (not (dirty)) (free)"
    two_steps = domain("(free) (held ?x) (lies ?x) (dirty)", PICK, drop, wash)
    with pytest.raises(HandPredicateNotFoundError):
        find_hand_predicates(two_steps)
    anchors = find_hand_predicates(two_steps, Expansion(hand_free="free", holding=("held",)))
    assert anchors.holding == (HandPredicate("held", item=0),)
    assert not anchors.exclusive


def test_a_hand_that_holds_any_number_is_not_exclusive():
    greedy = PICK.replace("(free) (lies", "(lies")
    assert not find_hand_predicates(domain("(free) (held ?x) (lies ?x)", greedy, PUT)).exclusive


# -- mistakes in what is named ---------------------------------------------------------------------------
def test_a_name_that_is_no_predicate():
    blocks = base_problem("blocks").domain
    with pytest.raises(
        HandPredicateNotFoundError, match=r'hand_free names "handemty".*Did you mean handempty'
    ):
        find_hand_predicates(blocks, Expansion(hand_free="handemty"))
    with pytest.raises(HandPredicateNotFoundError, match=r'holding names "hold".*Did you mean holding'):
        find_hand_predicates(blocks, Expansion(holding=("hold",)))


def test_names_that_no_effects_pair():
    with pytest.raises(HandPredicateNotFoundError, match="with hand_free: clear means") as caught:
        find_hand_predicates(base_problem("blocks").domain, Expansion(hand_free="clear"))
    assert caught.value.option == "hand_free"


@pytest.mark.parametrize(
    "text", ["(in_gripper ?robot)", "(in_gripper ?robot ?thing)", "(in_gripper ?item ?item)"]
)
def test_arguments_that_are_not_explained_in_full(text):
    with pytest.raises(HandPredicateNotFoundError, match="write one word for each"):
        find_hand_predicates(base_problem("crew").domain, Expansion(holding=(text,)))


# -- names ----------------------------------------------------------------------------------------
def numbered(name: str):
    """Predicates whose arguments are only numbered; the operators call them by *name*."""
    pick = f"pick (?b ?t {name}) pre: (calm {name}) (lies ?b ?t) eff: (has {name} ?b) (not (calm {name})) (not (lies ?b ?t))"
    put = f"put (?b ?t {name}) pre: (has {name} ?b) eff: (not (has {name} ?b)) (calm {name}) (lies ?b ?t)"
    return domain("(calm ?x0) (has ?x0 ?x1) (lies ?x0 ?x1)", pick, put)


@pytest.mark.parametrize(("name", "role"), [("?r", "robot"), ("?gripper", "hand")])
def test_what_operators_call_an_argument_tells_where_its_declaration_says_nothing(name, role):
    anchors = find_hand_predicates(numbered(name))
    assert getattr(anchors.hand_free, role) == 0
    assert getattr(anchors.holding[0], role) == 0
    assert anchors.holding[0].item == 1


def test_operators_that_do_not_agree_tell_nothing():
    text = write_domain(numbered("?r"))
    head, put = text.split("(:action put")
    with pytest.raises(AmbiguousHandPredicateError, match="unclear which arguments"):
        find_hand_predicates(parse_domain(f"{head}(:action put{put.replace('?r', '?q')}"))


@pytest.mark.parametrize("condition", ["(in-gripper ?x) (not (gripper-empty))", "(not (gripper-empty))"])
def test_an_empty_hand_that_must_not_be_empty_before_is_none_that_is_busy(condition):
    pick = (
        "pick (?x) pre: (gripper-empty) (lies ?x) eff: (in-gripper ?x) (not (gripper-empty)) (not (lies ?x))"
    )
    put = f"put (?x) pre: {condition} eff: (not (in-gripper ?x)) (gripper-empty) (lies ?x)"
    anchors = find_hand_predicates(domain("(gripper-empty) (in-gripper ?x) (lies ?x)", pick, put))
    assert anchors.hand_free == HandPredicate("gripper-empty")
    assert anchors.holding == (HandPredicate("in-gripper", item=0),)
