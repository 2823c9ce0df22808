"""Atoms that exclude each other."""

from __future__ import annotations

from itertools import combinations

from households import kitchen
from hypothesis import HealthCheck, given, settings
from random_tasks import carrying, problems, reachable_states

from foretree.planning.grounding.compilation import compile_away
from foretree.planning.grounding.mutex_groups import find_mutex_groups
from foretree.planning.pddl.parser import parse_domain
from foretree.planning.pddl.syntax import Literal, Problem


def test_a_thing_is_in_one_place_and_a_hand_holds_one_thing() -> None:
    mutexes = find_mutex_groups(compile_away(kitchen("(clean mug1)")).problem)
    mug = [
        ("on", "mug1", "table1"),
        ("on", "mug1", "shelf1"),
        ("in", "mug1", "sink1"),
        ("holding", "robot", "left", "mug1"),
    ]
    for one, other in combinations(mug, 2):
        assert mutexes.exclude(one, other)
    assert mutexes.exclude(("hand_free", "robot", "left"), ("holding", "robot", "left", "mug1"))
    assert mutexes.exclude(("rob_at_node", "robot", "table1"), ("rob_at_node", "robot", "sink1"))
    assert not mutexes.exclude(("on", "mug1", "table1"), ("on", "mug2", "table1"))
    assert not mutexes.exclude(("holding", "robot", "left", "mug1"), ("holding", "robot", "right", "mug2"))
    assert not mutexes.exclude(("clean", "mug1"), ("on", "mug1", "table1"))


def test_a_thing_that_is_in_two_places_already_proves_nothing() -> None:
    problem = kitchen("(clean mug1)")
    init = problem.init | {("on", "mug1", "table1"), ("on", "mug1", "shelf1")}
    mutexes = find_mutex_groups(
        compile_away(Problem("p", problem.domain, problem.objects, init, problem.goal)).problem
    )
    assert not mutexes.exclude(("on", "mug1", "table1"), ("on", "mug1", "shelf1"))
    assert mutexes.exclude(("on", "mug2", "table1"), ("on", "mug2", "shelf1"))


def check(problem: Problem) -> None:
    compiled = compile_away(problem).problem
    mutexes = find_mutex_groups(compiled)
    for state in reachable_states(compiled):
        for one, other in combinations(sorted(state), 2):
            assert not mutexes.exclude(one, other)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(carrying())
def test_what_excludes_each_other_never_meets(problem: Problem) -> None:
    check(problem)


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(problems())
def test_the_same_in_any_domain(problem: Problem) -> None:
    check(problem)


TWO_HANDS = parse_domain("""
(define (domain lifting)
  (:requirements :typing :equality :negative-preconditions)
  (:types hand item)
  (:predicates (free ?h - hand) (held ?h - hand ?i - item) (down ?i - item) (bulky ?i - item))
  (:action grab :parameters (?h - hand ?i - item)
    :precondition (and (free ?h) (down ?i) (not (bulky ?i)))
    :effect (and (held ?h ?i) (not (free ?h)) (not (down ?i))))
  (:action lift :parameters (?g ?h - hand ?i - item)
    :precondition (and (not (= ?g ?h)) (free ?g) (free ?h) (down ?i) (bulky ?i))
    :effect (and (held ?g ?i) (held ?h ?i) (not (free ?g)) (not (free ?h)) (not (down ?i)))))
""")


def test_what_takes_both_hands_is_held_twice_and_each_hand_holds_one_thing() -> None:
    objects = {"l": "hand", "r": "hand", "cup": "item", "tray": "item"}
    init = frozenset({("free", "l"), ("free", "r"), ("down", "cup"), ("down", "tray"), ("bulky", "tray")})
    problem = Problem("lifting", TWO_HANDS, objects, init, Literal(("held", "l", "cup")))
    mutexes = find_mutex_groups(compile_away(problem).problem)
    assert mutexes.exclude(("held", "l", "cup"), ("held", "r", "cup"))
    assert mutexes.exclude(("held", "l", "cup"), ("down", "cup"))
    assert mutexes.exclude(("held", "l", "cup"), ("held", "l", "tray"))
    assert mutexes.exclude(("free", "r"), ("held", "r", "tray"))
    assert not mutexes.exclude(("held", "l", "tray"), ("held", "r", "tray"))
    check(problem)
