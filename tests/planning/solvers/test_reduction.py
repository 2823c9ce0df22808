"""What may be left out of a search: the cheapest plan costs the same."""

from __future__ import annotations

import heapq
from dataclasses import replace

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_tasks import carrying, cheapest, problems

from foretree.planning.grounding.compilation import compile_away
from foretree.planning.grounding.grounding import ground
from foretree.planning.grounding.simplification import simplify
from foretree.planning.pddl.parser import parse_domain, parse_problem
from foretree.planning.pddl.syntax import Problem
from foretree.planning.semantics.actions import validate
from foretree.planning.solvers.finite_domain._variable_merging import with_joined_variables
from foretree.planning.solvers.finite_domain.reduction import reduced
from foretree.planning.solvers.finite_domain.sas_encoding import finite_domain
from foretree.planning.solvers.finite_domain.task import FiniteDomainTask, SasEffect, SasOperator

KITCHEN = parse_domain("""
(define (domain kitchen) (:requirements :typing :negative-preconditions :action-costs)
  (:types item place - object)
  (:predicates (free) (holding ?i - item) (on ?i - item ?p - place) (under ?i - item ?p - place)
               (robot ?p - place) (bag ?i - item) (spoon ?i - item) (pot ?i - item)
               (laden ?i - item) (has_soil ?i - item) (has_cereal ?i - item) (cereal ?i - item))
  (:functions (total-cost))
  (:action go :parameters (?p ?q - place) :precondition (robot ?p)
    :effect (and (not (robot ?p)) (robot ?q) (increase (total-cost) 5)))
  (:action take :parameters (?i - item ?p - place)
    :precondition (and (robot ?p) (free) (on ?i ?p))
    :effect (and (holding ?i) (not (free)) (not (on ?i ?p)) (increase (total-cost) 1)))
  (:action put :parameters (?i - item ?p - place)
    :precondition (and (robot ?p) (holding ?i))
    :effect (and (free) (not (holding ?i)) (on ?i ?p) (increase (total-cost) 1)))
  (:action take-from-under :parameters (?i - item ?p - place)
    :precondition (and (robot ?p) (free) (under ?i ?p))
    :effect (and (holding ?i) (not (free)) (not (under ?i ?p)) (increase (total-cost) 1)))
  (:action put-under :parameters (?i - item ?p - place)
    :precondition (and (robot ?p) (holding ?i))
    :effect (and (free) (not (holding ?i)) (under ?i ?p) (increase (total-cost) 1)))
  (:action scoop-soil :parameters (?s ?b - item ?p - place)
    :precondition (and (robot ?p) (holding ?s) (spoon ?s) (bag ?b) (on ?b ?p) (not (laden ?s)))
    :effect (and (laden ?s) (has_soil ?s) (increase (total-cost) 1)))
  (:action scoop-cereal :parameters (?s ?b - item ?p - place)
    :precondition (and (robot ?p) (holding ?s) (spoon ?s) (cereal ?b) (on ?b ?p) (not (laden ?s)))
    :effect (and (laden ?s) (has_cereal ?s) (increase (total-cost) 1)))
  (:action tip-soil :parameters (?s ?t - item ?p - place)
    :precondition (and (robot ?p) (holding ?s) (laden ?s) (has_soil ?s) (pot ?t) (on ?t ?p))
    :effect (and (has_soil ?t) (not (laden ?s)) (not (has_soil ?s)) (increase (total-cost) 1)))
  (:action tip-cereal :parameters (?s ?t - item ?p - place)
    :precondition (and (robot ?p) (holding ?s) (laden ?s) (has_cereal ?s) (pot ?t) (on ?t ?p))
    :effect (and (has_cereal ?t) (not (laden ?s)) (not (has_cereal ?s)) (increase (total-cost) 1))))
""")


def kitchen(init: str, goal: str) -> Problem:
    return parse_problem(
        f"""(define (problem p) (:domain kitchen)
          (:objects spoon1 bag1 cereal1 pot1 - item table shelf - place)
          (:init (robot table) (free) (spoon spoon1) (bag bag1) (cereal cereal1) (pot pot1)
                 (on bag1 table) (on cereal1 table) (on pot1 shelf) {init})
          (:goal {goal}) (:metric minimize (total-cost)))""",
        KITCHEN,
    )


def least(task: FiniteDomainTask) -> tuple[int, list[int]] | None:
    """The cost of a cheapest plan and the numbers of its operators, by uniform-cost search."""
    frontier = [(0, [], task.init)]
    best = {task.init: 0}
    while frontier:
        cost, steps, state = heapq.heappop(frontier)
        if cost > best[state]:
            continue
        if all(state[variable] == value for variable, value in task.goal.items()):
            return cost, steps
        for operator in task.operators:
            if all(state[variable] == value for variable, value in operator.before.items()):
                after = list(state)
                for change in operator.changes:
                    if all(state[variable] == value for variable, value in change.tests):
                        after[change.variable] = change.value
                new, price = tuple(after), cost + operator.cost
                if price < best.get(new, price + 1):
                    best[new] = price
                    heapq.heappush(frontier, (price, [*steps, operator.number], new))
    return None


def check(problem: Problem, expected: int | None) -> list[str]:
    """The actions that are left, once it is sure that the cheapest plan costs the same and is a plan."""
    compiled = compile_away(problem)
    grounding = simplify(ground(compiled.problem))
    if not grounding.solvable:
        assert expected is None
        return []
    assert (least(finite_domain(grounding)) or (None,))[0] == expected
    grounding, task = reduced(grounding)
    found = least(task)
    assert (None if found is None else found[0]) == expected
    if found is not None:
        operators = [grounding.operators[number] for number in found[1]]
        steps = compiled.restore((operator.name, operator.arguments) for operator in operators)
        assert validate(problem, steps).ok
    return [" ".join((operator.name, *operator.arguments)) for operator in grounding.operators]


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(problem=problems())
def test_the_cheapest_plan_costs_the_same(problem: Problem) -> None:
    check(problem, cheapest(problem))


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(problem=carrying())
def test_the_same_where_things_are_carried(problem: Problem) -> None:
    check(problem, cheapest(problem))


def test_what_a_spoon_could_take_for_nothing_is_left_out() -> None:
    actions = check(kitchen("(on spoon1 table)", "(has_soil pot1)"), 8)
    assert "scoop-soil spoon1 bag1 table" in actions
    assert not [action for action in actions if "cereal" in action]


def test_a_spoon_that_is_laden_at_first_is_emptied() -> None:
    problem = kitchen("(holding spoon1) (laden spoon1) (has_cereal spoon1)", "(has_soil pot1)")
    problem = replace(problem, init=problem.init - {("free",)})
    actions = check(problem, 17)
    assert "tip-cereal spoon1 pot1 shelf" in actions


def test_what_is_as_good_under_a_table_as_on_it_is_put_there_in_one_way() -> None:
    goal = "(and (has_soil pot1) (under pot1 table))"
    actions = check(kitchen("(on spoon1 table)", goal), 16)
    assert {"put pot1 table", "put-under pot1 table"} <= set(actions)
    assert len({"put spoon1 table", "put-under spoon1 table"} & set(actions)) == 1


@st.composite
def tasks_about_a_thing(draw):
    """Tasks with a goal of their own and up to five flags of one thing."""
    flags = draw(st.integers(2, 5))
    value = st.integers(0, 1)
    needs = st.dictionaries(st.integers(1, flags), value, min_size=1)
    makes = st.dictionaries(st.integers(0, flags), value, min_size=1, max_size=3)
    operators = []
    for number in range(draw(st.integers(2, 6))):
        changes = tuple(SasEffect(variable, value) for variable, value in draw(makes).items())
        operators.append(SasOperator(number, draw(needs), changes, draw(st.integers(0, 3))))
    return FiniteDomainTask(
        (("no", "yes"),) * (flags + 1),
        (None, *[("x",)] * flags),
        (),
        (0,) * (flags + 1),
        {0: 1},
        tuple(operators),
    )


@given(task=tasks_about_a_thing())
@settings(max_examples=300)
def test_joining_the_variables_of_a_thing_changes_no_cost(task: FiniteDomainTask) -> None:
    before, after = least(task), least(with_joined_variables(task))
    assert (before and before[0]) == (after and after[0])


def test_a_move_is_left_out_for_values_that_what_it_needs_never_goes_with() -> None:
    """Variables are joined by twos: what an operator needs of the third says nothing about the other two by itself."""
    operators = (
        SasOperator(0, {3: 1}, (SasEffect(3, 0), SasEffect(1, 1)), 1),
        SasOperator(
            1, {1: 1, 3: 1, 2: 0}, (SasEffect(3, 0), SasEffect(1, 0), SasEffect(2, 1), SasEffect(0, 1)), 1
        ),
        SasOperator(2, {2: 0}, (SasEffect(2, 0), SasEffect(3, 1)), 1),
    )
    task = FiniteDomainTask(
        (("no", "yes"),) * 4, (None, ("x",), ("x",), ("x",)), (), (0, 0, 0, 0), {0: 1}, operators
    )
    expected = least(task)
    assert expected is not None
    assert least(with_joined_variables(task)) == expected
