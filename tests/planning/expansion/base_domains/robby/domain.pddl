; Untyped, with a robot argument and unary predicates for all types.
(define (domain robby)
  (:requirements :strips)
  (:predicates (robot ?r) (ball ?b) (bowl ?b) (empty-handed ?r) (has ?r ?b) (inside ?b ?w) (shiny ?b))
  (:action pick
    :parameters (?b ?w ?r)
    :precondition (and (robot ?r) (ball ?b) (bowl ?w) (empty-handed ?r) (inside ?b ?w))
    :effect (and (has ?r ?b) (not (empty-handed ?r)) (not (inside ?b ?w))))
  (:action drop
    :parameters (?b ?w ?r)
    :precondition (and (robot ?r) (ball ?b) (bowl ?w) (has ?r ?b))
    :effect (and (not (has ?r ?b)) (empty-handed ?r) (inside ?b ?w)))
  (:action rub
    :parameters (?r ?b)
    :precondition (and (robot ?r) (ball ?b) (has ?r ?b))
    :effect (shiny ?b)))
