; Chameleons take the colour of a neighbour. Constants, equality, and a type with two children in (either …).
(define (domain chameleon)
  (:requirements :strips :typing :equality :negative-preconditions)
  (:types animal colour - object chameleon leaf - animal)
  (:constants green brown - colour)
  (:predicates
    (beside ?a - chameleon ?b - (either chameleon leaf))
    (coloured ?a - animal ?c - colour)
    (tired ?a - chameleon))
  (:action imitate
    :parameters (?a - chameleon ?b - animal ?was ?now - colour)
    :precondition (and (beside ?a ?b) (not (= ?a ?b)) (coloured ?a ?was) (coloured ?b ?now)
                       (not (= ?was ?now)) (not (tired ?a)))
    :effect (and (coloured ?a ?now) (not (coloured ?a ?was)) (tired ?a)))
  (:action sleep
    :parameters (?a - chameleon)
    :precondition (and (tired ?a) (coloured ?a green))
    :effect (not (tired ?a))))
