;; Two parcels, and a short way round.
(define (problem two-parcels)
  (:domain parcels)
  (:objects lorry1 - lorry letter chair - parcel north south harbour - town)
  (:init
    (at lorry1 north) (at letter north) (at chair harbour)
    (road north south) (road south north) (road south harbour) (road harbour south)
    (road north harbour) (road harbour north)
    (= (length north south) 9) (= (length south north) 9)
    (= (length south harbour) 4) (= (length harbour south) 4)
    (= (length north harbour) 3) (= (length harbour north) 3)
    (= (total-cost) 0))
  (:goal (and (at letter south) (at chair north)))
  (:metric minimize (total-cost)))
