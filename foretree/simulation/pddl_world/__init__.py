"""A world that executes any PDDL domain."""
