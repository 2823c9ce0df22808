; ADL: disjunctions, implications and quantifiers in preconditions, negated holding.
(define (domain pantry)
  (:requirements :adl)
  (:types place food - object cupboard board - place)
  (:predicates (handempty) (holding ?f - food) (at ?f - food ?p - place) (open ?c - cupboard) (tasted ?f - food)
               (chilled ?f - food))
  (:action get
    :parameters (?f - food ?p - place)
    :precondition (and (handempty) (at ?f ?p)
                       (forall (?c - cupboard) (imply (= ?c ?p) (open ?c))))
    :effect (and (holding ?f) (not (handempty)) (not (at ?f ?p))))
  (:action store
    :parameters (?f - food ?p - place)
    :precondition (and (holding ?f)
                       (or (not (exists (?c - cupboard) (= ?c ?p))) (exists (?c - cupboard) (and (= ?c ?p) (open ?c)))))
    :effect (and (not (holding ?f)) (handempty) (at ?f ?p)))
  (:action open-it
    :parameters (?c - cupboard)
    :precondition (and (not (open ?c)) (forall (?f - food) (not (holding ?f))))
    :effect (open ?c))
  (:action taste
    :parameters (?f - food)
    :precondition (and (not (tasted ?f))
                       (or (holding ?f) (exists (?b - board) (at ?f ?b))))
    :effect (tasted ?f))
  (:action chill
    :parameters (?f - food)
    :precondition (and (not (holding ?f)) (not (chilled ?f)))
    :effect (chilled ?f)))
