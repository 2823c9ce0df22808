"""An untyped domain of trolleys, with names of its own."""

from foretree.planning.maps.navigation import NavigationNames

TROLLEYS = """
(define (domain trolleys)
  (:requirements :strips :negative-preconditions :equality :action-costs)
  (:predicates (robot ?r) (node ?n) (door ?d) (trolley ?t) (stands ?r ?n) (thing_at ?o ?n) (way ?a ?b)
               (door_in ?d ?a ?b) (unlocked ?d) (holds ?r ?o) (free ?r))
  (:functions (total-cost) (length ?a ?b))
  (:action go :parameters (?r ?a ?b)
    :precondition (and (robot ?r) (node ?a) (node ?b) (not (= ?a ?b)) (stands ?r ?a) (way ?a ?b))
    :effect (and (stands ?r ?b) (not (stands ?r ?a)) (increase (total-cost) (length ?a ?b))))
  (:action push :parameters (?r ?t ?a ?b)
    :precondition (and (robot ?r) (trolley ?t) (stands ?r ?a) (thing_at ?t ?a) (free ?r) (way ?a ?b))
    :effect (and (stands ?r ?b) (not (stands ?r ?a)) (thing_at ?t ?b) (not (thing_at ?t ?a))
                 (increase (total-cost) (length ?a ?b))))
  (:action unlock :parameters (?r ?d ?a ?b)
    :precondition (and (door ?d) (stands ?r ?a) (door_in ?d ?a ?b) (not (way ?a ?b)) (free ?r))
    :effect (and (way ?a ?b) (way ?b ?a) (unlocked ?d) (increase (total-cost) 1)))
  (:action drop :parameters (?r ?o ?n)
    :precondition (and (node ?n) (stands ?r ?n) (holds ?r ?o))
    :effect (and (thing_at ?o ?n) (free ?r) (not (holds ?r ?o)) (increase (total-cost) 1)))
  (:action grab :parameters (?r ?o ?n)
    :precondition (and (stands ?r ?n) (free ?r) (thing_at ?o ?n))
    :effect (and (holds ?r ?o) (not (free ?r)) (not (thing_at ?o ?n)) (increase (total-cost) 1))))
"""
NAMES = NavigationNames("stands", "thing_at", "way", "door_in", "length")
