"""Problems made from beliefs: objects, facts, and what is assumed."""

from __future__ import annotations

import pytest
from effort import growth

from foretree.planning.pddl.parser import parse_domain
from foretree.planning.pddl.syntax import And, Count, Exists, Literal, Typed
from foretree.planning.plan import Assumption
from foretree.planning.task.problems import (
    MOST_LISTED,
    ProblemError,
    assumption_about,
    make_problem,
    relevant_assumptions,
)
from foretree.world_model.beliefs.belief import Belief
from foretree.world_model.beliefs.facts import Entity, PredicateInfo, Truth, Vocabulary

DOMAIN = parse_domain(
    """(define (domain home)
      (:types item asset robot - object mug plate - item fridge table - asset)
      (:constants bin1 - asset)
      (:predicates
        (robot_at ?r - robot ?p - asset) (holding ?r - robot ?i - item)
        (on ?i - item ?p - asset) (in ?i - item ?p - asset)
        (openable ?p - asset) (open ?p - asset) (clean ?i - item) (hot ?i - item) (lit ?p - asset)
        (near ?a ?b - asset))
      (:functions (total-cost) (travel ?a ?b - asset))
      (:action take_out :parameters (?r - robot ?i - item ?p - asset)
        :precondition (and (robot_at ?r ?p) (in ?i ?p) (openable ?p) (open ?p) (lit ?p))
        :effect (and (holding ?r ?i) (not (in ?i ?p))))
      (:action open :parameters (?r - robot ?p - asset)
        :precondition (and (robot_at ?r ?p) (openable ?p) (not (open ?p)))
        :effect (open ?p))
      (:action rinse :parameters (?r - robot ?i - item)
        :precondition (holding ?r ?i)
        :effect (when (not (clean ?i)) (clean ?i))))"""
)
PLACE = PredicateInfo("place", observable=True, default=None, group="rests")
VOCABULARY = Vocabulary(
    {
        "on": PLACE,
        "in": PLACE,
        "open": PredicateInfo("attribute", observable=True, default=False),
        "clean": PredicateInfo("attribute", observable=True, default=False),
        "hot": PredicateInfo("attribute", observable=True, default=False),
        "lit": PredicateInfo("attribute", observable=True, default=True),
        "near": PredicateInfo("relation", observable=True, default=False),
        "class": PredicateInfo("class", observable=True, default=None, group="class"),
    }
)
GOAL = Literal(("in", "mug1", "fridge1"))


def belief(*atoms, **classes) -> Belief:
    believed = Belief(VOCABULARY)
    everything = {"robot1": "robot", "fridge1": "fridge", "table1": "table", "mug1": "mug", **classes}
    for name, class_name in everything.items():
        believed.put_entity(Entity(name, {class_name: 0.8, "thing": 0.1}))
    for atom in [("openable", "fridge1"), ("robot_at", "robot1", "table1"), *atoms]:
        believed.tell(atom)
    return believed


def made(believed: Belief, goal=GOAL, functions=None):
    return make_problem(DOMAIN, believed.snapshot(), goal, functions or {})


def assumed(result) -> dict:
    return {assumption.atom: assumption.value for assumption in result.assumptions}


def test_objects_are_the_entities_whose_class_is_a_type():
    result = made(belief(ufo1="ufo"))
    assert result.problem.objects == {
        "fridge1": "fridge",
        "mug1": "mug",
        "robot1": "robot",
        "table1": "table",
    }
    assert list(result.problem.objects) == sorted(result.problem.objects)
    assert result.left_out == ("ufo1",)


def test_an_entity_without_any_class_is_left_out():
    believed = belief()
    believed.put_entity(Entity("blob1", {}))
    assert made(believed).left_out == ("blob1",)


def test_a_constant_is_not_an_object_again():
    result = made(belief(bin1="asset"))
    assert "bin1" not in result.problem.objects
    assert "bin1" in result.problem.of_type("asset")
    assert result.left_out == ()


def test_what_is_believed_true_is_true_however_weakly():
    believed = belief()
    believed.tell(("on", "mug1", "table1"), confidence=0.3)
    believed.tell(("open", "fridge1"), confidence=0.1)
    init = made(believed).problem.init
    assert ("on", "mug1", "table1") in init
    assert ("open", "fridge1") in init


def test_facts_that_the_domain_does_not_speak_of_are_left_out():
    believed = belief(("class", "mug1", "mug"), ("on", "ufo1", "table1"), ("clean", "table1"), ufo1="ufo")
    init = made(believed).problem.init
    assert not any(atom[0] == "class" for atom in init)
    assert not any("ufo1" in atom for atom in init)
    assert ("clean", "table1") not in init  # only items are clean


def test_what_is_unknown_is_assumed_by_its_default():
    result = made(belief())
    assert result.assumptions == (
        Assumption(("clean", "mug1"), False, "default", 0.0),
        Assumption(("lit", "fridge1"), True, "default", 0.0),
        Assumption(("open", "fridge1"), False, "default", 0.0),
    )
    assert ("lit", "fridge1") in result.problem.init
    assert ("open", "fridge1") not in result.problem.init


def test_what_is_known_is_not_assumed():
    believed = belief(("open", "fridge1"))
    believed.tell(("lit", "fridge1"), False)
    believed.tell(("clean", "mug1"), False)
    result = made(believed)
    assert result.assumptions == ()
    assert ("lit", "fridge1") not in result.problem.init


def test_a_fact_recorded_as_unknown_is_assumed_with_its_confidence():
    believed = belief()
    believed.tell(("open", "fridge1"), Truth.UNKNOWN, confidence=0.4)
    assert Assumption(("open", "fridge1"), False, "default", 0.4) in made(believed).assumptions


def test_where_things_are_is_never_assumed():
    result = made(belief(), goal=And((GOAL, Literal(("on", "mug1", "table1")))))
    assert not any(atom[0] in ("in", "on") for atom in [*assumed(result), *result.problem.init])


def test_only_what_a_condition_or_the_goal_mentions_is_assumed():
    # Nothing asks whether the mug is hot, and only what can be opened needs to be open.
    assert not any(atom[0] == "hot" or atom == ("open", "table1") for atom in assumed(made(belief())))
    assert assumed(made(belief(), goal=Literal(("hot", "mug1"))))[("hot", "mug1")] is False


def test_a_quantified_goal_mentions_everything_of_its_type():
    goal = Exists((Typed("?m", "mug"),), Literal(("hot", "?m")))
    atoms = assumed(made(belief(mug2="mug", plate1="plate"), goal=goal))
    assert [atom for atom in atoms if atom[0] == "hot"] == [("hot", "mug1"), ("hot", "mug2")]
    counting = Count(Typed("?i", "item"), Literal(("hot", "?i")), at_least=2)
    atoms = assumed(made(belief(plate1="plate"), goal=counting))
    assert [atom for atom in atoms if atom[0] == "hot"] == [("hot", "mug1"), ("hot", "plate1")]


def test_a_variable_that_ranges_wide_mentions_only_what_the_predicate_takes():
    goal = Exists((Typed("?x", "object"),), Literal(("hot", "?x")))
    assert [atom for atom in assumed(made(belief(), goal=goal)) if atom[0] == "hot"] == [("hot", "mug1")]


def test_a_variable_that_stands_twice_stands_for_one_thing():
    goal = Exists((Typed("?a", "table"),), Literal(("near", "?a", "?a")))
    atoms = assumed(made(belief(table2="table"), goal=goal))
    assert [atom for atom in atoms if atom[0] == "near"] == [
        ("near", "table1", "table1"),
        ("near", "table2", "table2"),
    ]


def test_one_mention_does_not_hide_another_of_the_same_predicate():
    same = Exists((Typed("?a", "table"),), Literal(("near", "?a", "?a")))
    two = Exists((Typed("?a", "table"), Typed("?b", "table")), Literal(("near", "?a", "?b")))
    atoms = assumed(made(belief(table2="table"), goal=And((same, two))))
    assert len([atom for atom in atoms if atom[0] == "near"]) == 4


def test_a_trait_that_an_action_brings_about_narrows_nothing_down():
    domain = parse_domain(
        """(define (domain radio) (:predicates (tuned ?x) (lit ?x) (heard ?x))
             (:action tune :parameters (?x) :effect (tuned ?x))
             (:action listen :parameters (?x) :precondition (and (tuned ?x) (lit ?x)) :effect (heard ?x)))"""
    )
    believed = Belief(VOCABULARY)
    believed.put_entity(Entity("radio1", {"object": 1.0}))
    result = make_problem(domain, believed.snapshot(), Literal(("heard", "radio1")), {})
    assert assumed(result) == {("lit", "radio1"): True}


def test_relevant_assumptions_are_those_about_the_given_atoms():
    result = made(belief())
    wanted = {("open", "fridge1"), ("in", "mug1", "fridge1")}
    assert [a.atom for a in relevant_assumptions(result.assumptions, wanted)] == [("open", "fridge1")]


def test_assumption_about_one_atom():
    snapshot = belief(("open", "fridge1")).snapshot()
    assert assumption_about(snapshot, ("open", "fridge1")) is None
    assert assumption_about(snapshot, ("in", "mug1", "fridge1")) is None
    assert assumption_about(snapshot, ("robot_at", "robot1", "fridge1")) is None
    assert assumption_about(snapshot, ("lit", "fridge1")) == Assumption(
        ("lit", "fridge1"), True, "default", 0.0
    )


def test_functions_of_the_domain_over_known_objects_are_kept():
    functions = {
        ("travel", "table1", "fridge1"): 3,
        ("travel", "table1", "gone1"): 4,
        ("other", "table1"): 5,
    }
    assert made(belief(), functions=functions).problem.functions == {("travel", "table1", "fridge1"): 3}


def test_a_goal_about_something_unknown_is_refused():
    with pytest.raises(ProblemError, match=r'names "mug7", which is not known to exist\. Did you mean mug1'):
        made(belief(), goal=Literal(("clean", "mug7")))
    with pytest.raises(ProblemError, match='whose class is "ufo"'):
        made(belief(ufo1="ufo"), goal=Literal(("clean", "ufo1")))


def test_thousands_of_objects_do_not_multiply():
    goal = Exists((Typed("?a", "table"), Typed("?b", "table")), Literal(("near", "?a", "?b")))
    beliefs = {size: belief(**{f"table{n}": "table" for n in range(size)}) for size in (150, 1500)}
    assert growth(lambda size: made(beliefs[size], goal=goal), *beliefs, rounds=3) < 10 * 3
    assert len(made(beliefs[1500], goal=goal).assumptions) < MOST_LISTED
    assert assumption_about(beliefs[1500].snapshot(), ("near", "table1", "table2")) is not None


def test_a_problem_takes_as_long_as_it_has_objects():
    def home(size):
        mugs, fridges = range(2, 3 * size), range(2, size)
        return belief(
            *(("on", f"mug{index}", "table1") for index in mugs),
            *(("openable", f"fridge{index}") for index in fridges),
            **{f"mug{index}": "mug" for index in mugs},
            **{f"fridge{index}": "fridge" for index in fridges},
        ).snapshot()

    snapshots = {size: home(size) for size in (15, 120)}
    assert len(snapshots[15].entities()) > 55
    assert growth(lambda size: make_problem(DOMAIN, snapshots[size], GOAL, {}), *snapshots) < 8 * 2.5
