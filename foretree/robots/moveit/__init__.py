"""Arms that MoveIt plans for: picking, placing, opening, closing, pouring, pushing and pulling."""
