"""What follows from rules, in states and in beliefs."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foretree.planning.pddl.parser import parse_domain
from foretree.planning.semantics.actions import TypedObjects
from foretree.planning.semantics.derivation import Derivation
from foretree.world_model.beliefs.facts import Truth

GRAPH = """(define (domain graph) (:types node)
  (:predicates (edge ?x ?y - node) (shut ?x - node) (reach ?x ?y - node) (cut ?x ?y - node) (hub ?x - node))
  (:derived (reach ?x ?y - node) (and (edge ?x ?y) (not (shut ?y))))
  (:derived (reach ?x ?y - node) (exists (?z - node) (and (reach ?x ?z) (edge ?z ?y) (not (shut ?y)))))
  (:derived (cut ?x ?y - node) (not (reach ?x ?y)))
  (:derived (hub ?x - node) (forall (?y - node) (or (= ?x ?y) (reach ?x ?y)))))"""
NODES = ("a", "b", "c", "d")
EDGES = [("edge", x, y) for x, y in product(NODES, NODES) if x != y]
SHUT = [("shut", x) for x in NODES]


def derivation(text: str = GRAPH, objects=None):
    domain = parse_domain(text)
    objects = objects or dict.fromkeys(NODES, "node")
    return Derivation(domain, TypedObjects(domain, objects))


def by_hand(state):
    """What is reached in a graph, found by walking."""
    reached = set()
    for start in NODES:
        todo, seen = [start], set()
        while todo:
            here = todo.pop()
            for there in NODES:
                if ("edge", here, there) in state and ("shut", there) not in state and there not in seen:
                    seen.add(there)
                    todo.append(there)
        reached |= {("reach", start, there) for there in seen}
    cut = {("cut", x, y) for x, y in product(NODES, NODES) if ("reach", x, y) not in reached}
    hubs = {("hub", x) for x in NODES if all(x == y or ("reach", x, y) in reached for y in NODES)}
    return frozenset(reached | cut | hubs)


@given(st.frozensets(st.sampled_from(EDGES + SHUT)))
def test_what_follows_in_a_state(state):
    assert derivation().close(state) == state | by_hand(state)


@settings(max_examples=60)
@given(st.frozensets(st.sampled_from(EDGES[:6] + SHUT[:2])), st.frozensets(st.sampled_from(EDGES[:5])))
def test_what_is_believed_to_follow_holds_in_every_state_that_is_possible(known, unknown):
    def belief(atom):
        return Truth.UNKNOWN if atom in unknown else Truth.TRUE if atom in known else Truth.FALSE

    truth = derivation().truth(belief)
    worlds = []
    for values in product((True, False), repeat=len(unknown)):
        chosen = {atom for atom, value in zip(sorted(unknown), values, strict=True) if value}
        worlds.append(by_hand(frozenset(known - unknown | chosen)))
    for predicate, arity in (("reach", 2), ("cut", 2), ("hub", 1)):
        for names in product(NODES, repeat=arity):
            atom = (predicate, *names)
            value = truth(atom)
            if value is Truth.TRUE:
                assert all(atom in world for world in worlds)
            elif value is Truth.FALSE:
                assert not any(atom in world for world in worlds)
            if not unknown:
                assert value is not Truth.UNKNOWN


def test_rules_that_lead_back_through_a_universal_condition():
    text = """(define (domain d) (:predicates (next ?x ?y) (ready ?x))
      (:derived (ready ?x) (forall (?y) (or (not (next ?x ?y)) (ready ?y)))))"""
    chain = frozenset({("next", "a", "b"), ("next", "b", "c"), ("next", "d", "d")})
    made = derivation(text, dict.fromkeys(NODES, "object"))
    assert made.close(chain) - chain == {("ready", "a"), ("ready", "b"), ("ready", "c")}
    assert made.truth(lambda a: Truth.TRUE if a in chain else Truth.FALSE)(("ready", "d")) is Truth.FALSE


def test_a_rule_of_many_alternatives_is_tested_as_a_whole():
    parts = " ".join(f"(or (p{i}) (q{i}))" for i in range(10))
    names = " ".join(f"(p{i}) (q{i})" for i in range(10))
    made = derivation(f"(define (domain d) (:predicates {names} (all)) (:derived (all) (and {parts})))")
    state = frozenset((f"{'pq'[i % 2]}{i}",) for i in range(10))
    assert ("all",) in made.close(state)
    assert ("all",) not in made.close(state - {("p0",)})


@pytest.mark.parametrize("stale", [("reach", "a", "b"), ("cut", "a", "a")])
def test_what_a_state_says_of_derived_predicates_counts_for_nothing(stale):
    assert derivation().close(frozenset({stale})) == by_hand(frozenset())
