"""Constraints on the way: what has to hold of all of a plan, and how operators are made to keep it."""
