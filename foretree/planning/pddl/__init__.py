"""PDDL text and what it means, by module.

- :mod:`~foretree.planning.semantics.axioms`: derived predicates, and how to do without them
- :mod:`~foretree.planning.semantics.derivation`: what is derived in a state or from a belief
- :mod:`~foretree.planning.pddl._initial_state`: reads ``(:init …)``
- :mod:`~foretree.planning.pddl.notes`: what is odd in a text and read all the same

The parser and the writer still lie one floor up, in :mod:`foretree.planning`.
"""
