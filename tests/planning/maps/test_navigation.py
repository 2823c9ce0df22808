"""Navigation is found in a domain's operators, and refused where moves could not be strung together."""

from __future__ import annotations

from dataclasses import replace

import pytest
from floors import DOMAIN
from trolleys import NAMES, TROLLEYS

from foretree.planning.maps.navigation import MoveParameters, NavigationError, find_navigation
from foretree.planning.pddl.parser import parse_domain
from foretree.planning.pddl.syntax import Domain
from foretree.skills.catalogue_file import load_catalogue


def test_the_canonical_names():
    navigation = find_navigation(DOMAIN)
    assert navigation.moves == {"move_robot": MoveParameters(1, 2)}
    assert navigation.openers == ("open_door",)
    assert navigation.anywhere == ()
    assert navigation.door_states == {"door_open"}


def test_the_household():
    navigation = find_navigation(load_catalogue().domain)
    assert navigation.moves == {"move": MoveParameters(1, 2)}
    assert navigation.openers == ("open_door",)
    assert navigation.closers == ("close_door",)
    assert navigation.door_kinds == {"openable"}
    assert navigation.door_states == {"open"}
    # What is given to a person, or looked at closely, needs nothing else to be known about the node.
    assert set(navigation.anywhere) <= {"asset", "person"}
    assert "person" in navigation.anywhere


def test_other_names_no_types_and_a_trolley_that_is_pushed():
    navigation = find_navigation(parse_domain(TROLLEYS), NAMES)
    assert navigation.moves == {"go": MoveParameters(1, 2), "push": MoveParameters(2, 3)}
    assert navigation.openers == ("unlock",)
    assert navigation.node_kinds == {"node"}
    assert navigation.door_kinds == {"door"}
    assert navigation.anywhere == ("object",)


def test_a_domain_without_navigation_has_none():
    assert find_navigation(parse_domain(TROLLEYS)) is None
    assert find_navigation(Domain("nothing")) is None
    without_moves = {name: o for name, o in DOMAIN.operators.items() if name != "move_robot"}
    assert find_navigation(replace(DOMAIN, operators=without_moves)) is None


def test_what_happens_at_a_node_in_a_larger_condition_may_happen_anywhere():
    text = TROLLEYS.replace(
        "(and (stands ?r ?n) (free ?r) (thing_at ?o ?n))", "(or (stands ?r ?n) (free ?r))"
    )
    without_dropping = parse_domain(text).operators.keys() - {"drop"}
    domain = parse_domain(text)
    domain = replace(domain, operators={name: domain.operators[name] for name in sorted(without_dropping)})
    assert find_navigation(domain, NAMES).anywhere == ("object",)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        (
            "(increase (total-cost) (length ?a ?b))))\n  (:action push",
            "(increase (total-cost) 1)))\n  (:action push",
            "operator go moves from ?a to ?b, but its cost is another one",
        ),
        (
            "(stands ?r ?a) (way ?a ?b))",
            "(stands ?r ?a) (way ?a ?b) (thing_at ?r ?b))",
            "operator go asks for more of ?a and ?b",
        ),
        (
            "(stands ?r ?b) (not (stands ?r ?a)) (increase",
            "(stands ?r ?b) (not (stands ?r ?a)) (not (free ?r)) (increase",
            "operator go moves from ?a to ?b, but does something else",
        ),
        ("(stands ?r ?b) (not (stands ?r ?a)) (increase", "(stands ?r ?b) (increase", "operator go does not carry"),
        ("(way ?a ?b) (way ?b ?a) (unlocked", "(way ?a ?b) (unlocked", "operator unlock connects ?a with ?b"),
        ("(door_in ?d ?a ?b) (not (way", "(not (way", "operator unlock connects ?a with ?b"),
        ("(unlocked ?d) (inc", "(unlocked ?d) (not (free ?r)) (inc", "unlock opens a door and does something else"),
        ("(not (holds ?r ?o)) (inc", "(not (holds ?r ?o)) (not (way ?n ?n)) (inc", "operator drop disconnects ?n"),
        ("(free ?r) (thing_at ?o ?n))", "(free ?r) (or (way ?n ?n) (thing_at ?o ?n)))", "within a larger condition"),
        ("(free ?r) (thing_at ?o ?n))", "(free ?r) (thing_at ?o ?n) (door_in ?o ?n ?n))", "asks about door_in"),
        ("(free ?r) (thing_at ?o ?n))", "(free ?r) (thing_at ?o ?n) (not (way ?n ?n)))", "asks about way without"),
        ("(not (thing_at ?o ?n)) (increase (total-cost) 1)", "(not (thing_at ?o ?n)) (increase (total-cost) (length ?n ?n))", "operator grab costs length"),
    ],
)  # fmt: skip
def test_what_cannot_be_strung_together_is_refused(old, new, says):
    assert TROLLEYS.count(old) == 1
    with pytest.raises(NavigationError) as error:
        find_navigation(parse_domain(TROLLEYS.replace(old, new)), NAMES)
    assert says in str(error.value)
    assert "Valid are moves along (way ?from ?to)" in str(error.value)
