; A household with its skills, as large as they come: for the tests of solving.

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
    (inspected ?place - asset) ; the robot has looked there closely
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
    (stirrer ?item - item)
    (scoop_tool ?item - item)
    (foldable ?item - item)
    (hangable ?item - item)
    (wiper ?item - item))
  (:functions
    (total-cost)
    (travel_cost ?from ?to - node))
  (:action close
    :parameters (?robot - robot ?hand - hand ?place - asset)
    :precondition (and (rob_at_node ?robot ?place) (rob_has_hand ?robot ?hand) (hand_free ?robot ?hand)
                       (openable ?place) (open ?place))
    :effect (and (not (open ?place)) (increase (total-cost) 1)))
  (:action cool
    :parameters (?robot - robot ?hand - hand ?item - item ?place - asset)
    :precondition (and (rob_at_node ?robot ?place) (rob_has_hand ?robot ?hand) (hand_free ?robot ?hand)
                       (cools ?place) (in ?item ?place) (not (open ?place)))
    :effect (and (cold ?item) (not (hot ?item)) (increase (total-cost) 4)))
  (:action cut
    :parameters (?robot - robot ?hand - hand ?tool - item ?item - item ?place - asset)
    :precondition (and (rob_at_node ?robot ?place) (rob_has_hand ?robot ?hand) (holding ?robot ?hand ?tool)
                       (blade ?tool) (on ?item ?place) (sliceable ?item))
    :effect (and (sliced ?item) (increase (total-cost) 3)))
  (:action fill
    :parameters (?robot - robot ?hand - hand ?item - item ?place - asset)
    :precondition (and (rob_at_node ?robot ?place) (rob_has_hand ?robot ?hand) (holding ?robot ?hand ?item)
                       (has_tap ?place) (fillable ?item))
    :effect (and (filled ?item) (increase (total-cost) 2)))
  (:action fold
    :parameters (?robot - robot ?hand - hand ?item - item ?place - asset)
    :precondition (and (rob_at_node ?robot ?place) (rob_has_hand ?robot ?hand) (hand_free ?robot ?hand)
                       (on ?item ?place) (foldable ?item))
    :effect (and (folded ?item) (increase (total-cost) 3)))
  (:action handover
    :parameters (?robot - robot ?hand - hand ?item - item ?person - person)
    :precondition (and (rob_at_node ?robot ?person) (rob_has_hand ?robot ?hand) (holding ?robot ?hand ?item))
    :effect (and (given ?item ?person) (hand_free ?robot ?hand) (not (holding ?robot ?hand ?item))
                 (increase (total-cost) 2)))
  (:action hang_on
    :parameters (?robot - robot ?hand - hand ?item - item ?place - asset)
    :precondition (and (rob_at_node ?robot ?place) (rob_has_hand ?robot ?hand) (holding ?robot ?hand ?item)
                       (hanger ?place) (hangable ?item))
    :effect (and (hung_on ?item ?place) (hand_free ?robot ?hand) (not (holding ?robot ?hand ?item))
                 (increase (total-cost) 2)))
  (:action heat
    :parameters (?robot - robot ?hand - hand ?item - item ?place - asset)
    :precondition (and (rob_at_node ?robot ?place) (rob_has_hand ?robot ?hand) (hand_free ?robot ?hand)
                       (heats ?place) (in ?item ?place) (not (open ?place)))
    :effect (and (hot ?item) (not (cold ?item)) (increase (total-cost) 4)))
  (:action inspect
    :parameters (?robot - robot ?place - asset)
    :precondition (and (rob_at_node ?robot ?place) (or (not (container ?place)) (open ?place)))
    :effect (and (inspected ?place) (increase (total-cost) 1)))
  (:action move
    :parameters (?robot - robot ?from ?to - node)
    :precondition (and (rob_at_node ?robot ?from) (connected ?from ?to))
    :effect (and (rob_at_node ?robot ?to) (not (rob_at_node ?robot ?from))
                 (increase (total-cost) (travel_cost ?from ?to))))
  (:action open
    :parameters (?robot - robot ?hand - hand ?place - asset)
    :precondition (and (rob_at_node ?robot ?place) (rob_has_hand ?robot ?hand) (hand_free ?robot ?hand)
                       (openable ?place) (not (open ?place)) (not (turned_on ?place)))
    :effect (and (open ?place) (increase (total-cost) 1)))
  (:action open_door
    :parameters (?robot - robot ?hand - hand ?door - door ?from ?to - node)
    :precondition (and (rob_at_node ?robot ?from) (rob_has_hand ?robot ?hand) (hand_free ?robot ?hand)
                       (has_door ?door ?from ?to) (openable ?door) (not (open ?door)))
    :effect (and (open ?door) (connected ?from ?to) (connected ?to ?from)
                 (increase (total-cost) 2)))
  (:action pick
    :parameters (?robot - robot ?hand - hand ?item - item ?place - asset)
    :precondition (and (rob_at_node ?robot ?place) (rob_has_hand ?robot ?hand) (hand_free ?robot ?hand)
                       (or (on ?item ?place) (under ?item ?place) (hung_on ?item ?place)
                           (and (in ?item ?place) (open ?place))))
    :effect (and (holding ?robot ?hand ?item) (not (hand_free ?robot ?hand))
                 (not (on ?item ?place)) (not (in ?item ?place))
                 (not (under ?item ?place)) (not (hung_on ?item ?place))
                 (increase (total-cost) 2)))
  (:action place_in
    :parameters (?robot - robot ?hand - hand ?item - item ?place - asset)
    :precondition (and (rob_at_node ?robot ?place) (rob_has_hand ?robot ?hand) (holding ?robot ?hand ?item)
                       (container ?place) (open ?place))
    :effect (and (in ?item ?place) (hand_free ?robot ?hand) (not (holding ?robot ?hand ?item))
                 (increase (total-cost) 2)))
  (:action place_on
    :parameters (?robot - robot ?hand - hand ?item - item ?place - asset)
    :precondition (and (rob_at_node ?robot ?place) (rob_has_hand ?robot ?hand) (holding ?robot ?hand ?item)
                       (surface ?place))
    :effect (and (on ?item ?place) (hand_free ?robot ?hand) (not (holding ?robot ?hand ?item))
                 (increase (total-cost) 2)))
  (:action place_under
    :parameters (?robot - robot ?hand - hand ?item - item ?place - asset)
    :precondition (and (rob_at_node ?robot ?place) (rob_has_hand ?robot ?hand) (holding ?robot ?hand ?item)
                       (has_space_under ?place))
    :effect (and (under ?item ?place) (hand_free ?robot ?hand) (not (holding ?robot ?hand ?item))
                 (increase (total-cost) 2)))
  (:action pour
    :parameters (?robot - robot ?hand - hand ?item - item ?target - item ?place - asset)
    :precondition (and (rob_at_node ?robot ?place) (rob_has_hand ?robot ?hand) (holding ?robot ?hand ?item)
                       (filled ?item) (on ?target ?place) (fillable ?target))
    :effect (and (filled ?target) (not (filled ?item)) (increase (total-cost) 2)))
  (:action scoop
    :parameters (?robot - robot ?hand - hand ?tool - item ?item - item ?place - asset)
    :precondition (and (rob_at_node ?robot ?place) (rob_has_hand ?robot ?hand) (holding ?robot ?hand ?tool)
                       (scoop_tool ?tool) (on ?item ?place) (filled ?item))
    :effect (and (laden ?tool) (increase (total-cost) 2)))
  (:action stir
    :parameters (?robot - robot ?hand - hand ?tool - item ?item - item ?place - asset)
    :precondition (and (rob_at_node ?robot ?place) (rob_has_hand ?robot ?hand) (holding ?robot ?hand ?tool)
                       (stirrer ?tool) (on ?item ?place) (filled ?item))
    :effect (and (stirred ?item) (increase (total-cost) 2)))
  (:action turn_off
    :parameters (?robot - robot ?hand - hand ?place - asset)
    :precondition (and (rob_at_node ?robot ?place) (rob_has_hand ?robot ?hand) (hand_free ?robot ?hand)
                       (switchable ?place) (turned_on ?place))
    :effect (and (not (turned_on ?place)) (increase (total-cost) 1)))
  (:action turn_on
    :parameters (?robot - robot ?hand - hand ?place - asset)
    :precondition (and (rob_at_node ?robot ?place) (rob_has_hand ?robot ?hand) (hand_free ?robot ?hand)
                       (switchable ?place) (not (turned_on ?place))
                       (or (not (openable ?place)) (not (open ?place))))
    :effect (and (turned_on ?place) (increase (total-cost) 1)))
  (:action wash
    :parameters (?robot - robot ?hand - hand ?item - item ?place - asset)
    :precondition (and (rob_at_node ?robot ?place) (rob_has_hand ?robot ?hand) (holding ?robot ?hand ?item)
                       (washes ?place))
    :effect (and (clean ?item) (increase (total-cost) 3)))
  (:action wipe
    :parameters (?robot - robot ?hand - hand ?tool - item ?place - asset)
    :precondition (and (rob_at_node ?robot ?place) (rob_has_hand ?robot ?hand) (holding ?robot ?hand ?tool)
                       (wiper ?tool) (wipeable ?place))
    :effect (and (wiped ?place) (increase (total-cost) 3)))
)
