"""Why a goal cannot be reached, in words."""

from __future__ import annotations

from dataclasses import replace

import pytest
from effort import times_as_much
from households import kitchen
from random_tasks import cheapest

from foretree.planning.grounding.compilation import compile_away
from foretree.planning.grounding.grounding import ground
from foretree.planning.grounding.unsolvability import explain_unsolvable
from foretree.planning.pddl.parser import parse_domain, parse_problem
from foretree.planning.pddl.syntax import And, Literal, Problem
from foretree.planning.solvers.fast_downward.solver import FastDownward


def without(problem: Problem, *words: str) -> Problem:
    """The problem without the facts that contain all the words."""
    return replace(problem, init=frozenset(a for a in problem.init if not set(words) <= set(a)))


def test_a_thing_that_is_nowhere() -> None:
    problem = kitchen("(in mango1 fridge1)", seed=3)
    for place in ("on", "in"):
        problem = without(problem, place, "mango1")
    why = explain_unsolvable(problem)
    assert why.startswith("(in mango1 fridge1) cannot be reached: it needs (holding robot left mango1)")
    assert "(on mango1 ?place)" in why
    assert "(in mango1 ?place)" in why
    assert why.endswith("nothing is known of any of that.")


#: Blocks that nobody can take from the table, and with them a hand.
BLOCKS = """
(define (domain blocks)
  (:predicates (on ?x ?y) (ontable ?x) (clear ?x) (handempty) (holding ?x))
  {more}
  (:action put-down :parameters (?x) :precondition (holding ?x)
   :effect (and (not (holding ?x)) (clear ?x) (handempty) (ontable ?x)))
  (:action stack :parameters (?x ?y) :precondition (and (holding ?x) (clear ?y))
   :effect (and (not (holding ?x)) (not (clear ?y)) (clear ?x) (handempty) (on ?x ?y)))
  (:action unstack :parameters (?x ?y) :precondition (and (on ?x ?y) (clear ?x) (handempty))
   :effect (and (holding ?x) (clear ?y) (not (clear ?x)) (not (handempty)) (not (on ?x ?y)))))
"""
PICK_UP = """
(:action pick-up :parameters (?x) :precondition (and (clear ?x) (ontable ?x) (handempty))
 :effect (and (not (ontable ?x)) (not (clear ?x)) (not (handempty)) (holding ?x)))
"""


@pytest.mark.parametrize(
    ("more", "hand", "said"),
    [
        ("", "(handempty)", "which takes (holding a) first, and no action begins with (ontable a), which is"),
        (PICK_UP, "", "which takes (handempty) first, which is not so."),
    ],
    ids=["no-action", "no-hand"],
)
def test_what_only_leads_back_to_itself_names_where_it_could_have_begun(more, hand, said) -> None:
    problem = parse_problem(
        f"""(define (problem tower) (:domain blocks) (:objects a b)
        (:init (ontable a) (ontable b) (clear a) (clear b) {hand}) (:goal (on a b)))""",
        parse_domain(BLOCKS.replace("{more}", more)),
    )
    why = explain_unsolvable(problem)
    assert why.startswith("(on a b) cannot be reached: it needs (holding a) (to stack)")
    assert said in why


@pytest.mark.parametrize(
    ("goal", "missing", "said"),
    [
        ("(clean mug1)", "washes", "it needs (washes ?place) (to wash), and there is no such thing"),
        ("(sliced apple1)", "blade", "it needs (blade ?tool) (to cut), and there is no such thing"),
    ],
)
def test_a_tool_that_does_not_exist(goal: str, missing: str, said: str) -> None:
    assert said in explain_unsolvable(without(kitchen(goal), missing))


def test_a_thing_that_cannot_be_treated_so() -> None:
    assert "it needs (sliceable mug1) (to cut), which is not so" in explain_unsolvable(
        kitchen("(sliced mug1)")
    )


def test_a_place_that_cannot_be_reached_is_the_root_cause() -> None:
    why = explain_unsolvable(without(kitchen("(on mug1 table1)", seed=1), "connected", "table1"))
    assert "(rob_at_node robot table1)" in why
    assert "(connected ?from table1)" in why


def test_a_static_fact_is_not_so() -> None:
    said = explain_unsolvable(kitchen("(and (clean mug1) (surface fridge1))"))
    assert said == "(surface fridge1) is not so, and no action ever changes surface."


def test_something_no_action_undoes() -> None:
    problem = kitchen("(not (clean mug1))")
    problem = replace(problem, init=problem.init | {("clean", "mug1")})
    assert "no action makes (clean mug1) false" in explain_unsolvable(problem)


def test_a_count_that_is_too_high_says_how_many_there_can_be() -> None:
    why = explain_unsolvable(kitchen("(at-least 4 (?i - item) (sliced ?i))"))
    assert "4 of 15 conditions are needed and only 3 can hold" in why


def test_alternatives_that_are_all_impossible() -> None:
    why = explain_unsolvable(kitchen("(exists (?i - item) (hung_on ?i table1))"))
    assert "none of its 15 alternatives" in why
    assert "(hanger table1)" in why


def test_places_that_exclude_each_other_are_named() -> None:
    problem = kitchen("(and (clean mug2) (on mug1 table1) (on plate1 table1) (on mug1 counter1))", seed=1)
    assert explain_unsolvable(problem) == (
        "(on mug1 table1) and (on mug1 counter1) exclude each other: they never hold at once."
    )


LAMPS = parse_domain("""
(define (domain lamps)
  (:predicates (match ?m) (lit ?lamp) (seen ?lamp))
  (:action look :parameters (?lamp) :effect (seen ?lamp))
  (:action light :parameters (?m ?lamp) :precondition (match ?m) :effect (and (lit ?lamp) (not (match ?m)))))
""")


def test_parts_that_cannot_be_had_together_are_narrowed_down() -> None:
    parts = [("seen", "a"), ("lit", "a"), ("lit", "b"), ("seen", "b"), ("lit", "c")]
    goal = And(tuple(map(Literal, parts)))
    objects = dict.fromkeys(("a", "b", "c", "m1", "m2"), "object")
    problem = Problem("lamps", LAMPS, objects, frozenset({("match", "m1"), ("match", "m2")}), goal)
    said = "These parts of the goal exclude each other: (lit a) and (lit b) and (lit c)."
    assert explain_unsolvable(problem, lambda part: cheapest(part) is not None) == said
    assert "all together they are not" in explain_unsolvable(problem)
    assert "all together they are not" in explain_unsolvable(problem, lambda part: None)
    with FastDownward() as planner:
        assert planner.solve(problem).why == said


def test_where_too_much_can_be_done_nobody_finds_out_why() -> None:
    problem = kitchen("(sliced mug1)")
    assert "to find out why, there is too much" in explain_unsolvable(problem, most=10)


STACKS = parse_domain("""
(define (domain stacks)
  (:types place item)
  (:predicates (flat ?place - place) (pan ?item - item) (at ?place - place) (free) (holding ?item - item)
    (on ?item - item ?place - place) (in ?item ?pan - item))
  (:action go :parameters (?from ?to - place) :precondition (at ?from) :effect (and (at ?to) (not (at ?from))))
  (:action take :parameters (?item - item ?place - place)
    :precondition (and (at ?place) (free) (on ?item ?place))
    :effect (and (holding ?item) (not (on ?item ?place)) (not (free))))
  (:action lay :parameters (?item - item ?place - place) :precondition (and (at ?place) (holding ?item))
    :effect (and (on ?item ?place) (free) (not (holding ?item))))
  (:action stow :parameters (?item ?pan - item ?place - place)
    :precondition (and (flat ?place) (pan ?pan) (at ?place) (holding ?item) (on ?pan ?place))
    :effect (and (in ?item ?pan) (free) (not (holding ?item)))))
""")


def test_to_say_why_takes_hardly_longer_than_to_find_out_that_it_is_so() -> None:
    places, items = [f"place{n}" for n in range(90)], [f"item{n}" for n in range(90)]
    objects = {**dict.fromkeys(places, "place"), **dict.fromkeys(items, "item"), "pan": "item"}
    init = {("at", "place0"), ("free",), ("pan", "pan"), *(("flat", place) for place in places)}
    init |= {("on", *pair) for pair in zip(items, places, strict=True)}
    goal = And(tuple(Literal(("in", item, "pan")) for item in items[:3]))
    problem = Problem("large", STACKS, objects, frozenset(init), goal)

    def to_find_out() -> None:
        ground(compile_away(problem).problem, prune=False)

    assert times_as_much(lambda: explain_unsolvable(problem), to_find_out, rounds=3) < 2
    said = explain_unsolvable(problem)
    assert said.startswith(
        "(in item0 pan), (in item1 pan), (in item2 pan) cannot be reached: it needs (on pan place0) or (on pan place1) or (on pan place10) or "
        "(on pan place11) or … (to stow), (on pan place0) cannot be reached either: it needs (holding pan) (to "
        "lay), which cannot be reached either: it needs (on pan ?place) (to take), and nothing is known of that."
    )


POST = """(define (domain post)
  (:types thing place city - object parcel van plane - thing airport - place)
  (:predicates (at ?x - thing ?p - place) (in ?x - parcel ?v - thing) (within ?p - place ?c - city))
  (:action load :parameters (?x - parcel ?v - van ?p - place) :precondition (and (at ?x ?p) (at ?v ?p))
    :effect (and (in ?x ?v) (not (at ?x ?p))))
  (:action unload :parameters (?x - parcel ?v - van ?p - place) :precondition (and (in ?x ?v) (at ?v ?p))
    :effect (and (at ?x ?p) (not (in ?x ?v))))
  (:action put-aboard :parameters (?x - parcel ?v - plane ?p - airport)
    :precondition (and (at ?x ?p) (at ?v ?p)) :effect (and (in ?x ?v) (not (at ?x ?p))))
  (:action take-out :parameters (?x - parcel ?v - plane ?p - airport)
    :precondition (and (in ?x ?v) (at ?v ?p)) :effect (and (at ?x ?p) (not (in ?x ?v))))
  (:action drive :parameters (?v - van ?from ?to - place ?c - city)
    :precondition (and (at ?v ?from) (within ?from ?c) (within ?to ?c)) :effect (and (at ?v ?to) (not (at ?v ?from))))
  %s)"""
FLY = """(:action fly :parameters (?v - plane ?from ?to - airport) :precondition (at ?v ?from)
    :effect (and (at ?v ?to) (not (at ?v ?from))))"""


def post(action: str, plane: str) -> Problem:
    text = f"""(define (problem p) (:domain post)
      (:objects rome bonn ulm - city a1 a2 a3 - airport o1 o2 - place v1 v2 - van plane1 - plane x1 x2 x3 - parcel)
      (:init (within a3 ulm) (within a1 rome) (within o1 rome) (within a2 bonn) (within o2 bonn)
        (at v1 o1) (at v2 a2) (at plane1 {plane}) (at x1 o1) (at x2 o1) (at x3 o1))
      (:goal (and (at x1 o2) (at x2 o2) (at x3 a1))))"""
    return parse_problem(text, parse_domain(POST % action))


def test_the_missing_achiever_is_named_rather_than_what_only_leads_back_to_itself() -> None:
    assert explain_unsolvable(post("", "a1")) == (
        "(at x1 o2), (at x2 o2) cannot be reached: it takes (at plane1 a2) (to take-out), which no action makes true."
    )
    assert ground(compile_away(post(FLY, "a1")).problem).solvable


def test_several_things_that_are_missing_together_are_named_as_such() -> None:
    """Without flying, a plane elsewhere would have to stand at both airports."""
    why = explain_unsolvable(post("", "a3"))
    assert "(at plane1 a2) (to take-out) and more like that, which no action makes true" in why


def test_alternatives_whose_conditions_exclude_each_other() -> None:
    why = explain_unsolvable(kitchen("(exists (?i - item) (and (on ?i table1) (in ?i sink1)))"))
    assert "(on apple1 table1) and (in apple1 sink1) exclude each other, and so do others." in why
