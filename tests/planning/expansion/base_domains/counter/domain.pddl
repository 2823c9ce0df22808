; Typed, with constants for the only table and the only sink.
(define (domain counter)
  (:requirements :strips :typing :negative-preconditions)
  (:types furniture dish - object)
  (:constants table sink - furniture)
  (:predicates (hand-empty) (held ?d - dish) (rests ?d - dish ?f - furniture) (clean ?d - dish) (plugged))
  (:action pick
    :parameters (?d - dish ?f - furniture)
    :precondition (and (hand-empty) (rests ?d ?f))
    :effect (and (held ?d) (not (hand-empty)) (not (rests ?d ?f))))
  (:action put_on_table
    :parameters (?d - dish)
    :precondition (held ?d)
    :effect (and (not (held ?d)) (hand-empty) (rests ?d table)))
  (:action put_into_sink
    :parameters (?d - dish)
    :precondition (held ?d)
    :effect (and (not (held ?d)) (hand-empty) (rests ?d sink)))
  (:action plug
    :parameters ()
    :precondition (and (hand-empty) (not (plugged)))
    :effect (plugged))
  (:action rinse
    :parameters (?d - dish)
    :precondition (and (rests ?d sink) (plugged) (not (clean ?d)))
    :effect (clean ?d)))
