"""Planning: PDDL, problems from beliefs, solvers, validation.

Language and semantics:

- :mod:`~foretree.planning.pddl`: PDDL text and its syntax tree
- :mod:`~foretree.planning.semantics.actions`: ``instantiate``, ``apply``, ``validate``;
  :mod:`~foretree.planning.semantics.evaluation`: ``evaluate``, ``ground``, ``conjuncts``;
  :mod:`~foretree.planning.semantics.operator_index`: fluents, achievers, unification
- :mod:`~foretree.planning.plan`: ``Plan``, ``Action``;
  :mod:`~foretree.planning.causal_links`: the reason for each action of a plan, and the partial order

Problems and solvers:

- :mod:`~foretree.planning.task.goals`: goals as text; :mod:`~foretree.planning.task.problems`: problems from
  beliefs, with their assumptions
- :mod:`~foretree.planning.solvers`: ``find_solver``, ``Solution``, ``Limits``
- :mod:`~foretree.planning.grounding.compilation`: problems without the features that no engine takes;
  :mod:`~foretree.planning.grounding.unsolvability`: the reason why there is no plan

Buildings:

- :mod:`~foretree.planning.expansion`: a domain for a building out of one for a tabletop
- :mod:`~foretree.planning.maps.navigation`: the navigation of a domain;
  :mod:`~foretree.planning.maps.compression`: problems on the compressed map, and their plans refined;
  :mod:`~foretree.planning.maps.compression_loss`: the cost of leaving nodes out
- :mod:`~foretree.planning.task.problem_forms`: the things and nodes that a goal needs, for one session
"""
