; Parcels by truck along roads and by plane between airports; what a drive costs depends on the road.
(define (domain delivery)
  (:requirements :strips :typing :action-costs)
  (:types
    place thing - object
    airport - place
    parcel vehicle - thing
    truck plane - vehicle)
  (:predicates
    (at ?t - thing ?p - place)
    (inside ?p - parcel ?v - vehicle)
    (road ?from ?to - place))
  (:functions
    (total-cost) - number
    (distance ?from ?to - place) - number)
  (:action load
    :parameters (?p - parcel ?v - vehicle ?at - place)
    :precondition (and (at ?p ?at) (at ?v ?at))
    :effect (and (inside ?p ?v) (not (at ?p ?at)) (increase (total-cost) 1)))
  (:action unload
    :parameters (?p - parcel ?v - vehicle ?at - place)
    :precondition (and (inside ?p ?v) (at ?v ?at))
    :effect (and (at ?p ?at) (not (inside ?p ?v)) (increase (total-cost) 1)))
  (:action drive
    :parameters (?t - truck ?from ?to - place)
    :precondition (and (at ?t ?from) (road ?from ?to))
    :effect (and (at ?t ?to) (not (at ?t ?from)) (increase (total-cost) (distance ?from ?to))))
  (:action fly
    :parameters (?p - plane ?from ?to - airport)
    :precondition (at ?p ?from)
    :effect (and (at ?p ?to) (not (at ?p ?from)) (increase (total-cost) 20))))
