"""Kinds of predicates, inferred from well-known domains and from the household."""

from __future__ import annotations

import pytest

from foretree.planning.pddl.parser import parse_domain
from foretree.skills.catalogue import infer_kinds
from foretree.skills.catalogue_file import load_catalogue

BLOCKS = """
(define (domain blocks)
  (:predicates (on ?x ?y) (ontable ?x) (clear ?x) (handempty) (holding ?x) (heavy ?x))
  (:action pick-up :parameters (?x)
    :precondition (and (clear ?x) (ontable ?x) (handempty))
    :effect (and (holding ?x) (not (ontable ?x)) (not (clear ?x)) (not (handempty))))
  (:action stack :parameters (?x ?y)
    :precondition (and (holding ?x) (clear ?y))
    :effect (and (on ?x ?y) (not (holding ?x)) (not (clear ?y)) (handempty) (clear ?x))))
"""

ERRANDS = """
(define (domain errands)
  (:requirements :typing)
  (:types robot thing room)
  (:predicates (at ?r - robot ?room - room) (lies ?t - thing ?room - room) (carries ?r - robot ?t - thing)
               (friends ?a ?b - thing) (door ?a ?b - room) (strong ?r - robot))
  (:action go :parameters (?r - robot ?from ?to - room)
    :precondition (and (at ?r ?from) (door ?from ?to))
    :effect (and (at ?r ?to) (not (at ?r ?from))))
  (:action take :parameters (?r - robot ?t - thing ?room - room)
    :precondition (and (at ?r ?room) (lies ?t ?room))
    :effect (and (carries ?r ?t) (not (lies ?t ?room))))
  (:action introduce :parameters (?a ?b - thing) :effect (and (friends ?a ?b) (friends ?b ?a))))
"""


def test_blocks():
    assert infer_kinds(parse_domain(BLOCKS)) == {
        "on": "place",
        "ontable": "attribute",
        "clear": "attribute",
        "handempty": "robot",
        "holding": "attribute",
        "heavy": "class",
    }


def test_errands():
    assert infer_kinds(parse_domain(ERRANDS)) == {
        "at": "robot",
        "lies": "place",
        "carries": "robot",
        "friends": "relation",
        "door": "relation",
        "strong": "robot",
    }


def test_the_household_is_inferred_as_its_file_says_but_for_what_it_overrules():
    catalogue = load_catalogue()
    inferred = infer_kinds(catalogue.domain)
    differing = {name for name, kind in inferred.items() if catalogue.vocabulary[name].kind != kind}
    remembered = {"poured", "scooped", "heated_in", "cooled_in", "filled_at_tap", "inspected"}
    assert differing == {"connected", *remembered}


@pytest.mark.parametrize(
    ("predicate", "kind"),
    [("on", "place"), ("given", "place"), ("open", "attribute"), ("heats", "class"), ("holding", "robot")],
)
def test_what_the_household_leaves_open_is_settled_by_inference(predicate, kind):
    assert infer_kinds(load_catalogue().domain)[predicate] == kind
