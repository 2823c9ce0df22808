; A robot with two grippers carries balls between rooms. Typed, with negative preconditions.
(define (domain gripper)
  (:requirements :strips :typing :negative-preconditions)
  (:types room ball gripper)
  (:predicates
    (at-robby ?r - room)
    (at ?b - ball ?r - room)
    (busy ?g - gripper)
    (carry ?b - ball ?g - gripper))
  (:action move
    :parameters (?from ?to - room)
    :precondition (at-robby ?from)
    :effect (and (at-robby ?to) (not (at-robby ?from))))
  (:action pick
    :parameters (?b - ball ?r - room ?g - gripper)
    :precondition (and (at ?b ?r) (at-robby ?r) (not (busy ?g)))
    :effect (and (carry ?b ?g) (busy ?g) (not (at ?b ?r))))
  (:action drop
    :parameters (?b - ball ?r - room ?g - gripper)
    :precondition (and (carry ?b ?g) (at-robby ?r))
    :effect (and (at ?b ?r) (not (busy ?g)) (not (carry ?b ?g)))))
