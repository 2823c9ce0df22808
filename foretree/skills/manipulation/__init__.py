"""Manipulation: grasps, spots to put things, and the paths of a hand, as plain geometry."""
