; A tray takes two hands, and what stands on it goes with it.
(define (domain tray)
  (:requirements :strips :typing :negative-preconditions)
  (:types surface item - object cup tray - item)
  (:predicates (hand_empty) (holding ?i - item) (on ?i - item ?p - object) (laden ?t - tray) (drunk ?c - cup))
  (:action pick
    :parameters (?c - cup ?s - surface)
    :precondition (and (hand_empty) (on ?c ?s))
    :effect (and (holding ?c) (not (hand_empty)) (not (on ?c ?s))))
  (:action pick_from_tray
    :parameters (?c - cup ?t - tray)
    :precondition (and (hand_empty) (on ?c ?t))
    :effect (and (holding ?c) (not (hand_empty)) (not (on ?c ?t)) (not (laden ?t))))
  (:action place
    :parameters (?c - cup ?s - surface)
    :precondition (holding ?c)
    :effect (and (not (holding ?c)) (hand_empty) (on ?c ?s)))
  (:action place_on_tray
    :parameters (?c - cup ?t - tray)
    :precondition (and (holding ?c) (not (laden ?t)))
    :effect (and (not (holding ?c)) (hand_empty) (on ?c ?t) (laden ?t)))
  (:action lift_tray
    :parameters (?t - tray ?s - surface)
    :precondition (and (hand_empty) (on ?t ?s))
    :effect (and (holding ?t) (not (hand_empty)) (not (on ?t ?s))))
  (:action put_tray
    :parameters (?t - tray ?s - surface)
    :precondition (holding ?t)
    :effect (and (not (holding ?t)) (hand_empty) (on ?t ?s)))
  (:action drink
    :parameters (?c - cup)
    :precondition (holding ?c)
    :effect (drunk ?c)))
