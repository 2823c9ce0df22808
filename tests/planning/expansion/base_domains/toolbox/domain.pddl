; Two ways of holding: things, and tools by their handles. Changing grip swaps them without freeing the hand.
(define (domain toolbox)
  (:requirements :strips :typing)
  (:types rack thing - object tool - thing)
  (:predicates (hand_empty) (holding_thing ?x - thing) (wielding ?t - tool) (kept ?x - thing ?r - rack)
               (fixed ?r - rack))
  (:action take
    :parameters (?x - thing ?r - rack)
    :precondition (and (hand_empty) (kept ?x ?r))
    :effect (and (holding_thing ?x) (not (hand_empty)) (not (kept ?x ?r))))
  (:action take_by_handle
    :parameters (?t - tool ?r - rack)
    :precondition (and (hand_empty) (kept ?t ?r))
    :effect (and (wielding ?t) (not (hand_empty)) (not (kept ?t ?r))))
  (:action put_away
    :parameters (?x - thing ?r - rack)
    :precondition (holding_thing ?x)
    :effect (and (not (holding_thing ?x)) (hand_empty) (kept ?x ?r)))
  (:action hang_up
    :parameters (?t - tool ?r - rack)
    :precondition (wielding ?t)
    :effect (and (not (wielding ?t)) (hand_empty) (kept ?t ?r)))
  (:action change_grip
    :parameters (?t - tool)
    :precondition (holding_thing ?t)
    :effect (and (not (holding_thing ?t)) (wielding ?t)))
  (:action fix
    :parameters (?t - tool ?r - rack)
    :precondition (wielding ?t)
    :effect (fixed ?r)))
