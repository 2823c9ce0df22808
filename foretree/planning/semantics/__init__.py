"""What PDDL means: formulas, derived predicates, actions, plans."""
