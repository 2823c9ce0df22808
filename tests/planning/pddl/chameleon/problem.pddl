; Lea turns green beside the leaf, then Max beside Lea; Lea sleeps and turns red beside the petal: four actions.
(define (problem meadow)
  (:domain chameleon)
  (:objects lea max - chameleon leaf1 petal - leaf red - colour)
  (:init (beside lea leaf1) (beside max lea) (beside lea petal)
         (coloured lea brown) (coloured max brown) (coloured leaf1 green) (coloured petal red))
  (:goal (and (coloured max green) (coloured lea red))))
