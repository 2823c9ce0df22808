; The household: kinds of things and what can be said of them. Classes (mug, fridge, …) and their
; affordances are in household.yaml; the actions are in configs/skills/, one file per skill.
(define (domain household)
  (:requirements :strips :typing :negative-preconditions :disjunctive-preconditions :action-costs)
  (:types
    robot hand door - object
    node - object            ; somewhere a robot can stand
    waypoint person - node
    asset - node             ; furniture: it has its own node on the map
    item - object)           ; whatever can be carried
  (:predicates
    ; the robot
    (rob_at_node ?robot - robot ?node - node)
    (rob_has_hand ?robot - robot ?hand - hand)
    (hand_free ?robot - robot ?hand - hand)
    (holding ?robot - robot ?hand - hand ?item - item)
    ; the map
    (connected ?from ?to - node)
    (has_door ?door - door ?from ?to - node)
    ; where things are; a thing rests in one way at a time
    (on ?item - item ?place - asset)
    (in ?item - item ?place - asset)
    (under ?item - item ?place - asset)
    (hung_on ?item - item ?place - asset)
    (given ?item - item ?person - person)
    ; how things are
    (open ?thing - object)
    (turned_on ?thing - object)
    (clean ?item - item)
    (hot ?item - item)
    (cold ?item - item)
    (sliced ?item - item)
    (filled ?item - item)
    (stirred ?item - item)
    (laden ?item - item)
    (folded ?item - item)
    (wiped ?place - asset)
    ; what the robot remembers to have done, for those who ask for the deed and not only for what comes of it
    (poured ?item - item ?target - item)
    (scooped ?tool - item ?item - item)
    (heated_in ?item - item ?place - asset)
    (cooled_in ?item - item ?place - asset)
    (filled_at_tap ?item - item)
    ; what things afford (static, by class)
    (surface ?place - asset)
    (container ?place - asset)
    (has_space_under ?place - asset)
    (hanger ?place - asset)
    (openable ?thing - object)
    (switchable ?thing - object)
    (washes ?place - asset)
    (heats ?place - asset)
    (cools ?place - asset)
    (has_tap ?place - asset)
    (wipeable ?place - asset)
    (sliceable ?item - item)
    (blade ?item - item)
    (fillable ?item - item)
    (pourable ?item - item)  ; what is in it can be poured out
    (dispenser ?item - item) ; it holds more than is ever poured out of it
    (stirrer ?item - item)
    (scoop_tool ?item - item)
    (foldable ?item - item)
    (hangable ?item - item)
    (wiper ?item - item))
  (:functions
    (total-cost)
    (travel_cost ?from ?to - node)))
