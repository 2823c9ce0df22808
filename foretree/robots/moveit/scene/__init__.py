"""The planning scene of MoveIt, kept from the belief."""
