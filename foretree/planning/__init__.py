"""PDDL: domains, goals and their checks, problems from beliefs, solvers, validation.

What other rooms use, by module:

- :mod:`~foretree.planning.syntax`: the syntax tree
- :mod:`~foretree.planning.parser`, :mod:`~foretree.planning.goals`, :mod:`~foretree.planning.writer`: text in
  and out
- :mod:`~foretree.planning.semantics`: what it means: ``evaluate``, ``instantiate``, ``apply``, ``validate``
- :mod:`~foretree.planning.problems`: problems from beliefs, with their assumptions
- :mod:`~foretree.planning.solvers`: ``find_solver``, ``Solution``, ``Limits``
- :mod:`~foretree.planning.expansion`: a domain for a building out of one for a tabletop
- :mod:`~foretree.planning.plan`: ``Plan``, ``Action``
- :mod:`~foretree.planning.causality`: why each action of a plan is there, and in which order they must run

Between a problem and a solver stand :mod:`~foretree.planning.compilation` (what no engine takes),
:mod:`~foretree.planning.relevance` (what cannot matter), :mod:`~foretree.planning.grounding` and
:mod:`~foretree.planning.invariants`; :mod:`~foretree.planning.reachability` says why there is no plan.
"""
