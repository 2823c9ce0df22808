; Conditional and universal effects; colours are nowhere.
(define (domain painting)
  (:requirements :strips :typing :conditional-effects :negative-preconditions)
  (:types toy bench colour - object)
  (:constants red - colour)
  (:predicates (gripper_empty) (gripped ?t - toy) (placed ?t - toy ?b - bench) (painted ?t - toy ?c - colour)
               (wet ?t - toy) (smeared) (slippery ?t - toy))
  (:action grip
    :parameters (?t - toy ?b - bench)
    :precondition (and (gripper_empty) (placed ?t ?b))
    :effect (and (gripped ?t) (not (gripper_empty)) (not (placed ?t ?b)) (when (wet ?t) (smeared))))
  (:action put
    :parameters (?t - toy ?b - bench)
    :precondition (gripped ?t)
    :effect (and (not (gripped ?t)) (gripper_empty) (placed ?t ?b)))
  (:action shake
    :parameters (?t - toy ?b - bench)
    :precondition (gripped ?t)
    :effect (and (when (slippery ?t) (and (not (gripped ?t)) (gripper_empty) (placed ?t ?b)))
                 (not (slippery ?t))))
  (:action paint
    :parameters (?t - toy ?c - colour ?b - bench)
    :precondition (placed ?t ?b)
    :effect (and (forall (?old - colour) (not (painted ?t ?old))) (painted ?t ?c) (wet ?t)
                 (when (painted ?t red) (slippery ?t))))
  (:action dry
    :parameters ()
    :precondition (gripper_empty)
    :effect (forall (?t - toy) (not (wet ?t)))))
