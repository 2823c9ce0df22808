; Everybody gathers in the hall, both other rooms are closed, the guard locks up: five actions.
(define (problem evening)
  (:domain museum)
  (:objects hall east west - room anna - guard ben cleo - visitor)
  (:init (door hall east) (door hall west) (in anna east) (in ben west) (in cleo hall) (keyholder anna))
  (:goal (and (locked) (or (closed hall) (in cleo hall)))))
