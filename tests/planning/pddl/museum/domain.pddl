; A guard may close a room when nobody is in it, and lock up when all rooms are closed. Disjunctive and
; quantified preconditions, implication.
(define (domain museum)
  (:requirements :typing :negative-preconditions :disjunctive-preconditions :quantified-preconditions :equality)
  (:types room - object person - object guard visitor - person)
  (:predicates
    (in ?p - person ?r - room)
    (door ?a ?b - room)
    (closed ?r - room)
    (locked)
    (keyholder ?g - guard))
  (:action walk
    :parameters (?p - person ?a ?b - room)
    :precondition (and (in ?p ?a) (or (door ?a ?b) (door ?b ?a)) (not (closed ?b)))
    :effect (and (in ?p ?b) (not (in ?p ?a))))
  (:action close
    :parameters (?g - guard ?r ?next - room)
    :precondition (and (in ?g ?next) (not (= ?r ?next)) (or (door ?r ?next) (door ?next ?r))
                       (forall (?p - person) (not (in ?p ?r))))
    :effect (closed ?r))
  (:action lock-up
    :parameters (?r - room)
    :precondition (and (not (locked))
                       (exists (?g - guard) (and (in ?g ?r) (keyholder ?g)))
                       (forall (?other - room) (imply (not (= ?other ?r)) (closed ?other))))
    :effect (locked)))
