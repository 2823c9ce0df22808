;; A lorry that takes parcels from town to town.
(define (domain parcels)
  (:requirements :strips :typing :action-costs)
  (:types town thing - object lorry parcel - thing)
  (:predicates
    (at ?thing - thing ?town - town)
    (aboard ?parcel - parcel ?lorry - lorry)
    (road ?from ?to - town))
  (:functions (total-cost) (length ?from ?to - town))

  (:action load
    :parameters (?parcel - parcel ?lorry - lorry ?town - town)
    :precondition (and (at ?parcel ?town) (at ?lorry ?town))
    :effect (and (aboard ?parcel ?lorry) (not (at ?parcel ?town)) (increase (total-cost) 1)))

  (:action unload
    :parameters (?parcel - parcel ?lorry - lorry ?town - town)
    :precondition (and (aboard ?parcel ?lorry) (at ?lorry ?town))
    :effect (and (at ?parcel ?town) (not (aboard ?parcel ?lorry)) (increase (total-cost) 1)))

  (:action drive
    :parameters (?lorry - lorry ?from ?to - town)
    :precondition (and (at ?lorry ?from) (road ?from ?to))
    :effect (and (at ?lorry ?to) (not (at ?lorry ?from)) (increase (total-cost) (length ?from ?to)))))
