; Typed, a robot with two grippers that the domain names itself.
(define (domain grippers)
  (:requirements :strips :typing)
  (:types ball bin gripper)
  (:predicates (in ?b - ball ?n - bin) (unused ?g - gripper) (carry ?b - ball ?g - gripper))
  (:action grab
    :parameters (?b - ball ?n - bin ?g - gripper)
    :precondition (and (in ?b ?n) (unused ?g))
    :effect (and (carry ?b ?g) (not (in ?b ?n)) (not (unused ?g))))
  (:action drop
    :parameters (?b - ball ?n - bin ?g - gripper)
    :precondition (carry ?b ?g)
    :effect (and (in ?b ?n) (unused ?g) (not (carry ?b ?g))))
  (:action pass
    :parameters (?b - ball ?from ?to - gripper)
    :precondition (and (carry ?b ?from) (unused ?to))
    :effect (and (carry ?b ?to) (not (carry ?b ?from)) (unused ?from) (not (unused ?to)))))
