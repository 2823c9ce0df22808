"""The meaning of PDDL, checked by hand-worked cases."""

from __future__ import annotations

import re

import pytest
from effort import spent

from foretree.planning.pddl.parser import parse_domain, parse_problem
from foretree.planning.pddl.syntax import (
    And,
    Cost,
    Count,
    Domain,
    Effect,
    Equal,
    Exists,
    Forall,
    Literal,
    Not,
    Operator,
    Or,
    Problem,
    Typed,
)
from foretree.planning.semantics.actions import (
    SemanticsError,
    TypedObjects,
    applicable,
    apply,
    instantiate,
    validate,
)
from foretree.planning.semantics.evaluation import evaluate, ground, negate, state_oracle, witness
from foretree.world_model.beliefs.facts import Truth

P, Q, R = Literal(("p",)), Literal(("q",)), Literal(("r",))
ON = Literal(("on", "?x", "table"))
X = Typed("?x", "mug")

DOMAIN = Domain(
    "test",
    types={"mug": "object", "cup": "mug", "spot": "object"},
    predicates={"on": (Typed("?x"), Typed("?y")), "wet": (Typed("?x"),), "p": (), "q": (), "r": ()},
    operators={
        "put": Operator(
            "put",
            (Typed("?x", "mug"), Typed("?y", "spot")),
            And((~Literal(("on", "?x", "?y")), ~Literal(("wet", "?y")))),
            (
                Effect(Literal(("on", "?x", "?y"))),
                Effect(Literal(("wet", "?y")), Literal(("wet", "?x"))),
                Effect(~Literal(("on", "?x", "?z")), ~Literal(("p",)), (Typed("?z", "spot"),)),
            ),
            Cost(constant=1, function=("weight", "?x")),
        )
    },
)
THINGS = {"a": "mug", "b": "cup", "c": "mug", "table": "spot", "shelf": "spot"}
OBJECTS = TypedObjects(DOMAIN, THINGS)


def belief(**values: Truth):
    return lambda atom: values.get(atom[0], Truth.FALSE)


@pytest.mark.parametrize(
    ("formula", "p", "q", "expected"),
    [
        (And((P, Q)), Truth.TRUE, Truth.UNKNOWN, Truth.UNKNOWN),
        (And((P, Q)), Truth.FALSE, Truth.UNKNOWN, Truth.FALSE),
        (Or((P, Q)), Truth.TRUE, Truth.UNKNOWN, Truth.TRUE),
        (Or((P, Q)), Truth.FALSE, Truth.UNKNOWN, Truth.UNKNOWN),
        (Not(And((P, Q))), Truth.FALSE, Truth.UNKNOWN, Truth.TRUE),
        (And(()), Truth.FALSE, Truth.FALSE, Truth.TRUE),
        (Or(()), Truth.TRUE, Truth.TRUE, Truth.FALSE),
        (~P, Truth.UNKNOWN, Truth.TRUE, Truth.UNKNOWN),
    ],
)
def test_three_valued_connectives(formula, p, q, expected):
    assert evaluate(formula, belief(p=p, q=q), OBJECTS) is expected


def test_quantifiers_range_over_subtypes():
    state = state_oracle({("on", "a", "table"), ("on", "b", "table")})
    assert evaluate(Exists((X,), ON), state, OBJECTS) is Truth.TRUE
    assert evaluate(Forall((X,), ON), state, OBJECTS) is Truth.FALSE
    assert evaluate(Forall((Typed("?x", "cup"),), ON), state, OBJECTS) is Truth.TRUE


@pytest.mark.parametrize(
    ("count", "expected"),
    [
        (Count(X, ON, 2), Truth.TRUE),
        (Count(X, ON, 3), Truth.UNKNOWN),
        (Count(X, ON, 0, 1), Truth.FALSE),
        (Count(X, ON, 2, 2), Truth.UNKNOWN),
        (Count(X, ON, 2, 3), Truth.TRUE),
    ],
)
def test_counting_with_two_sure_and_one_unknown(count, expected):
    values = {"a": Truth.TRUE, "b": Truth.TRUE, "c": Truth.UNKNOWN}
    assert evaluate(count, lambda atom: values[atom[1]], OBJECTS) is expected


def test_ground_drops_equality_and_flattens():
    grounded = ground(Exists((X,), And((ON, Not(Equal("?x", "a"))))), OBJECTS)
    state = state_oracle({("on", "a", "table")})
    assert evaluate(grounded, state, OBJECTS) is Truth.FALSE
    assert "?x" not in str(grounded)


def test_negate_is_an_involution_of_meaning():
    formula = Or((And((P, ~Q)), Exists((X,), ON)))
    state = state_oracle({("on", "c", "table")})
    assert evaluate(negate(formula), state, OBJECTS) is ~evaluate(formula, state, OBJECTS)


def test_witness_implies_the_formula_and_is_small():
    state = {("on", "b", "table"), ("on", "c", "table"), ("p",)}
    formula = And((Or((Q, P)), Count(X, ON, 1), ~R))
    reason = witness(formula, state_oracle(state), OBJECTS)
    assert reason == {P, ~R, Literal(("on", "b", "table"))}


def test_witness_of_an_upper_bound_names_every_object():
    reason = witness(Count(X, ON, 0, 1), state_oracle({("on", "a", "table")}), OBJECTS)
    assert reason == {
        Literal(("on", "a", "table")),
        Literal(("on", "b", "table"), False),
        Literal(("on", "c", "table"), False),
    }


def test_conditional_and_universal_effects():
    put = instantiate(DOMAIN.operators["put"], ("a", "shelf"), OBJECTS, {("weight", "a"): 4})
    assert put.cost == 5
    before = frozenset({("on", "a", "table"), ("wet", "a")})
    assert applicable(put, before, OBJECTS)
    # the universal deletion also covers the new place, but an addition wins over a deletion
    assert apply(put, before, OBJECTS) == {("on", "a", "shelf"), ("wet", "a"), ("wet", "shelf")}
    assert apply(put, before | {("p",)}, OBJECTS) >= {("on", "a", "table"), ("on", "a", "shelf")}


def test_instantiate_refuses_the_wrong_number_of_arguments():
    with pytest.raises(SemanticsError, match="takes 2 arguments"):
        instantiate(DOMAIN.operators["put"], ("a",), OBJECTS)


PROBLEM = Problem("p", DOMAIN, THINGS, frozenset({("on", "a", "table")}), Literal(("on", "a", "shelf")))


def test_validate_accepts_and_costs():
    result = validate(PROBLEM, [("put", ("a", "shelf"))])
    assert result.ok
    assert result.cost == 1


@pytest.mark.parametrize(
    ("steps", "step", "reason"),
    [
        ([("put", ("a", "table"))], 0, r"needs \(not \(on a table\)\)"),
        ([("putt", ("a", "shelf"))], 0, "Did you mean put"),
        ([("put", ("shelf", "a"))], 0, "must be a mug"),
        ([("put", ("z", "shelf"))], 0, "no object z"),
        ([("put", ("b", "shelf"))], None, "goal does not hold"),
        ([], None, "goal does not hold"),
    ],
)
def test_validate_says_what_is_wrong(steps, step, reason):
    result = validate(PROBLEM, steps)
    assert not result.ok
    assert result.step == step

    assert re.search(reason, result.reason)


def test_checking_a_long_plan_does_not_copy_the_world_with_every_step():
    """A hundred times as many facts that nothing is about: about as long, beside a few facts in the same run."""

    def effort(rooms: int) -> float:
        domain = parse_domain(
            "(define (domain d) (:predicates (at ?x) (seen ?x ?y)) (:action go :parameters (?a ?b)"
            " :precondition (at ?a) :effect (and (not (at ?a)) (at ?b))))"
        )
        names = [f"n{number}" for number in range(rooms)]
        facts = " ".join(f"(seen {one} {other})" for one in names for other in names)
        problem = parse_problem(
            f"(define (problem p) (:domain d) (:objects {' '.join(names)}) (:init (at n0) {facts}) (:goal (at n1)))",
            domain,
        )
        steps = [("go", (f"n{number % 2}", f"n{(number + 1) % 2}")) for number in range(1001)]
        return spent(lambda: validate(problem, steps))

    assert min(effort(100) for _ in range(2)) < 15 * max(effort(10) for _ in range(2))
