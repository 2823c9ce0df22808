"""What matters for a goal: each condition of the proof in the module, by a problem that needs it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import product

import pytest
from households import flat, kitchen
from random_tasks import cheapest, solve_plainly
from tabletops import problem_of

from foretree.planning.grounding import _operator_relevance as relevance
from foretree.planning.grounding._operator_relevance import relevant_templates
from foretree.planning.grounding.compilation import compile_away
from foretree.planning.grounding.grounding import ground
from foretree.planning.pddl.parser import parse_domain, parse_problem
from foretree.planning.pddl.syntax import Literal, Problem


def problem(actions: str, init: str, goal: str) -> Problem:
    domain = parse_domain(f"""
        (define (domain hands) (:requirements :adl) (:constants x y z)
          (:predicates (free) (holding ?i) (loose ?i) (lifted ?i) (ok ?i) (late) (warm) (done ?i) (calm))
          (:action grab :parameters (?i) :precondition (and (free) (loose ?i))
            :effect (and (holding ?i) (not (free)) (not (loose ?i))))
          {actions})""")
    text = f"(define (problem p) (:domain hands) (:init {init}) (:goal {goal}))"
    return parse_problem(text, domain)


DROP = """(:action drop :parameters (?i) :precondition (holding ?i)
            :effect (and (free) (loose ?i) (not (holding ?i))))"""


def check(task: Problem, cost: int | None) -> None:
    assert cheapest(task) == cost
    found = solve_plainly(task)
    assert (None if found is None else found[0]) == cost


def test_a_hand_that_was_filled_for_a_purpose_is_emptied() -> None:
    """Filling it matters for another reason than holding, so emptying it matters as well."""
    lift = """(:action lift :parameters (?i) :precondition (and (free) (loose ?i))
                :effect (and (holding ?i) (lifted ?i) (not (free)) (not (loose ?i))))"""
    check(problem(DROP + lift, "(free) (loose x)", "(and (lifted x) (free))"), 2)


def test_a_hand_that_is_full_from_the_start_is_emptied() -> None:
    check(problem(DROP, "(holding x)", "(free)"), 1)


def test_something_that_takes_the_hand_without_needing_it() -> None:
    """Condition C: with something in the hand, the shock does no harm."""
    shock = """(:action shock :parameters () :precondition (calm)
                 :effect (and (done x) (not (free)) (not (calm))))"""
    check(problem(DROP + shock, "(free) (loose y) (calm)", "(and (done x) (free))"), 3)


def test_a_hand_that_is_free_and_full_at_once() -> None:
    """Condition D: by grabbing z, the robot saves the freedom that it could not use twice."""
    more = """(:action drop :parameters (?i) :precondition (and (holding ?i) (ok ?i))
                :effect (and (free) (not (holding ?i))))
              (:action wait :parameters () :effect (and (late) (not (ok x))))
              (:action use :parameters (?i) :precondition (and (free) (late) (loose ?i))
                :effect (and (done ?i) (not (free))))"""
    init = "(free) (holding x) (ok x) (ok z) (loose z) (loose y) (loose x)"
    check(problem(more, init, "(and (done x) (done y))"), 6)


def test_what_a_condition_depends_on_matters_either_way() -> None:
    """Cooling matters only because the heat would take the calm away."""
    more = """(:action cool :parameters () :effect (not (warm)))
              (:action act :parameters () :effect (and (done x) (when (warm) (not (calm)))))"""
    check(problem(more, "(warm) (calm)", "(and (done x) (calm))"), 2)


def test_two_parameters_that_are_the_same_object() -> None:
    odd = """(:action odd :parameters (?i ?j) :precondition (and (holding ?i) (not (holding ?j)) (ok ?j))
               :effect (done ?i))"""
    check(problem(odd, "(holding x) (ok x)", "(done x)"), None)
    check(problem(odd, "(holding x) (ok y)", "(done x)"), 1)


def test_what_nobody_does_need_not_be_undone() -> None:
    """Switching on would matter only in order to switch off; what hangs on it matters no more."""
    more = """(:action heat :parameters (?i) :precondition (holding ?i) :effect (warm))
              (:action cool :parameters () :precondition (warm) :effect (not (warm)))
              (:action act :parameters () :precondition (not (warm)) :effect (late))"""
    task = problem(DROP + more, "(free) (loose x) (loose y)", "(late)")
    check(task, 1)
    assert {t.operator for t in relevant_templates(compile_away(task).problem)} == {"act"}


def test_what_is_so_from_the_start_is_undone() -> None:
    more = """(:action cool :parameters () :precondition (warm) :effect (not (warm)))
              (:action act :parameters () :precondition (not (warm)) :effect (late))"""
    check(problem(more, "(warm)", "(late)"), 2)


def test_what_is_done_for_another_reason_is_undone() -> None:
    more = """(:action heat :parameters (?i) :precondition (loose ?i) :effect (and (warm) (done ?i)))
              (:action cool :parameters () :precondition (warm) :effect (not (warm)))
              (:action act :parameters () :precondition (not (warm)) :effect (late))"""
    check(problem(more, "(loose x)", "(and (done x) (late) (not (warm)))"), 3)
    check(problem(more, "(loose x) (calm)", "(and (done x) (not (warm)))"), 2)


# -- telling the parts of an operator apart ------------------------------------------------------------------

BAKERY = parse_domain("""
(define (domain bakery)
  (:requirements :adl)
  (:types thing - object)
  (:predicates (blade ?t) (holding ?t) (lies ?t) (slices ?loaf ?a ?b ?c) (part ?a ?loaf) (cut ?loaf) (eaten ?a))
  (:action grab :parameters (?t - thing) :precondition (lies ?t) :effect (and (holding ?t) (not (lies ?t))))
  (:action cut :parameters (?t ?loaf ?a ?b ?c - thing)
    :precondition (and (holding ?t) (blade ?t) (slices ?loaf ?a ?b ?c) (not (cut ?loaf))
                       (part ?a ?loaf) (part ?b ?loaf) (part ?c ?loaf))
    :effect (and (cut ?loaf) (lies ?a) (lies ?b) (lies ?c)
                 (not (part ?a ?loaf)) (not (part ?b ?loaf)) (not (part ?c ?loaf))))
  (:action eat :parameters (?a - thing) :precondition (holding ?a) :effect (eaten ?a)))
""")


def bakery(loaves: int, others: int, goal: str) -> Problem:
    objects = ["knife", *(f"other{number}" for number in range(others))]
    init = ["(blade knife)", *(f"(lies {name})" for name in objects)]
    for number in range(loaves):
        loaf, *pieces = f"loaf{number}", *(f"piece{number}{letter}" for letter in "abc")
        objects += [loaf, *pieces]
        init += [f"(lies {loaf})", f"(slices {loaf} {' '.join(pieces)})"]
        init += [f"(part {piece} {loaf})" for piece in pieces]
    text = f"""(define (problem p) (:domain bakery) (:objects {" ".join(objects)} - thing)
                 (:init {" ".join(init)}) (:goal {goal}))"""
    return compile_away(parse_problem(text, BAKERY)).problem


def test_the_pieces_of_a_loaf_are_not_tried_with_those_of_others() -> None:
    """To try each loaf with the first, second and third pieces of all would be 2.6 million combinations."""
    task = bakery(loaves=40, others=600, goal="(exists (?a) (eaten ?a))")
    cuts = [template.arguments for template in relevant_templates(task) if template.operator == "cut"]
    assert sorted(cuts) == sorted(
        ("knife", f"loaf{number}", *(f"piece{number}{letter}" for letter in "abc")) for number in range(40)
    )


def tried_with_everything(
    _: object,
    candidates: Mapping[str, frozenset[str]],
    static: Sequence[Literal],
    binding: Mapping[str, str],
    names: Sequence[str],
) -> Iterator[dict[str, str]]:
    """Every combination of candidates for *names*, whatever the static conditions say."""
    for values in product(*(sorted(candidates[name]) for name in names)):
        yield {**binding, **dict(zip(names, values, strict=True))}


TASKS = {
    "bakery": partial(bakery, 3, 60, "(and (eaten piece1b) (exists (?a) (cut ?a)))"),
    "kitchen": lambda: compile_away(kitchen("(and (clean mug1) (hot bread1))", seed=1)).problem,
    "flat": lambda: compile_away(flat("(and (sliced bread1) (in mango1 fridge1))", seed=1)).problem,
    "tabletop": lambda: (
        compile_away(
            problem_of({"cup1": ("on", "table1"), "plate1": ("in", "box1")}, "(on cup1 plate1)")
        ).problem
    ),
}


@pytest.mark.parametrize("name", TASKS)
def test_what_is_not_tried_can_never_run(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With every combination tried, the same can be done: those left out fit no static fact."""
    task = TASKS[name]()
    found = ground(task)
    monkeypatch.setattr(relevance._Relevance, "_fill", tried_with_everything)
    everything = ground(task)
    assert found.operators
    assert set(found.operators) == set(everything.operators)
    assert (found.reached, found.denied, found.goal) == (
        everything.reached,
        everything.denied,
        everything.goal,
    )
