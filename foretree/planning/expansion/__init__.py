"""Expansion of a tabletop domain to a whole building.

- :mod:`~foretree.planning.expansion.expand`: ``expand`` makes an ``ExpandedDomain`` of a domain
- :mod:`~foretree.planning.expansion.options`: ``Expansion``; ``read_expansion`` reads one from YAML
- :mod:`~foretree.planning.expansion.files`: ``expand_file``, ``write_expanded``: from a file, and as text
- :mod:`~foretree.planning.expansion.problem_expansion`: ``expand_problem`` puts a problem of the base domain
  into a ``Building``
- :mod:`~foretree.planning.expansion.hand_predicates`: ``find_hand_predicates`` finds the predicates for
  a free hand and for a held thing
- :mod:`~foretree.planning.expansion.added_operators`: moving, opening doors, pushing
"""
