; A trolley is a place that can be pushed; boxes carry what is in them.
(define (domain trolley)
  (:requirements :strips :typing :negative-preconditions)
  (:types furniture thing - object desk trolley - furniture box parcel - thing)
  (:predicates (hand_empty) (holding ?t - thing) (on ?t - thing ?f - furniture) (in ?p - parcel ?b - box)
               (sealed ?b - box))
  (:action pick
    :parameters (?t - thing ?f - furniture)
    :precondition (and (hand_empty) (on ?t ?f))
    :effect (and (holding ?t) (not (hand_empty)) (not (on ?t ?f))))
  (:action place
    :parameters (?t - thing ?f - furniture)
    :precondition (holding ?t)
    :effect (and (not (holding ?t)) (hand_empty) (on ?t ?f)))
  (:action pack
    :parameters (?p - parcel ?b - box)
    :precondition (and (holding ?p) (not (sealed ?b)))
    :effect (and (not (holding ?p)) (hand_empty) (in ?p ?b)))
  (:action unpack
    :parameters (?p - parcel ?b - box)
    :precondition (and (hand_empty) (in ?p ?b) (not (sealed ?b)))
    :effect (and (holding ?p) (not (hand_empty)) (not (in ?p ?b))))
  (:action seal
    :parameters (?b - box)
    :precondition (and (hand_empty) (not (sealed ?b)))
    :effect (sealed ?b)))
