"""PDDL text and what it means, by module.

- :mod:`~foretree.planning.pddl.axioms`: derived predicates, and how to do without them
- :mod:`~foretree.planning.pddl.derivation`: what is derived in a state or from a belief
- :mod:`~foretree.planning.pddl.initial_state`: reads ``(:init …)``
- :mod:`~foretree.planning.pddl.notes`: what is odd in a text and read all the same

The parser and the writer still lie one floor up, in :mod:`foretree.planning`.
"""
