"""Domains for a whole building from domains for a tabletop.

- :mod:`~foretree.planning.expansion.expand`: ``expand`` takes a domain and an ``Expansion`` and
  returns an ``ExpandedDomain``
- :mod:`~foretree.planning.expansion.options`: ``Expansion``; :mod:`~foretree.planning.expansion.options`:
  ``read_expansion``, the options as YAML says them
- :mod:`~foretree.planning.expansion.files`: ``expand_file``, ``write_expanded``: from a file, and as text
- :mod:`~foretree.planning.expansion.problem_expansion`: ``expand_problem``: a problem of the base domain, in
  a ``Building``
- :mod:`~foretree.planning.expansion._hand_predicates`: ``find_anchors``: which predicates mean that the hand
  is free, and that it holds something
"""
