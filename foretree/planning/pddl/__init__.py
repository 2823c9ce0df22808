"""PDDL text and its syntax tree.

- :mod:`~foretree.planning.pddl.syntax`: formulas, operators, domains, problems
- :mod:`~foretree.planning.pddl.parser`, :mod:`~foretree.planning.pddl.writer`: text in and out
- :mod:`~foretree.planning.pddl.source`: a text with its places and warnings;
  :mod:`~foretree.planning.pddl.sexpr`: its parentheses
- :mod:`~foretree.planning.pddl.formula_reader`, :mod:`~foretree.planning.pddl.typed_lists`: parts of a text
- :mod:`~foretree.planning.pddl.errors`: one exception per kind of mistake
"""
