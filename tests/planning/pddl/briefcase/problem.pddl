; The pen, in the case already, must end at the office; the book goes home: four actions.
(define (problem book-home)
  (:domain briefcase)
  (:objects home office - location pen book - portable)
  (:init (at pen office) (at book office) (is-at office) (in pen))
  (:goal (and (at pen office) (at book home) (not (in book)))))
