"""Causal links and the partial order they leave."""

from __future__ import annotations

import random

import pytest
from effort import growth
from hypothesis import given, settings
from hypothesis import strategies as st

from foretree.garbage import gc_paused
from foretree.planning.causal_links import WORLD, BrokenPlanError, Link, analyse
from foretree.planning.pddl.parser import parse_domain, parse_problem
from foretree.planning.pddl.syntax import TRUE, And, Domain, Effect, Literal, Or
from foretree.planning.semantics.actions import (
    GroundAction,
    TypedObjects,
    applicable,
    apply,
    instantiate,
)
from foretree.planning.semantics.evaluation import evaluate, state_oracle
from foretree.world_model.beliefs.facts import Truth

NOTHING = TypedObjects(Domain("none"), {})


def lit(text: str) -> Literal:
    return Literal((text.lstrip("!"),), not text.startswith("!"))


def act(name: str, needs: str = "", makes: str = "") -> GroundAction:
    return GroundAction(
        name,
        (),
        And(tuple(map(lit, needs.split()))),
        tuple(Effect(lit(effect)) for effect in makes.split()),
        1,
    )


def products(causality, step):
    """What later steps or the goal need from a step."""
    return {link.literal for link in causality.links if link.producer == step}


def test_links_name_producer_consumer_and_literal():
    plan = [act("a", "x", "y !x"), act("b", "y", "z")]
    found = analyse(plan, {("x",)}, lit("z"), NOTHING)
    assert set(found.links) == {Link(WORLD, 0, lit("x")), Link(0, 1, lit("y")), Link(1, 2, lit("z"))}
    assert found.order == (frozenset(), frozenset({0}))
    assert products(found, 0) == {lit("y")}


def test_independent_steps_are_unordered():
    found = analyse([act("a", "", "x"), act("b", "", "y")], set(), And((lit("x"), lit("y"))), NOTHING)
    assert found.order == (frozenset(), frozenset())


def test_n_shaped_order():
    """a → c, a → d, b → d: no nesting of sequences and parallels expresses it."""
    plan = [act("a", "", "p"), act("b", "", "q"), act("c", "p", "r"), act("d", "p q", "s")]
    found = analyse(plan, set(), And((lit("r"), lit("s"))), NOTHING)
    assert found.order == (frozenset(), frozenset(), frozenset({0}), frozenset({0, 1}))


def test_a_destroyer_waits_for_those_who_still_need_it():
    plan = [act("use", "x", "y"), act("spoil", "", "z !x")]
    found = analyse(plan, {("x",)}, And((lit("y"), lit("z"))), NOTHING)
    assert found.order[1] == {0}


def test_a_destroyer_before_a_producer_stays_before_it():
    plan = [act("spoil", "", "z !x"), act("make", "", "x"), act("use", "x", "y")]
    found = analyse(plan, {("x",)}, And((lit("y"), lit("z"))), NOTHING)
    assert found.order[1] == {0}


def test_a_disjunction_is_explained_by_the_part_that_holds():
    step = GroundAction("a", (), Or((lit("x"), lit("y"))), (Effect(lit("z")),), 1)
    assert analyse([step], {("y",)}, lit("z"), NOTHING).needs[0] == {lit("y")}


def test_a_conditional_effect_adds_its_condition_to_what_is_needed():
    step = GroundAction("a", (), TRUE, (Effect(lit("z"), lit("x")), Effect(lit("!g"), lit("y"))), 1)
    found = analyse([step], {("x",), ("g",)}, And((lit("z"), lit("g"))), NOTHING)
    assert found.needs[0] == {lit("x"), lit("!y")}


@pytest.mark.parametrize("plan", [[act("a", "missing", "z")], [act("a", "", "y")]])
def test_a_broken_plan_is_refused(plan):
    with pytest.raises(BrokenPlanError):
        analyse(plan, set(), lit("z"), NOTHING)


FACTS = ["p", "q", "r", "s", "t"]


@settings(max_examples=300, deadline=None)
@given(st.randoms(use_true_random=False))
def test_every_linearisation_is_a_valid_plan(rng: random.Random):
    """Random walks as plans: whatever order the partial order allows reaches the same goal."""
    state = frozenset((f,) for f in FACTS if rng.random() < 0.5)
    start, plan = state, []
    for index in range(rng.randint(1, 9)):
        needs = " ".join(f if (f,) in state else f"!{f}" for f in FACTS if rng.random() < 0.3)
        makes = " ".join(rng.choice(["", "!"]) + f for f in FACTS if rng.random() < 0.4)
        plan.append(act(f"a{index}", needs, makes))
        state = apply(plan[-1], state, NOTHING)
    goal = And(tuple(lit(f if (f,) in state else f"!{f}") for f in FACTS if rng.random() < 0.6))
    order = analyse(plan, start, goal, NOTHING).order
    for _ in range(5):
        done: list[int] = []
        current = start
        while len(done) < len(plan):
            ready = [i for i in range(len(plan)) if i not in done and order[i] <= set(done)]
            step = rng.choice(ready)
            assert applicable(plan[step], current, NOTHING), (step, done)
            current = apply(plan[step], current, NOTHING)
            done.append(step)
        assert evaluate(goal, state_oracle(current), NOTHING) is Truth.TRUE, done


def test_an_analysis_takes_as_long_as_the_plan_is():
    plan = [act(f"a{i}", f"p{i}", f"p{i + 1} !p{i}") for i in range(10_000)]

    def order(steps):
        with gc_paused(steps):  # as where plans are loaded
            return analyse(plan[:steps], {("p0",)}, lit(f"p{steps}"), NOTHING).order

    assert order(10_000)[9_999] == {9_998}
    assert growth(order, 1_000, 10_000, rounds=3) < 10 * 3


def test_what_makes_so_what_is_so_already_produces_nothing():
    found = analyse([act("a", "", "p"), act("b", "", "p"), act("c", "p", "q")], (), lit("q"), NOTHING)
    assert Link(0, 2, lit("p")) in found.links
    assert products(found, 1) == frozenset()
    found = analyse([act("a", "", "p"), act("c", "p", "q")], [("p",)], lit("q"), NOTHING)
    assert Link(WORLD, 1, lit("p")) in found.links


def test_what_is_derived_is_needed_for_the_sake_of_what_it_follows_from():
    domain = parse_domain(
        """(define (domain d) (:types node) (:predicates (edge ?x ?y - node) (reach ?x ?y - node) (lamp))
             (:derived (reach ?x ?y - node)
               (or (edge ?x ?y) (exists (?z - node) (and (edge ?x ?z) (reach ?z ?y)))))
             (:action join :parameters (?x ?y - node) :effect (edge ?x ?y))
             (:action light :parameters (?x ?y - node) :precondition (reach ?x ?y) :effect (lamp)))"""
    )
    task = parse_problem(
        "(define (problem p) (:domain d) (:objects a b c - node) (:init) (:goal (lamp)))", domain
    )
    objects = TypedObjects(domain, task.objects)
    steps = [("join", ("a", "b")), ("join", ("b", "c")), ("light", ("a", "c"))]
    ground = [instantiate(domain.operators[name], names, objects) for name, names in steps]
    causality = analyse(ground, task.init, task.goal, objects, objects.derivation)
    assert causality.order[2] == {0, 1}
    assert products(causality, 0) == {Literal(("edge", "a", "b"))}
    assert products(causality, 1) == {Literal(("edge", "b", "c"))}
