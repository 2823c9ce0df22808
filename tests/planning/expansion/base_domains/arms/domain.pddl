; Typed, robots and their arms are both arguments.
(define (domain arms)
  (:requirements :strips :typing)
  (:types robot arm cup spot - object)
  (:predicates (arm_free ?r - robot ?a - arm) (grasped ?c - cup ?r - robot ?a - arm) (stands ?c - cup ?s - spot)
               (empty ?s - spot))
  (:action grasp
    :parameters (?c - cup ?s - spot ?a - arm ?r - robot)
    :precondition (and (arm_free ?r ?a) (stands ?c ?s))
    :effect (and (grasped ?c ?r ?a) (not (arm_free ?r ?a)) (not (stands ?c ?s)) (empty ?s)))
  (:action release
    :parameters (?c - cup ?s - spot ?a - arm ?r - robot)
    :precondition (and (grasped ?c ?r ?a) (empty ?s))
    :effect (and (not (grasped ?c ?r ?a)) (arm_free ?r ?a) (stands ?c ?s) (not (empty ?s)))))
