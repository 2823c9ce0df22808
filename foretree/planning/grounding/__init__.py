"""From a problem to ground operators: compile, ground, reduce, prove impossible."""
