; What agents can do with things, by what the things afford. A class of things is added below each affordance that it
; has, and below item or asset; a kind of agents below each of its capabilities (affordances.yaml, `agents`).
; There is one action for each capability, whatever the classes.
;
; * Agents are places, too: one goes to a person to hand something over.
; * What rests on furniture is at a place, as the furniture is. What rests on or in an item is reached through that item,
;   so only what it rests on has to be at the place.
; * A thing that is neither opened nor closed has no lid in the way.
(define (domain affordances)
  (:requirements :strips :typing :negative-preconditions :disjunctive-preconditions :equality
                 :conditional-effects :action-costs)
  (:types
    place thing - object
    agent - place
    robot human - agent
    asset - place
    asset item - thing                    ; what stays where it is, and what can be carried
    ; what things afford
    grasp open close contain support liquid-contain pour cut cuttable heat wet-swipe absorb water-supply - thing
    ; what agents are capable of
    can-move can-grasp can-place can-open can-close can-hand-over can-cut can-pour can-fill can-heat can-wash can-wipe can-dry
    - agent)
  (:constants
    start - place)                        ; where an agent is of which nothing is said
  (:predicates
    (location ?place - place)             ; one can go there
    (at ?what - object ?place - place)
    (visited ?place - place)
    (visited_by ?agent - agent ?place - place)
    (free ?agent - agent)                 ; it holds nothing
    (inhand ?item - thing ?agent - agent)
    (on ?item - thing ?below - thing)
    (in ?item - thing ?container - thing)
    (opened ?thing - thing)
    (closed ?thing - thing)
    (liquid_in ?liquid - thing ?vessel - thing)
    (liquid_warm ?thing - thing)
    (warmed ?vessel - thing)              ; the liquid in it is warm, wherever that came from
    (clean ?thing - thing)
    (wet ?thing - thing)
    (cut ?thing - thing)
    (chopped ?thing - thing)
    (furniture ?thing - thing))
  (:functions
    (total-cost) - number
    (cost-of ?agent - agent) - number)

  (:action move
    :parameters (?agent - can-move ?from - place ?to - place)
    :precondition (and (at ?agent ?from) (location ?to) (not (= ?from ?to)) (not (= ?from ?agent))
                       (not (= ?to ?agent)))
    :effect (and (at ?agent ?to) (not (at ?agent ?from)) (visited ?to) (visited_by ?agent ?to)
                 (increase (total-cost) (cost-of ?agent))))

  (:action grasp
    :parameters (?agent - can-grasp ?item - grasp ?below - thing ?place - place)
    :precondition (and (free ?agent) (at ?agent ?place) (on ?item ?below) (at ?below ?place))
    :effect (and (inhand ?item ?agent) (not (free ?agent)) (not (on ?item ?below)) (not (at ?item ?place))
                 (increase (total-cost) (cost-of ?agent))))

  (:action take_out
    :parameters (?agent - can-grasp ?item - grasp ?container - thing ?place - place)
    :precondition (and (free ?agent) (at ?agent ?place) (in ?item ?container) (at ?container ?place)
                       (not (closed ?container)))
    :effect (and (inhand ?item ?agent) (not (free ?agent)) (not (in ?item ?container)) (not (at ?item ?place))
                 (increase (total-cost) (cost-of ?agent))))

  (:action put_on
    :parameters (?agent - can-place ?item - item ?below - support ?place - place)
    :precondition (and (inhand ?item ?agent) (at ?agent ?place) (at ?below ?place))
    :effect (and (on ?item ?below) (free ?agent) (not (inhand ?item ?agent))
                 (when (furniture ?below) (at ?item ?place))
                 (increase (total-cost) (cost-of ?agent))))

  (:action put_in
    :parameters (?agent - can-place ?item - item ?container - contain ?place - place)
    :precondition (and (inhand ?item ?agent) (at ?agent ?place) (at ?container ?place) (not (closed ?container)))
    :effect (and (in ?item ?container) (free ?agent) (not (inhand ?item ?agent))
                 (when (furniture ?container) (at ?item ?place))
                 (increase (total-cost) (cost-of ?agent))))

  (:action hand_over
    :parameters (?agent - can-hand-over ?item - item ?receiver - agent ?place - place)
    :precondition (and (inhand ?item ?agent) (free ?receiver) (at ?agent ?place) (at ?receiver ?place))
    :effect (and (inhand ?item ?receiver) (free ?agent) (not (inhand ?item ?agent)) (not (free ?receiver))
                 (increase (total-cost) (cost-of ?agent))))

  (:action open
    :parameters (?agent - can-open ?thing - open ?place - place)
    :precondition (and (not (opened ?thing)) (at ?agent ?place) (or (at ?thing ?place) (inhand ?thing ?agent)))
    :effect (and (opened ?thing) (not (closed ?thing)) (increase (total-cost) (cost-of ?agent))))

  (:action close
    :parameters (?agent - can-close ?thing - close ?place - place)
    :precondition (and (not (closed ?thing)) (at ?agent ?place) (or (at ?thing ?place) (inhand ?thing ?agent)))
    :effect (and (closed ?thing) (not (opened ?thing)) (increase (total-cost) (cost-of ?agent))))

  (:action cut
    :parameters (?agent - can-cut ?tool - cut ?item - cuttable ?below - thing ?place - place)
    :precondition (and (inhand ?tool ?agent) (at ?agent ?place) (on ?item ?below) (at ?below ?place))
    :effect (and (cut ?item) (increase (total-cost) (cost-of ?agent))))

  (:action chop
    :parameters (?agent - can-cut ?tool - cut ?item - cuttable ?below - thing ?place - place)
    :precondition (and (inhand ?tool ?agent) (at ?agent ?place) (on ?item ?below) (at ?below ?place))
    :effect (and (chopped ?item) (increase (total-cost) (cost-of ?agent))))

  (:action pour
    :parameters (?agent - can-pour ?source - pour ?liquid - thing ?vessel - liquid-contain ?below - thing ?place - place)
    :precondition (and (inhand ?source ?agent) (liquid_in ?liquid ?source) (not (closed ?source))
                       (not (closed ?vessel)) (at ?agent ?place) (on ?vessel ?below) (at ?below ?place))
    :effect (and (liquid_in ?liquid ?vessel)
                 (when (warmed ?source) (and (warmed ?vessel) (liquid_warm ?vessel)))
                 (increase (total-cost) (cost-of ?agent))))

  (:action pour_out
    :parameters (?agent - can-pour ?source - pour ?liquid - thing ?sink - water-supply ?place - place)
    :precondition (and (inhand ?source ?agent) (liquid_in ?liquid ?source) (not (closed ?source))
                       (at ?agent ?place) (at ?sink ?place))
    :effect (and (not (liquid_in ?liquid ?source)) (not (warmed ?source)) (not (liquid_warm ?source))
                 (increase (total-cost) (cost-of ?agent))))

  (:action fill
    :parameters (?agent - can-fill ?vessel - liquid-contain ?liquid - thing ?tap - water-supply ?place - place)
    :precondition (and (inhand ?vessel ?agent) (liquid_in ?liquid ?tap) (not (closed ?vessel))
                       (at ?agent ?place) (at ?tap ?place))
    :effect (and (liquid_in ?liquid ?vessel) (increase (total-cost) (cost-of ?agent))))

  (:action heat
    :parameters (?agent - can-heat ?vessel - liquid-contain ?liquid - thing ?source - heat ?place - place)
    :precondition (and (liquid_in ?liquid ?vessel) (at ?agent ?place) (at ?source ?place)
                       (or (on ?vessel ?source) (in ?vessel ?source) (= ?vessel ?source)))
    :effect (and (warmed ?vessel) (liquid_warm ?vessel) (liquid_warm ?liquid)
                 (increase (total-cost) (cost-of ?agent))))

  (:action wash
    :parameters (?agent - can-wash ?item - item ?tap - water-supply ?place - place)
    :precondition (and (inhand ?item ?agent) (at ?agent ?place) (at ?tap ?place))
    :effect (and (clean ?item) (wet ?item) (increase (total-cost) (cost-of ?agent))))

  (:action wipe
    :parameters (?agent - can-wipe ?tool - wet-swipe ?thing - thing ?place - place)
    :precondition (and (inhand ?tool ?agent) (at ?agent ?place) (at ?thing ?place))
    :effect (and (clean ?thing) (increase (total-cost) (cost-of ?agent))))

  (:action dry
    :parameters (?agent - can-dry ?tool - absorb ?thing - thing ?place - place)
    :precondition (and (inhand ?tool ?agent) (wet ?thing) (at ?agent ?place) (at ?thing ?place))
    :effect (and (not (wet ?thing)) (increase (total-cost) (cost-of ?agent)))))
