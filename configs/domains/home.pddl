; What one hand can do with the things of a home that the robot finds its way about by itself: a base domain, in
; which there is nothing to walk to. Where the robot stands, its hand and costs are added by expansion
; (home.yaml, `expand`); to which type of action each operator belongs is said there too (`operators`).
;
; It is smaller than the tabletop domain, so that planning is a matter of milliseconds, and written like it:
; * An action names the chain of things that its item rests on, down to the piece of furniture (?place).
; * What a place or a thing is made for is a static predicate of its class; actions are told apart by these.
; * What a hand holds has been cut off. That is said where it is put down once more, so that whoever looks at
;   each thing by itself (the selection of what matters) sees that it takes a knife.
; * A plan is never bolder than the home: nothing that sparks is in a microwave that is switched on, nothing is put
;   where a fire burns unless it is to be cooked, what holds something is neither washed nor heated.
(define (domain home)
  (:requirements :strips :typing :negative-preconditions :equality)
  (:types
    asset - object           ; furniture and fixtures: they stay where they are
    item - object)           ; whatever can be carried
  (:predicates
    ; the hand
    (hand_empty)
    (holding ?item - item)
    ; where things are; a thing rests in one way at a time
    (on ?item - item ?place - object)
    (in ?item - item ?place - object)
    (under ?item - item ?place - object)
    (part_of ?slice - item ?item - item)   ; it has not been cut off that
    (uncut ?slice - item)                  ; it is part of something
    (occupied ?place - asset)              ; what takes one thing at a time has one
    (unsafe ?place - asset)                ; something is in it that must not be heated
    (crowded ?place - object)              ; nothing more fits on it, as was found when it was tried
    (crammed ?place - object)              ; nothing more fits into it
    (tight ?place - object)                ; so it was once: what is taken off it makes room for one thing
    ; how furniture and fixtures are
    (open ?thing - object)
    (broken ?thing - object)               ; nobody mends it
    (turned_on ?place - asset)
    (watered ?place - asset)
    ; how things are
    (clean ?item - item)
    (hot ?item - item)
    (cold ?item - item)
    (sliced ?item - item)
    (cooked ?item - item)
    (examined ?item - item)                ; it was looked at in the light of a lamp
    ; what the hand remembers to have done, for those who ask for the deed and not only for what comes of it
    (poured ?item - item ?target - item)
    (decanted ?item - item)                ; what was in it went into something else, not down a drain
    (filled_at_tap ?item - item)
    (washed_at ?item - item ?place - asset)
    (examined_by ?item - item ?place - asset)
    (heated ?item - item)                  ; in a microwave
    (fried ?item - item)
    (boiled ?item - item)
    (toasted ?item - item)
    (filled ?item - item)
    (has_water ?item - item)
    (has_coffee ?item - item)
    ; the slices that a thing will be cut into (static, of each thing)
    (slices ?item - item ?first ?second ?third - item)
    ; what places are made for (static, by class)
    (surface ?place - object)
    (container ?place - object)
    (openable ?thing - object)
    (switchable ?place - asset)
    (burner ?place - asset)                ; what stands on it gets hot
    (heats ?place - asset)                 ; what is in it does
    (cools ?place - asset)
    (toasts ?place - asset)
    (brews ?place - asset)                 ; a cup fits under it
    (has_tap ?place - asset)
    (drain ?place - asset)
    (lights ?place - asset)                ; things can be looked at in its light
    (soil ?place - asset)                  ; wants to be watered
    ; what things are made for (static, by class)
    (small ?item - item)                   ; fits on a plate, into a bowl, a pot or a box
    (narrow ?item - item)                  ; holds something only if that is slender:
    (slender ?item - item)                 ;   long and thin, it stands upright in it
    (fillable ?item - item)
    (cup_sized ?item - item)               ; fits under a coffee machine
    (washable ?item - item)
    (heatable ?item - item)                ; may go into a microwave
    (cookable ?item - item)
    (toastable ?item - item)
    (sparks ?item - item)                  ; ruins a microwave
    (cookware ?item - item)                ; goes on a stove:
    (fries ?item - item)                   ;   a pan
    (boils ?item - item)                   ;   or a pot, with water in it
    (blade ?item - item)
    (slice ?item - item)
    (sliceable ?item - item))

  ; -- pick ------------------------------------------------------------------------------------------------

  (:action pick_from_surface
    :parameters (?item - item ?place - asset)
    :precondition (and (hand_empty) (on ?item ?place) (not (broken ?item)))
    :effect (and (holding ?item) (not (hand_empty)) (not (on ?item ?place)) (not (crowded ?place))))

  ; Whether more of what matters is left there (here, or on or in an item) shows when the hand has taken this.
  (:action pick_from_container
    :parameters (?item - item ?place - asset)
    :precondition (and (hand_empty) (in ?item ?place) (container ?place) (open ?place) (not (broken ?item)))
    :effect (and (holding ?item) (not (hand_empty)) (not (in ?item ?place))
                 (not (occupied ?place)) (not (unsafe ?place)) (not (crammed ?place))))

  (:action pick_from_under
    :parameters (?item - item ?place - asset)
    :precondition (and (hand_empty) (under ?item ?place) (not (broken ?item)))
    :effect (and (holding ?item) (not (hand_empty)) (not (under ?item ?place)) (not (occupied ?place))))

  (:action take_off_item
    :parameters (?item - item ?support - item ?place - asset)
    :precondition (and (hand_empty) (on ?item ?support) (on ?support ?place) (not (broken ?item)))
    :effect (and (holding ?item) (not (hand_empty)) (not (on ?item ?support))
                 (not (crowded ?support))))

  (:action take_out_of_item
    :parameters (?item - item ?holder - item ?place - asset)
    :precondition (and (hand_empty) (in ?item ?holder) (container ?holder) (open ?holder)
                       (on ?holder ?place) (not (broken ?item)))
    :effect (and (holding ?item) (not (hand_empty)) (not (in ?item ?holder))
                 (not (crammed ?holder))))

  ; -- place_on --------------------------------------------------------------------------------------------

  (:action put_on_surface
    :parameters (?item - item ?place - asset)
    :precondition (and (holding ?item) (not (uncut ?item)) (surface ?place) (not (burner ?place))
                       (not (crowded ?place)))
    :effect (and (on ?item ?place) (hand_empty) (not (holding ?item)) (when (tight ?place) (crowded ?place))))

  (:action put_on_stove
    :parameters (?item - item ?place - asset)
    :precondition (and (holding ?item) (cookware ?item) (burner ?place) (not (turned_on ?place))
                       (not (crowded ?place)))
    :effect (and (on ?item ?place) (hand_empty) (not (holding ?item)) (when (tight ?place) (crowded ?place))))

  (:action put_on_item
    :parameters (?item - item ?support - item ?place - asset)
    :precondition (and (holding ?item) (not (uncut ?item)) (small ?item) (surface ?support) (on ?support ?place)
                       (not (broken ?support)) (not (crowded ?support)))
    :effect (and (on ?item ?support) (hand_empty) (not (holding ?item)) (when (tight ?support) (crowded ?support))))

  ; -- place_in --------------------------------------------------------------------------------------------

  (:action put_in_container
    :parameters (?item - item ?place - asset)
    :precondition (and (holding ?item) (not (uncut ?item)) (container ?place) (open ?place)
                       (not (heats ?place)) (not (toasts ?place)) (not (crammed ?place)))
    :effect (and (in ?item ?place) (hand_empty) (not (holding ?item))))

  (:action put_in_microwave
    :parameters (?item - item ?place - asset)
    :precondition (and (holding ?item) (not (uncut ?item)) (heatable ?item)
                       (container ?place) (heats ?place) (open ?place) (not (crammed ?place))
                       (forall (?other - item) (and (not (on ?other ?item)) (not (in ?other ?item)))))
    :effect (and (in ?item ?place) (hand_empty) (not (holding ?item))))

  (:action put_in_toaster
    :parameters (?item - item ?place - asset)
    :precondition (and (holding ?item) (not (uncut ?item)) (toastable ?item) (container ?place) (toasts ?place)
                       (not (turned_on ?place)) (not (occupied ?place)))
    :effect (and (in ?item ?place) (occupied ?place) (hand_empty) (not (holding ?item))))

  (:action put_in_item
    :parameters (?item - item ?holder - item ?place - asset)
    :precondition (and (holding ?item) (not (uncut ?item)) (small ?item) (container ?holder) (open ?holder) (not (narrow ?holder))
                       (on ?holder ?place) (not (filled ?holder)) (not (broken ?holder)) (not (crammed ?holder)))
    :effect (and (in ?item ?holder) (hand_empty) (not (holding ?item))))

  (:action put_in_narrow_item
    :parameters (?item - item ?holder - item ?place - asset)
    :precondition (and (holding ?item) (slender ?item) (container ?holder) (open ?holder) (narrow ?holder)
                       (on ?holder ?place) (not (filled ?holder)) (not (broken ?holder)) (not (crammed ?holder)))
    :effect (and (in ?item ?holder) (hand_empty) (not (holding ?item))))

  ; On a stove that burns, it does not take long.
  (:action put_in_hot_pan
    :parameters (?item - item ?holder - item ?place - asset)
    :precondition (and (holding ?item) (not (uncut ?item)) (cookable ?item) (fries ?holder)
                       (on ?holder ?place) (burner ?place) (turned_on ?place) (not (crammed ?holder)))
    :effect (and (in ?item ?holder) (hand_empty) (not (holding ?item))
                 (cooked ?item) (fried ?item) (hot ?item) (not (cold ?item))))

  (:action put_in_boiling_water
    :parameters (?item - item ?holder - item ?place - asset)
    :precondition (and (holding ?item) (not (uncut ?item)) (cookable ?item) (boils ?holder) (has_water ?holder)
                       (on ?holder ?place) (burner ?place) (turned_on ?place) (not (crammed ?holder)))
    :effect (and (in ?item ?holder) (hand_empty) (not (holding ?item))
                 (cooked ?item) (boiled ?item) (hot ?item) (not (cold ?item))))

  ; -- place_under -----------------------------------------------------------------------------------------

  (:action put_under_coffee_machine
    :parameters (?item - item ?place - asset)
    :precondition (and (holding ?item) (cup_sized ?item) (brews ?place) (not (occupied ?place)))
    :effect (and (under ?item ?place) (occupied ?place) (hand_empty) (not (holding ?item))))

  ; -- open ------------------------------------------------------------------------------------------------

  (:action open_container
    :parameters (?place - asset)
    :precondition (and (hand_empty) (openable ?place) (not (switchable ?place)) (not (open ?place)))
    :effect (open ?place))

  (:action open_appliance
    :parameters (?place - asset)
    :precondition (and (hand_empty) (openable ?place) (switchable ?place) (not (turned_on ?place))
                       (not (open ?place)))
    :effect (open ?place))

  (:action open_item
    :parameters (?item - item ?place - asset)
    :precondition (and (hand_empty) (on ?item ?place) (openable ?item) (not (open ?item)))
    :effect (open ?item))

  ; -- close -----------------------------------------------------------------------------------------------

  (:action close_container
    :parameters (?place - asset)
    :precondition (and (hand_empty) (openable ?place) (open ?place))
    :effect (not (open ?place)))

  (:action cool_in_fridge
    :parameters (?item - item ?place - asset)
    :precondition (and (hand_empty) (in ?item ?place) (cools ?place) (openable ?place) (open ?place))
    :effect (and (not (open ?place)) (cold ?item) (not (hot ?item))))

  (:action close_item
    :parameters (?item - item ?place - asset)
    :precondition (and (hand_empty) (on ?item ?place) (openable ?item) (open ?item))
    :effect (not (open ?item)))

  ; -- turn_on ---------------------------------------------------------------------------------------------

  (:action heat_in_microwave
    :parameters (?item - item ?place - asset)
    :precondition (and (hand_empty) (in ?item ?place) (heatable ?item)
                       (heats ?place) (switchable ?place) (not (unsafe ?place)) (not (broken ?place))
                       (not (open ?place)) (not (turned_on ?place))
                       (forall (?other - item) (and (not (on ?other ?item)) (not (in ?other ?item)))))
    :effect (and (turned_on ?place) (hot ?item) (heated ?item) (not (cold ?item))))

  (:action toast_bread
    :parameters (?item - item ?place - asset)
    :precondition (and (hand_empty) (in ?item ?place) (toastable ?item)
                       (toasts ?place) (switchable ?place) (not (broken ?place))
                       (not (turned_on ?place)))
    :effect (and (turned_on ?place) (cooked ?item) (toasted ?item) (hot ?item) (not (cold ?item))))

  (:action brew_coffee
    :parameters (?item - item ?place - asset)
    :precondition (and (hand_empty) (under ?item ?place) (fillable ?item) (not (filled ?item))
                       (brews ?place) (switchable ?place) (not (broken ?place))
                       (not (turned_on ?place))
                       (forall (?other - item) (and (not (on ?other ?item)) (not (in ?other ?item)))))
    :effect (and (turned_on ?place) (filled ?item) (has_coffee ?item)))

  (:action fry_in_pan
    :parameters (?item - item ?holder - item ?place - asset)
    :precondition (and (hand_empty) (in ?item ?holder) (cookable ?item) (fries ?holder)
                       (on ?holder ?place) (burner ?place) (switchable ?place) (not (turned_on ?place)))
    :effect (and (turned_on ?place) (cooked ?item) (fried ?item) (hot ?item) (not (cold ?item))))

  (:action boil_in_pot
    :parameters (?item - item ?holder - item ?place - asset)
    :precondition (and (hand_empty) (in ?item ?holder) (cookable ?item) (boils ?holder) (has_water ?holder)
                       (on ?holder ?place) (burner ?place) (switchable ?place) (not (turned_on ?place)))
    :effect (and (turned_on ?place) (cooked ?item) (boiled ?item) (hot ?item) (not (cold ?item))))

  (:action switch_on
    :parameters (?place - asset)
    :precondition (and (hand_empty) (switchable ?place) (not (openable ?place)) (not (toasts ?place))
                       (not (brews ?place)) (not (broken ?place)) (not (turned_on ?place)))
    :effect (turned_on ?place))

  ; -- turn_off --------------------------------------------------------------------------------------------

  (:action switch_off
    :parameters (?place - asset)
    :precondition (and (hand_empty) (switchable ?place) (turned_on ?place))
    :effect (not (turned_on ?place)))

  ; -- clean, fill, pour -----------------------------------------------------------------------------------

  (:action wash_at_tap
    :parameters (?item - item ?place - asset)
    :precondition (and (holding ?item) (washable ?item) (has_tap ?place)
                       (forall (?other - item) (and (not (on ?other ?item)) (not (in ?other ?item)))))
    :effect (and (clean ?item) (washed_at ?item ?place)
                 (not (filled ?item)) (not (has_water ?item)) (not (has_coffee ?item))))

  (:action fill_at_tap
    :parameters (?item - item ?place - asset)
    :precondition (and (holding ?item) (fillable ?item) (has_tap ?place) (not (filled ?item)))
    :effect (and (filled ?item) (filled_at_tap ?item) (has_water ?item)))

  (:action pour_water
    :parameters (?item - item ?target - item ?place - asset)
    :precondition (and (holding ?item) (filled ?item) (has_water ?item) (fillable ?target) (on ?target ?place)
                       (not (filled ?target)))
    :effect (and (poured ?item ?target) (decanted ?item)
                 (filled ?target) (has_water ?target) (not (filled ?item)) (not (has_water ?item))))

  (:action water_plant
    :parameters (?item - item ?place - asset)
    :precondition (and (holding ?item) (filled ?item) (has_water ?item) (soil ?place))
    :effect (and (watered ?place) (decanted ?item) (not (filled ?item)) (not (has_water ?item))))

  (:action pour_away
    :parameters (?item - item ?place - asset)
    :precondition (and (holding ?item) (filled ?item) (fillable ?item) (drain ?place))
    :effect (and (not (filled ?item)) (not (has_water ?item)) (not (has_coffee ?item))))

  ; -- cut -------------------------------------------------------------------------------------------------
  ; The slices of a thing are known from the beginning (home.yaml, `parts`): three of each. They come to lie where
  ; it is, beside what is left of it.

  (:action slice_food
    :parameters (?tool ?item ?first ?second ?third - item ?place - asset)
    :precondition (and (holding ?tool) (blade ?tool) (sliceable ?item) (not (sliced ?item)) (on ?item ?place)
                       (surface ?place) (not (burner ?place)) (slices ?item ?first ?second ?third)
                       (slice ?first) (slice ?second) (slice ?third)
                       (part_of ?first ?item) (part_of ?second ?item) (part_of ?third ?item)
                       (not (= ?first ?second)) (not (= ?first ?third)) (not (= ?second ?third)))
    :effect (and (sliced ?item)
                 (on ?first ?place) (not (part_of ?first ?item)) (not (uncut ?first))
                 (on ?second ?place) (not (part_of ?second ?item)) (not (uncut ?second))
                 (on ?third ?place) (not (part_of ?third ?item)) (not (uncut ?third))))

  ; -- examine ---------------------------------------------------------------------------------------------

  (:action examine_in_light
    :parameters (?item - item ?place - asset)
    :precondition (and (holding ?item) (lights ?place) (turned_on ?place))
    :effect (and (examined ?item) (examined_by ?item ?place))))
