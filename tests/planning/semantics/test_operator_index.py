"""The index of a domain's operators, and unification."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from foretree.planning.pddl.parser import parse_domain
from foretree.planning.pddl.syntax import Literal, substitute_atom
from foretree.planning.semantics.operator_index import index_of, unify

DOMAIN = parse_domain(
    """(define (domain d) (:requirements :conditional-effects)
    (:predicates (on ?x ?y) (clear ?x) (heavy ?x) (wet ?x))
    (:action move :parameters (?x ?y ?z)
      :precondition (and (on ?x ?y) (and (clear ?z) (not (heavy ?x))))
      :effect (and (on ?x ?z) (not (on ?x ?y)) (clear ?y) (when (wet ?x) (not (clear ?z))))))""",
    "d",
)


def test_fluents_are_what_effects_change_in_their_order():
    assert dict(index_of(DOMAIN).fluents) == {"on": 2, "clear": 1}
    assert list(index_of(DOMAIN).fluents) == ["on", "clear"]


def test_an_index_is_made_once():
    assert index_of(DOMAIN) is index_of(DOMAIN)


def test_achievers_are_told_apart_by_value():
    index = index_of(DOMAIN)
    assert [effect.literal.atom for _, effect in index.achievers("on", True)] == [("on", "?x", "?z")]
    assert [effect.literal.atom for _, effect in index.achievers("on", False)] == [("on", "?x", "?y")]
    assert not index.achievers("heavy", True)


def test_an_operator_is_taken_apart():
    parts = index_of(DOMAIN).parts(DOMAIN.operators["move"])
    assert [part.atom[0] for part in parts.literals] == ["on", "clear", "heavy"]
    assert parts.static == (Literal(("heavy", "?x"), False),)
    assert parts.consumed == (("on", "?x", "?y"),)
    assert Literal(("clear", "?z"), False) not in parts.certain  # it happens under a condition only


def test_unification_keeps_what_is_known_and_allowed():
    assert unify(("on", "?x", "b"), ("on", "a", "b")) == {"?x": "a"}
    assert unify(("on", "?x", "b"), ("on", "a", "c")) is None
    assert unify(("on", "?x", "?x"), ("on", "a", "b")) is None
    assert unify(("on", "?x", "?y"), ("on", None, "b"), {"?x": "c"}) == {"?x": "c", "?y": "b"}
    assert unify(("on", "?x"), ("on", "a"), {"?x": "b"}) is None
    assert unify(("on", "?x"), ("on", "a"), allowed={"?x": {"b"}}) is None


_NAMES = st.sampled_from("abc")


@given(
    st.lists(st.sampled_from(["?x", "?y", "a", "b"]), max_size=4).flatmap(
        lambda pattern: st.tuples(
            st.just(("p", *pattern)), st.tuples(st.just("p"), *([_NAMES] * len(pattern)))
        )
    )
)
def test_a_unifier_makes_the_pattern_the_atom(case):
    pattern, atom = case
    binding = unify(pattern, atom)
    possible = [
        {"?x": x, "?y": y}
        for x in "abc"
        for y in "abc"
        if substitute_atom(pattern, {"?x": x, "?y": y}) == atom
    ]
    assert (binding is not None) == bool(possible)
    if binding is not None:
        assert substitute_atom(pattern, binding) == atom
