"""What each rule of expansion makes of an operator."""

from __future__ import annotations

import pytest
from expansions import base_problem

from foretree.planning.expansion.expand import expand
from foretree.planning.expansion.expansion_errors import NameClashError, UnexpandableOperatorError
from foretree.planning.expansion.options import Expansion
from foretree.planning.pddl.parser import parse_domain
from foretree.planning.pddl.syntax import TRUE, And, Cost, show
from foretree.planning.semantics.evaluation import conjuncts

HEAD = """
(define (domain d)
  (:types place thing colour - object big small - thing)
  (:constants table - place black - colour)
  (:predicates (empty) (held ?x - thing) (on ?x - thing ?y - object) (in ?x - thing ?y - object) (hot ?x - thing)
               (lit ?p - place) (painted ?x - thing ?c - colour) (heavy ?x - thing) (happy) (open ?x))
  (:action pick :parameters (?x - thing ?y - place) :precondition (and (empty) (on ?x ?y))
    :effect (and (held ?x) (not (empty)) (not (on ?x ?y))))
  (:action put :parameters (?x - thing ?y - place) :precondition (held ?x)
    :effect (and (not (held ?x)) (empty) (on ?x ?y)))
"""
HERE = Expansion(navigation=True)
CARRY = Expansion(carry=("on", "in"))
HANDS = Expansion(hands=2)


def grown(action: str, options: Expansion):
    """The operator ``act`` after expansion."""
    return expand(parse_domain(f"{HEAD} (:action act {action}))"), options).operators["act"]


def needs(operator) -> set[str]:
    return {show(part) for part in conjuncts(operator.precondition)}


def does(operator) -> set[str]:
    return {
        show(e.literal) if e.condition == TRUE else f"(when {show(e.condition)} {show(e.literal)})"
        for e in operator.effects
    }


def parameters(operator) -> list[str]:
    return [parameter.name for parameter in operator.parameters]


# -- places ----------------------------------------------------------------------------------------------
def test_what_is_not_held_is_at_the_node():
    act = grown(":parameters (?x ?z - thing ?p - place) :precondition (held ?x) :effect (hot ?z)", HERE)
    assert parameters(act) == ["?robot", "?x", "?z", "?p", "?node"]
    assert needs(act) == {
        "(rob_at_node ?robot ?node)",
        "(holding ?robot ?x)",
        "(obj_at_node ?z ?node)",
        "(obj_at_node ?p ?node)",
    }
    assert does(act) == {"(hot ?z)"}


def test_an_action_without_arguments_takes_place_somewhere_too():
    assert needs(grown(":parameters () :effect (happy)", HERE)) == {"(rob_at_node ?robot ?node)"}


def test_constants_are_somewhere():
    act = grown(":parameters (?x - thing) :precondition (on ?x table) :effect (lit table)", CARRY)
    assert needs(act) == {"(rob_at_node ?robot ?node)", "(on ?x table)", "(obj_at_node table ?node)"}


def test_what_is_nowhere_is_at_no_node():
    text = ":parameters (?x - thing ?c - colour) :precondition (and (empty) (painted ?x black)) :effect (painted ?x ?c)"
    with_colours = {f"(obj_at_node {thing} ?node)" for thing in ("?x", "?c", "black")}
    assert with_colours <= needs(grown(text, HERE))
    act = grown(text, HERE | Expansion(placeless=("colour",)))
    assert with_colours & needs(act) == {"(obj_at_node ?x ?node)"}
    act = grown(text, HERE | Expansion(placeless=("black",)))
    assert with_colours & needs(act) == {"(obj_at_node ?x ?node)", "(obj_at_node ?c ?node)"}


def test_what_may_be_held_may_be_in_the_hand():
    act = grown(":parameters (?x - thing ?p - place) :precondition (lit ?p) :effect (hot ?x)", HERE)
    assert "(or (obj_at_node ?x ?node) (holding ?robot ?x))" in needs(act)
    assert "(obj_at_node ?p ?node)" in needs(act)
    act = grown(":parameters (?x - thing) :effect (hot ?x)", HERE | HANDS)
    hand = "(exists (?any_hand - hand) (holding ?robot ?any_hand ?x))"
    assert f"(or (obj_at_node ?x ?node) {hand})" in needs(act)


def test_a_thing_that_is_not_held_is_not_in_the_hand():
    act = grown(":parameters (?x - thing) :precondition (not (held ?x)) :effect (hot ?x)", HERE)
    assert needs(act) == {"(rob_at_node ?robot ?node)", "(obj_at_node ?x ?node)"}


def test_grasping_and_letting_go_change_the_place():
    domain = expand(parse_domain(f"{HEAD})"), HERE)
    assert "(not (obj_at_node ?x ?node))" in does(domain.operators["pick"])
    assert "(obj_at_node ?x ?node)" in does(domain.operators["put"])


def test_letting_go_of_what_may_not_be_held_changes_the_place_only_if_it_was():
    act = grown(":parameters (?x - thing) :effect (and (not (held ?x)) (empty))", HERE)
    assert "(when (holding ?robot ?x) (obj_at_node ?x ?node))" in does(act)


def test_conditions_of_effects_are_kept():
    act = grown(
        ":parameters (?x - thing) :precondition (held ?x) :effect (when (hot ?x) (and (not (held ?x)) (empty)))",
        HERE,
    )
    assert "(when (hot ?x) (obj_at_node ?x ?node))" in does(act)


def test_what_passes_from_hand_to_hand_is_nowhere():
    give = expand(base_problem("crew").domain, HERE).operators["hand_over"]
    assert not any("obj_at_node" in effect for effect in does(give))
    assert {"(rob_at_node ?giver ?node)", "(rob_at_node ?taker ?node)"} <= needs(give)


def test_whatever_is_grasped_must_be_named():
    with pytest.raises(
        UnexpandableOperatorError, match=r'"act" moves things wherever they are, as \?x stands for any'
    ):
        grown(":parameters () :effect (forall (?x - thing) (held ?x))", HERE)


def test_all_that_is_held_may_be_dropped():
    act = grown(":parameters () :effect (and (empty) (forall (?x - thing) (not (held ?x))))", HERE)
    assert "(when (holding ?robot ?x) (obj_at_node ?x ?node))" in does(act)


def test_names_of_the_domain_are_left_alone():
    act = grown(
        ":parameters (?robot - thing ?node - place) :precondition (held ?robot) :effect (lit ?node)", HERE
    )
    assert parameters(act) == ["?robot_2", "?robot", "?node", "?node_2"]


# -- ways ------------------------------------------------------------------------------------------------
def test_moving():
    move = expand(parse_domain(f"{HEAD})"), HERE | Expansion(costs=True)).operators["move_robot"]
    assert parameters(move) == ["?r", "?from", "?to"]
    assert needs(move) == {"(rob_at_node ?r ?from)", "(connected ?from ?to)"}
    assert does(move) == {"(not (rob_at_node ?r ?from))", "(rob_at_node ?r ?to)"}
    assert move.cost == Cost(function=("travel_cost", "?from", "?to"))


def test_doors_open_both_ways_and_take_a_free_hand():
    domain = expand(parse_domain(f"{HEAD})"), Expansion(doors=True, hands=2))
    door = domain.operators["open_door"]
    assert parameters(door) == ["?r", "?h", "?d", "?from", "?to"]
    assert needs(door) == {
        "(rob_at_node ?r ?from)",
        "(rob_has_hand ?r ?h)",
        "(hand_free ?r ?h)",
        "(has_door ?d ?from ?to)",
        "(not (connected ?from ?to))",
    }
    assert does(door) == {"(connected ?from ?to)", "(connected ?to ?from)", "(door_open ?d)"}
    close = domain.operators["close_door"]
    assert needs(close) == needs(door) - {"(not (connected ?from ?to))"} | {"(connected ?from ?to)"}
    assert does(close) == {f"(not {effect})" for effect in does(door)}


def test_a_door_may_be_open_in_the_words_of_the_domain():
    domain = expand(parse_domain(f"{HEAD})"), Expansion(doors=True, door_open="open"))
    assert "(open ?d)" in does(domain.operators["open_door"])
    assert "door_open" not in domain.predicates


def test_costs_of_the_domain_stay():
    domain = expand(base_problem("workshop").domain, HERE | Expansion(costs=True))
    costs = {name: operator.cost for name, operator in domain.operators.items()}
    assert costs["lift"] == Cost(constant=2)
    assert costs["drive"] == Cost(function=("effort", "?s"))
    assert costs["look"] == Cost(constant=0)
    assert costs["move_robot"].function is not None


# -- hands -----------------------------------------------------------------------------------------------
def test_hands_go_wherever_the_anchors_are():
    act = grown(":parameters (?x - thing) :precondition (held ?x) :effect (when (held ?x) (hot ?x))", HANDS)
    assert parameters(act) == ["?robot", "?hand", "?x"]
    assert needs(act) == {"(rob_has_hand ?robot ?hand)", "(holding ?robot ?hand ?x)"}
    assert does(act) == {"(when (holding ?robot ?hand ?x) (hot ?x))"}


def test_what_needs_no_hand_gets_none():
    assert parameters(grown(":parameters (?x - thing) :effect (hot ?x)", HANDS)) == ["?robot", "?x"]


def test_not_held_means_in_no_hand_of_anybody():
    act = grown(
        ":parameters (?x ?y - thing) :precondition (and (held ?x) (not (held ?y))) :effect (hot ?y)", HANDS
    )
    anyone = "(?any_robot - robot ?any_hand - hand)"
    assert f"(forall {anyone} (not (holding ?any_robot ?any_hand ?y)))" in needs(act)
    act = grown(":parameters () :precondition (not (exists (?y - thing) (held ?y))) :effect (happy)", HANDS)
    assert parameters(act) == ["?robot"]
    assert f"(not (exists (?y - thing) (exists {anyone} (holding ?any_robot ?any_hand ?y))))" in needs(act)


def test_each_of_two_robots_has_its_hand():
    give = expand(base_problem("crew").domain, HANDS).operators["hand_over"]
    assert parameters(give) == ["?hand", "?hand_2", "?giver", "?taker", "?p"]
    assert {"(holding ?giver ?hand ?p)", "(hand_free ?taker ?hand_2)"} <= needs(give)


def test_hands_of_the_domain_are_used():
    domain = expand(base_problem("grippers").domain, HANDS)
    grab = domain.operators["grab"]
    assert parameters(grab) == ["?robot", "?b", "?n", "?g"]
    assert {"(rob_has_hand ?robot ?g)", "(hand_free ?robot ?g)"} <= needs(grab)
    assert domain.predicates["hand_free"][1].type == "gripper"


def test_two_hands_are_needed_at_once():
    options = HANDS | Expansion(two_handed=("act",))
    act = grown(":parameters (?x - big) :precondition (empty) :effect (and (held ?x) (not (empty)))", options)
    assert parameters(act) == ["?robot", "?hand", "?other_hand", "?x"]
    assert needs(act) == {
        "(rob_has_hand ?robot ?hand)",
        "(rob_has_hand ?robot ?other_hand)",
        "(not (= ?hand ?other_hand))",
        "(hand_free ?robot ?hand)",
        "(hand_free ?robot ?other_hand)",
    }
    assert does(act) == {
        "(holding ?robot ?hand ?x)",
        "(holding ?robot ?other_hand ?x)",
        "(not (hand_free ?robot ?hand))",
        "(not (hand_free ?robot ?other_hand))",
        "(held_in_both_hands ?x)",
    }


LIFT = ":parameters (?x - {}) :precondition (and (empty) {}) :effect (and (held ?x) (not (empty)))"


@pytest.mark.parametrize(
    ("kind", "needed", "guarded"),
    [("big", "(heavy ?x)", False), ("big", "(hot ?x)", True), ("thing", "", True)],
)
def test_one_hand_does_not_let_go_of_what_two_hold(kind, needed, guarded):
    """Unless a trait that never changes says that what one hand puts down is nothing that two lift."""
    text = HEAD.replace(":precondition (held ?x)", ":precondition (and (held ?x) (not (heavy ?x)))")
    base = parse_domain(f"{text} (:action act {LIFT.format(kind, needed)}))")
    domain = expand(base, Expansion(two_handed=("act",)))
    assert ("held_in_both_hands" in domain.predicates) == guarded
    assert ("(not (held_in_both_hands ?x))" in needs(domain.operators["put"])) == guarded
    assert ("(held_in_both_hands ?x)" in does(domain.operators["act"])) == guarded


def test_one_hand_that_drops_all_drops_nothing_that_two_hold():
    lift = f"(:action lift {LIFT.format('big', '')})"
    drop = "(:action act :parameters () :effect (and (empty) (forall (?x - thing) (not (held ?x)))))"
    domain = expand(parse_domain(f"{HEAD} {lift} {drop})"), Expansion(two_handed=("lift",)))
    guard = "(forall (?x - thing) (or (not (holding ?robot ?hand ?x)) (not (held_in_both_hands ?x))))"
    assert guard in needs(domain.operators["act"])


# -- what is carried -------------------------------------------------------------------------------------
def test_a_thing_whose_support_is_named_is_where_that_is():
    act = grown(
        ":parameters (?x - thing ?p - place) :precondition (and (empty) (on ?x ?p)) :effect (hot ?x)", CARRY
    )
    assert needs(act) == {
        "(rob_at_node ?robot ?node)",
        "(hand_free ?robot)",
        "(on ?x ?p)",
        "(obj_at_node ?p ?node)",
    }


def test_a_support_is_named_by_all_parts_of_a_disjunction():
    either = "(or (and (hot ?x) (on ?x ?p)) (and (lit ?p) (in ?x ?p)))"
    act = grown(
        f":parameters (?x - thing ?p - place) :precondition (and (empty) {either}) :effect (happy)", CARRY
    )
    assert not any("obj_at_node ?x" in part for part in needs(act))


def test_a_thing_whose_support_is_not_named_is_looked_for():
    options = Expansion(carry=("on", "in"), nesting=1)
    act = grown(":parameters (?x - thing) :precondition (empty) :effect (hot ?x)", options)
    rests = "(or (in ?x ?support) (on ?x ?support))"
    assert (
        f"(or (obj_at_node ?x ?node) (exists (?support - object) (and {rests} (obj_at_node ?support ?node))))"
        in needs(act)
    )
    act = grown(":parameters (?x - thing) :precondition (empty) :effect (hot ?x)", CARRY)
    [reach] = [part for part in needs(act) if "obj_at_node" in part]
    assert reach.count("exists") == 2


def test_what_can_rest_on_nothing_has_its_own_node():
    act = grown(":parameters (?p - place) :precondition (empty) :effect (lit ?p)", CARRY)
    assert "(obj_at_node ?p ?node)" in needs(act)


def test_resting_and_being_held_take_the_node_away():
    domain = expand(parse_domain(f"{HEAD})"), CARRY)
    assert not any(
        "obj_at_node" in effect for name in ("pick", "put") for effect in does(domain.operators[name])
    )
    act = grown(":parameters (?x ?y - thing) :precondition (and (empty) (hot ?x)) :effect (on ?x ?y)", CARRY)
    assert "(not (obj_at_node ?x ?node))" in does(act)


def test_what_neither_rests_nor_is_held_is_at_the_node():
    act = grown(
        ":parameters (?x - thing) :precondition (held ?x) :effect (and (not (held ?x)) (empty))", CARRY
    )
    assert "(obj_at_node ?x ?node)" in does(act)
    act = grown(
        ":parameters (?x - thing ?p - place) :precondition (on ?x ?p) :effect (not (on ?x ?p))", CARRY
    )
    assert "(obj_at_node ?x ?node)" in does(act)
    act = grown(
        ":parameters (?x - thing ?p - place) :precondition (held ?x)"
        " :effect (and (not (held ?x)) (empty) (when (hot ?x) (on ?x ?p)))",
        CARRY,
    )
    assert "(when (not (hot ?x)) (obj_at_node ?x ?node))" in does(act)


def test_things_that_fall_wherever_they_are_must_be_named():
    with pytest.raises(UnexpandableOperatorError):
        grown(":parameters () :effect (forall (?x - thing ?p - place) (not (on ?x ?p)))", CARRY)


def test_pushing():
    domain = expand(
        parse_domain(f"{HEAD})"), Expansion(carry=("on", "in"), mobile=("big",), hands=2, costs=True)
    )
    push = domain.operators["push_big"]
    assert parameters(push) == ["?r", "?h", "?o", "?from", "?to"]
    assert {"(obj_at_node ?o ?from)", "(hand_free ?r ?h)", "(connected ?from ?to)"} <= needs(push)
    assert {"(obj_at_node ?o ?to)", "(rob_at_node ?r ?to)", "(not (obj_at_node ?o ?from))"} <= does(push)
    assert push.cost.function == ("travel_cost", "?from", "?to")


# -- declarations ----------------------------------------------------------------------------------------
def test_a_typed_domain_gets_types():
    domain = expand(parse_domain(f"{HEAD})"), Expansion(doors=True, hands=2))
    assert {name: domain.types[name] for name in ("robot", "hand", "node", "door")} == dict.fromkeys(
        ("robot", "hand", "node", "door"), "object"
    )
    assert domain.operators["pick"].parameters[0].type == "robot"


def test_an_untyped_domain_gets_unary_predicates():
    domain = expand(base_problem("shelves").domain, Expansion(doors=True, hands=2))
    assert not domain.types
    assert {"robot", "hand", "node", "door"} <= set(domain.predicates)
    take = domain.operators["take"]
    assert {"(robot ?robot)", "(hand ?hand)", "(node ?node)"} <= needs(take)
    robby = expand(base_problem("robby").domain, HERE)
    assert "(robot ?r)" in needs(robby.operators["pick"])
    assert parameters(robby.operators["pick"]) == ["?b", "?w", "?r", "?node"]


def test_a_robot_that_only_some_actions_name_is_the_one_that_acts():
    base = HEAD.replace("colour - object", "colour robot - object").replace(
        "(happy)", "(happy) (skilled ?r - robot)"
    )
    act = "(:action act :parameters (?x - thing ?r - robot) :precondition (and (held ?x) (skilled ?r)) :effect (hot ?x))"
    domain = expand(parse_domain(f"{base} {act})"), HERE)
    assert parameters(domain.operators["act"]) == ["?x", "?r", "?node"]
    assert {"(rob_at_node ?r ?node)", "(holding ?r ?x)"} <= needs(domain.operators["act"])
    assert parameters(domain.operators["pick"]) == ["?robot", "?x", "?y", "?node"]


def test_several_ways_of_holding_keep_their_names():
    domain = expand(base_problem("toolbox").domain, HERE | HANDS)
    grip = domain.operators["change_grip"]
    assert "(wielding ?robot ?hand ?t)" in does(grip)
    assert not any("obj_at_node" in effect for effect in does(grip))
    assert "holding" not in domain.predicates


def test_costs_alone_touch_no_anchors():
    base = parse_domain("(define (domain d) (:predicates (p)) (:action a :effect (p)))")
    domain = expand(base, Expansion(costs=True))
    assert domain.functions == {"total-cost": ()}
    assert domain.operators == base.operators


def test_a_name_that_means_something_else():
    base = HEAD.replace("(happy)", "(happy) (holding ?x)")
    with pytest.raises(NameClashError, match='The predicate "holding" of the domain "d"'):
        expand(parse_domain(f"{base})"), HERE)


def test_conditions_are_flat():
    act = grown(
        ":parameters () :precondition (and (and (happy)) (and (empty) (happy))) :effect (happy)", HERE
    )
    assert isinstance(act.precondition, And)
    assert not any(isinstance(part, And) for part in act.precondition.parts)
    assert len(act.precondition.parts) == 3


# -- robots that go by themselves --------------------------------------------------------------------
def base_with(predicate: str, move: str) -> str:
    return f"{HEAD.replace('(happy)', f'(happy) {predicate}')} (:action {move}))"


@pytest.mark.parametrize(
    ("predicate", "move"),
    [
        (
            "(robot_at ?p - place)",
            "go :parameters (?a ?b - place) :effect (and (robot_at ?b) (not (robot_at ?a)))",
        ),
        (
            "(stands ?p - place)",
            "move :parameters (?a ?b - place) :effect (and (stands ?b) (not (stands ?a)))",
        ),
        (
            "(near ?r - object ?p - place)",
            "step :parameters (?robot - object ?a ?b - place) "
            ":effect (and (near ?robot ?b) (not (near ?robot ?a)))",
        ),
    ],
)
def test_an_action_that_moves_the_robot_itself_is_refused_with_the_reason(predicate, move):
    domain = parse_domain(base_with(predicate, move))
    with pytest.raises(
        UnexpandableOperatorError, match=r"takes the robot from .* could never be done"
    ) as caught:
        expand(domain, HERE)
    assert caught.value.about == ("action", move.split()[0])
    assert expand(domain, HANDS).operators  # without navigation it stays as it is
    assert expand(domain, Expansion(navigation=True, placeless=("place",))).operators


def test_things_that_change_their_place_are_no_robots():
    act = "act :parameters (?x - thing ?a ?b - place) :effect (and (on ?x ?b) (not (on ?x ?a)))"
    assert expand(parse_domain(base_with("", act)), HERE).operators


def test_names_for_conditions_are_expanded_with_them():
    rule = "(:derived (cold ?x - thing) (not (hot ?x)))"
    text = f"{HEAD.replace('(happy)', '(happy) (cold ?x - thing)')} {rule}"
    act = "(:action act :parameters (?x - thing) :precondition (cold ?x) :effect (happy)))"
    operator = expand(parse_domain(f"{text} {act}"), HERE).operators["act"]
    assert "(not (hot ?x))" in needs(operator)
