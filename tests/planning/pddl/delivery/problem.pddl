; Driving all the way costs 60, flying 20 but with an unload and a load more: the cheapest plan costs 31 (nine actions).
(define (problem one-letter)
  (:domain delivery)
  (:objects
    depot home - place
    north south - airport
    letter - parcel
    van1 van2 - truck
    jet - plane)
  (:init
    (at letter depot) (at van1 depot) (at van2 south) (at jet north)
    (road depot north) (road north depot)
    (road north south) (road south north)
    (road south home) (road home south)
    (= (total-cost) 0)
    (= (distance depot north) 2) (= (distance north depot) 2)
    (= (distance north south) 60) (= (distance south north) 60)
    (= (distance south home) 3) (= (distance home south) 3))
  (:goal (at letter home))
  (:metric minimize (total-cost)))
