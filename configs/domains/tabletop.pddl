; What hands can do with the things of a household, at one place: there is one hand, and nothing to walk to.
; Where the robot stands, doors, several hands and costs are added by expansion (tabletop.yaml, `expand`);
; to which of fifteen types each action belongs is said there too (`operators`).
;
; How it is written, so that planning with it stays fast and a plan is never bolder than the world:
; * An action names the chain of things that its item rests on, down to the piece of furniture (?place).
; * What a place or a thing is made for is a static predicate of its class; actions are told apart by these.
; * `occupied` is kept for what takes one thing at a time, `piled_at` for what stands higher up in a pile,
;   `flushed` and `soaked` for vessels that the water of a sink may have filled in passing.
(define (domain tabletop)
  (:requirements :strips :typing :negative-preconditions)
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
    (hung_on ?item - item ?place - object)
    (piled_at ?item - item ?place - asset) ; it is on a pile of things that stands there
    (occupied ?place - object)             ; what takes one thing at a time has one
    ; how furniture and fixtures are
    (open ?thing - object)
    (turned_on ?thing - object)
    (wiped ?place - asset)
    (flushed ?place - asset)               ; its tap has run: a vessel left in it may have water in it
    (watered ?thing - object)
    ; how things are
    (clean ?item - item)
    (hot ?item - item)
    (cold ?item - item)
    (sliced ?item - item)
    (clipped ?item - item)
    (folded ?item - item)
    (laden ?item - item)                   ; a spoonful is on it
    (soaked ?item - item)                  ; it stood under a tap that ran: it may have water in it
    ; what is in a vessel, or on a spoon
    (filled ?item - item)
    (has_water ?item - item)
    (has_milk ?item - item)
    (has_coffee ?item - item)
    (has_juice ?item - item)
    (has_tea ?item - item)
    (has_sugar ?item - item)
    (has_soil ?item - item)
    (has_cereal ?item - item)
    (stirred ?item - item)
    (sweetened ?item - item)
    ; what the hand remembers to have done, for those who ask for the deed and not only for what comes of it
    (poured ?item - item ?target - item)
    (decanted ?item - item)                ; what was in it went into something else, not down a drain
    (heated ?item - item)
    (boiled ?item - item)
    (brewed ?item - item)                  ; coffee was made in it
    (wiped_down ?item - item)
    ; what places are made for (static, by class)
    (surface ?place - object)
    (container ?place - object)
    (has_space_under ?place - asset)
    (hanger ?place - asset)                ; things can be hung on it:
    (pegs ?place - asset)                  ;   on pegs or lines
    (metal ?place - asset)                 ;   or held by a magnet
    (openable ?thing - object)
    (switchable ?thing - object)
    (shows_pictures ?place - asset)        ; switching it on changes nothing else
    (heats ?place - asset)
    (brews ?place - asset)
    (outlet ?place - asset)                ; a vessel fits under it
    (has_tap ?place - asset)
    (drain ?place - asset)
    (washes ?place - asset)
    (laundry_drum ?place - asset)          ; it washes fabrics
    (dish_rack ?place - asset)             ; it washes dishes
    (waste ?place - asset)
    (wipeable ?place - asset)
    (erasable ?place - asset)
    (pane ?place - asset)                  ; of glass
    (blinds ?place - asset)
    (kettle_base ?place - asset)           ; a kettle boils there
    ; what things are made for (static, by class)
    (bulky ?item - item)                   ; takes both hands
    (carrier ?item - item)                 ; is lifted with what rests on or in it
    (stackable ?item - item)               ; one thing fits on top of it
    (slot ?item - item)                    ; one battery fits into it
    (battery ?item - item)
    (fillable ?item - item)
    (dispenser ?item - item)               ; holds more than one fills with it
    (boils ?item - item)
    (plant ?thing - object)
    (powder_source ?item - item)
    (scoop_tool ?item - item)
    (stirrer ?item - item)
    (blade ?item - item)
    (sliceable ?item - item)
    (cutting_board ?item - item)
    (clips ?item - item)
    (clippable ?item - item)
    (foldable ?item - item)
    (fabric ?item - item)
    (sheet ?item - item)                   ; of paper
    (hangable ?item - item)
    (magnetic ?item - item)
    (wiper ?item - item)
    (erases ?item - item)
    (wipeable_item ?item - item)
    (dish ?item - item)
    (lid_open_to_run ?item - item)
    (readable ?item - item))

  ; -- pick ------------------------------------------------------------------------------------------------

  (:action pick_from_surface
    :parameters (?item - item ?place - asset)
    :precondition (and (hand_empty) (on ?item ?place) (not (bulky ?item)) (not (occupied ?item)))
    :effect (and (holding ?item) (not (hand_empty)) (not (on ?item ?place))))

  (:action pick_from_open_container
    :parameters (?item - item ?place - asset)
    :precondition (and (hand_empty) (in ?item ?place) (openable ?place) (open ?place)
                       (not (bulky ?item)) (not (occupied ?item)))
    :effect (and (holding ?item) (not (hand_empty)) (not (in ?item ?place))))

  (:action pick_from_lidless_container
    :parameters (?item - item ?place - asset)
    :precondition (and (hand_empty) (in ?item ?place) (container ?place) (not (openable ?place))
                       (not (has_tap ?place)) (not (bulky ?item)) (not (occupied ?item)))
    :effect (and (holding ?item) (not (hand_empty)) (not (in ?item ?place))))

  (:action pick_from_basin
    :parameters (?item - item ?place - asset)
    :precondition (and (hand_empty) (in ?item ?place) (has_tap ?place) (not (flushed ?place))
                       (not (openable ?place)) (not (bulky ?item)) (not (occupied ?item)))
    :effect (and (holding ?item) (not (hand_empty)) (not (in ?item ?place))))

  ; The tap fills every empty vessel in the basin, not only the one it was turned on for.
  (:action pick_from_flushed_basin
    :parameters (?item - item ?place - asset)
    :precondition (and (hand_empty) (in ?item ?place) (has_tap ?place) (flushed ?place)
                       (not (openable ?place)) (not (bulky ?item)) (not (occupied ?item)))
    :effect (and (holding ?item) (not (hand_empty)) (not (in ?item ?place)) (soaked ?item)))

  (:action pick_from_under
    :parameters (?item - item ?place - asset)
    :precondition (and (hand_empty) (under ?item ?place) (has_space_under ?place)
                       (not (bulky ?item)) (not (occupied ?item)))
    :effect (and (holding ?item) (not (hand_empty)) (not (under ?item ?place))))

  (:action pick_from_outlet
    :parameters (?item - item ?place - asset)
    :precondition (and (hand_empty) (under ?item ?place) (outlet ?place)
                       (not (bulky ?item)) (not (occupied ?item)))
    :effect (and (holding ?item) (not (hand_empty)) (not (under ?item ?place)) (not (occupied ?place))))

  (:action pick_from_hook
    :parameters (?item - item ?place - asset)
    :precondition (and (hand_empty) (hung_on ?item ?place) (pegs ?place)
                       (not (bulky ?item)) (not (occupied ?item)))
    :effect (and (holding ?item) (not (hand_empty)) (not (hung_on ?item ?place))))

  (:action pick_from_board
    :parameters (?item - item ?place - asset)
    :precondition (and (hand_empty) (hung_on ?item ?place) (metal ?place)
                       (not (bulky ?item)) (not (occupied ?item)))
    :effect (and (holding ?item) (not (hand_empty)) (not (hung_on ?item ?place))))

  (:action unstack
    :parameters (?item - item ?below - item ?place - asset)
    :precondition (and (hand_empty) (on ?item ?below) (stackable ?below) (piled_at ?item ?place)
                       (on ?below ?place) (not (bulky ?item)) (not (occupied ?item)))
    :effect (and (holding ?item) (not (hand_empty)) (not (on ?item ?below))
                 (not (piled_at ?item ?place)) (not (occupied ?below))))

  (:action unstack_from_pile
    :parameters (?item - item ?below - item ?place - asset)
    :precondition (and (hand_empty) (on ?item ?below) (stackable ?below) (piled_at ?item ?place)
                       (piled_at ?below ?place) (not (openable ?place))
                       (not (bulky ?item)) (not (occupied ?item)))
    :effect (and (holding ?item) (not (hand_empty)) (not (on ?item ?below))
                 (not (piled_at ?item ?place)) (not (occupied ?below))))

  ; Nobody builds a pile under or inside something, but it can have been put there as a whole.
  (:action unstack_under
    :parameters (?item - item ?below - item ?place - asset)
    :precondition (and (hand_empty) (on ?item ?below) (stackable ?below) (piled_at ?item ?place)
                       (under ?below ?place) (not (bulky ?item)) (not (occupied ?item)))
    :effect (and (holding ?item) (not (hand_empty)) (not (on ?item ?below))
                 (not (piled_at ?item ?place)) (not (occupied ?below))))

  (:action unstack_in_container
    :parameters (?item - item ?below - item ?place - asset)
    :precondition (and (hand_empty) (on ?item ?below) (stackable ?below) (piled_at ?item ?place)
                       (in ?below ?place) (open ?place) (not (bulky ?item)) (not (occupied ?item)))
    :effect (and (holding ?item) (not (hand_empty)) (not (on ?item ?below))
                 (not (piled_at ?item ?place)) (not (occupied ?below))))

  (:action unstack_from_pile_in_container
    :parameters (?item - item ?below - item ?place - asset)
    :precondition (and (hand_empty) (on ?item ?below) (stackable ?below) (piled_at ?item ?place)
                       (piled_at ?below ?place) (openable ?place) (open ?place)
                       (not (bulky ?item)) (not (occupied ?item)))
    :effect (and (holding ?item) (not (hand_empty)) (not (on ?item ?below))
                 (not (piled_at ?item ?place)) (not (occupied ?below))))

  (:action take_off_item
    :parameters (?item - item ?support - item ?place - asset)
    :precondition (and (hand_empty) (on ?item ?support) (carrier ?support) (on ?support ?place)
                       (not (bulky ?item)) (not (occupied ?item)))
    :effect (and (holding ?item) (not (hand_empty)) (not (on ?item ?support))))

  (:action take_off_item_in_container
    :parameters (?item - item ?support - item ?place - asset)
    :precondition (and (hand_empty) (on ?item ?support) (carrier ?support)
                       (in ?support ?place) (open ?place)
                       (not (bulky ?item)) (not (occupied ?item)))
    :effect (and (holding ?item) (not (hand_empty)) (not (on ?item ?support))))

  (:action take_out_of_item
    :parameters (?item - item ?holder - item ?place - asset)
    :precondition (and (hand_empty) (in ?item ?holder) (openable ?holder) (open ?holder)
                       (on ?holder ?place) (not (bulky ?item)) (not (occupied ?item)))
    :effect (and (holding ?item) (not (hand_empty)) (not (in ?item ?holder))))

  (:action take_out_of_lidless_item
    :parameters (?item - item ?holder - item ?place - asset)
    :precondition (and (hand_empty) (in ?item ?holder) (container ?holder) (not (openable ?holder))
                       (on ?holder ?place) (not (bulky ?item)) (not (occupied ?item)))
    :effect (and (holding ?item) (not (hand_empty)) (not (in ?item ?holder))))

  (:action take_out_of_item_in_container
    :parameters (?item - item ?holder - item ?place - asset)
    :precondition (and (hand_empty) (in ?item ?holder) (container ?holder) (open ?holder)
                       (in ?holder ?place) (open ?place)
                       (not (bulky ?item)) (not (occupied ?item)))
    :effect (and (holding ?item) (not (hand_empty)) (not (in ?item ?holder))))

  (:action remove_battery
    :parameters (?item - item ?device - item ?place - asset)
    :precondition (and (hand_empty) (in ?item ?device) (slot ?device) (battery ?item)
                       (not (openable ?device)) (on ?device ?place) (not (bulky ?item)))
    :effect (and (holding ?item) (not (hand_empty)) (not (in ?item ?device)) (not (occupied ?device))))

  (:action remove_battery_under
    :parameters (?item - item ?device - item ?place - asset)
    :precondition (and (hand_empty) (in ?item ?device) (slot ?device) (battery ?item)
                       (not (openable ?device)) (under ?device ?place) (not (bulky ?item)))
    :effect (and (holding ?item) (not (hand_empty)) (not (in ?item ?device)) (not (occupied ?device))))

  (:action remove_battery_in_container
    :parameters (?item - item ?device - item ?place - asset)
    :precondition (and (hand_empty) (in ?item ?device) (slot ?device) (battery ?item)
                       (not (openable ?device)) (in ?device ?place) (open ?place) (not (bulky ?item)))
    :effect (and (holding ?item) (not (hand_empty)) (not (in ?item ?device)) (not (occupied ?device))))

  ; Bulky things take both hands at once.
  (:action lift_from_surface
    :parameters (?item - item ?place - asset)
    :precondition (and (hand_empty) (on ?item ?place) (bulky ?item) (not (occupied ?item)))
    :effect (and (holding ?item) (not (hand_empty)) (not (on ?item ?place))))

  (:action lift_from_under
    :parameters (?item - item ?place - asset)
    :precondition (and (hand_empty) (under ?item ?place) (has_space_under ?place)
                       (bulky ?item) (not (occupied ?item)))
    :effect (and (holding ?item) (not (hand_empty)) (not (under ?item ?place))))

  (:action lift_out_of_container
    :parameters (?item - item ?place - asset)
    :precondition (and (hand_empty) (in ?item ?place) (open ?place) (not (has_tap ?place))
                       (bulky ?item) (not (occupied ?item)))
    :effect (and (holding ?item) (not (hand_empty)) (not (in ?item ?place))))

  ; -- place_on --------------------------------------------------------------------------------------------

  (:action put_on_surface
    :parameters (?item - item ?place - asset)
    :precondition (and (holding ?item) (surface ?place) (not (bulky ?item)))
    :effect (and (on ?item ?place) (hand_empty) (not (holding ?item))))

  (:action put_on_item
    :parameters (?item - item ?support - item ?place - asset)
    :precondition (and (holding ?item) (surface ?support) (carrier ?support) (not (stackable ?support))
                       (on ?support ?place) (not (bulky ?item)))
    :effect (and (on ?item ?support) (hand_empty) (not (holding ?item))))

  (:action put_on_item_in_container
    :parameters (?item - item ?support - item ?place - asset)
    :precondition (and (holding ?item) (surface ?support) (carrier ?support) (not (stackable ?support))
                       (in ?support ?place) (open ?place) (not (heats ?place)) (not (bulky ?item)))
    :effect (and (on ?item ?support) (hand_empty) (not (holding ?item))))

  (:action stack_on
    :parameters (?item - item ?below - item ?place - asset)
    :precondition (and (holding ?item) (stackable ?item) (surface ?below) (stackable ?below)
                       (on ?below ?place) (not (occupied ?below)) (not (bulky ?item)))
    :effect (and (on ?item ?below) (piled_at ?item ?place) (occupied ?below)
                 (hand_empty) (not (holding ?item))))

  (:action stack_on_pile
    :parameters (?item - item ?below - item ?place - asset)
    :precondition (and (holding ?item) (stackable ?item) (surface ?below) (stackable ?below)
                       (piled_at ?below ?place) (not (openable ?place)) (not (occupied ?below))
                       (not (bulky ?item)))
    :effect (and (on ?item ?below) (piled_at ?item ?place) (occupied ?below)
                 (hand_empty) (not (holding ?item))))

  (:action set_down_on_surface
    :parameters (?item - item ?place - asset)
    :precondition (and (holding ?item) (surface ?place) (bulky ?item))
    :effect (and (on ?item ?place) (hand_empty) (not (holding ?item))))

  ; -- place_in --------------------------------------------------------------------------------------------

  (:action put_in_open_container
    :parameters (?item - item ?place - asset)
    :precondition (and (holding ?item) (container ?place) (openable ?place) (open ?place)
                       (not (heats ?place)) (not (bulky ?item)))
    :effect (and (in ?item ?place) (hand_empty) (not (holding ?item))))

  (:action put_in_lidless_container
    :parameters (?item - item ?place - asset)
    :precondition (and (holding ?item) (container ?place) (not (openable ?place))
                       (not (has_tap ?place)) (not (waste ?place)) (not (bulky ?item)))
    :effect (and (in ?item ?place) (hand_empty) (not (holding ?item))))

  (:action throw_away
    :parameters (?item - item ?place - asset)
    :precondition (and (holding ?item) (container ?place) (not (openable ?place)) (waste ?place)
                       (not (bulky ?item)))
    :effect (and (in ?item ?place) (hand_empty) (not (holding ?item))))

  (:action put_in_basin
    :parameters (?item - item ?place - asset)
    :precondition (and (holding ?item) (container ?place) (not (openable ?place)) (has_tap ?place)
                       (not (bulky ?item)))
    :effect (and (in ?item ?place) (hand_empty) (not (holding ?item))))

  ; Whatever is in there gets hot when it is turned on, for whichever thing that is done: nothing goes in that
  ; could have something cold on it.
  (:action put_in_microwave
    :parameters (?item - item ?place - asset)
    :precondition (and (holding ?item) (container ?place) (openable ?place) (open ?place) (heats ?place)
                       (not (container ?item)) (not (surface ?item)) (not (bulky ?item)))
    :effect (and (in ?item ?place) (hand_empty) (not (holding ?item)) (not (cold ?item))))

  (:action put_in_item
    :parameters (?item - item ?holder - item ?place - asset)
    :precondition (and (holding ?item) (container ?holder) (carrier ?holder)
                       (openable ?holder) (open ?holder) (on ?holder ?place) (not (bulky ?item)))
    :effect (and (in ?item ?holder) (hand_empty) (not (holding ?item))))

  (:action put_in_lidless_item
    :parameters (?item - item ?holder - item ?place - asset)
    :precondition (and (holding ?item) (container ?holder) (carrier ?holder) (not (openable ?holder))
                       (on ?holder ?place) (not (bulky ?item)))
    :effect (and (in ?item ?holder) (hand_empty) (not (holding ?item))))

  (:action put_in_item_in_container
    :parameters (?item - item ?holder - item ?place - asset)
    :precondition (and (holding ?item) (container ?holder) (carrier ?holder) (open ?holder)
                       (in ?holder ?place) (open ?place) (not (heats ?place)) (not (bulky ?item)))
    :effect (and (in ?item ?holder) (hand_empty) (not (holding ?item))))

  (:action insert_battery
    :parameters (?item - item ?device - item ?place - asset)
    :precondition (and (holding ?item) (battery ?item) (slot ?device) (not (openable ?device))
                       (on ?device ?place) (not (occupied ?device)) (not (bulky ?item)))
    :effect (and (in ?item ?device) (occupied ?device) (hand_empty) (not (holding ?item))))

  (:action set_down_in_container
    :parameters (?item - item ?place - asset)
    :precondition (and (holding ?item) (container ?place) (open ?place) (not (has_tap ?place))
                       (not (heats ?place)) (bulky ?item))
    :effect (and (in ?item ?place) (hand_empty) (not (holding ?item))))

  ; -- place_under -----------------------------------------------------------------------------------------

  (:action put_under_furniture
    :parameters (?item - item ?place - asset)
    :precondition (and (holding ?item) (has_space_under ?place) (not (outlet ?place)) (not (bulky ?item)))
    :effect (and (under ?item ?place) (hand_empty) (not (holding ?item))))

  (:action put_under_outlet
    :parameters (?item - item ?place - asset)
    :precondition (and (holding ?item) (outlet ?place) (fillable ?item) (not (occupied ?place))
                       (not (bulky ?item)))
    :effect (and (under ?item ?place) (occupied ?place) (hand_empty) (not (holding ?item))))

  (:action set_down_under_furniture
    :parameters (?item - item ?place - asset)
    :precondition (and (holding ?item) (has_space_under ?place) (not (outlet ?place)) (bulky ?item))
    :effect (and (under ?item ?place) (hand_empty) (not (holding ?item))))

  ; -- hang_on ---------------------------------------------------------------------------------------------

  (:action hang_on_hook
    :parameters (?item - item ?place - asset)
    :precondition (and (holding ?item) (hangable ?item) (hanger ?place) (pegs ?place) (not (bulky ?item)))
    :effect (and (hung_on ?item ?place) (hand_empty) (not (holding ?item))))

  (:action stick_on_board
    :parameters (?item - item ?place - asset)
    :precondition (and (holding ?item) (hangable ?item) (magnetic ?item) (hanger ?place) (metal ?place)
                       (not (bulky ?item)))
    :effect (and (hung_on ?item ?place) (hand_empty) (not (holding ?item))))

  (:action pin_under_magnet
    :parameters (?item - item ?magnet - item ?place - asset)
    :precondition (and (holding ?item) (hangable ?item) (sheet ?item) (hanger ?place) (metal ?place)
                       (magnetic ?magnet) (hung_on ?magnet ?place) (not (bulky ?item)))
    :effect (and (hung_on ?item ?place) (hand_empty) (not (holding ?item))))

  ; -- open ------------------------------------------------------------------------------------------------

  (:action open_container
    :parameters (?place - asset)
    :precondition (and (hand_empty) (container ?place) (openable ?place) (not (switchable ?place))
                       (not (open ?place)))
    :effect (open ?place))

  (:action open_appliance
    :parameters (?place - asset)
    :precondition (and (hand_empty) (openable ?place) (switchable ?place) (not (turned_on ?place))
                       (not (open ?place)))
    :effect (open ?place))

  (:action open_blinds
    :parameters (?place - asset)
    :precondition (and (hand_empty) (blinds ?place) (openable ?place) (not (switchable ?place))
                       (not (open ?place)))
    :effect (open ?place))

  (:action open_item
    :parameters (?item - item ?place - asset)
    :precondition (and (hand_empty) (on ?item ?place) (container ?item) (openable ?item)
                       (not (switchable ?item)) (not (open ?item)))
    :effect (open ?item))

  (:action open_item_in_container
    :parameters (?item - item ?place - asset)
    :precondition (and (hand_empty) (in ?item ?place) (open ?place) (container ?item) (openable ?item)
                       (not (switchable ?item)) (not (open ?item)))
    :effect (open ?item))

  (:action open_bottle
    :parameters (?item - item ?place - asset)
    :precondition (and (hand_empty) (on ?item ?place) (dispenser ?item) (openable ?item)
                       (not (switchable ?item)) (not (open ?item)))
    :effect (open ?item))

  (:action uncover_powder
    :parameters (?item - item ?place - asset)
    :precondition (and (hand_empty) (on ?item ?place) (powder_source ?item) (openable ?item)
                       (not (switchable ?item)) (not (open ?item)))
    :effect (open ?item))

  (:action open_laptop
    :parameters (?item - item ?place - asset)
    :precondition (and (hand_empty) (on ?item ?place) (lid_open_to_run ?item) (openable ?item)
                       (not (turned_on ?item)) (not (open ?item)))
    :effect (open ?item))

  (:action open_book
    :parameters (?item - item ?place - asset)
    :precondition (and (hand_empty) (on ?item ?place) (readable ?item) (openable ?item)
                       (not (switchable ?item)) (not (occupied ?item)) (not (open ?item)))
    :effect (open ?item))

  ; -- close -----------------------------------------------------------------------------------------------

  (:action close_container
    :parameters (?place - asset)
    :precondition (and (hand_empty) (container ?place) (openable ?place) (not (switchable ?place))
                       (open ?place))
    :effect (not (open ?place)))

  (:action close_appliance
    :parameters (?place - asset)
    :precondition (and (hand_empty) (openable ?place) (switchable ?place) (open ?place))
    :effect (not (open ?place)))

  (:action close_blinds
    :parameters (?place - asset)
    :precondition (and (hand_empty) (blinds ?place) (openable ?place) (not (switchable ?place)) (open ?place))
    :effect (not (open ?place)))

  (:action close_item
    :parameters (?item - item ?place - asset)
    :precondition (and (hand_empty) (on ?item ?place) (container ?item) (openable ?item) (open ?item))
    :effect (not (open ?item)))

  (:action close_item_in_container
    :parameters (?item - item ?place - asset)
    :precondition (and (hand_empty) (in ?item ?place) (open ?place) (container ?item) (openable ?item)
                       (open ?item))
    :effect (not (open ?item)))

  (:action close_bottle
    :parameters (?item - item ?place - asset)
    :precondition (and (hand_empty) (on ?item ?place) (dispenser ?item) (openable ?item) (open ?item))
    :effect (not (open ?item)))

  (:action cover_powder
    :parameters (?item - item ?place - asset)
    :precondition (and (hand_empty) (on ?item ?place) (powder_source ?item) (openable ?item) (open ?item))
    :effect (not (open ?item)))

  (:action close_laptop
    :parameters (?item - item ?place - asset)
    :precondition (and (hand_empty) (on ?item ?place) (lid_open_to_run ?item) (openable ?item)
                       (not (turned_on ?item)) (open ?item))
    :effect (not (open ?item)))

  (:action close_book
    :parameters (?item - item ?place - asset)
    :precondition (and (hand_empty) (on ?item ?place) (readable ?item) (openable ?item)
                       (not (occupied ?item)) (open ?item))
    :effect (not (open ?item)))

  ; -- pour ------------------------------------------------------------------------------------------------
  ; From a vessel all of it goes over; a dispenser (a carton, a big bottle) has more than that. How hot and
  ; how sweet a vessel is, its contents are: nobody heats milk by pouring it into a cup that had coffee in it.

  (:action pour_water
    :parameters (?item - item ?target - item ?place - asset)
    :precondition (and (holding ?item) (fillable ?item) (filled ?item) (has_water ?item) (not (hot ?item))
                       (not (dispenser ?item)) (not (openable ?item))
                       (fillable ?target) (on ?target ?place) (not (filled ?target)) (not (soaked ?target)))
    :effect (and (poured ?item ?target) (decanted ?item) (filled ?target) (has_water ?target) (not (hot ?target))
                 (not (filled ?item)) (not (has_water ?item)) (not (soaked ?item))
                 (not (stirred ?item)) (not (sweetened ?item)) (not (has_sugar ?item))
                 (not (has_soil ?item)) (not (has_cereal ?item))))

  (:action pour_hot_water
    :parameters (?item - item ?target - item ?place - asset)
    :precondition (and (holding ?item) (fillable ?item) (filled ?item) (has_water ?item) (hot ?item)
                       (not (dispenser ?item)) (not (openable ?item))
                       (fillable ?target) (on ?target ?place) (not (filled ?target)) (not (soaked ?target)))
    :effect (and (poured ?item ?target) (decanted ?item) (filled ?target) (has_water ?target) (hot ?target)
                 (not (filled ?item)) (not (has_water ?item)) (not (hot ?item))
                 (not (soaked ?item)) (not (stirred ?item)) (not (sweetened ?item)) (not (has_sugar ?item))
                 (not (has_soil ?item)) (not (has_cereal ?item))))

  (:action pour_water_from_bottle
    :parameters (?item - item ?target - item ?place - asset)
    :precondition (and (holding ?item) (filled ?item) (has_water ?item) (not (hot ?item))
                       (dispenser ?item) (open ?item)
                       (fillable ?target) (on ?target ?place) (not (filled ?target)) (not (soaked ?target)))
    :effect (and (poured ?item ?target) (filled ?target) (has_water ?target) (not (hot ?target))))

  (:action pour_milk
    :parameters (?item - item ?target - item ?place - asset)
    :precondition (and (holding ?item) (fillable ?item) (filled ?item) (has_milk ?item) (not (hot ?item))
                       (not (dispenser ?item)) (not (openable ?item))
                       (fillable ?target) (on ?target ?place) (not (filled ?target)) (not (soaked ?target)))
    :effect (and (poured ?item ?target) (decanted ?item) (filled ?target) (has_milk ?target) (not (hot ?target))
                 (not (filled ?item)) (not (has_milk ?item)) (not (soaked ?item))
                 (not (stirred ?item)) (not (sweetened ?item)) (not (has_sugar ?item))
                 (not (has_soil ?item)) (not (has_cereal ?item))))

  (:action pour_hot_milk
    :parameters (?item - item ?target - item ?place - asset)
    :precondition (and (holding ?item) (fillable ?item) (filled ?item) (has_milk ?item) (hot ?item)
                       (not (dispenser ?item)) (not (openable ?item))
                       (fillable ?target) (on ?target ?place) (not (filled ?target)) (not (soaked ?target)))
    :effect (and (poured ?item ?target) (decanted ?item) (filled ?target) (has_milk ?target) (hot ?target)
                 (not (filled ?item)) (not (has_milk ?item)) (not (hot ?item))
                 (not (soaked ?item)) (not (stirred ?item)) (not (sweetened ?item)) (not (has_sugar ?item))
                 (not (has_soil ?item)) (not (has_cereal ?item))))

  (:action pour_milk_from_carton
    :parameters (?item - item ?target - item ?place - asset)
    :precondition (and (holding ?item) (filled ?item) (has_milk ?item) (not (hot ?item))
                       (dispenser ?item) (open ?item)
                       (fillable ?target) (on ?target ?place) (not (filled ?target)) (not (soaked ?target)))
    :effect (and (poured ?item ?target) (filled ?target) (has_milk ?target) (not (hot ?target))))

  (:action pour_coffee
    :parameters (?item - item ?target - item ?place - asset)
    :precondition (and (holding ?item) (fillable ?item) (filled ?item) (has_coffee ?item) (not (hot ?item))
                       (not (dispenser ?item)) (not (openable ?item))
                       (fillable ?target) (on ?target ?place) (not (filled ?target)) (not (soaked ?target)))
    :effect (and (poured ?item ?target) (decanted ?item) (filled ?target) (has_coffee ?target) (not (hot ?target))
                 (not (filled ?item)) (not (has_coffee ?item)) (not (soaked ?item))
                 (not (stirred ?item)) (not (sweetened ?item)) (not (has_sugar ?item))
                 (not (has_soil ?item)) (not (has_cereal ?item))))

  (:action pour_hot_coffee
    :parameters (?item - item ?target - item ?place - asset)
    :precondition (and (holding ?item) (fillable ?item) (filled ?item) (has_coffee ?item) (hot ?item)
                       (not (dispenser ?item)) (not (openable ?item))
                       (fillable ?target) (on ?target ?place) (not (filled ?target)) (not (soaked ?target)))
    :effect (and (poured ?item ?target) (decanted ?item) (filled ?target) (has_coffee ?target) (hot ?target)
                 (not (filled ?item)) (not (has_coffee ?item)) (not (hot ?item))
                 (not (soaked ?item)) (not (stirred ?item)) (not (sweetened ?item)) (not (has_sugar ?item))
                 (not (has_soil ?item)) (not (has_cereal ?item))))

  (:action pour_juice
    :parameters (?item - item ?target - item ?place - asset)
    :precondition (and (holding ?item) (fillable ?item) (filled ?item) (has_juice ?item) (not (hot ?item))
                       (not (dispenser ?item)) (not (openable ?item))
                       (fillable ?target) (on ?target ?place) (not (filled ?target)) (not (soaked ?target)))
    :effect (and (poured ?item ?target) (decanted ?item) (filled ?target) (has_juice ?target) (not (hot ?target))
                 (not (filled ?item)) (not (has_juice ?item)) (not (soaked ?item))
                 (not (stirred ?item)) (not (sweetened ?item)) (not (has_sugar ?item))
                 (not (has_soil ?item)) (not (has_cereal ?item))))

  (:action pour_juice_from_carton
    :parameters (?item - item ?target - item ?place - asset)
    :precondition (and (holding ?item) (filled ?item) (has_juice ?item) (not (hot ?item))
                       (dispenser ?item) (open ?item)
                       (fillable ?target) (on ?target ?place) (not (filled ?target)) (not (soaked ?target)))
    :effect (and (poured ?item ?target) (filled ?target) (has_juice ?target) (not (hot ?target))))

  (:action pour_tea
    :parameters (?item - item ?target - item ?place - asset)
    :precondition (and (holding ?item) (fillable ?item) (filled ?item) (has_tea ?item) (not (hot ?item))
                       (not (dispenser ?item)) (not (openable ?item))
                       (fillable ?target) (on ?target ?place) (not (filled ?target)) (not (soaked ?target)))
    :effect (and (poured ?item ?target) (decanted ?item) (filled ?target) (has_tea ?target) (not (hot ?target))
                 (not (filled ?item)) (not (has_tea ?item)) (not (soaked ?item))
                 (not (stirred ?item)) (not (sweetened ?item)) (not (has_sugar ?item))
                 (not (has_soil ?item)) (not (has_cereal ?item))))

  (:action pour_hot_tea
    :parameters (?item - item ?target - item ?place - asset)
    :precondition (and (holding ?item) (fillable ?item) (filled ?item) (has_tea ?item) (hot ?item)
                       (not (dispenser ?item)) (not (openable ?item))
                       (fillable ?target) (on ?target ?place) (not (filled ?target)) (not (soaked ?target)))
    :effect (and (poured ?item ?target) (decanted ?item) (filled ?target) (has_tea ?target) (hot ?target)
                 (not (filled ?item)) (not (has_tea ?item)) (not (hot ?item))
                 (not (soaked ?item)) (not (stirred ?item)) (not (sweetened ?item)) (not (has_sugar ?item))
                 (not (has_soil ?item)) (not (has_cereal ?item))))

  (:action water_plant
    :parameters (?item - item ?target - item ?place - asset)
    :precondition (and (holding ?item) (filled ?item) (has_water ?item) (not (hot ?item))
                       (not (dispenser ?item)) (not (openable ?item)) (plant ?target) (on ?target ?place))
    :effect (and (watered ?target) (decanted ?item)
                 (not (filled ?item)) (not (has_water ?item)) (not (soaked ?item))
                 (not (stirred ?item)) (not (sweetened ?item)) (not (has_sugar ?item))
                 (not (has_soil ?item)) (not (has_cereal ?item))))

  (:action water_bed
    :parameters (?item - item ?place - asset)
    :precondition (and (holding ?item) (filled ?item) (has_water ?item) (not (hot ?item))
                       (not (dispenser ?item)) (not (openable ?item)) (plant ?place))
    :effect (and (watered ?place) (decanted ?item)
                 (not (filled ?item)) (not (has_water ?item)) (not (soaked ?item))
                 (not (stirred ?item)) (not (sweetened ?item)) (not (has_sugar ?item))
                 (not (has_soil ?item)) (not (has_cereal ?item))))

  (:action pour_away
    :parameters (?item - item ?place - asset)
    :precondition (and (holding ?item) (filled ?item) (fillable ?item)
                       (not (dispenser ?item)) (not (openable ?item)) (drain ?place))
    :effect (and (not (filled ?item)) (not (has_water ?item)) (not (has_milk ?item))
                 (not (has_coffee ?item)) (not (has_juice ?item)) (not (has_tea ?item)) (not (hot ?item))
                 (not (soaked ?item)) (not (stirred ?item)) (not (sweetened ?item)) (not (has_sugar ?item))
                 (not (has_soil ?item)) (not (has_cereal ?item))))

  (:action tip_sugar
    :parameters (?tool - item ?target - item ?place - asset)
    :precondition (and (holding ?tool) (scoop_tool ?tool) (laden ?tool) (has_sugar ?tool)
                       (fillable ?target) (on ?target ?place))
    :effect (and (has_sugar ?target) (not (laden ?tool)) (not (has_sugar ?tool))))

  (:action tip_cereal
    :parameters (?tool - item ?target - item ?place - asset)
    :precondition (and (holding ?tool) (scoop_tool ?tool) (laden ?tool) (has_cereal ?tool)
                       (fillable ?target) (on ?target ?place) (not (filled ?target)) (not (soaked ?target)))
    :effect (and (has_cereal ?target) (not (laden ?tool)) (not (has_cereal ?tool))))

  (:action tip_soil
    :parameters (?tool - item ?target - item ?place - asset)
    :precondition (and (holding ?tool) (scoop_tool ?tool) (laden ?tool) (has_soil ?tool)
                       (fillable ?target) (on ?target ?place) (not (filled ?target)) (not (soaked ?target)))
    :effect (and (has_soil ?target) (not (laden ?tool)) (not (has_soil ?tool))))

  ; -- cut -------------------------------------------------------------------------------------------------

  (:action slice_food
    :parameters (?tool - item ?item - item ?place - asset)
    :precondition (and (holding ?tool) (blade ?tool) (sliceable ?item) (on ?item ?place) (surface ?place)
                       (not (sliced ?item)))
    :effect (sliced ?item))

  (:action slice_on_board
    :parameters (?tool - item ?item - item ?board - item ?place - asset)
    :precondition (and (holding ?tool) (blade ?tool) (sliceable ?item) (on ?item ?board)
                       (surface ?board) (cutting_board ?board) (on ?board ?place) (not (sliced ?item)))
    :effect (sliced ?item))

  (:action clip_sheet
    :parameters (?tool - item ?item - item ?place - asset)
    :precondition (and (holding ?tool) (clips ?tool) (clippable ?item) (on ?item ?place) (surface ?place)
                       (not (clipped ?item)))
    :effect (clipped ?item))

  ; -- stir ------------------------------------------------------------------------------------------------

  (:action stir_drink
    :parameters (?tool - item ?item - item ?place - asset)
    :precondition (and (holding ?tool) (stirrer ?tool) (not (laden ?tool)) (fillable ?item) (filled ?item)
                       (on ?item ?place) (not (has_sugar ?item)))
    :effect (stirred ?item))

  (:action dissolve_sugar
    :parameters (?tool - item ?item - item ?place - asset)
    :precondition (and (holding ?tool) (stirrer ?tool) (not (laden ?tool)) (fillable ?item) (filled ?item)
                       (on ?item ?place) (has_sugar ?item))
    :effect (and (stirred ?item) (sweetened ?item)))

  ; -- scoop -----------------------------------------------------------------------------------------------

  (:action scoop_sugar
    :parameters (?tool - item ?item - item ?place - asset)
    :precondition (and (holding ?tool) (scoop_tool ?tool) (not (laden ?tool))
                       (powder_source ?item) (has_sugar ?item) (open ?item) (on ?item ?place))
    :effect (and (laden ?tool) (has_sugar ?tool)))

  (:action scoop_cereal
    :parameters (?tool - item ?item - item ?place - asset)
    :precondition (and (holding ?tool) (scoop_tool ?tool) (not (laden ?tool))
                       (powder_source ?item) (has_cereal ?item) (open ?item) (on ?item ?place))
    :effect (and (laden ?tool) (has_cereal ?tool)))

  (:action scoop_soil
    :parameters (?tool - item ?item - item ?place - asset)
    :precondition (and (holding ?tool) (scoop_tool ?tool) (not (laden ?tool))
                       (powder_source ?item) (has_soil ?item) (open ?item) (on ?item ?place))
    :effect (and (laden ?tool) (has_soil ?tool)))

  ; -- fold ------------------------------------------------------------------------------------------------

  (:action fold_cloth
    :parameters (?item - item ?place - asset)
    :precondition (and (hand_empty) (foldable ?item) (fabric ?item) (on ?item ?place) (surface ?place)
                       (not (folded ?item)))
    :effect (folded ?item))

  (:action fold_paper
    :parameters (?item - item ?place - asset)
    :precondition (and (hand_empty) (foldable ?item) (sheet ?item) (on ?item ?place) (surface ?place)
                       (not (folded ?item)))
    :effect (folded ?item))

  ; -- wipe ------------------------------------------------------------------------------------------------

  (:action wipe_surface
    :parameters (?tool - item ?place - asset)
    :precondition (and (holding ?tool) (wiper ?tool) (wipeable ?place) (surface ?place) (not (wiped ?place)))
    :effect (wiped ?place))

  (:action wipe_window
    :parameters (?tool - item ?place - asset)
    :precondition (and (holding ?tool) (wiper ?tool) (wipeable ?place) (pane ?place) (not (wiped ?place)))
    :effect (wiped ?place))

  (:action erase_board
    :parameters (?tool - item ?place - asset)
    :precondition (and (holding ?tool) (erases ?tool) (erasable ?place) (not (wiped ?place)))
    :effect (wiped ?place))

  (:action wipe_dish
    :parameters (?tool - item ?item - item ?place - asset)
    :precondition (and (holding ?tool) (wiper ?tool) (wipeable_item ?item) (not (switchable ?item))
                       (on ?item ?place))
    :effect (and (clean ?item) (wiped_down ?item)))

  (:action wipe_device
    :parameters (?tool - item ?item - item ?place - asset)
    :precondition (and (holding ?tool) (wiper ?tool) (wipeable_item ?item) (switchable ?item)
                       (not (turned_on ?item)) (on ?item ?place))
    :effect (and (clean ?item) (wiped_down ?item)))

  ; -- turn_on ---------------------------------------------------------------------------------------------

  (:action heat_in_microwave
    :parameters (?item - item ?place - asset)
    :precondition (and (hand_empty) (heats ?place) (switchable ?place) (not (turned_on ?place))
                       (not (open ?place)) (in ?item ?place))
    :effect (and (turned_on ?place) (hot ?item) (heated ?item) (not (cold ?item))))

  (:action rinse_item
    :parameters (?item - item ?place - asset)
    :precondition (and (hand_empty) (has_tap ?place) (switchable ?place) (not (openable ?place))
                       (not (turned_on ?place)) (in ?item ?place)
                       (not (fillable ?item)) (not (fabric ?item)) (not (switchable ?item)))
    :effect (and (turned_on ?place) (flushed ?place) (clean ?item)))

  (:action rinse_filled_vessel
    :parameters (?item - item ?place - asset)
    :precondition (and (hand_empty) (has_tap ?place) (switchable ?place) (not (openable ?place))
                       (not (turned_on ?place)) (in ?item ?place) (fillable ?item) (filled ?item))
    :effect (and (turned_on ?place) (flushed ?place) (clean ?item)))

  (:action fill_vessel
    :parameters (?item - item ?place - asset)
    :precondition (and (hand_empty) (has_tap ?place) (switchable ?place) (not (openable ?place))
                       (not (turned_on ?place)) (in ?item ?place) (fillable ?item)
                       (not (openable ?item)) (not (filled ?item)))
    :effect (and (turned_on ?place) (flushed ?place) (clean ?item) (filled ?item) (has_water ?item)
                 (not (hot ?item)) (not (soaked ?item))))

  (:action brew_coffee
    :parameters (?item - item ?place - asset)
    :precondition (and (hand_empty) (brews ?place) (outlet ?place) (switchable ?place) (not (openable ?place))
                       (not (turned_on ?place)) (under ?item ?place) (fillable ?item)
                       (not (filled ?item)) (not (soaked ?item)))
    :effect (and (turned_on ?place) (filled ?item) (has_coffee ?item) (brewed ?item) (hot ?item)))

  (:action boil_water
    :parameters (?item - item ?place - asset)
    :precondition (and (hand_empty) (boils ?item) (switchable ?item) (not (openable ?item))
                       (not (turned_on ?item)) (filled ?item) (has_water ?item)
                       (on ?item ?place) (kettle_base ?place))
    :effect (and (turned_on ?item) (hot ?item) (boiled ?item)))

  (:action wash_load
    :parameters (?item - item ?place - asset)
    :precondition (and (hand_empty) (washes ?place) (laundry_drum ?place) (switchable ?place)
                       (not (turned_on ?place)) (not (open ?place)) (in ?item ?place) (fabric ?item))
    :effect (and (turned_on ?place) (clean ?item)))

  (:action wash_two_together
    :parameters (?item - item ?other - item ?place - asset)
    :precondition (and (hand_empty) (washes ?place) (laundry_drum ?place) (switchable ?place)
                       (not (turned_on ?place)) (not (open ?place))
                       (in ?item ?place) (fabric ?item) (in ?other ?place) (fabric ?other))
    :effect (and (turned_on ?place) (clean ?item) (clean ?other)))

  (:action run_dishwasher
    :parameters (?item - item ?place - asset)
    :precondition (and (hand_empty) (washes ?place) (dish_rack ?place) (switchable ?place)
                       (not (turned_on ?place)) (not (open ?place)) (in ?item ?place) (dish ?item))
    :effect (and (turned_on ?place) (clean ?item)))

  (:action switch_on_screen
    :parameters (?place - asset)
    :precondition (and (hand_empty) (shows_pictures ?place) (switchable ?place) (not (openable ?place))
                       (not (turned_on ?place)))
    :effect (turned_on ?place))

  (:action switch_on_lamp
    :parameters (?item - item ?place - asset)
    :precondition (and (hand_empty) (switchable ?item) (not (openable ?item)) (not (boils ?item))
                       (not (turned_on ?item)) (on ?item ?place))
    :effect (turned_on ?item))

  (:action switch_on_laptop
    :parameters (?item - item ?place - asset)
    :precondition (and (hand_empty) (switchable ?item) (lid_open_to_run ?item) (open ?item)
                       (not (turned_on ?item)) (on ?item ?place))
    :effect (turned_on ?item))

  ; -- turn_off --------------------------------------------------------------------------------------------

  (:action turn_off_tap
    :parameters (?place - asset)
    :precondition (and (hand_empty) (has_tap ?place) (switchable ?place) (not (openable ?place))
                       (turned_on ?place))
    :effect (not (turned_on ?place)))

  (:action switch_off_appliance
    :parameters (?place - asset)
    :precondition (and (hand_empty) (switchable ?place) (openable ?place) (not (open ?place))
                       (turned_on ?place))
    :effect (not (turned_on ?place)))

  (:action switch_off_coffee_maker
    :parameters (?place - asset)
    :precondition (and (hand_empty) (brews ?place) (switchable ?place) (not (openable ?place))
                       (turned_on ?place))
    :effect (not (turned_on ?place)))

  (:action switch_off_screen
    :parameters (?place - asset)
    :precondition (and (hand_empty) (shows_pictures ?place) (switchable ?place) (not (openable ?place))
                       (turned_on ?place))
    :effect (not (turned_on ?place)))

  (:action switch_off_kettle
    :parameters (?item - item ?place - asset)
    :precondition (and (hand_empty) (boils ?item) (switchable ?item) (not (openable ?item))
                       (turned_on ?item) (on ?item ?place))
    :effect (not (turned_on ?item)))

  (:action switch_off_lamp
    :parameters (?item - item ?place - asset)
    :precondition (and (hand_empty) (switchable ?item) (not (openable ?item)) (not (boils ?item))
                       (turned_on ?item) (on ?item ?place))
    :effect (not (turned_on ?item)))

  (:action switch_off_laptop
    :parameters (?item - item ?place - asset)
    :precondition (and (hand_empty) (switchable ?item) (lid_open_to_run ?item) (turned_on ?item)
                       (on ?item ?place))
    :effect (not (turned_on ?item))))
