; Costs of its own, one of them from a function.
(define (domain workshop)
  (:requirements :strips :typing :action-costs)
  (:types screw slot - object)
  (:predicates (nothing_held) (held ?s - screw) (lies ?s - screw ?p - slot) (driven ?s - screw))
  (:functions (total-cost) - number (effort ?s - screw) - number)
  (:action lift
    :parameters (?s - screw ?p - slot)
    :precondition (and (nothing_held) (lies ?s ?p))
    :effect (and (held ?s) (not (nothing_held)) (not (lies ?s ?p)) (increase (total-cost) 2)))
  (:action lower
    :parameters (?s - screw ?p - slot)
    :precondition (held ?s)
    :effect (and (not (held ?s)) (nothing_held) (lies ?s ?p) (increase (total-cost) 1)))
  (:action drive
    :parameters (?s - screw ?p - slot)
    :precondition (and (lies ?s ?p) (nothing_held))
    :effect (and (driven ?s) (increase (total-cost) (effort ?s))))
  (:action look
    :parameters (?p - slot)
    :precondition (nothing_held)
    :effect (and)))
