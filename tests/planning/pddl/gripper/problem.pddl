; Three balls, two grippers: the third ball needs a second trip. Nine actions.
(define (problem three-balls)
  (:domain gripper)
  (:objects rooma roomb - room ball1 ball2 ball3 - ball left right - gripper)
  (:init (at-robby rooma) (at ball1 rooma) (at ball2 rooma) (at ball3 rooma))
  (:goal (forall (?b - ball) (at ?b roomb))))
