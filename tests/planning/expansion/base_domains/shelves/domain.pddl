; Untyped, with unary predicates for types, and short names for the anchors.
(define (domain shelves)
  (:requirements :strips)
  (:predicates (item ?x) (shelf ?x) (free) (inhand ?o) (lying ?o ?s) (dusty ?o))
  (:action take
    :parameters (?o ?s)
    :precondition (and (item ?o) (shelf ?s) (free) (lying ?o ?s))
    :effect (and (inhand ?o) (not (free)) (not (lying ?o ?s))))
  (:action lay
    :parameters (?o ?s)
    :precondition (and (item ?o) (shelf ?s) (inhand ?o))
    :effect (and (not (inhand ?o)) (free) (lying ?o ?s)))
  (:action dust
    :parameters (?s ?o)
    :precondition (and (item ?o) (shelf ?s) (lying ?o ?s) (dusty ?o))
    :effect (not (dusty ?o)))
  (:action blow
    :parameters (?o)
    :precondition (and (item ?o) (dusty ?o))
    :effect (not (dusty ?o))))
