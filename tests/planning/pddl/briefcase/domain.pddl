; What is in the briefcase goes where the briefcase goes. Conditional and universal effects.
(define (domain briefcase)
  (:requirements :adl)
  (:types location portable)
  (:predicates
    (at ?x - portable ?l - location)
    (in ?x - portable)
    (is-at ?l - location))
  (:action carry
    :parameters (?from ?to - location)
    :precondition (and (is-at ?from) (not (= ?from ?to)))
    :effect (and
      (is-at ?to)
      (not (is-at ?from))
      (forall (?x - portable)
        (when (in ?x)
          (and (at ?x ?to) (not (at ?x ?from)))))))
  (:action put-in
    :parameters (?x - portable ?l - location)
    :precondition (and (not (in ?x)) (at ?x ?l) (is-at ?l))
    :effect (in ?x))
  (:action take-out
    :parameters (?x - portable)
    :precondition (in ?x)
    :effect (not (in ?x))))
