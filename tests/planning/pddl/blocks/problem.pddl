; Sussman's anomaly: six actions.
(define (problem sussman)
  (:domain blocks)
  (:objects a b c)
  (:init (ontable a) (ontable b) (on c a) (clear b) (clear c) (handempty))
  (:goal (and (on a b) (on b c))))
