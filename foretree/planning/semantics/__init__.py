"""The semantics of PDDL: formulas, derived predicates, actions, plans."""
