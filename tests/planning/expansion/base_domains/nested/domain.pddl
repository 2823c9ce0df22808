; Untyped, containers in containers; spilling lets things fall to the floor.
(define (domain nested)
  (:requirements :strips :adl)
  (:predicates (thing ?x) (container ?x) (hand_free) (grasped ?x) (in ?x ?c) (on ?x ?c) (shut ?c) (counted ?x))
  (:action take-out
    :parameters (?x ?c)
    :precondition (and (thing ?x) (container ?c) (hand_free) (in ?x ?c) (not (shut ?c)))
    :effect (and (grasped ?x) (not (hand_free)) (not (in ?x ?c))))
  (:action take-up
    :parameters (?x)
    :precondition (and (thing ?x) (hand_free) (not (grasped ?x)) (forall (?c) (not (in ?x ?c))))
    :effect (and (grasped ?x) (not (hand_free))))
  (:action put-in
    :parameters (?x ?c)
    :precondition (and (thing ?x) (container ?c) (grasped ?x) (not (shut ?c)) (not (= ?x ?c)))
    :effect (and (not (grasped ?x)) (hand_free) (in ?x ?c)))
  (:action put-down
    :parameters (?x)
    :precondition (and (thing ?x) (grasped ?x))
    :effect (and (not (grasped ?x)) (hand_free)))
  (:action tip
    :parameters (?x ?c)
    :precondition (and (container ?c) (in ?x ?c) (not (shut ?c)) (hand_free))
    :effect (not (in ?x ?c)))
  (:action shut-it
    :parameters (?c)
    :precondition (and (container ?c) (hand_free) (not (shut ?c)))
    :effect (shut ?c))
  (:action count-it
    :parameters (?x)
    :precondition (and (thing ?x) (not (counted ?x)))
    :effect (counted ?x)))
