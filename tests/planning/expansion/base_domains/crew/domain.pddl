; Typed, with a robot argument: several robots, one implicit hand each, and handing over.
(define (domain crew)
  (:requirements :strips :typing :equality :negative-preconditions)
  (:types robot part stand - object)
  (:predicates (idle ?r - robot) (in_gripper ?r - robot ?p - part) (at_stand ?p - part ?s - stand)
               (polished ?p - part))
  (:action fetch
    :parameters (?r - robot ?p - part ?s - stand)
    :precondition (and (idle ?r) (at_stand ?p ?s))
    :effect (and (in_gripper ?r ?p) (not (idle ?r)) (not (at_stand ?p ?s))))
  (:action deliver
    :parameters (?s - stand ?p - part ?r - robot)
    :precondition (in_gripper ?r ?p)
    :effect (and (not (in_gripper ?r ?p)) (idle ?r) (at_stand ?p ?s)))
  (:action hand_over
    :parameters (?giver ?taker - robot ?p - part)
    :precondition (and (in_gripper ?giver ?p) (idle ?taker) (not (= ?giver ?taker)))
    :effect (and (not (in_gripper ?giver ?p)) (idle ?giver) (in_gripper ?taker ?p) (not (idle ?taker))))
  (:action polish
    :parameters (?r - robot ?p - part ?s - stand)
    :precondition (and (at_stand ?p ?s) (idle ?r) (not (polished ?p)))
    :effect (polished ?p)))
